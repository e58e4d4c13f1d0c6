# SPDX-License-Identifier: Apache-2.0
"""An op on the device: a program of a reader, a compute kernel and a writer on as many cores as there is work for.

Programs are kept by what they are made of, so an op that ran before with the same shapes only gets new addresses.
"""
import os
import struct
import threading

from . import asked
from .library import LOCK, Cores, library, text, words

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "")
DEVICE, CPU, FALLBACK = range(3)  # enum ttp_op_type
_DATA, _COMPUTE = {"read": 1, "write": 0}, 5  # enum ttp_processor
_LOCAL_BYTES = 4 * 32 * 32
_WAITING = threading.local()  # meta data for the next op


def bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


class Op:
    """What to run; see run()."""

    def __init__(self, code, compute, units, out, **attributes):
        self.code, self.compute, self.units, self.out, self.attributes = code, compute, units, out, attributes
        self.inputs = []  # (tensor, buffer, tiles of a unit, once)
        self.shown = []  # what reports show beside those
        self.defines, self.locals, self.fidelity = {}, [], asked.fidelity()
        self.reader = None  # (kernel, arguments): another one than read.c
        self.out_tiles = 1  # of a unit
        self.grid = (out.high, out.wide)  # units per matrix
        self.scale = None  # (buffer, number)
        self.args = []  # of the compute kernel

    def input(self, tensor, cb, tiles=1, once=False, shown=True):
        self.inputs.append((tensor, cb, tiles, once))
        if shown:
            self.shown.append(tensor)

    def buffers(self):
        """(number, pages, bytes of a page) of all circular buffers; twice what a unit needs, so that one is brought meanwhile."""
        for tensor, cb, tiles, once in self.inputs:
            yield cb, tiles if once else 2 * tiles, tensor.page_bytes
        yield 16, 2 * self.out_tiles, self.out.page_bytes
        for cb, pages in self.locals:
            yield cb, pages, _LOCAL_BYTES
        if self.scale:
            yield self.scale[0], 1, _LOCAL_BYTES

    def key(self):
        return (self.compute, self.reader and self.reader[0], tuple(sorted(self.defines.items())), self.units, self.fidelity,
                tuple(self.buffers()), self.has_l1())

    def has_l1(self):
        return self.out.in_l1 or any(i[0].in_l1 for i in self.inputs)

    def read_args(self, which):
        if self.reader:
            return self.reader[1](which)
        cb, number = self.scale or (32, 0.0)
        args = [len(self.inputs), *self.grid, cb, bits(number)]
        for tensor, cb, tiles, once in self.inputs:
            args += [cb, address(tensor, which), tiles, tensor.batch, tensor.high, tensor.wide, int(once)]
        return args


def address(tensor, which):
    """Bit 0 is free, and means L1 (kernels/pages.h)."""
    return library().buffer_address(tensor.buffers[which]) | int(tensor.in_l1)


class _Program:
    def __init__(self, device, which, op):
        lib, handle = library(), device.handles[which]
        wide, high = device.info.grid_x, device.info.grid_y
        cores = min(op.units, wide * high)
        # The first cores, row by row: at most two rectangles.
        parts = []
        if cores // wide:
            parts.append(Cores(0, 0, wide - 1, cores // wide - 1))
        if cores % wide:
            parts.append(Cores(0, cores // wide, cores % wide - 1, cores // wide))
        where = (Cores * len(parts))(*parts), len(parts)
        self.handle = lib.program_new(handle)
        for cb, pages, size in op.buffers():
            lib.program_cb(self.handle, cb, pages, size, None, *where)
        self.kernels = {}
        for name, file in (("read", op.reader[0] if op.reader else "read.c"), ("write", "write.c")):
            kernel = lib.program_kernel(self.handle, text(KERNELS + file), _DATA[name], *where)
            # NoC 0 is the better one for reads of DRAM, NoC 1 for writes.
            lib.kernel_noc(kernel, 0 if name == "read" else 1)
            if op.has_l1():
                lib.kernel_define(kernel, b"L1_TENSORS", b"1")
            self.kernels[name] = kernel
        self.kernels["compute"] = kernel = lib.program_kernel(self.handle, text(KERNELS + op.compute), _COMPUTE, *where)
        lib.kernel_include(kernel, text(KERNELS))
        lib.kernel_fidelity(kernel, op.fidelity)
        for name, value in op.defines.items():
            lib.kernel_define(kernel, text(name), text(value))
        first = 0
        for core in range(cores):
            mine = words([first, op.units // cores + (core < op.units % cores)])
            for kernel in self.kernels.values():
                lib.kernel_args(kernel, core % wide, core // wide, mine, 2)
            first += mine[1]
        self.cores = cores

    def run(self, op, which):
        lib = library()
        for name, args in (("read", op.read_args(which)), ("write", [address(op.out, which), op.out_tiles]),
                           ("compute", op.args)):
            if args:
                lib.kernel_common_args(self.kernels[name], words(args), len(args))
        lib.enqueue(self.handle)


def _describe(meta, tensors, add):
    lib = library()
    for tensor, which in tensors:
        handle = lib.tensor_new(tensor.buffers[which] if tensor.on_device else None, words(tensor.shape or (1,)),
                                max(len(tensor.shape), 1), tensor.layout.value, tensor.dtype.value)
        try:
            add(meta, handle)
        finally:
            lib.tensor_free(handle)


def _attributes(meta, attributes):
    for name, value in attributes.items():
        library().op_attribute(meta, text(name), text(value))
    for line in _WAITING.__dict__.pop("texts", ()):
        library().op_meta_data(meta, text(line))


def meta_data(line):
    """For the op that runs on this thread, or else the next one."""
    current = library().op_current()
    if current:
        library().op_meta_data(current, text(line))
    else:
        _WAITING.__dict__.setdefault("texts", []).append(str(line))


def run(op):
    """On every chip of the device; the result."""
    lib, device = library(), op.out.device()
    device.check()
    number = None  # of the op on the first chip: as with ttnn, all have it
    with LOCK:
        for which, handle in enumerate(device.handles):
            meta = lib.op_begin(text(op.code), DEVICE, handle)
            try:
                key = (which, op.key())
                program = device.programs.get(key)
                if program is None:
                    program = device.programs[key] = _Program(device, which, op)
                if number is not None:
                    lib.program_set_id(program.handle, number, False)
                lib.op_program(meta, program.handle)
                number = lib.op_id(meta) >> 10 & 0x1FFFFF
                _attributes(meta, op.attributes)
                _describe(meta, [(t, which) for t in op.shown], lib.op_input)
                _describe(meta, [(op.out, which)], lib.op_output)
                lib.op_parallelization(meta, b"MULTI_CORE" if program.cores > 1 else b"SINGLE_CORE")
                program.run(op, which)
            finally:
                lib.op_end(meta)
    return op.out


class on_host:  # pylint: disable=invalid-name
    """An op that runs here: `with on_host(...) as results:`, append its results to that list."""

    def __init__(self, code, *tensors, kind=FALLBACK, **attributes):
        self.code, self.tensors, self.kind, self.attributes, self.results = code, tensors, kind, attributes, []

    def __enter__(self):
        self.meta = library().op_begin(text(self.code), self.kind, None)
        _attributes(self.meta, self.attributes)
        return self.results

    def __exit__(self, *exception):
        lib = library()
        try:
            _describe(self.meta, [(t, 0) for t in self.tensors], lib.op_input)
            _describe(self.meta, [(t, 0) for t in self.results], lib.op_output)
        finally:
            lib.op_end(self.meta)
        return False
