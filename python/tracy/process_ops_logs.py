# SPDX-License-Identifier: Apache-2.0
"""From logs to the ops report: process_ops(), as tt-metal's programs call it, and `python -m tracy.process_ops_logs`."""
import ast
import csv
import json
import os
import shutil
import sys
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
    for analysis in device_analysis_types or ():
        words += ["-a", analysis]
    _run("process_ops_logs", *words)


# ---- parts that tests of tt-metal call by themselves: no figures are worked out here ----


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


def generate_reports(ops, deviceOps, traceOps, signposts, logFolder, outputFolder, date, nameAppend):  # pylint: disable=invalid-name,unused-argument
    """Writes records of ops and signposts as a report; times of devices are in those of process_ops() alone."""
    folder, name = Path(outputFolder or common.PROFILER_OUTPUT_DIR).absolute(), OUT_NAME
    for part in (nameAppend, datetime.now().strftime("%Y_%m_%d_%H_%M_%S") if date else None):
        if part:
            folder, name = folder / part, f"{name}_{part}"
    folder.mkdir(parents=True, exist_ok=True)
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
