// SPDX-License-Identifier: Apache-2.0
/* The clock of a device from samples, over many chips and hosts by chance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "host/clock/sync_fit.h"

enum { PASS = 249, SEEDS = 2000 };

struct world {
	uint64_t random, start; /* cycles at host ns 0 */
	double ghz;
	int there, back; /* shortest ways, ns */
	int late;        /* how much longer they get */
	int busy;        /* one of so many is very late */
};

static uint64_t draw(struct world *w)
{
	uint64_t z = w->random += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static struct world world(uint64_t seed)
{
	struct world w = { .random = seed * 7919 };

	w.start = draw(&w) >> 20; /* 44 bits */
	w.ghz = 1 + ((double)(draw(&w) % 100001) - 50000) / 1e9;
	w.there = 150 + (int)(draw(&w) % 300);
	w.back = 150 + (int)(draw(&w) % 300);
	w.late = 400;
	w.busy = 50;
	return w;
}

static int64_t way(struct world *w, int least)
{
	int64_t ns =
		least + (int64_t)(draw(w) % 1000 * (draw(w) % 1000) * (uint64_t)w->late / 1000000);

	return draw(w) % (uint64_t)w->busy ? ns : ns + (int64_t)(draw(w) % 50000);
}

static double cycles_at(const struct world *w, int64_t ns)
{
	return (double)ns * w->ghz;
}

static void sample(struct world *w, int64_t from, struct sync_sample *to, int n)
{
	for (int i = 0; i < n; i++) {
		int64_t there = way(w, w->there), back = way(w, w->back);

		to[i].sent = from + (i + 1) * 10000000ll;
		to[i].done = to[i].sent + there + back;
		/* The kernel looks every ten cycles. */
		to[i].device = w->start + (uint64_t)(cycles_at(w, to[i].sent + there) +
						     (double)(draw(w) % 12));
	}
}

static double off_by(const struct world *w, const struct sync_fit *f, int64_t ns)
{
	int64_t whole;
	double part = sync_fit_host_ns(f, w->start + (uint64_t)cycles_at(w, ns), &whole);

	return (double)(whole - ns) + part;
}

static void check(int passes, int64_t apart)
{
	int bad = 0, wrong_ghz = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		static struct sync_sample s[2 * PASS];
		struct world w = world(seed);
		struct sync_fit f;
		int64_t end = (passes - 1) * apart + PASS * 10000000ll;

		for (int i = 0; i < passes; i++)
			sample(&w, i * apart, s + (size_t)i * PASS, PASS);
		assert_true(sync_fit(&f, s, (size_t)(passes * PASS), 1.0));
		wrong_ghz += fabs(f.ghz / w.ghz - 1) * 1e6 > sync_fit_error_ppm(&f);
		for (int k = 0; k <= 4; k++) {
			int64_t at = end * k / 4;
			double e = fabs(off_by(&w, &f, at));
			double most = sync_fit_error_ns(&f, w.start + (uint64_t)cycles_at(&w, at));

			if (e > most || e >= 1000)
				bad++;
			assert_true(most < 1500);
		}
	}
	if (bad > SEEDS / 100)
		fail_msg("%d of %d are further off than stated, or 1 us", bad, SEEDS);
	if (wrong_ghz > SEEDS / 100)
		fail_msg("%d of %d frequencies are", wrong_ghz, SEEDS);
}

static void one_pass(void **state)
{
	(void)state;
	check(1, 0);
}

static void two_passes(void **state)
{
	(void)state;
	check(2, 60000000000);
	check(2, 3600000000000);
}

/* What is said of later grows with time, and holds. */
static void later(void **state)
{
	int bad = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		static struct sync_sample s[PASS];
		struct world w = world(seed);
		struct sync_fit f;
		double before = 0;

		sample(&w, 0, s, PASS);
		assert_true(sync_fit(&f, s, PASS, 1.0));
		for (int64_t at = 10000000000; at <= 640000000000; at *= 4) {
			double most = sync_fit_error_ns(&f, w.start + (uint64_t)cycles_at(&w, at));

			assert_true(most > before);
			before = most;
			bad += fabs(off_by(&w, &f, at)) > most;
		}
	}
	if (bad > 4 * SEEDS / 100)
		fail_msg("%d of %d", bad, 4 * SEEDS);
}

/* A host that is interrupted in half of all writes. */
static void busy_host(void **state)
{
	int bad = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		static struct sync_sample s[PASS];
		struct world w = world(seed);
		struct sync_fit f;

		w.busy = 2;
		sample(&w, 0, s, PASS);
		assert_true(sync_fit(&f, s, PASS, 1.0));
		bad += fabs(off_by(&w, &f, 1000000000)) >= 1000;
		bad += fabs(off_by(&w, &f, 1000000000)) >
		       sync_fit_error_ns(&f, w.start + (uint64_t)cycles_at(&w, 1000000000));
	}
	assert_true(bad <= 2);
}

/* A kernel that was late itself: the writes were short, the clock was read 20 us after they came. */
static void late_kernel(void **state)
{
	int bad = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		static struct sync_sample s[PASS];
		struct world w = world(seed);
		struct sync_fit f;

		sample(&w, 0, s, PASS);
		for (int i = 7; i < PASS; i += 25) {
			s[i].done = s[i].sent + w.there + w.back;
			s[i].device += 20000;
		}
		assert_true(sync_fit(&f, s, PASS, 1.0));
		for (int k = 0; k <= 2; k++) {
			int64_t at = 1200000000ll * k;
			double e = fabs(off_by(&w, &f, at));

			bad += e >= 1000 ||
			       e > sync_fit_error_ns(&f, w.start + (uint64_t)cycles_at(&w, at));
		}
	}
	assert_true(bad <= 6);
}

static void cycles_and_back(void **state)
{
	static struct sync_sample s[PASS];
	struct world w = world(5);
	struct sync_fit f;

	(void)state;
	sample(&w, 0, s, PASS);
	assert_true(sync_fit(&f, s, PASS, 1.0));
	for (int64_t ns = -1000000000; ns < 10000000000; ns += 333333333) {
		int64_t back;
		double part = sync_fit_host_ns(&f, sync_fit_cycles(&f, ns), &back);

		assert_true(fabs((double)(back - ns) + part) <= 1);
	}
}

static void nothing_to_find(void **state)
{
	struct sync_sample s[PASS] = { { 0 } };
	struct world w = world(9);
	struct sync_fit f;

	(void)state;
	assert_false(sync_fit(&f, s, 0, 1.0));
	assert_false(sync_fit(&f, s, 7, 1.0));
	/* one moment again and again */
	assert_false(sync_fit(&f, s, PASS, 1.0));
	assert_true(isinf(sync_fit_error_ns(&f, 1)) && isinf(sync_fit_error_ppm(&f)));
	/* a clock that goes backwards, one that stands, one that is twice as fast */
	sample(&w, 0, s, PASS);
	for (int i = 0; i < PASS; i++)
		s[i].device = w.start - (s[i].device - w.start);
	assert_false(sync_fit(&f, s, PASS, 1.0));
	for (int i = 0; i < PASS; i++)
		s[i].device = w.start;
	assert_false(sync_fit(&f, s, PASS, 1.0));
	sample(&w, 0, s, PASS);
	assert_false(sync_fit(&f, s, PASS, 2.0));
	assert_true(sync_fit(&f, s, PASS, 1.05));
	/* a few of them do */
	assert_true(sync_fit(&f, s, 32, 1.0));
	assert_true(f.kept == 8 && f.samples == 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_pass),        cmocka_unit_test(two_passes),
		cmocka_unit_test(later),           cmocka_unit_test(busy_host),
		cmocka_unit_test(cycles_and_back), cmocka_unit_test(nothing_to_find),
		cmocka_unit_test(late_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
