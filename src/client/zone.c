// SPDX-License-Identifier: Apache-2.0
/*
 * Zones: the hot path.  Two loads, a comparison, the record with its time stamp, and a release; everything
 * else is in stream.c.  Measured by bench/bench_client.c against two reads of the timer alone.
 */
#include "ttp/client.h"

#include <string.h>

#include "client/stream.h"
#include "client/ticks.h"

void ttp_zone_begin(const struct ttp_location *location)
{
	struct stream *s = stream_mine;
	uintptr_t at = atomic_load_explicit(&s->at, memory_order_relaxed);
	uintptr_t limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
	uint64_t *w = (uint64_t *)at;

	/* 16 bytes now, and 8 that are kept for the end. */
	if (__builtin_expect(at + 24 > limit, 0)) {
		stream_zone_begin_slow(location);
		return;
	}
	atomic_store_explicit(&s->limit, STREAM_RECORDING, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	w[0] = record_head(RECORD_ZONE_BEGIN, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)ticks_now();
	/* Pairs with the acquire in drain_stream. */
	atomic_store_explicit(&s->at, at + 16, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&s->limit, limit - 8, memory_order_relaxed);
}

void ttp_zone_end(void)
{
	struct stream *s = stream_mine;
	uintptr_t limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
	uintptr_t at;

	/* Nothing is open, or `limit` is no address (0 and 1 become huge here). */
	if (__builtin_expect(limit - 2 >= s->end - 2, 0)) {
		stream_zone_end_slow();
		return;
	}
	atomic_store_explicit(&s->limit, STREAM_RECORDING, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	at = atomic_load_explicit(&s->at, memory_order_relaxed);
	*(uint64_t *)at = record_head(RECORD_ZONE_END, (uint64_t)ticks_now());
	atomic_store_explicit(&s->at, at + 8, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&s->limit, limit + 8, memory_order_relaxed);
}

static void put_text(enum record_kind kind, const char *text, size_t len)
{
	struct stream *s;
	uint64_t *w;

	if (len > RECORD_INLINE_MAX) {
		uint64_t head = record_head(kind, 0);

		stream_put_long(&head, 1, text, len < RECORD_TEXT_MAX ? len : RECORD_TEXT_MAX,
				DROP_TEXT);
		return;
	}
	w = stream_open(&s, 1 + (len + 7) / 8, DROP_TEXT);
	if (!w)
		return;
	w[0] = record_head(kind, len);
	memcpy(w + 1, text, len);
	stream_close(s, w + 1 + (len + 7) / 8);
}

void ttp_zone_text(const char *text, size_t len)
{
	put_text(RECORD_ZONE_TEXT, text, len);
}

void ttp_zone_name(const char *name, size_t len)
{
	put_text(RECORD_ZONE_NAME, name, len);
}

void ttp_zone_color(uint32_t color)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 1, DROP_TEXT);

	if (!w)
		return;
	w[0] = record_head(RECORD_ZONE_COLOR, color);
	stream_close(s, w + 1);
}

void ttp_zone_value(uint64_t value)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 2, DROP_TEXT);

	if (!w)
		return;
	w[0] = record_head(RECORD_ZONE_VALUE, 0);
	w[1] = value;
	stream_close(s, w + 2);
}
