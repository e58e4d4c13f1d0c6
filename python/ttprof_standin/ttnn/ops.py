# SPDX-License-Identifier: Apache-2.0
"""Ops of the stand-in.  On the device where the embedded chip has what it takes, else on the host, as a python_fallback op.

Codes and attributes are those that the real ttnn reports, so that reports of both read alike.
"""
import array
import math

from . import asked, program
from .program import Op, bits
from .tensor import DataType, Tensor, TILE_SIZE
from .wanted import dim_of, dims_of, instance, shape_of

# ---- helpers


def _check(*tensors):
    """All on one device."""
    device = None
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"ttnn: a tensor is wanted, not {type(tensor).__name__}")
        if not tensor.on_device:
            raise RuntimeError("ttnn: the tensor is not on a device: ttnn.to_device(tensor, device)")
        if device is not None and tensor.device() is not device:
            raise RuntimeError("ttnn: the tensors are on different devices")
        device = tensor.device()
    asked.like(tensors[0])
    return device


def _out(shape, dtype, device, clean):
    out = Tensor(None, shape, dtype).allocate(device)
    out.clean = clean
    return out


def _padded(tensor):
    return bool(tensor.columns % TILE_SIZE or tensor.rows % TILE_SIZE)


def _cleaned(tensor):
    """The same with zeros where values are missing to whole tiles; some ops leave other numbers there."""
    if tensor.clean or not _padded(tensor):
        return tensor
    with program.on_host("ttnn.fill_implicit_tile_padding", tensor, fill_value=0) as results:
        results.append(Tensor(tensor.get(), tensor.shape, tensor.dtype, tensor.layout, tensor.device()))
    return results[0]


_MASKS = {}  # (device, columns, what) -> tensor


def _mask(device, columns, inside, outside):
    """A tile with one number in the columns that there are, and another one in the rest."""
    key = (id(device), device.id(), columns % TILE_SIZE, outside)
    mask = _MASKS.get(key)
    if mask is None or mask.device() is not device or not device.handles:
        row = [inside] * (columns % TILE_SIZE) + [outside] * (TILE_SIZE - columns % TILE_SIZE)
        mask = _MASKS[key] = Tensor(array.array("f", row * TILE_SIZE), [TILE_SIZE, TILE_SIZE], DataType.FLOAT32, None, device)
    return mask


# ---- one tensor


def _unary_op(x, what, then=None, parameter=0.0, zero_stays=False, gate=False, dtype=None, code="UnaryDeviceOperation",
              **attributes):
    device = _check(x)
    out = _out(x.shape, dtype or x.dtype, device, x.clean and zero_stays)
    op = Op(code, "eltwise.c", x.tiles, out, **(attributes or {"op_chain": f"UnaryOpType::{what}"}))
    op.input(x, 0)
    if then:
        op.defines["THEN"] = "TTP_SFPU_" + then
        op.args = [bits(parameter)]
    if gate:
        op.defines["GATE"] = "1"
    return program.run(op)


def _unary(what, then, zero_stays, gate=False):
    def function(input_tensor, *_, **__):
        return _unary_op(input_tensor, what, then, zero_stays=zero_stays, gate=gate)

    function.__name__ = function.__qualname__ = what.lower()
    function.__doc__ = f"{what.lower()} of each value."
    return function


relu = _unary("RELU", "RELU", True)
gelu = _unary("GELU", "GELU", True)
silu = _unary("SILU", "SIGMOID", True, gate=True)
sigmoid = _unary("SIGMOID", "SIGMOID", False)
tanh = _unary("TANH", "TANH", True)
exp = _unary("EXP", "EXP", False)
log = _unary("LOG", "LOG", False)
sqrt = _unary("SQRT", "SQRT", True)
rsqrt = _unary("RSQRT", "RSQRT", False)
reciprocal = _unary("RECIP", "RECIP", False)
square = _unary("SQUARE", "SQUARE", True)
neg = _unary("NEG", "NEGATE", True)
abs = _unary("ABS", "ABS", True)  # pylint: disable=redefined-builtin


def typecast(input_tensor, dtype, memory_config=None, **_):
    if instance("typecast: dtype", dtype, DataType, "a DataType, such as ttnn.bfloat16,") is None:
        raise TypeError("ttnn.typecast: dtype: a DataType is wanted, not None")
    return _unary_op(input_tensor, "TYPECAST", dtype=dtype, zero_stays=True, code="TypecastDeviceOperation",
                     output_dtype=f"DataType::{dtype.name}")


def to_memory_config(tensor, memory_config=None, dtype=None, **_):
    """A copy, where it is not there already."""
    if memory_config is None or not tensor.on_device or tensor.in_l1 == asked.in_l1():
        return tensor
    return _unary_op(tensor, "IDENTITY", dtype=dtype, zero_stays=True, code="CopyDeviceOperation",
                     output_mem_config=f"BufferType::{memory_config.buffer_type.name}")


def clone(input_tensor, *_, dtype=None, **__):
    return _unary_op(input_tensor, "IDENTITY", dtype=dtype, zero_stays=True, code="CloneOperation")


# ---- two tensors, or one and a number

# What the math engine has: the whole of b, one row of it, one column, one value.
_ENGINE = {
    "ADD": {"": "ADD", "row": "BCAST_ADD_ROW", "column": "BCAST_ADD_COL"},
    "SUB": {"": "SUB", "column": "BCAST_SUB_COL"},
    "MUL": {"": "MUL", "row": "BCAST_MUL_ROW", "column": "BCAST_MUL_COL", "value": "BCAST_MUL_SCALAR"},
}


def _shapes(a, b):
    """The result's shape; how b is spread over a; False for what can't be."""
    rank = max(len(a.shape), len(b.shape), 2)
    left = (1,) * (rank - len(a.shape)) + tuple(a.shape)
    right = (1,) * (rank - len(b.shape)) + tuple(b.shape)
    for x, y in zip(left, right):
        if x != y and 1 not in (x, y):
            raise ValueError(f"ttnn: shapes {list(a.shape)} and {list(b.shape)} do not go together")
    shape = [max(x, y) for x, y in zip(left, right)]
    batches_fit = left[:-2] == tuple(shape[:-2]) and (right[:-2] == left[:-2] or b.batch == 1)
    if not batches_fit or left[-2:] != tuple(shape[-2:]):
        return shape, False
    rows, columns = right[-2] != left[-2], right[-1] != left[-1]
    return shape, "value" if rows and columns else "row" if rows else "column" if columns else ""


def _binary_op(what, a, b, shape, spread, activation=None):
    same_rank = max(len(a.shape), len(b.shape)) == len(shape)
    out = _out(shape if same_rank else a.shape, a.dtype, _check(a, b), False)
    op = Op("BinaryNgDeviceOperation", "eltwise.c", out.tiles, out, binary_op_type=f"BinaryOpType::{what}")
    op.input(a, 0)
    op.input(b, 1)
    out.clean = a.clean and (what == "MUL" or b.clean and not spread and what != "DIV")
    if what == "DIV":
        op.defines["VECTOR"] = "TTP_SFPU_BINARY_DIV"
    elif what == "MAX":
        op.defines["VECTOR"] = "TTP_SFPU_BINARY_MAX"
    else:
        op.defines["BINARY"] = "TTP_TENSIX_" + _ENGINE[what][spread]
    if activation:
        op.defines["THEN"] = "TTP_SFPU_" + activation
        op.args = [0]
    return program.run(op)


def _by_number(what, a, number):
    if what == "SUB":
        what, number = "ADD", -number
    elif what == "DIV":
        what, number = "MUL", 1.0 / number if number else math.inf
    elif what == "MAX":
        return _unary_op(a, what, "CLAMP_MIN", number, number <= 0)
    return _unary_op(a, what, what + "_SCALAR", number, what == "MUL", binary_op_type=f"BinaryOpType::{what}", scalar=number,
                     code="BinaryNgDeviceOperation")


def _binary(what, a, b):
    if not isinstance(a, Tensor):
        if not isinstance(b, Tensor):
            raise TypeError(f"ttnn: {what}: at least one tensor is wanted, not {type(a).__name__} and {type(b).__name__}")
        if what in ("ADD", "MUL", "MAX"):
            return _binary(what, b, a)
        return _by_number("ADD", neg(b), a) if what == "SUB" else _by_number("MUL", reciprocal(b), a)
    if isinstance(b, (int, float)):
        return _by_number(what, a, float(b))
    _check(a, b)
    shape, spread = _shapes(a, b)
    if spread is False and what in ("ADD", "MUL", "MAX") and _shapes(b, a)[1] is not False:
        return _binary(what, b, a)
    if what in ("DIV", "MAX") and spread in ("row", "column", "value") and what == "DIV":
        return _binary("MUL", a, reciprocal(_cleaned(b)))
    if what == "SUB" and spread == "row":
        return _binary("ADD", a, neg(b))
    if spread is False or what == "MAX" and spread or what in _ENGINE and spread not in _ENGINE[what]:
        raise NotImplementedError(f"ttnn: the stand-in can't spread shape {list(b.shape)} over {list(a.shape)} for {what}: "
                                  "whole matrices, a row or a column of one, and for products one value")
    return _binary_op(what, a, b, shape, spread)


def add(input_tensor_a, input_tensor_b, *_, **__):
    return _binary("ADD", input_tensor_a, input_tensor_b)


def subtract(input_tensor_a, input_tensor_b, *_, **__):
    return _binary("SUB", input_tensor_a, input_tensor_b)


def multiply(input_tensor_a, input_tensor_b, *_, **__):
    return _binary("MUL", input_tensor_a, input_tensor_b)


def divide(input_tensor_a, input_tensor_b, *_, **__):
    return _binary("DIV", input_tensor_a, input_tensor_b)


def maximum(input_tensor_a, input_tensor_b, *_, **__):
    return _binary("MAX", input_tensor_a, input_tensor_b)


sub, mul, div = subtract, multiply, divide

# ---- matrices


def matmul(input_tensor_a, input_tensor_b, *_, transpose_a=False, transpose_b=False, dtype=None, **__):
    """a x b; a batch of b may be one matrix for all of a."""
    a, b = input_tensor_a, input_tensor_b
    if transpose_a:
        a = transpose(a, -2, -1)
    device = _check(a, b)
    k, n = (b.columns, b.rows) if transpose_b else (b.rows, b.columns)
    if a.columns != k:
        raise ValueError(f"ttnn: matmul of shapes {list(a.shape)} and {list(b.shape)}: {a.columns} columns, {k} rows")
    if a.batch != b.batch and 1 not in (a.batch, b.batch):
        raise ValueError(f"ttnn: matmul of {a.batch} matrices by {b.batch}")
    if k % TILE_SIZE:
        a, b = _cleaned(a), _cleaned(b)
    lead = a.shape[:-2] if a.batch >= b.batch else b.shape[:-2]
    shape = [*lead, *([a.rows] if len(a.shape) > 1 else []), n]
    out = _out(shape, dtype or a.dtype, device, a.clean and b.clean)
    steps, wide = a.wide, -(-n // TILE_SIZE)
    columns = max(c for c in range(1, 9) if not wide % c and (c == 1 or out.tiles // c >= 32))
    chunk = max(c for c in (1, 2, 4) if not steps % c)
    op = Op("MatmulDeviceOperation", "matmul.c", out.tiles // columns, out, transpose_a=str(bool(transpose_a)).lower(),
            transpose_b=str(bool(transpose_b)).lower())
    op.input(a, 0, chunk)
    op.input(b, 1, chunk * columns)
    op.out_tiles = columns
    op.args = [columns, steps, int(bool(transpose_b))]
    op.reader = ("matmul_read.c",
                 lambda which: [program.address(a, which), program.address(b, which), a.batch, b.batch, a.high, steps, wide,
                                columns, chunk, int(bool(transpose_b))])
    return program.run(op)


_ACTIVATIONS = {"relu": "RELU", "gelu": "GELU", "sigmoid": "SIGMOID", "tanh": "TANH", "exp": "EXP"}


def linear(input_tensor_a, input_tensor_b, *_, bias=None, activation=None, transpose_a=False, transpose_b=False, dtype=None, **__):
    """A matmul, then the bias and the activation in an op of their own."""
    out = matmul(input_tensor_a, input_tensor_b, transpose_a=transpose_a, transpose_b=transpose_b, dtype=dtype)
    if activation is not None and activation not in _ACTIVATIONS and activation != "silu":
        raise NotImplementedError(f"ttnn: the stand-in has no activation {activation}: {', '.join(_ACTIVATIONS)}, silu")
    if bias is not None:
        shape, spread = _shapes(out, bias)
        if spread not in _ENGINE["ADD"]:
            raise ValueError(f"ttnn: a bias of shape {list(bias.shape)} for a result of shape {list(out.shape)}")
        out = _binary_op("ADD", out, bias, shape, spread, _ACTIVATIONS.get(activation))
        if activation == "silu":
            out = silu(out)
    elif activation:
        out = globals()[activation](out)
    return out


def transpose(input_tensor, dim1=-2, dim2=-1, *_, **__):
    x = input_tensor
    rank = len(x.shape)
    dim1, dim2 = dim_of("transpose", dim1, rank), dim_of("transpose", dim2, rank)
    swapped = {dim1, dim2}
    if swapped != {rank - 1, rank - 2}:
        order = list(range(rank))
        order[dim1], order[dim2] = order[dim2], order[dim1]
        return permute(x, order)
    shape = [*x.shape[:-2], x.columns, x.rows]
    out = _out(shape, x.dtype, _check(x), x.clean)
    op = Op("TransposeDeviceOperation", "transpose.c", out.tiles, out, dim="TransposeOpDim::WH")
    op.input(x, 0)
    op.reader = ("transpose_read.c", lambda which: [program.address(x, which), out.high, out.wide])
    return program.run(op)


# ---- rows


def _rows(op, x):
    """An op on whole rows of tiles."""
    op.grid = (x.high, 1)
    op.units = x.batch * x.high
    op.out_tiles = op.out.wide
    return op


def softmax(input_tensor, dim=-1, *_, **__):
    x = input_tensor
    dim = dim_of("softmax", dim, len(x.shape))
    if dim != len(x.shape) - 1:
        last = len(x.shape) - 1
        return transpose(softmax(transpose(x, dim, last)), dim, last)
    wide = x.wide
    op = _rows(Op("SoftmaxDeviceOperation", "softmax.c", 0, _out(x.shape, x.dtype, _check(x), not x.rows % TILE_SIZE), dim=-1), x)
    op.input(x, 0, wide)
    if x.columns % TILE_SIZE:
        op.input(_mask(x.device(), x.columns, 0.0, -1e30), 1, 1, once=True, shown=False)
        op.defines["MASKED"] = "1"
    op.scale = (2, 1.0)
    op.locals = [(24, wide), (25, 1), (26, wide), (27, 1)]
    op.args = [wide]
    return program.run(op)


def _norm(code, x, weight, bias, epsilon, centre):
    x = _cleaned(x) if x.columns % TILE_SIZE else x
    wide = x.wide
    op = _rows(Op(code, "norm.c", 0, _out(x.shape, x.dtype, _check(x), False),
                  norm_type="LayerNormType::" + ("LAYERNORM" if centre else "RMSNORM"), eps=epsilon), x)
    op.input(x, 0, wide)
    for tensor, cb, define in ((weight, 1, "WEIGHT"), (bias, 2, "BIAS")):
        if tensor is not None:
            if tensor.columns != x.columns or tensor.rows * tensor.batch != 1:
                raise ValueError(f"ttnn: a {define.lower()} of shape {list(tensor.shape)} for rows of {x.columns}")
            op.input(tensor, cb, wide, once=True)
            op.defines[define] = "1"
    if centre:
        op.defines["CENTRE"] = "1"
    if x.columns % TILE_SIZE:
        op.input(_mask(x.device(), x.columns, 1.0, 0.0), 4, 1, once=True, shown=False)
        op.defines["MASKED"] = "1"
    op.scale = (3, 1.0 / x.columns)
    op.locals = [(24, 1), (25, wide), (26, wide), (27, 1), (28, wide), (29, wide)]
    op.args = [wide, bits(epsilon)]
    return program.run(op)


def layer_norm(input_tensor, *_, epsilon=1e-12, weight=None, bias=None, **__):
    return _norm("LayerNormDeviceOperation", input_tensor, weight, bias, epsilon, True)


def rms_norm(input_tensor, *_, epsilon=1e-12, weight=None, bias=None, **__):
    return _norm("LayerNormDeviceOperation", input_tensor, weight, bias, epsilon, False)


def _reduce(x, dim, keepdim, how, factor):
    rank, name = len(x.shape), "mean" if factor else "sum"
    several = range(rank) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
    dims = sorted({dim_of(name, d, rank) for d in several}, reverse=True)
    sides = [side for at, side in enumerate(x.shape) if at not in dims]
    for one in dims:
        x = _reduce_one(x, one, how, factor)
    return x if keepdim or not dims else reshape(x, sides)


def _reduce_one(x, dim, how, factor):
    rank = len(x.shape)
    if dim != rank - 1:
        return transpose(_reduce_one(transpose(x, dim, rank - 1), rank - 1, how, factor), dim, rank - 1)
    if x.columns % TILE_SIZE:
        x = _cleaned(x)
    op = _rows(Op("ReduceDeviceOperation", "reduce.c", 0, _out([*x.shape[:-1], 1], x.dtype, _check(x), False),
                  math_op=f"ReduceOpMath::{how}", dim="ReduceOpDim::W"), x)
    op.input(x, 0, x.wide)
    op.scale = (3, 1.0 / x.columns if factor else 1.0)
    op.defines["HOW"] = "TTP_TENSIX_REDUCE_SUM_ROW"
    op.args = [x.wide]
    return program.run(op)


def sum(input_tensor, dim=None, keepdim=True, *_, **__):  # pylint: disable=redefined-builtin
    return _reduce(input_tensor, dim, keepdim, "SUM", False)


def mean(input_tensor, dim=None, keepdim=True, *_, **__):
    return _reduce(input_tensor, dim, keepdim, "AVG", True)


# ---- on the host: what moves values about


def _moved(code, x, new_shape, order, **attributes):
    """A tensor with values of x in another order, on the device if x is there."""
    with program.on_host("ttnn." + code, x, **attributes) as results:
        old = x.get()
        results.append(Tensor(array.array("f", [old[i] for i in order] if order is not None else old), new_shape, x.dtype, x.layout,
                              x.device()))
    return results[0]


def reshape(input_tensor, *shape, **_):
    x, shape = input_tensor, shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    shape = [side if side == -1 else shape_of([side])[0] for side in shape]
    if shape.count(-1) > 1:
        raise ValueError(f"ttnn.reshape: one side of {shape} may be -1")
    if -1 in shape:
        known = -math.prod(shape)
        shape[shape.index(-1)] = math.prod(x.shape) // known if known else 0
    if math.prod(shape) != math.prod(x.shape):
        raise ValueError(f"ttnn: reshape of {list(x.shape)} to {shape}")
    return _moved("reshape", x, shape, None, shape=shape)


def permute(input_tensor, dims, *_, **__):
    x, rank = input_tensor, len(input_tensor.shape)
    dims = dims_of("permute", dims, rank)
    steps = [math.prod(x.shape[i + 1:]) for i in range(rank)]
    places = [0]
    for d in dims:
        places = [at + i * steps[d] for at in places for i in range(x.shape[d])]
    return _moved("permute", x, [x.shape[d] for d in dims], places, dims=dims)


def concat(tensors, dim=0, *_, **__):
    if not isinstance(tensors, (list, tuple)) or not tensors or not all(isinstance(t, Tensor) for t in tensors):
        raise TypeError("ttnn.concat: a list of tensors is wanted")
    first = tensors[0]
    dim = dim_of("concat", dim, len(first.shape))
    shape = list(first.shape)
    shape[dim] = 0
    for t in tensors:
        if len(t.shape) != len(shape) or any(x != y for at, (x, y) in enumerate(zip(t.shape, first.shape)) if at != dim):
            raise ValueError(f"ttnn.concat: shapes {list(first.shape)} and {list(t.shape)} along dim {dim}")
        shape[dim] += t.shape[dim]
    with program.on_host("ttnn.concat", *tensors, dim=dim) as results:
        values = array.array("f")
        every = [(t.get(), math.prod(t.shape[dim:])) for t in tensors]
        for i in range(math.prod(first.shape[:dim])):
            for old, n in every:
                values.extend(old[i * n:(i + 1) * n])
        results.append(Tensor(values, shape, first.dtype, first.layout, first.device()))
    return results[0]


def embedding(input_tensor, weight, *_, dtype=None, **__):
    with program.on_host("ttnn.embedding", input_tensor, weight) as results:
        rows, n, values = weight.get(), weight.columns, array.array("f")
        for index in input_tensor.get():
            at = int(index)
            if not 0 <= at < weight.rows:
                raise IndexError(f"ttnn: embedding: index {at}, and {weight.rows} rows")
            values.extend(rows[at * n:(at + 1) * n])
        results.append(Tensor(values, [*input_tensor.shape, n], dtype or weight.dtype, weight.layout, weight.device()))
    return results[0]


Tensor.__add__ = Tensor.__radd__ = add
Tensor.__sub__ = subtract
Tensor.__rsub__ = lambda self, other: subtract(other, self)
Tensor.__mul__ = Tensor.__rmul__ = multiply
Tensor.__truediv__ = divide
Tensor.__matmul__ = matmul
Tensor.__neg__ = neg
Tensor.reshape = reshape
