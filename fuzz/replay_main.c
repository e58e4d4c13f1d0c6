// SPDX-License-Identifier: Apache-2.0
/*
 * A fuzzer without libFuzzer, so that every compiler and every test run replays the corpora: feeds each
 * file named, or each file of a folder named, and tells how many there were.  The name of the file at
 * hand goes to stderr first, so that a crash names its input.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int fed;
static bool inside;

/* A command that ends the process would end the program that it is a part of, too. */
static void not_inside(void)
{
	if (inside)
		abort();
}

static void feed_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *data = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !(data = malloc(st.st_size ? (size_t)st.st_size : 1)) ||
	    read(fd, data, (size_t)st.st_size) != st.st_size) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	close(fd);
	fprintf(stderr, "%s\n", path);
	inside = true;
	LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
	inside = false;
	free(data);
	fed++;
}

static void feed(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort);

	if (n < 0) {
		feed_file(path);
		return;
	}
	for (int i = 0; i < n; i++) {
		struct buf b = { 0 };

		buf_printf(&b, "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			feed_file(b.at);
		buf_release(&b);
		free(names[i]);
	}
	free(names);
}

int main(int argc, char **argv)
{
	int to = dup(STDOUT_FILENO); /* a command may write to stdout, or close it */

	atexit(not_inside);
	for (int i = 1; i < argc; i++)
		feed(argv[i]);
	dprintf(to, "%d\n", fed);
	return fed ? 0 : 1;
}
