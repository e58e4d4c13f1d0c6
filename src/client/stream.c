// SPDX-License-Identifier: Apache-2.0
/* The slow path of recording: storage for a new thread, a new chunk, dropping. */
#include "client/stream.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "client/life.h"
#include "client/settings.h"

enum { STREAMS_MAX = 65536 };

struct stream stream_none = { .limit = STREAM_SLOW };
_Thread_local struct stream *stream_mine = &stream_none;

static struct stream *streams;
static _Atomic uint32_t fresh;
static _Atomic uint64_t free_top; /* as in pool.c */

bool stream_init(void)
{
	void *at = mmap(NULL, STREAMS_MAX * sizeof(struct stream), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return false;
	streams = at;
	return true;
}

void stream_reset(void)
{
	stream_mine = &stream_none;
	memset(&stream_none.dropped, 0, sizeof(stream_none.dropped));
	madvise(streams, STREAMS_MAX * sizeof(struct stream), MADV_DONTNEED);
	atomic_store(&fresh, 0);
	atomic_store(&free_top, 0);
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

static void count(struct stream *s, enum drop_kind kind)
{
	/* On demand, what happens while nobody is there is not missed. */
	if (settings.on_demand && !life_has_reader())
		return;
	atomic_fetch_add_explicit(&s->dropped[kind], 1, memory_order_relaxed);
}

uint64_t stream_dropped(enum drop_kind kind)
{
	uint64_t sum = atomic_load_explicit(&stream_none.dropped[kind], memory_order_relaxed);

	for (uint32_t i = 0; i < stream_count(); i++)
		sum += atomic_load_explicit(&streams[i].dropped[kind], memory_order_relaxed);
	return sum;
}

static struct stream *pop_free(void)
{
	uint64_t was = atomic_load_explicit(&free_top, memory_order_acquire);

	/* Acquire pairs with the release in stream_leave: the thread before is done with it. */
	while ((uint32_t)was) {
		struct stream *s = &streams[(uint32_t)was - 1];
		uint64_t now = ((was >> 32) + 1) << 32 |
			       atomic_load_explicit(&s->below, memory_order_relaxed);

		if (atomic_compare_exchange_weak_explicit(
			    &free_top, &was, now, memory_order_acquire, memory_order_acquire))
			return s;
	}
	return NULL;
}

static void use_chunk(struct stream *s, struct chunk *c, uint32_t open_zones)
{
	s->chunk = c;
	s->end = (uintptr_t)(c->words + CHUNK_WORDS);
	s->held = s->end - (uintptr_t)open_zones * 8;
}

/* A stream that nobody had before. */
static struct stream *make(void)
{
	struct chunk *c = pool_take();
	struct stream *s;
	uint32_t i;

	if (!c)
		return NULL;
	i = atomic_load_explicit(&fresh, memory_order_relaxed);
	do {
		if (i >= STREAMS_MAX) {
			pool_give(c);
			return NULL;
		}
		s = &streams[i];
		/* Prepared by everyone who tries for i, all in the same way but for the chunk; only
		 * the one who gets it sets that. */
	} while (!atomic_compare_exchange_weak_explicit(&fresh, &i, i + 1, memory_order_acq_rel,
							memory_order_relaxed));
	s->index = i;
	use_chunk(s, c, 0);
	s->rd_at = (uintptr_t)c->words;
	atomic_store_explicit(&s->at, (uintptr_t)c->words, memory_order_relaxed);
	/* The drain skips a stream without chunk; this is what it acquires. */
	__atomic_store_n(&s->rd_chunk, c, __ATOMIC_RELEASE);
	return s;
}

/* The next chunk; waits for it if that was asked for and somebody empties them. */
static bool next_chunk(struct stream *s)
{
	uint32_t open_zones = (uint32_t)((s->end - s->held) / 8);
	struct chunk *c = life_accepts() ? pool_take() : NULL, *old = s->chunk;

	while (!c && settings.block && life_accepts() && life_has_reader()) {
		const struct timespec moment = { .tv_nsec = 100000 };

		nanosleep(&moment, NULL);
		c = pool_take();
	}
	if (!c)
		return false;
	old->filled = atomic_load_explicit(&s->at, memory_order_relaxed);
	use_chunk(s, c, open_zones);
	/* Release: `filled` is seen with it.  Acquire: drain_stream. */
	atomic_store_explicit(&old->next, c, memory_order_release);
	atomic_store_explicit(&s->at, (uintptr_t)c->words, memory_order_release);
	return true;
}

/* Enters the slow path; false for a handler that interrupted a recording. */
static bool enter(struct stream *s)
{
	uintptr_t limit = atomic_load_explicit(&s->limit, memory_order_relaxed);

	if (limit == STREAM_RECORDING) {
		count(s, DROP_IN_SIGNAL);
		return false;
	}
	atomic_store_explicit(&s->limit, STREAM_RECORDING, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (limit != STREAM_SLOW)
		s->held = limit;
	return true;
}

static void leave(struct stream *s)
{
	s->after = s->drop_depth ? STREAM_SLOW : s->held;
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&s->limit, s->after, memory_order_relaxed);
}

/* Room for `words`, in this chunk or the next. */
static bool has_room(struct stream *s, size_t words)
{
	return atomic_load_explicit(&s->at, memory_order_relaxed) + words * 8 <= s->held ||
	       next_chunk(s);
}

static void publish(struct stream *s, const uint64_t *end)
{
	atomic_store_explicit(&s->at, (uintptr_t)end, memory_order_release);
}

/* Storage for a thread that has none; it is left entered, or NULL. */
static struct stream *attach(void)
{
	struct stream *s;
	uint64_t *w;

	if (!life_enter())
		return NULL;
	s = pop_free();
	if (!s)
		s = make();
	if (!s)
		return NULL;
	atomic_store_explicit(&s->limit, STREAM_RECORDING, memory_order_relaxed);
	s->drop_depth = 0;
	if (has_room(s, 3)) {
		w = (uint64_t *)atomic_load_explicit(&s->at, memory_order_relaxed);
		w[0] = record_head(RECORD_THREAD, (uint64_t)syscall(SYS_gettid));
		w[1] = w[2] = 0;
		prctl(PR_GET_NAME, &w[1]);
		publish(s, w + 3);
	} else {
		/* Without its name in front nothing of this thread can be told apart. */
		uint64_t was = atomic_load_explicit(&free_top, memory_order_relaxed), now;

		leave(s);
		do {
			atomic_store_explicit(&s->below, (uint32_t)was, memory_order_relaxed);
			now = ((was >> 32) + 1) << 32 | (s->index + 1);
		} while (!atomic_compare_exchange_weak_explicit(
			&free_top, &was, now, memory_order_release, memory_order_relaxed));
		return NULL;
	}
	stream_mine = s;
	life_thread_has(s);
	return s;
}

/* The calling thread's stream, entered; NULL if the event must be dropped. */
static struct stream *enter_mine(enum drop_kind kind)
{
	struct stream *s = stream_mine;

	if (s == &stream_none) {
		s = attach();
		if (!s)
			count(&stream_none, kind);
		return s;
	}
	return enter(s) ? s : NULL;
}

void stream_leave(struct stream *s)
{
	uint64_t was, now;

	stream_mine = &stream_none;
	if (!enter(s))
		return; /* a thread that ends inside of a recording: not seen, but then it keeps its storage */
	s->drop_depth = 0;
	if (s->held < s->end || atomic_load_explicit(&s->at, memory_order_relaxed) + 8 <= s->end) {
		uint64_t *w = (uint64_t *)atomic_load_explicit(&s->at, memory_order_relaxed);

		w[0] = record_head(RECORD_THREAD_GONE, 0);
		publish(s, w + 1);
	}
	s->held = s->end; /* the drain closes what is open */
	leave(s);
	was = atomic_load_explicit(&free_top, memory_order_relaxed);
	do {
		atomic_store_explicit(&s->below, (uint32_t)was, memory_order_relaxed);
		now = ((was >> 32) + 1) << 32 | (s->index + 1);
	} while (!atomic_compare_exchange_weak_explicit(&free_top, &was, now, memory_order_release,
							memory_order_relaxed));
}

void stream_zone_begin_slow(const void *location)
{
	int kept = errno;
	struct stream *s = enter_mine(DROP_ZONE);

	if (!s)
		goto out;
	if (s->drop_depth || (s->end - s->held) / 8 >= STREAM_DEPTH_MAX || !has_room(s, 3)) {
		s->drop_depth++;
		count(s, DROP_ZONE);
	} else {
		uint64_t *w = (uint64_t *)atomic_load_explicit(&s->at, memory_order_relaxed);

		w[0] = record_head(RECORD_ZONE_BEGIN, (uint64_t)(uintptr_t)location);
		w[1] = (uint64_t)ticks_now();
		s->held -= 8;
		publish(s, w + 2);
	}
	leave(s);
out:
	errno = kept;
}

void stream_zone_end_slow(void)
{
	struct stream *s = stream_mine;

	if (s == &stream_none || !enter(s)) {
		if (s == &stream_none)
			count(s, DROP_UNMATCHED);
		return;
	}
	if (s->drop_depth)
		s->drop_depth--;
	else
		count(s, DROP_UNMATCHED);
	leave(s);
}

uint64_t *stream_open_slow(struct stream **out, size_t words, enum drop_kind kind)
{
	int kept = errno;
	struct stream *s = enter_mine(kind);
	uint64_t *w = NULL;

	if (!s)
		goto out;
	if ((kind == DROP_TEXT && s->drop_depth) || !has_room(s, words)) {
		count(s, kind);
		leave(s);
		goto out;
	}
	w = (uint64_t *)atomic_load_explicit(&s->at, memory_order_relaxed);
	s->after = s->drop_depth ? STREAM_SLOW : s->held;
	*out = s;
out:
	errno = kept;
	return w;
}

void stream_put_long(const uint64_t *head, size_t head_words, const char *text, size_t len,
		     enum drop_kind kind)
{
	int kept = errno;
	struct stream *s = enter_mine(kind);
	uint64_t first_part = RECORD_FIRST_PART;

	if (!s)
		goto out;
	if (kind == DROP_TEXT && s->drop_depth) {
		count(s, kind);
		leave(s);
		goto out;
	}
	/* Pieces that a failure leaves behind are forgotten by the drain. */
	for (;;) {
		size_t n = len < RECORD_INLINE_MAX ? len : RECORD_INLINE_MAX;
		size_t first = len > RECORD_INLINE_MAX ? 1 : head_words;
		uint64_t *w;

		if (!has_room(s, first + (n + 7) / 8)) {
			count(s, kind);
			break;
		}
		w = (uint64_t *)atomic_load_explicit(&s->at, memory_order_relaxed);
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
out:
	errno = kept;
}
