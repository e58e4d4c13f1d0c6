# SPDX-License-Identifier: Apache-2.0
"""Recorded cases of tt-perf-report: how they are found, run and compared.

A tree has index.tsv (id, argv, exit code, ...), inputs/ (and data/), and a folder per case with stdout,
files/ and, for exit code 2, stderr.  A case that the original did not survive has ours.stdout,
ours.stderr and ours.rc instead: what we print there.
"""
import csv
import difflib
import os
import shlex
import subprocess
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

# Exit 1 that the original reports itself; every other exit 1 is an exception of it.
REPORTED = ("Invalid --id-range", "is missing the 'DEVICE ID' column", "reports max device ID",
            "device(s) (max DEVICE ID", "Invalid --active-experts")

# Cases where equal keys stand in an order that depended on the CPU: lines may change places.
TIES = ("054", "059", "169", "227", "228", "234", "237", "281")


class Case:
    def __init__(self, tree, row, inputs, version):
        self.version = version
        self.id, self.folder, self.inputs = row["id"], os.path.join(tree, row["id"]), inputs
        self.argv, self.exit = shlex.split(row["argv"] or ""), int(row["exit"])
        self.files = [f for f in (row.get("files") or "").split(",") if f]

    def recorded(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as f:
            return f.read()

    def crashed(self):
        out = (self.recorded("stdout") or b"").decode("utf-8", "replace")
        return self.exit == 1 and not any(text in out for text in REPORTED)


def find_cases(tree, version="1.2.4", more_inputs=()):
    """The cases of a tree; `version` is the release of the original that they were recorded from."""
    inputs = [os.path.join(tree, d) for d in ("inputs", "data")] + list(more_inputs)
    with open(os.path.join(tree, "index.tsv"), encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Case(tree, row, [d for d in inputs if os.path.isdir(d)], version) for row in rows]


class Result:
    """What a run left: stdout, stderr, rc, and every file that it made."""


def run_case(case, program):
    result = Result()
    with tempfile.TemporaryDirectory() as work:
        given = set()
        for folder in case.inputs:
            for name in os.listdir(folder):
                os.symlink(os.path.join(folder, name), os.path.join(work, name))
                given.add(name)
        env = {"LC_ALL": "C.UTF-8", "COLUMNS": "80", "PATH": os.environ["PATH"],
               "TT_PERF_REPORT_COMPAT": case.version}
        env.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
        p = subprocess.run([program] + case.argv, cwd=work, env=env, timeout=120,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        result.rc, result.stdout, result.stderr, result.files = p.returncode, p.stdout, p.stderr, {}
        for name in sorted(set(os.listdir(work)) - given):
            with open(os.path.join(work, name), "rb") as f:
                result.files[name] = f.read()
    return result


def diff(what, want, got):
    lines = [x.decode("utf-8", "backslashreplace").splitlines() for x in (want, got)]
    shown = list(difflib.unified_diff(lines[0], lines[1], "recorded " + what, "ours", lineterm="", n=0))
    return [line[:300] for line in shown[:8]]


def is_png(data):
    """A picture of sensible size, every chunk of it whole."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return False
    at, kinds = 8, []
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        body = data[at + 4:at + 8 + size]
        if zlib.crc32(body) != int.from_bytes(data[at + 8 + size:at + 12 + size], "big"):
            return False
        if body[:4] == b"IHDR":
            width, height = (int.from_bytes(body[i:i + 4], "big") for i in (4, 8))
            if not (1500 <= width <= 40000 and 2000 <= height <= 4000):
                return False
        kinds.append(body[:4])
        at += 12 + size
    return at == len(data) and kinds[:1] == [b"IHDR"] and kinds[-1:] == [b"IEND"]


def compare(case, got, order_matters=True):
    """A list of differences."""
    def same(a, b):
        return a == b or (not order_matters and sorted(a.splitlines()) == sorted(b.splitlines()))

    faults = []
    if case.crashed():
        if case.recorded("ours.stdout") is None:
            told = b"tt-perf-report: error: " in got.stderr or any(t.encode() in got.stdout for t in REPORTED)
            sane = got.rc == 0 or (got.rc == 1 and told)
            return [] if sane else ["exit code %d, stderr %r" % (got.rc, got.stderr[:200])]
        wanted = {"rc": int(case.recorded("ours.rc")), "stdout": case.recorded("ours.stdout"),
                  "stderr": case.recorded("ours.stderr")}
    else:
        wanted = {"rc": case.exit, "stdout": case.recorded("stdout"),
                  "stderr": case.recorded("stderr") if case.exit == 2 else b""}
        for name in case.files:
            data = got.files.get(name)
            if data is None:
                faults.append("%s is not written" % name)
            elif name.endswith(".png"):
                if not is_png(data):
                    faults.append("%s is not a sound picture" % name)
            elif not same(case.recorded("files/" + name), data):
                faults += diff(name, case.recorded("files/" + name), data)
        for name in sorted(set(got.files) - set(case.files)):
            faults.append("%s should not be written" % name)
    if wanted["rc"] != got.rc:
        faults.append("exit code %d, recorded %d" % (got.rc, wanted["rc"]))
    for stream in ("stdout", "stderr"):
        if not same(wanted[stream], getattr(got, stream)):
            faults += diff(stream, wanted[stream], getattr(got, stream))
    return faults


def each_result(cases, program):
    def one(case):
        try:
            return case, run_case(case, program), None
        except subprocess.TimeoutExpired:
            return case, None, "took too long"

    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(one, cases)


def run_all(cases, program, label, loose=()):
    """Prints a line per case; returns how many differ."""
    bad = 0
    for case, got, trouble in each_result(cases, program):
        faults = [trouble] if trouble else compare(case, got, case.id not in loose)
        print("%s %s%s" % ("not ok" if faults else "ok", label, case.id))
        for line in faults:
            print("#   " + line)
        bad += bool(faults)
    return bad


def program_named(name, folder):
    """A link of this name to the program under test."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.abspath(os.environ.get("TTPROF") or os.path.join(here, "../../build/ttprof"))
    if not os.access(path, os.X_OK):
        raise SystemExit("no program at %s: build it, or set TTPROF" % path)
    link = os.path.join(folder, name)
    os.symlink(path, link)
    return link
