// SPDX-License-Identifier: Apache-2.0
/*
 * `ttprof export`: the same columns in every generation, quoted as CSV asks for, in an order that stays: places by
 * time, rows by track and time.  JSON has one object per row, with the same names.
 */
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "export/rows.h"

/* One row at a time, as CSV or as JSON. */
struct writer {
	struct export_data *d;
	const char *const *names;
	size_t column;
	struct buf cell;
	struct json_writer json;
	bool is_json;
};

static void separate(struct writer *w)
{
	if (w->column++)
		buf_text(&w->d->line, w->is_json ? "," : w->d->q->separator);
	if (w->is_json) {
		json_quote(&w->d->line, str_of(w->names[w->column - 1]));
		buf_char(&w->d->line, ':');
	}
}

static void cell_text(struct writer *w, struct str s)
{
	struct str sep = str_of(w->d->q->separator);

	separate(w);
	if (w->is_json) {
		json_quote(&w->d->line, s);
		return;
	}
	if (str_find_char(s, '"') == STR_NONE && str_find_char(s, '\n') == STR_NONE &&
	    str_find_char(s, '\r') == STR_NONE && (!sep.len || !str_has(s, sep))) {
		buf_str(&w->d->line, s);
		return;
	}
	buf_char(&w->d->line, '"');
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '"')
			buf_char(&w->d->line, '"');
		buf_char(&w->d->line, s.at[i]);
	}
	buf_char(&w->d->line, '"');
}

static void cell_i64(struct writer *w, int64_t v)
{
	separate(w);
	line_i64(&w->d->line, v);
}

static void cell_double(struct writer *w, double v, int decimals)
{
	separate(w);
	if (!isfinite(v))
		buf_text(&w->d->line, w->is_json ? "null" : "");
	else
		buf_printf(&w->d->line, "%.*f", decimals, v);
}

static void begin_rows(struct writer *w, const char *const *names)
{
	w->names = names;
	if (w->is_json) {
		buf_char(&w->d->line, '[');
		return;
	}
	for (size_t i = 0; names[i]; i++) {
		if (i)
			buf_text(&w->d->line, w->d->q->separator);
		buf_text(&w->d->line, names[i]);
	}
	buf_char(&w->d->line, '\n');
}

static void begin_row(struct writer *w, bool first)
{
	w->column = 0;
	if (w->is_json)
		buf_text(&w->d->line, first ? "\n{" : ",\n{");
}

static void end_row(struct writer *w)
{
	buf_text(&w->d->line, w->is_json ? "}" : "\n");
	line_flush(w->d, false);
}

static void place_cells(struct writer *w, uint32_t n)
{
	const struct trace_loc *l = &w->d->t->locs.at[n];

	cell_text(w, trace_loc_name(w->d->t, n));
	cell_text(w, trace_str(w->d->t, l->file));
	cell_i64(w, l->line);
}

static void summary(struct writer *w)
{
	static const char *const names[] = { "name",     "file",    "line",     "calls",
					     "total_ns", "percent", "mean_ns",  "min_ns",
					     "max_ns",   "std_ns",  "function", NULL };
	struct export_data *d = w->d;
	bool first = true;

	begin_rows(w, names);
	vec_each (n, &d->order) {
		const struct zone_stats *s = &d->zones.places.at[*n].stats;
		int64_t total = d->q->self ? s->self_total_ns : s->total_ns;
		double mean = (double)s->total_ns / (double)s->count;
		double squares = s->sum_squares - (double)s->count * mean * mean;

		begin_row(w, first);
		first = false;
		place_cells(w, *n);
		cell_i64(w, (int64_t)s->count);
		cell_i64(w, total);
		cell_double(w, 100.0 * (double)total / (double)d->t->last_ns, 6);
		cell_double(w, (double)total / (double)s->count, 1);
		cell_i64(w, d->q->self ? s->self_min_ns : s->min_ns);
		cell_i64(w, d->q->self ? s->self_max_ns : s->max_ns);
		cell_double(
			w, s->count > 1 && squares > 0 ? sqrt(squares / (double)(s->count - 1)) : 0,
			1);
		cell_text(w, trace_str(d->t, d->t->locs.at[*n].function));
		end_row(w);
	}
}

static void zones(struct writer *w)
{
	static const char *const names[] = {
		"name",    "file",   "line", "zone_name",           "text", "start_ns",
		"time_ns", "thread", "tid",  "special_parent_text", NULL
	};
	struct export_data *d = w->d;
	struct buf thread = { 0 };
	bool first = true;

	begin_rows(w, names);
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];

		for (size_t g = 0; g < p->groups.len; g++) {
			const struct zone_group *group = &d->zones.groups.at[p->groups.at[g]];
			struct zone_rows i;
			struct zone_row row;

			buf_clear(&thread);
			trace_track_name(d->t, group->track, &thread);
			zone_rows_of(&i, &d->zones, group);
			while (zone_rows_next(&i, &row)) {
				begin_row(w, first);
				first = false;
				place_cells(w, *n);
				cell_text(w, row.flags & ZONE_ROW_NAME ? row.name : STR(""));
				cell_text(w, row.flags & ZONE_ROW_TEXT ? row.text : STR(""));
				cell_i64(w, row.start_ns);
				cell_i64(w, row.exec_ns);
				cell_text(w, buf_view(&thread));
				cell_i64(w, (int64_t)d->t->tracks.at[group->track].tid);
				cell_text(w, row.flags & ZONE_ROW_PARENT && row.parent.at
						     ? row.parent
						     : STR(""));
				end_row(w);
			}
			zone_rows_end(&i);
		}
	}
	buf_release(&thread);
}

static void messages(struct writer *w)
{
	static const char *const names[] = { "text", "time_ns", "thread", NULL };
	struct buf thread = { 0 };
	bool first = true;

	begin_rows(w, names);
	vec_each (m, &w->d->messages) {
		begin_row(w, first);
		first = false;
		buf_clear(&thread);
		trace_track_name(w->d->t, m->track, &thread);
		cell_text(w, m->text);
		cell_i64(w, m->time_ns);
		cell_text(w, buf_view(&thread));
		end_row(w);
	}
	buf_release(&thread);
}

static void device(struct writer *w)
{
	static const char *const names[] = { "name",     "file",    "line",     "context", "lane",
					     "start_ns", "time_ns", "function", NULL };
	struct export_data *d = w->d;
	bool first = true;

	begin_rows(w, names);
	vec_each (n, &d->order) {
		struct zone_rows i;
		struct zone_row row;

		zone_rows_of_device(&i, &d->zones, &d->zones.places.at[*n]);
		while (zone_rows_next_device(&i, &row)) {
			const struct trace_track *k = &d->t->tracks.at[i.lane];

			begin_row(w, first);
			first = false;
			place_cells(w, *n);
			cell_text(w, k->context == TRACE_NONE
					     ? STR("")
					     : trace_str(d->t, d->t->contexts.at[k->context].name));
			cell_i64(w, (int64_t)k->tid);
			cell_i64(w, row.start_ns);
			cell_i64(w, row.exec_ns);
			cell_text(w, trace_str(d->t, d->t->locs.at[*n].function));
			end_row(w);
		}
		zone_rows_end(&i);
	}
}

static void write_all(struct export_data *d, bool is_json)
{
	struct writer w = { .d = d, .is_json = is_json };

	switch (d->q->what) {
	case EXPORT_SUMMARY:
		summary(&w);
		break;
	case EXPORT_ZONES:
		zones(&w);
		break;
	case EXPORT_MESSAGES:
		messages(&w);
		break;
	case EXPORT_DEVICE:
		device(&w);
		break;
	}
	if (is_json)
		buf_text(&d->line, "\n]\n");
}

void ours_csv(struct export_data *d)
{
	write_all(d, false);
}

void ours_json(struct export_data *d)
{
	write_all(d, true);
}
