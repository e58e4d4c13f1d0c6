// SPDX-License-Identifier: Apache-2.0
#include "markers/counters/counter_values.h"

#include <stdlib.h>

#include "base/number.h"
#include "base/order.h"

static void skip_blanks(struct str *s)
{
	while (s->len && (s->at[0] == ' ' || s->at[0] == '\t'))
		*s = str_from(*s, 1);
}

/* A text in either kind of quotes; false when there is none. */
static bool read_quoted(struct str *s, struct str *out)
{
	size_t end;

	if (!s->len || (s->at[0] != '"' && s->at[0] != '\''))
		return false;
	end = str_find_char(str_from(*s, 1), s->at[0]);
	if (end == STR_NONE)
		return false;
	*out = str_n(s->at + 1, end);
	*s = str_from(*s, end + 2);
	return true;
}

static bool read_number(struct str *s, double *out)
{
	size_t n = 0;
	uint64_t v = 0;
	struct str text;

	while (n < s->len && n < 15 && (unsigned char)(s->at[n] - '0') < 10)
		v = v * 10 + (uint64_t)(s->at[n++] - '0');
	if (n && (n == s->len || s->at[n] == ';' || s->at[n] == '}' || s->at[n] == ',')) {
		*out = (double)v;
		*s = str_from(*s, n);
		return true;
	}
	for (n = 0; n < s->len && s->at[n] != ';' && s->at[n] != ',' && s->at[n] != '}';)
		n++;
	text = str_trim(str_head(*s, n));
	*s = str_from(*s, n);
	return number_double(text, out);
}

static bool read_pair(struct str *s, struct counter_sample *out)
{
	struct str key, text = STR("");
	double number = 0;

	if (!read_quoted(s, &key))
		return false;
	skip_blanks(s);
	if (!s->len || s->at[0] != ':')
		return false;
	*s = str_from(*s, 1);
	skip_blanks(s);
	if (!read_quoted(s, &text) && !read_number(s, &number))
		return false;
	if (str_eq(key, STR("value"))) {
		out->value = number;
	} else if (str_eq(key, STR("ref cnt"))) {
		out->reference = number;
	} else if (str_eq(key, STR("counter type"))) {
		out->name = text;
		out->type = number;
	}
	skip_blanks(s);
	return true;
}

bool counter_sample_read(struct str meta, struct counter_sample *out)
{
	struct str s = str_trim(meta);

	*out = (struct counter_sample){ .name = STR("") };
	if (s.len < 2 || s.at[0] != '{' || s.at[s.len - 1] != '}')
		return false;
	s = str_trim(str_n(s.at + 1, s.len - 2));
	if (!s.len)
		return true;
	for (;;) {
		if (!read_pair(&s, out))
			return false;
		if (!s.len)
			return true;
		if (s.at[0] != ';' && s.at[0] != ',')
			return false;
		s = str_from(s, 1);
		skip_blanks(&s);
	}
}

bool counter_sample_next(struct str *rest, struct counter_sample *out)
{
	/* what does not start as one can't be read, and then no other follows */
	while (rest->len && rest->at[0] == '{') {
		size_t end = str_find_char(*rest, '\n');
		struct str meta = str_trim(str_head(*rest, end));
		bool quoted = rest->at[-1] == '"'; /* a cell of a log has one before it */

		*rest = end == STR_NONE ? STR("") : str_from(*rest, end + 1);
		end = str_find_char(*rest, '{');
		*rest = end == STR_NONE ? STR("") : str_from(*rest, end);
		if (quoted && meta.len && meta.at[meta.len - 1] == '"')
			meta.len--; /* all of it stood in quotes */
		if (counter_sample_read(meta, out))
			return true;
	}
	return false;
}

bool counter_span_goes_on(const struct counter_span *s, struct str meta)
{
	enum { ROW_MAX = 512 };
	const char *end = s->at + s->len, *line;
	size_t gap;

	if (!s->len || !meta.len || s->at[0] != '{' || meta.at[0] != '{' || meta.at <= end)
		return false;
	gap = (size_t)(meta.at - end);
	if (gap > ROW_MAX || s->len > INT32_MAX)
		return false;
	/* what lies between is the head of one row */
	line = memchr(end, '\n', gap);
	return line && !memchr(line + 1, '\n', (size_t)(meta.at - line - 1)) &&
	       !memchr(end, '{', gap);
}

static int64_t session_of(const struct op_times *t, const struct counter_span *s)
{
	return t->replays.at[s->replay].session;
}

/* By device, run id and replay; the order of the originals' tables. */
static int compare_run(const struct op_times *t, const struct counter_span *s, uint32_t device,
		       uint64_t run_id, int64_t session)
{
	uint32_t d = t->places.at[s->core].device;
	int64_t own = session_of(t, s);

	if (d != device)
		return d < device ? -1 : 1;
	if (s->run_id != run_id)
		return s->run_id < run_id ? -1 : 1;
	return own < session ? -1 : own > session;
}

static int compare_spans(const struct op_times *t, const struct counter_span *l,
			 const struct counter_span *r)
{
	return compare_run(t, l, t->places.at[r->core].device, r->run_id, session_of(t, r));
}

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct op_times *t = ctx;
	const struct counter_span *l = a, *r = b;
	const struct device_core *x = &t->places.at[l->core], *y = &t->places.at[r->core];
	int c = compare_spans(t, l, r);

	if (c)
		return c;
	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return l->at < r->at ? -1 : l->at > r->at;
}

static int by_first_sample(const void *a, const void *b, void *ctx)
{
	const struct counter_span *l = a, *r = b;
	int c = compare_spans(ctx, l, r);

	if (c)
		return c;
	if (l->first_cycles != r->first_cycles)
		return l->first_cycles < r->first_cycles ? -1 : 1;
	return by_place(a, b, ctx);
}

static void sort_by(struct op_times *t, int (*order)(const void *, const void *, void *))
{
	if (t->counters.len)
		qsort_r(t->counters.at, t->counters.len, sizeof(*t->counters.at), order, t);
}

void counter_spans_sort(struct op_times *t, bool place)
{
	sort_by(t, by_place);
	if (place)
		return;
	/* spans of one core stay together: each has the time of the first */
	for (size_t i = 0, n; i < t->counters.len; i += n) {
		uint64_t first = t->counters.at[i].first_cycles;

		n = counter_spans_of_core(t, i);
		for (size_t k = 1; k < n; k++)
			if (t->counters.at[i + k].first_cycles < first)
				first = t->counters.at[i + k].first_cycles;
		for (size_t k = 0; k < n; k++)
			t->counters.at[i + k].first_cycles = first;
	}
	sort_by(t, by_first_sample);
}

size_t counter_spans_of_run(const struct op_times *t, size_t first)
{
	size_t n = 1;

	while (first + n < t->counters.len &&
	       !compare_spans(t, &t->counters.at[first], &t->counters.at[first + n]))
		n++;
	return n;
}

size_t counter_spans_of_core(const struct op_times *t, size_t first)
{
	size_t n = 1;

	while (first + n < t->counters.len &&
	       t->counters.at[first].core == t->counters.at[first + n].core &&
	       !compare_spans(t, &t->counters.at[first], &t->counters.at[first + n]))
		n++;
	return n;
}

size_t counter_spans_find(const struct op_times *t, uint32_t device, uint64_t run_id,
			  int64_t session)
{
	size_t lo = order_first(i, t->counters.len,
				compare_run(t, &t->counters.at[i], device, run_id, session) < 0);

	return lo < t->counters.len && !compare_run(t, &t->counters.at[lo], device, run_id, session)
		       ? lo
		       : SIZE_MAX;
}
