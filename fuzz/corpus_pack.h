// SPDX-License-Identifier: Apache-2.0
/*
 * fuzz/corpus/<fuzzer>.pack: all inputs of a fuzzer in one file, sorted by name.
 *
 *	"ttprof corpus of " <number of inputs> "\n"
 *	for each: "= " <name> " " <bytes> " " <crc32 of zlib, 8 hex digits> "\n" <its bytes> "\n"
 *
 * Inputs that are text stay readable. Whatever else stands in the file, or is missing in it, is an error: a pack that a
 * merge or an editor damaged must not pass as a smaller one. `fuzz/corpus_pack.py` writes and unpacks them.
 */
#ifndef TTP_FUZZ_CORPUS_PACK_H
#define TTP_FUZZ_CORPUS_PACK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/str.h"

struct corpus_pack {
	char *bytes;
	size_t len, at;
	unsigned inputs, read;
};

struct corpus_input {
	char name[200];
	struct str data;
};

/* NULL, or the line at `at`, which ends with a newline that becomes the end of the text. */
static inline char *corpus_pack_line(struct corpus_pack *p)
{
	char *line = p->bytes + p->at, *end = memchr(line, '\n', p->len - p->at);

	if (!end)
		return NULL;
	*end = 0;
	p->at += (size_t)(end - line) + 1;
	return line;
}

/* All bytes of a file as they are; NULL if it can't be read. */
static inline char *corpus_read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *bytes = NULL;
	long size;

	if (f && !fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET) &&
	    (bytes = malloc((size_t)size + 1))) {
		*len = fread(bytes, 1, (size_t)size, f);
		if (*len != (size_t)size) {
			free(bytes);
			bytes = NULL;
		}
	}
	if (f)
		fclose(f);
	return bytes;
}

static inline bool corpus_pack_open(struct corpus_pack *p, const char *path)
{
	char *head, more;

	memset(p, 0, sizeof(*p));
	p->bytes = corpus_read_file(path, &p->len);
	head = p->bytes ? corpus_pack_line(p) : NULL;
	return head && sscanf(head, "ttprof corpus of %u%c", &p->inputs, &more) == 1;
}

/* 1: an input, which points into the pack; 0: that was the last; -1: the pack is damaged. */
static inline int corpus_pack_next(struct corpus_pack *p, struct corpus_input *in)
{
	unsigned crc;
	char *line, more;

	if (p->read == p->inputs)
		return p->at == p->len ? 0 : -1;
	line = corpus_pack_line(p);
	if (!line || sscanf(line, "= %199s %zu %8x%c", in->name, &in->data.len, &crc, &more) != 3 ||
	    in->data.len >= p->len - p->at || p->bytes[p->at + in->data.len] != '\n')
		return -1;
	in->data.at = p->bytes + p->at;
	p->at += in->data.len + 1;
	p->read++;
	return crc32(0, (const Bytef *)in->data.at, (uInt)in->data.len) == crc ? 1 : -1;
}

static inline void corpus_pack_release(struct corpus_pack *p)
{
	free(p->bytes);
}

#endif /* TTP_FUZZ_CORPUS_PACK_H */
