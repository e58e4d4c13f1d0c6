// SPDX-License-Identifier: Apache-2.0
/*
 * `ttprof export`: the same columns in every generation, quoted as CSV asks for, in an order that stays: source locations by
 * time, rows by track and time.  JSON has one object per row, with the same names.
 */
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "export/rows.h"

/* One row at a time, as CSV or as JSON. */
struct writer {
	struct export_data *d;
	struct buf *to; /* the line, or a part of it that many rows share */
	const char *const *names;
	size_t column;
	struct str sep;
	bool is_json, started;
};

/* Bytes that may make a cell of CSV one that is quoted. */
static bool needs_quotes(struct str s, struct str sep)
{
	char first = sep.len ? sep.at[0] : '"';

	for (size_t i = 0; i < s.len; i++) {
		char c = s.at[i];

		if (c == '"' || c == '\n' || c == '\r' || !c)
			return true;
		if (c == first && str_starts(str_from(s, i), sep))
			return true;
	}
	return false;
}

static void separate(struct writer *w)
{
	if (w->column++)
		buf_str(w->to, w->is_json ? STR(",") : w->sep);
	if (w->is_json) {
		json_quote(w->to, str_of(w->names[w->column - 1]));
		buf_char(w->to, ':');
	}
}

static void cell_text(struct writer *w, struct str s)
{
	separate(w);
	if (w->is_json) {
		json_quote(w->to, s);
		return;
	}
	if (!s.len)
		return;
	if (!needs_quotes(s, w->sep)) {
		buf_str(w->to, s);
		return;
	}
	buf_char(w->to, '"');
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '"')
			buf_char(w->to, '"');
		if (s.at[i])
			buf_char(w->to, s.at[i]);
		else /* readers of CSV take a NUL for the end, or for damage */
			buf_text(w->to, "\u2400");
	}
	buf_char(w->to, '"');
}

static void cell_i64(struct writer *w, int64_t v)
{
	separate(w);
	buf_add_i64(w->to, v);
}

/* Decimals, or SHORTEST: the fewest digits that are this number. */
enum { SHORTEST = -1 };

static void cell_double(struct writer *w, double v, int decimals)
{
	separate(w);
	if (!isfinite(v))
		buf_text(w->to, w->is_json ? "null" : "");
	else if (decimals == SHORTEST)
		number_shortest(w->to, v);
	else
		buf_printf(w->to, "%.*f", decimals, v);
}

/* Cells that were made before, `columns` of them. */
static void cells_again(struct writer *w, struct str cells, size_t columns)
{
	buf_str(w->to, cells);
	w->column += columns;
}

#define COUNT(names) sizeof(names) / sizeof(*(names))

static void begin_rows(struct writer *w, const char *const *names, size_t n)
{
	w->names = names;
	if (w->is_json) {
		buf_char(w->to, '[');
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(w->to, w->sep);
		buf_text(w->to, names[i]);
	}
	buf_char(w->to, '\n');
}

static void begin_row(struct writer *w)
{
	w->column = 0;
	if (w->is_json)
		buf_text(w->to, w->started ? ",\n{" : "\n{");
	w->started = true;
}

static void end_row(struct writer *w)
{
	buf_text(w->to, w->is_json ? "}" : "\n");
	line_flush(w->d, false);
}

static void program_cell(struct writer *w, uint32_t process)
{
	SCOPED(buf) struct buf b = { 0 };

	if (process < w->d->t->processes.len) {
		buf_str(&b, w->d->t->processes.at[process].program);
		buf_printf(&b, "[%llu]", (unsigned long long)w->d->t->processes.at[process].pid);
	}
	cell_text(w, buf_view(&b));
}

static void place_cells(struct writer *w, uint32_t n)
{
	const struct trace_loc *l = trace_loc_at(w->d->t, n);

	cell_text(w, trace_loc_name(w->d->t, n));
	cell_text(w, trace_str(w->d->t, l->file));
	cell_i64(w, l->line);
}

static void summary(struct writer *w)
{
	/* the last two only where they are asked for */
	static const char *const names[] = { "name",          "file",
					     "line",          "calls",
					     "total_ns",      "percent",
					     "mean_ns",       "min_ns",
					     "max_ns",        "std_ns",
					     "function",      "program",
					     "percentile_ns", "truncated_mean_ns" };
	struct export_data *d = w->d;

	begin_rows(w, names, COUNT(names) - (d->q->percentile ? 0 : 2));
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];
		const struct zone_stats *s = &p->stats;
		int64_t total = d->q->self ? s->self_total_ns : s->once_ns;
		int64_t all = d->q->self ? s->self_total_ns : s->total_ns;
		double mean = (double)s->total_ns / (double)s->count;
		double squares = s->sum_squares - (double)s->count * mean * mean;

		begin_row(w);
		place_cells(w, *n);
		cell_i64(w, (int64_t)s->count);
		cell_i64(w, total);
		cell_double(w, 100.0 * (double)total / (double)d->t->last_ns, 6);
		cell_double(w, (double)all / (double)s->count, 1);
		cell_i64(w, d->q->self ? s->self_min_ns : s->min_ns);
		cell_i64(w, d->q->self ? s->self_max_ns : s->max_ns);
		cell_double(
			w, s->count > 1 && squares > 0 ? sqrt(squares / (double)(s->count - 1)) : 0,
			1);
		cell_text(w, trace_str(d->t, trace_loc_at(d->t, *n)->function));
		program_cell(w, trace_loc_at(d->t, *n)->process);
		if (d->q->percentile) {
			int64_t made[2];

			truncated_mean(d, p, made);
			cell_i64(w, made[0]);
			cell_i64(w, made[1]);
		}
		end_row(w);
	}
}

static void zones(struct writer *w)
{
	static const char *const names[] = {
		"name",     "file",    "line",   "zone_name", "text",
		"start_ns", "time_ns", "thread", "tid",       "special_parent_text"
	};
	struct export_data *d = w->d;
	SCOPED(buf) struct buf thread = { 0 }, place = { 0 }, track = { 0 };

	begin_rows(w, names, COUNT(names));
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];

		/* What rows share is made once. */
		buf_clear(&place);
		w->to = &place;
		w->column = 0;
		place_cells(w, *n);
		for (size_t g = 0; g < p->groups.len; g++) {
			const struct zone_group *group = &d->zones.groups.at[p->groups.at[g]];
			struct zone_rows i;
			struct zone_row row;

			buf_clear(&thread);
			trace_track_name(d->t, group->track, &thread);
			buf_clear(&track);
			w->to = &track;
			w->column = 7;
			cell_text(w, buf_view(&thread));
			cell_i64(w, (int64_t)d->t->tracks.at[group->track].tid);
			w->to = &d->line;
			zone_rows_of(&i, &d->zones, group);
			while (zone_rows_next(&i, &row)) {
				begin_row(w);
				cells_again(w, buf_view(&place), 3);
				cell_text(w, row.flags & ZONE_ROW_NAME ? row.name : STR(""));
				cell_text(w, row.flags & ZONE_ROW_TEXT ? row.text : STR(""));
				cell_i64(w, row.start_ns);
				cell_i64(w, row.exec_ns);
				cells_again(w, buf_view(&track), 2);
				cell_text(w, row.flags & ZONE_ROW_PARENT && row.parent.at
						     ? row.parent
						     : STR(""));
				end_row(w);
			}
			zone_rows_end(&i);
		}
		w->to = &d->line;
	}
}

static void messages(struct writer *w)
{
	static const char *const names[] = { "text", "time_ns", "thread" };
	SCOPED(buf) struct buf thread = { 0 };
	struct message_rows i;
	struct zone_message m;

	begin_rows(w, names, COUNT(names));
	message_rows_of(&i, w->d);
	while (message_rows_next(&i, &m)) {
		begin_row(w);
		buf_clear(&thread);
		trace_track_name(w->d->t, m.track, &thread);
		cell_text(w, m.text);
		cell_i64(w, m.time_ns);
		cell_text(w, buf_view(&thread));
		end_row(w);
	}
	message_rows_end(&i);
}

static void device(struct writer *w)
{
	static const char *const names[] = { "name", "file",     "line",    "context",
					     "lane", "start_ns", "time_ns", "function" };
	struct export_data *d = w->d;
	SCOPED(buf) struct buf context = { 0 };

	begin_rows(w, names, COUNT(names));
	vec_each (n, &d->order) {
		struct zone_rows i;
		struct zone_row row;

		zone_rows_of_device(&i, &d->zones, &d->zones.places.at[*n]);
		while (zone_rows_next_device(&i, &row)) {
			const struct trace_track *k = &d->t->tracks.at[i.lane];

			begin_row(w);
			place_cells(w, *n);
			buf_clear(&context);
			trace_context_name(d->t, k->context, &context);
			cell_text(w, buf_view(&context));
			cell_i64(w, (int64_t)k->tid);
			cell_i64(w, row.start_ns);
			cell_i64(w, row.exec_ns);
			cell_text(w, trace_str(d->t, trace_loc_at(d->t, *n)->function));
			end_row(w);
		}
		zone_rows_end(&i);
	}
}

static void plot_row(struct writer *w, struct str name, int64_t ns, double v, uint32_t process)
{
	begin_row(w);
	cell_text(w, name);
	cell_i64(w, ns);
	cell_double(w, v, SHORTEST);
	program_cell(w, process);
	end_row(w);
}

static void memory_point(void *ctx, const struct export_memory *m, int64_t ns, double v)
{
	struct writer *w = ctx;

	plot_row(w, m->pool == TRACE_NONE ? STR("memory") : trace_str(w->d->t, m->pool), ns, v,
		 m->process);
}

static void plots(struct writer *w)
{
	static const char *const names[] = { "plot", "time_ns", "value", "program" };
	struct export_data *d = w->d;

	begin_rows(w, names, COUNT(names));
	vec_each (p, &d->points) {
		const struct trace_plot *k = &d->t->plots.at[p->plot];

		plot_row(w,
			 k->name == TRACE_NONE ? k->type == 2 ? STR("CPU usage") : STR("plot")
					       : trace_str(d->t, k->name),
			 p->time_ns, p->value, k->process);
	}
	memory_plots(d, false, memory_point, w);
}

void ours_write(struct export_data *d)
{
	static void (*const writers[])(struct writer * w) = {
		[EXPORT_SUMMARY] = summary, [EXPORT_ZONES] = zones, [EXPORT_MESSAGES] = messages,
		[EXPORT_DEVICE] = device,   [EXPORT_PLOTS] = plots,
	};
	struct writer w = {
		.d = d, .to = &d->line, .sep = str_of(d->q->separator), .is_json = d->q->json
	};

	writers[d->q->what](&w);
	if (w.is_json)
		buf_text(&d->line, "\n]\n");
}
