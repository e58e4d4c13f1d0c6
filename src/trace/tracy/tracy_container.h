// SPDX-License-Identifier: Apache-2.0
/*
 * The outside of .tracy files: blocks of 64 KiB, compressed by LZ4 or zstd, in one stream or several that take turns.
 * docs/reference/formats/tracy.md has the layouts.
 */
#ifndef TTP_TRACE_TRACY_TRACY_CONTAINER_H
#define TTP_TRACE_TRACY_TRACY_CONTAINER_H

#include "base/input.h"
#include "base/out.h"
#include "trace/trace.h"
#include "trace/trace_readers.h"

enum { TRACY_BLOCK = 65536 };

struct tracy_stream;

/* Reading: bytes one after the other; after the end, or damage, zeros and `ended`. */
struct tracy_bytes {
	const uint8_t *at, *end; /* decompressed, not yet read */
	bool ended;
	bool damaged;
	bool last; /* what is decompressed is all that the damage leaves */
	struct ttp_err damage;
	uint64_t before; /* bytes of the stream before `start` */
	/* ours: */
	const uint8_t *file, *file_end, *next;
	bool zstd;
	struct unpack unpack;
	unsigned streams, turn;
	struct tracy_stream *stream;
	uint8_t *joined; /* what is left of one block, and the next */
	uint8_t zeros[64];
	struct drop_pages drop;
};

/* TTP_FORMAT if it is none. */
enum ttp_rc tracy_bytes_open(struct tracy_bytes *b, struct trace *t, struct ttp_err *e) TTP_CHECKED;
void tracy_bytes_close(struct tracy_bytes *b);
/* Makes sure of `n` (at most TRACY_BLOCK) bytes at b->at; false at the end. */
bool tracy_more(struct tracy_bytes *b, size_t n);
/* The next `n` bytes in pieces, as they lie, or passes over them without a `take`; beyond `most` the file is damaged, and `what` says for whose sake. */
typedef void tracy_piece(void *ctx, const void *at, size_t n);
void tracy_pieces(struct tracy_bytes *b, uint64_t n, uint64_t most, const char *what,
		  tracy_piece *take, void *ctx);
/* Position in the stream, for messages. */
uint64_t tracy_at(const struct tracy_bytes *b);

/* At most 64 bytes in one piece; zeros at the end. */
static inline const uint8_t *tracy_take(struct tracy_bytes *b, size_t n)
{
	const uint8_t *p = b->at;

	if (__builtin_expect((size_t)(b->end - b->at) < n, 0)) {
		if (!tracy_more(b, n))
			return b->zeros;
		p = b->at;
	}
	b->at += n;
	return p;
}

#define TRACY_READ(name, type)                                   \
	static inline type tracy_##name(struct tracy_bytes *b)   \
	{                                                        \
		type v;                                          \
                                                                 \
		memcpy(&v, tracy_take(b, sizeof(v)), sizeof(v)); \
		return v;                                        \
	}
TRACY_READ(u8, uint8_t)
TRACY_READ(u16, uint16_t)
TRACY_READ(u32, uint32_t)
TRACY_READ(u64, uint64_t)
TRACY_READ(i16, int16_t)
TRACY_READ(i64, int64_t)
TRACY_READ(f32, float)
TRACY_READ(f64, double)
#undef TRACY_READ

static inline uint32_t tracy_u24(struct tracy_bytes *b)
{
	const uint8_t *p = tracy_take(b, 3);

	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

/* A time that is given from the one before. */
static inline int64_t tracy_step(struct tracy_bytes *b, uint64_t *ref)
{
	*ref += tracy_u64(b);
	return (int64_t)*ref;
}

/*
 * What is read and written alike, in the order of a file: F(type, member), and N(member) for names, which stand there by number.
 */
#define TRACY_CLOCK(F, N)       F(i64, resolution_ns) F(f64, ns_per_tick)
#define TRACY_PROCESS(F, N)     F(u64, pid) F(i64, sampling_period) F(u8, cpu_arch) F(u32, cpu_id)
#define TRACY_PLOT(F, N)        F(u8, type) F(u8, format) F(u8, step) F(u8, fill) F(u32, color)
#define TRACY_MEMORY(F, N)      F(u64, ptr) F(u64, size) F(u24, alloc_stack) F(u24, free_stack)
#define TRACY_NOTE(F, N)        F(i64, note) F(f64, value)
#define TRACY_NOTE_NAME(F, N)   F(i64, note) N(name)
#define TRACY_LINE(F, N)        N(name) N(file) F(u32, line) F(u64, symbol)
#define TRACY_THREAD_TIME(F, N) F(u64, tid) F(i64, running_ns) F(u32, runs) F(u32, migrations)
#define TRACY_SYMBOL(F, N) \
	F(u64, address)    \
	N(name)            \
	N(file) F(u32, line) N(image) N(call_file) F(u32, call_line) F(u8, inlined) F(u24, size)

/* Of `it`, by the variables `b` and `t` of a reader, `o` and `c` of a writer: TRACY_LINE(GET_FIELD, GET_NAME) */
#define GET_FIELD(type, member) it.member = tracy_##type(b);
#define GET_NAME(member)        it.member = tracy_idx(t, b);
#define PUT_FIELD(type, member) tracy_put_##type(o, it->member);
#define PUT_NAME(member)        tracy_put_idx(o, c, it->member);

/* Writing. */
struct tracy_out {
	struct out *out;
	enum trace_container container;
	uint8_t *block[2]; /* the one that is filled, and the one before, to which it may refer */
	unsigned now;
	size_t filled;
	uint8_t *packed;
	void *lz4, *zstd;
	uint64_t raw_bytes;
};

void tracy_out_open(struct tracy_out *o, struct out *to, enum trace_container container);
void tracy_put(struct tracy_out *o, const void *bytes, size_t n);
/* Writes the last block, and frees everything. */
void tracy_out_close(struct tracy_out *o);

/* Room for `n` (at most 64) bytes in one piece if there is; else goes the long way. */
static inline void tracy_put_small(struct tracy_out *o, const void *bytes, size_t n)
{
	if (__builtin_expect(TRACY_BLOCK - o->filled >= n, 1)) {
		memcpy(o->block[o->now] + o->filled, bytes, n);
		o->filled += n;
	} else {
		tracy_put(o, bytes, n);
	}
}

/* Where `n` bytes may be written in place, followed by tracy_wrote(); NULL at the end of a block. */
static inline uint8_t *tracy_room(struct tracy_out *o, size_t n)
{
	return TRACY_BLOCK - o->filled >= n ? o->block[o->now] + o->filled : NULL;
}

static inline void tracy_wrote(struct tracy_out *o, size_t n)
{
	o->filled += n;
}

#define TRACY_WRITE(name, type)                                          \
	static inline void tracy_put_##name(struct tracy_out *o, type v) \
	{                                                                \
		tracy_put_small(o, &v, sizeof(v));                       \
	}
TRACY_WRITE(u8, uint8_t)
TRACY_WRITE(u16, uint16_t)
TRACY_WRITE(u32, uint32_t)
TRACY_WRITE(u64, uint64_t)
TRACY_WRITE(i16, int16_t)
TRACY_WRITE(i32, int32_t)
TRACY_WRITE(i64, int64_t)
TRACY_WRITE(f32, float)
TRACY_WRITE(f64, double)
#undef TRACY_WRITE

/* From the time before. */
static inline void tracy_put_step(struct tracy_out *o, uint64_t *ref, int64_t to)
{
	tracy_put_u64(o, (uint64_t)to - *ref);
	*ref = (uint64_t)to;
}

static inline void tracy_put_u24(struct tracy_out *o, uint32_t v)
{
	tracy_put_small(o, &v, 3);
}

/*
 * Several programs in one .tracy file, which has room for one: their list stands as lines in the text about the machine
 *
 *	ttprof process: pid=7 protocol=TT66 zones=20 starts_ns=1500 error_ns=2000 ended=1 program=name
 *
 * their threads have numbers from process * 2^40 on, and what has a name is called "name[7] " and that name.
 */
enum { PROCESS_SHIFT = 40 };

/* The first process's text about the machine, and the list if there are several. */
void processes_put(const struct trace *t, struct buf *to);
/* Takes the list out of that text again. */
void processes_get(struct trace *t);
/* "name[7] " before a name: the process, and the name without it.  Of one program all names stay as they are. */
uint32_t processes_strip(struct trace *t, uint32_t string, uint32_t *process);

#endif /* TTP_TRACE_TRACY_TRACY_CONTAINER_H */
