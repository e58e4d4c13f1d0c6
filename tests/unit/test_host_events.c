// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compat/process_ops_logs/ops_tool_original.h"
#include "markers/analyses/analyses.h"
#include "ops/host/host_csv.h"
#include "ops/host/host_events.h"
#include "ops/join/ops_report.h"
#include "ops/py_text.h"

static void a_cut_message_ends_where_the_next_one_opens(void **state)
{
	struct arena texts = { 0 };
	struct message_reader r = { .rest = STR("`one\ntwo\n`three`;7\n`fo``ur`;8\n"),
				    .line = 1,
				    .texts = &texts };
	struct message m;

	(void)state;
	assert_true(message_next(&r, &m));
	assert_true(m.cut);
	assert_true(str_eq(m.text, STR("one\ntwo")));
	assert_true(message_next(&r, &m));
	assert_false(m.cut);
	assert_true(str_eq(m.text, STR("three")) && str_eq(m.time, STR("7")));
	assert_true(message_next(&r, &m));
	assert_true(str_eq(m.text, STR("fo`ur")));
	assert_false(message_next(&r, &m));
	arena_release(&texts);
}

static void bad_json_costs_the_details_and_not_the_op(void **state)
{
	struct host_events h = { 0 };

	(void)state;
	host_events_add_messages(
		&h,
		STR("MessageName;total_ns\n`TT_DNN_DEVICE_OP: \"Mat, mul\", 12, 3, true, 1027 ->\n{\"op_code\": `;55\n"));
	assert_int_equal(h.ops.len, 1);
	assert_int_equal(h.ops.at[0].id, 1027);
	assert_int_equal(host_op_program(&h, &h.ops.at[0])->device, 3);
	assert_true(h.ops.at[0].cut);
	assert_true(str_eq(host_op_code(&h, &h.ops.at[0]), STR("Mat, mul")));
	assert_int_equal(h.cut_messages, 1);
	host_events_release(&h);
}

static void a_signpost_that_names_an_op_is_a_signpost(void **state)
{
	struct host_events h = { 0 };

	(void)state;
	host_events_add_messages(&h, STR("a;b\n`TT_SIGNPOST: TT_METAL LOOP begins`;5\n"));
	assert_int_equal(h.ops.len, 0);
	assert_int_equal(h.signposts.len, 1);
	assert_int_equal(h.odd_messages, 0);
	host_events_release(&h);
}

static void lines_are_those_of_cut_messages(void **state)
{
	struct host_events h = { 0 };

	(void)state;
	host_events_add_messages(
		&h, STR("MessageName;total_ns\n`TT_DNN_DEVICE_OP: no numbers`;1\n"
			"`TT_METAL_TRACE_BEGIN: none`;2\n"
			"`TT_DNN_DEVICE_OP: \"X\", 1, 0, true, 1024 ->\n{\"op_code\": `;3\n"
			"`TT_DNN_DEVICE_OP: also none`;4\n"
			"`TT_DNN_DEVICE_OP: \"X\", 1, 0, true, 2048 ->\n{\"op_code\": `;5\n"));
	assert_int_equal(h.odd_messages, 3);
	assert_int_equal(h.cut_messages, 2);
	assert_int_equal(h.cut_line[0], 4);
	assert_int_equal(h.cut_line[1], 7);
	host_events_release(&h);
}

static void a_text_that_only_mentions_ops_is_none(void **state)
{
	static const char text[] =
		"a;b\n`why is TT_DNN_DEVICE_OP: slow`;1\nTT of TT_METAL, OPEN;2\n`see TT_METAL TRACE docs`;3\n";
	struct host_events ours = { 0 }, original = { .hash_is_name = true };

	(void)state;
	host_events_add_messages(&ours, str_of(text));
	assert_int_equal(ours.ops.len, 0);
	assert_int_equal(ours.odd_messages, 0);
	host_events_add_messages(&original, str_of(text));
	assert_int_equal(original.odd_messages, 3);
	host_events_release(&ours);
	host_events_release(&original);
}

static void ops_between_begin_and_end_belong_to_the_trace(void **state)
{
	struct host_events h = { 0 };
	const struct host_replays *r;

	(void)state;
	host_events_add_messages(&h, STR("a;b\n`TT_METAL_TRACE_BEGIN: 0, 4`;1\n"
					 "`TT_DNN_DEVICE_OP: \"X\", 1, 0, true, 1024`;2\n"
					 "`TT_METAL_TRACE_END: 0, 4`;3\n"
					 "`TT_DNN_DEVICE_OP: \"X\", 1, 0, true, 2048`;4\n"
					 "`TT_METAL_TRACE_REPLAY: 0, 4`;9\n"));
	assert_int_equal(host_op_program(&h, &h.ops.at[0])->trace_id, 4);
	assert_int_equal(host_op_program(&h, &h.ops.at[1])->trace_id, -1);
	r = host_replays_find(&h, 0, 4);
	assert_non_null(r);
	assert_int_equal(r->times_ns.at[0], 9);
	host_events_release(&h);
}

static void zones_give_times_depths_and_children(void **state)
{
	struct host_events h = { 0 };

	(void)state;
	host_events_add_zones(
		&h, STR("name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text\n"
			"TT_DNN_DEVICE_OP,id:1024,10,100,1,\nTT_DNN_DEVICE_OP,id:2048,20,30,1,\n"
			"Compile,,21,5,1,id:2048\nCompile,,27,6,1,id:2048\n"));
	assert_int_equal(h.ops.len, 2);
	assert_int_equal(h.ops.at[0].depth, 0);
	assert_int_equal(h.ops.at[1].depth, 1);
	assert_int_equal(h.children.len, 1);
	assert_int_equal(h.children.at[0].total_ns, 11);
	assert_int_equal(h.children.at[0].count, 2);
	host_events_release(&h);
}

static void json_becomes_the_text_that_python_prints(void **state)
{
	static const struct {
		const char *json, *text;
	} cases[] = {
		{ "{\"a\": \"b\", \"c\": [1, 2.50, true, null]}",
		  "{'a': 'b', 'c': [1, 2.5, True, None]}" },
		{ "\"plain\"", "plain" },
		{ "[\"it's\", \"\\\"'\", \"\\n\\u00e9\"]", "[\"it's\", '\"\\'', '\\n\xc3\xa9']" },
		{ "[]", "[]" },
		{ "18446744073709551615", "18446744073709551615" },
		{ "1e16", "1e+16" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_reader r = json_reader_of(str_of(cases[i].json));
		struct buf b = { 0 };

		assert_true(py_value(&b, &r, json_next(&r), false));
		assert_string_equal(b.at, cases[i].text);
		buf_release(&b);
	}
}

static void signpost_headers_are_whole_or_what_the_original_makes_of_them(void **state)
{
	struct str header, message, text = STR("TT_SIGNPOST: Layer: 3\nloss: 0.1, ok");

	(void)state;
	report_rules.signpost(text, &header, &message);
	assert_true(str_eq(header, STR("Layer: 3")));
	assert_true(str_eq(message, STR("loss: 0.1, ok")));
	ops_tool_original.report->signpost(text, &header, &message);
	assert_true(str_eq(header, STR("0.1, ok")));
	assert_null(message.at);
}

static void analyses_of_a_user_are_read_or_refused_with_their_line(void **state)
{
	analysis_vec list = { 0 };
	struct arena texts = { 0 };
	struct ttp_err e;

	(void)state;
	assert_int_equal(
		analyses_read(
			STR("# mine\n[a b]\nacross = ops\ntype = first_last\nstart = ANY X* Y ZONE_START\nend = BRISC X\n"),
			"f", &list, &texts, &e),
		TTP_OK);
	assert_int_equal(list.len, 1);
	assert_string_equal(list.at[0].name, "a b");
	assert_int_equal(list.at[0].across, ACROSS_OPS);
	assert_string_equal(list.at[0].start.zones[1], "Y");
	assert_string_equal(list.at[0].start.phase, "ZONE_START");
	assert_int_equal(analyses_read(STR("[x]\ntype = odd\n"), "f", &list, &texts, &e),
			 TTP_FORMAT);
	assert_non_null(strstr(e.msg, "line 2"));
	assert_int_equal(analyses_read(STR("[x]\nstart = A B\n"), "f", &list, &texts, &e),
			 TTP_FORMAT);
	vec_release(&list);
	arena_release(&texts);
}

static void analyses_are_read_as_tt_metal_spells_them(void **state)
{
	static const char *const wrong[] = {
		"{",
		"{\"a\": 1}",
		"{\"a\": {\"type\": \"odd\"}}",
		"{\"a\": {\"across\": \"moon\"}}",
		"{\"a\": {\"start\": {\"zone_name\": \"X\"}}}",
		"{\"a\": {\"start\": {\"risc\": \"ANY\", \"zone_name\": 1}}}",
		"{\"a\": {\"start\": {\"risc\": \"ANY\", \"core\": [1, 70000]}}}",
		"{\"a\": {\"type\": \"adjacent\", \"start\": {\"risc\": \"ANY\", \"zone_name\": \"X\"}}}",
	};
	analysis_vec list = { 0 };
	struct arena texts = { 0 };
	struct ttp_err e;

	(void)state;
	assert_int_equal(
		analyses_read(
			STR(" {\"a \\\"b\": {\"across\": \"device\", \"type\": \"session_first_last\", \"more\": [1, {}],"
			    "\"start\": {\"core\": [3, 4], \"risc\": \"ANY\", \"zone_name\": [\"X Y\", \"Z\"], \"zone_phase\": \"ZONE_END\"},"
			    "\"end\": {\"core\": \"ANY\", \"risc\": \"BRISC\", \"zone_name\": \"X\"}},"
			    "\"e\": {\"across\": \"core\", \"type\": \"event\", \"marker\": {\"risc\": \"ERISC\"}},"
			    "\"n\": {\"type\": \"adjacent\", \"start\": {\"risc\": \"ANY\", \"zone_name\": \"X\"},"
			    "\"end\": {\"risc\": \"ANY\", \"zone_name\": \"X\"}}}"),
			"f", &list, &texts, &e),
		TTP_OK);
	assert_int_equal(list.len, 3);
	assert_string_equal(list.at[0].name, "a \"b");
	assert_int_equal(list.at[0].type, ANALYSIS_SESSION_FIRST_LAST);
	assert_int_equal(list.at[0].start.cores, SIDE_ONE_CORE);
	assert_int_equal(list.at[0].start.core_y, 4);
	assert_string_equal(list.at[0].start.zones[0], "X Y");
	assert_string_equal(list.at[0].start.zones[1], "Z");
	assert_string_equal(list.at[0].start.phase, "ZONE_END");
	assert_true(list.at[0].end.any_core && list.at[0].end.cores == SIDE_EVERY_CORE);
	assert_int_equal(list.at[1].type, ANALYSIS_EVENT);
	assert_int_equal(list.at[2].start.cores, SIDE_NO_CORE);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(analyses_read(str_of(wrong[i]), "f", &list, &texts, &e),
				 TTP_FORMAT);
	vec_release(&list);
	arena_release(&texts);
}

/* Two ops with one hash, each told once and then again by its hash. */
static const char same_hash[] =
	"MessageName;total_ns\n"
	"`TT_DNN_DEVICE_OP: \"A\", 7, 0, false, 1024 ->\n{\"op_code\": \"A\", \"global_call_count\": 1024, \"device_id\": 0, \"op_hash\": 7}`;1\n"
	"`TT_DNN_DEVICE_OP: \"B\", 7, 0, false, 2048 ->\n{\"op_code\": \"B\", \"global_call_count\": 2048, \"device_id\": 0, \"op_hash\": 7}`;2\n"
	"`TT_DNN_DEVICE_OP: \"A\", 7, 0, true, 3072`;3\n"
	"`TT_DNN_DEVICE_OP: \"B\", 7, 0, true, 4096`;4\n";

static void ops_that_share_a_hash_keep_their_own_records(void **state)
{
	struct host_events h = { 0 }, frozen = { .hash_is_name = true };

	(void)state;
	host_events_add_messages(&h, str_of(same_hash));
	assert_int_equal(h.ops.len, 4);
	assert_int_equal(host_op_program(&h, &h.ops.at[2])->record,
			 host_op_program(&h, &h.ops.at[0])->record);
	assert_int_equal(host_op_program(&h, &h.ops.at[3])->record,
			 host_op_program(&h, &h.ops.at[1])->record);
	assert_int_not_equal(host_op_program(&h, &h.ops.at[2])->record,
			     host_op_program(&h, &h.ops.at[3])->record);
	host_events_release(&h);
	/* the original takes the last for both */
	host_events_add_messages(&frozen, str_of(same_hash));
	assert_int_equal(host_op_program(&frozen, &frozen.ops.at[2])->record,
			 host_op_program(&frozen, &frozen.ops.at[1])->record);
	host_events_release(&frozen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ops_that_share_a_hash_keep_their_own_records),
		cmocka_unit_test(a_cut_message_ends_where_the_next_one_opens),
		cmocka_unit_test(bad_json_costs_the_details_and_not_the_op),
		cmocka_unit_test(a_signpost_that_names_an_op_is_a_signpost),
		cmocka_unit_test(lines_are_those_of_cut_messages),
		cmocka_unit_test(a_text_that_only_mentions_ops_is_none),
		cmocka_unit_test(ops_between_begin_and_end_belong_to_the_trace),
		cmocka_unit_test(zones_give_times_depths_and_children),
		cmocka_unit_test(json_becomes_the_text_that_python_prints),
		cmocka_unit_test(signpost_headers_are_whole_or_what_the_original_makes_of_them),
		cmocka_unit_test(analyses_of_a_user_are_read_or_refused_with_their_line),
		cmocka_unit_test(analyses_are_read_as_tt_metal_spells_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
