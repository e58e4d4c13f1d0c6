// SPDX-License-Identifier: Apache-2.0
/*
 * A fuzzer without libFuzzer, so that every compiler and every test run replays the corpora: feeds each file named, or each
 * input of a pack named (corpus_pack.h), and prints how many there were.  The name of the input at hand goes to stderr
 * first, so that a crash names its input.
 */
#include <stdint.h>
#include <unistd.h>

#include "corpus_pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int fed;
static bool inside;

/* A command that ends the process would end the program that it is a part of, too. */
static void not_inside(void)
{
	if (inside)
		abort();
}

/* In memory of exactly its size: a sanitizer sees what reads behind the end. */
static void feed_input(const char *name, struct str data)
{
	uint8_t *copy = malloc(data.len ? data.len : 1);

	if (!copy)
		abort();
	memcpy(copy, data.at, data.len);
	fprintf(stderr, "%s\n", name);
	inside = true;
	LLVMFuzzerTestOneInput(copy, data.len);
	inside = false;
	free(copy);
	fed++;
}

static bool feed_pack(const char *path)
{
	struct corpus_pack pack;
	struct corpus_input in;
	int more = corpus_pack_open(&pack, path) ? 1 : -1;

	while (more > 0 && (more = corpus_pack_next(&pack, &in)) > 0)
		feed_input(in.name, in.data);
	corpus_pack_release(&pack);
	if (more < 0)
		fprintf(stderr, "%s is damaged\n", path);
	return !more;
}

static bool feed_file(const char *path)
{
	struct str data;
	char *bytes = corpus_read_file(path, &data.len);

	data.at = bytes;
	if (bytes)
		feed_input(path, data);
	else
		fprintf(stderr, "cannot read %s\n", path);
	free(bytes);
	return bytes;
}

int main(int argc, char **argv)
{
	int to = dup(STDOUT_FILENO); /* a command may write to stdout, or close it */
	bool good = true;

	atexit(not_inside);
	for (int i = 1; i < argc; i++)
		good &= str_ends(str_of(argv[i]), STR(".pack")) ? feed_pack(argv[i])
								: feed_file(argv[i]);
	dprintf(to, "%d\n", fed);
	return good && fed ? 0 : 1;
}
