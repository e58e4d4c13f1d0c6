// SPDX-License-Identifier: Apache-2.0
#include "chip/chip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_chip_is_found_by_its_id_in_any_case(void **state)
{
	(void)state;
	for (int i = 0; i < CHIPS; i++)
		assert_ptr_equal(chip_find(str_of(chips[i].id)), &chips[i]);
	assert_ptr_equal(chip_find(STR("P150")), &chips[CHIP_p150]);
	assert_null(chip_find(STR("p15")));
	assert_null(chip_find(STR("p1500")));
	assert_null(chip_find(STR("")));
}

static void an_arch_stands_for_its_usual_chip(void **state)
{
	(void)state;
	assert_ptr_equal(chip_find(STR("wormhole")), &chips[CHIP_n150]);
	assert_ptr_equal(chip_find(STR("Wormhole_B0")), &chips[CHIP_n150]);
	assert_ptr_equal(chip_find(STR("blackhole")), &chips[CHIP_p150]);
	assert_null(chip_find(STR("wormholes")));
	assert_null(chip_find(STR("worm")));
}

static void core_counts_tell_chips_apart_where_they_can(void **state)
{
	bool only, alike;

	(void)state;
	assert_ptr_equal(chip_guess(STR("blackhole"), 20, &only, &alike), &chips[CHIP_bh20]);
	assert_true(only && alike);
	assert_ptr_equal(chip_guess(STR("blackhole"), 130, &only, &alike), &chips[CHIP_p150]);
	assert_true(only && alike);
	assert_ptr_equal(chip_guess(STR("quasar"), 0, &only, &alike), &chips[CHIP_quasar]);
	assert_true(only && alike);
}

static void chips_that_fit_alike_are_told_from_those_that_differ(void **state)
{
	bool only, alike;

	(void)state;
	assert_ptr_equal(chip_guess(STR("wormhole_b0"), 64, &only, &alike), &chips[CHIP_n150]);
	assert_false(only);
	assert_true(alike);
	assert_ptr_equal(chip_guess(STR("blackhole"), 110, &only, &alike), &chips[CHIP_p150]);
	assert_false(only);
	assert_false(alike);
	assert_ptr_equal(chip_guess(STR("blackhole"), 0, &only, &alike), &chips[CHIP_p150]);
	assert_false(only);
}

static void a_count_that_fits_no_chip_leaves_the_usual_one_in_doubt(void **state)
{
	static const int counts[] = { 1, 30, 1000, INT32_MAX };
	bool only, alike;

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		assert_ptr_equal(chip_guess(STR("wormhole"), counts[i], &only, &alike),
				 &chips[CHIP_n150]);
		assert_false(only);
	}
	assert_ptr_equal(chip_guess(STR("wormhole"), INT32_MIN, &only, &alike), &chips[CHIP_n150]);
	assert_false(only);
	assert_null(chip_guess(STR("tpu"), 64, &only, &alike));
	assert_false(only);
}

static void fidelity_is_a_number_of_passes(void **state)
{
	(void)state;
	assert_int_equal(fidelity_passes(STR("LoFi")), 1);
	assert_int_equal(fidelity_passes(STR("HiFi2")), 2);
	assert_int_equal(fidelity_passes(STR("HiFi3")), 3);
	assert_int_equal(fidelity_passes(STR("HiFi4")), 4);
	assert_int_equal(fidelity_passes(STR("")), 0);
	assert_int_equal(fidelity_passes(STR("HiFi5")), 0);
}

static void the_peak_follows_cores_clock_and_passes(void **state)
{
	(void)state;
	/* 64 cores x 4096 FLOP x 1 GHz = 262 TFLOP/s at LoFi */
	assert_float_equal(chip_flop_per_ns(&chips[CHIP_n150], 64, 1), 262144, 0);
	assert_float_equal(chip_flop_per_ns(&chips[CHIP_n150], 64, 4), 65536, 0);
	assert_float_equal(chip_flop_per_ns(&chips[CHIP_n150], 64, 0), 0, 0);
	assert_float_equal(chip_flop_per_ns(&chips[CHIP_quasar], 64, 1), 0, 0);
}

/* What a line of chips.def must have for the rest to make sense. */
static void every_chip_has_a_name_an_arch_and_a_source(void **state)
{
	(void)state;
	for (int i = 0; i < CHIPS; i++) {
		assert_true(chips[i].name[0] && chips[i].arch[0] && chips[i].source[0]);
		assert_true(chips[i].cores >= 0 && chips[i].dram_gbps >= 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chip_is_found_by_its_id_in_any_case),
		cmocka_unit_test(an_arch_stands_for_its_usual_chip),
		cmocka_unit_test(core_counts_tell_chips_apart_where_they_can),
		cmocka_unit_test(chips_that_fit_alike_are_told_from_those_that_differ),
		cmocka_unit_test(a_count_that_fits_no_chip_leaves_the_usual_one_in_doubt),
		cmocka_unit_test(fidelity_is_a_number_of_passes),
		cmocka_unit_test(the_peak_follows_cores_clock_and_passes),
		cmocka_unit_test(every_chip_has_a_name_an_arch_and_a_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
