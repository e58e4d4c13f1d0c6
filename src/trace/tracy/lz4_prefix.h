// SPDX-License-Identifier: Apache-2.0
/*
 * As much of an LZ4 block as can be had when its end is missing or it is damaged, which the library gives nothing of.
 * Not for speed: a file has at most one such block.
 */
#ifndef TTP_TRACE_TRACY_LZ4_PREFIX_H
#define TTP_TRACE_TRACY_LZ4_PREFIX_H

#include <stddef.h>
#include <stdint.h>

/* Decodes up to the first byte that makes no sense; returns how many bytes of `to` it made. */
size_t lz4_prefix(const uint8_t *from, size_t n, uint8_t *to, size_t cap, const uint8_t *dict,
		  size_t dict_len);

#endif /* TTP_TRACE_TRACY_LZ4_PREFIX_H */
