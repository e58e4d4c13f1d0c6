# SPDX-License-Identifier: Apache-2.0
"""Tensors of the stand-in: on the host an array of fp32, on the device tiles of bf16 or fp32 in DRAM or L1."""
import array
import ctypes
import enum
import random
import warnings

from . import asked, device as devices
from .library import LOCK, _client, library
from .wanted import instance, shape_of

TILE_SIZE = 32


class DataType(enum.Enum):
    BFLOAT16, FLOAT32, UINT32, BFLOAT8_B, BFLOAT4_B, UINT8, UINT16, INT32 = range(8)


class Layout(enum.Enum):
    ROW_MAJOR, TILE = range(2)


class BufferType(enum.Enum):
    DRAM, L1 = range(2)


class TensorMemoryLayout(enum.Enum):
    INTERLEAVED, SINGLE_BANK, HEIGHT_SHARDED, WIDTH_SHARDED, BLOCK_SHARDED = range(5)


class MemoryConfig:
    """Where a tensor lies: in DRAM or L1, interleaved; shardings are accepted, and not made."""

    def __init__(self, memory_layout=TensorMemoryLayout.INTERLEAVED, buffer_type=BufferType.DRAM, *_, **__):
        self.memory_layout = instance("memory_layout", memory_layout, TensorMemoryLayout, "a TensorMemoryLayout")
        self.buffer_type = instance("buffer_type", buffer_type, BufferType, "a BufferType")


class Shape(tuple):
    def __new__(cls, sides=()):
        return super().__new__(cls, shape_of(sides))

    @property
    def rank(self):
        return len(self)

    def __repr__(self):
        return f"Shape({list(self)})"


def _volume(shape):
    n = 1
    for side in shape:
        n *= side
    return n


def _kept_as(dtype):
    if dtype in (DataType.BFLOAT8_B, DataType.BFLOAT4_B):
        warnings.warn(f"ttnn: the stand-in has bfloat16 and float32: {dtype.name} is kept as bfloat16", stacklevel=4)
        return DataType.BFLOAT16
    return dtype


class Tensor:
    """Tensor(values, shape, dtype, layout, device), or from_torch() and its like."""

    def __init__(self, values=None, shape=None, dtype=DataType.BFLOAT16, layout=None, device=None, *_, **__):
        if values is not None and shape is None:
            values, shape = flatten(values)
        self.buffers = []  # for __del__, should anything of this be wrong
        self.shape = Shape(() if shape is None else shape)
        self.dtype = _kept_as(instance("dtype", dtype, DataType, "a DataType, such as ttnn.bfloat16,") or DataType.BFLOAT16)
        self.layout = instance("layout", layout, Layout, "a Layout, such as ttnn.TILE_LAYOUT,") or Layout.ROW_MAJOR
        instance("device", device, devices.Device, "a device")
        self.in_l1 = asked.in_l1()
        self.values = values if isinstance(values, array.array) or values is None else array.array("f", values)
        if self.values is not None and len(self.values) != _volume(self.shape):
            raise ValueError(f"ttnn: {len(self.values)} values for a tensor of shape {list(self.shape)}")
        self.clean = True  # what is missing to whole tiles is 0
        self._device, self.buffers = None, []
        if device is not None:
            self.put(device)

    # ---- as tiles see it: matrices, one after the other

    @property
    def columns(self):
        return self.shape[-1] if self.shape else 1

    @property
    def rows(self):
        return self.shape[-2] if len(self.shape) > 1 else 1

    @property
    def batch(self):
        return _volume(self.shape[:-2])

    @property
    def high(self):
        return -(-self.rows // TILE_SIZE)

    @property
    def wide(self):
        return -(-self.columns // TILE_SIZE)

    @property
    def tiles(self):
        return self.batch * self.high * self.wide

    @property
    def value_bytes(self):
        return 4 if self.dtype is DataType.FLOAT32 else 2

    @property
    def page_bytes(self):
        return TILE_SIZE * TILE_SIZE * self.value_bytes

    @property
    def padded_shape(self):
        if self.layout is not Layout.TILE or not self.shape:
            return self.shape
        sides = list(self.shape) if len(self.shape) > 1 else [1, *self.shape]
        sides[-2:] = self.high * TILE_SIZE, self.wide * TILE_SIZE
        return Shape(sides)

    # ---- on a device

    @property
    def on_device(self):
        return bool(self.buffers)

    def allocate(self, device):
        """Room on the device, with nothing in it."""
        device.check()
        if self.dtype not in (DataType.BFLOAT16, DataType.FLOAT32):
            raise TypeError(f"ttnn: the stand-in computes with bfloat16 and float32, not {self.dtype.name}")
        if not self.tiles:
            raise ValueError(f"ttnn: a tensor of shape {list(self.shape)} has nothing to compute with")
        self._device, self.layout = device, Layout.TILE
        with LOCK:
            for handle in device.handles:
                self.buffers.append(library().buffer_new(handle, int(self.in_l1), self.tiles * self.page_bytes, self.page_bytes))
        return self

    def put(self, device):
        """Moves host values to the device.  Whole numbers (indices) stay where they are: only ops on the host take them."""
        if self.dtype not in (DataType.BFLOAT16, DataType.FLOAT32):
            self._device = device
            return self
        raw = _client.pack_tiles(self.values, self.batch, self.rows, self.columns, self.value_bytes)
        self.allocate(device)
        with LOCK:
            for buffer in self.buffers:
                library().buffer_write(buffer, 0, raw, len(raw))
        self.values, self.clean = None, True
        return self

    def get(self):
        """The values, as an array of fp32."""
        if self.values is not None:
            return self.values
        if not self.on_device:
            raise RuntimeError("ttnn: the tensor was deallocated")
        self._device.check()
        raw = ctypes.create_string_buffer(self.tiles * self.page_bytes)
        with LOCK:
            library().buffer_read(self.buffers[0], 0, raw, len(raw))
        values = array.array("f")
        values.frombytes(_client.unpack_tiles(raw, self.batch, self.rows, self.columns, self.value_bytes))
        return values

    def free(self):
        with LOCK:
            # What belongs to a device went with it.
            if self._device is not None and self._device.handles:
                for buffer in self.buffers:
                    library().buffer_free(buffer)
            self.buffers = []

    def __del__(self):
        if getattr(self, "buffers", None):
            self.free()

    # ---- what ttnn's tensors have

    def device(self):
        return self._device

    def storage_type(self):
        return "DEVICE" if self.on_device else "HOST"

    def memory_config(self):
        return MemoryConfig(buffer_type=BufferType.L1 if self.in_l1 else BufferType.DRAM)

    def is_allocated(self):
        return self.on_device or self.values is not None

    def to(self, where, *_, **__):
        return to_device(self, where) if isinstance(where, devices.Device) else to_layout(self, where)

    def cpu(self, *_, **__):
        return from_device(self)

    def deallocate(self, *_):
        deallocate(self)

    def to_list(self):
        values = self.get().tolist()
        if self.dtype not in (DataType.BFLOAT16, DataType.FLOAT32):
            values = [int(v) for v in values]
        for side in reversed(self.shape[1:]):
            values = [values[i:i + side] for i in range(0, len(values), side)] if side else []
        return values if self.shape else values[0]

    def to_torch(self):
        return to_torch(self)

    def item(self):
        if _volume(self.shape) != 1:
            raise ValueError(f"ttnn: item() of a tensor of shape {list(self.shape)}")
        return self.get()[0]

    def __repr__(self):
        where = repr(self._device) if self.on_device else "host"
        return f"ttnn.Tensor(shape={list(self.shape)}, dtype={self.dtype.name}, layout={self.layout.name}, {where})"


def _number(value):
    if isinstance(value, (list, tuple)):
        raise ValueError("ttnn: lists of different lengths are no tensor")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as e:
        raise TypeError(f"ttnn: a tensor has numbers, not {type(value).__name__} {value!r}"[:200]) from e


def flatten(values):
    """Values and shape of numbers in lists, or of anything with a shape and tolist() (torch, numpy)."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = values.float() if values.is_floating_point() else values
    if hasattr(values, "tolist") and hasattr(values, "shape"):
        values = values.tolist()
    shape, at = [], values
    while isinstance(at, (list, tuple)):
        shape.append(len(at))
        at = at[0] if at else None
    flat = array.array("f")

    def walk(part, depth):
        if depth == len(shape):
            flat.append(_number(part))
        elif not isinstance(part, (list, tuple)) or len(part) != shape[depth]:
            raise ValueError("ttnn: lists of different lengths are no tensor")
        elif depth == len(shape) - 1:
            flat.extend(map(_number, part))
        else:
            for one in part:
                walk(one, depth + 1)

    walk(values, 0)
    return flat, Shape(shape)


def from_torch(tensor, dtype=None, *, layout=None, device=None, memory_config=None, mesh_mapper=None, **_):
    """Of a torch tensor, a numpy array, or lists of numbers."""
    name = str(getattr(tensor, "dtype", ""))
    values, shape = flatten(tensor)
    if dtype is None:
        dtype = (DataType.FLOAT32 if "float32" in name else DataType.INT32 if "int" in name else DataType.BFLOAT16)
    return Tensor(values, shape, dtype, layout, device)


def to_torch(tensor, dtype=None, **_):
    try:
        import torch
    except ImportError as e:
        raise ImportError("ttnn: to_torch() needs torch; tensor.to_list() does not") from e
    kinds = {DataType.BFLOAT16: torch.bfloat16, DataType.FLOAT32: torch.float32}
    return torch.tensor(tensor.get()).reshape(tuple(tensor.shape)).to(kinds.get(tensor.dtype, torch.int64))


def to_device(tensor, device, memory_config=None, **_):
    if tensor.on_device and tensor.device() is device:
        return tensor
    return Tensor(array.array("f", tensor.get()), tensor.shape, tensor.dtype, tensor.layout, device)


def from_device(tensor, **_):
    return Tensor(array.array("f", tensor.get()), tensor.shape, tensor.dtype, tensor.layout)


def to_layout(tensor, layout, dtype=None, memory_config=None, **_):
    """On the device, tensors are tiled."""
    instance("layout", layout, Layout, "a Layout, such as ttnn.TILE_LAYOUT,")
    if not tensor.on_device and layout is not None:
        tensor.layout = layout
    return tensor


def deallocate(tensor, force=True):
    tensor.free()
    tensor.values = None


def to_list(tensor):
    return tensor.to_list()


def full(shape, fill_value, dtype=DataType.BFLOAT16, layout=None, device=None, memory_config=None, **_):
    return Tensor(array.array("f", [_number(fill_value)]) * _volume(Shape(shape)), shape, dtype, layout, device)


def zeros(shape, dtype=DataType.BFLOAT16, layout=None, device=None, memory_config=None, **_):
    return full(shape, 0, dtype, layout, device)


def ones(shape, dtype=DataType.BFLOAT16, layout=None, device=None, memory_config=None, **_):
    return full(shape, 1, dtype, layout, device)


def rand(shape, dtype=DataType.BFLOAT16, layout=None, device=None, memory_config=None, *, low=0.0, high=1.0, seed=0, **_):
    """The same for the same seed."""
    source = random.Random(seed)
    return Tensor(array.array("f", [source.uniform(low, high) for _i in range(_volume(Shape(shape)))]), shape, dtype, layout, device)


def arange(start, end=None, step=1, dtype=DataType.BFLOAT16, layout=None, device=None, **_):
    try:
        numbers = range(start) if end is None else range(start, end, step)
    except (TypeError, ValueError) as e:
        raise type(e)(f"ttnn.arange: {e}") from e
    return Tensor(array.array("f", numbers), [len(numbers)], dtype, layout, device)
