// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void expect(const char *text, size_t times, const char *want)
{
	SCOPED(buf) struct buf b = { 0 };
	struct sha256 s;

	sha256_begin(&s);
	for (size_t i = 0; i < times; i++)
		sha256_add(&s, text, strlen(text));
	sha256_end(&s, &b);
	assert_string_equal(b.at, want);
}

/* FIPS 180-2, appendix B, and the empty text. */
static void sums_are_those_of_the_standard(void **state)
{
	(void)state;
	expect("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	expect("aaaaaaaaaa", 100000,
	       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sums_are_those_of_the_standard) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
