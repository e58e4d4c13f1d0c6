// SPDX-License-Identifier: Apache-2.0
/* What a zone costs here and now.  Zones are recorded as always, but into a stream that nobody reads. */
#include "client/send/sender.h"

#include <pthread.h>
#include <signal.h>

#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { ROUNDS = 8, ZONES = 64, STEPS = 200 };

/* Of ZONES zones, by a clock; the best of a few rounds. */
static int64_t best_round(int64_t (*now)(void))
{
	static const struct ttp_location here = { "cost", "ttp_zone_cost_ns", __FILE__, __LINE__,
						  0 };
	struct stream *mine = stream_mine, scratch;
	uint64_t words[ZONES * 3];
	int64_t best = INT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		int64_t start, took;

		scratch = (struct stream){ .state = stream_at_depth(words, 0),
					   .end = (uintptr_t)(words + ZONES * 3),
					   .busy = ticks_hook ? STREAM_SLOW : STREAM_IDLE };
		stream_mine = &scratch;
		start = now();
		for (int k = 0; k < ZONES; k++) {
			ttp_zone_begin(&here);
			ttp_zone_end();
		}
		took = now() - start;
		stream_mine = mine;
		best = took < best ? took : best;
	}
	return best;
}

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

struct cost cost_measured(void)
{
	static struct cost cost;

	/* A program's own clock is not called more often than needed: it may count. */
	if (ticks_kind())
		return (struct cost){ .step_ticks = 1 };
	if (!cost.step_ticks) {
		int64_t of_an_event = best_round(ticks_now) / (ZONES * 2);

		cost.event_ticks = of_an_event > 0 ? (uint64_t)of_an_event : 1;
		cost.step_ticks = smallest_step();
	}
	return cost;
}

double ttp_zone_cost_ns(void)
{
	sigset_t all, before;
	int64_t best;

	if (stream_mine == &stream_none || ticks_kind() == 2)
		return 0; /* nothing was recorded yet; or time is a count of calls */
	/* What handlers record would go there, too: signals wait for these microseconds. */
	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return 0;
	best = best_round(raw_ns);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return (double)best / ZONES;
}
