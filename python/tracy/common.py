# SPDX-License-Identifier: Apache-2.0
"""Names of files and folders of a profiled run, as tt-metal's programs import them."""
import os
import shutil
from pathlib import Path

from .program import find as _find

TT_METAL_HOME = Path(os.environ.get("TT_METAL_HOME") or Path.cwd())
PROFILER_SCRIPTS_ROOT = TT_METAL_HOME / "tools/tracy"

TRACY_CAPTURE_TOOL = "tracy-capture"
TRACY_CSVEXPROT_TOOL = "tracy-csvexport"  # the name that programs import
TRACY_FILE_NAME = "tracy_profile_log_host.tracy"
TRACY_OPS_TIMES_FILE_NAME = "tracy_ops_times.csv"
TRACY_OPS_DATA_FILE_NAME = "tracy_ops_data.csv"
TRACY_MODULE_PATH = TT_METAL_HOME / "tt_metal/third_party/tracy"

PROFILER_DEVICE_SIDE_LOG = "profile_log_device.csv"
PROFILER_HOST_SIDE_LOG = "profile_log_host.csv"
PROFILER_HOST_DEVICE_SYNC_INFO = "sync_device_info.csv"
PROFILER_CPP_DEVICE_PERF_REPORT = "cpp_device_perf_report.csv"
PROFILER_DEFAULT_OP_SUPPORT_COUNT = 1000

PROFILER_WASM_DIR = TT_METAL_HOME / "build/profiler/build_wasm"
PROFILER_WASM_TRACES_DIR = PROFILER_WASM_DIR / "traces"
PROFILER_WASM_TRACE_FILE_NAME = "embed.tracy"


def resolve_tracy_tool_path(bin_folder, tool_name):
    """The tool in that folder; None where there is none."""
    path = Path(bin_folder) / tool_name
    return path if path.is_file() else None


def _tools_folder():
    """Where the runtime's build has the tools, or else ttprof, which goes by their names as well."""
    built = TT_METAL_HOME / "build/tools/profiler/bin"
    program = _find()
    if resolve_tracy_tool_path(built, TRACY_CAPTURE_TOOL) or program is None:
        return built
    return Path(program).parent


PROFILER_BIN_DIR = _tools_folder()


def generate_logs_folder(outFolder):  # pylint: disable=invalid-name
    return Path(outFolder, ".logs")


def generate_reports_folder(outFolder):  # pylint: disable=invalid-name
    return Path(outFolder, "reports")


PROFILER_ARTIFACTS_DIR = Path(os.environ["TT_METAL_PROFILER_DIR"]) if "TT_METAL_PROFILER_DIR" in os.environ else TT_METAL_HOME / "generated/profiler"
PROFILER_LOGS_DIR = generate_logs_folder(PROFILER_ARTIFACTS_DIR)
PROFILER_OUTPUT_DIR = generate_reports_folder(PROFILER_ARTIFACTS_DIR)


def rm(path):
    """Removes a file, a link or a folder, if it is there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def clear_profiler_runtime_artifacts():
    """Removes logs and reports of all earlier runs."""
    rm(PROFILER_ARTIFACTS_DIR)
