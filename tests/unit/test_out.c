// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out.h"

typedef enum ttp_rc opener(struct out_file *f, const char *path, struct ttp_err *e);

static char dir[64], path[128];

static int enter_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/test_out.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/result", dir);
	return 0;
}

/* Removes the directory's files and tells how many there were. */
static int empty_dir(void)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	char name[512];
	int n = 0;

	while (d && (entry = readdir(d))) { /* NOLINT(concurrency-mt-unsafe) */
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(name, sizeof(name), "%s/%s", dir, entry->d_name);
		unlink(name);
		n++;
	}
	if (d)
		closedir(d);
	return n;
}

static int leave_dir(void **state)
{
	(void)state;
	empty_dir();
	return rmdir(dir);
}

static void put(const char *where, const char *text)
{
	FILE *f = fopen(where, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void holds(const char *where, const char *text)
{
	char got[256] = { 0 };
	FILE *f = fopen(where, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = 0;
	fclose(f);
	assert_string_equal(got, text);
}

static opener *const openers[] = { out_file_open, out_file_open_named };
#define EACH_WAY(way) for (int way = 0; way < 2; way++)

static void large_output_arrives_whole_and_in_order(void **state)
{
	enum { LINES = 200000 };
	struct out_file f;
	struct ttp_err e;
	struct buf big = { 0 };
	char line[32];
	FILE *in;

	(void)state;
	buf_fill(&big, 'x', 600000);
	assert_int_equal(out_file_open(&f, path, &e), TTP_OK);
	for (int i = 0; i < LINES; i++)
		out_printf(&f.out, "%d\n", i);
	out_add(&f.out, big.at, big.len);
	assert_true(f.out.total_bytes > 600000);
	assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	in = fopen(path, "r");
	assert_non_null(in);
	for (int i = 0; i < LINES; i++) {
		assert_non_null(fgets(line, sizeof(line), in));
		assert_int_equal(strtol(line, NULL, 10), i);
	}
	for (size_t i = 0; i < 600000; i++)
		assert_int_equal(fgetc(in), 'x');
	assert_int_equal(fgetc(in), EOF);
	fclose(in);
	buf_release(&big);
}

static void a_full_disk_is_told_at_the_end(void **state)
{
	struct out o;
	struct ttp_err e;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	out_init(&o, fd, "stdout");
	out_text(&o, "text");
	assert_true(out_ok(&o));
	out_flush(&o);
	assert_false(out_ok(&o));
	out_text(&o, "more");
	assert_int_equal(out_finish(&o, &e), TTP_SYS);
	assert_int_equal(e.sys_errno, ENOSPC);
	assert_string_equal(e.msg, "stdout: No space left on device");
	close(fd);
}

static void a_reader_that_left_is_told_as_epipe(void **state)
{
	struct out o;
	struct ttp_err e;
	int ends[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	out_init(&o, ends[1], "stdout");
	out_char(&o, 'x');
	assert_int_equal(out_finish(&o, &e), TTP_SYS);
	assert_int_equal(e.sys_errno, EPIPE);
	close(ends[1]);
}

static void a_file_has_no_name_before_it_is_whole(void **state)
{
	(void)state;
	EACH_WAY(way)
	{
		struct out_file f;
		struct ttp_err e;

		put(path, "old");
		assert_int_equal(openers[way](&f, path, &e), TTP_OK);
		out_text(&f.out, "new");
		out_flush(&f.out);
		holds(path, "old");
		assert_int_equal(out_file_commit(&f, &e), TTP_OK);
		holds(path, "new");
		assert_int_equal(empty_dir(), 1);
	}
}

static void an_abandoned_file_leaves_no_trace(void **state)
{
	(void)state;
	EACH_WAY(way)
	{
		struct out_file f;
		struct ttp_err e;

		assert_int_equal(openers[way](&f, path, &e), TTP_OK);
		out_text(&f.out, "new");
		out_flush(&f.out);
		out_file_abandon(&f);
		out_file_abandon(&f);
		assert_int_equal(empty_dir(), 0);
	}
}

static void what_stood_there_is_kept_when_writing_fails(void **state)
{
	(void)state;
	EACH_WAY(way)
	{
		struct out_file f;
		struct ttp_err e;
		int full;

		put(path, "old");
		assert_int_equal(openers[way](&f, path, &e), TTP_OK);
		full = open("/dev/full", O_WRONLY);
		assert_int_equal(dup2(full, f.out.fd), f.out.fd);
		close(full);
		out_text(&f.out, "new");
		assert_int_equal(out_file_commit(&f, &e), TTP_SYS);
		assert_int_equal(e.sys_errno, ENOSPC);
		assert_non_null(strstr(e.msg, path));
		holds(path, "old");
		assert_int_equal(empty_dir(), 1);
	}
}

static void the_mode_of_the_old_file_passes_on(void **state)
{
	struct out_file f;
	struct ttp_err e;
	struct stat st;

	(void)state;
	put(path, "old");
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(out_file_open(&f, path, &e), TTP_OK);
	assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void a_new_file_obeys_the_umask(void **state)
{
	(void)state;
	EACH_WAY(way)
	{
		mode_t before = umask(027);
		struct out_file f;
		struct ttp_err e;
		struct stat st;

		assert_int_equal(openers[way](&f, path, &e), TTP_OK);
		assert_int_equal(out_file_commit(&f, &e), TTP_OK);
		umask(before);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0640);
		assert_int_equal(empty_dir(), 1);
	}
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
	struct out_file f;
	struct ttp_err e;
	struct stat st;
	char link[160];

	(void)state;
	put(path, "old");
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink("result", link), 0);
	assert_int_equal(out_file_open(&f, link, &e), TTP_OK);
	out_text(&f.out, "new");
	assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	holds(path, "new");
}

static void devices_are_written_in_place(void **state)
{
	struct out_file f;
	struct ttp_err e;
	struct stat st;

	(void)state;
	assert_int_equal(out_file_open(&f, "/dev/null", &e), TTP_OK);
	out_text(&f.out, "text");
	assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(out_file_open(&f, "/dev/full", &e), TTP_OK);
	out_text(&f.out, "text");
	assert_int_equal(out_file_commit(&f, &e), TTP_SYS);
}

static void a_name_for_a_descriptor_shares_its_place_in_the_file(void **state)
{
	struct out_file f;
	struct ttp_err e;
	char name[32];
	int fd;

	(void)state;
	put(path, "");
	fd = open(path, O_WRONLY);
	assert_int_equal(write(fd, "one ", 4), 4);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	assert_int_equal(out_file_open(&f, name, &e), TTP_OK);
	out_text(&f.out, "two ");
	assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	assert_int_equal(write(fd, "three", 5), 5);
	close(fd);
	holds(path, "one two three");
}

static void what_cannot_be_opened_is_named(void **state)
{
	struct out_file f;
	struct ttp_err e;
	char missing[160], expect[200];

	(void)state;
	assert_int_equal(out_file_open(&f, dir, &e), TTP_SYS);
	snprintf(expect, sizeof(expect), "%s: Is a directory", dir);
	assert_string_equal(e.msg, expect);
	snprintf(missing, sizeof(missing), "%s/no/file", dir);
	assert_int_equal(out_file_open(&f, missing, &e), TTP_SYS);
	assert_int_equal(e.sys_errno, ENOENT);
	assert_int_equal(out_file_open(&f, "", &e), TTP_SYS);
	out_file_abandon(&f);
}

/* A file of the directory with a text, and whether what stands there is kept. */
static void begin(struct out_file *f, const char *name, const char *text)
{
	char where[160];
	struct ttp_err e;

	snprintf(where, sizeof(where), "%s/%s", dir, name);
	assert_int_equal(out_file_open_here(f, where, &e), TTP_OK);
	out_text(&f->out, text);
	f->keeps = true;
}

static void holds_in_dir(const char *name, const char *text)
{
	char where[160];

	snprintf(where, sizeof(where), "%s/%s", dir, name);
	holds(where, text);
}

static void what_stood_there_is_kept_under_the_next_number(void **state)
{
	struct out_file f;
	struct ttp_err e;
	char where[160];

	(void)state;
	for (int i = 0; i < 3; i++) {
		snprintf(where, sizeof(where), "%d", i);
		begin(&f, "a.b.csv", where);
		assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	}
	holds_in_dir("a.b.csv", "2");
	holds_in_dir("a.b.1.csv", "0");
	holds_in_dir("a.b.2.csv", "1");
	assert_int_equal(empty_dir(), 3);
}

static void files_that_belong_together_get_the_same_number(void **state)
{
	struct out_file one, two, *both[] = { &one, &two };
	struct ttp_err e;

	(void)state;
	begin(&one, "report.csv", "first");
	assert_int_equal(out_file_commit(&one, &e), TTP_OK);
	begin(&one, "report.csv", "second"); /* the first has no account */
	begin(&two, "account.json", "of the second");
	assert_int_equal(out_files_commit(both, 2, &e), TTP_OK);
	begin(&one, "report.csv", "third");
	begin(&two, "account.json", "of the third");
	assert_int_equal(out_files_commit(both, 2, &e), TTP_OK);
	holds_in_dir("report.csv", "third");
	holds_in_dir("account.json", "of the third");
	holds_in_dir("report.2.csv", "second");
	holds_in_dir("account.2.json", "of the second");
	holds_in_dir("report.1.csv", "first");
	assert_int_equal(empty_dir(), 5);
}

static void a_link_under_a_name_of_ours_is_replaced(void **state)
{
	struct out_file f;
	struct ttp_err e;
	char link[160];
	struct stat st;

	(void)state;
	put(path, "victim");
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink("result", link), 0);
	assert_int_equal(out_file_open_here(&f, link, &e), TTP_OK);
	out_text(&f.out, "new");
	assert_int_equal(out_file_commit(&f, &e), TTP_OK);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	holds(link, "new");
	holds(path, "victim");
}

static void descriptors_are_of_files_that_nobody_else_has_a_name_for(void **state)
{
	char other[160];
	int fd;

	(void)state;
	put(path, "victim");
	snprintf(other, sizeof(other), "%s/other", dir);
	assert_int_equal(symlink("result", other), 0);
	assert_int_equal(out_open(other, O_WRONLY | O_CREAT, 0600), -1);
	fd = out_open(other, O_WRONLY | O_TRUNC, 0600); /* a new file */
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unlink(other), 0);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(out_open(other, O_WRONLY | O_APPEND, 0600), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(unlink(other), 0);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_int_equal(out_open(other, O_RDWR | O_CREAT, 0600), -1);
	holds(path, "victim");
}

int main(void)
{
#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, enter_dir, leave_dir)
	const struct CMUnitTest tests[] = {
		IN_DIR(large_output_arrives_whole_and_in_order),
		cmocka_unit_test(a_full_disk_is_told_at_the_end),
		cmocka_unit_test(a_reader_that_left_is_told_as_epipe),
		IN_DIR(a_file_has_no_name_before_it_is_whole),
		IN_DIR(an_abandoned_file_leaves_no_trace),
		IN_DIR(what_stood_there_is_kept_when_writing_fails),
		IN_DIR(the_mode_of_the_old_file_passes_on),
		IN_DIR(a_new_file_obeys_the_umask),
		IN_DIR(a_link_stays_and_its_target_is_replaced),
		cmocka_unit_test(devices_are_written_in_place),
		IN_DIR(a_name_for_a_descriptor_shares_its_place_in_the_file),
		IN_DIR(what_cannot_be_opened_is_named),
		IN_DIR(what_stood_there_is_kept_under_the_next_number),
		IN_DIR(files_that_belong_together_get_the_same_number),
		IN_DIR(a_link_under_a_name_of_ours_is_replaced),
		IN_DIR(descriptors_are_of_files_that_nobody_else_has_a_name_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
