// SPDX-License-Identifier: Apache-2.0
#include "report/part.h"

#include "report/align.h"

enum {
	SMALL_PERCENT = 10, /* of the device time: a part that is not reported for the whole */
	SETUP_PERCENT = 50, /* a set-up that takes more may be the run itself */
};

static size_t find_signpost(const struct ops_table *t, const uint32_t *rows, struct part in,
			    const char *name)
{
	for (size_t from = in.from; from < in.to; from++)
		if (ops_row_is(t, rows[from], OPS_ROW_SIGNPOST) &&
		    str_eq(ops_text(t, OPS_OP_CODE, rows[from]), str_of(name)))
			return from;
	return SIZE_MAX;
}

/* Behind the last signpost that has ops behind it: what ran after the warm-up. */
static size_t last_signpost(const struct ops_table *t, const uint32_t *rows, struct part in)
{
	bool ops = false;

	for (size_t i = in.to; i-- > in.from;) {
		if (!ops_row_is(t, rows[i], OPS_ROW_SIGNPOST))
			ops = true;
		else if (ops)
			return i;
	}
	return SIZE_MAX;
}

static bool ends_bracket(struct str name, struct str opened)
{
	return opened.len && name.len > opened.len && str_starts(name, opened) &&
	       str_has_nocase(str_from(name, opened.len), STR("end"));
}

/* NAME … NAME_END: somebody has marked just this, however small it is. */
static bool is_bracket(const struct ops_table *t, const uint32_t *rows, struct part in, size_t at)
{
	struct str name = ops_text(t, OPS_OP_CODE, rows[at]), next;

	for (size_t i = at + 1; i < in.to; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_SIGNPOST))
			continue;
		next = ops_text(t, OPS_OP_CODE, rows[i]);
		return ends_bracket(next, name);
	}
	return false;
}

/* Percent of the device time behind a row. */
static double percent_behind(const struct row_times *x, const uint32_t *rows, struct part in,
			     size_t at)
{
	double all = 0, behind = 0, ns;

	for (size_t i = in.from; i < in.to; i++)
		if (ops_row_is(x->table, rows[i], OPS_ROW_DEVICE_OP) &&
		    row_ns(x, OPS_DURATION, rows[i], &ns) && ns > 0) {
			all += ns;
			behind += i > at ? ns : 0;
		}
	return all > 0 ? 100 * behind / all : 100;
}

/*
 * What runs behind NAME_END is what somebody did not mean: the signpost NAME before it, if ops with times lie between; else SIZE_MAX.
 */
static size_t bracket_before(const struct row_times *x, const uint32_t *rows, struct part in,
			     size_t at)
{
	struct part until = { .from = in.from, .to = at };
	size_t i = at;

	while (i-- > in.from)
		if (ops_row_is(x->table, rows[i], OPS_ROW_SIGNPOST))
			break;
	if (i + 1 == in.from || i == SIZE_MAX ||
	    !ends_bracket(ops_text(x->table, OPS_OP_CODE, rows[at]),
			  ops_text(x->table, OPS_OP_CODE, rows[i])))
		return SIZE_MAX;
	return percent_behind(x, rows, until, i) > 0 && until.to > i + 1 ? i : SIZE_MAX;
}

/* It ends a run rather than opens what counts; or what it opens has no device time, and the rest has. */
static bool is_small(const struct row_times *x, const uint32_t *rows, struct part in, size_t at)
{
	double percent = percent_behind(x, rows, in, at);

	return percent <= 0 || (percent < SMALL_PERCENT && !is_bracket(x->table, rows, in, at));
}

/*
 * Signposts all over a run: what lies before the first is its set-up, if it is the smaller part of the device time.  SIZE_MAX: nothing does.
 */
static size_t first_signpost(const struct row_times *x, const uint32_t *rows, struct part in)
{
	const struct ops_table *t = x->table;
	bool ops = false;

	for (size_t i = in.from; i < in.to; i++) {
		ops |= ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP);
		if (ops_row_is(t, rows[i], OPS_ROW_SIGNPOST))
			return ops && percent_behind(x, rows, in, i) > 100 - SETUP_PERCENT
				       ? i
				       : SIZE_MAX;
	}
	return SIZE_MAX;
}

struct part part_by_signposts(const struct row_times *x, const uint32_t *rows, struct part whole,
			      const struct call_options *o)
{
	const struct ops_table *t = x->table;
	struct part r = whole;
	size_t at = SIZE_MAX;

	if (o->start_signpost) {
		at = find_signpost(t, rows, r, o->start_signpost);
		r.no_start = at == SIZE_MAX;
	} else if (!o->end_signpost) {
		size_t bracket;

		at = last_signpost(t, rows, r);
		bracket = at != SIZE_MAX ? bracket_before(x, rows, r, at) : SIZE_MAX;
		if (bracket != SIZE_MAX) {
			r.end = ops_text(t, OPS_OP_CODE, rows[at]);
			r.to = at;
			at = bracket;
		} else if (at != SIZE_MAX && is_small(x, rows, r, at)) {
			r.small = true;
			at = first_signpost(x, rows, r);
		}
	}
	if (at != SIZE_MAX) {
		r.start = ops_text(t, OPS_OP_CODE, rows[at]);
		r.from = at + 1;
	}
	if (o->end_signpost) {
		at = find_signpost(t, rows, r, o->end_signpost);
		r.no_end = at == SIZE_MAX;
		if (at != SIZE_MAX) {
			r.end = ops_text(t, OPS_OP_CODE, rows[at]);
			r.to = at;
		}
	}
	return r;
}

static struct part choose_part(struct calls *c, const uint32_t *rows, const struct row_kinds *kinds,
			       struct part whole, const struct call_options *o)
{
	struct part p = part_by_signposts(&c->times, rows, whole, o);
	bool asked = o->start_signpost || o->end_signpost;

	/* a small last part was not what somebody marked: what repeats, with all its signposts, is a better one than all of it */
	if (!asked && (p.small || !p.start.len) && c->table->files.len == 1 && !o->process &&
	    steady_find(&c->steady, &c->times, kinds, rows)) {
		c->is_steady = true;
		p.from = c->steady.from;
		p.to = c->steady.to;
		p.start = str_n("", 0);
	}
	c->start_missing |= p.no_start;
	c->end_missing |= p.no_end;
	c->small_last |= p.small;
	if (p.end.len)
		c->end = p.end;
	return p;
}

/* The rows of one file that are in its part, to the front. */
static size_t keep_part(struct calls *c, uint32_t *rows, size_t kept, struct part whole,
			struct part p)
{
	for (size_t i = whole.from; i < whole.to; i++)
		if (i >= p.from && i < p.to)
			rows[kept++] = rows[i];
		else
			c->left_out_rows += ops_row_is(c->table, rows[i], OPS_ROW_DEVICE_OP);
	return kept;
}

/* The same where rows say whose they are. */
static size_t keep_processes(struct calls *c, uint32_t *rows, size_t kept, struct part *p,
			     const struct row_kinds *kinds, const struct call_options *o)
{
	SCOPED(mem) bool *keep = mem_zero(c->table->rows + 1, sizeof(*keep));
	struct part whole = *p;

	for (size_t i = whole.from; i < whole.to; i++)
		keep[rows[i]] = !o->process || row_process(c->table, rows[i]) == o->process;
	if (!parts_by_process(c, rows, whole, o, keep) && !o->whole_file) {
		*p = choose_part(c, rows, kinds, whole, o);
		for (size_t i = whole.from; i < whole.to; i++)
			keep[rows[i]] &= i >= p->from && i < p->to;
	}
	for (size_t i = whole.from; i < whole.to; i++)
		if (keep[rows[i]])
			rows[kept++] = rows[i];
		else if (!o->process || row_process(c->table, rows[i]) == o->process)
			c->left_out_rows += ops_row_is(c->table, rows[i], OPS_ROW_DEVICE_OP);
	return kept;
}

/* Rows of devices in a range do the same as those of another one: as many, of the same kinds, in the same order. */
static bool same_ops(const struct ops_table *t, const struct row_kinds *kinds, const uint32_t *rows,
		     struct part a, struct part b)
{
	size_t i = a.from, k = b.from;

	for (;; i++, k++) {
		while (i < a.to && !ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP))
			i++;
		while (k < b.to && !ops_row_is(t, rows[k], OPS_ROW_DEVICE_OP))
			k++;
		if (i == a.to || k == b.to)
			return i == a.to && k == b.to;
		if (kinds->of_row[rows[i]] != kinds->of_row[rows[k]])
			return false;
	}
}

/* Gaps between the ops of a range, without what first calls of programs waited. */
static double gaps_in(const struct row_times *x, const uint32_t *rows, const uint16_t *flags,
		      struct part p)
{
	const struct ops_table *t = x->table;
	double sum = 0, ns;
	bool any = false;

	for (size_t i = p.from; i < p.to; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP))
			continue;
		if (any && !(flags[rows[i]] & (CALL_OPENS | CALL_CACHE_MISS)) &&
		    row_ns(x, OPS_GAP, rows[i], &ns) && ns > 0)
			sum += ns;
		any = true;
	}
	return sum;
}

/* On one device: what others do at the same time is not waited for once more. */
static void sum_set_up(struct calls *c, const uint32_t *rows, const uint16_t *flags, size_t from,
		       size_t to)
{
	const struct ops_table *t = c->table;
	int64_t first = -1, device = -1;
	double ns;

	for (size_t i = from; i < to; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP) || flags[rows[i]] & CALL_REPLAY)
			continue;
		(void)row_device(t, rows[i], &device);
		if (!c->set_up.ops)
			first = device;
		if (device != first)
			continue;
		if (c->set_up.ops++ && row_ns(&c->times, OPS_GAP, rows[i], &ns) && ns > 0) {
			c->set_up.gap_ns += ns;
			c->set_up.build_ns +=
				flags[rows[i]] & (CALL_OPENS | CALL_CACHE_MISS) ? ns : 0;
		}
	}
}

/*
 * Other parts of the run that do the same: one of them may wait where this one and the others do not.  The first is the warm-up.
 */
static void look_at_others(struct calls *c, const uint32_t *rows, const struct row_kinds *kinds,
			   const uint16_t *flags, struct part whole, struct part p)
{
	enum { EXCEPTION_TIMES = 5 };
	const struct ops_table *t = c->table;
	struct part part = { 0 }, most = { 0 };
	double longest = 0, second = 0, gaps;
	uint32_t alike = 0;

	for (size_t i = whole.from; i < p.from; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_SIGNPOST))
			continue;
		part.to = i;
		if (part.start.len && same_ops(t, kinds, rows, part, p) && alike++) {
			gaps = gaps_in(&c->times, rows, flags, part);
			second = gaps > longest ? longest : gaps > second ? gaps : second;
			most = gaps > longest ? part : most;
			longest = gaps > longest ? gaps : longest;
		}
		part = (struct part){ .from = i + 1, .start = ops_text(t, OPS_OP_CODE, rows[i]) };
	}
	if (alike < 3 || longest < EXCEPTION_TIMES * second)
		return;
	c->other.name = most.start;
	c->other.gap_ns = longest;
	c->other.rows = (uint32_t)(most.to - most.from);
}

size_t choose_parts(struct calls *c, uint32_t *rows, const struct row_kinds *kinds,
		    const uint16_t *flags, const struct call_options *o, part_vec *parts)
{
	size_t kept = 0;

	vec_each (f, &c->table->files) {
		struct part whole = { .from = f->first_row, .to = f->first_row + f->rows };
		struct part p = whole;
		size_t from = kept;

		if (c->table->column[OPS_PROCESS].kind) {
			kept = keep_processes(c, rows, kept, &p, kinds, o);
		} else {
			if (!o->whole_file)
				p = choose_part(c, rows, kinds, whole, o);
			if (p.start.len && f == c->table->files.at)
				sum_set_up(c, rows, flags, whole.from, p.from);
			if (p.start.len && !o->start_signpost)
				look_at_others(c, rows, kinds, flags, whole, p);
			kept = keep_part(c, rows, kept, whole, p);
		}
		if (!c->start.len)
			c->start = p.start;
		*vec_push(parts) = (struct part){ .from = from, .to = kept, .start = p.start };
	}
	return kept;
}
