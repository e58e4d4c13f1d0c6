// SPDX-License-Identifier: Apache-2.0
/* ns per call of the number functions, one JSON line each: best and median of N rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/vec.h"

enum { VALUES = 100000, ROUNDS = 15 };

static double values[VALUES];
static struct buf texts;
static struct str slices[VALUES];
static volatile double sink;

static void run_fixed(struct buf *b)
{
	for (int i = 0; i < VALUES; i++)
		number_fixed(b, values[i], 2, ',');
}

static void run_shortest(struct buf *b)
{
	for (int i = 0; i < VALUES; i++)
		number_shortest(b, values[i]);
}

static void run_double(struct buf *b)
{
	double sum = 0, v = 0;

	(void)b;
	for (int i = 0; i < VALUES; i++) {
		if (number_double(slices[i], &v))
			sum += v;
	}
	sink = sum;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(const char *what, const char *on, void (*run)(struct buf *))
{
	double took[ROUNDS];
	struct buf b = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		int64_t start = clock_mono_ns();

		buf_clear(&b);
		run(&b);
		took[i] = (double)(clock_mono_ns() - start) / VALUES;
	}
	qsort(took, ROUNDS, sizeof(took[0]), by_value);
	printf("{\"bench\": \"%s\", \"on\": \"%s\", \"best_ns\": %.1f, \"median_ns\": %.1f}\n",
	       what, on, took[0], took[ROUNDS / 2]);
	buf_release(&b);
}

static void measure_all(const char *on)
{
	size_t *ends = mem_alloc(VALUES, sizeof(*ends)), at = 0;

	buf_clear(&texts);
	for (int i = 0; i < VALUES; i++) {
		number_shortest(&texts, values[i]);
		ends[i] = texts.len;
	}
	for (int i = 0; i < VALUES; at = ends[i++])
		slices[i] = str_n(texts.at + at, ends[i] - at);
	free(ends);
	measure("number_fixed", on, run_fixed);
	measure("number_shortest", on, run_shortest);
	measure("number_double", on, run_double);
}

int main(void)
{
	srand(1);
	for (int i = 0; i < VALUES; i++)
		values[i] = rand() % 10000000 / 100.0;
	measure_all("two decimals");
	for (int i = 0; i < VALUES; i++)
		values[i] = rand() % 10000000;
	measure_all("integers");
	for (int i = 0; i < VALUES; i++)
		values[i] = rand() / 3.0;
	measure_all("17 digits");
	buf_release(&texts);
	return 0;
}
