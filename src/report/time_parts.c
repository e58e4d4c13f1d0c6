// SPDX-License-Identifier: Apache-2.0
#include "report/time_parts.h"

#include "base/json.h"
#include "base/number.h"
#include "report/steps.h"

static void add(struct time_parts *p, enum time_part which, const struct call *call, double ns)
{
	struct time_share *s = &p->of[which];

	if (ns <= 0)
		return;
	s->ns += ns;
	if (ns > s->most_ns) {
		s->most_ns = ns;
		s->id = call->id;
	}
}

static enum time_part part_of_op(const struct calls *c, const struct call *call)
{
	switch (family_category(call_kind(c, call)->roof.work.family)) {
	case CATEGORY_COMPUTE:
		return PART_COMPUTE;
	case CATEGORY_TM:
		return PART_TM;
	case CATEGORY_DM:
		return PART_DM;
	case CATEGORY_COLLECTIVE:
		return PART_COLLECTIVE;
	default:
		return PART_OTHER;
	}
}

/*
 * What of a gap was work of the program on the host: a trace says it; else ops of the host that lie in it took it.  The rest is
 * launching, where a trace shows that nothing else was done.
 */
static void add_own_gap(struct time_parts *p, const struct calls *c, const struct call *call,
			double host_ops_ns)
{
	const struct host_gap *gap = call_host_gap(c, call);
	bool known = gap && c->host->known;
	double own = call_own_gap(call), work = known ? gap->work_ns : host_ops_ns;

	if (own <= 0)
		return;
	if (call->flags & CALL_REPLAY && !(call->flags & CALL_STARTS_REPLAY)) {
		add(p, PART_REPLAY_GAPS, call, own);
		return;
	}
	work = work < own ? work : own;
	add(p, PART_HOST_WORK, call, work);
	add(p, known ? PART_LAUNCH : PART_GAPS, call, own - work);
}

void time_parts_sum(struct time_parts *p, const struct calls *c, size_t from, size_t to)
{
	double host_ops_ns = 0; /* since the last op on a device */

	*p = (struct time_parts){ 0 };
	for (size_t i = from; i < to; i++) {
		const struct call *call = &c->all.at[i];

		if (call->flags & CALL_HOST) {
			host_ops_ns += call->time_ns;
			continue;
		}
		if (call->gap_ns > 0) {
			add(p, PART_PROFILER, call, call->profiler_ns);
			add(p, PART_BUILD, call, call->build_ns);
			if (call->flags & CALL_PAUSE)
				add(p, PART_PAUSES, call,
				    call->gap_ns - call->build_ns - call->profiler_ns);
			add_own_gap(p, c, call, host_ops_ns);
		}
		host_ops_ns = 0;
		add(p, call->flags & CALL_MARKER ? PART_PROFILER : part_of_op(c, call), call,
		    call->time_ns);
	}
}

double time_parts_all(const struct time_parts *p)
{
	double ns = 0;

	for (int i = 0; i < TIME_PARTS; i++)
		ns += p->of[i].ns;
	return ns;
}

static void put_parts(const struct time_parts *p, struct json_writer *w, bool in_full)
{
	static const char *const names[] = {
#define X(id, text) text,
		TIME_PART_LIST(X)
#undef X
	};
	double all = time_parts_all(p);

	json_put_array(w, in_full ? "time_parts" : "parts");
	for (int i = 0; i < TIME_PARTS; i++) {
		const struct time_share *s = &p->of[i];

		if (s->ns <= 0)
			continue;
		json_open_object(w);
		json_put_text(w, "part", str_of(names[i]));
		json_put_number(w, "us", s->ns / 1e3);
		if (in_full) {
			json_put_number(w, "percent", 100 * s->ns / all);
			json_put_count(w, "example_id", s->id);
		}
		json_close_object(w);
	}
	json_close_array(w);
}

void time_parts_json(const struct calls *c, struct json_writer *w)
{
	struct time_parts p;

	time_parts_sum(&p, c, 0, c->all.len);
	put_parts(&p, w, true);
}

/* ---- steps ---- */

enum { STEPS_MAX = 500 };

struct step {
	const struct calls *of; /* NULL: the whole run */
	size_t from, to;
	struct buf name;
	bool is_aside; /* no step, but what lies before or between them */
};
typedef VEC(struct step) step_vec;

static void begin(step_vec *v, size_t at, bool is_aside, const char *what, uint64_t number)
{
	struct step *s;

	if (v->len && v->at[v->len - 1].from == at) { /* nothing was in it */
		buf_release(&v->at[v->len - 1].name);
		v->len--;
	}
	if (v->len)
		v->at[v->len - 1].to = at;
	s = vec_push(v);
	*s = (struct step){ .from = at, .is_aside = is_aside };
	buf_text(&s->name, what);
	if (number)
		buf_printf(&s->name, " %llu", (unsigned long long)number);
}

/* "iteration_7" ends step 7, several of the same one after the other; what follows the last is none. */
static void steps_by_markers(const struct calls *c, step_vec *v)
{
	int64_t number = 0, last = 0;
	bool inside = false; /* of the markers that end a step */

	for (size_t i = 0; i < c->all.len; i++) {
		bool ends = step_of_row(c->table, c->all.at[i].row, &number);

		if (!i || (inside && !ends && !(c->all.at[i].flags & CALL_MARKER)))
			begin(v, i, true, i ? "after the last step" : "before the steps", 0);
		if (ends && (!inside || number != last)) {
			struct step *s = &v->at[v->len - 1];

			s->is_aside = false;
			buf_clear(&s->name);
			buf_printf(&s->name, "step %lld", (long long)number);
			last = number;
		}
		inside = ends || (inside && c->all.at[i].flags & CALL_MARKER);
	}
}

static size_t call_with(const struct calls *c, uint32_t id)
{
	for (size_t i = 0; i < c->all.len; i++)
		if (c->all.at[i].id == id)
			return i;
	return c->all.len;
}

static void one_step(step_vec *v, const struct calls *of, size_t from, size_t to, const char *what)
{
	struct step *s = vec_push(v);

	*s = (struct step){ .of = of, .from = from, .to = to, .is_aside = true };
	buf_text(&s->name, what);
}

/* Repeats are those of the part, which has no gap before its first op. */
static void steps_by_repeats(const struct calls *c, const struct calls *part, step_vec *v)
{
	size_t first = call_with(c, part->all.at[0].id), n = part->all.len;
	size_t repeats = part->steady.repeats;

	one_step(v, c, 0, first, "warm-up");
	for (size_t k = 0; k < repeats; k++) {
		struct step *s;

		one_step(v, part, k * n / repeats, (k + 1) * n / repeats, "repeat");
		s = &v->at[v->len - 1];
		s->is_aside = false;
		buf_printf(&s->name, " %zu", k + 1);
	}
	if (first + n < c->all.len)
		one_step(v, c, first + n, c->all.len, "after them");
}

static void steps_by_replays(const struct calls *c, step_vec *v)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->all.len; i++) {
		bool starts = c->all.at[i].flags & CALL_STARTS_REPLAY;

		if (starts)
			begin(v, i, false, "replay", ++n);
		else if (!i || (!(c->all.at[i].flags & CALL_REPLAY) &&
				c->all.at[i - 1].flags & CALL_REPLAY))
			begin(v, i, true, i ? "between replays" : "before the replays", 0);
	}
	if (!n)
		v->len = 0;
}

static void steps_by_signposts(const struct calls *c, step_vec *v)
{
	for (size_t i = 0; i < c->all.len; i++) {
		uint32_t section = c->all.at[i].section;
		SCOPED(buf) struct buf name = { 0 };

		if (i && section == c->all.at[i - 1].section)
			continue;
		if (section < c->sections.len)
			buf_str(&name, c->sections.at[section].name);
		begin(v, i, !name.len, name.len ? name.at : "before the first signpost", 0);
	}
	if (v->len < 2)
		v->len = 0;
}

static void put_step(const struct calls *c, const struct step *s, struct json_writer *w)
{
	struct time_parts p;
	uint64_t ops = 0;

	time_parts_sum(&p, c, s->from, s->to);
	for (size_t i = s->from; i < s->to; i++)
		ops += !(c->all.at[i].flags & CALL_MARKER);
	json_open_object(w);
	json_put_text(w, "name", buf_view(&s->name));
	if (s->is_aside)
		json_put_bool(w, "aside", true);
	json_put_count(w, "first_id", c->all.at[s->from].id);
	json_put_count(w, "last_id", c->all.at[s->to - 1].id);
	json_put_count(w, "ops", ops);
	json_put_number(w, "us", time_parts_all(&p) / 1e3);
	put_parts(&p, w, false);
	json_close_object(w);
}

void time_steps_json(const struct calls *c, const struct calls *part, struct json_writer *w)
{
	step_vec v = { 0 };

	if (c->all.len && steps_count(c))
		steps_by_markers(c, &v);
	else if (c->all.len && part->is_steady && part->steady.repeats && part->all.len)
		steps_by_repeats(c, part, &v);
	else if (c->all.len) {
		steps_by_replays(c, &v);
		if (!v.len)
			steps_by_signposts(c, &v);
	}
	if (v.len && !v.at[v.len - 1].of)
		v.at[v.len - 1].to = c->all.len;
	json_put_array(w, "steps");
	for (size_t i = v.len > STEPS_MAX ? v.len - STEPS_MAX : 0; i < v.len; i++)
		if (v.at[i].to > v.at[i].from)
			put_step(v.at[i].of ? v.at[i].of : c, &v.at[i], w);
	json_close_array(w);
	vec_each (s, &v)
		buf_release(&s->name);
	vec_release(&v);
}
