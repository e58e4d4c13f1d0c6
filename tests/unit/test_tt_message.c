// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/tt_message.h"

static struct tt_message read_text(const char *text, enum tt_match match)
{
	struct tt_message m;

	tt_message_read(&m, str_of(text), match);
	return m;
}

static void a_full_op_has_numbers_and_json(void **state)
{
	struct tt_message m = read_text(TT_DEVICE_OP ": \"Mat, mul\", 12, 3, true, 1027" TT_OP_ARROW
						     "{\"a\": \"b, c\"}",
					TT_AT_START);

	(void)state;
	assert_int_equal(m.kind, TT_KIND_OP);
	assert_true(m.complete && m.hit);
	assert_true(str_eq(m.code, STR("Mat, mul")));
	assert_true(str_eq(m.json, STR("{\"a\": \"b, c\"}")));
	assert_int_equal(m.hash, 12);
	assert_int_equal(m.device, 3);
	assert_int_equal(m.id, 1027);
}

static void a_cached_op_has_numbers_alone(void **state)
{
	struct tt_message m =
		read_text(TT_DEVICE_OP ": \"X\", 18446744073709551615, 0, 0, 1024", TT_AT_START);

	(void)state;
	assert_int_equal(m.kind, TT_KIND_CACHED_OP);
	assert_true(m.complete && !m.hit && !m.json.len);
	assert_true(m.hash == UINT64_MAX);
}

static void an_op_without_a_device_has_a_code(void **state)
{
	struct tt_message m =
		read_text(TT_FALL_BACK_OP ":\"torch.add\"" TT_OP_ARROW "{}", TT_AT_START);

	(void)state;
	assert_int_equal(m.kind, TT_KIND_OP);
	assert_false(m.complete);
	assert_int_equal(m.device, -1);
	assert_true(str_eq(m.code, STR("torch.add")));
}

static void traces_begin_end_and_are_replayed(void **state)
{
	static const struct {
		const char *text;
		enum tt_kind kind;
	} cases[] = {
		{ TT_TRACE TT_TRACE_BEGIN ": 2, 5", TT_KIND_TRACE_BEGIN },
		{ TT_TRACE TT_TRACE_END ": 2, 5", TT_KIND_TRACE_END },
		{ TT_TRACE TT_TRACE_REPLAY ": 2, 5", TT_KIND_TRACE_REPLAY },
		{ TT_TRACE "RELEASE: 2, 5", TT_KIND_TRACE_OTHER },
		{ TT_TRACE TT_TRACE_ENQUEUE ": 2, 5, 1024", TT_KIND_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tt_message m = read_text(cases[i].text, TT_AT_START);

		assert_int_equal(m.kind, cases[i].kind);
		if (m.kind != TT_KIND_OTHER) {
			assert_true(m.complete);
			assert_int_equal(m.device, 2);
			assert_int_equal(m.trace, 5);
		}
	}
	assert_false(read_text(TT_TRACE TT_TRACE_BEGIN ": two", TT_AT_START).complete);
}

static void what_only_mentions_it_counts_for_the_originals_alone(void **state)
{
	static const char *const texts[] = { "my TT_DNN_DEVICE_OP: \"X\", 1, 0, true, 1024",
					     "of TT_METAL_TRACE_BEGIN: 0, 1" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(read_text(texts[i], TT_AT_START).kind, TT_KIND_OTHER);
		assert_int_not_equal(read_text(texts[i], TT_ANYWHERE).kind, TT_KIND_OTHER);
	}
	assert_int_equal(read_text("TT_SIGNPOST: TT_DNN_DEVICE_OP", TT_ANYWHERE).kind,
			 TT_KIND_OTHER);
}

static void a_signpost_is_no_op(void **state)
{
	(void)state;
	assert_true(tt_is_signpost(STR("TT_SIGNPOST: step"), TT_AT_START));
	assert_true(tt_is_signpost(STR("my TT_SIGNPOST: step"), TT_AT_START));
	assert_false(tt_is_signpost(STR("TT_DNN_DEVICE_OP: \"TT_SIGNPOST\""), TT_AT_START));
	assert_true(tt_is_signpost(STR("TT_DNN_DEVICE_OP: \"TT_SIGNPOST\""), TT_ANYWHERE));
}

static void zones_of_ops_name_their_number(void **state)
{
	uint64_t id;

	(void)state;
	assert_true(tt_is_op_zone(STR(TT_HOST_OP)) && !tt_is_op_zone(STR("TT_X")));
	assert_true(tt_zone_id(STR("id:1024"), &id) && id == 1024);
	assert_true(tt_zone_id(STR("7"), &id) && id == 7);
	assert_false(tt_zone_id(STR("id:"), &id));
	assert_false(tt_parent_id(STR("7"), &id));
	assert_true(tt_parent_id(STR("id:7"), &id) && id == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_op_has_numbers_and_json),
		cmocka_unit_test(a_cached_op_has_numbers_alone),
		cmocka_unit_test(an_op_without_a_device_has_a_code),
		cmocka_unit_test(traces_begin_end_and_are_replayed),
		cmocka_unit_test(what_only_mentions_it_counts_for_the_originals_alone),
		cmocka_unit_test(a_signpost_is_no_op),
		cmocka_unit_test(zones_of_ops_name_their_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
