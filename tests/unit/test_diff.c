// SPDX-License-Identifier: Apache-2.0
#include "compare/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t dice = 1;

static uint32_t rolled(uint32_t sides)
{
	dice = dice * 1664525 + 1013904223;
	return (dice >> 8) % sides;
}

/* Pairs are equal items in rising order; returns how many there are. */
static size_t checked(const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t *pair)
{
	int64_t last = -1;
	size_t count = 0;

	diff_pair(a, n, b, m, pair);
	for (size_t i = 0; i < n; i++) {
		if (pair[i] == DIFF_NONE)
			continue;
		assert_true(pair[i] < m && (int64_t)pair[i] > last && a[i] == b[pair[i]]);
		last = pair[i];
		count++;
	}
	return count;
}

/* By the table of all prefixes: slow, and right. */
static size_t longest_common(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	size_t row[80] = { 0 };

	for (size_t i = 0; i < n; i++) {
		size_t corner = 0;

		for (size_t j = 0; j < m; j++) {
			size_t above = row[j + 1];

			row[j + 1] = a[i] == b[j] ? corner + 1 : above > row[j] ? above : row[j];
			corner = above;
		}
	}
	return row[m];
}

static void pairs_are_the_longest_common_sequence(void **state)
{
	uint32_t a[64], b[64], pair[65];

	(void)state;
	for (int turn = 0; turn < 20000; turn++) {
		size_t n = rolled(64), m = rolled(64);
		uint32_t kinds = 1 + rolled(9);

		for (size_t i = 0; i < n; i++)
			a[i] = rolled(kinds);
		for (size_t i = 0; i < m; i++)
			b[i] = rolled(kinds);
		assert_int_equal(checked(a, n, b, m, pair), longest_common(a, n, b, m));
	}
}

static void an_insertion_and_a_deletion_cost_no_more(void **state)
{
	enum { N = 100000 };
	uint32_t *a = malloc(N * sizeof(*a)), *b = malloc((N + 1) * sizeof(*b)),
		 *pair = malloc(N * sizeof(*pair));

	(void)state;
	for (size_t i = 0; i < N; i++)
		a[i] = rolled(20);
	for (size_t i = 0; i < N / 2; i++)
		b[i] = a[i];
	b[N / 2] = 99;
	for (size_t i = N / 2; i < N; i++)
		b[i + 1] = a[i];
	assert_int_equal(checked(a, N, b, N + 1, pair), N);
	assert_int_equal(checked(b, N, a, N, pair), N - 1);
	free(a);
	free(b);
	free(pair);
}

/* The search is bounded: it ends, and finds a good part of what there is. */
static void unlike_sequences_end(void **state)
{
	enum { N = 60000 };
	uint32_t *a = malloc(N * sizeof(*a)), *b = malloc(N * sizeof(*b)),
		 *pair = malloc(N * sizeof(*pair));

	(void)state;
	for (size_t i = 0; i < N; i++) {
		a[i] = rolled(30);
		b[i] = rolled(30);
	}
	assert_true(checked(a, N, b, N, pair) > N / 5);
	for (size_t i = 0; i < N; i++)
		b[i] = 1000 + rolled(30);
	assert_int_equal(checked(a, N, b, N, pair), 0);
	free(a);
	free(b);
	free(pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_the_longest_common_sequence),
		cmocka_unit_test(an_insertion_and_a_deletion_cost_no_more),
		cmocka_unit_test(unlike_sequences_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
