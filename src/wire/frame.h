// SPDX-License-Identifier: Apache-2.0
/*
 * Frames: `u32 n` and n bytes, one LZ4 block of at most WIRE_FRAME_MAX bytes of items.  We write blocks
 * that stand alone; clients of others chain each block to the 64 KiB before it.
 */
#ifndef TTP_WIRE_FRAME_H
#define TTP_WIRE_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_STATE_BYTES = 16416, /* what LZ4 needs to compress, checked in frame.c */
	FRAME_BLOCK_MAX = 262144 + 262144 / 255 + 16,
	FRAME_PREFIX = 4,
};

/* Compresses into out[FRAME_PREFIX + FRAME_BLOCK_MAX], length first; returns all bytes written. */
size_t frame_pack(void *state, const void *items, size_t len, uint8_t *out);
/* Decompresses a block behind `history` bytes of what came before it, which end at `out`. */
long frame_unpack(const void *block, size_t len, uint8_t *out, size_t room, size_t history);

#endif /* TTP_WIRE_FRAME_H */
