# SPDX-License-Identifier: Apache-2.0
"""Ops reports with a planted cause, row by row, and what `ttprof report` makes of them.  Terminal and page must say first what JSON does."""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

src = Path(__file__).resolve().parents[2]
build = Path(sys.argv[1] if len(sys.argv) > 1 else src / "build").resolve()
sys.path.insert(0, str(src / "tests/e2e"))
sys.dont_write_bytecode = True
from first_finding import report_of  # noqa: E402  # pylint: disable=wrong-import-position

holder = tempfile.TemporaryDirectory(prefix="ttprof-planted.")
TIME, GAP = "DEVICE KERNEL DURATION [ns]", "OP TO OP LATENCY [ns]"
tests = []


def test(function):
    tests.append(function)
    return function


def op(code="MatmulDeviceOperation", y=4096, x=4096, out=4096, ns=1_300_000, gap=1500, cores=64, logical=None, **more):
    """A product of y × x and x × out, BF16 in DRAM, on a Wormhole of 64 cores, near its roof; others take the same tensors."""
    row = {"OP CODE": code, "OP TYPE": "tt_dnn_device", "DEVICE ID": 0, "DEVICE ARCH": "wormhole_b0", "MATH FIDELITY": "HiFi2", "CORE COUNT": cores,
           "AVAILABLE WORKER CORE COUNT": 64, TIME: ns, GAP: gap, "PROGRAM HASH": hash((code, y, x, out)) & 0xFFFFFFFF, "ATTRIBUTES": "{}"}
    for name, (rows, columns) in {"INPUT_0": (y, x), "INPUT_1": (x, out), "OUTPUT_0": (y, out)}.items():
        sides = [1, 1, rows, columns]
        kept = [1, 1, logical if logical and name != "INPUT_1" else rows, columns]
        row |= {f"{name}_{part}_PAD[LOGICAL]": f"{side}[{keep}]" for part, side, keep in zip("WZYX", sides, kept)}
        row |= {f"{name}_LAYOUT": "TILE", f"{name}_DATATYPE": "BFLOAT16", f"{name}_MEMORY": "DEV_0_DRAM_INTERLEAVED"}
    return row | more


def signpost(name):
    return {"OP CODE": name, "OP TYPE": "signpost"}


def report(rows, *options):
    path = Path(holder.name) / "ops.csv"
    for i, row in enumerate(rows):
        row.setdefault("GLOBAL CALL COUNT", 1024 * (i + 1))
    with path.open("w", newline="") as f:
        writer = csv.DictWriter(f, list(dict.fromkeys(k for row in rows for k in row)))
        writer.writeheader()
        writer.writerows(rows)
    report_of(build / "ttprof", path, Path(holder.name) / "page.html", "--ignore-signposts")
    return report_of(build / "ttprof", path, Path(holder.name) / "page.html", *options)


def replays(sessions, ops=20, gap=1500, lost=lambda session, n: False, cores=lambda session, n: 64, **more):
    """Replays of one trace: the same ops with the same numbers; lost(session, n): the n-th has no row, and the next one's gap covers it."""
    rows = []
    for session in range(1, sessions + 1):
        before = 0
        for n in range(ops):
            row = op(out=1024 + 32 * n, ns=400_000, gap=gap, **more) | {
                "METAL TRACE ID": 0, "METAL TRACE REPLAY SESSION ID": session, "GLOBAL CALL COUNT": 1024 * (n + 1), "CORE COUNT": cores(session, n)}
            if lost(session, n):
                before += 400_000 + gap
                continue
            rows.append(row | {GAP: row[GAP] + before})
            before = 0
    return rows


def steps(n, last=1, gap=1500, last_gap=1500):
    """A step of ten ops, n times; the last one `last` times as long, behind other gaps."""
    return [op(out=1024 + 32 * i, ns=400_000 * (last if k == n - 1 else 1), gap=last_gap if k == n - 1 else gap) for k in range(n) for i in range(10)]


def devices(count, ops, ends=lambda d: 10 ** 9, ns=lambda d: 1_300_000, gap=lambda d: 1500, **more):
    """Ranks, or with `more` devices of one program: the same ops, on each until it ends."""
    return [op(out=4096 - 32 * (i % 10), ns=ns(d), gap=gap(d), **{"DEVICE ID": d, "GLOBAL CALL COUNT": 1024 * (i + 1) + d} | (more or {"RANK": d, "PROCESS": 100 + d}))
            for i in range(ops) for d in range(count) if i < ends(d)]


def run(name):
    failed = False
    for one in tests:
        try:
            one()
            print("ok", f"{name}/" + one.__name__)
        except (AssertionError, KeyError, IndexError, subprocess.SubprocessError) as e:
            failed = True
            print("not ok", f"{name}/" + one.__name__)
            print("    " + f"{type(e).__name__} {e}"[:1500].replace("\n", "\n    "))
    return 1 if failed else 0
