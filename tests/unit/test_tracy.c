// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "wire/put.h"
#include "wire/self_report.h"
#include "wire/tracy_fields.h"
#include "wire/welcome.h"

/* Numbers and sizes of a few items in three protocols, from the headers of these versions. */
static void numbers_and_sizes_are_those_of_the_protocols(void **state)
{
	static const struct {
		enum wire_item item;
		int tt66, tt66_size, p82, p82_size;
	} wanted[] = {
		{ WIRE_ZoneText, 0, 1, 0, 1 },
		{ WIRE_Message, 2, 9, 2, 10 },
		{ WIRE_ZoneBegin, 15, 17, 19, 17 },
		{ WIRE_ZoneBegin16, WIRE_NONE, 0, 21, 11 },
		{ WIRE_ZoneEnd, 17, 9, 25, 9 },
		{ WIRE_MemAlloc, 25, 27, 35, 27 },
		{ WIRE_GpuZoneBeginSerial, 38, 25, 50, 24 },
		{ WIRE_GpuTime, 48, 13, 60, 12 },
		{ WIRE_Terminate, 57, 1, 73, 1 },
		{ WIRE_SourceLocation, 71, 32, 87, 32 },
		{ WIRE_GpuNewContext, 79, 29, 95, 28 },
		{ WIRE_CpuTopology, 95, 13, 111, 17 },
		{ WIRE_SingleStringData, 96, 1, 112, 1 },
		{ WIRE_StringData, 99, 9, 119, 9 },
		{ WIRE_FiberName, 111, 9, 131, 9 },
	};
	struct wire_proto a, b;

	(void)state;
	wire_proto_init(&a, WIRE_KEY_TT66);
	wire_proto_init(&b, WIRE_KEY_82);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		assert_int_equal(a.id[wanted[i].item], wanted[i].tt66);
		assert_int_equal(a.size[wanted[i].item], wanted[i].tt66_size);
		assert_int_equal(b.id[wanted[i].item], wanted[i].p82);
		assert_int_equal(b.size[wanted[i].item], wanted[i].p82_size);
	}
	assert_int_equal(a.welcome_bytes, 1178);
	assert_int_equal(b.welcome_bytes, 1170);
}

static void no_item_is_larger_than_the_room_for_it(void **state)
{
	(void)state;
	for (unsigned k = 0; k < WIRE_KEYS; k++) {
		struct wire_proto p;

		wire_proto_init(&p, k);
		for (unsigned i = 0; i < WIRE_ITEMS; i++)
			assert_true(p.size[i] <= WIRE_ITEM_MAX);
	}
}

static void every_writer_writes_what_the_table_says(void **state)
{
	(void)state;
	for (unsigned k = 0; k < WIRE_KEYS; k++) {
		struct wire_proto p;
		uint8_t bytes[4096];
		struct wire_out o = { .proto = &p, .at = bytes };
		static const enum wire_item order[] = {
			WIRE_ZoneBegin,      WIRE_ZoneEnd,        WIRE_Message,
			WIRE_MessageColor,   WIRE_MessageLiteral, WIRE_MessageLiteralColor,
			WIRE_SourceLocation, WIRE_GpuNewContext,  WIRE_GpuZoneEndSerial,
			WIRE_GpuTime,        WIRE_StringData,
		};
		struct wire_got got;
		uint64_t srcloc = 0;
		int64_t step = 0;
		const uint8_t *end;
		struct cursor c;

		wire_proto_init(&p, k);
		put_zone_begin(&o, INT64_C(1) << 40, 0x1234);
		put_zone_end(&o, -5);
		put_message(&o, 7, false, 0, PUT_META_USER);
		put_message(&o, 7, true, 0x010203, PUT_META_USER);
		put_message_literal(&o, 8, false, 0, 99);
		put_message_literal(&o, 8, true, 0x010203, 99);
		PUT(&o, WIRE_SourceLocation, source_location, 1, 2, 3, 4, 0xAABBCC);
		put_device_new(&o, 1, 2, 200, true, 0);
		PUT(&o, WIRE_GpuZoneEndSerial, gpu_edge, -9, 136, 65535, 200);
		PUT(&o, WIRE_GpuTime, gpu_time, -1, 3, 200);
		put_transfer(&o, WIRE_StringData, 77, "text", 4);
		c = cursor_of(bytes, (size_t)(o.at - bytes));
		for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
			assert_true(wire_next(&p, &c, &got));
			assert_int_equal(got.item, order[i]);
			if (i == 0) {
				end = wire_begin(&p, wire_traits[got.item].shape, got.at, &step,
						 &srcloc);
				assert_true(step == INT64_C(1) << 40 && srcloc == 0x1234);
				assert_int_equal(end - got.at, p.size[got.item]);
			} else if (i == 1) {
				end = wire_end(&p, wire_traits[got.item].shape, got.at, &step);
				assert_true(step == -5 && end == got.at + p.size[got.item]);
			} else if (got.item == WIRE_GpuZoneEndSerial) {
				struct wire_gpu_edge v = wire_get_gpu_edge(&p, got.at);

				assert_int_equal(v.context, 200);
				assert_int_equal(v.queryId, 65535);
				assert_true(v.cpuTime == -9);
			} else if (got.item == WIRE_SourceLocation) {
				struct wire_source_location v =
					wire_get_source_location(&p, got.at);

				assert_int_equal(v.file, 3);
				assert_int_equal(v.line, 4);
				assert_int_equal(v.color, 0xAABBCC);
			} else if (got.item == WIRE_GpuNewContext) {
				struct wire_gpu_context v = wire_get_gpu_context(&p, got.at);

				assert_int_equal(v.gpuTime, 2);
				assert_int_equal(v.context, 200);
				assert_int_equal(v.flags, 1);
				assert_int_equal(v.type, p.device_type);
			} else if (got.item == WIRE_MessageColor) {
				struct wire_message_color v = wire_get_message_color(&p, got.at);

				assert_int_equal(v.color, 0x010203);
				assert_int_equal(v.metadata, p.message_meta ? PUT_META_USER : 0);
			} else if (got.item == WIRE_StringData) {
				assert_true(got.ptr == 77 && str_eq(got.text, str_n("text", 4)));
			}
		}
		assert_false(wire_next(&p, &c, &got));
		assert_false(c.bad);
	}
}

static void steps_of_zones_take_the_form_that_fits(void **state)
{
	static const int64_t steps[] = { 0,
					 1,
					 65535,
					 65536,
					 65537,
					 INT64_C(1) << 32,
					 65535 + (INT64_C(1) << 32),
					 65536 + (INT64_C(1) << 32),
					 INT64_MAX / 2,
					 -1,
					 INT64_MIN / 2 };
	static const int sizes[] = { 3, 3, 3, 5, 5, 5, 5, 9, 9, 9, 9 };
	struct wire_proto p;

	(void)state;
	wire_proto_init(&p, WIRE_KEY_82);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		uint8_t bytes[32];
		struct wire_out o = { .proto = &p, .at = bytes };
		struct wire_got got;
		int64_t step = 0;
		const uint8_t *end;
		struct cursor c;

		put_zone_end(&o, steps[i]);
		assert_int_equal(o.at - bytes, sizes[i]);
		c = cursor_of(bytes, (size_t)(o.at - bytes));
		assert_true(wire_next(&p, &c, &got));
		end = wire_end(&p, wire_traits[got.item].shape, got.at, &step);
		assert_true(step == steps[i] && end == bytes + sizes[i]);
	}
}

static void strings_have_the_length_that_the_protocol_wants(void **state)
{
	static char text[WIRE_TEXT_MAX];
	static uint8_t bytes[WIRE_TEXT_MAX + 8];

	(void)state;
	for (unsigned k = 0; k < WIRE_KEYS; k++) {
		static const size_t lengths[] = { 0, 1, 255, 256, 257, WIRE_TEXT_MAX };
		struct wire_proto p;

		wire_proto_init(&p, k);
		for (size_t i = 0; i < 6; i++) {
			struct wire_out o = { .proto = &p, .at = bytes };
			struct wire_got got;
			struct cursor c;

			put_single_string(&o, text, lengths[i]);
			c = cursor_of(bytes, (size_t)(o.at - bytes));
			assert_true(wire_next(&p, &c, &got));
			assert_int_equal(got.text.len, lengths[i]);
			assert_int_equal(cursor_left(&c), 0);
		}
	}
}

static void unknown_and_cut_items_are_bad_not_a_crash(void **state)
{
	struct wire_proto p;
	uint8_t bytes[64];

	(void)state;
	wire_proto_init(&p, WIRE_KEY_TT66);
	for (unsigned id = 0; id < 256; id++) {
		for (size_t len = 1; len < sizeof(bytes); len++) {
			struct cursor c = cursor_of(bytes, len);
			struct wire_got got;

			memset(bytes, 0xFF, sizeof(bytes));
			bytes[0] = (uint8_t)id;
			if (!wire_next(&p, &c, &got))
				assert_true(c.bad);
			else
				assert_true(p.item[id] != WIRE_NONE);
		}
	}
}

static void keys_are_read(void **state)
{
	enum wire_key key;

	(void)state;
	assert_true(wire_key_parse("TT66", 4, &key) && key == WIRE_KEY_TT66);
	assert_true(wire_key_parse("82", 2, &key) && key == WIRE_KEY_82);
	assert_false(wire_key_parse("65", 2, &key));
	assert_false(wire_key_parse("TT6", 3, &key));
	assert_int_equal(wire_traits[WIRE_SourceCode].class, WIRE_LONG_TRANSFER);
}

static void what_a_client_reports_of_itself_is_read_back(void **state)
{
	char text[SELF_REPORT_MAX];
	struct self_report r = { SELF_REPORT_DROPPED, { 1, 2, 3, 4, 5, 6, 7, 8, UINT64_MAX / 20 } },
			   got;
	size_t n = self_report_put(text, &r);

	(void)state;
	assert_true(self_report_get(str_n(text, n), &got));
	assert_int_equal(got.kind, r.kind);
	assert_memory_equal(got.values, r.values, sizeof(r.values));
	assert_string_equal(
		text, "ttp: dropped: zones=1 texts=2 messages=3 plots=4 frames=5 memory=6 device=7 "
		      "in_signal=8 locks=922337203685477580 first_us_ago=0 last_us_ago=0");
	r = (struct self_report){ SELF_REPORT_DROPPING, { 9, [SELF_REPORT_DROPS] = 70, 30 } };
	n = self_report_put(text, &r);
	assert_true(self_report_get(str_n(text, n), &got) && self_report_counts_drops(&got));
	assert_true(got.values[0] == 9 && got.values[SELF_REPORT_DROPS] == 70 &&
		    got.values[SELF_REPORT_DROPS + 1] == 30);
	memset(r.values, 0xFF, sizeof(r.values));
	assert_true(self_report_put(text, &r) < sizeof(text));
	r = (struct self_report){ SELF_REPORT_NOT_RECORDING, { 12 } };
	n = self_report_put(text, &r);
	assert_string_equal(text, "ttp: not recording: step=12");
	assert_true(self_report_get(str_n(text, n), &got) && got.kind == r.kind &&
		    got.values[0] == 12);
	assert_true(self_report_get(STR("ttp: window: recorded=3 later=9 steps=4"), &got));
	assert_true(got.kind == SELF_REPORT_WINDOW && got.values[0] == 4 && got.values[1] == 3);
	assert_true(self_report_get(STR("ttp: window:  steps"), &got) && !got.values[0]);
	assert_false(self_report_get(STR("ttp: windows: steps=4"), &got));
	assert_false(self_report_get(STR(""), &got));
}

static void the_datagram_of_discovery_ends_behind_the_name(void **state)
{
	uint8_t d[WIRE_BROADCAST_MAX];
	char name[100];

	(void)state;
	assert_int_equal(wire_broadcast_put(d, 8086, 66, 42, -1, "client"), 27);
	assert_memory_equal(
		d,
		"\x03\x00\x96\x1f\x42\x00\x00\x00\x2a\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"
		"client",
		27);
	memset(name, 'x', sizeof(name));
	name[99] = 0;
	assert_int_equal(wire_broadcast_put(d, 1, 1, 1, 1, name), WIRE_BROADCAST_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_sizes_are_those_of_the_protocols),
		cmocka_unit_test(no_item_is_larger_than_the_room_for_it),
		cmocka_unit_test(every_writer_writes_what_the_table_says),
		cmocka_unit_test(steps_of_zones_take_the_form_that_fits),
		cmocka_unit_test(strings_have_the_length_that_the_protocol_wants),
		cmocka_unit_test(unknown_and_cut_items_are_bad_not_a_crash),
		cmocka_unit_test(keys_are_read),
		cmocka_unit_test(what_a_client_reports_of_itself_is_read_back),
		cmocka_unit_test(the_datagram_of_discovery_ends_behind_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
