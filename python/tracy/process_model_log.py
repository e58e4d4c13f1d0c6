# SPDX-License-Identifier: Apache-2.0
"""Profiles a command and reads its report, for tests of a model's device time.

    run_device_profiler("pytest test_model.py::test", "my_model")
    post_process_ops_log("my_model", ["DEVICE KERNEL DURATION [ns]"])
"""
import csv
import logging
import os
import shlex
import subprocess
import sys

from . import common

_log = logging.getLogger(__name__)


def get_profiler_folder(output_logs_subdir):
    """Where logs and reports of a command go."""
    return common.PROFILER_ARTIFACTS_DIR / output_logs_subdir


def get_latest_ops_log_filename(output_logs_subdir=""):
    """The newest ops report of a command."""
    reports = common.generate_reports_folder(get_profiler_folder(output_logs_subdir))
    dates = sorted(os.listdir(reports))
    if not dates:
        raise IndexError(f"{reports} has no report: did the run fail?")
    return reports / dates[-1] / f"ops_perf_results_{dates[-1]}.csv"


def _rows_between(codes, types, op_name, has_signposts):
    """Numbers of the rows that are asked for."""
    rows = range(len(codes))
    if has_signposts:
        at = {name: next(i for i in rows if types[i] == "signpost" and codes[i] == name) for name in ("start", "stop")}
        rows = range(at["start"] + 1, at["stop"])
    return [i for i in rows if op_name in ("", codes[i])]


def _with_dashes(filename, columns):
    """Cells of a report that says - where there is nothing: those are omitted, empty ones are NaN."""
    with open(filename, newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    for column in columns:
        if cells and column not in cells[0]:
            raise KeyError(column)
    return ([row["OP CODE"] for row in cells], [row["OP TYPE"] for row in cells],
            {c: [None if row[c] == "-" else float(row[c] or "nan") for row in cells] for c in columns})


def _with_blanks(filename, columns):
    """The same of other reports, by libttprof."""
    import ttprof  # pylint: disable=import-outside-toplevel

    with open(filename, newline="", encoding="utf-8") as file:
        header = next(csv.reader(file), [])
    with ttprof.open(filename) as run:
        empty = [float("nan")] * len(run.ops)
        found = run.columns
        for column in columns:
            if column not in header:
                raise KeyError(column)
        return (list(found["OP CODE"]), list(found["OP TYPE"]), {c: found[c].data if c in found else empty for c in columns})


def _has_dashes(filename):
    with open(filename, "rb") as file:
        text = file.read()
    return b",-," in text or b",-\n" in text or b",-\r" in text


def post_process_ops_log(output_logs_subdir, columns=None, sum_vals=True, op_name="", has_signposts=False):
    """Columns of the newest report, each as its sum or as an array; without `columns` the report itself, as pandas.DataFrame.

    Of all ops, of those named `op_name`, or of those between the signposts "start" and "stop".
    """
    filename = get_latest_ops_log_filename(output_logs_subdir)
    if columns:
        import numpy  # pylint: disable=import-outside-toplevel

        assert isinstance(columns, list), f"columns should be a list, not {type(columns)}"
        codes, types, cells = (_with_dashes if _has_dashes(filename) else _with_blanks)(filename, columns)
        rows = _rows_between(codes, types, op_name, has_signposts)
        results = {}
        for column in columns:
            of = cells[column]
            array = numpy.array([of[i] for i in rows if of[i] is not None], dtype=float)
            results[column] = numpy.nansum(array) if sum_vals else array
        return results
    import pandas  # pylint: disable=import-outside-toplevel

    report = pandas.read_csv(filename)
    if not has_signposts and op_name == "":
        return report
    return report.iloc[_rows_between(list(report["OP CODE"]), list(report["OP TYPE"]), op_name, has_signposts)]


def get_samples_per_s(time_ns, num_samples):
    return 1 / (time_ns * 1e-9) * num_samples


# ---- run a command ----


def _words(folder, check, analyses, report, counters, sums, op_support):
    words = [sys.executable or "python3", "-m", "tracy", "-p", *(["-r"] if report else []), "-o", os.fspath(folder)]
    words += ["--check-exit-code"] if check else []
    for analysis in analyses or ():
        words += ["-a", analysis]
    words += ["--enable-sum-profiling"] if sums else []
    if op_support != common.PROFILER_DEFAULT_OP_SUPPORT_COUNT:
        words += ["--op-support-count", str(op_support)]
    if counters:
        words.append("--profiler-capture-perf-counters=" + ",".join(counters))
    return [*words, "-t", "5000"]


def _environment():
    """With which `python -m tracy` is this package, also where somebody else's is in the path."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = [here, *(p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != here)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def _profile(command, folder, is_binary, *options):
    line = shlex.join(_words(folder, *options)) + " " + (command if is_binary else "-m " + shlex.quote(command))
    _log.info(line)
    subprocess.run(line, shell=True, check=True, env=_environment() if __package__ == "tracy" else None)


def requires_multi_pass_profile(capture_perf_counters_groups):
    """Whether both banks of L1 counters are asked for: a run has one of them."""
    groups = {g.lower() for g in capture_perf_counters_groups or ()}
    return "l1_1" in groups and bool(groups & {"l1_0", "all"})


def get_multi_pass_configs(capture_perf_counters_groups):
    """The groups of the first run, with bank 0, and of the second, with bank 1."""
    first = [g for g in capture_perf_counters_groups if g.lower() != "l1_1"]
    if any(g.lower() == "all" for g in capture_perf_counters_groups):
        return first, ["fpu", "pack", "unpack", "l1_1", "instrn"]
    second = [g for g in capture_perf_counters_groups if g.lower() != "l1_0"]
    return first, second if any(g.lower() == "l1_1" for g in second) else [*second, "l1_1"]


def merge_pass_csv(pass1_csv_path, pass2_csv_path):
    """Adds columns that only the second report has to the first, by the ops' ids."""
    keys = ("GLOBAL CALL COUNT", "METAL TRACE ID", "METAL TRACE REPLAY SESSION ID")

    def load(path):
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            return list(reader.fieldnames or ()), list(reader)

    (columns, rows), (more, others) = load(pass1_csv_path), load(pass2_csv_path)
    added = [c for c in more if c not in columns]
    if not added:
        _log.warning("%s has no columns that %s lacks", pass2_csv_path, pass1_csv_path)
        return
    by_id = {tuple(row[k] for k in keys): row for row in others}
    with open(pass1_csv_path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=columns + added, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            other = by_id.get(tuple(row[k] for k in keys), {})
            writer.writerow({**row, **{c: other.get(c, "") for c in added}})


def run_device_profiler(command, output_logs_subdir, check_test_return_code=True, device_analysis_types=(), python_post_process=True,
                        capture_perf_counters_groups=(), sum_profiling=False,
                        op_support_count=int(common.PROFILER_DEFAULT_OP_SUPPORT_COUNT * 1.333), is_command_binary_exe=False):
    """Runs a command, of pytest or another module, or a binary, under the profiler, and makes its report.

    Counters of both banks of L1 take two runs, whose reports are joined.
    """
    def run(subdir, groups):
        _profile(command, get_profiler_folder(subdir), is_command_binary_exe, check_test_return_code, device_analysis_types, python_post_process,
                 groups, sum_profiling, op_support_count)

    if not requires_multi_pass_profile(capture_perf_counters_groups):
        run(output_logs_subdir, capture_perf_counters_groups)
        return
    first, second = get_multi_pass_configs(capture_perf_counters_groups)
    second_subdir = f"{output_logs_subdir}_l1_pass2"
    run(output_logs_subdir, first)
    run(second_subdir, second)
    if python_post_process:
        merge_pass_csv(get_latest_ops_log_filename(output_logs_subdir), get_latest_ops_log_filename(second_subdir))
