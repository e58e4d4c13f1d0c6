// SPDX-License-Identifier: Apache-2.0
/* Locks, samples, processors, images and what is said of code, collected for a .tracy file. */
#include <stdlib.h>

#include "base/keyed.h"
#include "trace/tracy/tracy_collect.h"
#include "trace/tracy/tracy_container.h"

enum { EXTERNAL_MAX = 65535 };

static void lock_event(void *ctx, const struct trace_lock_event *e)
{
	struct collect *c = ctx;
	struct collect_lock_event record = { .time_ns = e->time_ns, .what = e->what };
	struct collect_lock *l;
	uint32_t n = 0;

	if (e->loc != TRACE_NONE)
		record.srcloc = (int16_t)collect_srcloc(c, e->loc);
	vec_reach(&c->locks, e->lock, (struct collect_lock){ 0 });
	l = &c->locks.at[e->lock];
	while (n < l->threads.len && l->threads.at[n].track != e->track)
		n++;
	if (n == LOCK_THREADS_MAX) {
		c->written->lost_lock_events++;
		return;
	}
	if (n == l->threads.len) {
		(void)collect_used(c, e->track);
		*vec_push(&l->threads) = (struct lock_thread){ .track = e->track };
	}
	if (e->what != TRACE_LOCK_RELEASE && e->what != TRACE_LOCK_RELEASE_SHARED)
		l->threads.at[n].last_at = l->n * sizeof(record) + 1;
	record.thread = (uint8_t)n;
	spill_add(&c->store, &l->log, &record, sizeof(record));
	l->n++;
}

static void lock_mark(void *ctx, uint32_t lock, uint32_t track, uint32_t loc)
{
	struct collect *c = ctx;
	int16_t srcloc = (int16_t)collect_srcloc(c, loc);
	struct collect_lock *l;

	if (lock >= c->locks.len)
		return;
	l = &c->locks.at[lock];
	vec_each (th, &l->threads) {
		if (th->track == track && th->last_at)
			spill_patch(&c->store, &l->log,
				    th->last_at - 1 + offsetof(struct collect_lock_event, srcloc),
				    &srcloc, sizeof(srcloc));
	}
}

static void sample(void *ctx, const struct trace_sample *s)
{
	struct collect *c = ctx;
	struct collect_samples *to;
	struct collect_sample record = { s->time_ns, s->stack };
	int which = s->at_switch ? 0 : 1;

	(void)collect_used(c, s->track);
	if (!c->tracks.at[s->track].samples)
		c->tracks.at[s->track].samples = mem_zero(1, sizeof(*to));
	to = c->tracks.at[s->track].samples;
	to->unsorted[which] |= to->n[which] && s->time_ns < to->last_ns[which];
	to->last_ns[which] = s->time_ns;
	spill_add(&c->store, &to->log[which], &record, sizeof(record));
	to->n[which]++;
}

static void hw_sample(void *ctx, const struct trace_hw_sample *s)
{
	struct collect *c = ctx;

	*vec_push(&c->hw_samples) = *s;
}

static void run(void *ctx, const struct trace_run *r)
{
	struct collect *c = ctx;
	uint64_t tid = r->tid | (uint64_t)r->process << PROCESS_SHIFT;
	int64_t end_ns = r->end_ns == TRACE_OPEN ? -1 : r->end_ns;
	struct collect_run record = { { r->wakeup_ns, r->start_ns, end_ns },
				      r->cpu,
				      r->reason,
				      r->state,
				      r->other ? r->other | (uint64_t)r->process << PROCESS_SHIFT
					       : 0,
				      r->wakeup_cpu };
	struct collect_runs *to;
	uint32_t n = keyed_at(&c->runs_by_tid, tid, &c->runs, (struct collect_runs){ .tid = tid });

	if (r->reason == TRACE_RUN_FIBER)
		u64map_put(&c->carriers, record.other, 1);
	to = &c->runs.at[n];
	spill_add(&c->store, &to->log, &record, sizeof(record));
	to->n++;
}

void collect_carriers(struct collect *c)
{
	uint32_t unused;

	for (uint32_t i = 0; i < c->t->tracks.len; i++)
		if (c->t->tracks.at[i].context == TRACE_NONE &&
		    u64map_get(&c->carriers, collect_tid(c, i), &unused))
			(void)collect_used(c, i);
}

static void cpu_run(void *ctx, const struct trace_cpu_run *r)
{
	struct collect *c = ctx;
	int64_t end_ns = r->end_ns == TRACE_OPEN ? -1 : r->end_ns;
	struct collect_cpu_run record = { { r->start_ns, end_ns }, EXTERNAL_MAX - 1 };
	bool added;
	uint32_t n = u64map_get_or_put(&c->external_index, r->tid, (uint32_t)c->external_ids.len,
				       &added);

	if (added && c->external_ids.len < EXTERNAL_MAX)
		*vec_push(&c->external_ids) = r->tid;
	if (n < EXTERNAL_MAX)
		record.thread = (uint16_t)n;
	spill_add(&c->store, &c->cpus[r->cpu], &record, sizeof(record));
	c->cpu_runs[r->cpu]++;
}

static void image(void *ctx, const struct trace_image *i)
{
	struct collect *c = ctx;

	*vec_push(&c->images) = (struct collect_image){ .set = i->set,
							.frame = i->frame,
							.size = (uint32_t)i->bytes.len,
							.width = i->width,
							.height = i->height,
							.flipped = i->flipped };
	spill_add(&c->store, &c->image_bytes, i->bytes.at, i->bytes.len);
}

static void section(void *ctx, const struct trace_section *s)
{
	struct collect *c = ctx;

	if (c->version < TRACE_VERSION(0, 13, 4)) {
		c->written->lost_sections++;
		return;
	}
	*vec_push(&c->sections) = (struct collect_section){ .category = s->category,
							    .text = collect_text(c, s->text),
							    .start_ns = s->start_ns,
							    .end_ns = s->end_ns };
}

static void note(void *ctx, const struct trace_note *n)
{
	struct collect *c = ctx;

	if (c->version < TRACE_VERSION(0, 12, 4))
		c->written->lost_notes++;
	else
		*vec_push(&c->notes) = *n;
}

static void sized(struct collect *c, struct spill_log *to, struct str bytes)
{
	uint32_t n = (uint32_t)bytes.len;

	spill_add(&c->store, to, &n, sizeof(n));
	spill_add(&c->store, to, bytes.at, bytes.len);
}

static void symbol_code(void *ctx, uint64_t symbol, struct str code)
{
	struct collect *c = ctx;

	spill_add(&c->store, &c->codes, &symbol, sizeof(symbol));
	sized(c, &c->codes, code);
	c->n_codes++;
}

static void code_symbol(void *ctx, uint64_t address, uint64_t symbol)
{
	struct collect *c = ctx;
	uint64_t both[2] = { address, symbol };

	spill_add(&c->store, &c->code_symbols, both, sizeof(both));
	c->n_code_symbols++;
}

static void source_file(void *ctx, struct str name, struct str text)
{
	struct collect *c = ctx;

	sized(c, &c->sources, name);
	sized(c, &c->sources, text);
	c->n_sources++;
}

void collect_code_sink(struct trace_sink *sink)
{
	sink->lock_event = lock_event;
	sink->lock_mark = lock_mark;
	sink->sample = sample;
	sink->hw_sample = hw_sample;
	sink->run = run;
	sink->cpu_run = cpu_run;
	sink->image = image;
	sink->section = section;
	sink->note = note;
	sink->symbol_code = symbol_code;
	sink->code_symbol = code_symbol;
	sink->source_file = source_file;
}

static void name(struct collect *c, uint32_t string)
{
	if (string != TRACE_NONE)
		(void)collect_text(c, trace_str(c->t, string));
}

/* Everything that is called by its text, before the texts are written. */
void collect_code_names(struct collect *c)
{
	struct trace *t = c->t;

	vec_each (l, &t->locks) {
		(void)collect_named(c, l->process, l->name);
		(void)collect_srcloc(c, l->loc);
	}
	vec_each (l, &t->lines) {
		name(c, l->name);
		name(c, l->file);
	}
	vec_each (a, &t->addresses)
		name(c, a->image);
	vec_each (s, &t->symbols) {
		name(c, s->name);
		name(c, s->file);
		name(c, s->image);
		name(c, s->call_file);
	}
	vec_each (x, &t->externals) {
		(void)collect_text(c, trace_str(t, x->program));
		(void)collect_text(c, trace_str(t, x->thread));
	}
	vec_each (k, &t->categories)
		name(c, k->name);
	vec_each (n, &t->note_names)
		name(c, n->name);
	if (t->crash.time_ns && t->crash.message != TRACE_NONE)
		(void)collect_pointer(c, collect_text(c, trace_str(t, t->crash.message)));
}

void collect_code_release(struct collect *c)
{
	vec_each (l, &c->locks) {
		spill_log_release(&c->store, &l->log);
		vec_release(&l->threads);
	}
	vec_each (k, &c->tracks) {
		if (k->samples)
			for (int i = 0; i < 2; i++)
				spill_log_release(&c->store, &k->samples->log[i]);
		free(k->samples);
	}
	vec_each (r, &c->runs)
		spill_log_release(&c->store, &r->log);
	for (int i = 0; i < 256; i++)
		spill_log_release(&c->store, &c->cpus[i]);
	spill_log_release(&c->store, &c->image_bytes);
	spill_log_release(&c->store, &c->codes);
	spill_log_release(&c->store, &c->code_symbols);
	spill_log_release(&c->store, &c->sources);
}
