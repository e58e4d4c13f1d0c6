// SPDX-License-Identifier: Apache-2.0
/*
 * Zones: the hot path.  A mark, a comparison, the record with its time stamp, and a release; everything else is in
 * stream.c.  Measured by bench/bench_client.c against two reads of the timer alone.
 */
#include "ttp/client.h"

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

void ttp_zone_text(const char *text, size_t len)
{
	stream_put_text(RECORD_ZONE_TEXT, 0, 1, text, len, DROP_TEXT);
}

void ttp_zone_name(const char *name, size_t len)
{
	stream_put_text(RECORD_ZONE_NAME, 0, 1, name, len, DROP_TEXT);
}

void ttp_zone_color(uint32_t color)
{
	STREAM_PUT(DROP_TEXT, record_head(RECORD_ZONE_COLOR, color));
}

void ttp_zone_value(uint64_t value)
{
	STREAM_PUT(DROP_TEXT, record_head(RECORD_ZONE_VALUE, 0), value);
}
