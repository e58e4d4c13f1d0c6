// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/pow10.h"
#include "base/vec.h"

static uint64_t random_state = 0x1234567;

static uint64_t random_u64(void)
{
	random_state += 0x9E3779B97F4A7C15ull;
	uint64_t z = random_state;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return z ^ z >> 31;
}

static double from_bits(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static uint64_t to_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* Values of every kind: all bit patterns, everyday magnitudes, short decimals, integers, halves. */
static double random_double(unsigned kind)
{
	uint64_t r = random_u64();

	switch (kind % 6) {
	case 0:
		return from_bits(r);
	case 1:
		return (double)(int64_t)r / (double)(1ull << (random_u64() % 64));
	case 2:
		return (double)(int64_t)(r % 2000000) / 1000 - 1000;
	case 3:
		return (double)(int64_t)(r >> random_u64() % 64);
	case 4:
		return (double)(int64_t)(r % 100000) / 64;
	default:
		return ldexp((double)(r >> 11), -(int)(random_u64() % 130));
	}
}

static void expect_shortest(double v, const char *want)
{
	struct buf b = { 0 };

	number_shortest(&b, v);
	assert_string_equal(b.at, want);
	buf_release(&b);
}

static void expect_fixed(double v, int decimals, char group, const char *want)
{
	struct buf b = { 0 };

	number_fixed(&b, v, decimals, group);
	assert_string_equal(b.at, want);
	assert_int_equal(b.len, strlen(want));
	buf_release(&b);
}

static void fixed_text_equals_printf(void **state)
{
	struct buf b = { 0 };
	char want[400];

	(void)state;
	for (unsigned i = 0; i < 300000; i++) {
		double v = random_double(i);
		int decimals = (int)(random_u64() % 18);

		if (isnan(v))
			continue;
		snprintf(want, sizeof(want), "%.*f", decimals, v);
		buf_clear(&b);
		number_fixed(&b, v, decimals, 0);
		if (strcmp(b.at, want))
			fail_msg("%a: %s, not %s", v, b.at, want);
	}
	buf_release(&b);
}

static void fixed_text_of_edge_values_equals_printf(void **state)
{
	static const double edges[] = {
		0,
		-0.0,
		DBL_MIN,
		DBL_MAX,
		-DBL_MAX,
		0x1p-1074,
		0x1p63,
		0x1p64,
		-0x1p64,
		0x1.fffffffffffffp63,
		0x1p62,
		0.5,
		1.5,
		2.5,
		-0.5,
		0.999999,
		9.5,
		99.5,
		1e22,
		0x1p-58,
		0x1p-64,
		0x1p-63,
		0x1p-127,
		0x1p-128,
		0x1.8p-60,
		5e-18,
		4.9e-18,
		0x1.fffffffffffffp-1,
		0x1.fffffffffffffp52,
		4503599627370495.5,
	};
	char want[400];

	(void)state;
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		for (int decimals = 0; decimals <= 17; decimals++) {
			snprintf(want, sizeof(want), "%.*f", decimals, edges[i]);
			expect_fixed(edges[i], decimals, 0, want);
		}
}

static void fixed_text_rounds_half_to_even_and_keeps_the_sign_of_zero(void **state)
{
	(void)state;
	expect_fixed(0.5, 0, 0, "0");
	expect_fixed(1.5, 0, 0, "2");
	expect_fixed(0.125, 2, 0, "0.12");
	expect_fixed(0.375, 2, 0, "0.38");
	expect_fixed(-0.0, 1, 0, "-0.0");
	expect_fixed(-0.04, 1, 0, "-0.0");
	expect_fixed(9.995, 1, 0, "10.0");
}

static void fixed_text_names_what_is_not_finite(void **state)
{
	(void)state;
	expect_fixed((double)NAN, 2, ',', "nan");
	expect_fixed(-(double)NAN, 2, ',', "nan");
	expect_fixed((double)INFINITY, 0, 0, "inf");
	expect_fixed(-(double)INFINITY, 5, 0, "-inf");
}

static void thousands_are_grouped(void **state)
{
	(void)state;
	expect_fixed(0, 0, ',', "0");
	expect_fixed(999, 0, ',', "999");
	expect_fixed(999.9, 0, ',', "1,000");
	expect_fixed(1000, 1, ',', "1,000.0");
	expect_fixed(-123456.789, 2, ' ', "-123 456.79");
	expect_fixed(1000000, 0, ',', "1,000,000");
	expect_fixed(1000001, 3, ',', "1,000,001.000");
	expect_fixed(0x1p64, 0, ',', "18,446,744,073,709,551,616");
	expect_fixed(-1e21, 1, ',', "-1,000,000,000,000,000,000,000.0");
}

static void the_longest_fixed_text_fits(void **state)
{
	struct buf b = { 0 };

	(void)state;
	number_fixed(&b, -DBL_MAX, 17, ',');
	assert_int_equal(b.len, 1 + 309 + 102 + 1 + 17);
	buf_release(&b);
}

static void shortest_text_has_the_forms_of_repr(void **state)
{
	static const struct {
		double v;
		const char *want;
	} cases[] = {
		{ 0, "0.0" },
		{ -0.0, "-0.0" },
		{ 1, "1.0" },
		{ -1, "-1.0" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 100, "100.0" },
		{ 1e15, "1000000000000000.0" },
		{ 123456789012345.0, "123456789012345.0" },
		{ 9007199254740992.0, "9007199254740992.0" },
		{ 9007199254740993.0, "9007199254740992.0" },
		{ 9999999999999998.0, "9999999999999998.0" },
		{ 1e16, "1e+16" },
		{ 12345678901234567890.0, "1.2345678901234567e+19" },
		{ 1e22, "1e+22" },
		{ 1e23, "1e+23" },
		{ 1e100, "1e+100" },
		{ 0.001, "0.001" },
		{ 0.0001, "0.0001" },
		{ 0.00012345, "0.00012345" },
		{ 0.00001, "1e-05" },
		{ 1.5e-5, "1.5e-05" },
		{ 1.5e-300, "1.5e-300" },
		{ 5e-324, "5e-324" },
		{ 1e-323, "1e-323" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ 0x1p-44, "5.684341886080802e-14" },
		{ 2e-44, "2e-44" },
		{ 9.5367431640625e-07, "9.5367431640625e-07" },
		{ 3.14, "3.14" },
		{ 1234.5678, "1234.5678" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_shortest(cases[i].v, cases[i].want);
	expect_shortest((double)NAN, "nan");
	expect_shortest(-(double)NAN, "nan");
	expect_shortest((double)INFINITY, "inf");
	expect_shortest(-(double)INFINITY, "-inf");
}

/* The significant digits of a number's text: "0.0120e5" has "12". */
static void digits_of(const char *text, char digits[static 40])
{
	size_t n = 0;

	for (; *text && *text != 'e'; text++)
		if (*text >= '0' && *text <= '9' && (n || *text != '0'))
			digits[n++] = *text;
	while (n && digits[n - 1] == '0')
		n--;
	digits[n] = 0;
}

/* By search: the fewest digits of printf's nearest text that read back.  Ours must be the same, or be
 * shorter: beside powers of two the nearest text of a length may fail where the next one reads back. */
static void check_shortest(double v)
{
	char text[40], want[40], got[40];
	struct buf b = { 0 };

	if (!isfinite(v))
		return;
	number_shortest(&b, v);
	if (to_bits(strtod(b.at, NULL)) != to_bits(v))
		fail_msg("%a: %s does not read back", v, b.at);
	for (int p = 0; p <= 16; p++) {
		snprintf(text, sizeof(text), "%.*e", p, v);
		if (strtod(text, NULL) == v)
			break;
	}
	digits_of(b.at, got);
	digits_of(text, want);
	if (strlen(got) >= strlen(want) && strcmp(got, want))
		fail_msg("%a: %s is not %s", v, b.at, text);
	buf_release(&b);
}

static void shortest_text_reads_back_and_none_is_shorter(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 100000; i++)
		check_shortest(random_double(0));
	for (unsigned i = 0; i < 100000; i++)
		check_shortest(random_double(i));
}

static void shortest_text_is_right_beside_powers_of_two_and_ten(void **state)
{
	(void)state;
	for (int e = -1074; e <= 1023; e++) {
		double v = ldexp(1, e);

		check_shortest(v);
		check_shortest(nextafter(v, 0));
		check_shortest(nextafter(v, HUGE_VAL));
	}
	for (int e = -323; e <= 308; e++) {
		char text[16], want[16];
		double v;

		snprintf(text, sizeof(text), "1e%d", e);
		v = strtod(text, NULL);
		check_shortest(v);
		check_shortest(nextafter(v, 0));
		check_shortest(nextafter(v, HUGE_VAL));
		snprintf(want, sizeof(want), "1e%+03d", e);
		if (e < -4 || e >= 16)
			expect_shortest(v, want);
	}
}

static void integers_are_read_whole_or_not_at_all(void **state)
{
	static const char *const bad[] = { "",    "-",   "+",   "1 ",    " 1",    "1.0",
					   "0x1", "--1", "1e3", "1_000", "1,000", "١" };
	int64_t i = 7;
	uint64_t u = 7;

	(void)state;
	for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
		assert_false(number_i64(str_of(bad[n]), &i));
		assert_false(number_u64(str_of(bad[n]), &u));
	}
	assert_false(number_i64((struct str){ 0 }, &i));
	assert_false(number_i64(STR("9223372036854775808"), &i));
	assert_false(number_i64(STR("-9223372036854775809"), &i));
	assert_false(number_i64(STR("99999999999999999999999"), &i));
	assert_false(number_u64(STR("18446744073709551616"), &u));
	assert_false(number_u64(STR("-1"), &u));
	assert_int_equal(i, 7);
	assert_int_equal(u, 7);
	assert_true(number_i64(STR("-9223372036854775808"), &i));
	assert_true(i == INT64_MIN);
	assert_true(number_i64(STR("+9223372036854775807"), &i));
	assert_true(i == INT64_MAX);
	assert_true(number_i64(STR("0000000000000000000000000012"), &i));
	assert_int_equal(i, 12);
	assert_true(number_u64(STR("18446744073709551615"), &u));
	assert_true(u == UINT64_MAX);
	assert_true(number_u64(str_n("123456", 3), &u));
	assert_int_equal(u, 123);
}

static void expect_double(const char *text, double want)
{
	double v = 0;

	if (!number_double(str_of(text), &v))
		fail_msg("\"%s\" was refused", text);
	if (to_bits(v) != to_bits(want))
		fail_msg("\"%s\": %a, not %a", text, v, want);
}

static void doubles_are_read_as_strtod_reads_them(void **state)
{
	char text[64];

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		double v = random_double(i);

		if (!isfinite(v))
			continue;
		snprintf(text, sizeof(text), "%.*e", (int)(random_u64() % 30), v);
		expect_double(text, strtod(text, NULL));
		snprintf(text, sizeof(text), "%.*g", (int)(random_u64() % 20), v);
		expect_double(text, strtod(text, NULL));
		snprintf(text, sizeof(text), "%llu.%03llue%d", (unsigned long long)random_u64(),
			 (unsigned long long)(random_u64() % 1000),
			 (int)(random_u64() % 700) - 350);
		expect_double(text, strtod(text, NULL));
		snprintf(text, sizeof(text), "%llue%d", (unsigned long long)(random_u64() >> 1),
			 (int)(random_u64() % 700) - 350);
		expect_double(text, strtod(text, NULL));
	}
}

static void every_double_reads_back_from_its_shortest_text(void **state)
{
	struct buf b = { 0 };
	double back;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		double v = random_double(i);

		if (isnan(v))
			continue;
		buf_clear(&b);
		number_shortest(&b, v);
		assert_true(number_double(buf_view(&b), &back));
		assert_true(to_bits(v) == to_bits(back));
	}
	buf_release(&b);
}

static void doubles_at_the_edges_are_read_right(void **state)
{
	(void)state;
	expect_double("0", 0);
	expect_double("-0", -0.0);
	expect_double("-0.0e999999999999999999999", -0.0);
	expect_double(".5", 0.5);
	expect_double("5.", 5);
	expect_double("+1E+2", 100);
	expect_double("1e400", (double)INFINITY);
	expect_double("-1e99999999999999999999", -(double)INFINITY);
	expect_double("1e-400", 0);
	expect_double("4.9406564584124654e-324", 0x1p-1074);
	expect_double("2.4703282292062327e-324", 0);
	expect_double("2.2250738585072011e-308", 2.2250738585072011e-308);
	expect_double("1.7976931348623158e308", DBL_MAX);
	expect_double("9007199254740993", 9007199254740992.0);
	expect_double("9007199254740993.0000000000000000000000000000001", 9007199254740994.0);
	expect_double("Inf", (double)INFINITY);
	expect_double("-INFINITY", -(double)INFINITY);
}

static void nan_is_read_in_any_case(void **state)
{
	double v = 0;

	(void)state;
	assert_true(number_double(STR("NaN"), &v) && isnan(v));
	v = 0;
	assert_true(number_double(STR("-nan"), &v) && isnan(v));
}

static void other_text_is_not_a_double(void **state)
{
	static const char *const bad[] = { "",    ".",         "-",    "+.",     "e5",   "1e",
					   "1e+", "1.2.3",     " 1",   "1 ",     "0x10", "1_0",
					   "1,5", "infi",      "nanx", "nan(1)", "--1",  "1e5.0",
					   "1d5", "infinityy", "+-1" };
	double v = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (number_double(str_of(bad[i]), &v))
			fail_msg("\"%s\" was accepted", bad[i]);
	assert_false(number_double((struct str){ 0 }, &v));
	assert_false(number_double(str_n("1\0", 2), &v));
	assert_true(v == 7);
}

static void very_long_digit_strings_are_read(void **state)
{
	enum { LONG = 100000 };
	struct buf b = { 0 };
	double v;

	(void)state;
	buf_text(&b, "0.");
	buf_fill(&b, '0', LONG);
	buf_printf(&b, "125e%d", LONG);
	assert_true(number_double(buf_view(&b), &v));
	assert_true(v == 0.125);
	buf_clear(&b);
	buf_char(&b, '1');
	buf_fill(&b, '0', LONG);
	buf_printf(&b, "e-%d", LONG);
	assert_true(number_double(buf_view(&b), &v));
	assert_true(v == 1);
	buf_clear(&b);
	buf_text(&b, "9007199254740993.");
	buf_fill(&b, '0', LONG);
	buf_char(&b, '1');
	assert_true(number_double(buf_view(&b), &v));
	assert_true(v == 9007199254740994.0);
	buf_release(&b);
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		skip();
	expect_fixed(1e30, 1, ',', "1,000,000,000,000,000,019,884,624,838,656.0");
	expect_fixed(1.25, 2, 0, "1.25");
	expect_shortest(1.25, "1.25");
	expect_double("1.2500000000000000000000000000000000000001", 1.25);
	setlocale(LC_ALL, "C");
}

static void the_table_of_powers_is_normalised_and_exact_where_it_can_be(void **state)
{
	const struct pow10 *t = pow10_table();

	(void)state;
	for (int k = POW10_MIN; k <= POW10_MAX; k++)
		assert_true(t[k - POW10_MIN].hi >> 63);
	assert_true(t[0 - POW10_MIN].hi == 1ull << 63 && t[0 - POW10_MIN].lo == 0);
	assert_true(t[19 - POW10_MIN].hi == 10000000000000000000ull && !t[19 - POW10_MIN].lo);
	assert_true(t[-1 - POW10_MIN].hi == 0xCCCCCCCCCCCCCCCCull);
	assert_true(t[-1 - POW10_MIN].lo == 0xCCCCCCCCCCCCCCCDull);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_of_powers_is_normalised_and_exact_where_it_can_be),
		cmocka_unit_test(fixed_text_equals_printf),
		cmocka_unit_test(fixed_text_of_edge_values_equals_printf),
		cmocka_unit_test(fixed_text_rounds_half_to_even_and_keeps_the_sign_of_zero),
		cmocka_unit_test(fixed_text_names_what_is_not_finite),
		cmocka_unit_test(thousands_are_grouped),
		cmocka_unit_test(the_longest_fixed_text_fits),
		cmocka_unit_test(shortest_text_has_the_forms_of_repr),
		cmocka_unit_test(shortest_text_reads_back_and_none_is_shorter),
		cmocka_unit_test(shortest_text_is_right_beside_powers_of_two_and_ten),
		cmocka_unit_test(integers_are_read_whole_or_not_at_all),
		cmocka_unit_test(doubles_are_read_as_strtod_reads_them),
		cmocka_unit_test(every_double_reads_back_from_its_shortest_text),
		cmocka_unit_test(doubles_at_the_edges_are_read_right),
		cmocka_unit_test(nan_is_read_in_any_case),
		cmocka_unit_test(other_text_is_not_a_double),
		cmocka_unit_test(very_long_digit_strings_are_read),
		cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
