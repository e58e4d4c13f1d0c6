// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_table.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[64];
static char paths[3][128];

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/ttprof-table-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	for (int i = 0; i < 3; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/%d.csv", dir, i);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		unlink(paths[i]);
	return rmdir(dir);
}

static void write_file(int i, struct str data)
{
	int fd = open(paths[i], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data.at, data.len), (ssize_t)data.len);
	close(fd);
}

static const enum ops_col wanted[] = { OPS_OP_CODE,  OPS_OP_TYPE,    OPS_GLOBAL_CALL_COUNT,
				       OPS_DURATION, OPS_ATTRIBUTES, OPS_DM_SOURCE };
static const struct ops_want want = { wanted, sizeof(wanted) / sizeof(wanted[0]), 2, 1 };

static struct ops_table read_files(int count, const struct ops_rules *rules)
{
	const char *const list[] = { paths[0], paths[1], paths[2] };
	struct ttp_err e = { 0 };
	struct ops_table t;

	if (ops_table_read(&t, list, (size_t)count, &want, rules, &e))
		fail_msg("%s", e.msg);
	return t;
}

static struct ops_table read_text(struct str text)
{
	write_file(0, text);
	return read_files(1, &ops_rules);
}

static void assert_text(const struct ops_table *t, enum ops_col col, size_t row, const char *text)
{
	struct str got = ops_text(t, col, row);

	if (!str_eq(got, str_of(text)))
		fail_msg("row %zu: \"%.*s\" is not \"%s\"", row, STR_ARG(got), text);
}

static void columns_are_found_by_name_in_any_order(void **state)
{
	struct ops_table t = read_text(STR("X,DEVICE KERNEL DURATION [ns],OP CODE,OP TYPE\n"
					   "9,120,Matmul,tt_dnn_device\n"
					   "9,7,Add,tt_dnn_device\n"));
	int64_t v;

	(void)state;
	assert_int_equal(t.rows, 2);
	assert_text(&t, OPS_OP_CODE, 0, "Matmul");
	assert_text(&t, OPS_OP_CODE, 1, "Add");
	assert_true(ops_i64(&t, OPS_DURATION, 0, &v));
	assert_int_equal(v, 120);
	assert_true(ops_has_column(&t, OPS_DURATION));
	assert_false(ops_has_column(&t, OPS_GLOBAL_CALL_COUNT));
	assert_false(ops_i64(&t, OPS_GLOBAL_CALL_COUNT, 0, &v));
	assert_text(&t, OPS_ATTRIBUTES, 0, "");
	ops_table_release(&t);
}

static void every_column_is_found_by_its_own_name_and_its_aliases(void **state)
{
	(void)state;
	for (int i = 0; i < OPS_COLS; i++)
		assert_int_equal(ops_col_find(ops_col_info[i].name), i);
	assert_int_equal(ops_col_find(STR("COMPUTE KERNEL PATH")), OPS_COMPUTE_SOURCE);
	assert_int_equal(ops_col_find(STR("DATAMOVEMENT KERNEL PATH")), OPS_DM_SOURCE);
	assert_int_equal(ops_col_find(STR("op code")), OPS_COLS);
	assert_int_equal(ops_col_find(STR("")), OPS_COLS);
}

static void of_two_columns_of_one_name_the_first_counts(void **state)
{
	struct ops_table t = read_text(STR("OP CODE,OP CODE\na,b\n"));

	(void)state;
	assert_text(&t, OPS_OP_CODE, 0, "a");
	ops_table_release(&t);
}

static void quoted_cells_are_their_text(void **state)
{
	struct ops_table t = read_text(STR("OP CODE,ATTRIBUTES\r\n"
					   "\"a,b\",\"{\"\"k\"\": 1}\"\r\n"
					   "\"two\nlines\",\"x\"\r\n"));

	(void)state;
	assert_int_equal(t.rows, 2);
	assert_text(&t, OPS_OP_CODE, 0, "a,b");
	assert_text(&t, OPS_ATTRIBUTES, 0, "{\"k\": 1}");
	assert_text(&t, OPS_OP_CODE, 1, "two\nlines");
	ops_table_release(&t);
}

static void assert_kind(const struct ops_table *t, size_t row, enum cell_kind kind)
{
	if (t->column[OPS_DURATION].kind[row] != kind)
		fail_msg("row %zu: kind %d, not %d", row, t->column[OPS_DURATION].kind[row], kind);
}

static void numbers_keep_what_they_are(void **state)
{
	static const struct {
		const char *text;
		enum cell_kind kind;
	} cells[] = {
		{ "0", CELL_INT },
		{ "-1", CELL_INT },
		{ "+7", CELL_INT },
		{ "007", CELL_INT },
		{ "9223372036854775807", CELL_INT },
		{ "-9223372036854775808", CELL_INT },
		{ "9223372036854775808", CELL_UINT },
		{ "18446744073709551615", CELL_UINT },
		{ "18446744073709551616", CELL_REAL },
		{ "-9223372036854775809", CELL_REAL },
		{ "1.5", CELL_REAL },
		{ "1e3", CELL_REAL },
		{ "1234.0", CELL_REAL },
		{ "-", CELL_NONE },
		{ "nan", CELL_NONE },
		{ "NaN", CELL_NONE },
		{ "abc", CELL_TEXT },
		{ "1 ", CELL_TEXT },
		{ "0x10", CELL_TEXT },
		{ "1,5", CELL_TEXT },
		{ "1e999", CELL_HUGE },
		{ "-inf", CELL_HUGE },
	};
	enum { CELLS = sizeof(cells) / sizeof(cells[0]) };
	struct buf b = { 0 };
	struct ops_table t;
	double r;
	int64_t v;

	(void)state;
	buf_text(&b, "OP CODE,DEVICE KERNEL DURATION [ns]\n");
	for (int i = 0; i < CELLS; i++)
		buf_printf(&b, "op,\"%s\"\n", cells[i].text);
	buf_text(&b, "op,\nop\n");
	t = read_text(buf_view(&b));
	assert_int_equal(t.rows, CELLS + 2);
	for (size_t i = 0; i < CELLS; i++)
		assert_kind(&t, i, cells[i].kind);
	assert_kind(&t, CELLS, CELL_NONE);
	assert_kind(&t, CELLS + 1, CELL_NONE);

	assert_int_equal(t.column[OPS_DURATION].value[5].i, INT64_MIN);
	assert_true(t.column[OPS_DURATION].value[7].u == UINT64_MAX);
	assert_true(ops_i64(&t, OPS_DURATION, 4, &v) && v == INT64_MAX);
	assert_false(ops_i64(&t, OPS_DURATION, 6, &v));
	assert_true(ops_real(&t, OPS_DURATION, 6, &r) && r > 9.2e18);
	assert_false(ops_i64(&t, OPS_DURATION, 10, &v));
	assert_true(ops_i64(&t, OPS_DURATION, 11, &v) && v == 1000);
	for (size_t i = 13; i < t.rows; i++)
		assert_false(ops_real(&t, OPS_DURATION, i, &r));
	assert_int_equal(t.files.at[0].seen[OPS_DURATION], 1 << CELL_NONE | 1 << CELL_INT |
								   1 << CELL_UINT | 1 << CELL_REAL |
								   1 << CELL_TEXT | 1 << CELL_HUGE);
	ops_table_release(&t);
	buf_release(&b);
}

static void short_rows_are_filled_and_long_rows_are_skipped(void **state)
{
	struct ops_table t = read_text(STR("OP CODE,OP TYPE,DEVICE KERNEL DURATION [ns]\n"
					   "a\n"
					   "b,t\n"
					   "c,t,1,extra\n"
					   "d,t,2\n"
					   "e,t,3,\n"));
	const struct ops_fault_count *f = &t.files.at[0].fault[OPS_FAULT_LONG_ROW];

	(void)state;
	assert_int_equal(t.rows, 3);
	assert_text(&t, OPS_OP_CODE, 0, "a");
	assert_text(&t, OPS_OP_TYPE, 0, "");
	assert_text(&t, OPS_OP_CODE, 2, "d");
	assert_int_equal(f->count, 2);
	assert_int_equal(f->line[0], 4);
	assert_int_equal(f->line[1], 6);
	ops_table_release(&t);
}

static void a_long_first_row_shifts_where_the_rules_say_so(void **state)
{
	struct ops_rules rules = ops_rules;
	struct ops_table t;
	struct buf scratch = { 0 };

	(void)state;
	rules.long_first_row_shifts = true;
	write_file(0, STR("OP CODE,OP TYPE\n0,a,t\n1,b,t\n2,c\n3,d,t,x\n"));
	t = read_files(1, &rules);
	assert_int_equal(t.rows, 3);
	assert_int_equal(t.files.at[0].shift, 1);
	assert_text(&t, OPS_OP_CODE, 0, "a");
	assert_text(&t, OPS_OP_CODE, 1, "b");
	assert_text(&t, OPS_OP_CODE, 2, "c");
	assert_true(str_eq(ops_source_text(&t, 1, STR("OP TYPE"), &scratch), STR("t")));
	assert_int_equal(t.files.at[0].fault[OPS_FAULT_LONG_ROW].count, 1);
	ops_table_release(&t);
	buf_release(&scratch);
}

static void bad_bytes_are_replaced_and_counted(void **state)
{
	struct ops_table t = read_text(STR("OP CODE,OP TYPE\n"
					   "caf\xC3\xA9,t\n"
					   "a\xFF"
					   "b,t\n"
					   "c\0d,t\n"));
	const struct ops_fault_count *f = &t.files.at[0].fault[OPS_FAULT_BAD_BYTES];

	(void)state;
	assert_text(&t, OPS_OP_CODE, 0, "caf\xC3\xA9");
	assert_text(&t, OPS_OP_CODE, 1,
		    "a\xEF\xBF\xBD"
		    "b");
	assert_text(&t, OPS_OP_CODE, 2,
		    "c\xEF\xBF\xBD"
		    "d");
	assert_int_equal(f->count, 2);
	assert_int_equal(f->line[0], 3);
	ops_table_release(&t);
}

static void a_nul_ends_a_field_where_the_rules_say_so(void **state)
{
	struct ops_rules rules = ops_rules;
	struct ops_table t;

	(void)state;
	rules.nul_ends_field = true;
	write_file(0, STR("OP CODE,OP TYPE\nc\0d,t\n\0,\xFF\n"));
	t = read_files(1, &rules);
	assert_text(&t, OPS_OP_CODE, 0, "c");
	assert_text(&t, OPS_OP_TYPE, 0, "t");
	assert_text(&t, OPS_OP_CODE, 1, "");
	assert_text(&t, OPS_OP_TYPE, 1, "\xEF\xBF\xBD");
	ops_table_release(&t);
}

static void an_unclosed_quote_is_counted_with_its_line(void **state)
{
	struct ops_table t = read_text(STR("OP CODE,OP TYPE\na,\"t\nb,t\n"));
	const struct ops_fault_count *f = &t.files.at[0].fault[OPS_FAULT_UNCLOSED_QUOTE];

	(void)state;
	assert_int_equal(t.rows, 2);
	assert_text(&t, OPS_OP_TYPE, 0, "\"t");
	assert_int_equal(f->count, 1);
	assert_int_equal(f->line[0], 2);
	ops_table_release(&t);
}

#define IN0                                                                     \
	"INPUT_0_W_PAD[LOGICAL],INPUT_0_Z_PAD[LOGICAL],INPUT_0_Y_PAD[LOGICAL]," \
	"INPUT_0_X_PAD[LOGICAL],INPUT_0_LAYOUT,INPUT_0_DATATYPE,INPUT_0_MEMORY"
#define OUT0 \
	"OUTPUT_0_W,OUTPUT_0_Z,OUTPUT_0_Y,OUTPUT_0_X,OUTPUT_0_LAYOUT,OUTPUT_0_DATATYPE,OUTPUT_0_MEMORY"

static void assert_part(const struct ops_table *t, const struct tensor *x, enum tensor_part part,
			const char *text)
{
	struct str got = ops_string(t, x->text[part]);

	if (!str_eq(got, str_of(text)))
		fail_msg("part %d: \"%.*s\" is not \"%s\"", part, STR_ARG(got), text);
}

static void equal_tensors_are_stored_once(void **state)
{
	struct ops_table t = read_text(STR("OP CODE," IN0 "," OUT0 "\n"
					   "a,1,1,32,64,TILE,BF16,L1,1,1,32,64,TILE,BF16,L1\n"
					   "b,,,,,,,,1,1,32,64,TILE,BF16,L1\n"
					   "c,1,1,32,64,TILE\n"
					   "d,\"1\",1,32,64,TILE,BF16,L1,,,,,,,\n"));
	size_t in = ops_tensor_slot(&t, false, 0), out = ops_tensor_slot(&t, true, 0);
	const struct tensor *x = ops_tensor(&t, in, 0);

	(void)state;
	assert_int_equal(ops_tensor_slot(&t, false, 1), SIZE_MAX);
	assert_null(ops_tensor(&t, SIZE_MAX, 0));
	assert_non_null(x);
	assert_part(&t, x, TENSOR_Y, "32");
	assert_part(&t, x, TENSOR_MEMORY, "L1");
	assert_ptr_equal(ops_tensor(&t, out, 0), x);
	assert_ptr_equal(ops_tensor(&t, out, 1), x);
	assert_null(ops_tensor(&t, in, 1));
	assert_part(&t, ops_tensor(&t, in, 2), TENSOR_LAYOUT, "TILE");
	assert_part(&t, ops_tensor(&t, in, 2), TENSOR_MEMORY, "");
	assert_null(ops_tensor(&t, out, 2));
	assert_ptr_equal(ops_tensor(&t, in, 3), x);
	assert_null(ops_tensor(&t, out, 3));
	ops_table_release(&t);
}

/* The same bytes from the first cell on, once behind a quote and once not. */
static void a_quote_before_a_tensor_is_not_forgotten(void **state)
{
	struct ops_table t = read_text(STR("OP CODE," IN0 "\n"
					   "a,\"1\",1,32,64,TILE,BF16,L1\n"
					   "b,1\",1,32,64,TILE,BF16,L1\n"
					   "c,1,1,32,64,TILE,BF16,\"L1\"\n"
					   "d,1,1,32,64,TILE,BF16,\"L1\n"));

	(void)state;
	assert_part(&t, ops_tensor(&t, 0, 0), TENSOR_W, "1");
	assert_part(&t, ops_tensor(&t, 0, 1), TENSOR_W, "1\"");
	assert_part(&t, ops_tensor(&t, 0, 2), TENSOR_MEMORY, "L1");
	assert_part(&t, ops_tensor(&t, 0, 3), TENSOR_MEMORY, "\"L1");
	ops_table_release(&t);
}

static void tensor_columns_may_stand_apart(void **state)
{
	struct ops_table t = read_text(STR("INPUT_0_X,OP CODE,INPUT_0_Y,OUTPUT_7_X,INPUT_0_MEMORY\n"
					   "64,a,32,1,L1\n"
					   ",b,,1,\n"));
	const struct tensor *x = ops_tensor(&t, ops_tensor_slot(&t, false, 0), 0);

	(void)state;
	assert_int_equal(t.tensor_slots.len, 1); /* OUTPUT_7 was not asked for */
	assert_part(&t, x, TENSOR_X, "64");
	assert_part(&t, x, TENSOR_Y, "32");
	assert_part(&t, x, TENSOR_W, "");
	assert_null(ops_tensor(&t, 0, 1));
	ops_table_release(&t);
}

static void files_with_different_columns_make_one_table(void **state)
{
	struct ops_table t;
	int64_t v;

	(void)state;
	write_file(0, STR("OP CODE,ATTRIBUTES\na,x\nb,y\n"));
	write_file(1, STR("DEVICE KERNEL DURATION [ns],OP CODE," IN0
			  "\n5,c,1,1,32,64,TILE,BF16,L1\n"));
	write_file(2, STR("OP CODE,OP TYPE\n"));
	t = read_files(3, &ops_rules);
	assert_int_equal(t.rows, 3);
	assert_int_equal(t.files.len, 3);
	assert_text(&t, OPS_OP_CODE, 1, "b");
	assert_text(&t, OPS_OP_CODE, 2, "c");
	assert_text(&t, OPS_ATTRIBUTES, 2, "");
	assert_false(ops_i64(&t, OPS_DURATION, 1, &v));
	assert_true(ops_i64(&t, OPS_DURATION, 2, &v) && v == 5);
	assert_null(ops_tensor(&t, 0, 0));
	assert_non_null(ops_tensor(&t, 0, 2));
	assert_ptr_equal(ops_file_of(&t, 1), &t.files.at[0]);
	assert_ptr_equal(ops_file_of(&t, 2), &t.files.at[1]);
	assert_int_equal(t.files.at[1].first_row, 2);
	assert_int_equal(t.files.at[2].rows, 0);
	ops_table_release(&t);
}

static void columns_that_come_late_are_blank_before_over_many_rows(void **state)
{
	enum { ROWS = 5000 };
	struct buf b = { 0 };
	struct ops_table t;
	int64_t v;

	(void)state;
	buf_text(&b, "OP CODE\n");
	for (int i = 0; i < ROWS; i++)
		buf_printf(&b, "op%d\n", i % 7);
	write_file(0, buf_view(&b));
	buf_clear(&b);
	buf_text(&b, "OP CODE,OP TYPE,GLOBAL CALL COUNT\n");
	for (int i = 0; i < ROWS; i++)
		buf_printf(&b, "op%d,t,%d\n", i % 7, i);
	write_file(1, buf_view(&b));
	t = read_files(2, &ops_rules);
	assert_int_equal(t.rows, 2 * ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		assert_text(&t, OPS_OP_TYPE, i, "");
		assert_false(ops_i64(&t, OPS_GLOBAL_CALL_COUNT, i, &v));
		assert_true(ops_i64(&t, OPS_GLOBAL_CALL_COUNT, ROWS + i, &v));
		assert_int_equal(v, (int64_t)i);
	}
	ops_table_release(&t);
	buf_release(&b);
}

static void any_cell_can_be_had_from_its_file(void **state)
{
	struct ops_table t;
	struct buf scratch = { 0 };

	(void)state;
	write_file(0, STR("OP CODE,EXTRA\n\na,\"x \"\"1\"\"\"\n\nb\n"));
	write_file(1, STR("\xEF\xBB\xBFOTHER,OP CODE\r\n\xFF,c\r\n"));
	t = read_files(2, &ops_rules);
	assert_true(str_eq(ops_source_text(&t, 0, STR("EXTRA"), &scratch), STR("x \"1\"")));
	assert_true(str_eq(ops_source_text(&t, 1, STR("EXTRA"), &scratch), STR("")));
	assert_true(str_eq(ops_source_text(&t, 1, STR("OP CODE"), &scratch), STR("b")));
	assert_true(str_eq(ops_source_text(&t, 2, STR("OTHER"), &scratch), STR("\xEF\xBF\xBD")));
	assert_true(str_eq(ops_source_text(&t, 2, STR("EXTRA"), &scratch), STR("")));
	ops_table_release(&t);
	buf_release(&scratch);
}

static void nothing_to_read_is_an_error_that_names_the_file(void **state)
{
	const char *const list[] = { paths[1], paths[0] };
	struct ttp_err e = { 0 };
	struct ops_table t;
	char text[256];

	(void)state;
	write_file(1, STR("OP CODE\na\n"));
	for (int i = 0; i < 2; i++) {
		write_file(0, i ? STR("\n \n") : STR(""));
		assert_int_equal(ops_table_read(&t, list, 2, &want, &ops_rules, &e), TTP_FORMAT);
		snprintf(text, sizeof(text), "%s: no data: the file is empty", paths[0]);
		assert_string_equal(e.msg, text);
		assert_int_equal(t.rows, 0);
	}
	unlink(paths[0]);
	assert_int_equal(ops_table_read(&t, list, 2, &want, &ops_rules, &e), TTP_SYS);
	ops_table_release(&t);
}

static void a_header_of_endless_columns_is_refused(void **state)
{
	const char *const list[] = { paths[0] };
	struct ttp_err e = { 0 };
	struct ops_table t;
	struct buf b = { 0 };

	(void)state;
	buf_fill(&b, ',', 70000);
	write_file(0, buf_view(&b));
	assert_int_equal(ops_table_read(&t, list, 1, &want, &ops_rules, &e), TTP_LIMIT);
	buf_release(&b);
}

/* Shortens the file once a certain cell is read. */
static enum cell_kind cut_at_here(struct str text, union cell *out)
{
	if (str_eq(text, STR("here")) && truncate(paths[0], 4096))
		_exit(254);
	return ops_rules.classify(text, out);
}

static int shrinks_while_read(const char *path)
{
	struct ops_rules rules = ops_rules;
	const char *const list[] = { path };
	struct ops_table t;

	snprintf(paths[0], sizeof(paths[0]), "%s", path);
	rules.classify = cut_at_here;
	if (ops_table_read(&t, list, 1, &want, &rules, NULL))
		return 1;
	/* rows up to the cut, and none of zeros; the one that is cut in two does not count */
	if (!t.rows || t.rows > 4096 / 8 || t.files.at[0].fault[OPS_FAULT_SHRUNK].count != 1)
		return 2;
	if (t.files.at[0].fault[OPS_FAULT_BAD_BYTES].count)
		return 3;
	ops_table_release(&t);
	return 0;
}

static void a_file_that_shrinks_ends_where_it_was_cut(void **state)
{
	struct buf b = { 0 };
	pid_t child;
	int status;

	(void)state;
	buf_text(&b, "OP CODE,OP TYPE\nx,here\n");
	for (int i = 0; i < 10000; i++)
		buf_text(&b, "matmul,t\n");
	write_file(0, buf_view(&b));
	buf_release(&b);
	child = fork();
	assert_true(child >= 0);
	if (!child) { /* cmocka takes every SIGBUS for a failed test */
		execl("/proc/self/exe", "test_table_ops", paths[0], NULL);
		_exit(255);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_found_by_name_in_any_order),
		cmocka_unit_test(every_column_is_found_by_its_own_name_and_its_aliases),
		cmocka_unit_test(of_two_columns_of_one_name_the_first_counts),
		cmocka_unit_test(quoted_cells_are_their_text),
		cmocka_unit_test(numbers_keep_what_they_are),
		cmocka_unit_test(short_rows_are_filled_and_long_rows_are_skipped),
		cmocka_unit_test(a_long_first_row_shifts_where_the_rules_say_so),
		cmocka_unit_test(bad_bytes_are_replaced_and_counted),
		cmocka_unit_test(a_nul_ends_a_field_where_the_rules_say_so),
		cmocka_unit_test(an_unclosed_quote_is_counted_with_its_line),
		cmocka_unit_test(equal_tensors_are_stored_once),
		cmocka_unit_test(a_quote_before_a_tensor_is_not_forgotten),
		cmocka_unit_test(tensor_columns_may_stand_apart),
		cmocka_unit_test(files_with_different_columns_make_one_table),
		cmocka_unit_test(columns_that_come_late_are_blank_before_over_many_rows),
		cmocka_unit_test(any_cell_can_be_had_from_its_file),
		cmocka_unit_test(nothing_to_read_is_an_error_that_names_the_file),
		cmocka_unit_test(a_header_of_endless_columns_is_refused),
		cmocka_unit_test(a_file_that_shrinks_ends_where_it_was_cut),
	};

	if (argc > 1)
		return shrinks_while_read(argv[1]);
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
