// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[8] = "NANOGPT1";

struct file {
	FILE *f;
	const char *path;
	uint64_t hash;
};

static void mix(struct file *f, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		f->hash = (f->hash ^ p[i]) * 0x100000001B3u;
}

static void put(struct file *f, const void *data, size_t len)
{
	if (fwrite(data, 1, len, f->f) != len)
		fail("%s: %s", f->path, strerror(errno));
	mix(f, data, len);
}

static void get(struct file *f, void *data, size_t len)
{
	if (fread(data, 1, len, f->f) != len)
		fail("%s: %s; remove it to begin anew", f->path,
		     ferror(f->f) ? strerror(errno) : "the file ends too early");
	mix(f, data, len);
}

struct head {
	char magic[8];
	uint32_t shape[6], done;
};

static struct head head_of(const struct shape *s, uint32_t done)
{
	struct head h = { .shape = { s->batch, s->layers, s->width, s->heads, s->sequence,
				     s->vocabulary },
			  .done = done };

	memcpy(h.magic, magic, sizeof(magic));
	return h;
}

void checkpoint_save(const char *path, const struct shape *s, uint64_t seed,
		     const struct parameter *list, uint32_t done)
{
	char other[4096];
	struct file f = { .path = path, .hash = 0xCBF29CE484222325u };
	struct head h = head_of(s, done);
	uint64_t hash;

	if (snprintf(other, sizeof(other), "%s.new", path) >= (int)sizeof(other))
		fail("%s: the name is too long", path);
	f.f = fopen(other, "wb");
	if (!f.f)
		fail("%s: %s", other, strerror(errno));
	put(&f, &h, sizeof(h));
	put(&f, &seed, sizeof(seed));
	for (; list; list = list->next) {
		const struct tensor *part[] = { list->master, list->first, list->second };

		for (int i = 0; i < 3; i++) {
			float *values = tensor_read(part[i]);

			put(&f, values, (size_t)part[i]->rows * part[i]->columns * 4);
			free(values);
		}
	}
	hash = f.hash;
	put(&f, &hash, sizeof(hash));
	if (fflush(f.f) || fsync(fileno(f.f)) || fclose(f.f) || rename(other, path))
		fail("%s: %s", path, strerror(errno));
}

static void load_parameter(struct file *f, struct parameter *p)
{
	struct tensor *part[] = { p->master, p->first, p->second };
	size_t n = (size_t)p->master->rows * p->master->columns;
	float *values = malloc(n * 4);

	if (!values)
		fail("out of memory");
	for (int i = 0; i < 3; i++) {
		get(f, values, n * 4);
		tensor_write(part[i], values);
		if (i == 0)
			tensor_write(p->value, values);
	}
	free(values);
}

bool checkpoint_load(const char *path, const struct shape *s, uint64_t seed, struct parameter *list,
		     uint32_t *done)
{
	struct file f = { .f = fopen(path, "rb"), .path = path, .hash = 0xCBF29CE484222325u };
	struct head h, own = head_of(s, 0);
	uint64_t its_seed, hash, its_hash;

	if (!f.f) {
		if (errno == ENOENT)
			return false;
		fail("%s: %s", path, strerror(errno));
	}
	get(&f, &h, sizeof(h));
	get(&f, &its_seed, sizeof(its_seed));
	if (memcmp(h.magic, magic, sizeof(magic)))
		fail("%s: not a checkpoint of nano_gpt", path);
	if (memcmp(h.shape, own.shape, sizeof(h.shape)) || its_seed != seed)
		fail("%s: of another run: --batch %u --layers %u --width %u --heads %u --seq %u --seed %llu",
		     path, h.shape[0], h.shape[1], h.shape[2], h.shape[3], h.shape[4],
		     (unsigned long long)its_seed);
	for (; list; list = list->next)
		load_parameter(&f, list);
	hash = f.hash;
	get(&f, &its_hash, sizeof(its_hash));
	if (hash != its_hash)
		fail("%s: damaged; remove it to begin anew", path);
	fclose(f.f);
	*done = h.done;
	return true;
}
