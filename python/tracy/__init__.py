# SPDX-License-Identifier: Apache-2.0
"""ttprof under the name that tt-metal's users know: `from tracy import signpost, Profiler`, `python -m tracy`.

Its modules have the names of tt-metal's tools/tracy, for programs that import them; ttprof does the work.  What a real tracy package
further along the path has and this one lacks is found there.
"""
from pkgutil import extend_path

from ttprof import Profiler, message, plot, read_device_profiler, signpost, zone
from ttprof.backend import frame

from . import tracy_state

__path__ = extend_path(__path__, __name__)
_MODULES = ("common", "compare_ops_logs", "device_post_proc_config", "process_device_log", "process_model_log", "process_ops_logs")
_OF_COMMON = ("PROFILER_ARTIFACTS_DIR", "PROFILER_BIN_DIR", "PROFILER_LOGS_DIR", "PROFILER_SCRIPTS_ROOT", "PROFILER_WASM_DIR",
              "PROFILER_WASM_TRACES_DIR", "PROFILER_WASM_TRACE_FILE_NAME", "TRACY_CAPTURE_TOOL", "TRACY_CSVEXPROT_TOOL", "TRACY_FILE_NAME",
              "TRACY_MODULE_PATH", "TRACY_OPS_DATA_FILE_NAME", "TRACY_OPS_TIMES_FILE_NAME", "TT_METAL_HOME", "generate_logs_folder",
              "resolve_tracy_tool_path")
__all__ = ["Profiler", "frame", "message", "plot", "read_device_profiler", "signpost", "tracy_state", "zone", "process_ops", *_MODULES, *_OF_COMMON]


def __getattr__(name):
    """`import tracy` alone is cheap: a model's signposts need no more.  The rest comes when it is asked for."""
    from importlib import import_module  # pylint: disable=import-outside-toplevel

    if name in _MODULES:
        return import_module("." + name, __name__)
    if name in _OF_COMMON:
        return getattr(import_module(".common", __name__), name)
    if name == "process_ops":
        return import_module(".process_ops_logs", __name__).process_ops
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
