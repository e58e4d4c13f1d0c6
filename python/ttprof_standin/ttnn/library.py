# SPDX-License-Identifier: Apache-2.0
"""libttpdev for the stand-in, by ctypes: it needs no compiler for whatever interpreter runs it."""
import ctypes
import os
import threading

try:
    from ttprof import _client
except ImportError:
    _client = None

# A device is used by one thread at a time.
LOCK = threading.RLock()


def _folder():
    """Where libttp was loaded from: libttpdev lies beside it."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as f:
            for line in f:
                path = line.split(maxsplit=5)[-1].strip()
                if os.path.basename(path).startswith("libttp.so"):
                    return os.path.dirname(path)
    except OSError:
        pass
    return None


def _load():
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tried = []
    for folder in (_folder(), os.path.join(package, "ttprof"), os.path.dirname(package), ""):
        if folder is None:
            continue
        path = os.path.join(folder, "libttpdev.so.0")
        try:
            beside = os.path.join(folder, "libttp.so.0")
            if os.path.exists(beside):
                ctypes.CDLL(beside, mode=ctypes.RTLD_GLOBAL)
            return ctypes.CDLL(path)
        except OSError as e:
            tried.append(str(e))
    raise ImportError("ttnn: its stand-in needs libttpdev.so.0 of ttprof, which can't be loaded: " + "; ".join(tried))


class Cores(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("x0", "y0", "x1", "y1")]


class DevInfo(ctypes.Structure):
    _fields_ = [("arch", ctypes.c_char_p), ("driver", ctypes.c_char_p), ("grid_x", ctypes.c_uint32),
                ("grid_y", ctypes.c_uint32), ("dram_banks", ctypes.c_uint32), ("l1_bytes", ctypes.c_uint32),
                ("dram_bank_bytes", ctypes.c_uint64), ("clock_mhz", ctypes.c_double), ("time_kind", ctypes.c_uint32),
                ("profiled", ctypes.c_bool), ("cycles", ctypes.c_uint64)]


_P, _S, _U, _I, _Z = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_size_t
_WORDS, _CORES = ctypes.POINTER(_U), ctypes.POINTER(Cores)
# What each function returns and takes, as in ttp/device.h and ttp/ops.h.  "p": a handle, "i": 0 or -1.
_FUNCTIONS = {
    "ttp_device_error": (_S, ()),
    "ttp_dev_open": (_P, (_I, _S)),
    "ttp_dev_close": (_I, (_P,)),
    "ttp_dev_info": (_I, (_P, ctypes.POINTER(DevInfo), _Z)),
    "ttp_dev_read_profiler": (_I, (_P,)),
    "ttp_finish": (_I, (_P,)),
    "ttp_program_new": (_P, (_P,)),
    "ttp_program_kernel": (_P, (_P, _S, _I, _CORES, _Z)),
    "ttp_kernel_define": (_I, (_P, _S, _S)),
    "ttp_kernel_noc": (_I, (_P, _I)),
    "ttp_kernel_fidelity": (_I, (_P, _I)),
    "ttp_kernel_include": (_I, (_P, _S)),
    "ttp_kernel_args": (_I, (_P, _U, _U, _WORDS, _Z)),
    "ttp_kernel_common_args": (_I, (_P, _WORDS, _Z)),
    "ttp_program_cb": (_I, (_P, _U, _U, _U, _P, _CORES, _Z)),
    "ttp_enqueue": (_I, (_P,)),
    "ttp_buffer_new": (_P, (_P, _I, ctypes.c_uint64, _U)),
    "ttp_buffer_free": (None, (_P,)),
    "ttp_buffer_address": (_U, (_P,)),
    "ttp_buffer_write": (_I, (_P, ctypes.c_uint64, _S, _Z)),
    "ttp_buffer_read": (_I, (_P, ctypes.c_uint64, _P, _Z)),
    "ttp_trace_begin": (_P, (_P,)),
    "ttp_trace_end": (_I, (_P,)),
    "ttp_trace_replay": (_I, (_P,)),
    "ttp_trace_release": (None, (_P,)),
    "ttp_tensor_new": (_P, (_P, _WORDS, _Z, _I, _I)),
    "ttp_tensor_free": (None, (_P,)),
    "ttp_op_begin": (_P, (_S, _I, _P)),
    "ttp_op_end": (_I, (_P,)),
    "ttp_op_current": (_P, ()),
    "ttp_op_id": (_U, (_P,)),
    "ttp_program_set_id": (_I, (_P, _U, ctypes.c_bool)),
    "ttp_op_program": (_I, (_P, _P)),
    "ttp_op_attribute": (_I, (_P, _S, _S)),
    "ttp_op_meta_data": (_I, (_P, _S)),
    "ttp_op_input": (_I, (_P, _P)),
    "ttp_op_output": (_I, (_P, _P)),
    "ttp_op_parallelization": (_I, (_P, _S)),
    "ttp_op_location": (_I, (_S,)),
}
_FAIL = {"ttp_op_current", "ttp_op_id", "ttp_buffer_address", "ttp_device_error"}  # which may return 0 or NULL


class _Library:
    """ttp_NAME as NAME(...): a failure is a RuntimeError with the library's own text."""

    def __init__(self):
        self._so = _load()
        for name, (result, takes) in _FUNCTIONS.items():
            function = getattr(self._so, name)
            function.restype, function.argtypes = result, takes
            setattr(self, name[4:], function if name in _FAIL or result is None else self._checked(function, result))
        if _client is not None:
            self._mark_zones(self.op_begin, self.op_end)

    def _mark_zones(self, begin, end):
        """The zone of an op is open between lines and calls of Python, which would end it in the place of theirs."""

        def op_begin(*args):
            op = begin(*args)
            _client.zone_opened()
            return op

        def op_end(op):
            try:
                return end(op)
            finally:
                _client.zone_closed()

        self.op_begin, self.op_end = op_begin, op_end

    def _checked(self, function, result):
        def call(*args):
            value = function(*args)
            if (value is None) if result is _P else (value != 0):
                raise RuntimeError("ttnn: " + self.device_error().decode("utf-8", "replace"))
            return value

        return call


_LIBRARY = None


def library():
    """Loaded when it is first needed."""
    global _LIBRARY  # pylint: disable=global-statement
    if _LIBRARY is None:
        with LOCK:
            if _LIBRARY is None:
                _LIBRARY = _Library()
    return _LIBRARY


def words(values):
    return (ctypes.c_uint32 * max(len(values), 1))(*values)


def text(value):
    """For the library: UTF-8 without NUL; what can't be that is replaced."""
    return str(value).encode("utf-8", "replace").replace(b"\0", b"\xef\xbf\xbd")
