// SPDX-License-Identifier: Apache-2.0
#include "compare/shared_noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t seed = 1;

static double uniform(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static double chi2(int freedom)
{
	double sum = 0;

	for (int i = 0; i < freedom; i++) {
		double z = normal();

		sum += z * z;
	}
	return sum;
}

static int is_near(double a, double b, double by)
{
	return fabs(a - b) <= by;
}

static void functions_are_those_of_the_tables(void **state)
{
	(void)state;
	assert_true(is_near(digamma(1), -0.5772156649015329, 1e-9));
	assert_true(is_near(digamma(4), 1.2561176684318005, 1e-9));
	assert_true(is_near(trigamma(1), 1.6449340668482264, 1e-9));
	assert_true(is_near(trigamma(0.5), 4.934802200544679, 1e-9));
	assert_true(is_near(trigamma_inverse(trigamma(3.7)), 3.7, 1e-6));
}

/* All of one noise, which falls with the number of ops: the trend says nearly all. */
static void even_noise_is_shared(void **state)
{
	struct noise all[60];
	double worth;

	(void)state;
	for (int i = 0; i < 60; i++)
		all[i] = (struct noise){ .variance = 1e-4 / (i % 6 + 1) * chi2(8) / 8,
					 .freedom = 8,
					 .count = i % 6 + 1,
					 .ns = 1000 + 100 * i };
	worth = share_noise(all, 60);
	assert_true(worth > 30);
	for (int i = 0; i < 60; i++) {
		assert_true(is_near(all[i].variance * (i % 6 + 1), 1e-4, 0.5e-4));
		assert_true(all[i].freedom > 38);
	}
}

/* Noise from 0.01 % to 10 %: a line's own counts. */
static void uneven_noise_is_not(void **state)
{
	struct noise all[60];
	double own[60];

	(void)state;
	for (int i = 0; i < 60; i++) {
		own[i] = 1e-8 * pow(1e6, uniform()) * chi2(8) / 8;
		all[i] = (struct noise){
			.variance = own[i], .freedom = 8, .count = 1, .ns = 1000 + 100 * i
		};
	}
	assert_true(share_noise(all, 60) < 3);
	for (int i = 0; i < 60; i++)
		assert_true(all[i].variance > 0.7 * own[i]);
}

static void few_lines_share_nothing(void **state)
{
	struct noise all[7];

	(void)state;
	for (int i = 0; i < 7; i++)
		all[i] = (struct noise){ .variance = 1, .freedom = 8, .count = 1, .ns = 5 };
	assert_true(share_noise(all, 7) <= 0 && all[0].freedom < 9);
	assert_true(share_noise(all, 0) <= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_those_of_the_tables),
		cmocka_unit_test(even_noise_is_shared),
		cmocka_unit_test(uneven_noise_is_not),
		cmocka_unit_test(few_lines_share_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
