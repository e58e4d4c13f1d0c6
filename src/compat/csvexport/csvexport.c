// SPDX-License-Identifier: Apache-2.0
/*
 * What csvexport prints, by generation, to the byte: no escaping, cells that stick to the rows after them, a deviation
 * that mixes full and own times.  Order of source locations is the file's; the originals' is that of a hash map.  Frozen.
 */
#include <math.h>
#include <stdio.h>

#include "compat/csvexport/csvexport.h"
#include "export/rows.h"

static void header(struct export_data *d, const char *const *names)
{
	for (size_t i = 0; names[i]; i++) {
		if (i)
			buf_text(&d->line, d->q->separator);
		buf_text(&d->line, names[i]);
	}
	buf_char(&d->line, '\n');
}

static void write_summary(struct export_data *d)
{
	static const char *const names[] = { "name",       "src_file", "src_line", "total_ns",
					     "total_perc", "counts",   "mean_ns",  "min_ns",
					     "max_ns",     "std_ns",   NULL };
	static const char *const more[] = { "name",     "src_file",      "src_line",
					    "total_ns", "total_perc",    "counts",
					    "mean_ns",  "min_ns",        "max_ns",
					    "std_ns",   "percentile_ns", "truncated_mean_ns",
					    NULL };
	const char *sep = d->q->separator;

	header(d, d->q->percentile ? more : names);
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];
		const struct zone_stats *s = &p->stats;
		const struct trace_loc *l = trace_loc_at(d->t, *n);
		int64_t time = d->q->self ? s->self_total_ns : s->total_ns;
		uint64_t mean = (uint64_t)time / s->count; /* the original divides without sign */
		double squares = s->sum_squares - 2. * (double)s->total_ns * (double)mean +
				 (double)(mean * mean * s->count);
		double deviation = s->count > 1 ? sqrt(squares / (double)(s->count - 1)) : 0;

		buf_str(&d->line, trace_loc_name(d->t, *n));
		buf_text(&d->line, sep);
		buf_str(&d->line, trace_str(d->t, l->file));
		buf_printf(&d->line, "%s%u%s%lld%s%f%s%llu%s%llu%s%lld%s%lld%s%f", sep, l->line,
			   sep, (long long)time, sep, 100. * (double)time / (double)d->t->last_ns,
			   sep, (unsigned long long)s->count, sep, (unsigned long long)mean, sep,
			   (long long)(d->q->self ? s->self_min_ns : s->min_ns), sep,
			   (long long)(d->q->self ? s->self_max_ns : s->max_ns), sep, deviation);
		if (d->q->percentile) {
			int64_t made[2];

			truncated_mean(d, p, made);
			buf_printf(&d->line, "%s%lld%s%lld", sep, (long long)made[0], sep,
				   (long long)made[1]);
		}
		buf_char(&d->line, '\n');
		line_flush(d, false);
	}
}

/* Cells that keep their text until another row of the source location has one. */
struct sticky {
	struct buf name, text, parent;
	bool quoted;
};

static void forget(struct sticky *k)
{
	buf_clear(&k->name);
	buf_clear(&k->text);
	buf_clear(&k->parent);
	k->quoted = false;
}

static void plot_line(struct export_data *d, struct str name, int64_t ns, double v)
{
	const char *sep = d->q->separator;

	buf_str(&d->line, name);
	if (d->q->style == &csvexport_upstream)
		buf_printf(&d->line, "%s%s%s%lld%s%s%s%f\n", sep, sep, sep, (long long)ns, sep, sep,
			   sep, v);
	else /* upstream's cells under other columns: the time stands in zone_name, the value in exec_time_ns */
		buf_printf(&d->line, "%s%s%s%lld%s%s%s%f%s%s%s\n", sep, sep, sep, (long long)ns,
			   sep, sep, sep, v, sep, sep, sep);
	line_flush(d, false);
}

static void memory_line(struct export_data *d, const struct export_memory *m, int64_t ns, double v)
{
	plot_line(d, m->pool == TRACE_NONE ? STR("Frame") : trace_str(d->t, m->pool), ns, v);
}

static void plots(struct export_data *d)
{
	memory_plots(d, true, memory_line);
	vec_each (p, &d->points) {
		const struct trace_plot *k = &d->t->plots.at[p->plot];

		plot_line(d, k->name == TRACE_NONE ? STR("Frame") : trace_str(d->t, k->name),
			  p->time_ns, p->value);
	}
}

static void write_zones(struct export_data *d)
{
	static const char *const tt_0_10[] = {
		"name",           "src_file",     "src_line", "zone_name",           "zone_text",
		"ns_since_start", "exec_time_ns", "thread",   "special_parent_text", NULL
	};
	static const char *const tt_0_12[] = { "name",
					       "src_file",
					       "src_line",
					       "zone_name",
					       "zone_text",
					       "ns_since_start",
					       "exec_time_ns",
					       "thread",
					       "value",
					       "special_parent_text",
					       NULL };
	static const char *const upstream[] = { "name",         "src_file",
						"src_line",     "ns_since_start",
						"exec_time_ns", "thread",
						"value",        NULL };
	const struct export_style *style = d->q->style;
	struct str sep = str_of(d->q->separator);
	struct sticky k = { 0 };
	struct buf head = { 0 };

	header(d, style == &csvexport_tt_0_10   ? tt_0_10
		  : style == &csvexport_tt_0_12 ? tt_0_12
						: upstream);
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];
		const struct trace_loc *l = trace_loc_at(d->t, *n);

		buf_clear(&head);
		buf_str(&head, trace_loc_name(d->t, *n));
		buf_str(&head, sep);
		buf_str(&head, trace_str(d->t, l->file));
		buf_str(&head, sep);
		buf_printf(&head, "%u", l->line);
		buf_str(&head, sep);
		forget(&k);
		for (size_t g = 0; g < p->groups.len; g++) {
			const struct zone_group *group = &d->zones.groups.at[p->groups.at[g]];
			uint64_t thread = d->t->tracks.at[group->track].index & 0xFFFF;
			struct zone_rows i;
			struct zone_row row;

			zone_rows_of(&i, &d->zones, group);
			while (zone_rows_next(&i, &row)) {
				if (d->q->own_texts)
					forget(&k);
				if (row.flags & ZONE_ROW_NAME) {
					buf_clear(&k.name);
					buf_str(&k.name, row.name);
				}
				if (row.flags & ZONE_ROW_TEXT) {
					buf_clear(&k.text);
					buf_str(&k.text, row.text);
					k.quoted = true;
				}
				if (row.flags & ZONE_ROW_PARENT && row.parent.at) {
					buf_clear(&k.parent);
					buf_str(&k.parent, row.parent);
				}
				buf_str(&d->line, buf_view(&head));
				if (style != &csvexport_upstream) {
					buf_str(&d->line, buf_view(&k.name));
					buf_str(&d->line, sep);
					if (k.quoted) {
						buf_char(&d->line, '"');
						buf_str(&d->line, buf_view(&k.text));
						buf_char(&d->line, '"');
					}
					buf_str(&d->line, sep);
				}
				line_i64(&d->line, row.start_ns);
				buf_str(&d->line, sep);
				line_i64(&d->line, row.exec_ns);
				buf_str(&d->line, sep);
				line_u64(&d->line, thread);
				if (style != &csvexport_tt_0_10) {
					buf_str(&d->line, sep);
					buf_str(&d->line, buf_view(&k.text));
				}
				if (style != &csvexport_upstream) {
					buf_str(&d->line, sep);
					buf_str(&d->line, buf_view(&k.parent));
				}
				buf_char(&d->line, '\n');
				line_flush(d, false);
			}
			zone_rows_end(&i);
		}
	}
	if (d->q->plots)
		plots(d);
	buf_release(&head);
	buf_release(&k.name);
	buf_release(&k.text);
	buf_release(&k.parent);
}

static void write_messages(struct export_data *d)
{
	static const char *const names[] = { "MessageName", "total_ns", NULL };
	struct message_rows i;
	struct zone_message m;

	if (!d->messages.len) {
		buf_text(&d->line, "There are currently no messages!\n");
		return;
	}
	header(d, names);
	message_rows_of(&i, d);
	while (message_rows_next(&i, &m)) {
		buf_str(&d->line, m.text);
		buf_text(&d->line, d->q->separator);
		line_i64(&d->line, m.time_ns);
		buf_char(&d->line, '\n');
		line_flush(d, false);
	}
	message_rows_end(&i);
}

static void write_device(struct export_data *d)
{
	static const char *const names[] = { "name", "src_file", "Time from start of program",
					     "GPU execution time", NULL };

	header(d, names);
	vec_each (n, &d->order) {
		const struct trace_loc *l = trace_loc_at(d->t, *n);
		struct zone_rows i;
		struct zone_row row;

		zone_rows_of_device(&i, &d->zones, &d->zones.places.at[*n]);
		while (zone_rows_next_device(&i, &row)) {
			buf_str(&d->line, trace_loc_name(d->t, *n));
			buf_text(&d->line, d->q->separator);
			buf_str(&d->line, trace_str(d->t, l->file));
			buf_text(&d->line, d->q->separator);
			line_i64(&d->line, row.start_ns);
			buf_text(&d->line, d->q->separator);
			line_i64(&d->line, row.exec_ns);
			buf_char(&d->line, '\n');
			line_flush(d, false);
		}
		zone_rows_end(&i);
	}
}

#define WRITERS                                                                     \
	.summary = write_summary, .zones = write_zones, .messages = write_messages, \
	.device = write_device
const struct export_style csvexport_tt_0_10 = { "Tenstorrent's 0.10", WRITERS };
const struct export_style csvexport_tt_0_12 = { "Tenstorrent's 0.12", WRITERS };
const struct export_style csvexport_upstream = { "upstream", WRITERS };

const struct export_style *csvexport_of(const struct trace *t)
{
	uint32_t v = t->version;

	if (t->kind == TRACE_SPOOL) {
		const char *key = t->processes.len ? t->processes.at[0].key : "TT66";
		bool tt = !strncmp(key, "TT", 2);

		if (tt)
			return strcmp(key, "TT66") ? &csvexport_tt_0_12 : &csvexport_tt_0_10;
		return &csvexport_upstream;
	}
	if (v < TRACE_VERSION(0, 11, 0))
		return &csvexport_tt_0_10;
	/* 0.12.4 exists as Tenstorrent's branch only. */
	return v == TRACE_VERSION(0, 12, 4) ? &csvexport_tt_0_12 : &csvexport_upstream;
}
