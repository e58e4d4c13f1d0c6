// SPDX-License-Identifier: Apache-2.0
#include "base/tar.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/str.h"

static enum ttp_rc archive(const struct tar_file *files, size_t n, int *fd, struct ttp_err *e)
{
	enum ttp_rc rc;
	struct out to;

	*fd = memfd_create("archive", MFD_CLOEXEC);
	assert_true(*fd >= 0);
	out_init(&to, *fd, "archive");
	rc = tar_write(&to, files, n, e);
	if (rc)
		out_release(&to);
	else
		rc = out_finish(&to, e);
	return rc;
}

/* What tar itself says of the archive. */
static void list(int fd, struct buf *to)
{
	char command[100], line[600];
	FILE *f;

	snprintf(command, sizeof(command), "tar tf /proc/%ld/fd/%d 2>&1", (long)getpid(), fd);
	f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		buf_text(to, line);
	assert_int_equal(pclose(f), 0);
}

static void names_of_any_length_are_kept(void **state)
{
	static const size_t lengths[] = { 1, 99, 100, 101, 255, 985, 986, 987, 988, 989, 990, 991 };
	enum { N = sizeof(lengths) / sizeof(*lengths) };
	struct tar_file files[N];
	struct buf names[N] = { 0 }, got = { 0 }, want = { 0 };
	char path[] = "/tmp/ttprof-tar.XXXXXX";
	int file = mkstemp(path), fd;
	struct ttp_err e;

	(void)state;
	assert_true(file >= 0);
	assert_int_equal(write(file, "text", 4), 4);
	for (size_t i = 0; i < N; i++) {
		buf_fill(&names[i], (char)('a' + i), lengths[i]);
		files[i] = (struct tar_file){ names[i].at, path };
		buf_printf(&want, "%s\n", names[i].at);
	}
	assert_int_equal(archive(files, N, &fd, &e), TTP_OK);
	list(fd, &got);
	assert_string_equal(got.at, want.at);
	for (size_t i = 0; i < N; i++)
		buf_release(&names[i]);
	buf_release(&got);
	buf_release(&want);
	close(fd);
	close(file);
	unlink(path);
}

/* Files of /sys say 4096 bytes and have fewer; one of them can't be read at all. */
static void a_file_that_ends_early_is_an_error_and_not_zeros(void **state)
{
	struct tar_file file = { "online", "/sys/devices/system/cpu/online" };
	struct stat st;
	struct ttp_err e;
	int fd;

	(void)state;
	if (stat(file.path, &st) || st.st_size < 512)
		skip();
	assert_int_equal(archive(&file, 1, &fd, &e), TTP_GONE);
	assert_non_null(strstr(e.msg, "online: got shorter while it was read"));
	close(fd);
}

static void a_file_that_fails_in_the_middle_is_an_error(void **state)
{
	struct tar_file file = { "speed", "/sys/class/net/lo/speed" };
	char byte;
	struct ttp_err e;
	int fd = open(file.path, O_RDONLY);

	(void)state;
	if (fd < 0 || read(fd, &byte, 1) >= 0) {
		if (fd >= 0)
			close(fd);
		skip();
	}
	close(fd);
	assert_int_equal(archive(&file, 1, &fd, &e), TTP_SYS);
	assert_non_null(strstr(e.msg, "speed: after 0 bytes: "));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_any_length_are_kept),
		cmocka_unit_test(a_file_that_ends_early_is_an_error_and_not_zeros),
		cmocka_unit_test(a_file_that_fails_in_the_middle_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
