# SPDX-License-Identifier: Apache-2.0
"""ttl.profiler: ops of Python's own, more text for ops, and where logs of 2023 go."""
import enum
import os
import threading

from ttnn import program
from ttnn.library import library, text


class OpType(enum.Enum):
    tt_dnn_device, tt_dnn_cpu, python_fallback = range(3)  # pylint: disable=invalid-name


_OPEN = threading.local()
_FLAG = [True]


def set_profiler_flag(profile):
    """False: start_profiling() and its like do nothing."""
    _FLAG[0] = bool(profile)


def get_profiler_flag():
    return _FLAG[0]


def set_profiler_location(profiler_log_location):
    """Also writes logs of ops as the tools of 2023 had them, to this folder; `process_ops_logs.py -i FOLDER` reads them."""
    folder = os.fspath(profiler_log_location)
    if not os.path.isabs(folder) and os.environ.get("TT_METAL_HOME"):
        folder = os.path.join(os.environ["TT_METAL_HOME"], folder)
    os.makedirs(folder, exist_ok=True)
    library().op_location(text(folder))


def start_profiling(op_name, op_type=OpType.python_fallback):
    """Begins an op that runs on the host."""
    if _FLAG[0]:
        kind = program.CPU if op_type is OpType.tt_dnn_cpu else program.FALLBACK
        _OPEN.__dict__.setdefault("ops", []).append((str(op_name), library().op_begin(text(op_name), kind, None)))


def stop_profiling(op_name, op_type=None):
    """Ends it, and what was begun in it and not ended."""
    ops = _OPEN.__dict__.get("ops", [])
    if not any(name == str(op_name) for name, _ in ops):
        return
    while ops:
        name, op = ops.pop()
        library().op_end(op)
        if name == str(op_name):
            break


def append_meta_data(meta_data):
    """For ATTRIBUTES of the op that runs, or of the next one."""
    if _FLAG[0]:
        program.meta_data(meta_data)


append_input_data = append_output_data = append_meta_data
