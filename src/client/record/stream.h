// SPDX-License-Identifier: Apache-2.0
/*
 * Where a thread puts its events: a chain of chunks with one writer, the thread, and one reader, the
 * drain of the sender.
 *
 *	chunk ─next─► chunk ─next─► chunk
 *	  ▲ rd_at                   │ at                  end │ words end
 *	                            └────────►◄── 8 × depth ─►◄── 24 × device_open
 *
 * What is behind belongs to ends: 8 bytes for each open zone, 24 for each on a device.  So the end of what
 * was begun can always be written, whatever else is full.  Where zones are nested deeper than a chunk has room for, the
 * thread takes the slow path and keeps whole chunks in reserve for their ends.
 *
 * When no chunk is left, a thread may begin its own anew, if the drain has read all of it: `read` is where the
 * drain is, or 0 after that until it has read more; `restarts` is odd while it happens, so that the drain never
 * takes an `at` from before for one from after.
 *
 * One word, `state`, holds where the next record goes and, in its low 16 bits, how many zones are open: an event is shown and counted
 * by one store, and the next one waits for one load.  `busy` says what the thread is doing.  It is set before anything else is
 * read and cleared last, so a signal handler that comes in between sees it, and one that came before has left no trace:
 *	IDLE       events are written without further question
 *	RECORDING  whoever comes now is a handler, and is turned away
 *	SLOW       events take the slow path: no storage yet, zones are being dropped, or time comes from
 *	           a hook, so that the fast path of zones has no call in it and reads the counter
 *
 * Drops keep nesting: when a zone's begin finds no room it is dropped with everything inside, which
 * drop_depth counts, and its end is dropped with it.  On devices the same holds for each lane; a thread
 * remembers up to STREAM_LANES lanes with dropped zones, and the drain ignores ends of nothing.
 */
#ifndef TTP_CLIENT_RECORD_STREAM_H
#define TTP_CLIENT_RECORD_STREAM_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "client/record/pool.h"
#include "client/record/record.h"
#include "wire/tracy.h"

/* What was dropped, as in struct ttp_stats. */
enum drop_kind {
	DROP_ZONE = WIRE_EVENT_ZONE,
	DROP_TEXT = WIRE_EVENT_TEXT,
	DROP_MESSAGE = WIRE_EVENT_MESSAGE,
	DROP_PLOT = WIRE_EVENT_PLOT,
	DROP_FRAME = WIRE_EVENT_FRAME,
	DROP_MEMORY = WIRE_EVENT_MEMORY,
	DROP_DEVICE = WIRE_EVENT_DEVICE,
	DROP_OTHER = WIRE_EVENT_OTHER,
	DROP_LOCK = WIRE_EVENT_LOCK,
	DROP_IN_SIGNAL,
	DROP_UNMATCHED,
	DROP_KINDS
};

enum {
	STREAM_IDLE = 0,
	STREAM_RECORDING = 1,
	STREAM_SLOW = 2,
	STREAM_DEPTH_MAX = 65000,   /* zones that are open at once */
	STREAM_DEPTH_CHUNK = 4000,  /* of these, the ends of which a chunk has room for */
	STREAM_RESERVE_ENDS = 6600, /* that fit into one of the reserve, beside those of devices */
	STREAM_DEVICE_MAX = 500, /* zones on devices, of one thread, whose ends have their room */
	STREAM_LANES = 16,
	STREAM_DEPTH_BITS =
		16, /* the others are enough for an address, where a process does not ask for more */
};

struct stream {
	/* The thread's. */
	_Atomic uint64_t
		state; /* release: records before its address are whole; acquire: the drain */
	uintptr_t end; /* of the chunk, without what device zones have reserved */
	_Atomic uint32_t busy;
	uint32_t after; /* what `busy` becomes when the event is written; IDLE while that is */
	struct chunk *chunk;
	struct chunk *reserve; /* a list, for the ends of zones that are nested deep */
	uint32_t reserved;     /* chunks in it */
	uint32_t drop_depth;
	uint32_t index;
	uint32_t device_open;  /* zones of devices whose ends have room */
	uint32_t device_drops; /* lanes in use below */
	uint32_t fiber;        /* that runs, or should: fiber.h */
	bool fiber_lost;    /* there was no room to say so: nothing is recorded until it leaves */
	uint32_t own_depth; /* meanwhile: zones of the thread itself, whose ends have their room */
	uint32_t own_drops;
	_Atomic uint32_t restarts;
	struct {
		uint64_t who;
		uint64_t depth;
	} lanes[STREAM_LANES];
	_Atomic uint32_t below; /* while free: the stream under it, index + 1 */
	_Atomic uint64_t dropped[DROP_KINDS];

	/* The drain's. */
	_Alignas(64) struct chunk *rd_chunk;
	uintptr_t rd_at;
	_Atomic uintptr_t read; /* release: records before it were read; acquire: the thread */
	uint32_t rd_restarts;
	int64_t last_ticks; /* of the thread: times never go back */
	uint32_t tid;
	uint32_t open;               /* zones open in this session */
	uint32_t rd_fiber, own_open; /* the fiber that runs, and then the thread's own */
	int64_t waits_ticks; /* of the fiber's enter at which it waits for another stream; 0: it does not */
	uint32_t stalled; /* passes for which it was the earliest of those that wait */
	uint32_t edge;    /* of the window: so many are passed */
	char *part;       /* a long text that is not complete */
	uint32_t part_len;
};

extern struct stream stream_none;
extern _Thread_local struct stream *stream_mine
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Main frames so far, also those that nobody wanted (events.c). */
extern _Atomic uint64_t events_frames;

bool stream_init(void);
/* After fork, in the child: nothing was recorded.  If a handler forks that interrupted the recording of an event, what
 * is being written must stay: stream_init is called again, and the thread is detached. */
void stream_reset(void);
bool stream_is_interrupted(void);
void stream_detach(void);
/* The thread of this stream is about to end: others may have its storage. */
void stream_leave(struct stream *s);
/* Streams 0 … n - 1 exist. */
uint32_t stream_count(void);
struct stream *stream_at(uint32_t index);
uint64_t stream_dropped(enum drop_kind kind);
/* When the first and the last event was dropped, in ticks; false: none was. */
bool stream_drop_span(int64_t *first, int64_t *last);
/* Events that were recorded, and that nobody gets. */
void stream_lost(enum drop_kind kind, uint64_t n);
/* For the one who reads: rd_chunk and rd_at are good, and records up to the result are whole; 0: nothing there. */
uintptr_t stream_readable(struct stream *s);
/* Is `at` in this chunk? */
static inline bool stream_is_in(const struct chunk *c, uintptr_t at)
{
	return at >= (uintptr_t)c->words && at <= (uintptr_t)(c->words + CHUNK_WORDS);
}

/* While a fiber runs: bytes for the ends of the thread's own zones, and for the fiber's leave. */
static inline uintptr_t stream_kept_for_fiber(const struct stream *s)
{
	return s->fiber && !s->fiber_lost ? ((uintptr_t)s->own_depth + 1) * 8 : 0;
}

void stream_zone_begin_slow(const void *location);
void stream_zone_end_slow(void);
struct stream *stream_device_begin_slow(uint64_t who);
struct stream *stream_device_end_slow(uint64_t who);
struct stream *stream_open_slow(size_t words, enum drop_kind kind);
/* A record of `head_words`, the second of them its time, with text of any length behind it, split as needed. */
void stream_put_text(enum record_kind kind, uint64_t argument, size_t head_words, const char *text,
		     size_t len, enum drop_kind drop);

static inline uint64_t stream_state(const struct stream *s)
{
	return atomic_load_explicit(&s->state, memory_order_relaxed);
}

static inline uintptr_t stream_top(uint64_t state)
{
	return (uintptr_t)(state >> STREAM_DEPTH_BITS);
}

static inline uint32_t stream_depth(uint64_t state)
{
	return (uint32_t)(state & ((1 << STREAM_DEPTH_BITS) - 1));
}

static inline uint64_t stream_at_depth(const uint64_t *top, uint32_t depth)
{
	return (uint64_t)(uintptr_t)top << STREAM_DEPTH_BITS | depth;
}

/* What `state` becomes by a record of `words`, which opens (1) or closes (-1) a zone. */
static inline uint64_t stream_step(uint64_t state, int words, int zones)
{
	return state + (uint64_t)((int64_t)words * 8 * (1 << STREAM_DEPTH_BITS) + zones);
}

static inline void stream_busy(struct stream *s, uint32_t what)
{
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&s->busy, what, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
}

static inline uint32_t stream_doing(const struct stream *s)
{
	return atomic_load_explicit(&s->busy, memory_order_relaxed);
}

/* Release: pairs with the acquire in stream_readable. */
static inline void stream_set(struct stream *s, uint64_t state)
{
	atomic_store_explicit(&s->state, state, memory_order_release);
}

/* The fast path is free, and now taken; stream_busy(s, STREAM_IDLE) ends it. */
static inline bool stream_enter(struct stream *s, uint64_t *state)
{
	if (__builtin_expect(stream_doing(s) != STREAM_IDLE, 0))
		return false;
	stream_busy(s, STREAM_RECORDING);
	*state = stream_state(s);
	return true;
}

/* Are there `bytes`, beside those for ends? */
static inline bool stream_fits(const struct stream *s, uint64_t state, size_t bytes)
{
	return __builtin_expect(
		stream_top(state) + bytes + (uintptr_t)stream_depth(state) * 8 <= s->end, 1);
}

/* Where the next record goes. */
static inline uint64_t *stream_room(const struct stream *s)
{
	return (uint64_t *)stream_top(stream_state(s));
}

/* A stream with room for an event; NULL if it is dropped.  Write it to stream_room(), then stream_close(). */
static inline struct stream *stream_open(size_t words, enum drop_kind kind)
{
	struct stream *s = stream_mine;
	uint64_t state;

	if (!stream_enter(s, &state))
		return stream_open_slow(words, kind);
	if (!stream_fits(s, state, words * 8)) {
		stream_busy(s, STREAM_IDLE);
		return stream_open_slow(words, kind);
	}
	return s;
}

static inline void stream_close(struct stream *s, const uint64_t *end)
{
	stream_set(s, stream_at_depth(end, stream_depth(stream_state(s))));
	stream_busy(s, s->after);
}

/* For a device zone's begin, 4 words, with 3 kept for its end; `who` is device and lane. */
static inline struct stream *stream_device_begin(uint64_t who)
{
	struct stream *s = stream_mine;
	uint64_t state;

	if (!stream_enter(s, &state))
		return stream_device_begin_slow(who);
	if (!stream_fits(s, state, 56) || s->device_drops || s->device_open >= STREAM_DEVICE_MAX) {
		stream_busy(s, STREAM_IDLE);
		return stream_device_begin_slow(who);
	}
	s->device_open++;
	s->end -= 24;
	return s;
}

/* For its end, 3 words. */
static inline struct stream *stream_device_end(uint64_t who)
{
	struct stream *s = stream_mine;
	uint64_t state;

	if (!stream_enter(s, &state))
		return stream_device_end_slow(who);
	if (!s->device_open || s->device_drops) {
		stream_busy(s, STREAM_IDLE);
		return stream_device_end_slow(who);
	}
	s->device_open--;
	s->end += 24;
	return s;
}

/*
 * A record whose room `open` makes (one of those above), of these one to five words.  They are worked out
 * when there is room: with the first event a clock is chosen, and only then there is a time.
 */
#define STREAM_PUT_AT(open, ...)                                                                  \
	do {                                                                                      \
		struct stream *to = open;                                                         \
                                                                                                  \
		if (to)                                                                           \
			stream_close(to, STREAM_WORDS(stream_room(to), STREAM_COUNT(__VA_ARGS__), \
						      __VA_ARGS__, 0, 0, 0, 0, _));               \
	} while (0)
#define STREAM_COUNT(...)                       (sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)
#define STREAM_WORDS(at, n, a, b, c, d, e, ...) stream_words(at, n, a, b, c, d, e)
#define STREAM_PUT(drop, ...) \
	STREAM_PUT_AT(stream_open(STREAM_COUNT(__VA_ARGS__), drop), __VA_ARGS__)

/*
 * Word by word, from registers: copied from an array they would be read back in pieces larger than they were stored in,
 * which stalls for longer than all the rest takes.
 */
static inline uint64_t *stream_words(uint64_t *at, size_t n, uint64_t a, uint64_t b, uint64_t c,
				     uint64_t d, uint64_t e)
{
	at[0] = a;
	if (n > 1)
		at[1] = b;
	if (n > 2)
		at[2] = c;
	if (n > 3)
		at[3] = d;
	if (n > 4)
		at[4] = e;
	return at + n;
}

static inline uint64_t stream_pointer(const void *at)
{
	return (uint64_t)(uintptr_t)at;
}

#endif /* TTP_CLIENT_RECORD_STREAM_H */
