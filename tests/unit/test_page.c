// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "web/build.h"
#include "web/columns.h"
#include "web/guard.h"
#include "web/manifest.h"
#include "web/page_file.h"
#include "web/page_window.h"

/* ---- columns ---- */

static size_t unpack(const struct buf *b, uint8_t *to, size_t max)
{
	z_stream z = { .next_in = (Bytef *)b->at,
		       .avail_in = (uInt)b->len,
		       .next_out = to,
		       .avail_out = (uInt)max };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(inflateEnd(&z), Z_OK);
	return z.total_out;
}

static void a_column_takes_the_least_width_that_all_values_fit_in(void **state)
{
	static const struct {
		uint64_t value;
		uint8_t width;
	} cases[] = { { 0, 1 },     { 255, 1 },        { 256, 2 },        { 65535, 2 },
		      { 65536, 4 }, { UINT32_MAX, 4 }, { 1ull << 32, 8 }, { UINT64_MAX, 8 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t values[3] = { 1, cases[i].value, 0 };
		struct columns c = { 0 };

		(void)columns_add_u64(&c, values, 3, false, false);
		columns_pack(&c);
		assert_int_equal(c.all.at[0].width, cases[i].width);
		columns_release(&c);
	}
}

static void a_column_of_several_chunks_goes_on_where_the_last_ended(void **state)
{
	size_t n = COLUMN_CHUNK_VALUES + 5;
	uint64_t *values = malloc(n * sizeof(*values)), at = 0;
	uint8_t *bytes = malloc(COLUMN_CHUNK_VALUES * 8);
	struct columns c = { 0 };

	(void)state;
	for (size_t i = 0; i < n; i++)
		values[i] = i * 300;
	(void)columns_add_u64(&c, values, n, true, false);
	columns_pack(&c);
	assert_int_equal(c.chunks.len, 2);
	assert_int_equal(c.all.at[0].width, 2);
	for (size_t k = 0; k < 2; k++) {
		size_t got = unpack(&c.chunks.at[k], bytes, COLUMN_CHUNK_VALUES * 8) / 2;

		assert_int_equal(got, k ? 5 : COLUMN_CHUNK_VALUES);
		for (size_t i = 0; i < got; i++) {
			at += bytes[i] | (uint64_t)bytes[got + i] << 8;
			if (at != values[k * COLUMN_CHUNK_VALUES + i])
				fail_msg("chunk %zu, value %zu", k, i);
		}
	}
	columns_release(&c);
	free(values);
	free(bytes);
}

static void signed_differences_are_zigzag(void **state)
{
	uint32_t values[] = { 5, 3, 3, 4000000000u };
	struct columns c = { 0 };
	uint8_t bytes[64];
	size_t n;

	(void)state;
	(void)columns_add_u32(&c, values, 4, true, false);
	columns_pack(&c);
	assert_int_equal(c.all.at[0].width, 8);
	n = unpack(&c.chunks.at[0], bytes, sizeof(bytes));
	assert_int_equal(n, 32);
	assert_int_equal(bytes[0], 10); /* 5 */
	assert_int_equal(bytes[1], 3);  /* -2 */
	assert_int_equal(bytes[2], 0);
	columns_release(&c);
}

static void base64_of_every_length(void **state)
{
	static const char *const want[] = { "",         "Zg==",     "Zm8=",    "Zm9v",
					    "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		struct buf b = { 0 };

		base64_add(&b, "foobar", i);
		assert_int_equal(b.len, strlen(want[i]));
		assert_string_equal(b.at, want[i]);
		buf_release(&b);
	}
}

/* ---- lanes ---- */

static void zones_of_a_lane_get_sorted_and_end_where_the_next_begins(void **state)
{
	struct page p;
	uint32_t lane;

	(void)state;
	page_init(&p);
	lane = page_lane(&p, LANE_THREAD, PAGE_NONE, 0, 0);
	assert_true(page_zone(&p, lane, 500, 600, 1, 0));
	page_zone_text(&p, lane, 7);
	assert_true(page_zone(&p, lane, 100, 550, 2, 0));
	assert_true(page_zone(&p, lane, 700, 650, 3, 0)); /* ends before it begins */
	page_finish(&p);
	assert_int_equal(p.origin_ns, 100);
	assert_int_equal(p.span_ns, 600);
	assert_int_equal(p.lanes.at[0].zones.at[0].dur_ns, 400);
	assert_int_equal(p.lanes.at[0].zones.at[1].start_ns, 400);
	assert_int_equal(p.lanes.at[0].texts.at[1], 7);
	assert_int_equal(p.lanes.at[0].zones.at[2].dur_ns, 0);
	assert_int_equal(p.mended, 1);
	assert_int_equal(p.longest.at[0], 0);
	page_release(&p);
}

static void times_that_are_days_away_are_left_out(void **state)
{
	struct page p;
	uint32_t lane;

	(void)state;
	page_init(&p);
	lane = page_lane(&p, LANE_THREAD, PAGE_NONE, 0, 0);
	assert_true(page_zone(&p, lane, -50, 60, 1, 0));
	assert_false(page_zone(&p, lane, INT64_MIN, 60, 1, 0));
	assert_false(page_zone(&p, lane, 0, INT64_MAX, 1, 0));
	assert_false(page_zone(&p, lane, 1ll << 53, 1ll << 53, 1, 0));
	page_finish(&p);
	assert_int_equal(p.far_off, 3);
	assert_int_equal(p.zones, 1);
	assert_int_equal(p.origin_ns, -50);
	page_release(&p);
}

static void parents_stand_before_children_and_depths_together(void **state)
{
	struct page p;
	uint32_t device, core, risc, process;

	(void)state;
	page_init(&p);
	risc = page_risc_lane(&p, 3, STR("TRISC_0"));
	core = page_lane(&p, LANE_CORE, risc, 0, 9);
	(void)page_lane_below(&p, core);
	(void)page_lane(&p, LANE_CORE, risc, 0, 2);
	(void)page_risc_lane(&p, 3, STR("BRISC"));
	device = page_device_lane(&p, 3);
	process = page_lane(&p, LANE_PROCESS, PAGE_NONE, 0, 0);
	page_finish(&p);
	assert_int_equal(p.lanes.at[process].id, 0);
	assert_int_equal(p.lanes.at[device].id, 1);
	assert_int_equal(p.lanes.at[risc].id, 3); /* behind BRISC */
	assert_int_equal(p.lanes.at[core].id, 5); /* behind the core of order 2 */
	assert_int_equal(p.lanes.at[p.order.at[6]].depth, 1);
	page_release(&p);
}

/* Devices come as a damaged log names them: each keeps its own RISCs and cores, and its own map. */
static void many_devices_stand_in_order_each_with_its_own(void **state)
{
	enum { DEVICES = 1009, STEP = 388 };
	struct packed_page k = { 0 };
	struct page p;
	const char *at;

	(void)state;
	page_init(&p);
	for (uint32_t i = 0, id = 0; i < DEVICES; i++, id = (id + STEP) % DEVICES) {
		uint32_t trisc = page_risc_lane(&p, id, STR("TRISC_0"));
		uint32_t brisc = page_risc_lane(&p, id, STR("BRISC"));
		uint32_t lane = page_lane(&p, LANE_CORE, i % 2 ? trisc : brisc, 0, 0);

		p.lanes.at[lane].device = (int32_t)id;
		p.lanes.at[lane].x = id % 3 ? 1 : 0; /* no core is at 0,0 */
		p.lanes.at[lane].y = id % 3 ? 1 : 0;
		page_device(&p, id)->arch = intern_get(&p.strings, page_text_of(&p, "wormhole_b0"));
	}
	assert_int_equal(p.devices.len, DEVICES);
	page_finish(&p);
	assert_int_equal(p.order.len, 4 * DEVICES);
	for (size_t i = 0; i < p.order.len; i++) {
		const struct page_lane *l = &p.lanes.at[p.order.at[i]];

		assert_int_equal(l->id, i);
		assert_int_equal(l->device, i / 4);
		if (i % 4 == 0)
			assert_int_equal(l->kind, LANE_DEVICE);
		else
			assert_int_equal(p.lanes.at[l->parent].device, i / 4);
		if (l->kind == LANE_CORE)
			assert_int_equal(p.lanes.at[l->parent].id, i - 1);
	}
	page_pack(&k, &p, "test", 0, false);
	at = strstr(k.manifest.at, "\"devices\":[");
	assert_non_null(at);
	for (uint32_t i = 0, id = 0; i < DEVICES; i++, id = (id + STEP) % DEVICES) {
		char text[64];
		const char *map;

		snprintf(text, sizeof(text), "{\"id\":%u,", id);
		at = strstr(at, text);
		assert_non_null(at);
		map = strstr(at, "\"map\":\"");
		assert_non_null(map);
		assert_memory_equal(map + 7, id % 3 ? "chip\"" : "misfit\"", id % 3 ? 5 : 7);
	}
	packed_page_release(&k);
	page_release(&p);
}

/* ---- who may ask ---- */

static void hosts(void **state)
{
	struct guard here = { .loopback = true, .port = 8050 };
	struct guard all = { .port = 8050, .hostname = "box" };

	(void)state;
	assert_true(guard_host_ok(&here, STR("127.0.0.1:8050")));
	assert_true(guard_host_ok(&here, STR("127.9.9.9:8050")));
	assert_true(guard_host_ok(&here, STR("localhost:8050")));
	assert_true(guard_host_ok(&here, STR("[::1]:8050")));
	assert_false(guard_host_ok(&here, STR("10.0.0.1:8050")));
	assert_false(guard_host_ok(&here, STR("box:8050")));
	assert_false(guard_host_ok(&here, STR("127.0.0.1")));
	assert_false(guard_host_ok(&here, STR("127.0.0.1:80500")));
	assert_false(guard_host_ok(&here, STR("127.0.0.1:")));
	assert_false(guard_host_ok(&here, STR("[::1]8050")));
	assert_false(guard_host_ok(&here, STR("[::1")));
	assert_false(guard_host_ok(&here, STR("")));
	assert_false(guard_host_ok(&here, STR(":8050")));
	assert_false(guard_host_ok(&here, STR("localhost.evil.example:8050")));
	assert_false(guard_host_ok(&here, STR("127.0.0.1\0:8050")));
	assert_true(guard_host_ok(&all, STR("10.0.0.1:8050")));
	assert_true(guard_host_ok(&all, STR("BOX:8050")));
	assert_false(guard_host_ok(&all, STR("evil.example:8050")));
}

static void origins_and_tokens(void **state)
{
	struct guard a = { 0 }, b = { 0 };
	char longer[TOKEN_DIGITS + 2];

	(void)state;
	assert_true(guard_origin_ok(STR("http://127.0.0.1:1"), STR("127.0.0.1:1")));
	assert_false(guard_origin_ok(STR("https://127.0.0.1:1"), STR("127.0.0.1:1")));
	assert_false(guard_origin_ok(STR("null"), STR("127.0.0.1:1")));
	assert_false(guard_origin_ok(STR("http://127.0.0.1:1.evil"), STR("127.0.0.1:1")));
	assert_true(guard_make_token(&a) && guard_make_token(&b));
	assert_int_equal(strlen(a.token), TOKEN_DIGITS);
	assert_string_not_equal(a.token, b.token);
	assert_true(guard_token_ok(&a, str_of(a.token)));
	assert_false(guard_token_ok(&a, str_of(b.token)));
	assert_false(guard_token_ok(&a, STR("")));
	assert_false(guard_token_ok(&a, str_head(str_of(a.token), TOKEN_DIGITS - 1)));
	memcpy(longer, a.token, TOKEN_DIGITS);
	memcpy(longer + TOKEN_DIGITS, "x", 2);
	assert_false(guard_token_ok(&a, str_of(longer)));
}

/* ---- windows ---- */

static void a_window_puts_together_what_is_narrower_than_a_pixel(void **state)
{
	struct page_window w;
	struct buf b = { 0 };
	struct ttp_err e;
	struct page p;
	uint32_t lane;

	(void)state;
	page_init(&p);
	lane = page_lane(&p, LANE_THREAD, PAGE_NONE, 0, 0);
	for (int i = 0; i < 10; i++)
		assert_true(page_zone(&p, lane, i * 10, i * 10 + 1 + (i == 3), 5 + (uint32_t)i, 1));
	assert_true(page_zone(&p, lane, 1000, 2000, 99, 2));
	page_finish(&p);
	assert_int_equal(page_window_parse(&w, "0", "0", "2000", "19", &e), TTP_OK);
	page_window_json(&p, &w, &b);
	assert_string_equal(
		b.at,
		"{\"t0\":0,\"t1\":2000,\"lanes\":[{\"id\":0,\"start\":[0,1000],\"dur\":[91,1000],"
		"\"name\":[8,99],\"op\":[1,2],\"busy\":[11,1000]}]}");
	buf_clear(&b);
	/* the middle of a long zone */
	assert_int_equal(page_window_parse(&w, "0", "1400", "1500", "10", &e), TTP_OK);
	page_window_json(&p, &w, &b);
	assert_non_null(strstr(b.at, "\"start\":[1000]"));
	buf_release(&b);
	page_release(&p);
}

static void too_many_zones_are_refused_with_what_to_do_instead(void **state)
{
	struct ttp_err e = { 0 };
	struct page p;

	(void)state;
	page_init(&p);
	p.zones = PAGE_MAX_ZONES;
	assert_int_equal(page_fits_file(&p, "big", &e), TTP_OK);
	p.zones++;
	assert_int_equal(page_fits_file(&p, "big", &e), TTP_LIMIT);
	assert_non_null(strstr(e.msg, "ttprof view --serve big"));
	assert_non_null(strstr(e.msg, "--from"));
	page_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_column_takes_the_least_width_that_all_values_fit_in),
		cmocka_unit_test(a_column_of_several_chunks_goes_on_where_the_last_ended),
		cmocka_unit_test(signed_differences_are_zigzag),
		cmocka_unit_test(base64_of_every_length),
		cmocka_unit_test(zones_of_a_lane_get_sorted_and_end_where_the_next_begins),
		cmocka_unit_test(times_that_are_days_away_are_left_out),
		cmocka_unit_test(parents_stand_before_children_and_depths_together),
		cmocka_unit_test(many_devices_stand_in_order_each_with_its_own),
		cmocka_unit_test(too_many_zones_are_refused_with_what_to_do_instead),
		cmocka_unit_test(hosts),
		cmocka_unit_test(origins_and_tokens),
		cmocka_unit_test(a_window_puts_together_what_is_narrower_than_a_pixel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
