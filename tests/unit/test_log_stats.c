// SPDX-License-Identifier: Apache-2.0
/* Statistics of a log as a sink are those of all its markers in memory, also of logs that no device would write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "markers/analyses/device_export.h"
#include "markers/analyses/log_stats.h"
#include "markers/analyses/marker_log.h"

#define HEAD                                                                                         \
	"ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"                           \
	"PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, " \
	"run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data\n"

static struct device_log log_of(const struct buf *text)
{
	char path[] = "/tmp/ttprof-test-XXXXXX";
	int fd = mkstemp(path);
	struct device_log log;
	struct ttp_err e;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text->at, text->len), text->len);
	close(fd);
	assert_int_equal(device_log_open(&log, path, &e), TTP_OK);
	unlink(path);
	return log;
}

static unsigned below(uint32_t *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

struct row {
	unsigned device, core, risc, timer, time, data, run;
	const char *zone, *type;
};
typedef VEC(struct row) row_vec;

static const char *const riscs[][2] = {
	{ "BRISC", "BRISC" },   { "NCRISC", "NCRISC" },         { "TRISC_0", "TRISC" },
	{ "TRISC_2", "TRISC" }, { "TENSIX_RISC_AGG", "TRACE" },
};
static const char *const zones[] = { "BRISC-FW", "BRISC-KERNEL", "NCRISC-FW", "NCRISC-KERNEL",
				     "TRISC-FW", "TRISC-KERNEL", "",          "",
				     "TRACE-FW", "TRACE-KERNEL" };
static const unsigned of_risc[] = { 0, 2, 4, 4, 8 };

/* What a RISC writes in an op; one row in `damage` is missing, or has another zone, id, time or no timer id. */
static void add_op(row_vec *to, uint32_t *seed, struct row k, unsigned step, unsigned damage)
{
	const char *fw = zones[of_risc[k.risc]], *kernel = zones[of_risc[k.risc] + 1];
	const char *rows[][2] = {
		{ fw, "ZONE_START" },
		{ kernel, "ZONE_START" },
		{ "mine", "ZONE_START" },
		{ "mine", "ZONE_END" },
		{ "CB-COMPUTE-WAIT-FRONT", "ZONE_TOTAL" },
		{ "CB-COMPUTE-RESERVE-BACK", "ZONE_TOTAL" },
		{ "value", "TS_DATA" },
		{ kernel, "ZONE_END" },
		{ fw, "ZONE_END" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct row *one = vec_push(to);

		*one = k;
		k.time += below(seed, step);
		one->time = k.time;
		one->zone = rows[i][0];
		one->type = rows[i][1];
		one->timer = (unsigned)i + 1;
		one->data = below(seed, 9);
		switch (below(seed, damage)) {
		case 0:
			to->len--;
			break;
		case 1:
			one->zone = zones[below(seed, 6)];
			break;
		case 2:
			one->run = 1024 * below(seed, 3);
			break;
		case 3:
			one->time -= below(seed, 30);
			break;
		case 4:
			one->timer = 0;
			break;
		default:
			break;
		}
	}
}

static void swap_rows(row_vec *v, uint32_t *seed, unsigned times, size_t reach)
{
	for (unsigned i = 0; v->len > reach && i < times; i++) {
		size_t a = below(seed, (unsigned)(v->len - reach)),
		       b = a + below(seed, (unsigned)reach);
		struct row k = v->at[a];

		v->at[a] = v->at[b];
		v->at[b] = k;
	}
}

static void random_log(struct buf *to, uint32_t seed)
{
	unsigned step = below(&seed, 2) ? 2 : 60, damage = below(&seed, 3) ? 100 : 1000000;
	unsigned cores = 1 + below(&seed, 4), ops = 1 + below(&seed, 6);
	row_vec v = { 0 };

	for (unsigned core = 0; core < cores; core++)
		for (unsigned r = below(&seed, 2); r < 5; r += 1 + below(&seed, 2))
			for (unsigned op = 0; op < ops; op++)
				add_op(&v, &seed,
				       (struct row){ .device = core / 3,
						     .core = core,
						     .risc = r,
						     .time = 1000 + op * 10 * step,
						     .run = 1024 * (1 + op % 4) },
				       step, damage);
	if (!below(&seed, 3))
		swap_rows(&v, &seed, 30, v.len > 40 ? 2 + 30 * below(&seed, 2) : 2);
	buf_text(to, HEAD);
	vec_each (k, &v)
		buf_printf(to, "%u,1,%u,%s,%u,%u,%u,%u,,,%s,%s,1,a.cc,\n", k->device, k->core,
			   riscs[k->risc][0], k->timer, k->time, k->data, k->run, k->zone, k->type);
	vec_release(&v);
}

static void as_sink(struct device_log *log, struct buf *to)
{
	struct log_stats *s = log_stats_new();
	struct marker_sink sink = log_stats_sink(s);
	struct marker_fold f;

	marker_fold_read(&f, log, &sink, 1);
	assert_true(log_stats_json(s, &f, log, to));
	log_stats_free(s);
	marker_fold_release(&f);
}

static size_t with_all_markers(struct device_log *log, struct buf *to)
{
	analysis_vec list = { 0 };
	struct arena texts = { 0 };
	struct marker_log m;
	size_t ops = 0;

	setup_analyses(setup_find(STR("default_setup")), &list);
	marker_log_read(&m, log, true);
	zone_analyses(&m, &list, &texts);
	marker_log_analyse(&m, list.at, list.len);
	device_export_json(&m, list.at, list.len, to);
	vec_each (d, &m.devices)
		ops += d->whole.ops.len;
	marker_log_release(&m);
	vec_release(&list);
	arena_release(&texts);
	return ops;
}

static void both_ways_say_the_same(void **state)
{
	size_t ops = 0;

	(void)state;
	for (uint32_t seed = 1; seed < 1000; seed++) {
		struct buf text = { 0 }, one = { 0 }, other = { 0 };
		struct device_log log;

		random_log(&text, seed);
		log = log_of(&text);
		as_sink(&log, &one);
		device_log_rewind(&log);
		ops += with_all_markers(&log, &other);
		if (strcmp(one.at, other.at))
			print_message("seed %u\n", seed);
		assert_string_equal(one.at, other.at);
		device_log_close(&log);
		buf_release(&text);
		buf_release(&one);
		buf_release(&other);
	}
	assert_in_range(ops, 1000, 100000);
}

/* Their zones get the names of commands: that is for marker_log.h. */
static void cores_of_the_command_queue_need_all_markers(void **state)
{
	struct buf text = { 0 }, json = { 0 };
	struct log_stats *s = log_stats_new();
	struct marker_sink sink = log_stats_sink(s);
	struct marker_fold f;
	struct device_log log;

	(void)state;
	buf_text(&text, HEAD "0,1,1,BRISC,5,10,0,0,,,CQ-DISPATCH,ZONE_START,1,a.cc,\n");
	log = log_of(&text);
	marker_fold_read(&f, &log, &sink, 1);
	assert_false(log_stats_json(s, &f, &log, &json));
	assert_int_equal(json.len, 0);
	log_stats_free(s);
	marker_fold_release(&f);
	device_log_close(&log);
	buf_release(&text);
	buf_release(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways_say_the_same),
		cmocka_unit_test(cores_of_the_command_queue_need_all_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
