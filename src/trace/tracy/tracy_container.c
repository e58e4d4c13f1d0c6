// SPDX-License-Identifier: Apache-2.0
#include "trace/tracy/tracy_container.h"

#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/cursor.h"
#include "base/exhausted.h"

struct tracy_stream {
	uint8_t *block[2]; /* LZ4: what comes may refer to what was before it */
	size_t len[2];
	unsigned now;
	ZSTD_DStream *zstd;
};

static const char magics[][5] = {
	[TRACE_LZ4] = "tlZ\4", [TRACE_ZSTD] = "tZst", [TRACE_MULTI_LZ4] = "tr\xFDP"
};

static bool is_zstd(enum trace_container container)
{
	return container == TRACE_ZSTD || container == TRACE_MULTI_ZSTD;
}

enum ttp_rc tracy_bytes_open(struct tracy_bytes *b, struct trace *t, struct ttp_err *e)
{
	struct cursor c = cursor_of(t->in.data.at, t->in.data.len);
	const uint8_t *magic = cursor_take(&c, 4);

	memset(b, 0, sizeof(*b));
	b->streams = 1;
	while (magic && t->container <= TRACE_MULTI_LZ4 &&
	       memcmp(magic, magics[t->container], 4) != 0)
		t->container++;
	if (!magic || t->container > TRACE_MULTI_LZ4)
		return ttp_fail(
			e, TTP_FORMAT,
			"neither a .tracy file nor a spool; ttprof reads .tracy of 0.9 and newer");
	if (t->container == TRACE_MULTI_LZ4) {
		uint8_t type = cursor_u8(&c);

		b->streams = cursor_u8(&c);
		if (c.bad || type > 1 || !b->streams)
			return ttp_fail(e, TTP_FORMAT,
					"a .tracy file whose compression is unknown (type %u)",
					type);
		t->container = type ? TRACE_MULTI_ZSTD : TRACE_MULTI_LZ4;
	}
	b->zstd = is_zstd(t->container);
	TTP_TRY(unpack_begin(&b->unpack, t->in.data.len, false, e));
	b->file = (const uint8_t *)t->in.data.at;
	b->next = c.at;
	b->file_end = c.end;
	b->stream = mem_zero(b->streams, sizeof(*b->stream));
	b->joined = mem_alloc(2 * TRACY_BLOCK, 1);
	b->at = b->end = b->joined;
	b->drop = drop_pages_of(&t->in);
	return TTP_OK;
}

void tracy_bytes_close(struct tracy_bytes *b)
{
	for (unsigned i = 0; b->stream && i < b->streams; i++) {
		RELEASE(mem, &b->stream[i].block[0], &b->stream[i].block[1]);
		ZSTD_freeDStream(b->stream[i].zstd);
	}
	RELEASE(mem, &b->stream, &b->joined);
	b->stream = NULL;
	b->joined = NULL;
}

static void damage(struct tracy_bytes *b, const char *what)
{
	b->damaged = b->last = true;
	(void)ttp_fail(&b->damage, TTP_FORMAT, "byte %zu: %s", (size_t)(b->next - b->file), what);
}

/* Lengths of 15 and more go on in bytes of up to 255. */
static bool length(const uint8_t **at, const uint8_t *end, size_t *n)
{
	uint8_t more = 255;

	if (*n < 15)
		return true;
	while (more == 255) {
		if (*at == end)
			return false;
		more = *(*at)++;
		*n += more;
	}
	return true;
}

/*
 * As much of an LZ4 block as can be had when its end is missing or it is damaged, which the library gives nothing of.
 * Not for speed: a file has at most one such block.
 */
static size_t lz4_prefix(const uint8_t *from, size_t n, uint8_t *to, size_t cap,
			 const uint8_t *dict, size_t dict_len)
{
	const uint8_t *at = from, *end = from + n;
	size_t made = 0;

	while (at < end) {
		uint8_t token = *at++;
		size_t literals = token >> 4, match = token & 15, back, left;

		if (!length(&at, end, &literals))
			return made;
		left = (size_t)(end - at);
		if (literals > left || literals > cap - made) { /* as many as there are */
			size_t some = left < cap - made ? left : cap - made;

			memcpy(to + made, at, some < literals ? some : literals);
			return made + (some < literals ? some : literals);
		}
		memcpy(to + made, at, literals);
		at += literals;
		made += literals;
		if (end - at < 2)
			return made;
		back = (size_t)(at[0] | at[1] << 8);
		at += 2;
		if (!back || back > made + dict_len || !length(&at, end, &match))
			return made;
		for (match += 4; match && made < cap; match--, made++)
			to[made] = back <= made ? to[made - back] : dict[dict_len + made - back];
		if (match)
			return made;
	}
	return made;
}

/* The next block of the file, decompressed; NULL at the end. */
static const uint8_t *next_block(struct tracy_bytes *b, size_t *len)
{
	struct tracy_stream *s = &b->stream[b->turn];
	struct cursor c = cursor_of(b->next, (size_t)(b->file_end - b->next));
	const uint8_t *packed;
	uint8_t *to;
	uint32_t size;

	if (!cursor_left(&c) || b->last) {
		b->ended = true;
		return NULL;
	}
	size = cursor_u32(&c);
	if (c.bad || size > cursor_left(&c)) {
		damage(b, size > 2 * TRACY_BLOCK ? "a block of a size that can't be"
						 : "the file ends inside of a block");
		size = (uint32_t)cursor_left(&c);
	}
	packed = cursor_take(&c, size);
	if (!packed)
		packed = b->next;
	s->now ^= 1;
	if (!s->block[s->now])
		s->block[s->now] = mem_alloc(TRACY_BLOCK, 1);
	to = s->block[s->now];
	if (b->zstd) {
		ZSTD_inBuffer in = { packed, size, 0 };
		ZSTD_outBuffer out = { to, TRACY_BLOCK, 0 };

		if (!s->zstd)
			s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			exhausted(0);
		while (in.pos < in.size) {
			size_t before = in.pos, made = out.pos;
			size_t rc = ZSTD_decompressStream(s->zstd, &out, &in);

			if (ZSTD_isError(rc) || (in.pos == before && out.pos == made)) {
				if (!b->damaged)
					damage(b, "a block can't be decompressed");
				break;
			}
		}
		*len = out.pos;
	} else {
		const uint8_t *dict = s->block[s->now ^ 1];
		size_t dict_len = dict ? s->len[s->now ^ 1] : 0;
		int n = size > INT32_MAX || b->last
				? -1
				: LZ4_decompress_safe_usingDict((const char *)packed, (char *)to,
								(int)size, TRACY_BLOCK,
								(const char *)dict, (int)dict_len);

		if (n < 0 && !b->damaged)
			damage(b, "a block can't be decompressed");
		*len = n < 0 ? lz4_prefix(packed, size, to, TRACY_BLOCK, dict, dict_len)
			     : (size_t)n;
	}
	if (!*len && b->last) {
		b->ended = true;
		return NULL;
	}
	if (!b->damaged && unpack_more(&b->unpack, *len, &b->damage)) {
		b->damaged = b->ended = true;
		return NULL;
	}
	s->len[s->now] = *len;
	if (!b->last)
		b->next = c.at;
	b->turn = (b->turn + 1) % b->streams;
	drop_pages_until(&b->drop, (size_t)(b->next - b->file));
	return to;
}

bool tracy_more(struct tracy_bytes *b, size_t n)
{
	while ((size_t)(b->end - b->at) < n) {
		size_t left = (size_t)(b->end - b->at), len;
		const uint8_t *block = b->ended ? NULL : next_block(b, &len);

		if (!block) {
			if (!b->damaged) {
				b->damaged = true;
				(void)ttp_fail(&b->damage, TTP_FORMAT,
					       "the file ends after %llu bytes of its contents",
					       (unsigned long long)tracy_at(b) + left);
			}
			b->ended = true;
			b->at = b->end;
			return false;
		}
		b->before += (uint64_t)(b->at - b->joined);
		memmove(b->joined, b->at, left);
		memcpy(b->joined + left, block, len);
		b->at = b->joined;
		b->end = b->joined + left + len;
	}
	return true;
}

uint64_t tracy_at(const struct tracy_bytes *b)
{
	return b->before + (uint64_t)(b->at - b->joined);
}

void tracy_pieces(struct tracy_bytes *b, uint64_t n, uint64_t most, const char *what,
		  tracy_piece *take, void *ctx)
{
	if (n > most && !b->ended) {
		b->ended = b->damaged = true;
		(void)ttp_fail(&b->damage, TTP_LIMIT, "%s of %llu bytes", what,
			       (unsigned long long)n);
	}
	while (n && !b->ended) {
		size_t k = (size_t)(b->end - b->at);

		if (!k) {
			if (!tracy_more(b, 1))
				break;
			continue;
		}
		if (k > n)
			k = (size_t)n;
		if (take)
			take(ctx, b->at, k);
		b->at += k;
		n -= k;
	}
}

enum { PACKED_MAX = LZ4_COMPRESSBOUND(TRACY_BLOCK) + 4 + 4096 };

void tracy_out_open(struct tracy_out *o, struct out *to, enum trace_container container)
{
	*o = (struct tracy_out){ .out = to, .container = container };
	o->block[0] = mem_alloc(TRACY_BLOCK, 1);
	o->block[1] = mem_alloc(TRACY_BLOCK, 1);
	o->packed = mem_alloc(PACKED_MAX, 1);
	out_add(to, magics[container < TRACE_MULTI_LZ4 ? container : TRACE_MULTI_LZ4], 4);
	if (container >= TRACE_MULTI_LZ4) {
		out_char(to, is_zstd(container));
		out_char(to, 1); /* one stream */
	}
	if (!is_zstd(container)) {
		o->lz4 = LZ4_createStream();
	} else {
		o->zstd = ZSTD_createCCtx();
		(void)ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_compressionLevel, 3);
		(void)ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_contentSizeFlag, 0);
	}
	if (!o->lz4 && !o->zstd)
		exhausted(0);
}

static void tracy_out_block(struct tracy_out *o)
{
	uint32_t size;

	if (!o->filled)
		return;
	if (o->lz4) {
		size = (uint32_t)LZ4_compress_fast_continue(o->lz4, (const char *)o->block[o->now],
							    (char *)o->packed + 4, (int)o->filled,
							    PACKED_MAX - 4, 1);
	} else {
		ZSTD_inBuffer in = { o->block[o->now], o->filled, 0 };
		ZSTD_outBuffer out = { o->packed + 4, PACKED_MAX - 4, 0 };

		(void)ZSTD_compressStream2(o->zstd, &out, &in, ZSTD_e_flush);
		size = (uint32_t)out.pos;
	}
	memcpy(o->packed, &size, sizeof(size));
	out_add(o->out, (const char *)o->packed, size + 4);
	o->raw_bytes += o->filled;
	o->filled = 0;
	o->now ^= 1;
}

void tracy_put(struct tracy_out *o, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	while (n) {
		size_t k = TRACY_BLOCK - o->filled;

		if (!k) {
			tracy_out_block(o);
			continue;
		}
		if (k > n)
			k = n;
		memcpy(o->block[o->now] + o->filled, from, k);
		o->filled += k;
		from += k;
		n -= k;
	}
}

void tracy_out_close(struct tracy_out *o)
{
	tracy_out_block(o);
	RELEASE(mem, &o->block[0], &o->block[1], &o->packed);
	if (o->lz4)
		LZ4_freeStream(o->lz4);
	ZSTD_freeCCtx(o->zstd);
}
