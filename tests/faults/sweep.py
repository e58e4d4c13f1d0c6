# SPDX-License-Identifier: Apache-2.0
"""One call of a program fails, then the next: what the sweeps of run and scripts/soak have in common.

A Case is a command with what it writes.  sweep() counts its calls of each kind, lets them fail one by one, and judges each
outcome.  Good is: the same bytes and the same status as without a fault; or the status of a failure, one error line, no file
that is not whole (but for the answer of the rest, where the error names an input that could not be read), nothing temporary left.  Everything else is returned as a text.
"""
import concurrent.futures
import dataclasses
import errno
import mmap
import os
import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Callable

PAGE = 8192
OUT_OF_MEMORY = 125
# kind: the errors that such a call has in practice; the first is for all calls, the others for the complete sweep
KINDS = {
    "malloc": [errno.ENOMEM],
    "open": [errno.EMFILE, errno.EIO],
    "read": [errno.EIO],
    "write": [errno.ENOSPC, errno.EIO],
    "mmap": [errno.ENOMEM],
    "rename": [errno.EACCES],
    "unlink": [errno.EACCES],
    "fsync": [errno.EIO],
    "fork": [errno.EAGAIN],
    "thread": [errno.EAGAIN],
    "truncate": [errno.ENOSPC],
    "mkdir": [errno.ENOSPC],
    "close": [errno.EIO],
    "socket": [errno.EMFILE],
    "recv": [errno.ECONNRESET],
    "send": [errno.EPIPE],
    "short": [0],
    "eintr": [errno.EINTR],
}


@dataclasses.dataclass
class Case:
    name: str
    argv: list  # {out}: a fresh folder, also the current one
    env: dict = dataclasses.field(default_factory=dict)
    kinds: tuple = tuple(KINDS)
    before: Callable = None  # (folder): what has to be there; may return something with stop()
    after: Callable = None  # (folder, result, base): a further complaint, or None
    same: Callable = None  # without what differs from run to run
    skip_files: str = r"$^"  # whose bytes differ from run to run
    kept: str = r"$^"  # files that may stay when it fails: a recording is not thrown away
    closes: bool = True  # all files, before it ends
    diagnoses: bool = False  # its output says what is wrong: any will do
    drawn: str = r"$^"  # pictures: where a call of a library fails, it draws them with other fonts
    may_lose: Callable = lambda r: False  # (result): less than all is reported otherwise
    never_fails: bool = False  # a program that must not notice
    status: int = 0  # without a fault
    errors: int = 1  # lines, at most
    statuses: tuple = (1,)  # of a failure, besides OUT_OF_MEMORY
    timeout: float = 20
    stdin: str = None


@dataclasses.dataclass
class Result:
    status: int = 0
    out: bytes = b""
    err: str = ""
    files: dict = dataclasses.field(default_factory=dict)
    left: list = dataclasses.field(default_factory=list)
    hung: bool = False
    calls: int = 0
    failed: int = 0
    at_exit: int = 0
    fds: int = 0
    where: str = ""
    complaint: str = None
    beside: str = ""  # stderr of the program at the other end


def symbols(where, folder):
    """The functions of module+offset, innermost first."""
    found = []
    for word in dict.fromkeys(where.split()):
        module, _, at = word.partition("+")
        name = str(folder / module)
        done = subprocess.run(["addr2line", "-e", name, "-f", "-s", hex(int(at, 16) - 1)], capture_output=True, text=True, check=False)
        lines = done.stdout.split("\n")
        found.append(f"{lines[0]} ({lines[1]})" if len(lines) > 1 and lines[0] != "??" else word)
    return " < ".join(found[:14])


class Sweep:
    def __init__(self, library, jobs=2, sanitizer=None, names=None):
        self.names = names or (lambda case, where: where)
        self.library = str(library)
        self.jobs = jobs
        self.sanitizer = sanitizer

    def run(self, case, fault, base=None):
        top = Path(tempfile.mkdtemp(prefix="ttprof-faults."))
        try:
            return self._run(case, fault, top, base)
        finally:
            shutil.rmtree(top, ignore_errors=True)

    def _run(self, case, fault, top, base):
        out, tmp, page = top / "out", top / "tmp", top / "page"
        for folder in (out, tmp, top / "home"):
            folder.mkdir()
        page.write_bytes(bytes(PAGE))
        helper = case.before(out) if case.before else None
        words = [str(w).replace("{out}", str(out)) for w in case.argv]
        preload = ":".join(filter(None, [self.sanitizer, self.library]))
        env = {"PATH": os.environ["PATH"], "HOME": str(top / "home"), "TMPDIR": str(tmp), "LC_ALL": "C.UTF-8", "COLUMNS": "100",
               "LD_PRELOAD": preload, "TTP_FAULT": fault, "TTP_FAULT_PAGE": str(page), "ASAN_OPTIONS": "detect_leaks=0"}
        env |= {k: str(v).replace("{out}", str(out)) for k, v in case.env.items()}
        r = Result()
        err_file = open(top / "stderr", "w+b")
        out_file = open(top / "stdout", "w+b")
        with err_file, out_file:
            p = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out_file, stderr=err_file, cwd=out, env=env)
            if helper and hasattr(helper, "started"):
                helper.started(p, out)
            try:
                r.status = p.wait(case.timeout)
            except subprocess.TimeoutExpired:
                r.hung = True
                p.kill()
                p.wait()
            if helper:
                r.complaint = helper.stop(r, out)
            out_file.seek(0)
            err_file.seek(0)
            r.out, r.err = out_file.read(), err_file.read().decode(errors="replace")
        data = page.read_bytes()
        r.calls, r.failed, started, r.at_exit, r.fds = struct.unpack_from("5Q", data)  # behind them: peak_kb
        r.where = data[48:48 + 1024].split(b"\0")[0].decode()
        if not started:
            raise RuntimeError(f"{case.name}: {self.library} was not loaded: {r.err}")
        for path in sorted(out.rglob("*")):
            if path.is_file() and not path.is_symlink():
                name = case.same(str(path.relative_to(out)))
                r.files[name] = path.read_bytes()
        r.left = [str(p.relative_to(tmp)) for p in tmp.rglob("*")]
        if base is not None and case.after and not r.hung:
            r.complaint = r.complaint or case.after(out, r, base)
        return r

    def judge(self, case, kind, base, r):
        """None, or what is wrong."""
        if r.hung:
            return f"no end after {case.timeout} s"
        if r.status < 0:
            return f"signal {-r.status}"
        if "Sanitizer" in r.err or "runtime error:" in r.err:
            return "sanitizer: " + r.err
        if r.left and kind != "unlink":
            return f"left in TMPDIR: {r.left}"
        if r.complaint:
            return r.complaint
        if case.closes and r.at_exit and base.at_exit and r.fds > base.fds:
            return f"{r.fds} descriptors open at exit, {base.fds} without the fault"
        if case.diagnoses:
            return None if r.status in (0, 1, OUT_OF_MEMORY) else f"status {r.status}"
        new = [line for line in r.err.splitlines() if case.same(line) not in map(case.same, base.err.splitlines())]
        temporary = [f for f in r.files if f not in base.files and not re.search(case.kept, f)]
        if r.status == base.status:
            wrong = self.differs(case, base, r)
            if wrong and not any("warning:" in line or "error:" in line for line in new) and not case.may_lose(r) and not self.only_fonts(case, base, r):
                return "success with " + wrong
            if temporary:
                return f"success, and left {temporary}"
            return None
        if case.never_fails:
            return f"status {r.status}"
        if r.status not in case.statuses and r.status != OUT_OF_MEMORY:
            return f"status {r.status}"
        errors = [line for line in new if "error:" in line]
        if not 1 <= len(errors) <= case.errors:
            return f"status {r.status} with {len(errors)} error lines"
        if (r.status == OUT_OF_MEMORY) != ("error: out of memory" in errors[0]):
            return f"status {r.status}: {errors[0]}"
        if temporary:
            return f"failed, and left {temporary}"
        answer_of_the_rest = ": left out" in errors[0]  # a file could not be read, and the error says which
        if kind != "unlink" and not answer_of_the_rest:
            cut = [f for f, data in r.files.items() if f in base.files and not re.search(case.kept + "|" + case.skip_files, f)
                   and case.same(data.decode("latin-1")) != case.same(base.files[f].decode("latin-1"))]
            if cut:
                return f"failed, and left {cut} unlike those of a success"
        return None

    def only_fonts(self, case, base, r):
        """No call of ours failed, and all that differs is a picture, which is as large as ever and whole."""
        pictures = [name for name in base.files if re.search(case.drawn, name)]
        same = lambda name: name in r.files and r.files[name][:29] == base.files[name][:29] and r.files[name][-12:] == base.files[name][-12:]
        return bool(pictures) and not r.where and all(map(same, pictures)) and not self.differs(
            dataclasses.replace(case, skip_files=case.skip_files + "|" + case.drawn), base, r)

    @staticmethod
    def differs(case, base, r):
        if case.same(r.out.decode("latin-1")) != case.same(base.out.decode("latin-1")):
            return "other output"
        for name, data in base.files.items():
            if name not in r.files:
                return f"no {name}"
            if not re.search(case.skip_files, name) and case.same(data.decode("latin-1")) != case.same(r.files[name].decode("latin-1")):
                return f"another {name}"
        return None

    def points(self, count, most, last=1):
        """Which of `count` calls: all, or `most` of them, the first and the `last` ones among them."""
        if most is None or count <= most:
            return list(range(1, count + 1))
        step = (count - 1) / (most - 1)
        return sorted({1 + round(i * step) for i in range(most)} | set(range(max(1, count - last + 1), count + 1)))

    def sweep(self, case, most=None, kinds=None, report=None):
        """Lets calls fail; all, or at most `most` of each kind.  Returns how many, and the complaints."""
        base = self.run(case, "malloc:0:0")
        again = self.run(case, "malloc:0:0")
        if base.hung or base.status != case.status or base.complaint:
            return 0, [f"{case.name}: without a fault: status {base.status} {base.complaint} {base.err}"]
        wrong = self.differs(case, base, again)
        if wrong or base.status != again.status:
            return 0, [f"{case.name}: two runs without a fault differ: {wrong}"]
        jobs = []
        for kind in kinds or case.kinds:
            count = self.run(case, f"{kind}:0:0").calls if kind != "malloc" else again.calls
            for i, number in enumerate(KINDS[kind]):
                if i and most is not None:
                    break
                # in the end files take their names: a fault there is what leaves them half done
                for n in self.points(count, most, 12 if kind == "malloc" and base.files else 1):
                    jobs.append((kind, n, f"{kind}:{n}:{number}"))
                    if most is None and kind in ("malloc", "write") and not i and n % 5 == 1:
                        jobs.append((kind, n, f"{kind}:{n}:{number}:all"))
        bad = []
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for (kind, _, fault), r in zip(jobs, pool.map(lambda job: self.run(case, job[2], base), jobs)):
                complaint = self.judge(case, kind, base, r) if r.failed or r.hung or r.status < 0 else None
                if complaint:
                    bad.append(f"{case.name} {fault}: {complaint}\n      at {self.names(case, r.where)}\n      {r.err[-400:].strip()}")
                if report:
                    report(case, fault, r, complaint)
        return len(jobs), bad
