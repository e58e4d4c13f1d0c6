// SPDX-License-Identifier: Apache-2.0
#include "wire/tracy.h"

#include <lz4.h>
#include <string.h>

_Static_assert(FRAME_STATE_BYTES >= sizeof(LZ4_stream_t), "LZ4 wants a larger state");
_Static_assert(FRAME_BLOCK_MAX >= LZ4_COMPRESSBOUND(262144), "LZ4 wants more room");

size_t frame_pack(void *state, const void *items, size_t len, uint8_t *out)
{
	int n = LZ4_compress_fast_extState(state, items, (char *)out + FRAME_PREFIX, (int)len,
					   FRAME_BLOCK_MAX, 1);
	uint32_t prefix = (uint32_t)n;

	memcpy(out, &prefix, sizeof(prefix));
	return FRAME_PREFIX + (size_t)n;
}

long frame_unpack(const void *block, size_t len, uint8_t *out, size_t room, size_t history)
{
	return LZ4_decompress_safe_usingDict(block, (char *)out, (int)len, (int)room,
					     (const char *)out - history, (int)history);
}
