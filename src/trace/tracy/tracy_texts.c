// SPDX-License-Identifier: Apache-2.0
/*
 * Texts of a .tracy file, and messages, which are texts with a time.  There may be as many as zones: they wait in logs
 * that go to disk, and only those that name something become strings of the trace.
 */
#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "trace/tracy/tracy_sections.h"
#include "wire/self_report.h"

struct str tracy_text(struct trace *t, struct spill_reader *r, uint64_t n)
{
	struct tracy_in *f = t->tracy;
	uint64_t range[2];
	const uint8_t *at;

	if (n >= f->n_texts || !spill_seek(&f->at_reader, n * sizeof(*range)))
		return STR("");
	at = spill_take(&f->at_reader, sizeof(range));
	if (!at)
		return STR("");
	memcpy(range, at, sizeof(range));
	if (range[1] <= range[0] || !spill_seek(r, range[0]))
		return STR("");
	at = spill_take(r, (size_t)(range[1] - range[0]));
	return at ? str_n((const char *)at, (size_t)(range[1] - range[0])) : STR("");
}

uint32_t tracy_name(struct trace *t, uint64_t text)
{
	struct tracy_in *f = t->tracy;
	uint32_t id;

	if (text >= f->n_texts)
		return TRACE_NONE;
	if (u64map_get(&f->kept, text, &id))
		return id;
	id = trace_string(t, tracy_text(t, &f->name_reader, text));
	u64map_put(&f->kept, text, id);
	return id;
}

/* Number of a text; TRACE_NONE for none. */
static uint32_t text_ref(struct trace *t, uint64_t value, uint8_t bits)
{
	uint32_t n;

	if (!(bits & 2))
		return TRACE_NONE;
	if (bits & 1)
		return value < t->tracy->n_texts ? (uint32_t)value : TRACE_NONE;
	return u64map_get(&t->tracy->ptr_to_text, value, &n) ? n : TRACE_NONE;
}

uint32_t tracy_string_ref(struct trace *t, uint64_t value, uint8_t bits)
{
	uint32_t n = text_ref(t, value, bits);

	return n == TRACE_NONE ? TRACE_NONE : tracy_name(t, n);
}

uint32_t tracy_read_ref(struct trace *t, struct tracy_bytes *b)
{
	uint64_t value = tracy_u64(b);

	return tracy_string_ref(t, value, tracy_u8(b));
}

uint32_t tracy_idx(struct trace *t, struct tracy_bytes *b)
{
	uint32_t n = tracy_u24(b);

	return n ? tracy_name(t, n - 1) : TRACE_NONE;
}

static void to_buf(void *ctx, const void *at, size_t n)
{
	buf_add(ctx, at, n);
}

struct str tracy_piece_of(struct trace *t, const char *what, uint64_t n)
{
	struct tracy_in *f = t->tracy;

	buf_clear(&f->bytes);
	tracy_pieces(&f->b, n, TEXT_MAX, what, to_buf, &f->bytes);
	return buf_view(&f->bytes);
}

static void to_store(void *ctx, const void *at, size_t n)
{
	struct tracy_in *f = ctx;

	spill_add(&f->store, &f->texts, at, n);
}

/* The text that stands here, in pieces. */
static bool keep_text(struct tracy_in *f, struct tracy_bytes *b)
{
	tracy_pieces(b, tracy_u64(b), TEXT_MAX, "a text", to_store, f);
	return !b->ended;
}

/* A list of numbers to keys of texts; which texts these are is found when both lists are read. */
struct wanted {
	struct u64map by_key; /* to slot */
	VEC(uint32_t) text;   /* of slots */
	VEC(uint64_t) number;
	VEC(uint32_t) slot; /* of each number */
	/* The first are pointers, then threads; threads of other programs have two, of the program and the thread. */
	size_t pointers, threads;
};

static void want_key(struct wanted *w, uint64_t number, uint64_t key)
{
	uint32_t slot = keyed_at(&w->by_key, key, &w->text, TRACE_NONE);

	*vec_push(&w->number) = number;
	*vec_push(&w->slot) = slot;
}

static void want(struct wanted *w, struct tracy_bytes *b, int keys)
{
	EACH(tracy_u64(b))
	{
		uint64_t number = tracy_u64(b), key = tracy_u64(b), other = 0;

		if (keys == 2)
			other = tracy_u64(b);
		if (b->ended)
			break;
		want_key(w, number, key);
		if (keys == 2)
			want_key(w, number, other);
	}
}

static uint32_t wanted_name(struct trace *t, const struct wanted *w, size_t i)
{
	uint32_t text = w->text.at[w->slot.at[i]];

	return text == TRACE_NONE ? TRACE_NONE : tracy_name(t, text);
}

static void find_wanted(struct trace *t, struct wanted *w, const struct spill_log *keys)
{
	struct tracy_in *f = t->tracy;
	uint32_t slot;
	SCOPED(spill_reader) struct spill_reader r = spill_read(&f->store, keys);

	for (uint32_t i = 0; i < f->n_texts; i++) {
		const uint8_t *at = spill_take(&r, 8);
		uint64_t key;

		if (!at)
			break;
		memcpy(&key, at, sizeof(key));
		if (u64map_get(&w->by_key, key, &slot))
			w->text.at[slot] = i;
	}
	for (size_t i = 0; i < w->threads; i++)
		if (w->text.at[w->slot.at[i]] != TRACE_NONE)
			u64map_put(i < w->pointers ? &f->ptr_to_text : &f->names, w->number.at[i],
				   w->text.at[w->slot.at[i]]);
	for (size_t i = w->threads; i + 1 < w->number.len; i += 2) {
		struct trace_external x = { .tid = w->number.at[i],
					    .program = wanted_name(t, w, i),
					    .thread = wanted_name(t, w, i + 1) };

		*vec_push(&t->externals) = x;
	}
}

void tracy_names(struct trace *t)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;
	struct spill_log keys = { 0 };
	struct wanted w = { 0 };
	uint64_t at;

	EACH(tracy_u64(b))
	{
		uint64_t key = tracy_u64(b);

		if (b->ended || f->n_texts >= UINT32_MAX - 1)
			break;
		at = spill_size(&f->texts);
		spill_add(&f->store, &keys, &key, sizeof(key));
		spill_add(&f->store, &f->text_at, &at, sizeof(at));
		f->n_texts++;
		if (!keep_text(f, b))
			break;
	}
	at = spill_size(&f->texts);
	spill_add(&f->store, &f->text_at, &at, sizeof(at));
	f->at_reader = spill_read(&f->store, &f->text_at);
	f->text_reader = spill_read(&f->store, &f->texts);
	f->name_reader = spill_read(&f->store, &f->texts);
	want(&w, b, 1);
	w.pointers = w.number.len;
	want(&w, b, 1);
	w.threads = w.number.len;
	want(&w, b, 2);
	find_wanted(t, &w, &keys);
	spill_log_release(&f->store, &keys);
	u64map_release(&w.by_key);
	RELEASE(vec, &w.text, &w.number, &w.slot);
}

ORDER_BY(by_key, struct message_key, key)

/* Its thread, and so its process, is known later. */
static void note_drops(struct trace *t, uint64_t key, const struct file_message *m)
{
	struct tracy_in *f = t->tracy;
	struct str text = tracy_text(t, &f->text_reader, m->text);
	struct self_report r;

	if (t->processes.len == 1)
		(void)trace_take_drops(t, 0, m->time_ns, text);
	else if (self_report_get(text, &r) && self_report_counts_drops(&r))
		*vec_push(&f->drop_messages) = (struct drop_message){ key, m->time_ns, m->text };
}

void tracy_messages(struct trace *t)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;
	int64_t ref = 0;
	bool sorted = true;

	EACH(tracy_u64(b))
	{
		struct file_message m = { .severity = 2 };
		uint64_t key = tracy_u64(b), value;

		m.time_ns = ns_plus(ref, tracy_i64(b));
		value = tracy_u64(b);
		m.text = text_ref(t, value, tracy_u8(b));
		m.color = tracy_u32(b);
		m.stack = tracy_u24(b);
		if (t->version >= V(0, 13, 2)) {
			m.source = tracy_u8(b);
			m.severity = tracy_u8(b);
		}
		if (b->ended)
			break;
		t->odd += m.time_ns < ref || m.time_ns > t->last_ns;
		ref = m.time_ns;
		t->messages++;
		note_drops(t, key, &m);
		if (!f->sink->message)
			continue;
		spill_add(&f->store, &f->messages, &m, sizeof(m));
		*vec_push(&f->message_track) = TRACE_NONE;
		sorted &= !f->n_messages || f->message_keys.at[f->n_messages - 1].key < key;
		*vec_push(&f->message_keys) =
			(struct message_key){ .key = key, .message = (uint32_t)f->n_messages++ };
	}
	if (!sorted)
		vec_sort(&f->message_keys, by_key);
	f->message_reader = spill_read(&f->store, &f->messages);
}

/* Messages of a thread, by their keys. */
void tracy_message_keys(struct trace *t, uint32_t track)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;

	EACH(tracy_u64(b))
	{
		struct message_key key = { .key = tracy_u64(b) }, *found;

		vec_each (d, &f->drop_messages)
			if (d->key == key.key && !b->ended)
				(void)trace_take_drops(t, t->tracks.at[track].process, d->time_ns,
						       tracy_text(t, &f->text_reader, d->text));
		if (b->ended || !f->message_keys.len)
			continue;
		found = bsearch(&key, f->message_keys.at, f->message_keys.len, sizeof(key), by_key);
		if (found)
			f->message_track.at[found->message] = track;
	}
}

void tracy_tell_messages(struct trace *t)
{
	struct tracy_in *f = t->tracy;

	for (uint64_t i = 0; f->sink->message && i < f->n_messages; i++) {
		const uint8_t *at = spill_take(&f->message_reader, sizeof(struct file_message));
		struct trace_message out;
		struct file_message m;

		if (!at)
			break;
		memcpy(&m, at, sizeof(m));
		out = (struct trace_message){ .track = f->message_track.at[i],
					      .time_ns = m.time_ns,
					      .text = tracy_text(t, &f->text_reader, m.text),
					      .color = m.color,
					      .source = m.source,
					      .severity = m.severity,
					      .stack = m.stack };
		f->sink->message(f->sink->ctx, &out);
	}
}
