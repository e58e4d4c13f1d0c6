// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "device/markers.h"

/* Words of tt-metal for id 36986 at 11233712279499. */
#define TIME 11233712279499ull
#define LOW  0x8d6e0fcbu

static VEC(struct device_marker) got;
static struct marker_decoder decoder;
static struct account account;

static void keep(void *ctx, const struct device_marker *m)
{
	(void)ctx;
	*vec_push(&got) = *m;
}

static int fresh(void **state)
{
	(void)state;
	vec_release(&got);
	account_release(&account);
	account = (struct account){ 0 };
	decoder = (struct marker_decoder){ .device = 0, .tile = { 1, 2 }, .risc = 2, .flat = 17 };
	return 0;
}

static int done(void **state)
{
	(void)state;
	vec_release(&got);
	account_release(&account);
	return 0;
}

#define HEAD 0, 0, 0x00006222, 5 /* core 2, flat 17, three replays; program 5 */
#define BLANK_KEPT                                                                          \
	0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, \
		0x80000000

#define DECODE(...)                                                                         \
	do {                                                                                \
		uint32_t words_[] = { __VA_ARGS__ };                                        \
		markers_decode(&decoder, words_, sizeof(words_) / 4, keep, NULL, &account); \
	} while (0)

static void words_of_tt_metal(void **state)
{
	(void)state;
	DECODE(HEAD, BLANK_KEPT, 0x8907aa37, LOW, 0x9907aa37, LOW, 0xa907a000, 99, 0xb907aa37, LOW,
	       1, 2, 0xc907aa37, LOW, 0xd907aa37, LOW, 1, 2, 3, 4, 0x80000000, 0);
	assert_int_equal(got.len, 6);
	for (size_t i = 0; i < got.len; i++) {
		assert_int_equal(got.at[i].type, i);
		assert_int_equal(got.at[i].id, 36986);
		assert_int_equal(got.at[i].host_id, 5);
		assert_int_equal(got.at[i].replay, 3);
		if (i != MARKER_ZONE_TOTAL)
			assert_int_equal(got.at[i].cycles, TIME);
	}
	assert_int_equal(got.at[2].data[0], 99);
	assert_int_equal(got.at[3].data[0], 1ull << 32 | 2);
	assert_int_equal(got.at[5].data[1], 3ull << 32 | 4);
	assert_int_equal(decoder.damaged_slots, 0);
}

static void kept_places_nest_around_the_others(void **state)
{
	(void)state;
	DECODE(HEAD, 0x80001000, 100, 0x90001000, 900, 0x80002000, 110, 0x90002000, 800, 0x80003000,
	       200, 0x90003000, 300);
	static const uint16_t ids[] = { 1, 2, 3, 3, 2, 1 };

	assert_int_equal(got.len, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(got.at[i].id, ids[i]);
		assert_int_equal(got.at[i].type, i < 3 ? MARKER_ZONE_START : MARKER_ZONE_END);
	}
}

static void a_part_pushed_in_the_middle_has_no_second_start(void **state)
{
	(void)state;
	DECODE(HEAD, 0x80001000, 100, 0x80000000, 0x80000000, 0x80002000, 110, 0x80000000,
	       0x80000000, 0xc0003000, 200, /* then the rest: */
	       HEAD, 0x80001000, 100, 0x90001000, 900, 0x80002000, 110, 0x90002000, 800, 0xc0004000,
	       300);
	assert_int_equal(got.len, 6);
	assert_int_equal(got.at[2].id, 3);
	assert_int_equal(got.at[3].id, 4);
	assert_int_equal(got.at[5].id, 1);
}

static void damage_is_skipped_and_counted(void **state)
{
	(void)state;
	/* no valid bit; a type that is none; then an event that fits in time */
	DECODE(HEAD, BLANK_KEPT, 0xc0001000, 1000, 0x00001000, 1001, 0xf0001000, 1002, 0xc0002000,
	       1003);
	assert_int_equal(got.len, 2);
	assert_int_equal(got.at[1].id, 2);
	assert_int_equal(decoder.damaged_slots, 2);
	assert_int_equal(account_count(&account, ACCOUNT_MARKER_DAMAGED), 2);
}

static void a_part_of_another_core_is_left_out(void **state)
{
	(void)state;
	DECODE(0, 0, 0x00006223, 5, BLANK_KEPT, 0xc0001000, 1000, HEAD, BLANK_KEPT, 0xc0002000,
	       1003);
	assert_int_equal(got.len, 1);
	assert_int_equal(got.at[0].id, 2);
	assert_int_equal(decoder.lost_parts, 1);
	assert_true(decoder.damaged_slots > 0);
}

static void cut_data_is_damage(void **state)
{
	(void)state;
	DECODE(HEAD, BLANK_KEPT, 0xb0001000, 1000, 7);
	assert_int_equal(got.len, 0);
	assert_true(decoder.damaged_slots > 0);
}

static void times_pass_44_bits(void **state)
{
	(void)state;
	DECODE(HEAD, BLANK_KEPT, 0xc0001fff, 0xfffffff0, 0xc0002000, 0x10);
	assert_int_equal(got.len, 2);
	assert_int_equal(got.at[0].cycles, (1ull << 44) - 16);
	assert_int_equal(got.at[1].cycles, (1ull << 44) + 16);
	DECODE(HEAD, BLANK_KEPT, 0xc0002000, 0x20);
	assert_int_equal(got.at[2].cycles, (1ull << 44) + 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_of_tt_metal, fresh, done),
		cmocka_unit_test_setup_teardown(kept_places_nest_around_the_others, fresh, done),
		cmocka_unit_test_setup_teardown(a_part_pushed_in_the_middle_has_no_second_start,
						fresh, done),
		cmocka_unit_test_setup_teardown(damage_is_skipped_and_counted, fresh, done),
		cmocka_unit_test_setup_teardown(a_part_of_another_core_is_left_out, fresh, done),
		cmocka_unit_test_setup_teardown(cut_data_is_damage, fresh, done),
		cmocka_unit_test_setup_teardown(times_pass_44_bits, fresh, done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
