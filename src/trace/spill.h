// SPDX-License-Identifier: Apache-2.0
/*
 * Logs of bytes that may outgrow memory.  A store keeps many append-only logs; up to a limit their chunks stay in
 * memory, then full chunks go to one unlinked temporary file.  So sorting events by track or by source location takes bounded
 * memory, and small inputs never touch the disk.
 *
 * Bytes that were appended can be changed later (spill_patch), which a zone needs whose number of children is known
 * only at its end.  A failing disk is remembered: writers write straight through, and ask spill_check() once.
 * One owner; not thread-safe.
 */
#ifndef TTP_TRACE_SPILL_H
#define TTP_TRACE_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum { SPILL_CHUNK_MIN = 256, SPILL_CHUNK_MAX = 65536 };

struct spill_store {
	size_t limit_bytes, used_bytes; /* of full chunks in memory */
	int fd;                         /* -1 until the first chunk goes out */
	uint64_t file_bytes;
	int failed; /* errno of the first failure, or 0 */
};

struct spill_chunk {
	uint8_t *at;     /* NULL: in the file */
	uint64_t offset; /* in the file */
	uint32_t len, cap;
	uint64_t start; /* of its bytes in the log */
};

struct spill_log {
	VEC(struct spill_chunk) chunks;
	uint8_t *at, *end; /* room in the last chunk */
};

void spill_init(struct spill_store *s, size_t limit_bytes);
void spill_release(struct spill_store *s);
/* TTP_SYS when something could not be written or read back. */
enum ttp_rc spill_check(const struct spill_store *s, struct ttp_err *e) TTP_CHECKED;

/* Makes room for `n` (at most SPILL_CHUNK_MIN) bytes in one piece at l->at; the caller advances l->at. */
void spill_more(struct spill_store *s, struct spill_log *l);
void spill_add(struct spill_store *s, struct spill_log *l, const void *bytes, size_t n);
uint64_t spill_size(const struct spill_log *l);
/* Changes bytes that are there already. */
void spill_patch(struct spill_store *s, struct spill_log *l, uint64_t at, const void *bytes,
		 size_t n);
void spill_log_release(struct spill_store *s, struct spill_log *l);

static inline void spill_room(struct spill_store *s, struct spill_log *l, size_t n)
{
	if ((size_t)(l->end - l->at) < n)
		spill_more(s, l);
}

/* Up to 10 bytes; there must be room. */
static inline void spill_varint(struct spill_log *l, uint64_t v)
{
	while (v >= 0x80) {
		*l->at++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*l->at++ = (uint8_t)v;
}

/*
 * Numbers of 1, 2, 4 or 8 bytes whose size stands elsewhere, in two bits: no branch to mispredict.  There must be room
 * for 8 bytes, and 8 bytes to read, whatever the size.
 */
static inline unsigned spill_size_code(uint64_t v)
{
	return (v > 0xFF) + (v > 0xFFFF) + (v > 0xFFFFFFFF);
}

static inline uint8_t *spill_put_sized(uint8_t *at, uint64_t v, unsigned code)
{
	memcpy(at, &v, sizeof(v));
	return at + ((size_t)1 << code);
}

static inline const uint8_t *spill_get_sized(const uint8_t *at, uint64_t *v, unsigned code)
{
	memcpy(v, at, sizeof(*v));
	*v &= UINT64_MAX >> (64 - (8U << code));
	return at + ((size_t)1 << code);
}

static inline uint64_t zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

static inline int64_t unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

/* Reads a log from its start; what is written meanwhile is not seen. */
struct spill_reader {
	struct spill_store *store;
	const struct spill_log *log;
	size_t chunk; /* the next one */
	const uint8_t *at, *end, *begin;
	uint8_t *buffer; /* for chunks that are in the file */
	struct buf joined;
	bool bad; /* asked for more than there is */
};

static inline struct spill_reader spill_read(struct spill_store *s, const struct spill_log *l)
{
	return (struct spill_reader){ .store = s, .log = l };
}
bool spill_next_chunk(struct spill_reader *r);
/* Goes to byte `at` of the log, from where reading goes on; cheap within a chunk.  False behind its end. */
bool spill_seek(struct spill_reader *r, uint64_t at);
/* `n` bytes, borrowed until the next call; NULL at the end. */
const uint8_t *spill_take(struct spill_reader *r, size_t n);
void spill_reader_release(struct spill_reader *r);

/* Over records of a type without padding. */
#define SPILL_EACH(type, item, r) \
	for (const type *item; (item = (const type *)(const void *)spill_take(r, sizeof(type)));)

static inline bool spill_more_to_read(struct spill_reader *r)
{
	return r->at < r->end || spill_next_chunk(r);
}

static inline uint64_t spill_get_varint(struct spill_reader *r)
{
	uint64_t v = 0;

	if (__builtin_expect(r->end - r->at >= 10, 1)) { /* all of it is here */
		const uint8_t *p = r->at;
		unsigned shift = 7;

		v = *p & 0x7F;
		while (*p++ & 0x80 && shift < 70) {
			v |= (uint64_t)(*p & 0x7F) << (shift < 64 ? shift : 63);
			shift += 7;
		}
		r->at = p;
		return v;
	}
	for (int shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (r->at == r->end && !spill_next_chunk(r)) {
			r->bad = true;
			return 0;
		}
		byte = *r->at++;
		v |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			break;
	}
	return v;
}

#endif /* TTP_TRACE_SPILL_H */
