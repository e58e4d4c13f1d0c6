// SPDX-License-Identifier: Apache-2.0
/* Which launch a marker belongs to, where its zone ends, and what becomes of damaged logs: the rules of markers/marker_fold.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "markers/core_times.h"
#include "markers/op_times.h"

#define HEAD                                                                                         \
	"ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"                           \
	"PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, " \
	"run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data\n"
#define ROW(risc, time, run, zone, type) \
	"0,1,1," risc ",5," #time ",0," #run ",,," zone "," type ",1,a.cc,\n"
#define S(time, run, zone) ROW("BRISC", time, run, zone, "ZONE_START")
#define E(time, run, zone) ROW("BRISC", time, run, zone, "ZONE_END")

static struct device_log log_of(const char *text)
{
	char path[] = "/tmp/ttprof-test-XXXXXX";
	int fd = mkstemp(path);
	struct device_log log;
	struct ttp_err e;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(device_log_open(&log, path, &e), TTP_OK);
	unlink(path);
	return log;
}

/* Zones as they are told: "NAME run.repeat start-end depth self; " */
static void tell(void *ctx, const struct marker_fold *f, const struct fold_zone *z)
{
	const struct launch_key *k = &f->launches.all.at[z->launch].key;
	struct str name = intern_get(&f->names->zones, z->zone);

	buf_printf(ctx, "%.*s %llu.%u %llu-%llu %zu %llu; ", (int)name.len, name.at,
		   (unsigned long long)k->run_id, k->repeat, (unsigned long long)z->start_cycles,
		   (unsigned long long)z->end_cycles, z->depth, (unsigned long long)z->self_cycles);
}

static void check(const char *rows, const char *zones, unsigned unpaired)
{
	struct buf text = { 0 }, told = { 0 };
	struct marker_sink sink = { .ctx = &told, .zone = tell };
	struct marker_fold f;
	struct device_log log;

	buf_text(&text, HEAD);
	buf_text(&text, rows);
	log = log_of(text.at);
	marker_fold_read(&f, &log, &sink, 1);
	assert_string_equal(told.at ? told.at : "", zones);
	assert_int_equal(f.unpaired, unpaired);
	marker_fold_release(&f);
	device_log_close(&log);
	buf_release(&text);
	buf_release(&told);
}

static void zones_nest_and_know_their_own_time(void **state)
{
	(void)state;
	check(S(10, 1, "BRISC-FW") S(20, 1, "BRISC-KERNEL") S(25, 1, "read") E(30, 1, "read")
		      E(40, 1, "BRISC-KERNEL") E(50, 1, "BRISC-FW"),
	      "read 1.0 25-30 2 5; BRISC-KERNEL 1.0 20-40 1 15; BRISC-FW 1.0 10-50 0 20; ", 0);
}

static void the_nth_firmware_start_is_the_nth_repeat(void **state)
{
	(void)state;
	check(S(10, 1, "BRISC-FW") E(20, 1, "BRISC-FW") S(30, 2, "BRISC-FW") E(40, 2, "BRISC-FW")
		      S(50, 1, "BRISC-FW") S(51, 1, "BRISC-KERNEL") E(52, 1, "BRISC-KERNEL")
			      E(60, 1, "BRISC-FW"),
	      "BRISC-FW 1.0 10-20 0 10; BRISC-FW 2.0 30-40 0 10; BRISC-KERNEL 1.1 51-52 1 1; "
	      "BRISC-FW 1.1 50-60 0 9; ",
	      0);
}

static void an_end_closes_what_is_open_inside(void **state)
{
	(void)state;
	check(S(10, 1, "a") S(20, 1, "b") E(30, 1, "a"), "a 1.0 10-30 0 20; ", 1);
}

static void an_end_alone_has_lost_its_start(void **state)
{
	(void)state;
	check(E(10, 1, "a") S(20, 1, "b") E(25, 1, "a") E(30, 1, "b"), "b 1.0 20-30 0 10; ", 2);
}

static void another_launch_begins_at_the_bottom(void **state)
{
	(void)state;
	check(S(10, 1, "BRISC-FW") S(20, 1, "BRISC-KERNEL") S(30, 2, "BRISC-FW")
		      S(31, 2, "BRISC-KERNEL") E(32, 2, "BRISC-KERNEL") E(33, 2, "BRISC-FW"),
	      "BRISC-KERNEL 2.0 31-32 1 1; BRISC-FW 2.0 30-33 0 2; ", 2);
	/* the same id again is another launch, too */
	check(S(10, 1, "BRISC-FW") S(20, 1, "BRISC-FW") E(30, 1, "BRISC-FW"),
	      "BRISC-FW 1.1 20-30 0 10; ", 1);
	/* firmware without a run id */
	check(S(10, 0, "BRISC-FW") S(20, 0, "BRISC-FW") E(30, 0, "BRISC-FW"),
	      "BRISC-FW 0.0 20-30 0 10; ", 1);
}

static void an_end_of_another_launch_is_not_its_end(void **state)
{
	(void)state;
	check(S(10, 1, "BRISC-KERNEL") E(90, 2, "BRISC-KERNEL"), "", 2);
	/* one of the two names no op: dispatchers do so */
	check(S(10, 1, "CQ-DISPATCH") E(20, 0, "CQ-DISPATCH"), "CQ-DISPATCH 1.0 10-20 0 10; ", 0);
}

static void swapped_rows_keep_the_kernel(void **state)
{
	(void)state;
	check(S(10, 1, "BRISC-KERNEL") S(10, 1, "BRISC-FW") E(20, 1, "BRISC-KERNEL")
		      E(30, 1, "BRISC-FW"),
	      "BRISC-KERNEL 1.0 10-20 0 10; ", 2);
}

static void an_end_before_its_start_is_no_zone(void **state)
{
	(void)state;
	check(S(10, 1, "a") E(9, 1, "a") S(11, 1, "b") E(12, 1, "b"), "b 1.0 11-12 0 1; ", 1);
}

static void what_is_too_deep_is_counted(void **state)
{
	struct buf rows = { 0 };
	struct device_log log;
	struct marker_fold f;

	(void)state;
	buf_text(&rows, HEAD);
	for (int i = 0; i < FOLD_DEPTH_MAX + 5; i++)
		buf_printf(&rows, "0,1,1,BRISC,5,%d,0,1,,,a,ZONE_START,1,a.cc,\n", 10 + i);
	for (int i = 0; i < FOLD_DEPTH_MAX + 5; i++)
		buf_printf(&rows, "0,1,1,BRISC,5,%d,0,1,,,a,ZONE_END,1,a.cc,\n", 10000 + i);
	log = log_of(rows.at);
	marker_fold_read(&f, &log, NULL, 0);
	assert_int_equal(f.unpaired, 5);
	marker_fold_release(&f);
	device_log_close(&log);
	buf_release(&rows);
}

/* Launches with other keys whose hashes may meet stay apart, and rows are found by launch. */
static void keys_are_compared_in_full(void **state)
{
	struct launch_rows rows = { 0 };
	struct launch_key key = { .trace_id = -1, .session = -1 };

	(void)state;
	for (uint32_t i = 0; i < 50000; i++) {
		key.device = i % 4;
		key.run_id = (uint64_t)(i / 4 + 1) << 40;
		launch_rows_add(&rows, &key, i);
	}
	for (uint32_t i = 0; i < 50000; i++) {
		key.device = i % 4;
		key.run_id = (uint64_t)(i / 4 + 1) << 40;
		assert_int_equal(launch_rows_find(&rows, key), i);
	}
	/* a collision of hashes: the first key's slot is taken by another */
	struct launch_index x = { 0 };
	struct launch_key a = { .run_id = 7 }, b = { .run_id = 7, .session = 1 };

	assert_int_equal(launch_put(&x, &a), 0);
	assert_int_equal(launch_put(&x, &b), 1); /* its hash is one more than that of the first */
	a.session = 2;
	assert_int_equal(launch_find(&x, &a), LAUNCH_NONE);
	launch_index_release(&x);
	launch_rows_release(&rows);
}

/* ---- the same launches as markers/op_times.h ---- */

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Firmware and kernels of few ids on few cores; `damage`: one row in so many is missing. */
static void random_log(struct buf *to, uint32_t seed, unsigned damage)
{
	static const char *const riscs[][2] = { { "BRISC", "BRISC" },
						{ "NCRISC", "NCRISC" },
						{ "TRISC_0", "TRISC" },
						{ "ERISC", "ERISC" } };

	buf_text(to, HEAD);
	for (unsigned core = 0; core < 3; core++)
		for (unsigned r = 0; r < 4; r++) {
			unsigned time = 1000;

			for (unsigned op = 0; op < 40; op++) {
				unsigned run = next_random(&seed) % 5 << 10;

				for (unsigned k = 0; k < 4; k++) {
					time += next_random(&seed) % 50;
					if (damage && next_random(&seed) % damage == 0)
						continue;
					buf_printf(to, "%u,1,%u,%s,5,%u,0,%u,,,%s-%s,%s,1,a.cc,\n",
						   core / 2, core, riscs[r][0], time, run,
						   riscs[r][1], k % 3 ? "KERNEL" : "FW",
						   k < 2 ? "ZONE_START" : "ZONE_END");
				}
			}
		}
}

static void launches_are_those_of_op_times(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 200; seed++) {
		struct op_times t = { 0 };
		struct marker_fold f;
		struct device_log log;
		struct buf text = { 0 };
		size_t named = 0;

		random_log(&text, seed, seed % 4 ? 5 * (seed % 4) : 0);
		log = log_of(text.at);
		marker_fold_read(&f, &log, NULL, 0);
		device_log_rewind(&log);
		op_times_read(&t, &log);
		vec_each (l, &f.launches.all) {
			uint32_t run = op_times_find(&t, l->key.device, l->key.run_id,
						     l->key.trace_id, l->key.session);
			size_t i = (size_t)(l - f.launches.all.at);
			uint64_t first = UINT64_MAX, last = 0;

			if (!l->key.run_id)
				continue;
			named++;
			while (run != OP_NONE && op_run_repeat(&t, &t.runs.at[run]) < l->key.repeat)
				run = op_run_next_repeat(&t, &t.runs.at[run]);
			assert_int_not_equal(run, OP_NONE);
			for (int s = 0; s < SLOTS; s++) {
				const struct op_run *r = &t.runs.at[run];

				if (s == SLOT_FW || s == SLOT_TRISC_FW)
					continue;
				if (r->has_start >> s & 1 && op_slot_start(&t, r, s) < first)
					first = op_slot_start(&t, r, s);
				if (r->has_end >> s & 1 && op_slot_end(&t, r, s) > last)
					last = op_slot_end(&t, r, s);
			}
			assert_true(first ==
				    (i < f.kernels.len ? f.kernels.at[i].first_start : UINT64_MAX));
			assert_true(last == (i < f.kernels.len ? f.kernels.at[i].last_end : 0));
		}
		assert_int_equal(named, t.runs.len);
		op_times_release(&t);
		marker_fold_release(&f);
		device_log_close(&log);
		buf_release(&text);
	}
}

/* A vector grows while a part is handed out. */
static void sums_of_zones_may_make_parts(void **state)
{
	struct core_want kernels = { 0 };
	struct buf text = { 0 };
	struct core_times t;
	struct device_log log;

	(void)state;
	buf_text(&text, HEAD);
	for (unsigned i = 0; i < 1000; i++)
		buf_printf(
			&text,
			"0,%u,1,TRISC_0,5,%u,%u,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,1,a.cc,\n",
			i, 100 + i, i);
	log = log_of(text.at);
	core_times_read(&t, &log, &kernels);
	assert_int_equal(t.parts.len, 1000);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(t.parts.at[i].wait_cycles, i);
	core_times_release(&t);
	device_log_close(&log);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_nest_and_know_their_own_time),
		cmocka_unit_test(the_nth_firmware_start_is_the_nth_repeat),
		cmocka_unit_test(an_end_closes_what_is_open_inside),
		cmocka_unit_test(an_end_alone_has_lost_its_start),
		cmocka_unit_test(another_launch_begins_at_the_bottom),
		cmocka_unit_test(an_end_of_another_launch_is_not_its_end),
		cmocka_unit_test(swapped_rows_keep_the_kernel),
		cmocka_unit_test(an_end_before_its_start_is_no_zone),
		cmocka_unit_test(what_is_too_deep_is_counted),
		cmocka_unit_test(keys_are_compared_in_full),
		cmocka_unit_test(launches_are_those_of_op_times),
		cmocka_unit_test(sums_of_zones_may_make_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
