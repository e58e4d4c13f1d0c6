# SPDX-License-Identifier: Apache-2.0
"""From logs to the ops report: process_ops(), as tt-metal's programs call it, and `python -m tracy.process_ops_logs`."""
import ast
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

if __name__ == "__main__" and not __package__:  # called as a file
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "tracy"

from . import common
from .program import become as _become
from .program import facts as _facts
from .program import run as _run

OUT_NAME = "ops_perf_results"
PER_CORE_OP_TO_OP_OUT_NAME = "per_core_op_to_op_times"
TRACE_OP_ID_BITSHIFT = 32


def __getattr__(name):
    if name == "OPS_CSV_HEADER":
        columns = list(_facts()["opsColumns"])
        at = columns.index("METAL TRACE ID")
        return columns[:at] + ["INPUTS", "OUTPUTS"] + columns[at:]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def process_ops(output_folder, name_append, date, device_only=False, analyze_noc_traces=False, device_analysis_types=(),
                force_legacy_device_logs=False):
    """Makes the ops report of the logs in output_folder/.logs; None is the profiler's own folder."""
    words = ["-o", os.fspath(output_folder or common.PROFILER_ARTIFACTS_DIR)]
    if name_append:
        words += ["-n", name_append]
    for option, wanted in (("--date", date), ("--device-only", device_only), ("--analyze-noc-traces", analyze_noc_traces),
                           ("--force-legacy-device-logs", force_legacy_device_logs)):
        words += [option] if wanted else []
    _run("process_ops_logs", *words, *_options(device_analysis_types))


# ---- parts that programs call by themselves: ttprof works the figures out here, too ----


def _rows_of(log_folder, files, *words, called="ttprof"):
    """Rows of the report that ttprof makes of some files of a folder of logs; none where that has none of them."""
    there = [path for path in (Path(log_folder).absolute() / name for name in files) if path.exists()]
    if not there:
        return []
    with tempfile.TemporaryDirectory(prefix="ttprof-report.") as folder:
        logs = common.generate_logs_folder(folder)
        logs.mkdir()
        for path in there:
            (logs / path.name).symlink_to(path)
        report = Path(folder, "report.csv")
        try:
            _run(called, *(["ops", folder, "--report", report] if called == "ttprof" else ["-o", folder]), *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.CalledProcessError as failed:
            sys.stderr.write(failed.stderr.decode(errors="replace").replace(str(logs), os.fspath(log_folder)))
            raise
        if called != "ttprof":
            report = common.generate_reports_folder(folder) / f"{OUT_NAME}.csv"
        with open(report, newline="", encoding="utf-8", errors="replace") as file:
            return list(csv.DictReader(file))


def _options(device_analysis_types):
    return [word for analysis in device_analysis_types or () for word in ("-a", analysis)]


def get_device_data_generate_report(logFolder, outputFolder, date, nameAppend, export_csv=True, cleanup_device_log=False,  # pylint: disable=invalid-name
                                    device_analysis_types=()):
    """Ops of a device log alone, a dictionary each without what is empty; also as a report, unless export_csv is false."""
    log = Path(logFolder) / common.PROFILER_DEVICE_SIDE_LOG
    rows = _rows_of(logFolder, [common.PROFILER_DEVICE_SIDE_LOG], "--device-only", *_options(device_analysis_types), called="process_ops_logs")
    if rows and export_csv:
        folder, name = _report_folder(outputFolder, nameAppend, date)
        shutil.copy(log, folder)
        with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    if cleanup_device_log:
        common.rm(log)
    return [{column: cell for column, cell in row.items() if cell} for row in rows]


def analyzeNoCTraces(logFolder):  # pylint: disable=invalid-name
    """What tt-npe finds in traces of the NoC; None without it: ttprof reads the npe_results.csv that it left."""
    try:
        from npe_analyze_noc_trace_dir import analyze_noc_traces_in_dir  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    return analyze_noc_traces_in_dir(noc_trace_dir=logFolder, emit_viz_timeline_files=True, quiet=True, compress_timeline_files=True)


def _attach_noc(op, stats):
    found = stats.getDatapointByID(op["global_call_count"] & ((1 << TRACE_OP_ID_BITSHIFT) - 1), op.get("metal_trace_id"),
                                   op.get("metal_trace_replay_session_id"))
    if found is None:
        return
    result = found.result
    op.update({"NOC UTIL (%)": round(result.overall_avg_link_util, 1), "MULTICAST NOC UTIL (%)": round(result.overall_avg_mcast_write_link_util, 1),
               "DRAM BW UTIL (%)": round(result.dram_bw_util, 1), "DRAM BW UTIL PER CTRL (%)": result.getDramBwUtilPerControllerStr(),
               "ETH BW UTIL (%)": result.getEthBwUtilPerCoreStr(), "NPE CONG IMPACT (%)": round(result.getCongestionImpact(), 2)})


def _number(cell):
    """A cell as the number that it is, if it is one; None for an empty one."""
    for read in (int, float):
        try:
            return read(cell)
        except ValueError:
            continue
    return cell or None


def _with_device_rows(op, rows):
    """The op once for each time that a device ran it; as it is where that has no row of it."""
    made = []
    for row in rows:
        row = {column: _number(cell) for column, cell in row.items()}
        of_row = {"_device_perf_row": row, "core_usage": {"count": row.get("CORE COUNT"), "cores": []}, "metal_trace_id": row.get("METAL TRACE ID"),
                  "metal_trace_replay_session_id": row.get("METAL TRACE REPLAY SESSION ID")}
        measured = {column: cell for column, cell in row.items() if cell is not None and column.startswith(("DEVICE ", "OP TO OP", "NOC ", "DRAM BW", "NPE "))}
        made.append({**op, **measured, **{key: value for key, value in of_row.items() if value is not None}})
    return made or [op]


def append_device_data(ops, traceReplays, logFolder, analyze_noc_traces, device_analysis_types, force_legacy_device_logs=False):  # pylint: disable=invalid-name
    """Records of the host's ops with what devices measured: those of each device, and those of replays by the id that is theirs alone.

    Ops that devices have no row of stay as they are.  traceReplays: device -> trace -> times of its replays.
    """
    report = Path(logFolder) / common.PROFILER_CPP_DEVICE_PERF_REPORT
    of_runtime = report.is_file() and not force_legacy_device_logs
    files = [common.PROFILER_CPP_DEVICE_PERF_REPORT if of_runtime else common.PROFILER_DEVICE_SIDE_LOG]
    words = [] if of_runtime else _options(device_analysis_types)
    if analyze_noc_traces:
        files, words = [*files, "npe_results.csv"], [*words, "--analyze-noc-traces"]
    rows = {}
    for row in _rows_of(logFolder, files, *words):
        timed = any(cell and column.startswith("DEVICE ") and column.endswith("[ns]") for column, cell in row.items())
        if timed and row["GLOBAL CALL COUNT"] and row["DEVICE ID"]:  # what a trace captured did not run
            rows.setdefault((int(row["DEVICE ID"]), int(row["GLOBAL CALL COUNT"])), []).append(row)
    by_device, of_traces = {}, {}
    for op in ops.values():
        if "device_id" in op:
            by_device.setdefault(op["device_id"], []).extend(_with_device_rows(op, rows.get((int(op["device_id"]), int(op["global_call_count"])), ())))
    attach_sub_device_ids_to_ops(by_device, build_sub_device_id_lookup_from_device_csv(Path(logFolder) / common.PROFILER_DEVICE_SIDE_LOG))
    npe = analyzeNoCTraces(logFolder) if analyze_noc_traces else None
    for device, of_device in by_device.items():
        for op in of_device:
            if npe is not None:
                _attach_noc(op, npe)
            session = op.get("metal_trace_replay_session_id")
            if session is None:
                ops[op["global_call_count"]] = op
                continue
            times = ((traceReplays or {}).get(device) or {}).get(op.get("metal_trace_id")) or ()
            if 0 < session <= len(times):
                op["tracy_time"] = times[session - 1]
            own = op["global_call_count"] | session << TRACE_OP_ID_BITSHIFT
            of_traces[own] = {**op, "global_call_count": own}
    return by_device, of_traces


def parse_device_csv_meta_data(meta_data_str):
    """The meta data of a marker, a JSON object with ; for its commas; None where it is something else."""
    text = str("" if meta_data_str is None else meta_data_str).strip()
    for read, of in ((json.loads, text.replace(";", ",")), (ast.literal_eval, text)):
        try:
            made = read(of)
        except (ValueError, SyntaxError):
            continue
        return made if isinstance(made, dict) else None
    return None


def normalize_device_csv_trace_field(value, default=-1):
    return default if value is None or str(value).strip() in ("", "None") else int(value)


def get_op_sub_device_lookup_key(op, device_id):
    """(device, run id, trace id, replay) of an op; a row of the runtime's own report counts more than the host's record."""
    row = op.get("_device_perf_row")
    if row is None:
        row = {"DEVICE ID": op.get("device_id", device_id), "GLOBAL CALL COUNT": op["global_call_count"], "METAL TRACE ID": op.get("metal_trace_id"),
               "METAL TRACE REPLAY SESSION ID": op.get("metal_trace_replay_session_id")}
    return (int(row.get("DEVICE ID", op.get("device_id", device_id))), int(row["GLOBAL CALL COUNT"]),
            normalize_device_csv_trace_field(row.get("METAL TRACE ID")), normalize_device_csv_trace_field(row.get("METAL TRACE REPLAY SESSION ID")))


def build_sub_device_id_lookup_from_device_csv(device_log_path):
    """(device, run id, trace id, replay) -> sub-device, of markers that say it."""
    from .process_device_log import import_device_profile_log  # pylint: disable=import-outside-toplevel

    found = {}
    if not Path(device_log_path).is_file():
        return found
    for device, of_device in import_device_profile_log(device_log_path)["devices"].items():
        for of_core in of_device["cores"].values():
            for of_risc in of_core["riscs"].values():
                for marker, *_ in of_risc["timeseries"]:
                    if "sub_device_id" not in marker["meta_data"]:
                        continue
                    meta = parse_device_csv_meta_data(marker["meta_data"])
                    if meta and "sub_device_id" in meta:
                        found[(device, marker["run_host_id"], marker["trace_id"], marker["trace_id_count"])] = int(meta["sub_device_id"])
    return found


def attach_sub_device_ids_to_ops(host_ops_by_device, sub_device_id_lookup):
    for device_id, ops in host_ops_by_device.items():
        for op in ops:
            key = get_op_sub_device_lookup_key(op, device_id)
            if key in sub_device_id_lookup:
                op["sub_device_id"] = sub_device_id_lookup[key]


def csv_header_format(header):
    return header.replace("_", " ").upper()


def _report_folder(output_folder, name_append, date):
    """The folder of a report, which is made, and its name."""
    folder, name = Path(output_folder or common.PROFILER_OUTPUT_DIR).absolute(), OUT_NAME
    for part in (name_append, datetime.now().strftime("%Y_%m_%d_%H_%M_%S") if date else None):
        if part:
            folder, name = folder / part, f"{name}_{part}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder, name


def generate_reports(ops, deviceOps, traceOps, signposts, logFolder, outputFolder, date, nameAppend):  # pylint: disable=invalid-name,unused-argument
    """Writes records of ops and signposts as a report; times of devices are in those of process_ops() alone."""
    folder, name = _report_folder(outputFolder, nameAppend, date)
    for file in (common.TRACY_FILE_NAME, common.PROFILER_DEVICE_SIDE_LOG):
        if (Path(logFolder) / file).is_file():
            shutil.copy(Path(logFolder) / file, folder)
    columns = _facts()["opsColumns"]
    by_key = {csv_header_format(column): column for column in columns}
    rows = []
    for op in [*ops.values(), *traceOps.values()]:
        start, took = (int(op["host_time"][key]) for key in ("ns_since_start", "exec_time_ns"))
        row = {by_key[csv_header_format(key)]: cell for key, cell in op.items() if csv_header_format(key) in by_key and cell is not None}
        rows.append({**row, "HOST START TS": start, "HOST END TS": start + took, "HOST DURATION [ns]": took})
    for sign in signposts.values():
        header, *text = sign["data"].split(": ")[-1].split("\n")
        rows.append({"OP CODE": header, "OP TYPE": "signpost", "ATTRIBUTES": text[0] if text else "", "HOST START TS": int(sign["tracy_time"])})
    rows.sort(key=lambda row: row["HOST START TS"])
    with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=columns)
        writer.writeheader()
        for row in rows:
            writer.writerow({column: str(cell).replace(",", ";") for column, cell in row.items()})


def main():
    return _become("process_ops_logs", *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
