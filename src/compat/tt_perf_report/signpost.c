// SPDX-License-Identifier: Apache-2.0
/* Which rows the signposts leave. */
#include "compat/tt_perf_report/steps_of_run.h"

/* Rows are kept that stand between these two in the files, whatever their position in the order; but
 * the last signpost, if it decides, counts by its position in the order. */
struct window {
	size_t after_1,
		before; /* rows; 0 and SIZE_MAX: open ends.  after_1: one more than the row */
	size_t skip;    /* positions in the order */
};

static uint32_t id_of(const struct compat_run *r, struct str s)
{
	uint32_t id = intern_find(&r->t.strings, s);

	return id != INTERN_NONE && ops_string_missing(&r->t, id) ? INTERN_NONE : id;
}

static uint32_t code_of(const struct compat_run *r, uint32_t row)
{
	const uint32_t *codes = r->t.column[OPS_OP_CODE].text;

	return codes ? codes[row] : 0;
}

static bool is_signpost(const struct compat_run *r, uint32_t row, uint32_t signpost)
{
	const uint32_t *types = r->t.column[OPS_OP_TYPE].text;

	return types && types[row] == signpost;
}

/* Row of the n-th signpost of a name (0: the first), in the order of rows; *count of them all. */
static uint32_t find_signpost(const struct compat_run *r, uint32_t signpost, const char *name,
			      size_t n, size_t *count)
{
	uint32_t id = id_of(r, str_of(name)), found = 0;

	*count = 0;
	vec_each (row, &r->order)
		if (id != INTERN_NONE && is_signpost(r, *row, signpost) && code_of(r, *row) == id) {
			if (*count == n)
				found = *row;
			++*count;
		}
	return found;
}

/* The signpost that a side of the window is named after; where both have one name, the second ends it. */
static bool find_side(struct compat_run *r, uint32_t signpost, bool end, struct window *w)
{
	const char *start = r->args.start_signpost;
	const char *name = end ? r->args.end_signpost : start;
	bool second = end && name && start && !strcmp(name, start);
	size_t count;
	uint32_t row;

	if (!name)
		return false;
	row = find_signpost(r, signpost, name, second ? 1 : 0, &count);
	if (!count) {
		compat_say(r, COLOUR_YELLOW, "Specified %s signpost '%s' not found.",
			   end ? "ending" : "staring", name);
		return false;
	}
	compat_say(r, COLOUR_CYAN, "Using operations %s '%s'.", end ? "until" : "after", name);
	if (second && count < 2) {
		compat_say(
			r, COLOUR_YELLOW,
			"Not enough occurrences of signpost '%s' to apply to both start and end filters.",
			name);
		return false;
	}
	if (second && count > 2)
		compat_say(
			r, COLOUR_YELLOW,
			"Multiple occurrences of signpost '%s' found. Using the second occurrence for the end filter.",
			name);
	if (end)
		w->before = row;
	else
		w->after_1 = row + 1ul;
	return true;
}

/* The last signpost's name; but the window starts at the first row that is called so. */
static void use_last(struct compat_run *r, uint32_t signpost, struct window *w)
{
	SCOPED(buf) struct buf names = { 0 };
	uint32_t last = 0;

	vec_each (row, &r->order)
		if (is_signpost(r, *row, signpost)) {
			if (names.len)
				buf_text(&names, ", ");
			buf_str(&names, compat_op_code(r, *row));
			last = code_of(r, *row);
		}
	compat_say(r, COLOUR_CYAN, "Detected signposts: %.*s", STR_ARG(buf_view(&names)));
	compat_say(r, COLOUR_CYAN, "Using last signpost: %.*s for analysis.",
		   STR_ARG(ops_string(&r->t, last)));
	vec_each (row, &r->order)
		if (code_of(r, *row) == last) {
			w->skip = (size_t)(row - r->order.at) + 1;
			break;
		}
}

void compat_cut_at_signposts(struct compat_run *r)
{
	struct window w = { .before = SIZE_MAX };
	uint32_t signpost = id_of(r, STR("signpost"));
	bool any = false, start, end;
	size_t to = 0;

	if (r->args.ignore_signposts) {
		compat_say(r, COLOUR_CYAN,
			   "Ignoring all signposts. Using the entire file for analysis.");
		return;
	}
	vec_each (row, &r->order)
		any |= signpost != INTERN_NONE && is_signpost(r, *row, signpost);
	if (!any) {
		compat_say(r, COLOUR_YELLOW,
			   "No signposts found in the file. Using the entire file for analysis.");
		return;
	}
	start = find_side(r, signpost, false, &w);
	end = find_side(r, signpost, true, &w);
	if (!start && !end)
		use_last(r, signpost, &w);
	vec_each (row, &r->order)
		if ((size_t)(row - r->order.at) >= w.skip && *row >= w.after_1 && *row < w.before &&
		    (r->args.print_signposts || !is_signpost(r, *row, signpost)))
			r->order.at[to++] = *row;
	r->order.len = to;
}
