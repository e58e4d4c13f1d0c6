# SPDX-License-Identifier: Apache-2.0
"""A stand-in for ttnn, for machines without it: the embedded chip runs a few ops, and the profiler records them as ttnn's.

Programs that were written for ttnn run with it, as far as it goes; what it does not have is an AttributeError that says so.
Times are those of the embedded chip's model (docs/explain/sim.md).
"""
import os
import sys

from .asked import MathFidelity, WormholeComputeKernelConfig, init_device_compute_kernel_config
from .device import (CoreCoord, CoreGrid, Device, GetDefaultDevice, GetNumAvailableDevices, MeshShape, ReadDeviceProfiler,
                     SetDefaultDevice, begin_trace_capture, close_device, close_mesh_device, end_trace_capture,
                     execute_trace, get_num_devices, open_device, open_mesh_device, release_trace, synchronize_device)
from .ops import (abs, add, clone, concat, div, divide, embedding, exp, gelu, layer_norm, linear, log, matmul, maximum, mean,
                  mul, multiply, neg, permute, reciprocal, relu, reshape, rms_norm, rsqrt, sigmoid, silu, softmax, sqrt,
                  square, sub, subtract, sum, tanh, to_memory_config, transpose, typecast)
from .tensor import (BufferType, DataType, Layout, MemoryConfig, Shape, Tensor, TensorMemoryLayout, TILE_SIZE, arange,
                     deallocate, from_device, from_torch, full, ones, rand, to_device, to_layout, to_list,
                     to_torch, zeros)
from .tracy import start_tracy_zone, stop_tracy_zone, tracy_frame, tracy_message
from . import device as _device, ops as _ops, tensor as _tensor, wanted as _wanted

TTPROF_STANDS_IN = True
__version__ = "0 (stand-in of ttprof)"

MeshDevice = Device
BlackholeComputeKernelConfig = GrayskullComputeKernelConfig = WormholeComputeKernelConfig
bfloat16, float32, uint32, int32 = DataType.BFLOAT16, DataType.FLOAT32, DataType.UINT32, DataType.INT32
bfloat8_b, bfloat4_b, uint8, uint16 = DataType.BFLOAT8_B, DataType.BFLOAT4_B, DataType.UINT8, DataType.UINT16
ROW_MAJOR_LAYOUT, TILE_LAYOUT = Layout.ROW_MAJOR, Layout.TILE
DRAM_MEMORY_CONFIG = MemoryConfig()
L1_MEMORY_CONFIG = MemoryConfig(buffer_type=BufferType.L1)


def ReplicateTensorToMesh(mesh_device):  # pylint: disable=invalid-name
    """What happens anyway: each chip of a mesh has the whole tensor."""
    return mesh_device


def _is(kind, name):
    return lambda what, value: _wanted.instance(what, value, kind, name)


def _tensor_is_wanted(what, value):
    if not isinstance(value, Tensor):
        raise TypeError(f"{what}: a tensor is wanted, not {type(value).__name__}; ttnn.from_torch() makes one")


def _device_is_wanted(what, value):
    if not isinstance(value, Device):
        raise TypeError(f"{what}: a device is wanted, not {type(value).__name__}; ttnn.open_device(device_id=0) opens one")


_CHECKS = {"input_tensor": _tensor_is_wanted, "tensor": _tensor_is_wanted, "weight": _is(Tensor, "a tensor"), "bias": _is(Tensor, "a tensor"),
           "input_tensor_a": _is((Tensor, int, float), "a tensor or a number"),
           "input_tensor_b": _is((Tensor, int, float), "a tensor or a number"),
           "dtype": _is(DataType, "a DataType, such as ttnn.bfloat16,"), "layout": _is(Layout, "a Layout, such as ttnn.TILE_LAYOUT,"),
           "memory_config": _is(MemoryConfig, "a MemoryConfig, such as ttnn.DRAM_MEMORY_CONFIG,"),
           "compute_kernel_config": _is(WormholeComputeKernelConfig, "a ComputeKernelConfig, such as ttnn.WormholeComputeKernelConfig(),"),
           "device": _is(Device, "a device")}
for _name, _f in list(globals().items()):
    if getattr(_f, "__module__", "") in (_ops.__name__, _tensor.__name__, _device.__name__) and hasattr(_f, "__code__"):
        _own = dict(_CHECKS)
        if _f.__module__ == _device.__name__ and _name not in ("ReadDeviceProfiler", "SetDefaultDevice"):
            _own["device"] = _device_is_wanted
        if _name == "from_torch":
            del _own["tensor"]
        globals()[_name] = _wanted.checked(_f, _own)
del _name, _f, _own


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"ttnn.{name}: this is ttprof's stand-in, for machines without ttnn, and does not have it; it has "
                         + ", ".join(sorted(n for n, f in globals().items() if n.islower() and hasattr(f, "__code__"))))


if os.environ.get("TTPROF_TTNN") != "sim":
    print("ttnn: not installed; ttprof's stand-in on its embedded chip takes its place (TTPROF_TTNN=sim: without this line, "
          "TTPROF_TTNN=0: not at all)", file=sys.stderr)
