# SPDX-License-Identifier: Apache-2.0
"""What is looked for in a device log: classes default_setup, test_noc and so on, with the analyses that ttprof knows.

A program takes one, changes `timerAnalysis` or `deviceInputLog`, and gives it to process_device_log.import_log_run_stats().
"""
from . import common
from .merge_meta_class import MergeMetaclass
from .program import facts


def _make(into):
    known = facts()
    base = MergeMetaclass("default_setup", (), {
        "__module__": __name__,
        "riscs": known["riscs"], "riscTypes": known["riscTypes"], "displayStats": known["displayStats"],
        "timerAnalysis": known["timerAnalysis"], "detectOps": True,
        "outputFolder": known["outputFolder"],
        "deviceInputLog": f"{common.PROFILER_LOGS_DIR}/{common.PROFILER_DEVICE_SIDE_LOG}",
        "deviceAnalysisData": "device_analysis_data.json", "deviceStatsTXT": "device_stats.txt", "deviceTarball": "device_perf_results.tgz"})
    into["default_setup"] = base
    for setup in known["setups"]:
        if setup["name"] != "default_setup":
            into[setup["name"]] = MergeMetaclass(setup["name"], (base,), {
                "__module__": __name__, "timerAnalysis": setup["timerAnalysis"], "detectOps": setup["detectOps"]})


_make(globals())
