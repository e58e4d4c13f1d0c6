# SPDX-License-Identifier: Apache-2.0
"""Queries, keys and values from one matrix, divided into heads; twice, so that programs are found again."""
import ttnn

BATCH, TEXT, HEADS, WIDE = 1, 32, 4, 32


def split(x, which):
    """Every third of the columns, head by head."""
    parts = ttnn.reshape(x, [BATCH, TEXT, 3, HEADS, WIDE])
    return ttnn.permute(parts, (2, 0, 3, 1, 4)).to_list()[which]


def test_split_fused_qkv_and_split_heads_with_program_cache(device, use_program_cache, tracy_profile):
    values = [[[(r * 7 + c) % 64 for c in range(3 * HEADS * WIDE)] for r in range(TEXT)]]
    for _ in range(2):
        x = ttnn.from_torch(values, layout=ttnn.TILE_LAYOUT, device=device) + 0
        for which in range(3):
            heads = split(x, which)
            assert heads[0][1][2][3] == values[0][2][which * HEADS * WIDE + WIDE + 3]
    assert device.num_program_cache_entries() == 1
