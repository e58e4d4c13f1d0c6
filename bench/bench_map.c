// SPDX-License-Identifier: Apache-2.0
/* ns per call of the dictionaries, one JSON line each: best and median of N rounds. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/map.h"

enum { CALLS = 200000, ROUNDS = 15 };

static struct str calls[CALLS];

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void show(const char *what, unsigned distinct, double *took)
{
	qsort(took, ROUNDS, sizeof(*took), by_value);
	printf("{\"bench\": \"%s\", \"distinct\": %u, \"best_ns\": %.1f, \"median_ns\": %.1f}\n",
	       what, distinct, took[0], took[ROUNDS / 2]);
}

static void measure(unsigned distinct)
{
	double took[ROUNDS];
	struct arena a = { 0 };
	char text[64];

	for (int i = 0; i < CALLS; i++) {
		int n = snprintf(text, sizeof(text), "ttnn::operations::matmul_%u",
				 (unsigned)rand() % distinct);

		calls[i] = str_n(arena_dup(&a, text, (size_t)n), (size_t)n);
	}
	for (int r = 0; r < ROUNDS; r++) {
		struct intern in = { 0 };
		int64_t start = clock_mono_ns();

		for (int i = 0; i < CALLS; i++)
			intern_add(&in, calls[i]);
		took[r] = (double)(clock_mono_ns() - start) / CALLS;
		intern_release(&in);
	}
	show("intern_add", distinct, took);
	for (int r = 0; r < ROUNDS; r++) {
		struct u64map m = { 0 };
		int64_t start = clock_mono_ns();

		for (int i = 0; i < CALLS; i++)
			u64map_get_or_put(&m, (uint64_t)rand() % distinct, 1, NULL);
		took[r] = (double)(clock_mono_ns() - start) / CALLS;
		u64map_release(&m);
	}
	show("u64map_get_or_put with rand", distinct, took);
	arena_release(&a);
}

int main(void)
{
	srand(1);
	measure(100);
	measure(10000);
	measure(CALLS);
	return 0;
}
