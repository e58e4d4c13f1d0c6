# SPDX-License-Identifier: Apache-2.0
"""Every op of the stand-in for ttnn against the same in Python, with shapes that fill tiles and shapes that do not."""
import math
import random

import ttnn

SOURCE = random.Random(1)


def some(*shape):
    if len(shape) == 1:
        return [SOURCE.uniform(-1, 1) for _ in range(shape[0])]
    return [some(*shape[1:]) for _ in range(shape[0])]


def each(function, *matrices):
    return [[function(*values) for values in zip(*rows)] for rows in zip(*matrices)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def turned(a):
    return [list(column) for column in zip(*a)]


def softmax(row):
    powers = [math.exp(x) for x in row]
    return [p / sum(powers) for p in powers]


def norm(row, weight, bias, centre=True):
    mean = sum(row) / len(row) if centre else 0
    deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-5)
    return [(x - mean) / deviation * w + b for x, w, b in zip(row, weight, bias)]


def near(got, want, error=0.03):
    if isinstance(want, list):
        assert len(got) == len(want), (len(got), len(want))
        for g, w in zip(got, want):
            near(g, w, error)
    else:
        assert abs(got - want) <= error * max(1, abs(want)), (got, want)


UNARY = {"relu": lambda x: max(x, 0), "gelu": lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2, "square": lambda x: x * x,
         "silu": lambda x: x / (1 + math.exp(-x)), "sigmoid": lambda x: 1 / (1 + math.exp(-x)), "tanh": math.tanh,
         "exp": math.exp, "neg": lambda x: -x, "abs": abs}
POSITIVE = {"log": math.log, "sqrt": math.sqrt, "rsqrt": lambda x: x ** -0.5, "reciprocal": lambda x: 1 / x}
BINARY = {"add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y}


def matrices(put, high, deep, wide):
    a, b = some(high, deep), some(deep, wide)
    A, B = put(a), put(b)
    near(A.to_list(), a, 0.01)
    for name, function in UNARY.items():
        near(getattr(ttnn, name)(A).to_list(), each(function, a))
    positive = each(lambda x: abs(x) + 0.5, a)
    for name, function in POSITIVE.items():
        near(getattr(ttnn, name)(put(positive)).to_list(), each(function, positive))
    row, column = some(1, deep), some(high, 1)
    for name, function in BINARY.items():
        op = getattr(ttnn, name)
        near(op(A, A).to_list(), each(function, a, a))
        near(op(A, put(row)).to_list(), each(function, a, row * high))
        near(op(A, put(column)).to_list(), each(function, a, [c * deep for c in column]))
        near(op(A, 0.5).to_list(), each(lambda x, f=function: f(x, 0.5), a))
        near(op(2, A).to_list(), each(lambda x, f=function: f(2, x), a))
    near(ttnn.divide(A, put(positive)).to_list(), each(lambda x, y: x / y, a, positive))
    near(ttnn.divide(A, ttnn.exp(put(column))).to_list(), each(lambda x, y: x / math.exp(y), a, [c * deep for c in column]))
    near(ttnn.divide(A, 4).to_list(), each(lambda x: x / 4, a))
    near(ttnn.maximum(A, ttnn.neg(A)).to_list(), each(abs, a))
    near(ttnn.maximum(A, 0.25).to_list(), each(lambda x: max(x, 0.25), a))
    near(ttnn.multiply(A, put([[0.5]])).to_list(), each(lambda x: x / 2, a))
    near((A @ B).to_list(), product(a, b), 0.05)
    near(ttnn.matmul(A, put(turned(b)), transpose_b=True).to_list(), product(a, b), 0.05)
    near(ttnn.matmul(put(turned(a)), B, transpose_a=True).to_list(), product(a, b), 0.05)
    # What exp leaves beyond the edge must not count.
    near((ttnn.exp(A) @ B).to_list(), product(each(math.exp, a), b), 0.15)
    near(ttnn.linear(A, B, bias=put([[1.0] * wide]), activation="relu").to_list(),
         each(lambda x: max(x + 1, 0), product(a, b)), 0.05)
    near(ttnn.transpose(A, -2, -1).to_list(), turned(a), 0.01)
    near(ttnn.softmax(A, dim=-1).to_list(), [softmax(r) for r in a])
    near(ttnn.softmax(ttnn.exp(A), dim=0).to_list(), turned([softmax(c) for c in turned(each(math.exp, a))]))
    weight, bias = some(1, deep), some(1, deep)
    near(ttnn.layer_norm(A + 1, epsilon=1e-5, weight=put(weight), bias=put(bias)).to_list(),
         [norm([x + 1 for x in r], weight[0], bias[0]) for r in a], 0.06)
    near(ttnn.layer_norm(A, epsilon=1e-5).to_list(), [norm(r, [1] * deep, [0] * deep) for r in a], 0.06)
    near(ttnn.rms_norm(A, epsilon=1e-5, weight=put(weight)).to_list(), [norm(r, weight[0], [0] * deep, False) for r in a], 0.06)
    near(ttnn.sum(ttnn.exp(A), dim=-1).to_list(), [[sum(math.exp(x) for x in r)] for r in a])
    near(ttnn.mean(A, dim=0).to_list(), [[sum(c) / high for c in turned(a)]])
    near(ttnn.sum(A).item(), sum(sum(r) for r in a), 0.1)


def more_dimensions(put):
    values = some(2, 3, 4, 5)
    x = put(values)
    near((x + x).to_list(), [[each(lambda v: 2 * v, m) for m in b] for b in values])
    near((x @ ttnn.transpose(x, -2, -1)).to_list(), [[product(m, turned(m)) for m in b] for b in values])
    near(ttnn.permute(x, (0, 2, 1, 3)).to_list(), [[[values[i][k][j] for k in range(3)] for j in range(4)] for i in range(2)])
    near(ttnn.reshape(x, [2, 3, -1]).to_list(), [[sum(m, []) for m in b] for b in values])
    near(ttnn.concat([x, x], dim=1).to_list(), [b + b for b in values])
    near((x * put(some(1, 5)) * 0).to_list(), [[each(lambda v: 0, m) for m in b] for b in values])
    one = some(5, 6)
    near((x @ put(one)).to_list(), [[product(m, one) for m in b] for b in values])
    table = some(4, 8)
    near(ttnn.embedding(put([[1, 0, 3]], ttnn.uint32), put(table)).to_list(), [[table[1], table[0], table[3]]])
    half = ttnn.typecast(put([[1 / 3, 2.0]], ttnn.float32), ttnn.bfloat16)
    assert half.dtype is ttnn.bfloat16 and half.to_list()[0] == [0.333984375, 2.0], half.to_list()
    assert put([[1 / 3]], ttnn.float32).to_list()[0][0] != half.to_list()[0][0]
    assert ttnn.full([2, 2], 7, device=x.device()).to_list() == [[7, 7], [7, 7]]
    assert ttnn.arange(4).to_list() == [0, 1, 2, 3]
    nan = put([[float("nan"), float("inf")]]).to_list()[0]
    assert nan[0] != nan[0] and nan[1] == float("inf"), nan


def main():
    with ttnn.open_device(device_id=0) as device:
        def put(values, dtype=ttnn.bfloat16):
            return ttnn.from_torch(values, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)

        for shape in ((32, 32, 32), (64, 96, 64), (5, 7, 9), (40, 70, 33)):
            matrices(put, *shape)
        more_dimensions(put)
    print("all are right")


main()
