# SPDX-License-Identifier: Apache-2.0
"""A test of an op, for the commands of documents that run one."""
import ttnn


def test_function(device):
    x = ttnn.full([64, 64], 2, layout=ttnn.TILE_LAYOUT, device=device)
    assert (x * x + x).to_list()[63][63] == 6
