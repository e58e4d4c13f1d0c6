// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers packed for the page: differences, bytes of equal weight together, gzip.  docs/reference/formats/page.md has the format.
 *
 *	columns_add(&c, &(struct column_source){...})   says where the values are; returns the column's number
 *	columns_pack(&c)                                packs them all, on several cores, to the same bytes on any number
 *	columns_json(&c, &w)                            the "columns" of the manifest
 */
#ifndef TTP_WEB_COLUMNS_H
#define TTP_WEB_COLUMNS_H

#include "base/json.h"
#include "base/vec.h"

enum { COLUMN_CHUNK_VALUES = 1 << 20 };
enum { COLUMN_NONE = -1 };

/* Differences of values that only rise, or of any; the latter as zigzag: 0, -1, 1, -2 are 0, 1, 2, 3. */
enum column_delta { COLUMN_AS_IS, COLUMN_RISING, COLUMN_SIGNED };
enum column_type { COLUMN_UINT, COLUMN_F64, COLUMN_UTF8 };

/*
 * Puts values [first, first + n) into `to`: uint64_t, the difference to the value before where the column is of
 * differences; double for COLUMN_F64; bytes for COLUMN_UTF8.  Called from several threads.
 */
typedef void column_fill(const void *ctx, uint64_t first, size_t n, void *to);

struct column {
	column_fill *fill;
	const void *ctx; /* must stay until columns_pack() is done */
	uint64_t n;
	uint8_t type, width; /* width in bytes; 0: the least that all values fit in */
	uint8_t delta;       /* enum column_delta */
	bool per_lane;
	void *own; /* freed with the column */
	/* ours: */
	uint32_t first_chunk, chunks;
};

struct columns {
	VEC(struct column) all;
	VEC(struct buf) chunks; /* gzip */
	uint64_t packed_bytes;
};

static inline uint64_t zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

int columns_add(struct columns *c, struct column column);
/* Arrays of a known type; `own`: freed with the columns.  `delta`: values that change slowly; of 64 bits: that only rise. */
int columns_add_u32(struct columns *c, uint32_t *at, size_t n, bool delta, bool own);
int columns_add_u64(struct columns *c, uint64_t *at, size_t n, bool delta, bool own);
int columns_add_f64(struct columns *c, double *at, size_t n, bool own);
int columns_add_utf8(struct columns *c, const char *at, size_t n);

void columns_pack(struct columns *c);
void columns_json(const struct columns *c, struct json_writer *w);
void columns_release(struct columns *c);

/* Appends bytes in base64 to `to`. */
void base64_add(struct buf *to, const void *bytes, size_t n);

#endif /* TTP_WEB_COLUMNS_H */
