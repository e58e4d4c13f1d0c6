// SPDX-License-Identifier: Apache-2.0
/*
 * big_trace WHAT N: records N plots, zones, source locations, threads, or zones inside of each other, for
 * tests/faults/run_budgets; with TTP_FILE they are a spool.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/client.h>

static const struct ttp_location place = { "zone", "main", "x.c", 1, 0 };

static void plot(long i)
{
	char name[32], *kept;

	snprintf(name, sizeof(name), "plot %ld", i);
	kept = strdup(name); /* names are read later */
	if (kept)
		ttp_plot_int(kept, i);
}

static void location(long i)
{
	char name[32];
	int n = snprintf(name, sizeof(name), "name %ld", i);

	ttp_zone_begin_text(name, (size_t)n, "main", 4, "x.c", 3, 1, 0);
	ttp_zone_end();
}

static void *thread(void *none)
{
	ttp_zone_begin(&place);
	ttp_zone_end();
	return none;
}

static void one(const char *what, long i)
{
	pthread_t t;

	if (!strcmp(what, "plots")) {
		plot(i);
	} else if (!strcmp(what, "locations")) {
		location(i);
	} else if (!strcmp(what, "messages")) {
		ttp_message("a message", 9);
	} else if (!strcmp(what, "threads")) {
		if (!pthread_create(&t, NULL, thread, NULL))
			pthread_join(t, NULL);
	} else {
		ttp_zone_begin(&place);
		if (!strcmp(what, "zones"))
			ttp_zone_end();
	}
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (n <= 0)
		return 2;
	for (long i = 0; i < n; i++)
		one(argv[1], i);
	for (long i = 0; !strcmp(argv[1], "deep") && i < n; i++)
		ttp_zone_end();
	return 0;
}
