# SPDX-License-Identifier: Apache-2.0
"""Compares an ops report with the runtime's own report of devices: python -m tracy.compare_ops_logs [OPS [CPP]]."""
import argparse
import csv
import math
import os
import sys

if __name__ == "__main__" and not __package__:  # called as a file
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "tracy"

from . import common, process_model_log

_IDS = ("GLOBAL CALL COUNT", "METAL TRACE ID", "METAL TRACE REPLAY SESSION ID")
_TIME = "DEVICE FW DURATION [ns]"
_ENOUGH = 12  # common columns, for two reports of one run


def _read(path):
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or ()), list(reader)


def _cell(text):
    """A number where it is one; None for nothing."""
    if text in (None, "", "-"):
        return None
    try:
        number = float(text)
    except ValueError:
        return text
    return None if math.isnan(number) else number


def _order(row, ids):
    return [(row[c] is not None, row[c] if isinstance(row[c], float) else 0.0) for c in ids]


def compare_ops_logs(python_ops_perf_report=None, cpp_ops_perf_report=None, only_compare_op_ids=False):
    """Ends the program with 1 where the columns that both have differ; empty reports are not compared."""
    paths = (python_ops_perf_report or process_model_log.get_latest_ops_log_filename(),
             cpp_ops_perf_report or common.PROFILER_LOGS_DIR / common.PROFILER_CPP_DEVICE_PERF_REPORT)
    (ops_columns, ops), (cpp_columns, cpp) = (_read(path) for path in paths)
    columns = [c for c in ops_columns if c in cpp_columns]
    if not ops or not cpp or not columns:
        print(f"not compared: {paths[0]} or {paths[1]} has no rows, or they have no column in common", file=sys.stderr)
        return
    assert len(columns) >= _ENOUGH, f"{paths[0]} and {paths[1]} have only {len(columns)} columns in common"
    assert _TIME in columns, f"{paths[0]} has no column '{_TIME}'"
    ids = [c for c in _IDS if c in columns]
    if only_compare_op_ids:
        columns = ids
    sides = []
    for rows, counts in ((ops, lambda row: row[_TIME] is not None), (cpp, lambda row: row["GLOBAL CALL COUNT"] != 0)):
        cells = [{c: _cell(row[c]) for c in (*columns, _TIME)} for row in rows]
        sides.append(sorted((row for row in cells if counts(row)), key=lambda row: _order(row, ids)))
    if len(sides[0]) != len(sides[1]):
        print(f"{paths[0]} has {len(sides[0])} rows of devices, {paths[1]} has {len(sides[1])}", file=sys.stderr)
        sys.exit(1)
    different = [(i, c, a[c], b[c]) for i, (a, b) in enumerate(zip(*sides)) for c in columns if a[c] != b[c]]
    if different:
        print(f"{paths[0]} and {paths[1]} differ in {len(different)} cells, in columns {sorted({c for _, c, _, _ in different})}", file=sys.stderr)
        for row, column, one, other in different[:10]:
            print(f"  row {row}, {column}: {one} and {other}", file=sys.stderr)
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(prog="compare_ops_logs", description=__doc__)
    parser.add_argument("--only-compare-op-ids", action="store_true", help="compare ids of ops, not their times")
    parser.add_argument("python_ops_perf_report", nargs="?")
    parser.add_argument("cpp_ops_perf_report", nargs="?")
    compare_ops_logs(**vars(parser.parse_args()))


cli = main

if __name__ == "__main__":
    main()
