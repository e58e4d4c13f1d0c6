// SPDX-License-Identifier: Apache-2.0
/*
 * Where a thread puts its events: a chain of chunks with one writer, the thread, and one reader, the
 * drain of the sender.
 *
 *	chunk ─next─► chunk ─next─► chunk          end - limit = 8 bytes for each open zone, so
 *	  ▲ rd_at                   │ at    limit end   the end of a zone that was begun can always
 *	                            └──────►◄────►│     be written, whatever else is full
 *
 * `limit` also says what the thread is doing:
 *	0     it is recording: whoever comes in between is a signal handler, and is turned away
 *	1     events take the slow path: no storage yet, or zones are being dropped
 *	else  an address; events that end at or below it are written without further question
 *
 * Drops keep nesting: when a zone's begin finds no room it is dropped with everything inside, which
 * drop_depth counts, and its end is dropped with it.
 */
#ifndef TTP_CLIENT_STREAM_H
#define TTP_CLIENT_STREAM_H

#include <stdatomic.h>
#include <stdint.h>

#include "client/pool.h"
#include "client/record.h"

/* What was dropped, as in struct ttp_stats. */
enum drop_kind {
	DROP_ZONE,
	DROP_TEXT,
	DROP_MESSAGE,
	DROP_PLOT,
	DROP_FRAME,
	DROP_MEMORY,
	DROP_DEVICE,
	DROP_OTHER, /* names and other things that are said once */
	DROP_IN_SIGNAL,
	DROP_UNMATCHED,
	DROP_KINDS
};

enum { STREAM_RECORDING = 0, STREAM_SLOW = 1, STREAM_DEPTH_MAX = 4000 };

struct stream {
	/* The thread's. */
	_Atomic uintptr_t at; /* release: records before it are whole; acquire: the drain */
	_Atomic uintptr_t limit;
	uintptr_t end;   /* of the chunk */
	uintptr_t after; /* what `limit` becomes when the event is written */
	uintptr_t held;  /* the real limit while `limit` is STREAM_SLOW */
	struct chunk *chunk;
	uint32_t drop_depth;
	uint32_t index;
	_Atomic uint32_t below; /* while free: the stream under it, index + 1 */
	_Atomic uint64_t dropped[DROP_KINDS];

	/* The drain's. */
	_Alignas(64) struct chunk *rd_chunk;
	uintptr_t rd_at;
	int64_t last_ticks; /* of the thread: times never go back */
	uint32_t tid;
	uint32_t depth; /* zones open in this session */
	char *part;     /* a long text that is not complete */
	uint32_t part_len;
};

extern struct stream stream_none;
extern _Thread_local struct stream *stream_mine
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

bool stream_init(void);
void stream_reset(void); /* after fork, in the child */
/* The thread of this stream is about to end: others may have its storage. */
void stream_leave(struct stream *s);
/* Streams 0 … n - 1 exist. */
uint32_t stream_count(void);
struct stream *stream_at(uint32_t index);
uint64_t stream_dropped(enum drop_kind kind);

void stream_zone_begin_slow(const void *location);
void stream_zone_end_slow(void);
uint64_t *stream_open_slow(struct stream **s, size_t words, enum drop_kind kind);
/* A record of `head_words` with text of any length behind it, split as needed. */
void stream_put_long(const uint64_t *head, size_t head_words, const char *text, size_t len,
		     enum drop_kind kind);

/* Room for an event; NULL if it is dropped.  Write it, then stream_close(). */
static inline uint64_t *stream_open(struct stream **out, size_t words, enum drop_kind kind)
{
	struct stream *s = stream_mine;
	uintptr_t at = atomic_load_explicit(&s->at, memory_order_relaxed);
	uintptr_t limit = atomic_load_explicit(&s->limit, memory_order_relaxed);

	if (__builtin_expect(at + words * 8 > limit, 0))
		return stream_open_slow(out, words, kind);
	atomic_store_explicit(&s->limit, STREAM_RECORDING, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	s->after = limit;
	*out = s;
	return (uint64_t *)at;
}

static inline void stream_close(struct stream *s, const uint64_t *end)
{
	/* Pairs with the acquire in drain_stream. */
	atomic_store_explicit(&s->at, (uintptr_t)end, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&s->limit, s->after, memory_order_relaxed);
}

#endif /* TTP_CLIENT_STREAM_H */
