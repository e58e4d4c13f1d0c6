// SPDX-License-Identifier: Apache-2.0
/* zones TRACE: how often each host zone ran and how long it took, the longest first; a first program with ttp/trace.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/trace.h>

struct zone_sum {
	char name[64];
	int64_t time_ns;
	unsigned count;
};

static struct zone_sum sums[256];
static size_t used;

static void add(void *ctx, const struct ttprof_zone *z)
{
	size_t i = 0;

	(void)ctx;
	while (i < used && strncmp(sums[i].name, z->name, sizeof(sums[i].name) - 1) != 0)
		i++;
	if (i == sizeof(sums) / sizeof(*sums) || z->device || z->end_ns == TTPROF_NOT_ENDED)
		return;
	if (i == used)
		snprintf(sums[used++].name, sizeof(sums[i].name), "%s", z->name);
	sums[i].time_ns += z->end_ns - z->start_ns;
	sums[i].count++;
}

static int longest_first(const void *a, const void *b)
{
	const struct zone_sum *x = a, *y = b;

	return (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);
}

int main(int argc, char **argv)
{
	struct ttprof_trace_sink sink = { .size = sizeof(sink), .zone = add };
	struct ttprof_error why;
	int rc;

	if (argc != 2) {
		fprintf(stderr, "usage: zones TRACE\n");
		return 2;
	}
	rc = ttprof_trace_walk(argv[1], &sink, &why);
	if (why.code)
		fprintf(stderr, "zones: %s\n", why.text);
	qsort(sums, used, sizeof(*sums), longest_first);
	for (size_t i = 0; i < used; i++)
		printf("%8u x %-32s %12.3f us\n", sums[i].count, sums[i].name,
		       (double)sums[i].time_ns / 1000);
	return rc ? 1 : 0;
}
