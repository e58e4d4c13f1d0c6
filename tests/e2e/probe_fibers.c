// SPDX-License-Identifier: Apache-2.0
/* Fibers that go from thread to thread: each of the first argument's many runs ends a zone that the run before began. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <ttp/client.h>

enum { FIBERS = 6, THREADS = 3 };

static const struct ttp_location whole = { "whole", "fibers", "probe_fibers.c", 1, 0 };
static const struct ttp_location part = { "part", "fibers", "probe_fibers.c", 2, 0 };
static const struct ttp_location inside = { "inside", "fibers", "probe_fibers.c", 3, 0 };
static const struct ttp_location own = { "own", "fibers", "probe_fibers.c", 4, 0 };

/* Two have the same text: they are known by address. */
static const char names[FIBERS][8] = { "one", "two", "three", "four", "same", "same" };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done[FIBERS];
static bool busy[FIBERS];
static int runs;

/* One that nobody runs and that is not at its end; -1: none now, -2: all are over. */
static int take(int from)
{
	int found = -2;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < FIBERS && found < 0; i++) {
		int f = (from + i) % FIBERS;

		if (done[f] == runs)
			continue;
		found = busy[f] ? -1 : f;
	}
	if (found >= 0)
		busy[found] = true;
	pthread_mutex_unlock(&lock);
	return found;
}

static void give(int f)
{
	pthread_mutex_lock(&lock);
	done[f]++;
	busy[f] = false;
	pthread_mutex_unlock(&lock);
}

static void run(int f)
{
	int n = done[f];

	ttp_fiber_enter(names[f], f);
	if (n)
		ttp_zone_end(); /* of the run before */
	else
		ttp_zone_begin(&whole);
	ttp_zone_begin(&inside);
	ttp_zone_end();
	if (n + 1 < runs)
		ttp_zone_begin(&part);
	else
		ttp_zone_end();
}

static void *thread(void *arg)
{
	int f, from = (int)(long)arg;

	ttp_thread_name("carrier");
	ttp_zone_begin(&own);
	while ((f = take(from++)) != -2) {
		if (f < 0)
			continue;
		run(f);
		ttp_fiber_leave();
		give(f);
		ttp_zone_begin(&own);
		ttp_zone_end();
	}
	ttp_zone_end();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[THREADS];

	runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 10;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)i))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
