// SPDX-License-Identifier: Apache-2.0
/*
 * How much compressed data may become.
 *
 * A file of some KB can unpack to terabytes, and a received file is not trusted: rows of a few bytes take twenty times as much memory when they are
 * read.  What unpacks to a temporary file may have UNPACK_FREE_BYTES, or UNPACK_RATIO times its own size where that is more, and UNPACK_MOST_BYTES at most.
 * (Device logs, which repeat themselves most, are packed 40 to 1 by default, and 150 to 1 by `zstd -19` where the same ops ran again and again.)  Data that is read
 * block by block and not kept has no such end, only the ratio.  TTP_UNPACK_LIMIT=SIZE (4G) is the limit instead of all that.
 */
#ifndef TTP_BASE_UNPACK_H
#define TTP_BASE_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define UNPACK_FREE_BYTES (16ull << 20)
#define UNPACK_RATIO      100ull
#define UNPACK_MOST_BYTES (8ull << 30)

struct unpack {
	uint64_t most_bytes, bytes; /* allowed; so far */
};

/* Fails if TTP_UNPACK_LIMIT is no size. */
enum ttp_rc unpack_begin(struct unpack *u, uint64_t packed_bytes, bool is_kept,
			 struct ttp_err *e) TTP_CHECKED;
/* `bytes` more; fails with TTP_LIMIT and what to do when there are too many. */
enum ttp_rc unpack_more(struct unpack *u, uint64_t bytes, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_BASE_UNPACK_H */
