# SPDX-License-Identifier: Apache-2.0
"""x + f(f(x)), f(x) = silu(layer_norm(x)) w: what a residual block is without its convolutions."""
import ttnn


def test_residual_block(device):
    x = ttnn.rand([1, 1, 64, 64], layout=ttnn.TILE_LAYOUT, device=device, seed=1)
    w = ttnn.rand([64, 64], layout=ttnn.TILE_LAYOUT, device=device, low=-0.1, high=0.1, seed=2)
    h = x
    for _ in range(2):
        h = ttnn.linear(ttnn.silu(ttnn.layer_norm(h, epsilon=1e-5)), w)
    assert list((x + h).shape) == [1, 1, 64, 64]
    assert (x + h * 0).to_list() == x.to_list()
