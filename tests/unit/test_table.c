// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/table.h"

static const struct table_column columns[] = {
	{ .head = "ID", .align = WIDTH_RIGHT },
	{ .head = "op", .flexible = true, .min = 6 },
	{ .head = "device", .unit = "µs", .align = WIDTH_RIGHT },
	{ .head = "gap", .unit = "µs", .align = WIDTH_RIGHT, .drop = 2 },
	{ .head = "fidelity", .drop = 1 },
};

static const char *const cells[][5] = {
	{ "1", "embedding", "162.1", "1.2", "" },
	{ "186", "matmul 768×3072", "8.4", "", "HiFi4" },
};

static void cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	(void)ctx;
	buf_text(b, cells[row][column]);
	if (row == 1 && column == 2)
		*colour = COLOUR_RED;
}

static struct table example(size_t width)
{
	return (struct table){
		.columns = columns, .n = 5, .rows = 2, .cell = cell, .width = width, .utf8 = true
	};
}

static void add_all(struct table *t, struct buf *b)
{
	table_measure(t);
	if (!t->headless)
		table_head(t, b);
	for (size_t row = 0; row < t->rows; row++)
		table_row(t, row, b);
}

static void looks(struct table t, const char *expect)
{
	struct buf b = { 0 };

	add_all(&t, &b);
	assert_string_equal(b.at, expect);
	buf_release(&b);
	table_release(&t);
}

static void numbers_stand_right_and_no_line_ends_in_blanks(void **state)
{
	(void)state;
	looks(example(0), " ID  op               device µs  gap µs  fidelity\n"
			  "  1  embedding            162.1     1.2\n"
			  "186  matmul 768×3072        8.4          HiFi4\n");
}

static void a_narrow_screen_loses_columns_in_their_order(void **state)
{
	struct table t = example(40);

	(void)state;
	looks(example(48), " ID  op               device µs  gap µs\n"
			   "  1  embedding            162.1     1.2\n"
			   "186  matmul 768×3072        8.4\n");
	table_measure(&t);
	assert_true(t.shown[3]);
	assert_false(t.shown[4]);
	table_release(&t);
	looks(example(38), " ID  op               device µs\n"
			   "  1  embedding            162.1\n"
			   "186  matmul 768×3072        8.4\n");
}

static void then_text_is_shortened(void **state)
{
	(void)state;
	looks(example(24), " ID  op        device µs\n"
			   "  1  embeddi…      162.1\n"
			   "186  matmul …        8.4\n");
}

/* The name is shortened to what is enough, then fidelity leaves, then the name gives more, and only then what is firm leaves. */
static void a_long_name_costs_no_firm_column(void **state)
{
	struct table_column firm[5];
	struct table t = example(48);

	(void)state;
	memcpy(firm, columns, sizeof(firm));
	firm[1].is_name = true;
	firm[1].enough = 14;
	firm[1].known_by = 10;
	firm[3].firm = true;
	t.columns = firm;
	looks(t, " ID  op              device µs  gap µs  fidelity\n"
		 "  1  embedding           162.1     1.2\n"
		 "186  matmul 768×30…        8.4          HiFi4\n");
	t = example(34);
	t.columns = firm;
	looks(t, " ID  op          device µs  gap µs\n"
		 "  1  embedding       162.1     1.2\n"
		 "186  matmul 76…        8.4\n");
	t = example(32);
	t.columns = firm;
	looks(t, " ID  op               device µs\n"
		 "  1  embedding            162.1\n"
		 "186  matmul 768×3072        8.4\n");
}

static void no_line_is_wider_than_the_screen(void **state)
{
	(void)state;
	for (size_t width = 1; width < 60; width++) {
		struct table t = example(width);
		struct buf b = { 0 };
		struct str rest, line;

		add_all(&t, &b);
		rest = buf_view(&b);
		while (str_split(&rest, '\n', &line))
			assert_true(width_text(line) <= width);
		buf_release(&b);
		table_release(&t);
	}
}

static void colours_appear_only_when_wanted(void **state)
{
	struct table t = example(24);

	(void)state;
	t.colour = true;
	t.headless = true;
	looks(t, "  1  embedding     162.1\n"
		 "186  matmul 768×…    \033[31m8.4\033[0m\n");
}

static void a_rule_and_plain_ascii_are_possible(void **state)
{
	struct table t = example(24);

	(void)state;
	t.rule = true;
	t.utf8 = false;
	t.indent = 1;
	looks(t, "  ID  op       device us\n"
		 " ---  -------  ---------\n"
		 "   1  embedd.      162.1\n"
		 " 186  matmul.        8.4\n");
}

static void wild(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	(void)ctx;
	(void)row;
	(void)column;
	(void)colour;
	buf_text(b, "a\nb\033[31m日\xff");
}

static void cells_cannot_break_out_of_their_line(void **state)
{
	struct table t = { .columns = columns + 1, .n = 1, .rows = 1, .cell = wild, .utf8 = true };

	(void)state;
	looks(t, "op\na?b?[31m日\xef\xbf\xbd\n");
}

static void an_empty_table_is_its_head(void **state)
{
	struct table t = example(0);

	(void)state;
	t.rows = 0;
	looks(t, "ID  op      device µs  gap µs  fidelity\n");
}

static void printing_stops_when_nobody_reads(void **state)
{
	struct table t = example(0);
	struct out out;
	struct ttp_err e;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	out_init(&out, fd, "full");
	table_print(&t, &out);
	assert_int_equal(out_finish(&out, &e), TTP_SYS);
	table_release(&t);
	close(fd);
}

static void bars_fill_their_part(void **state)
{
	struct buf b = { 0 };

	(void)state;
	bar_add(&b, 0.5, 4, true);
	bar_add(&b, 0.75, 4, false);
	bar_add(&b, 7, 2, false);
	bar_add(&b, -1, 2, false);
	bar_add(&b, NAN, 2, false);
	assert_string_equal(b.at, "██░░###.##....");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stand_right_and_no_line_ends_in_blanks),
		cmocka_unit_test(a_narrow_screen_loses_columns_in_their_order),
		cmocka_unit_test(then_text_is_shortened),
		cmocka_unit_test(a_long_name_costs_no_firm_column),
		cmocka_unit_test(no_line_is_wider_than_the_screen),
		cmocka_unit_test(colours_appear_only_when_wanted),
		cmocka_unit_test(a_rule_and_plain_ascii_are_possible),
		cmocka_unit_test(cells_cannot_break_out_of_their_line),
		cmocka_unit_test(an_empty_table_is_its_head),
		cmocka_unit_test(printing_stops_when_nobody_reads),
		cmocka_unit_test(bars_fill_their_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
