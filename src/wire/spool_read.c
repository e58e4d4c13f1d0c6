// SPDX-License-Identifier: Apache-2.0
/* A spool is read to its end or to a damage, and past that only to a record whose checksum is right. */
#include <string.h>

#include "wire/spool.h"

/* "TTPR2" to "TTPR9" */
static bool is_newer(const char *bytes, size_t len)
{
	return len >= SPOOL_MAGIC_BYTES && !memcmp(bytes, SPOOL_MAGIC, 4) && bytes[4] > '1' &&
	       bytes[4] <= '9' && !memcmp(bytes + 5, SPOOL_MAGIC + 5, SPOOL_MAGIC_BYTES - 5);
}

enum ttp_rc spool_open(struct spool_reader *r, const void *bytes, size_t len, struct ttp_err *e)
{
	if (is_newer(bytes, len))
		return ttp_fail(
			e, TTP_VERSION,
			"a spool of a newer ttprof: it begins with %.5s, and this one reads TTPR1",
			(const char *)bytes);
	if (len < SPOOL_MAGIC_BYTES || memcmp(bytes, SPOOL_MAGIC, SPOOL_MAGIC_BYTES) != 0)
		return ttp_fail(e, TTP_FORMAT, "not a spool: it does not begin with TTPR1");
	*r = (struct spool_reader){ .bytes = bytes, .len = len, .offset = SPOOL_MAGIC_BYTES };
	return TTP_OK;
}

enum ttp_rc spool_next(struct spool_reader *r, struct spool_record *rec, bool *more,
		       struct ttp_err *e)
{
	struct cursor c = cursor_of(r->bytes + r->offset, r->len - r->offset);
	uint32_t len, crc;
	uint8_t type;

	*more = false;
	if (!cursor_left(&c))
		return TTP_OK;
	len = cursor_u32(&c);
	crc = cursor_u32(&c);
	type = cursor_u8(&c);
	*rec = (struct spool_record){ .offset = r->offset, .len = len };
	rec->flags = cursor_u8(&c);
	rec->stream = cursor_u16(&c);
	if (c.bad)
		return ttp_fail(e, TTP_FORMAT, "byte %zu: cut inside of a record's header",
				r->offset);
	if (len > SPOOL_RECORD_MAX)
		return ttp_fail(e, TTP_FORMAT, "byte %zu: a record of %u bytes, at most %d",
				r->offset, len, SPOOL_RECORD_MAX);
	rec->payload = cursor_take(&c, len);
	if (!rec->payload)
		return ttp_fail(e, TTP_FORMAT, "byte %zu: cut after %zu of %u bytes", r->offset,
				cursor_left(&c), len);
	if (crc32c(0, rec->payload - 4, len + 4) != crc)
		return ttp_fail(e, TTP_FORMAT, "byte %zu: wrong checksum", r->offset);
	if (type < SPOOL_SESSION || type > SPOOL_END)
		return ttp_fail(e, TTP_VERSION, "byte %zu: a record of type %u, of a newer ttprof",
				r->offset, type);
	rec->type = type;
	r->offset += SPOOL_HEADER_BYTES + len;
	*more = true;
	return TTP_OK;
}

/* Whether a header may stand here; most bytes are no header, so the checksum is seldom asked. */
static bool may_be_record(const struct spool_reader *r, size_t offset)
{
	struct cursor c = cursor_of(r->bytes + offset, r->len - offset);
	uint32_t len = cursor_u32(&c);
	uint8_t type, flags;

	(void)cursor_u32(&c);
	type = cursor_u8(&c);
	flags = cursor_u8(&c);
	return !c.bad && len <= SPOOL_RECORD_MAX && len + SPOOL_HEADER_BYTES <= r->len - offset &&
	       type >= SPOOL_SESSION && type <= SPOOL_END && flags <= SPOOL_INDEPENDENT;
}

bool spool_resync(struct spool_reader *r)
{
	for (size_t at = r->offset + 1; at + SPOOL_HEADER_BYTES <= r->len; at++) {
		struct spool_reader there = { .bytes = r->bytes, .len = r->len, .offset = at };
		struct spool_record rec;
		bool more;

		if (!may_be_record(r, at) || spool_next(&there, &rec, &more, NULL))
			continue;
		r->offset = at;
		return true;
	}
	r->offset = r->len;
	return false;
}

enum ttp_rc spool_session_get(const struct spool_record *rec, struct spool_session *s,
			      struct ttp_err *e)
{
	struct cursor c = cursor_of(rec->payload, rec->len);
	uint16_t version = cursor_u16(&c);
	const uint8_t *p;
	uint64_t len;

	memset(s, 0, sizeof(*s));
	if (version != 1)
		return ttp_fail(
			e, TTP_VERSION,
			"byte %zu: a session of version %u, of a newer ttprof: this one reads version 1",
			rec->offset, version);
	p = cursor_take(&c, 8);
	if (p)
		memcpy(s->key, p, 8);
	s->flags = cursor_u16(&c);
	s->time_kind = cursor_u8(&c);
	cursor_u8(&c);
	s->pid = cursor_u64(&c);
	s->ppid = cursor_u64(&c);
	s->ticks = cursor_i64(&c);
	s->mono_ns = cursor_i64(&c);
	s->wall_ns = cursor_i64(&c);
	p = cursor_take(&c, 36);
	if (p)
		memcpy(s->boot_id, p, 36);
	len = cursor_u64(&c);
	s->welcome = len <= WIRE_WELCOME_MAX ? cursor_take(&c, (size_t)len) : NULL;
	s->welcome_len = (size_t)len;
	if (cursor_left(&c) >= WIRE_ON_DEMAND_BYTES)
		s->on_demand = cursor_take(&c, WIRE_ON_DEMAND_BYTES);
	if (c.bad || !s->welcome)
		return ttp_fail(e, TTP_FORMAT, "byte %zu: session of %zu bytes is cut", rec->offset,
				rec->len);
	/* each changes what the rest means */
	if (s->flags & ~SPOOL_UNASKED || s->time_kind > SPOOL_TIME_SCRIPTED)
		return ttp_fail(
			e, TTP_VERSION,
			"byte %zu: a session with flags %#x and times of kind %u, of a newer ttprof",
			rec->offset, s->flags, s->time_kind);
	return TTP_OK;
}

enum ttp_rc spool_note_get(const struct spool_record *rec, enum spool_note *kind, uint64_t *numbers,
			   size_t *n, struct ttp_err *e)
{
	struct cursor c = cursor_of(rec->payload, rec->len);
	uint16_t what = cursor_u16(&c), count = cursor_u16(&c);

	for (size_t i = 0; i < count && !c.bad; i++) {
		uint64_t v = cursor_u64(&c);

		if (i < *n)
			numbers[i] = v;
	}
	if (c.bad)
		return ttp_fail(e, TTP_FORMAT, "byte %zu: note is cut", rec->offset);
	*kind = what;
	*n = count;
	return TTP_OK;
}
