// SPDX-License-Identifier: Apache-2.0
/* What is kept of a run: one step with means of all its steps, and what is known of it. */
#include <math.h>

#include "compare/run_identity.h"
#include "history/history.h"
#include "report/label.h"

static struct str keep(struct history *h, struct str text)
{
	SCOPED(buf) struct buf b = { 0 };
	uint32_t id;

	buf_add_utf8(&b, text);
	/* no database takes it */
	for (size_t i = 0; i < b.len; i++)
		if (!b.at[i])
			b.at[i] = '?';
	id = intern_copy(&h->texts, buf_view(&b));
	return intern_get(&h->texts, id);
}

static double mean(const double *at, uint32_t n)
{
	double sum = 0;
	uint32_t found = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!isnan(at[i])) {
			sum += at[i];
			found++;
		}
	return found ? sum / found : NAN;
}

static void describe_part(const struct calls *c, struct buf *b)
{
	if (c->start.len)
		buf_printf(b, "from \"%.*s\"", STR_ARG(str_head(c->start, 200)));
	if (c->end.len)
		buf_printf(b, "%sto \"%.*s\"", b->len ? " " : "", STR_ARG(str_head(c->end, 200)));
	if (!b->len)
		buf_text(b, c->is_steady ? "steady part" : "all");
}

/* Labels of kinds that were not met before. */
static void label_kinds(struct history *h, const struct calls *c, const struct op_sequence *s)
{
	vec_each (p, &s->at) {
		SCOPED(buf) struct buf label = { 0 };
		uint32_t kind = p->key[SAME_KIND];
		const struct call *call;
		struct str text;

		if (kind < h->labels.len && h->labels.at[kind].len)
			continue;
		call = &c->all.at[p->call];
		/* ops of one name differ in their types or cores; without a name there is the program's number */
		if (call_kind(c, call)->unnamed)
			label_call(&label, c->table, c, call);
		else
			label_alike(&label, c->table, call_kind(c, call));
		text = keep(h, buf_view(&label));
		vec_reach(&h->labels, kind, (struct str){ 0 });
		h->labels.at[kind] = text;
	}
}

void history_run_make(struct history *h, const struct calls *c, const struct history_facts *f)
{
	SCOPED(buf) struct buf identity = { 0 }, part = { 0 };
	struct history_run r = { 0 };
	struct op_sequence s;

	op_sequence_make(&s, c, &h->keys);
	run_identity(&identity, &s, &h->keys);
	/* equal content of another commit is another run */
	buf_printf(&identity, "@%.*s@%lld", STR_ARG(f->commit_id), (long long)f->commit_s);
	describe_part(c, &part);
	label_kinds(h, c, &s);
	r.step = (struct op_sequence){ .repeats = 1, .mhz = s.mhz };
	r.step.time_ns = mem_alloc(s.at.len + 1, sizeof(double));
	r.step.gap_ns = mem_alloc(s.at.len + 1, sizeof(double));
	for (size_t p = 0; p < s.at.len; p++) {
		double time = mean(s.time_ns + p * s.repeats, s.repeats);
		double gap = c->tells_gaps ? mean(s.gap_ns + p * s.repeats, s.repeats) : 0;

		*vec_push(&r.step.at) = s.at.at[p];
		r.step.time_ns[p] = time;
		r.step.gap_ns[p] = gap;
		r.device_ns += isnan(time) ? 0 : time;
		r.gap_ns += isnan(time) ? 0 : gap;
	}
	r.total_ns = r.device_ns + r.gap_ns;
	r.identity = keep(h, buf_view(&identity));
	r.part = keep(h, buf_view(&part));
	r.name = keep(h, f->name);
	r.commit_id = keep(h, f->commit_id);
	r.branch = keep(h, f->branch);
	r.machine = keep(h, f->machine);
	r.chip = keep(h, c->arch);
	r.versions = keep(h, f->versions);
	r.command = keep(h, f->command);
	r.source = keep(h, f->source);
	r.time_s = f->time_s;
	r.commit_s = f->commit_s;
	r.dirty = f->dirty;
	r.commit_given = f->commit_given;
	r.devices = c->devices;
	r.ops = (int64_t)s.at.len;
	r.steps = s.repeats;
	r.before = s.before;
	r.untimed = s.untimed;
	r.seen = (int64_t)account_total(&c->account, ACCOUNT_TOTAL_SEEN);
	r.timed = (int64_t)account_total(&c->account, ACCOUNT_TOTAL_TIMED);
	r.partial = (int64_t)account_total(&c->account, ACCOUNT_TOTAL_PARTIAL);
	r.dropped = (int64_t)account_total(&c->account, ACCOUNT_TOTAL_DROPPED);
	r.lost_rows = op_sequence_lost_rows(&s);
	r.firmware_times = op_sequence_has_firmware_times(&s);
	r.has_gaps = c->tells_gaps;
	r.mhz = s.mhz;
	op_sequence_release(&s);
	*vec_push(&h->runs) = r;
}

void history_release(struct history *h)
{
	vec_each (r, &h->runs)
		op_sequence_release(&r->step);
	vec_release(&h->runs);
	vec_release(&h->labels);
	op_keys_release(&h->keys);
	intern_release(&h->texts);
	store_close(&h->store);
}
