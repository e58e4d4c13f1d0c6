// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "report/family.h"

static void is(const char *op_code, enum family family, enum traffic traffic)
{
	struct work w = work_of(str_of(op_code));

	if (w.family != family || w.traffic != traffic)
		fail_msg("%s is %s (traffic %d), not %s (traffic %d)", op_code,
			 family_name(w.family), w.traffic, family_name(family), traffic);
}

static void every_op_that_computes_products_has_its_family(void **state)
{
	(void)state;
	is("MatmulDeviceOperation", FAMILY_MATMUL, TRAFFIC_ALL);
	is("MinimalMatmulDeviceOperation", FAMILY_MATMUL, TRAFFIC_ALL);
	is("SparseMatmulDeviceOperation", FAMILY_MATMUL, TRAFFIC_ALL);
	is("OptimizedConvNew", FAMILY_CONV, TRAFFIC_ALL);
	is("Conv2dDeviceOperation", FAMILY_CONV, TRAFFIC_ALL);
	is("Conv3dDeviceOperation", FAMILY_CONV, TRAFFIC_ALL);
	is("SDPAOperation", FAMILY_ATTENTION, TRAFFIC_ALL);
	is("RingJointSDPADeviceOperation", FAMILY_ATTENTION, TRAFFIC_ALL);
	is("ScaledDotProductAttentionDecode", FAMILY_ATTENTION, TRAFFIC_ALL);
}

static void collectives_of_today_are_known(void **state)
{
	(void)state;
	is("AllGatherAsync", FAMILY_COLLECTIVE, TRAFFIC_ALL);
	is("ReduceScatterMinimalAsync", FAMILY_COLLECTIVE, TRAFFIC_ALL);
	is("AllReduceAsync", FAMILY_COLLECTIVE, TRAFFIC_ALL);
	is("AllToAllDispatchDeviceOperation", FAMILY_COLLECTIVE, TRAFFIC_ALL);
}

static void the_special_name_wins_over_the_general(void **state)
{
	(void)state;
	is("RotaryEmbeddingLlama", FAMILY_ELTWISE, TRAFFIC_ALL);
	is("EmbeddingsDeviceOperation", FAMILY_LOOKUP, TRAFFIC_OUT_SIZED);
	is("AllGatherDeviceOperation", FAMILY_COLLECTIVE, TRAFFIC_ALL);
	is("GatherDeviceOperation", FAMILY_MOVE, TRAFFIC_OUT_SIZED);
	is("ReduceDeviceOperation", FAMILY_REDUCE, TRAFFIC_ALL);
	is("FastReduceNCDeviceOperation", FAMILY_REDUCE, TRAFFIC_ALL);
	is("PaddedSliceDeviceOperation", FAMILY_MOVE, TRAFFIC_OUT_SIZED);
	is("SliceWriteDeviceOperation", FAMILY_MOVE, TRAFFIC_IN0_TWICE);
	is("SliceDeviceOperation", FAMILY_RESHAPE, TRAFFIC_OUT_SIZED);
	is("UpdateKVCacheOperation", FAMILY_MOVE, TRAFFIC_IN1_TWICE);
	is("PagedUpdateCacheDeviceOperation", FAMILY_MOVE, TRAFFIC_IN1_TWICE);
	is("ShardedToInterleavedPartialDeviceOperation", FAMILY_MOVE, TRAFFIC_IN0_TWICE);
	is("ShardedToInterleavedDeviceOperation", FAMILY_MOVE, TRAFFIC_ALL);
	is("UntilizeWithUnpaddingDeviceOperation", FAMILY_RESHAPE, TRAFFIC_ALL);
	is("BinaryNgDeviceOperation", FAMILY_ELTWISE, TRAFFIC_ALL);
	is("Matmul (torch)", FAMILY_HOST, TRAFFIC_ALL);
}

static void a_name_that_nobody_knows_is_other(void **state)
{
	(void)state;
	is("FrobnicateDeviceOperation", FAMILY_OTHER, TRAFFIC_ALL);
	is("", FAMILY_OTHER, TRAFFIC_ALL);
	is("None", FAMILY_OTHER, TRAFFIC_ALL);
}

static void families_have_names_and_categories(void **state)
{
	(void)state;
	for (int i = 0; i < FAMILIES; i++) {
		assert_non_null(family_name((enum family)i));
		assert_true(family_category((enum family)i) < CATEGORIES);
	}
	assert_string_equal(family_name(FAMILY_LOOKUP), "look-up");
	assert_int_equal(family_category(FAMILY_ATTENTION), CATEGORY_COMPUTE);
	assert_string_equal(category_name(family_category(FAMILY_RESHAPE)), "TM");
	assert_string_equal(category_name(family_category(FAMILY_MOVE)), "DM");
	assert_string_equal(category_name(family_category(FAMILY_COLLECTIVE)), "collective");
	assert_string_equal(category_name(family_category(FAMILY_HOST)), "host");
}

static void short_is(const char *code, const char *expect)
{
	struct str s = op_short_name(str_of(code));

	assert_int_equal(s.len, strlen(expect));
	assert_memory_equal(s.at, expect, s.len);
}

static void what_all_names_end_in_is_left_out(void **state)
{
	(void)state;
	short_is("MatmulDeviceOperation", "Matmul");
	short_is("SDPAOperation", "SDPA");
	short_is("MinimalMatmulOp", "MinimalMatmul");
	short_is("DeviceOperation", "Device"); /* the rest is no longer a name without it */
	short_is("Op", "Op");
	short_is("Matmul", "Matmul");
	short_is("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_op_that_computes_products_has_its_family),
		cmocka_unit_test(collectives_of_today_are_known),
		cmocka_unit_test(the_special_name_wins_over_the_general),
		cmocka_unit_test(a_name_that_nobody_knows_is_other),
		cmocka_unit_test(families_have_names_and_categories),
		cmocka_unit_test(what_all_names_end_in_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
