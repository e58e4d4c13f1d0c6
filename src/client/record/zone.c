// SPDX-License-Identifier: Apache-2.0
/*
 * Zones: the hot path.  A mark, a comparison, the record with its time stamp, and a release; everything else is in
 * stream.c.  Measured by bench/bench_client.c against two reads of the timer alone.
 */
#include "ttp/client.h"

#include <string.h>

#include "client/record/stream.h"
#include "client/record/ticks.h"

__attribute__((aligned(64))) void ttp_zone_begin(const struct ttp_location *location)
{
	struct stream *s = stream_mine;
	uint64_t state, *w;

	if (!stream_enter(s, &state)) {
		stream_zone_begin_slow(location);
		return;
	}
	/* 16 bytes now, and 8 that are kept for the end. */
	if (!stream_fits(s, state, 24)) {
		stream_busy(s, STREAM_IDLE);
		stream_zone_begin_slow(location);
		return;
	}
	w = (uint64_t *)stream_top(state);
	/* The chunk was last read by the sender, on another core: ask for what comes next while the timer is
	 * read. */
	pool_prefetch(w + 64);
	w[0] = record_head(RECORD_ZONE_BEGIN, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)ticks_counter();
	stream_set(s, stream_step(state, 2, 1));
	stream_busy(s, STREAM_IDLE);
}

__attribute__((aligned(64))) void ttp_zone_end(void)
{
	struct stream *s = stream_mine;
	uint64_t state, *w;

	if (!stream_enter(s, &state)) {
		stream_zone_end_slow();
		return;
	}
	if (__builtin_expect(!stream_depth(state), 0)) {
		stream_busy(s, STREAM_IDLE);
		stream_zone_end_slow();
		return;
	}
	w = (uint64_t *)stream_top(state);
	w[0] = record_head(RECORD_ZONE_END, (uint64_t)ticks_counter());
	stream_set(s, stream_step(state, 1, -1));
	stream_busy(s, STREAM_IDLE);
}

__attribute__((aligned(64))) void ttp_zone_next(const struct ttp_location *location)
{
	struct stream *s = stream_mine;
	uint64_t state, *w, now;

	if (!stream_enter(s, &state)) {
		ttp_zone_end();
		ttp_zone_begin(location);
		return;
	}
	/* The end's 8 bytes become the next one's. */
	if (!stream_fits(s, state, 24) || !stream_depth(state)) {
		stream_busy(s, STREAM_IDLE);
		ttp_zone_end();
		ttp_zone_begin(location);
		return;
	}
	w = (uint64_t *)stream_top(state);
	pool_prefetch(w + 64);
	now = (uint64_t)ticks_counter();
	w[0] = record_head(RECORD_ZONE_END, now);
	w[1] = record_head(RECORD_ZONE_BEGIN, (uint64_t)(uintptr_t)location);
	w[2] = now;
	stream_set(s, stream_step(state, 3, 0));
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
