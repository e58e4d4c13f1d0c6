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

/* NAME … NAME_END: somebody has marked just this, however small it is. */
static bool is_bracket(const struct ops_table *t, const uint32_t *rows, struct part in, size_t at)
{
	struct str name = ops_text(t, OPS_OP_CODE, rows[at]), next;

	for (size_t i = at + 1; i < in.to; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_SIGNPOST))
			continue;
		next = ops_text(t, OPS_OP_CODE, rows[i]);
		return str_starts(next, name) &&
		       str_has_nocase(str_from(next, name.len), STR("end"));
	}
	return false;
}

/* Percent of the device time behind a row. */
static double percent_behind(const struct ops_table *t, const uint32_t *rows, struct part in,
			     size_t at)
{
	double all = 0, behind = 0, ns;

	for (size_t i = in.from; i < in.to; i++)
		if (ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP) &&
		    ops_real(t, OPS_DURATION, rows[i], &ns) && ns > 0) {
			all += ns;
			behind += i > at ? ns : 0;
		}
	return all > 0 ? 100 * behind / all : 100;
}

/* It ends a run rather than opens what counts. */
static bool is_small(const struct ops_table *t, const uint32_t *rows, struct part in, size_t at)
{
	return !is_bracket(t, rows, in, at) && percent_behind(t, rows, in, at) < SMALL_PERCENT;
}

/*
 * Signposts all over a run: what lies before the first is its set-up, if it is the smaller part of the device time.  SIZE_MAX: nothing does.
 */
static size_t first_signpost(const struct ops_table *t, const uint32_t *rows, struct part in)
{
	bool ops = false;

	for (size_t i = in.from; i < in.to; i++) {
		ops |= ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP);
		if (ops_row_is(t, rows[i], OPS_ROW_SIGNPOST))
			return ops && percent_behind(t, rows, in, i) > 100 - SETUP_PERCENT
				       ? i
				       : SIZE_MAX;
	}
	return SIZE_MAX;
}

static struct part choose_part(struct calls *c, const uint32_t *rows, const struct row_kinds *kinds,
			       struct part r, const struct call_options *o)
{
	const struct ops_table *t = c->table;
	size_t at = SIZE_MAX;

	if (o->whole_file)
		return r;
	if (o->start_signpost) {
		at = find_signpost(t, rows, r, o->start_signpost);
		c->start_missing |= at == SIZE_MAX;
	} else if (!o->end_signpost) {
		at = last_signpost(t, rows, r);
		if (at != SIZE_MAX && is_small(t, rows, r, at)) {
			c->small_last = true;
			at = first_signpost(t, rows, r);
		} else if (at == SIZE_MAX && t->files.len == 1 &&
			   steady_find(&c->steady, t, kinds, rows)) {
			c->is_steady = true;
			r.from = c->steady.from;
			r.to = c->steady.to;
		}
	}
	if (at != SIZE_MAX) {
		r.start = ops_text(t, OPS_OP_CODE, rows[at]);
		r.from = at + 1;
	}
	if (o->end_signpost) {
		at = find_signpost(t, rows, r, o->end_signpost);
		c->end_missing |= at == SIZE_MAX;
		if (at != SIZE_MAX) {
			c->end = ops_text(t, OPS_OP_CODE, rows[at]);
			r.to = at;
		}
	}
	return r;
}

size_t choose_parts(struct calls *c, uint32_t *rows, const struct row_kinds *kinds,
		    const struct call_options *o, part_vec *parts)
{
	size_t kept = 0;

	vec_each (f, &c->table->files) {
		struct part whole = { f->first_row, f->first_row + f->rows, { 0 } };
		struct part p = choose_part(c, rows, kinds, whole, o);
		size_t from = kept;

		for (size_t i = whole.from; i < whole.to; i++)
			if (i >= p.from && i < p.to)
				rows[kept++] = rows[i];
			else
				c->left_out_rows +=
					ops_row_is(c->table, rows[i], OPS_ROW_DEVICE_OP);
		if (!c->start.len)
			c->start = p.start;
		*vec_push(parts) = (struct part){ from, kept, p.start };
	}
	return kept;
}
