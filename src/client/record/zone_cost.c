// SPDX-License-Identifier: Apache-2.0
/*
 * What a zone costs here and now.  Zones are recorded as always, but into a stream that nobody reads; signals wait for
 * these microseconds, because what their handlers record would go there, too.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { BATCHES = 8, ZONES = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk scratch;
static struct stream stream;

static int64_t raw_ns(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t batch(void)
{
	static const struct ttp_location here = { "cost", "ttp_zone_cost_ns", __FILE__, __LINE__,
						  0 };
	int64_t start;

	stream_set(&stream, stream_at_depth(scratch.words, 0));
	start = raw_ns();
	for (int i = 0; i < ZONES; i++) {
		ttp_zone_begin(&here);
		ttp_zone_end();
	}
	return raw_ns() - start;
}

double ttp_zone_cost_ns(void)
{
	struct stream *mine = stream_mine;
	int64_t best = INT64_MAX;
	sigset_t all, before;

	if (mine == &stream_none || ticks_kind() == 2)
		return 0; /* nothing was recorded yet; or time is a count of calls */
	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return 0;
	pthread_mutex_lock(&lock);
	memset(&stream, 0, sizeof(stream));
	stream.chunk = &scratch;
	stream.end = (uintptr_t)(scratch.words + CHUNK_WORDS);
	stream.busy = ticks_hook ? STREAM_SLOW : STREAM_IDLE;
	stream_mine = &stream;
	for (int i = 0; i < BATCHES; i++) {
		int64_t took = batch();

		best = took < best ? took : best;
	}
	stream_mine = mine;
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return (double)best / ZONES;
}
