# SPDX-License-Identifier: Apache-2.0
"""A classifier of 28 x 28 pictures: three layers, and the answer adds up to 1."""
import pytest
import ttnn


@pytest.mark.parametrize("mode", ["eval"])
@pytest.mark.parametrize("execution", ["full"])
def test_mnist_train(device, execution, mode):
    assert (execution, mode) == ("full", "eval")
    x = ttnn.rand([4, 28 * 28], layout=ttnn.TILE_LAYOUT, device=device, seed=1)
    for layer, (rows, columns) in enumerate(((784, 64), (64, 32), (32, 10))):
        w = ttnn.rand([rows, columns], layout=ttnn.TILE_LAYOUT, device=device, low=-0.1, high=0.1, seed=layer)
        b = ttnn.zeros([1, columns], layout=ttnn.TILE_LAYOUT, device=device)
        x = ttnn.linear(x, w, bias=b, activation="relu" if layer < 2 else None)
    for row in ttnn.softmax(x, dim=-1).to_list():
        assert abs(sum(row) - 1) < 0.02
