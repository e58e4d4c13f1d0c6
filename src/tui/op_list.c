// SPDX-License-Identifier: Apache-2.0
#include "tui/op_list.h"

#include <stdlib.h>

#include "report/label.h"
#include "report/report_parse.h"

static const enum field gap_columns[] = { FIELD_ID,   FIELD_OP,    FIELD_GAP,
					  FIELD_TIME, FIELD_BOUND, FIELD_SECTION };

void op_list_init(struct op_list *l, const struct tui_source *source, bool gaps)
{
	*l = (struct op_list){
		.ops = source->ops,
		.ask = { .calls = { .host = source->host },
			 .each = gaps,
			 .no_markers = gaps,
			 .sort = gaps ? FIELD_GAP : FIELDS,
			 .columns = gaps ? gap_columns : NULL,
			 .column_count = gaps ? sizeof(gap_columns) / sizeof(*gap_columns) : 0,
			 .clock_note = source->clock_note },
	};
}

static void unmake(struct op_list *l)
{
	if (!l->made)
		return;
	listing_release(&l->listing);
	report_release(&l->report);
	l->made = false;
}

static void drop_filter(struct op_list *l)
{
	if (l->regex)
		regfree(l->regex);
	free(l->regex);
	l->ask.filter = l->regex = NULL;
}

void op_list_make(struct op_list *l, struct term term)
{
	unmake(l);
	l->ask.term = term;
	report_make(&l->report, l->ops, &l->ask);
	listing_make(&l->listing, &l->report);
	l->listing.table.rule = false;
	table_measure(&l->listing.table);
	l->made = true;
	if (l->at >= op_list_len(l))
		l->at = op_list_len(l) ? op_list_len(l) - 1 : 0;
}

void op_list_release(struct op_list *l)
{
	unmake(l);
	drop_filter(l);
	buf_release(&l->filter);
}

uint32_t op_list_id(const struct op_list *l)
{
	return op_list_len(l) ? listing_id(&l->listing, l->at) : 0;
}

void op_list_sort_next(struct op_list *l, bool back)
{
	const struct listing *shown = &l->listing;
	size_t n = shown->table.n, at = back ? 0 : n - 1;

	for (size_t i = 0; i < n; i++)
		if (shown->fields[i] == l->ask.sort)
			at = i;
	do /* by what is not on the screen nobody sees the order */
		at = (back ? at + n - 1 : at + 1) % n;
	while (!shown->table.shown[at] && shown->fields[at] != FIELD_ID);
	l->ask.sort = shown->fields[at];
	l->ask.ascending = false;
	l->at = 0;
}

void op_list_turn_round(struct op_list *l)
{
	l->ask.ascending = !l->ask.ascending;
	l->at = 0;
}

void op_list_toggle_each(struct op_list *l)
{
	l->ask.each = !l->ask.each;
	l->at = 0;
}

enum ttp_rc op_list_filter(struct op_list *l, const char *text, struct ttp_err *e)
{
	regex_t *regex = *text ? mem_zero(1, sizeof(*regex)) : NULL;
	struct report_options with = { 0 };
	enum ttp_rc rc = *text ? report_parse_filter(text, regex, &with, e) : TTP_OK;

	if (rc) {
		free(regex);
		return rc;
	}
	drop_filter(l);
	l->ask.filter = l->regex = regex;
	buf_set(&l->filter, "%s", text);
	l->at = 0;
	return TTP_OK;
}

/* Colours are taken out: the chosen line has its own. */
static void add_plain(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.at[i] == '\033')
			while (i + 1 < s.len && s.at[i] != 'm')
				i++;
		else
			buf_char(to, s.at[i]);
}

static void add_chosen(struct buf *to, struct str line, size_t width)
{
	SCOPED(buf) struct buf plain = { 0 };
	size_t is;

	while (line.len && line.at[line.len - 1] == '\n')
		line.len--;
	add_plain(&plain, line);
	is = width_text(buf_view(&plain));
	buf_text(to, "\033[7m");
	buf_str(to, buf_view(&plain));
	buf_fill(to, ' ', is < width ? width - is : 0);
	buf_text(to, "\033[m\n");
}

void op_list_paint(struct op_list *l, size_t rows, struct buf *to)
{
	SCOPED(buf) struct buf line = { 0 };
	size_t seen = rows > 1 ? rows - 1 : 1;

	if (l->at < l->top)
		l->top = l->at;
	if (l->at >= l->top + seen)
		l->top = l->at - seen + 1;
	if (op_list_len(l))
		table_head(&l->listing.table, to);
	else
		buf_text(to, l->filter.len ? "no op has this in its name\n" : "no ops\n");
	for (size_t i = 0; i < seen; i++) {
		size_t row = l->top + i;

		buf_clear(&line);
		if (row < op_list_len(l))
			table_row(&l->listing.table, row, &line);
		else
			buf_char(&line, '\n');
		if (row == l->at && row < op_list_len(l))
			add_chosen(to, buf_view(&line), (size_t)l->ask.term.width);
		else
			buf_str(to, buf_view(&line));
	}
}

void op_list_where(const struct op_list *l, struct buf *to)
{
	const struct field_info *by = l->ask.sort == FIELDS ? NULL : &field_info[l->ask.sort];

	buf_printf(to, "%zu of %zu", op_list_len(l) ? l->at + 1 : 0, op_list_len(l));
	if (l->report.chosen_lines < l->report.chosen)
		buf_printf(to, " lines of %llu ops", (unsigned long long)l->report.chosen);
	buf_printf(to, ", by %s%s", by ? *by->head ? by->head : by->key : "share of time",
		   l->ask.ascending ? ", least first" : "");
	if (l->filter.len)
		buf_text(to, ", filter ");
	width_clean(to, buf_view(&l->filter));
}

/* The line's own call; of a folded line the slowest. */
static const struct call *chosen_call(const struct op_list *l)
{
	uint32_t id = op_list_id(l);

	vec_each (call, &l->report.calls.all)
		if (id && call->id == id)
			return call;
	return NULL;
}

void op_list_detail(const struct op_list *l, struct buf *to)
{
	const struct call *call = chosen_call(l);
	SCOPED(buf) struct buf advice = { 0 };
	struct str zone;
	double unused;

	if (!call)
		return;
	zone = call_gap_zone(&l->report.calls, call);
	if (l->ask.sort == FIELD_GAP && call->gap_ns > 0) {
		buf_text(to, "gap of ");
		label_ns(to, call->gap_ns);
		if (call->build_ns > 0) {
			buf_text(to, ", of it building ");
			label_ns(to, call->build_ns);
		}
		if (call->profiler_ns > 0) {
			buf_text(to, ", of it the profiler ");
			label_ns(to, call->profiler_ns);
		}
		if (zone.len)
			buf_text(to, "; the host was in ");
		width_clean(to, zone);
	} else if (report_field(&l->report, call, FIELD_ADVICE, &advice, &unused)) {
		width_clean(to, buf_view(&advice));
	}
}
