// SPDX-License-Identifier: Apache-2.0
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static char dir[64];
static char path[128];

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/ttprof-input-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void write_file(struct str data)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data.at, data.len), (ssize_t)data.len);
	close(fd);
}

/* Bytes that compress, but not to nothing. */
static struct buf sample(size_t len)
{
	struct buf b = { 0 };
	uint32_t x = 1;

	buf_fill(&b, 0, len);
	for (size_t i = 0; i < len; i++) {
		x = x * 1664525 + 1013904223;
		b.at[i] = (char)('a' + (x >> 28));
	}
	return b;
}

static void add_gzip(struct buf *to, struct str data)
{
	z_stream z = { 0 };
	unsigned char *out = malloc(data.len + 1024);

	assert_non_null(out);
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)data.at;
	z.avail_in = (unsigned)data.len;
	z.next_out = out;
	z.avail_out = (unsigned)data.len + 1024;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	buf_add(to, (const char *)out, data.len + 1024 - z.avail_out);
	deflateEnd(&z);
	free(out);
}

static void add_zstd(struct buf *to, struct str data)
{
	size_t room = ZSTD_compressBound(data.len), n;
	char *out = malloc(room);

	assert_non_null(out);
	n = ZSTD_compress(out, room, data.at, data.len, 3);
	assert_false(ZSTD_isError(n));
	buf_add(to, out, n);
	free(out);
}

static void assert_opens_as(struct str want, bool cut_short)
{
	struct ttp_err e = { 0 };
	struct input in;

	if (input_open(&in, path, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(in.data.len, want.len);
	if (want.len)
		assert_memory_equal(in.data.at, want.at, want.len);
	assert_int_equal(in.cut_short, cut_short);
	assert_false(input_shrunk(&in));
	assert_string_equal(in.name, path);
	input_close(&in);
}

static void a_file_is_its_bytes(void **state)
{
	(void)state;
	write_file(STR("a,b\n1,2\n"));
	assert_opens_as(STR("a,b\n1,2\n"), false);
	write_file(STR("\x1f"));
	assert_opens_as(STR("\x1f"), false);
}

static void an_empty_file_is_no_error(void **state)
{
	(void)state;
	write_file(STR(""));
	assert_opens_as(STR(""), false);
}

static void a_missing_file_is_named_with_the_reason(void **state)
{
	struct ttp_err e = { 0 };
	struct input in;

	(void)state;
	unlink(path);
	assert_int_equal(input_open(&in, path, &e), TTP_SYS);
	assert_int_equal(e.sys_errno, ENOENT);
	assert_non_null(strstr(e.msg, path));
	assert_non_null(strstr(e.msg, "No such file"));
	input_close(&in); /* holds nothing, and may be closed all the same */
}

static void a_directory_is_named_as_one(void **state)
{
	struct ttp_err e = { 0 };
	struct input in;
	char want[256];

	(void)state;
	snprintf(want, sizeof(want), "%s: is a directory", dir);
	assert_int_equal(input_open(&in, dir, &e), TTP_USAGE);
	assert_string_equal(e.msg, want);
}

static void gzip_is_unpacked_whatever_the_name(void **state)
{
	/* sizes around the chunk by which it is unpacked */
	static const size_t sizes[] = { 0, 1, 100, MIB - 1, MIB, MIB + 1, 3 * MIB };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct buf plain = sample(sizes[i]), packed = { 0 };

		add_gzip(&packed, buf_view(&plain));
		write_file(buf_view(&packed));
		assert_opens_as(buf_view(&plain), false);
		buf_release(&plain);
		buf_release(&packed);
	}
}

static void zstd_is_unpacked_whatever_the_name(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, MIB - 1, MIB, MIB + 1, 3 * MIB };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct buf plain = sample(sizes[i]), packed = { 0 };

		add_zstd(&packed, buf_view(&plain));
		write_file(buf_view(&packed));
		assert_opens_as(buf_view(&plain), false);
		buf_release(&plain);
		buf_release(&packed);
	}
}

static void several_members_are_one_text(void **state)
{
	struct buf packed = { 0 };

	(void)state;
	add_gzip(&packed, STR("one,"));
	add_gzip(&packed, STR(""));
	add_gzip(&packed, STR("two\n"));
	buf_fill(&packed, 0, 512); /* as tapes are padded */
	write_file(buf_view(&packed));
	assert_opens_as(STR("one,two\n"), false);
	buf_clear(&packed);
	add_zstd(&packed, STR("one,"));
	add_zstd(&packed, STR(""));
	add_zstd(&packed, STR("two\n"));
	write_file(buf_view(&packed));
	assert_opens_as(STR("one,two\n"), false);
	buf_release(&packed);
}

/* Every cut of a small file: a head of the text, and the mark; never a failure. */
static void cut_data_is_read_as_far_as_it_goes(void **state)
{
	struct buf plain = sample(600);

	(void)state;
	for (int zstd = 0; zstd < 2; zstd++) {
		struct buf packed = { 0 };

		(zstd ? add_zstd : add_gzip)(&packed, buf_view(&plain));
		for (size_t len = 4; len < packed.len; len++) {
			struct ttp_err e = { 0 };
			struct input in;

			write_file(str_head(buf_view(&packed), len));
			if (input_open(&in, path, &e))
				fail_msg("%zu bytes: %s", len, e.msg);
			assert_true(in.cut_short);
			assert_true(str_starts(buf_view(&plain), in.data));
			input_close(&in);
		}
		buf_release(&packed);
	}
	buf_release(&plain);
}

static void damaged_data_is_read_up_to_the_damage(void **state)
{
	struct buf plain = sample(4 * MIB), packed = { 0 };
	struct ttp_err e = { 0 };
	struct input in;

	(void)state;
	add_gzip(&packed, buf_view(&plain));
	memset(packed.at + packed.len / 2, 0xFF, 64);
	write_file(buf_view(&packed));
	assert_int_equal(input_open(&in, path, &e), TTP_OK);
	assert_true(in.cut_short);
	assert_true(in.data.len > MIB);
	assert_memory_equal(in.data.at, plain.at, MIB);
	input_close(&in);
	buf_release(&plain);
	buf_release(&packed);
}

/* How much a cut gzip file holds, unpacked at one go. */
static size_t unpacked_len(struct str packed, size_t room)
{
	unsigned char *out = malloc(room);
	z_stream z = { 0 };
	size_t len;

	assert_non_null(out);
	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)packed.at;
	z.avail_in = (unsigned)packed.len;
	z.next_out = out;
	z.avail_out = (unsigned)room;
	inflate(&z, Z_SYNC_FLUSH);
	len = room - z.avail_out;
	inflateEnd(&z);
	free(out);
	return len;
}

/* Where the text packs well, much of it hangs on the last bytes. */
static void the_end_of_cut_data_is_not_lost(void **state)
{
	struct buf plain = { 0 }, packed = { 0 };

	(void)state;
	buf_fill(&plain, 'x', 3 * MIB);
	add_gzip(&packed, buf_view(&plain));
	for (size_t cut = 1; cut < packed.len - 18; cut += 5) {
		struct str head = str_head(buf_view(&packed), packed.len - cut);
		struct ttp_err e = { 0 };
		struct input in;

		write_file(head);
		assert_int_equal(input_open(&in, path, &e), TTP_OK);
		assert_true(in.cut_short);
		assert_int_equal(in.data.len, unpacked_len(head, 4 * MIB));
		input_close(&in);
	}
	buf_release(&plain);
	buf_release(&packed);
}

/* Opens "-" with standard input as given, in a child: 0 when it is `want`. */
static int opens_stdin_as(int fd, struct str want)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		struct input in;

		if (dup2(fd, STDIN_FILENO) < 0 || input_open(&in, "-", NULL))
			_exit(1);
		if (strcmp(in.name, "standard input") != 0 || !str_eq(in.data, want))
			_exit(2);
		input_close(&in);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void standard_input_may_be_a_pipe_or_a_file(void **state)
{
	struct buf packed = { 0 };
	int fd, ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "a,b\n", 4), 4);
	close(ends[1]);
	assert_int_equal(opens_stdin_as(ends[0], STR("a,b\n")), 0);
	close(ends[0]);

	add_gzip(&packed, STR("packed\n"));
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], packed.at, packed.len), (ssize_t)packed.len);
	close(ends[1]);
	assert_int_equal(opens_stdin_as(ends[0], STR("packed\n")), 0);
	close(ends[0]);
	buf_release(&packed);

	write_file(STR("first\nsecond\n"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(opens_stdin_as(fd, STR("first\nsecond\n")), 0);
	/* a shell may have read a part of it */
	assert_int_equal(lseek(fd, 6, SEEK_SET), 6);
	assert_int_equal(opens_stdin_as(fd, STR("second\n")), 0);
	close(fd);
}

static void a_named_pipe_is_read_to_its_end(void **state)
{
	struct ttp_err e = { 0 };
	struct input in;
	pid_t child;

	(void)state;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		int fd = open(path, O_WRONLY | O_CLOEXEC);

		_exit(write(fd, "through a pipe", 14) != 14);
	}
	assert_int_equal(input_open(&in, path, &e), TTP_OK);
	assert_true(str_eq(in.data, STR("through a pipe")));
	input_close(&in);
	assert_int_equal(waitpid(child, NULL, 0), child);
	unlink(path);
}

#define CHECK(truth)                           \
	do {                                   \
		if (!(truth))                  \
			return __LINE__ % 256; \
	} while (0)

/* In a process of its own, because cmocka takes every SIGBUS for a failed test. */
static int shrink_while_open(const char *file)
{
	struct ttp_err e = { 0 };
	struct input in;
	size_t zeros = 0, kept = 10 * 4096;
	char first[10 * 4096];

	CHECK(!input_open(&in, file, &e));
	memcpy(first, in.data.at, sizeof(first));
	CHECK(!input_shrunk(&in));
	CHECK(!truncate(file, (off_t)kept));
	CHECK(!memcmp(in.data.at, first, kept));
	CHECK(!input_shrunk(&in));
	for (size_t i = kept; i < in.data.len; i++)
		zeros += !in.data.at[i];
	CHECK(zeros == in.data.len - kept);
	CHECK(input_shrunk(&in));
	input_close(&in);
	CHECK(!input_shrunk(&in));
	/* the next one in the same slot starts clean */
	CHECK(!input_open(&in, file, &e));
	CHECK(in.data.len == kept && in.data.at[kept - 1] == first[kept - 1]);
	CHECK(!input_shrunk(&in));
	input_close(&in);
	return 0;
}

static void a_file_that_shrinks_reads_as_zeros_and_is_told(void **state)
{
	struct buf b = sample(64 * 4096);
	pid_t child;
	int status;

	(void)state;
	write_file(buf_view(&b));
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		execl("/proc/self/exe", "test_input", path, NULL);
		_exit(255);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	buf_release(&b);
}

static void many_inputs_may_be_open_at_once(void **state)
{
	enum { MANY = 300 };
	struct input *in = calloc(MANY, sizeof(*in));

	(void)state;
	assert_non_null(in);
	write_file(STR("same\n"));
	for (int i = 0; i < MANY; i++)
		assert_int_equal(input_open(&in[i], path, NULL), TTP_OK);
	for (int i = 0; i < MANY; i++) {
		assert_true(str_eq(in[i].data, STR("same\n")));
		input_close(&in[i]);
		input_close(&in[i]);
	}
	free(in);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_its_bytes),
		cmocka_unit_test(an_empty_file_is_no_error),
		cmocka_unit_test(a_missing_file_is_named_with_the_reason),
		cmocka_unit_test(a_directory_is_named_as_one),
		cmocka_unit_test(gzip_is_unpacked_whatever_the_name),
		cmocka_unit_test(zstd_is_unpacked_whatever_the_name),
		cmocka_unit_test(several_members_are_one_text),
		cmocka_unit_test(cut_data_is_read_as_far_as_it_goes),
		cmocka_unit_test(damaged_data_is_read_up_to_the_damage),
		cmocka_unit_test(the_end_of_cut_data_is_not_lost),
		cmocka_unit_test(standard_input_may_be_a_pipe_or_a_file),
		cmocka_unit_test(a_named_pipe_is_read_to_its_end),
		cmocka_unit_test(a_file_that_shrinks_reads_as_zeros_and_is_told),
		cmocka_unit_test(many_inputs_may_be_open_at_once),
	};

	if (argc > 1)
		return shrink_while_open(argv[1]);
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
