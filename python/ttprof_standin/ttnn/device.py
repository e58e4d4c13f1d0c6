# SPDX-License-Identifier: Apache-2.0
"""Devices of the stand-in: embedded chips, or what TTP_DEVICE names."""
import atexit
import collections
import ctypes

from .library import LOCK, DevInfo, library
from .wanted import whole

CoreGrid = collections.namedtuple("CoreGrid", "y x")
CoreCoord = collections.namedtuple("CoreCoord", "x y")

DEVICES_MAX = 32


class MeshShape(tuple):
    """MeshShape(1, 2) or MeshShape([1, 2])."""

    def __new__(cls, *sides):
        if len(sides) == 1 and not isinstance(sides[0], int):
            sides = tuple(sides[0])
        return super().__new__(cls, (whole("a side of a mesh", s, 1, DEVICES_MAX) for s in sides))


_OPEN = []  # in the order in which they were opened


class Device:
    """One chip, or a mesh of them that all do the same: a tensor is on each."""

    def __init__(self, ids, shape):
        self.shape = shape
        self.programs = {}  # see program.py
        self.traces = {}
        self._ids = list(ids)
        self.handles = []
        with LOCK:
            try:
                for number in self._ids:
                    self.handles.append(library().dev_open(number, None))
            except RuntimeError:
                self.close()
                raise
            self.info = DevInfo()
            library().dev_info(self.handles[0], ctypes.byref(self.info), ctypes.sizeof(self.info))
            _OPEN.append(self)

    def close(self):
        with LOCK:
            self.programs, self.traces = {}, {}
            if self in _OPEN:
                _OPEN.remove(self)
            problem = None
            while self.handles:
                try:
                    library().dev_close(self.handles.pop())
                except RuntimeError as e:
                    problem = e
            if problem:
                raise problem

    def check(self):
        if not self.handles:
            raise RuntimeError("ttnn: the device is closed")

    def id(self):
        return self._ids[0]

    def get_device_ids(self):
        return list(self._ids)

    def get_num_devices(self):
        return len(self._ids)

    def arch(self):
        return self.info.arch.decode()

    @property
    def core_grid(self):
        return CoreGrid(self.info.grid_y, self.info.grid_x)

    def compute_with_storage_grid_size(self):
        return CoreCoord(self.info.grid_x, self.info.grid_y)

    def enable_program_cache(self):
        """It is always on."""

    def disable_and_clear_program_cache(self):
        with LOCK:
            self.programs = {}

    def num_program_cache_entries(self):
        return len(self.programs)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
        return False

    def __repr__(self):
        return f"<stand-in device {self._ids}, {'open' if self.handles else 'closed'}>"


def open_device(device_id=0, **_):
    return Device([whole("device_id", device_id, 0, DEVICES_MAX - 1)], MeshShape(1, 1))


def open_mesh_device(mesh_shape=None, l1_small_size=None, trace_region_size=None, num_command_queues=None,
                     dispatch_core_config=None, *, physical_device_ids=None, **_):
    """As many chips as the shape has; without one, or with `...`: one."""
    shape = MeshShape(1, 1) if mesh_shape is None or mesh_shape is Ellipsis else MeshShape(mesh_shape)
    count = 1
    for side in shape:
        count *= side
    if not shape or count > DEVICES_MAX:
        raise ValueError(f"ttnn: a mesh of {count if shape else 0} devices; the stand-in opens 1 to {DEVICES_MAX}")
    ids = [whole("physical_device_ids", n, 0, DEVICES_MAX - 1) for n in physical_device_ids or range(count)]
    if len(ids) != count or len(set(ids)) != count:
        raise ValueError(f"ttnn: physical_device_ids {ids} for a mesh of {count} devices")
    return Device(ids, shape)


def close_device(device):
    device.close()


close_mesh_device = close_device


def synchronize_device(device, cq_id=None, sub_device_ids=None, **_):
    device.check()
    with LOCK:
        for handle in device.handles:
            library().finish(handle)


def ReadDeviceProfiler(device=None, **_):  # pylint: disable=invalid-name
    """Adds what was recorded so far to the log; a device or None for all that are open."""
    with LOCK:
        for one in [device] if device is not None else list(_OPEN):
            one.check()
            for handle in one.handles:
                library().dev_read_profiler(handle)


def GetDefaultDevice():  # pylint: disable=invalid-name
    return _OPEN[-1] if _OPEN else None


def SetDefaultDevice(device):  # pylint: disable=invalid-name
    if device in _OPEN:
        _OPEN.remove(device)
        _OPEN.append(device)


def get_num_devices():
    return 1


GetNumAvailableDevices = get_num_devices


def _trace(device, trace_id):
    if trace_id not in device.traces:
        raise ValueError(f"ttnn: trace_id {trace_id!r}: begin_trace_capture() of this device gave {list(device.traces) or 'none'}")
    return device.traces[trace_id]


def begin_trace_capture(device, cq_id=0, **_):
    """What is called until end_trace_capture() is kept, not run."""
    device.check()
    with LOCK:
        number = len(device.traces)
        device.traces[number] = [library().trace_begin(handle) for handle in device.handles]
    return number


def end_trace_capture(device, trace_id, cq_id=0, **_):
    with LOCK:
        for trace in _trace(device, trace_id):
            library().trace_end(trace)


def execute_trace(device, trace_id, cq_id=0, blocking=True, **_):
    with LOCK:
        for trace in _trace(device, trace_id):
            library().trace_replay(trace)
        if blocking:
            synchronize_device(device)


def release_trace(device, trace_id, **_):
    with LOCK:
        _trace(device, trace_id)
        for trace in device.traces.pop(trace_id):
            library().trace_release(trace)


@atexit.register
def _close_all():
    # A program that forgets to close loses nothing of what its device recorded.
    while _OPEN:
        try:
            _OPEN[-1].close()
        except RuntimeError as e:
            print(e)
