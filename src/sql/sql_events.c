// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_events.h"

#include <stdlib.h>

enum ttp_rc sql_fail(struct ttp_err *e, const struct ttprof_error *why)
{
	static const enum ttp_rc codes[] = {
		[TTPROF_OK] = TTP_OK,         [TTPROF_SYSTEM] = TTP_SYS,
		[TTPROF_FORMAT] = TTP_FORMAT, [TTPROF_USAGE] = TTP_USAGE,
		[TTPROF_LIMIT] = TTP_LIMIT,
	};

	return ttp_fail(e, codes[why->code], "%s", why->text);
}

/* ---- keys ---- */

bool sql_keys_sort(struct sql_keys *k)
{
	size_t rows = k->of_row.len, texts = intern_count(k->texts);
	SCOPED(mem) uint32_t *by_text = NULL;
	uint32_t at = 0;

	if (k->order)
		return true;
	if (rows >= UINT32_MAX)
		return false;
	by_text = mem_alloc(texts + 1, sizeof(*by_text));
	k->starts = mem_zero(texts + 1, sizeof(*k->starts));
	k->ends = mem_zero(texts + 1, sizeof(*k->ends));
	k->order = mem_alloc(rows + 1, sizeof(*k->order));
	for (uint32_t i = 0; i < texts; i++)
		by_text[i] = i;
	qsort_r(by_text, texts, sizeof(*by_text), intern_order, (void *)(size_t)k->texts);
	for (size_t i = 0; i < rows; i++)
		k->ends[k->of_row.at[i]]++; /* how many, until it is known where */
	for (size_t i = 0; i < texts; i++) {
		uint32_t n = k->ends[by_text[i]];

		k->starts[by_text[i]] = k->ends[by_text[i]] = at;
		at += n;
	}
	for (size_t i = 0; i < rows; i++)
		k->order[k->ends[k->of_row.at[i]]++] = (uint32_t)i;
	return true;
}

void sql_keys_release(struct sql_keys *k)
{
	vec_release(&k->of_row);
	free(k->order);
	free(k->starts);
	free(k->ends);
	*k = (struct sql_keys){ 0 };
}

/* ---- the trace ---- */

/* Texts by the numbers of source locations and tracks: most zones need no look into the dictionary. */
struct located {
	uint32_t name, function, file; /* name: INTERN_NONE before the first */
};

struct reader {
	struct sql_events *to;
	VEC(struct located) locations;
	VEC(uint32_t) tracks;
};

static uint32_t number_of(struct reader *r, const char *text)
{
	return intern_copy(&r->to->texts, str_of(text));
}

static void take_zone(void *ctx, const struct ttprof_zone *z)
{
	struct reader *r = ctx;
	struct located *at;

	vec_reach(&r->locations, z->location, (struct located){ .name = INTERN_NONE });
	vec_reach(&r->tracks, z->track, INTERN_NONE);
	at = &r->locations.at[z->location];
	if (at->name == INTERN_NONE) {
		at->function = number_of(r, z->function);
		at->file = number_of(r, z->file);
		if (!z->named)
			at->name = number_of(r, z->name);
	}
	if (r->tracks.at[z->track] == INTERN_NONE)
		r->tracks.at[z->track] = number_of(r, z->thread);
	*vec_push(&r->to->names.of_row) = z->named ? number_of(r, z->name) : at->name;
	*vec_push(&r->to->threads.of_row) = r->tracks.at[z->track];
	*vec_push(&r->to->zones) = (struct sql_zone){
		.start_ns = z->start_ns,
		.end_ns = z->end_ns,
		.tid = z->tid,
		.function = at->function,
		.file = at->file,
		.line = z->line,
		.text = *z->text ? number_of(r, z->text) : 0,
		.depth = (uint16_t)(z->depth < UINT16_MAX ? z->depth : UINT16_MAX),
		.device = z->device,
	};
}

static void take_message(void *ctx, const struct ttprof_message *m)
{
	struct reader *r = ctx;

	*vec_push(&r->to->messages) = (struct sql_message){
		.time_ns = m->time_ns,
		.thread = number_of(r, m->thread),
		.text = number_of(r, m->text),
	};
}

static void take_point(void *ctx, const struct ttprof_plot *p)
{
	struct reader *r = ctx;

	*vec_push(&r->to->plots) = (struct sql_point){
		.time_ns = p->time_ns,
		.value = p->value,
		.name = number_of(r, p->name),
	};
}

enum ttp_rc sql_events_read(struct sql_events *v, struct ttprof_run *run, struct ttp_err *damage,
			    struct ttp_err *e)
{
	struct reader r = { .to = v };
	const struct ttprof_trace_sink sink = { .size = sizeof(sink),
						.ctx = &r,
						.zone = take_zone,
						.message = take_message,
						.plot = take_point };
	struct ttprof_error why = { 0 };
	int failed;

	*damage = (struct ttp_err){ 0 };
	if (v->asked)
		return TTP_OK;
	v->asked = true;
	v->names.texts = v->threads.texts = &v->texts;
	(void)intern_copy(&v->texts, STR("")); /* number 0 */
	failed = ttprof_run_trace(run, &sink, &why);
	vec_release(&r.locations);
	vec_release(&r.tracks);
	if (failed)
		return sql_fail(e, &why);
	if (why.code)
		(void)sql_fail(damage, &why);
	return TTP_OK;
}

void sql_events_release(struct sql_events *v)
{
	intern_release(&v->texts);
	vec_release(&v->zones);
	sql_keys_release(&v->names);
	sql_keys_release(&v->threads);
	vec_release(&v->messages);
	vec_release(&v->plots);
}

/* ---- the device log ---- */

static bool take_marker(void *ctx, const struct ttprof_marker *m)
{
	struct sql_markers *to = ctx;
	uint32_t risc = intern_copy(&to->texts, str_of(m->risc));
	uint32_t zone = intern_copy(&to->texts, str_of(m->zone));

	*vec_push(&to->all) = (struct sql_marker){
		.time_cycles = m->time_cycles,
		.data = m->data,
		.run_id = m->run_id,
		.trace_id = m->trace_id,
		.replay = m->replay,
		.device = m->device,
		.risc = risc,
		.zone = zone,
		.x = m->x,
		.y = m->y,
		.type = m->type,
	};
	return true;
}

enum ttp_rc sql_markers_read(struct sql_markers *m, struct ttprof_run *run, struct ttp_err *e)
{
	struct ttprof_error why = { 0 };

	if (m->asked)
		return TTP_OK;
	m->asked = true;
	return ttprof_run_markers(run, take_marker, m, &why) ? sql_fail(e, &why) : TTP_OK;
}

void sql_markers_release(struct sql_markers *m)
{
	intern_release(&m->texts);
	vec_release(&m->all);
}
