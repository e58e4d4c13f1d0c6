// SPDX-License-Identifier: Apache-2.0
#include "web/columns.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/exhausted.h"

enum { THREADS_MAX = 8, SMALL = 1 << 14, LEVEL = 2, LEVEL_TEXT = 6 };

int columns_add(struct columns *c, struct column column)
{
	*vec_push(&c->all) = column;
	return (int)c->all.len - 1;
}

static void fill_u32(const void *ctx, uint64_t first, size_t n, void *to)
{
	const uint32_t *at = ctx;
	uint64_t *v = to;

	for (size_t i = 0; i < n; i++)
		v[i] = at[first + i];
}

static void fill_u32_delta(const void *ctx, uint64_t first, size_t n, void *to)
{
	const uint32_t *at = ctx;
	uint64_t *v = to;

	for (size_t i = 0; i < n; i++)
		v[i] = zigzag((int64_t)at[first + i] - (first + i ? at[first + i - 1] : 0));
}

static void fill_u64(const void *ctx, uint64_t first, size_t n, void *to)
{
	memcpy(to, (const uint64_t *)ctx + first, n * 8);
}

static void fill_u64_delta(const void *ctx, uint64_t first, size_t n, void *to)
{
	const uint64_t *at = ctx;
	uint64_t *v = to;

	for (size_t i = 0; i < n; i++)
		v[i] = at[first + i] - (first + i ? at[first + i - 1] : 0);
}

static void fill_bytes(const void *ctx, uint64_t first, size_t n, void *to)
{
	memcpy(to, (const char *)ctx + first, n);
}

int columns_add_u32(struct columns *c, uint32_t *at, size_t n, bool delta, bool own)
{
	return columns_add(c, (struct column){ .fill = delta ? fill_u32_delta : fill_u32,
					       .ctx = at,
					       .n = n,
					       .delta = delta ? COLUMN_SIGNED : COLUMN_AS_IS,
					       .own = own ? at : NULL });
}

int columns_add_u64(struct columns *c, uint64_t *at, size_t n, bool delta, bool own)
{
	return columns_add(c, (struct column){ .fill = delta ? fill_u64_delta : fill_u64,
					       .ctx = at,
					       .n = n,
					       .delta = delta ? COLUMN_RISING : COLUMN_AS_IS,
					       .own = own ? at : NULL });
}

int columns_add_f64(struct columns *c, double *at, size_t n, bool own)
{
	return columns_add(c, (struct column){ .fill = fill_u64,
					       .ctx = at,
					       .n = n,
					       .type = COLUMN_F64,
					       .width = 8,
					       .own = own ? at : NULL });
}

int columns_add_utf8(struct columns *c, const char *at, size_t n)
{
	return columns_add(
		c,
		(struct column){
			.fill = fill_bytes, .ctx = at, .n = n, .type = COLUMN_UTF8, .width = 1 });
}

/* ---- packing ---- */

struct job {
	uint32_t column, chunk; /* chunk of the column */
};

struct packing {
	struct columns *c;
	VEC(struct job) jobs;
	atomic_size_t next;
	atomic_uchar *width; /* by column, found by all */
	bool measuring;
	size_t longest; /* values of the largest chunk */
};

/* Bytes of equal weight together.  Widths are few, so that the compiler unrolls each. */
static void shuffle(const uint64_t *v, size_t n, unsigned width, uint8_t *to)
{
	for (unsigned b = 0; b < width; b++)
		for (size_t i = 0; i < n; i++)
			to[b * n + i] = (uint8_t)(v[i] >> 8 * b);
}

static unsigned width_of(uint64_t all)
{
	return all >> 32 ? 8 : all >> 16 ? 4 : all >> 8 ? 2 : 1;
}

/* Memory of one thread. */
struct desk {
	uint64_t *values;
	uint8_t *bytes;
	z_stream number, text; /* kept: to make one costs more than to pack a small column */
	struct buf tight;
};

/* Into d->tight. */
static void gzip(struct desk *d, z_stream *z, const uint8_t *at, size_t n, int level)
{
	struct buf *to = &d->tight;

	if (z->state ? deflateReset(z) != Z_OK
		     : deflateInit2(z, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		exhausted(0);
	buf_clear(to);
	buf_reserve(to, deflateBound(z, (uLong)n));
	z->next_in = (Bytef *)(uintptr_t)at;
	z->avail_in = (uInt)n;
	z->next_out = (Bytef *)to->at;
	z->avail_out = (uInt)(to->cap - 1);
	if (deflate(z, Z_FINISH) != Z_STREAM_END)
		abort();
	to->len = z->total_out;
	to->at[to->len] = 0;
}

static void measure(struct packing *p, struct job j, const struct desk *d)
{
	struct column *c = &p->c->all.at[j.column];
	uint64_t first = (uint64_t)j.chunk * COLUMN_CHUNK_VALUES, all = 0;
	size_t n =
		(size_t)(c->n - first < COLUMN_CHUNK_VALUES ? c->n - first : COLUMN_CHUNK_VALUES);
	unsigned char width, seen = atomic_load(&p->width[j.column]);

	c->fill(c->ctx, first, n, d->values);
	for (size_t i = 0; i < n; i++)
		all |= d->values[i];
	width = (unsigned char)width_of(all);
	while (width > seen && !atomic_compare_exchange_weak(&p->width[j.column], &seen, width))
		;
}

static void pack(struct packing *p, struct job j, struct desk *d)
{
	struct column *c = &p->c->all.at[j.column];
	uint64_t first = (uint64_t)j.chunk * COLUMN_CHUNK_VALUES;
	size_t n =
		(size_t)(c->n - first < COLUMN_CHUNK_VALUES ? c->n - first : COLUMN_CHUNK_VALUES);
	struct buf *to = &p->c->chunks.at[c->first_chunk + j.chunk];

	c->fill(c->ctx, first, n, d->values);
	if (c->type == COLUMN_UTF8) {
		gzip(d, &d->text, (const uint8_t *)d->values, n, LEVEL_TEXT);
	} else {
		shuffle(d->values, n, c->width, d->bytes);
		gzip(d, &d->number, d->bytes, n * c->width, LEVEL);
	}
	buf_add(to, d->tight.at, d->tight.len);
}

static void *work(void *ctx)
{
	struct packing *p = ctx;
	struct desk d = { .values = mem_alloc(p->longest, 8), .bytes = mem_alloc(p->longest, 8) };
	size_t i;

	while ((i = atomic_fetch_add(&p->next, 1)) < p->jobs.len)
		if (p->measuring)
			measure(p, p->jobs.at[i], &d);
		else
			pack(p, p->jobs.at[i], &d);
	if (d.number.state)
		(void)deflateEnd(&d.number);
	if (d.text.state)
		(void)deflateEnd(&d.text);
	buf_release(&d.tight);
	RELEASE(mem, &d.values, &d.bytes);
	return NULL;
}

static void run(struct packing *p)
{
	pthread_t thread[THREADS_MAX];
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = cores > THREADS_MAX ? THREADS_MAX : cores > 1 ? (size_t)cores : 1, started = 0;

	atomic_store(&p->next, 0);
	/* small pages are done before a thread has started */
	if (n > p->jobs.len || p->longest < SMALL)
		n = p->longest < SMALL ? 1 : p->jobs.len;
	for (size_t i = 1; i < n; i++)
		if (!pthread_create(&thread[started], NULL, work, p))
			started++;
	(void)work(p);
	for (size_t i = 0; i < started; i++)
		(void)pthread_join(thread[i], NULL);
}

void columns_pack(struct columns *c)
{
	struct packing p = { .c = c, .longest = 1 };
	void *width;

	p.width = width = mem_zero(c->all.len + 1, sizeof(*p.width));
	for (uint32_t i = 0; i < c->all.len; i++) {
		struct column *k = &c->all.at[i];

		if (k->n > p.longest)
			p.longest = k->n < COLUMN_CHUNK_VALUES ? (size_t)k->n : COLUMN_CHUNK_VALUES;
		k->chunks = (uint32_t)((k->n + COLUMN_CHUNK_VALUES - 1) / COLUMN_CHUNK_VALUES);
		for (uint32_t m = 0; !k->width && m < k->chunks; m++)
			*vec_push(&p.jobs) = (struct job){ i, m };
	}
	p.measuring = true;
	run(&p);
	p.measuring = false;
	vec_clear(&p.jobs);
	for (uint32_t i = 0; i < c->all.len; i++) {
		struct column *k = &c->all.at[i];

		if (!k->width)
			k->width = p.width[i] ? p.width[i] : 1;
		k->first_chunk = (uint32_t)c->chunks.len;
		for (uint32_t m = 0; m < k->chunks; m++) {
			*vec_push(&c->chunks) = (struct buf){ 0 };
			*vec_push(&p.jobs) = (struct job){ i, m };
		}
	}
	run(&p);
	vec_each (b, &c->chunks)
		c->packed_bytes += b->len;
	vec_release(&p.jobs);
	free(width);
}

void columns_json(const struct columns *c, struct json_writer *w)
{
	static const char *const types[] = { "uint", "f64", "utf8" };

	json_open_array(w);
	vec_each (k, &c->all) {
		json_open_object(w);
		json_put_count(w, "n", k->n);
		json_put_count(w, "w", k->width);
		json_put_text(w, "type", str_of(types[k->type]));
		json_put_text(w, "enc",
			      k->type == COLUMN_UTF8      ? STR("gzip")
			      : k->delta == COLUMN_RISING ? STR("delta,shuffle,gzip")
			      : k->delta == COLUMN_SIGNED ? STR("zigzag,shuffle,gzip")
							  : STR("shuffle,gzip"));
		json_put_array(w, "chunks");
		for (uint32_t i = 0; i < k->chunks; i++)
			json_write_u64(w, k->first_chunk + i);
		json_close_array(w);
		if (k->chunks > 1) {
			json_put_count(w, "chunk_n", COLUMN_CHUNK_VALUES);
		}
		if (k->per_lane) {
			json_put_bool(w, "per_lane", true);
		}
		json_close_object(w);
	}
	json_close_array(w);
}

void columns_release(struct columns *c)
{
	vec_each (k, &c->all)
		free(k->own);
	vec_each (b, &c->chunks)
		buf_release(b);
	RELEASE(vec, &c->all, &c->chunks);
}

void base64_add(struct buf *to, const void *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *at = bytes;
	char *o;

	buf_reserve(to, (n + 2) / 3 * 4 + 1);
	o = to->at + to->len;
	for (; n >= 3; n -= 3, at += 3) {
		uint32_t v = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];

		*o++ = digits[v >> 18];
		*o++ = digits[v >> 12 & 63];
		*o++ = digits[v >> 6 & 63];
		*o++ = digits[v & 63];
	}
	if (n) {
		uint32_t v = (uint32_t)at[0] << 16 | (n > 1 ? (uint32_t)at[1] << 8 : 0);

		*o++ = digits[v >> 18];
		*o++ = digits[v >> 12 & 63];
		*o++ = n > 1 ? digits[v >> 6 & 63] : '=';
		*o++ = '=';
	}
	to->len = (size_t)(o - to->at);
	*o = 0;
}
