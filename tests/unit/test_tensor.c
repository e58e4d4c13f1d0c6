// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void assert_column(const char *name, bool output, int index, enum tensor_part want)
{
	struct tensor_slot place;
	enum tensor_part part;

	if (!tensor_column(str_of(name), &place, &part))
		fail_msg("not taken for a tensor column: %s", name);
	assert_int_equal(place.output, output);
	assert_int_equal(place.index, index);
	assert_int_equal(part, want);
}

static void assert_no_column(const char *name)
{
	struct tensor_slot place;
	enum tensor_part part;

	if (tensor_column(str_of(name), &place, &part))
		fail_msg("taken for a tensor column: %s", name);
}

static void columns_of_all_generations_are_known(void **state)
{
	(void)state;
	assert_column("INPUT_0_W_PAD[LOGICAL]", false, 0, TENSOR_W);
	assert_column("INPUT_12_X_PAD[LOGICAL]", false, 12, TENSOR_X);
	assert_column("OUTPUT_0_Y", true, 0, TENSOR_Y);
	assert_column("OUTPUT_3_Z", true, 3, TENSOR_Z);
	assert_column("INPUT_1_LAYOUT", false, 1, TENSOR_LAYOUT);
	assert_column("INPUT_1_DATATYPE", false, 1, TENSOR_DATATYPE);
	assert_column("INPUT_1_DATA TYPE", false, 1, TENSOR_DATATYPE);
	assert_column("OUTPUT_63_MEMORY", true, 63, TENSOR_MEMORY);
}

static void names_that_only_look_alike_are_not_tensors(void **state)
{
	static const char *const names[] = {
		"",           "INPUT",      "INPUT_",        "INPUT__W",
		"INPUT_0",    "INPUT_0_",   "INPUT_0_V",     "INPUT_x_W",
		"INPUT_+1_W", "INPUT_-1_W", "INPUT_64_W",    "INPUT_99999999999999999999_W",
		"input_0_W",  "OUTPUT_0 W", "INPUT_0_W_PAD", "INPUT_0_W_PAD[LOGICAL]x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_no_column(names[i]);
}

static void assert_dim(const char *text, int64_t want_padded, int64_t want_logical)
{
	int64_t padded, logical;

	if (!tensor_dim(str_of(text), &padded, &logical))
		fail_msg("not taken for a dimension: %s", text);
	assert_int_equal(padded, want_padded);
	assert_int_equal(logical, want_logical);
}

static void a_dimension_is_padded_and_logical(void **state)
{
	(void)state;
	assert_dim("4096[4001]", 4096, 4001);
	assert_dim("32", 32, 32);
	assert_dim("32.0", 32, 32);
	assert_dim("0[0]", 0, 0);
	assert_dim("1e3", 1000, 1000);
	assert_dim("9223372036854775807[1]", INT64_MAX, 1);
}

static void a_dimension_that_is_none_is_refused(void **state)
{
	static const char *const texts[] = {
		"",    "-",        "x",     "32[",    "[32]", "32[]",  "32]",
		"][",  "[]",       "32[x]", "32[1]x", "32.5", "1e300", "nan",
		"inf", "32[1][1]", "]32[",  "32[1",   " 32",  "32 ",   "9223372036854775808[1]",
	};
	int64_t padded, logical;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (tensor_dim(str_of(texts[i]), &padded, &logical))
			fail_msg("taken for a dimension: %s", texts[i]);
}

static void equal_tensors_have_one_number(void **state)
{
	enum { MANY = 5000 };
	struct tensor_set set = { 0 };

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < MANY; i++) {
			struct tensor t = { { i % 10, i / 10, 0, 0, 0, 0, i % 3 } };

			assert_int_equal(tensor_set_add(&set, &t), i);
		}
	assert_int_equal(set.all.len, MANY);
	tensor_set_release(&set);
	assert_int_equal(set.all.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_of_all_generations_are_known),
		cmocka_unit_test(names_that_only_look_alike_are_not_tensors),
		cmocka_unit_test(a_dimension_is_padded_and_logical),
		cmocka_unit_test(a_dimension_that_is_none_is_refused),
		cmocka_unit_test(equal_tensors_have_one_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
