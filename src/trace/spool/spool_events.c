// SPDX-License-Identifier: Apache-2.0
/* A spool to events: sessions of several clients at the same time, on one clock. */
#include <stdlib.h>

#include "trace/spool/client_events.h"
#include "trace/trace_readers.h"
#include "wire/welcome.h"

struct stream {
	struct client_events *client;
	uint32_t process;
	bool gap; /* frames before the next one are lost */
};

struct spool_events {
	struct spool_reader reader;
	VEC(uint64_t) sessions; /* offsets of the records that begin processes, in order */
	VEC(struct stream) streams;
};

static struct str keep(struct trace *t, const char *text, size_t max)
{
	return trace_keep(t, str_n(text, strnlen(text, max)));
}

/* When the process's time zero was, on the clock that all processes of a machine share; false if not known. */
static bool zero_mono_ns(const struct spool_session *s, const struct wire_welcome *w, double *zero)
{
	if (!s->ticks || !s->mono_ns)
		return false;
	*zero = (double)s->mono_ns - ((double)s->ticks - (double)w->init_begin) * w->ns_per_tick;
	return true;
}

struct zero {
	double mono_ns, wall_ns;
	bool has_mono;
	double ns_per_tick;
	char boot_id[37];
};

static void add_process(struct trace *t, const struct spool_session *s,
			const struct wire_welcome *w)
{
	struct trace_process *p = vec_push(&t->processes);

	*p = (struct trace_process){ .program = keep(t, w->program, sizeof(w->program)),
				     .host = keep(t, w->host, sizeof(w->host)),
				     .pid = w->pid,
				     .ppid = s->ppid,
				     .epoch_s = w->epoch_s,
				     .exe_time_s = w->exe_time_s,
				     .sampling_period = w->sampling_period,
				     .ns_per_tick = w->ns_per_tick,
				     .cpu_arch = w->cpu_arch,
				     .cpu_id = w->cpu_id,
				     .on_demand = w->flags & WIRE_FLAG_ON_DEMAND,
				     .time_kind = s->time_kind };
	memcpy(p->key, s->key, sizeof(p->key));
	memcpy(p->cpu_maker, w->cpu_maker, sizeof(p->cpu_maker));
	if (s->on_demand)
		memcpy(&p->frame_offset, s->on_demand, sizeof(p->frame_offset));
	if (w->ns_per_tick > 0 && w->ns_per_tick < 1e9) {
		p->resolution_ns =
			(int64_t)((double)(w->resolution_ticks & 0xFFFFFF) * w->ns_per_tick);
		p->delay_ns = (int64_t)((double)(w->event_ticks & 0xFFFFFF) * w->ns_per_tick);
	}
}

/*
 * Puts all processes on one clock: the one whose time zero is first has shift 0.  On one machine the kernel's clock
 * joins them; what is left is the reading of two clocks after each other, and that clients measured their ticks
 * apart.  Otherwise there are only the seconds since 1970 that each one says.
 */
static void one_clock(struct trace *t, const struct zero *z)
{
	bool mono = true;
	size_t first = 0;

	for (size_t i = 0; i < t->processes.len; i++)
		if (!z[i].has_mono || strcmp(z[i].boot_id, z[0].boot_id) != 0)
			mono = false;
	for (size_t i = 1; i < t->processes.len; i++)
		if (mono ? z[i].mono_ns < z[first].mono_ns : z[i].wall_ns < z[first].wall_ns)
			first = i;
	for (size_t i = 0; i < t->processes.len; i++) {
		struct trace_process *p = &t->processes.at[i];
		double shift =
			mono ? z[i].mono_ns - z[first].mono_ns : z[i].wall_ns - z[first].wall_ns;

		p->shift_ns = shift >= 0 && shift < 4e18 ? (int64_t)shift : 0;
		p->error_ns = i == first ? 0 : mono ? 2000 : INT64_C(1000000000);
		if (i != first && mono && z[first].ns_per_tick > 0) {
			double apart =
				(z[i].ns_per_tick - z[first].ns_per_tick) / z[first].ns_per_tick;

			/* each second of the run adds this much */
			apart = apart < 0 ? -apart : apart;
			if (apart < 1e-3)
				p->error_ns += (int64_t)(apart * 1e9);
		}
	}
}

enum ttp_rc spool_events_open(struct trace *t, struct ttp_err *e)
{
	struct spool_events *s = t->spool = mem_zero(1, sizeof(*s));
	SCOPED(vec) VEC(struct zero) zeros = { 0 };
	struct drop_pages drop = drop_pages_of(&t->in);
	struct spool_reader r;
	struct ttp_err why, newer = { 0 };

	TTP_TRY(spool_open(&s->reader, t->in.data.at, t->in.data.len, e));
	/* Only headers are looked at here: reading checks the rest, and says what is wrong. */
	r = s->reader;
	while (r.len - r.offset >= SPOOL_HEADER_BYTES) {
		struct cursor c = cursor_of(r.bytes + r.offset, r.len - r.offset);
		struct spool_session session;
		struct spool_record rec;
		struct wire_welcome w;
		struct wire_proto proto;
		enum wire_key key;
		uint32_t len = cursor_u32(&c);
		bool more;

		(void)cursor_u32(&c);
		drop_pages_until(&drop, r.offset);
		if (len > SPOOL_RECORD_MAX || len + SPOOL_HEADER_BYTES > r.len - r.offset) {
			if (!spool_resync(&r))
				break;
			continue;
		}
		if (cursor_u8(&c) != SPOOL_SESSION) {
			r.offset += SPOOL_HEADER_BYTES + len;
			continue;
		}
		if (spool_next(&r, &rec, &more, NULL)) {
			if (!spool_resync(&r))
				break;
			continue;
		}
		if (spool_session_get(&rec, &session, &why)) {
			if (why.rc == TTP_VERSION)
				newer = why;
			continue;
		}
		if (!wire_key_parse(session.key, strlen(session.key), &key)) {
			(void)client_events_new(t, &session, NULL, &newer);
			continue;
		}
		wire_proto_init(&proto, key);
		if (session.welcome_len < proto.welcome_bytes)
			continue;
		wire_welcome_get(&proto, session.welcome, &w);
		*vec_push(&s->sessions) = rec.offset;
		add_process(t, &session, &w);
		{
			struct zero *z = vec_push(&zeros);

			*z = (struct zero){ .ns_per_tick = w.ns_per_tick };
			z->has_mono = zero_mono_ns(&session, &w, &z->mono_ns);
			z->wall_ns = (double)w.epoch_s * 1e9;
			memcpy(z->boot_id, session.boot_id, sizeof(z->boot_id));
		}
	}
	if (t->processes.len)
		one_clock(t, zeros.at);
	/* beside sessions that can be read, reading reports it */
	if (!newer.rc || t->processes.len)
		return TTP_OK;
	return ttp_fail(e, newer.rc, "%s", newer.msg);
}

static struct stream *stream_of(struct spool_events *s, uint16_t n)
{
	vec_reach(&s->streams, n, (struct stream){ 0 });
	return &s->streams.at[n];
}

static void finish(struct stream *st)
{
	if (st->client)
		client_events_end(st->client);
	client_events_free(st->client);
	st->client = NULL;
}

static void session(struct trace *t, const struct spool_record *rec, const struct trace_sink *sink)
{
	struct spool_events *s = t->spool;
	struct stream *st = stream_of(s, rec->stream);
	struct spool_session got;
	struct ttp_err e;
	size_t which = 0;

	finish(st);
	st->gap = false;
	while (which < s->sessions.len && s->sessions.at[which] != rec->offset)
		which++;
	if (which == s->sessions.len) /* it says nothing of use, which opening found */
		t->skipped[TRACE_SKIP_MISPLACED]++;
	if (spool_session_get(rec, &got, &e)) {
		t->damage = e;
		t->damaged = true;
		return;
	}
	st->client = client_events_new(t, &got, sink, &e);
	if (!st->client) {
		t->damage = e;
		(void)ttp_wrap(&t->damage, e.rc, "byte %zu", rec->offset);
		t->damaged = true;
		return;
	}
	if (which == s->sessions.len) {
		client_events_free(st->client);
		st->client = NULL;
		return;
	}
	st->process = (uint32_t)which;
	client_events_identify(st->client, st->process, t->processes.at[st->process].shift_ns);
}

static void note(struct trace *t, const struct spool_record *rec)
{
	struct stream *st = stream_of(t->spool, rec->stream);
	uint64_t numbers[TRACE_DROPS] = { 0 };
	enum spool_note kind;
	size_t n = TRACE_DROPS;

	if (!st->client || spool_note_get(rec, &kind, numbers, &n, NULL))
		return;
	if (kind == SPOOL_NOTE_DROPS)
		memcpy(t->processes.at[st->process].dropped, numbers, sizeof(numbers));
}

static void frame(struct trace *t, const struct spool_record *rec)
{
	struct stream *st = stream_of(t->spool, rec->stream);
	bool chained = !(rec->flags & SPOOL_INDEPENDENT), was;
	uint64_t before = t->zones;
	struct ttp_err first = t->damage;
	bool had = t->damaged;

	if (!st->client) {
		t->lost_frames += st->gap;
		return;
	}
	if (st->gap && chained) { /* it refers to bytes that are lost */
		t->lost_frames++;
		return;
	}
	if (st->gap) {
		client_events_gap(st->client);
		st->gap = false;
	}
	was = st->client->broken;
	if (!client_events_frame(st->client, rec->payload, rec->len, chained)) {
		t->lost_frames += was;
		if (!was)
			(void)ttp_wrap(&t->damage, t->damage.rc, "byte %zu", rec->offset);
		if (had) /* the first one is reported */
			t->damage = first;
	}
	t->processes.at[st->process].zones += t->zones - before;
}

/* Passes over a damage to the next whole record; false if there is none. */
static bool pass_over(struct trace *t, struct spool_reader *r, const struct spool_record *bad,
		      const struct ttp_err *e)
{
	struct spool_events *s = t->spool;
	size_t from = r->offset;
	bool only_payload;

	if (!t->damaged)
		t->damage = *e;
	t->damaged = true;
	if (!spool_resync(r)) {
		t->lost_bytes += r->len - from;
		return false;
	}
	t->lost_bytes += r->offset - from;
	t->resumed = true;
	/* The next record begins where this one said that it ends: then its header is good, and so is its stream. */
	only_payload = r->offset == from + SPOOL_HEADER_BYTES + bad->len;
	for (size_t i = 0; i < s->streams.len; i++)
		if (!only_payload || i == bad->stream)
			s->streams.at[i].gap = true;
	return true;
}

void spool_events_read(struct trace *t, const struct trace_sink *sink)
{
	struct spool_events *s = t->spool;
	struct spool_reader r = s->reader;
	struct drop_pages drop = drop_pages_of(&t->in);
	struct spool_record rec;
	struct ttp_err e;
	bool more;

	for (;;) {
		struct stream *st;

		if (spool_next(&r, &rec, &more, &e)) {
			if (!pass_over(t, &r, &rec, &e))
				break;
			continue;
		}
		if (!more)
			break;
		drop_pages_until(&drop, r.offset);
		switch (rec.type) {
		case SPOOL_SESSION:
			session(t, &rec, sink);
			break;
		case SPOOL_FRAME:
			frame(t, &rec);
			break;
		case SPOOL_NOTE:
			note(t, &rec);
			break;
		case SPOOL_END:
			st = stream_of(s, rec.stream);
			if (st->client)
				t->processes.at[st->process].ended = true;
			finish(st);
			break;
		}
	}
	for (size_t i = 0; i < s->streams.len; i++)
		finish(&s->streams.at[i]);
}

void spool_events_free(struct trace *t)
{
	struct spool_events *s = t->spool;

	if (!s)
		return;
	vec_each (st, &s->streams)
		client_events_free(st->client);
	RELEASE(vec, &s->streams, &s->sessions);
	free(s);
	t->spool = NULL;
}
