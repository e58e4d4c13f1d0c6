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
	uintptr_t top;
	uint64_t *w;

	if (!stream_is_idle(s)) {
		stream_zone_begin_slow(location);
		return;
	}
	stream_busy(s, STREAM_RECORDING);
	top = stream_top(s);
	/* 16 bytes now, and 8 that are kept for the end. */
	if (__builtin_expect(top + 24 + (uintptr_t)s->depth * 8 > s->end, 0)) {
		stream_busy(s, STREAM_IDLE);
		stream_zone_begin_slow(location);
		return;
	}
	w = (uint64_t *)top;
	/* The chunk was last read by the sender, on another core: ask for what comes next while the timer is
	 * read. */
	stream_prefetch(w + 64);
	w[0] = record_head(RECORD_ZONE_BEGIN, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)ticks_counter();
	s->depth++;
	/* Pairs with the acquire in drain_stream. */
	atomic_store_explicit(&s->at, (uintptr_t)(w + 2), memory_order_release);
	stream_busy(s, STREAM_IDLE);
}

void ttp_zone_end(void)
{
	struct stream *s = stream_mine;
	uint64_t *w;

	if (!stream_is_idle(s)) {
		stream_zone_end_slow();
		return;
	}
	stream_busy(s, STREAM_RECORDING);
	if (__builtin_expect(!s->depth, 0)) {
		stream_busy(s, STREAM_IDLE);
		stream_zone_end_slow();
		return;
	}
	w = (uint64_t *)stream_top(s);
	w[0] = record_head(RECORD_ZONE_END, (uint64_t)ticks_counter());
	s->depth--;
	atomic_store_explicit(&s->at, (uintptr_t)(w + 1), memory_order_release);
	stream_busy(s, STREAM_IDLE);
}

static void put_text(enum record_kind kind, const char *text, size_t len)
{
	struct stream *s;
	uint64_t *w;

	if (!text)
		len = 0;
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
	if (len)
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
