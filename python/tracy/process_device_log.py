# SPDX-License-Identifier: Apache-2.0
"""A device log as dictionaries, with what analyses find in it; and `python -m tracy.process_device_log`.

    stats = import_log_run_stats(setup)     # setup: of device_post_proc_config
    stats["devices"][0]["cores"]["DEVICE"]["analysis"]["device_kernel_duration"]["stats"]["Average"]

ttprof reads the log and works the figures out; here they get the shape that tt-metal's programs know.
"""
import json
import os
import subprocess
import sys
import tempfile

if __name__ == "__main__" and not __package__:  # called as a file
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "tracy"

from . import device_post_proc_config
from .program import become as _become
from .program import run as _run

_STATS = ("Count", "Average", "Max", "Min", "Range", "Median", "Sum", "First")
_ACROSS = ("core", "device", "ops", "dispatch_ops")
_TIMED = ("adjacent", "session_first_last", "op_first_last", "op_core_first_last", "sum")
_EVENTS = ("TS_EVENT", "TS_DATA")


def extract_device_info(logPath):  # pylint: disable=invalid-name
    """Architecture, clock in MHz and number of compute cores, of the first line."""
    with open(logPath, encoding="utf-8", errors="replace") as log:
        line = log.readline()
    if "Chip clock is at " in line:  # of 2023
        return "grayskull", 1200, None
    if "ARCH" not in line:
        raise ValueError(f"{logPath}: its first line does not say of which chip it is")
    arch, freq, cores = (cell.rsplit(":", 1)[-1].strip() for cell in line.split(",")[:3])
    return arch, int(freq), int(cores)


def _data(path, analyses, detect):
    with open(path, "rb"):  # who names a file that is not there gets the usual error
        pass
    with tempfile.NamedTemporaryFile("w", suffix=".json", prefix="ttprof-analyses.") as file:
        json.dump(analyses, file)
        file.flush()
        words = ["__device_data", "--analyses", file.name, *([] if detect else ["--no-op-detection"]), os.fspath(path)]
        return json.loads(_run("ttprof", *words, stdout=subprocess.PIPE).stdout)


class _Log:
    """Markers by their numbers, and series of them as lists of tuples."""

    def __init__(self, data, analyses):
        meta = dict(zip(data["meta"][::2], data["meta"][1::2]))
        words = data["words"]
        self.analyses = analyses
        self.riscs = data["riscs"]
        self.time, self.risc = data["time"], data["risc"]
        self.ids = [{"id": w[0], "zone_name": w[1], "type": w[2], "src_line": w[3], "src_file": w[4],
                     "run_host_id": run, "trace_id": trace, "trace_id_count": session, "meta_data": ""}
                    for w, run, trace, session in zip([words[n] for n in data["word"]], data["run"], data["trace"], data["session"])]
        for n, text in meta.items():
            self.ids[n]["meta_data"] = text
        self.plain = list(zip(self.ids, data["time"], data["data"]))
        self.of_core = []  # with the RISC
        self.core = []

    def whole(self, cores):
        """Also with RISC and core, for the series of a device and its cores."""
        names = [self.riscs[r] for r in self.risc]
        self.of_core = [m + (risc,) for m, risc in zip(self.plain, names)]
        self.core = [None] * len(self.plain)
        for core in cores:
            at = (core["x"], core["y"])
            for n in core["timeseries"]:
                self.core[n] = at

    def entry(self, analysis, entry):
        took, start, end, start_iteration, end_iteration = entry
        if start is None:  # a sum
            return {"duration_type": analysis["marker"], "duration_cycles": took}
        made = {"start_cycle": self.time[start], "end_cycle": self.time[end],
                "duration_type": (self.ids[start], self.ids[end]), "duration_cycles": took}
        if analysis["type"] == "adjacent":
            made["end_iter_mark"] = self.mark(end_iteration)
            made["start_iter_mark"] = self.mark(start_iteration)
        return made

    def mark(self, n):
        return None if n is None else (self.ids[n], self.time[n])

    def results(self, found):
        made = {}
        for result in found:
            analysis = self.analyses[result["name"]]
            made[result["name"]] = {"analysis": analysis, "stats": dict(zip(_STATS, result["stats"])),
                                    "series": [self.entry(analysis, e) for e in result["series"]]}
        return made

    def series(self, of, take):
        made = {"timeseries": take(of["timeseries"])}
        if "analysis" in of:
            made["analysis"] = self.results(of["analysis"])
        return made

    def device_series(self, numbers):
        return [self.of_core[n] + (self.core[n],) for n in numbers]

    def core_series(self, numbers):
        return [self.of_core[n] for n in numbers]

    def risc_series(self, numbers):
        return [self.plain[n] for n in numbers]


def _add_events(series, analyses, across):
    """Markers of data and events of a RISC, by name; and an empty dictionary where other analyses looked."""
    looked = [(name, a) for name, a in sorted(analyses.items()) if a["across"] == across]
    for name, analysis in looked:
        events = series.setdefault("events", {})
        if analysis["type"] == "event":
            risc = analysis["marker"]["risc"]
            events[name] = [m for m in series["timeseries"] if m[0]["type"] in _EVENTS and risc in ("ANY", m[3])]


def _core(log, core, take, take_risc):
    riscs = {log.riscs[r["risc"]]: {"timeseries": take_risc(r["timeseries"])} for r in core["riscs"]}
    riscs["TENSIX"] = {**log.series(core, take), "ops": [log.series(op, take) for op in core["ops"]]}
    return riscs


def _device(log, device):
    log.whole(device["cores"])
    cores = {}
    for core in device["cores"]:
        cores[(core["x"], core["y"])] = made = {"riscs": _core(log, core, log.core_series, log.risc_series)}
        _add_events(made["riscs"]["TENSIX"], log.analyses, "core")

    def take_risc(numbers):
        return [log.plain[n] + (log.core[n],) for n in numbers]

    riscs = _core(log, device["device"], log.device_series, take_risc)
    riscs["TENSIX"]["dispatch_ops"] = [log.series(op, log.core_series) for op in device["device"]["dispatch_ops"]]
    _add_events(riscs["TENSIX"], log.analyses, "device")
    for op in riscs["TENSIX"]["ops"]:
        _add_events(op, log.analyses, "ops")
    cores["DEVICE"] = {"riscs": riscs}
    summary = {s["name"]: {"analysis": log.analyses[s["name"]], "stats": dict(zip(_STATS, s["stats"]))} for s in device["summary"]}
    if summary:
        cores["DEVICE"]["analysis"] = summary
    return {"cores": cores}


def _whole(data, devices):
    return {"devices": devices, "deviceInfo": {key: data[key] for key in ("arch", "freq", "max_compute_cores")}}


def import_device_profile_log(logPath):  # pylint: disable=invalid-name
    """The markers of a log, by device, core and RISC, in the order of time."""
    data = _data(logPath, {}, False)
    log = _Log(data, {})
    return _whole(data, {device["id"]: {"cores": {(core["x"], core["y"]): {"riscs": {
        log.riscs[r["risc"]]: {"timeseries": log.risc_series(r["timeseries"])} for r in core["riscs"]}} for core in device["cores"]}}
                         for device in data["devices"]})


def import_log_run_stats(setup=None):
    """The same, also for whole cores and devices, with ops and with what the setup's analyses find."""
    setup = setup or device_post_proc_config.default_setup()
    analyses = {name: a for name, a in setup.timerAnalysis.items() if a["across"] in _ACROSS}
    timed = {name: a for name, a in analyses.items() if a["type"] in _TIMED}
    data = _data(setup.deviceInputLog, timed, setup.detectOps)
    log = _Log(data, analyses)
    return _whole(data, {device["id"]: _device(log, device) for device in data["devices"]})


def main():
    return _become("process_device_log", *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
