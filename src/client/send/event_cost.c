// SPDX-License-Identifier: Apache-2.0
#include "client/send/event_cost.h"

#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { ROUNDS = 8, ZONES = 64, STEPS = 200 };

static uint64_t smallest_step(void)
{
	int64_t before = ticks_now(), best = INT64_MAX;

	for (int i = 0; i < STEPS; i++) {
		int64_t now = ticks_now();

		if (now > before && now - before < best)
			best = now - before;
		before = now;
	}
	return best < INT64_MAX ? (uint64_t)best : 1;
}

/* Zones as a program records them, into a stream that nobody reads; the best of a few rounds. */
static uint64_t of_an_event(void)
{
	static const struct ttp_location here = { "cost", "cost", __FILE__, __LINE__, 0 };
	static uint64_t words[ZONES * 3];
	static struct stream scratch;
	int64_t best = INT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		int64_t start, took;

		scratch = (struct stream){ .state = stream_at_depth(words, 0),
					   .end = (uintptr_t)(words + ZONES * 3),
					   .busy = ticks_hook ? STREAM_SLOW : STREAM_IDLE };
		stream_mine = &scratch;
		start = ticks_now();
		for (int k = 0; k < ZONES; k++) {
			ttp_zone_begin(&here);
			ttp_zone_end();
		}
		took = ticks_now() - start;
		stream_mine = &stream_none;
		if (took < best)
			best = took;
	}
	best /= (int64_t)ZONES * 2;
	return best > 0 ? (uint64_t)best : 1;
}

struct cost cost_measured(void)
{
	static struct cost cost;

	/* A program's own clock is not called more often than needed: it may count. */
	if (ticks_kind())
		return (struct cost){ .step_ticks = 1 };
	if (!cost.step_ticks) {
		cost.event_ticks = of_an_event();
		cost.step_ticks = smallest_step();
	}
	return cost;
}
