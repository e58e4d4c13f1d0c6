// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "trace/spill.h"

enum { MANY = 200000 };

static void fill(struct spill_store *s, struct spill_log *a, struct spill_log *b)
{
	for (uint64_t i = 0; i < MANY; i++) {
		spill_room(s, a, 16);
		spill_varint(a, i * i);
		spill_add(s, b, &i, sizeof(i));
	}
}

static void check(struct spill_store *s, const struct spill_log *a, const struct spill_log *b)
{
	struct spill_reader r;
	const uint8_t *at;
	uint64_t v;

	r = spill_read(s, a);
	for (uint64_t i = 0; i < MANY; i++)
		assert_true(spill_get_varint(&r) == i * i);
	assert_false(spill_more_to_read(&r));
	assert_false(r.bad);
	(void)spill_get_varint(&r);
	assert_true(r.bad);
	spill_reader_release(&r);
	r = spill_read(s, b);
	for (uint64_t i = 0; i < MANY; i++) {
		at = spill_take(&r, sizeof(v));
		assert_non_null(at);
		memcpy(&v, at, sizeof(v));
		assert_true(v == i);
	}
	assert_null(spill_take(&r, 1));
	spill_reader_release(&r);
}

static void logs_read_back_from_memory_and_from_disk(void **state)
{
	(void)state;
	for (size_t limit = 0; limit <= 64 << 20; limit = limit ? limit * 16 : 10000) {
		struct spill_log a = { 0 }, b = { 0 };
		struct spill_store s;

		spill_init(&s, limit);
		fill(&s, &a, &b);
		assert_int_equal(spill_check(&s, NULL), TTP_OK);
		assert_true(s.used_bytes <= limit);
		assert_int_equal(s.file_bytes == 0, limit > 2500000); /* they take 2.4 MB */
		check(&s, &a, &b);
		spill_log_release(&s, &a);
		spill_log_release(&s, &b);
		spill_release(&s);
	}
}

static void bytes_change_wherever_they_are(void **state)
{
	struct spill_log a = { 0 }, b = { 0 };
	struct spill_store s;

	(void)state;
	spill_init(&s, 1000);
	fill(&s, &a, &b);
	/* Turned round and back; eight bytes may lie in two chunks. */
	for (int turn = 0; turn < 2; turn++) {
		for (uint64_t i = 0; i < MANY; i++) {
			uint64_t v = turn ? i : ~i;

			spill_patch(&s, &b, i * sizeof(v), &v, sizeof(v));
		}
	}
	check(&s, &a, &b);
	spill_log_release(&s, &a);
	spill_log_release(&s, &b);
	spill_release(&s);
}

static void a_disk_without_room_is_an_error_that_is_told(void **state)
{
	struct rlimit before, small;
	struct spill_log a = { 0 }, b = { 0 };
	struct spill_store s;
	struct ttp_err e;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 100000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	spill_init(&s, 1000);
	fill(&s, &a, &b);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(spill_check(&s, &e), TTP_SYS);
	assert_int_equal(e.sys_errno, EFBIG);
	assert_non_null(strstr(e.msg, "TMPDIR"));
	spill_log_release(&s, &a);
	spill_log_release(&s, &b);
	spill_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logs_read_back_from_memory_and_from_disk),
		cmocka_unit_test(bytes_change_wherever_they_are),
		cmocka_unit_test(a_disk_without_room_is_an_error_that_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
