// SPDX-License-Identifier: Apache-2.0
/* The slow path of recording: storage for a new thread, a new chunk, dropping. */
#include "client/record/stream.h"
#include "client/record/fiber.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "client/life/client_settings.h"
#include "client/life/lifecycle.h"
#include "client/life/system_memory.h"
#include "client/record/free_stack.h"
#include "client/record/ticks.h"

enum { STREAMS_MAX = 65536 };

struct stream stream_none = { .busy = STREAM_SLOW };
_Thread_local struct stream *stream_mine = &stream_none;

/* This thread is getting its storage: a handler that comes now must not get it another. */
static _Thread_local bool attaching __attribute__((tls_model("initial-exec")));

static struct stream *streams;
static unsigned generation; /* of `streams`: a child has its own */
static _Atomic uint32_t fresh;
static struct free_stack gone; /* of threads that ended */

bool stream_init(void)
{
	struct stream *at = own_space(STREAMS_MAX * sizeof(*at));

	if (at)
		streams = at;
	return at;
}

/* When the first and the last event was dropped; 0: none was. */
static _Atomic int64_t first_drop, last_drop;

bool stream_is_interrupted(void)
{
	return attaching || stream_doing(stream_mine) == STREAM_RECORDING;
}

void stream_detach(void)
{
	stream_mine = &stream_none;
	generation++;
	memset(&stream_none.dropped, 0, sizeof(stream_none.dropped));
	atomic_store(&first_drop, 0);
	atomic_store(&last_drop, 0);
	atomic_store(&fresh, 0);
	atomic_store(&gone.top, 0);
}

void stream_reset(void)
{
	stream_detach();
	fiber_reset();
	attaching = false;
	madvise(streams, STREAMS_MAX * sizeof(struct stream), MADV_DONTNEED);
}

uint32_t stream_count(void)
{
	uint32_t n = atomic_load_explicit(&fresh, memory_order_acquire);

	return n < STREAMS_MAX ? n : STREAMS_MAX;
}

struct stream *stream_at(uint32_t index)
{
	return &streams[index];
}

static void note_drop(void)
{
	int64_t now = ticks_peek(), none = 0;

	atomic_store_explicit(&last_drop, now, memory_order_relaxed);
	if (!atomic_load_explicit(&first_drop, memory_order_relaxed))
		(void)atomic_compare_exchange_strong(&first_drop, &none, now);
}

static void count(struct stream *s, enum drop_kind kind)
{
	/* On demand, what happens while nobody is there is not missed. */
	if (settings.on_demand && !life_has_reader())
		return;
	note_drop();
	atomic_fetch_add_explicit(&s->dropped[kind], 1, memory_order_relaxed);
}

bool stream_drop_span(int64_t *first, int64_t *last)
{
	*first = atomic_load(&first_drop);
	*last = atomic_load(&last_drop);
	return *first != 0;
}

void stream_lost(enum drop_kind kind, uint64_t n)
{
	atomic_fetch_add_explicit(&stream_none.dropped[kind], n, memory_order_relaxed);
}

uint64_t stream_dropped(enum drop_kind kind)
{
	uint64_t sum = atomic_load_explicit(&stream_none.dropped[kind], memory_order_relaxed);

	for (uint32_t i = 0; i < stream_count(); i++)
		sum += atomic_load_explicit(&streams[i].dropped[kind], memory_order_relaxed);
	return sum;
}

static _Atomic uint32_t *below_of(uint32_t index)
{
	return &streams[index].below;
}

static void use_chunk(struct stream *s, struct chunk *c)
{
	s->chunk = c;
	s->end = (uintptr_t)(c->words + CHUNK_WORDS) - (uintptr_t)s->device_open * 24 -
		 stream_kept_for_fiber(s);
}

/*
 * May the caller wait for storage, as that was asked for and somebody empties it?  If so, a moment has passed.  A
 * thread must not be cancelled here, inside of an event.
 */
static bool waited(void)
{
	const struct timespec moment = { .tv_nsec = 100000 };
	int before;

	if (!settings.block || !life_accepts(false) || !life_has_reader())
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	nanosleep(&moment, NULL);
	pthread_setcancelstate(before, NULL);
	return true;
}

/* A stream that nobody had before.  Once there are as many as chunks, each may be the only one of a thread that
 * goes on: then one more is made. */
static struct stream *make(void)
{
	struct chunk *c = pool_take();
	struct stream *s;
	uint32_t i;

	if (!c && stream_count() >= pool_capacity())
		c = pool_extra();
	if (!c)
		return NULL;
	if (!free_fresh(&fresh, STREAMS_MAX, &i)) {
		pool_give(c);
		return NULL;
	}
	s = &streams[i];
	s->index = i;
	use_chunk(s, c);
	s->rd_at = (uintptr_t)c->words;
	atomic_store_explicit(&s->state, stream_at_depth(c->words, 0), memory_order_relaxed);
	/* The drain skips a stream without chunk; this is what it acquires. */
	__atomic_store_n(&s->rd_chunk, c, __ATOMIC_RELEASE);
	return s;
}

/* Records up to `end` are whole, and the next one goes there; the thread is still inside of the event. */
static void publish(struct stream *s, const uint64_t *end)
{
	stream_set(s, stream_at_depth(end, stream_depth(stream_state(s))));
}

static void go_on_in(struct stream *s, struct chunk *c)
{
	struct chunk *old = s->chunk;

	old->filled = (uintptr_t)stream_room(s);
	use_chunk(s, c);
	/* Release: `filled` is seen with it.  Acquire: drain_stream. */
	atomic_store_explicit(&old->next, c, memory_order_release);
	publish(s, c->words);
}

/* In the same chunk, if all of it was read. */
static bool begin_anew(struct stream *s)
{
	uint32_t n = atomic_load_explicit(&s->restarts, memory_order_relaxed);

	/* Acquire: the drain is done with the words that we write. */
	if (atomic_load_explicit(&s->read, memory_order_acquire) != (uintptr_t)stream_room(s))
		return false;
	atomic_store_explicit(&s->read, 0, memory_order_relaxed);
	atomic_store_explicit(&s->restarts, n + 1, memory_order_relaxed);
	publish(s, s->chunk->words);
	atomic_store_explicit(&s->restarts, n + 2, memory_order_release);
	return true;
}

uintptr_t stream_readable(struct stream *s)
{
	uint32_t n = atomic_load_explicit(&s->restarts, memory_order_acquire);
	uintptr_t at;

	/* Acquire pairs with the releases of the recording thread. */
	if (!__atomic_load_n(&s->rd_chunk, __ATOMIC_ACQUIRE))
		return 0;
	at = stream_top(atomic_load_explicit(&s->state, memory_order_acquire));
	/* In the middle of it, or just done: what was there is read, and what comes is for the next pass. */
	if (n & 1 || n != atomic_load_explicit(&s->restarts, memory_order_relaxed))
		return 0;
	if (n != s->rd_restarts) {
		s->rd_restarts = n;
		s->rd_at = (uintptr_t)s->rd_chunk->words;
	}
	return at;
}

/* Goes on in another chunk; false if there is none.  On demand, while nobody is there, only what is said once is
 * kept. */
static bool next_chunk(struct stream *s, enum drop_kind kind)
{
	while (life_accepts(kind == DROP_OTHER)) {
		struct chunk *c = pool_take();

		if (c) {
			go_on_in(s, c);
			return true;
		}
		if (begin_anew(s))
			return true;
		if (!waited())
			break;
	}
	return false;
}

/* Enters the slow path; false for a handler that interrupted a recording. */
static bool enter(struct stream *s)
{
	if (stream_doing(s) == STREAM_RECORDING) {
		count(s, DROP_IN_SIGNAL);
		return false;
	}
	stream_busy(s, STREAM_RECORDING);
	return true;
}

static void choose_path(struct stream *s)
{
	s->after = s->drop_depth || ticks_hook || s->reserve ? STREAM_SLOW : STREAM_IDLE;
}

static void leave(struct stream *s)
{
	choose_path(s);
	stream_busy(s, s->after);
}

static void keep_in_reserve(struct stream *s, struct chunk *c)
{
	atomic_store_explicit(&c->next, s->reserve, memory_order_relaxed);
	s->reserve = c;
	s->reserved++;
}

static struct chunk *out_of_reserve(struct stream *s)
{
	struct chunk *c = s->reserve;

	s->reserve = atomic_load_explicit(&c->next, memory_order_relaxed);
	s->reserved--;
	atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
	return c;
}

/* Gives back what is not needed any more. */
static void thin_reserve(struct stream *s)
{
	uint32_t depth = stream_depth(stream_state(s));

	/* Some further than where it was begun, so that it is not taken and given with each zone there. */
	if (s->reserve && depth < STREAM_DEPTH_CHUNK / 2 && stream_fits(s, stream_state(s), 0))
		while (s->reserve)
			pool_give(out_of_reserve(s));
}

/* Are there `words` in this chunk, so that the ends of all that is open still fit behind them or into the reserve? */
static bool fits_deep(const struct stream *s, size_t words)
{
	uintptr_t at = (uintptr_t)stream_room(s) + words * 8;
	uint64_t ends = (uint64_t)s->reserved * STREAM_RESERVE_ENDS;

	return at <= s->end && (s->end - at) / 8 + ends >= stream_depth(stream_state(s));
}

/* For zones that are nested so deep that a chunk would have little room beside their ends. */
static bool has_room_deep(struct stream *s, size_t words, enum drop_kind kind)
{
	while (s->reserved < STREAM_DEPTH_MAX / STREAM_RESERVE_ENDS + 1 &&
	       (uint64_t)s->reserved * STREAM_RESERVE_ENDS <= stream_depth(stream_state(s))) {
		struct chunk *c = life_accepts(false) ? pool_take() : NULL;

		if (c)
			keep_in_reserve(s, c);
		else if (!waited())
			return false;
	}
	return fits_deep(s, words) || next_chunk(s, kind);
}

/* Room for `words`, in this chunk or the next. */
static bool has_room(struct stream *s, size_t words, enum drop_kind kind)
{
	if (s->reserve || stream_depth(stream_state(s)) >= STREAM_DEPTH_CHUNK)
		return has_room_deep(s, words, kind);
	return stream_fits(s, stream_state(s), words * 8) || next_chunk(s, kind);
}

/* With a scripted clock a number that is the same in every run, if the order of threads is. */
static uint64_t thread_id(const struct stream *s)
{
	pid_t tid = (pid_t)syscall(SYS_gettid);

	if (ticks_kind() != 2)
		return (uint64_t)tid;
	return tid == getpid() ? 1 : s->index + 2u;
}

/* Storage for a thread that has none; it is left entered, or NULL. */
static struct stream *attach(enum drop_kind kind)
{
	unsigned mine = generation;
	struct stream *s;
	uint64_t *w;

	if (!life_enter() || !life_accepts(kind == DROP_OTHER))
		return NULL;
	do {
		uint32_t n = free_pop(&gone, below_of);

		s = n ? &streams[n - 1] : make();
	} while (!s && waited());
	if (!s)
		return NULL;
	stream_busy(s, STREAM_RECORDING);
	s->drop_depth = s->device_drops = 0;
	if (has_room(s, 3, kind)) {
		w = stream_room(s);
		w[0] = record_head(RECORD_THREAD, thread_id(s));
		w[1] = w[2] = 0;
		prctl(PR_GET_NAME, &w[1]);
		publish(s, w + 3);
	} else {
		/* Without its name in front nothing of this thread can be distinguished. */
		leave(s);
		if (mine == generation)
			free_push(&gone, s->index, &s->below);
		return NULL;
	}
	atomic_signal_fence(memory_order_seq_cst);
	if (mine != generation)
		return NULL; /* a handler forked, and this is the parent's */
	stream_mine = s;
	life_thread_has(s);
	return s;
}

/* The calling thread's stream, entered; NULL if the event must be dropped. */
static struct stream *enter_mine(enum drop_kind kind)
{
	struct stream *s = stream_mine;

	if (s == &stream_none) {
		if (attaching) {
			count(&stream_none, DROP_IN_SIGNAL);
			return NULL;
		}
		attaching = true;
		atomic_signal_fence(memory_order_seq_cst);
		s = attach(kind);
		atomic_signal_fence(memory_order_seq_cst);
		attaching = false;
		if (!s)
			count(&stream_none, kind);
		return s;
	}
	return enter(s) ? s : NULL;
}

void stream_leave(struct stream *s)
{
	uint64_t *w;

	fiber_leave_thread(s);
	stream_mine = &stream_none;
	if (!enter(s))
		return; /* a thread that ends inside of a recording keeps its storage */
	/* The drain closes what is open; what was kept for that is free again. */
	s->drop_depth = s->device_open = s->device_drops = 0;
	while (s->reserve)
		pool_give(out_of_reserve(s));
	s->end = (uintptr_t)(s->chunk->words + CHUNK_WORDS);
	stream_set(s, stream_at_depth(stream_room(s), 0));
	if (stream_fits(s, stream_state(s), 8)) {
		w = stream_room(s);
		w[0] = record_head(RECORD_THREAD_GONE, (uint64_t)ticks_peek());
		publish(s, w + 1);
	}
	leave(s);
	free_push(&gone, s->index, &s->below);
}

void stream_zone_begin_slow(const void *location)
{
	KEEP_ERRNO;
	struct stream *s = enter_mine(DROP_ZONE);

	if (!s)
		return;
	if (s->drop_depth || stream_depth(stream_state(s)) >= STREAM_DEPTH_MAX ||
	    !has_room(s, 3, DROP_ZONE)) {
		s->drop_depth++;
		count(s, DROP_ZONE);
	} else {
		uint64_t *w = stream_room(s);

		w[0] = record_head(RECORD_ZONE_BEGIN, (uint64_t)(uintptr_t)location);
		w[1] = (uint64_t)ticks_now();
		stream_set(s, stream_step(stream_state(s), 2, 1));
	}
	leave(s);
}

void stream_zone_end_slow(void)
{
	struct stream *s = stream_mine;

	if (s == &stream_none || !enter(s)) {
		if (s == &stream_none)
			count(s, attaching ? DROP_IN_SIGNAL : DROP_UNMATCHED);
		return;
	}
	if (s->drop_depth) {
		s->drop_depth--;
	} else if (stream_depth(stream_state(s))) {
		uint64_t *w;

		if ((uintptr_t)stream_room(s) + 8 > s->end)
			go_on_in(s, out_of_reserve(s)); /* there is one: see has_room_deep */
		w = stream_room(s);
		w[0] = record_head(RECORD_ZONE_END, (uint64_t)ticks_now());
		stream_set(s, stream_step(stream_state(s), 1, -1));
		thin_reserve(s);
	} else {
		count(s, DROP_UNMATCHED);
	}
	leave(s);
}

/* Room was made: where to write. */
static struct stream *opened(struct stream *s)
{
	choose_path(s);
	return s;
}

static struct stream *dropped(struct stream *s, enum drop_kind kind)
{
	count(s, kind);
	leave(s);
	return NULL;
}

struct stream *stream_open_slow(size_t words, enum drop_kind kind)
{
	KEEP_ERRNO;
	struct stream *s = enter_mine(kind);

	if (!s)
		return NULL;
	if ((kind == DROP_TEXT && s->drop_depth) || !has_room(s, words, kind))
		return dropped(s, kind);
	return opened(s);
}

/* The index of the lane among those with dropped zones, or STREAM_LANES. */
static unsigned lane_of(const struct stream *s, uint64_t who)
{
	unsigned i = 0;

	if (!s->device_drops)
		return STREAM_LANES;
	while (i < STREAM_LANES && !(s->lanes[i].depth && s->lanes[i].who == who))
		i++;
	return i;
}

struct stream *stream_device_begin_slow(uint64_t who)
{
	KEEP_ERRNO;
	struct stream *s = enter_mine(DROP_DEVICE);
	unsigned lane;

	if (!s)
		return NULL;
	lane = lane_of(s, who);
	if (lane < STREAM_LANES) {
		s->lanes[lane].depth++;
		return dropped(s, DROP_DEVICE);
	}
	if (!has_room(s, 7, DROP_DEVICE)) {
		for (lane = 0; lane < STREAM_LANES && s->lanes[lane].depth; lane++)
			;
		if (lane < STREAM_LANES) {
			s->lanes[lane].who = who;
			s->lanes[lane].depth = 1;
			s->device_drops++;
		}
		return dropped(s, DROP_DEVICE);
	}
	/* So many are open at once, or end on other threads: these ends take what room there is. */
	if (s->device_open < STREAM_DEVICE_MAX) {
		s->device_open++;
		s->end -= 24;
	}
	return opened(s);
}

struct stream *stream_device_end_slow(uint64_t who)
{
	KEEP_ERRNO;
	struct stream *s = enter_mine(DROP_DEVICE);
	unsigned lane;

	if (!s)
		return NULL;
	lane = lane_of(s, who);
	if (lane < STREAM_LANES) {
		if (!--s->lanes[lane].depth)
			s->device_drops--;
		leave(s);
		return NULL;
	}
	if (s->device_open) {
		s->device_open--;
		s->end += 24;
	} else if (!has_room(s, 3, DROP_DEVICE)) {
		/* Begun on another thread, and no room here: the server sees it end with its lane. */
		return dropped(s, DROP_DEVICE);
	}
	return opened(s);
}

static void put_long(uint64_t *head, size_t head_words, const char *text, size_t len,
		     enum drop_kind kind)
{
	KEEP_ERRNO;
	struct stream *s = enter_mine(kind);
	uint64_t first_part = RECORD_FIRST_PART;

	if (!s)
		return;
	if (kind == DROP_TEXT && s->drop_depth) {
		(void)dropped(s, kind);
		return;
	}
	if (head_words > 1)
		head[1] = (uint64_t)ticks_now();
	/* Pieces that a failure leaves behind are forgotten by the drain. */
	for (;;) {
		size_t n = len < RECORD_INLINE_MAX ? len : RECORD_INLINE_MAX;
		size_t first = len > RECORD_INLINE_MAX ? 1 : head_words;
		uint64_t *w;

		if (!has_room(s, first + (n + 7) / 8, kind)) {
			count(s, kind);
			break;
		}
		w = stream_room(s);
		if (len > RECORD_INLINE_MAX) {
			w[0] = record_head(RECORD_PART, n | first_part);
			first_part = 0;
		} else {
			memcpy(w, head, head_words * 8);
			w[0] = (w[0] & ~((uint64_t)RECORD_TEXT_MASK << 8)) | (uint64_t)n << 8;
		}
		memcpy(w + first, text, n);
		publish(s, w + first + (n + 7) / 8);
		if (len <= RECORD_INLINE_MAX)
			break;
		text += n;
		len -= n;
	}
	leave(s);
}

void stream_put_text(enum record_kind kind, uint64_t argument, size_t head_words, const char *text,
		     size_t len, enum drop_kind drop)
{
	struct stream *s;
	uint64_t *w;

	if (!text)
		len = 0;
	if (len > RECORD_INLINE_MAX) {
		/* Its time is taken there: this may be the first event, and the clock not chosen. */
		uint64_t head[2] = { record_head(kind, argument) };

		put_long(head, head_words, text, len < RECORD_TEXT_MAX ? len : RECORD_TEXT_MAX,
			 drop);
		return;
	}
	s = stream_open(head_words + (len + 7) / 8, drop);
	if (!s)
		return;
	w = stream_room(s);
	w[0] = record_head(kind, argument | len);
	if (head_words > 1)
		w[1] = (uint64_t)ticks_now();
	if (len)
		memcpy(w + head_words, text, len);
	stream_close(s, w + head_words + (len + 7) / 8);
}
