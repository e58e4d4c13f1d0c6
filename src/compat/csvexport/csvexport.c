// SPDX-License-Identifier: Apache-2.0
/*
 * What csvexport prints, by generation, to the byte: no escaping, cells that stick to the rows after them, a deviation
 * that mixes full and own times.  Order of source locations is the file's; the originals' is that of a hash map.  Frozen.
 */
#include <math.h>
#include <stdio.h>

#include "compat/csvexport/csvexport.h"
#include "export/rows.h"

/* Names with commas between them, which here are what was asked for. */
static void header(struct export_data *d, struct str names)
{
	struct str name;

	for (bool any = false; str_split(&names, ',', &name); any = true) {
		buf_text(&d->line, any ? d->q->separator : "");
		buf_str(&d->line, name);
	}
	buf_char(&d->line, '\n');
}

/* The original prints texts up to a NUL. */
static struct str printed(struct str s)
{
	return s.len ? str_n(s.at, strnlen(s.at, s.len)) : s;
}

/* Cells that another one follows. */
static void text_cell(struct export_data *d, struct buf *to, struct str s)
{
	buf_str(to, printed(s));
	buf_text(to, d->q->separator);
}

static void place_cells(struct export_data *d, struct buf *to, uint32_t n)
{
	text_cell(d, to, trace_loc_name(d->t, n));
	text_cell(d, to, trace_str(d->t, trace_loc_at(d->t, n)->file));
}

static void end_line(struct export_data *d)
{
	buf_char(&d->line, '\n');
	line_flush(d, false);
}

static void write_summary(struct export_data *d)
{
#define SUMMARY "name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns"
	const char *sep = d->q->separator;

	header(d,
	       d->q->percentile ? STR(SUMMARY ",percentile_ns,truncated_mean_ns") : STR(SUMMARY));
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];
		const struct zone_stats *s = &p->stats;
		const struct trace_loc *l = trace_loc_at(d->t, *n);
		int64_t time = d->q->self ? s->self_total_ns : s->total_ns;
		uint64_t mean = (uint64_t)time / s->count; /* the original divides without sign */
		double squares = s->sum_squares - 2. * (double)s->total_ns * (double)mean +
				 (double)(mean * mean * s->count);
		double deviation = s->count > 1 ? sqrt(squares / (double)(s->count - 1)) : 0;

		place_cells(d, &d->line, *n);
		buf_printf(&d->line, "%u%s%lld%s%f%s%llu%s%llu%s%lld%s%lld%s%f", l->line, sep,
			   (long long)time, sep, 100. * (double)time / (double)d->t->last_ns, sep,
			   (unsigned long long)s->count, sep, (unsigned long long)mean, sep,
			   (long long)(d->q->self ? s->self_min_ns : s->min_ns), sep,
			   (long long)(d->q->self ? s->self_max_ns : s->max_ns), sep, deviation);
		if (d->q->percentile) {
			int64_t made[2];

			truncated_mean(d, p, made);
			buf_printf(&d->line, "%s%lld%s%lld", sep, (long long)made[0], sep,
				   (long long)made[1]);
		}
		end_line(d);
	}
}

/* Cells that keep their text until another row of the source location has one. */
struct sticky {
	struct buf name, text, parent;
	bool quoted;
};

static void replace(struct buf *b, struct str s)
{
	buf_set_str(b, printed(s));
}

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

	buf_str(&d->line, printed(name));
	if (d->q->style == &csvexport_upstream)
		buf_printf(&d->line, "%s%s%s%lld%s%s%s%f\n", sep, sep, sep, (long long)ns, sep, sep,
			   sep, v);
	else /* upstream's cells under other columns: the time stands in zone_name, the value in exec_time_ns */
		buf_printf(&d->line, "%s%s%s%lld%s%s%s%f%s%s%s\n", sep, sep, sep, (long long)ns,
			   sep, sep, sep, v, sep, sep, sep);
	line_flush(d, false);
}

static void memory_line(void *ctx, const struct export_memory *m, int64_t ns, double v)
{
	struct export_data *d = ctx;

	plot_line(d, m->pool == TRACE_NONE ? STR("Frame") : trace_str(d->t, m->pool), ns, v);
}

static void plots(struct export_data *d)
{
	memory_plots(d, true, memory_line, d);
	vec_each (p, &d->points) {
		const struct trace_plot *k = &d->t->plots.at[p->plot];

		plot_line(d, k->name == TRACE_NONE ? STR("Frame") : trace_str(d->t, k->name),
			  p->time_ns, p->value);
	}
}

static void write_zones(struct export_data *d)
{
#define TT_ZONES "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,"
	const struct export_style *style = d->q->style;
	struct str sep = str_of(d->q->separator);
	struct sticky k = { 0 };
	SCOPED(buf) struct buf head = { 0 };

	header(d, style == &csvexport_tt_0_10 ? STR(TT_ZONES "special_parent_text")
		  : style == &csvexport_tt_0_12
			  ? STR(TT_ZONES "value,special_parent_text")
			  : STR("name,src_file,src_line,ns_since_start,exec_time_ns,thread,value"));
	vec_each (n, &d->order) {
		const struct zone_place *p = &d->zones.places.at[*n];

		buf_clear(&head);
		place_cells(d, &head, *n);
		buf_add_u64(&head, trace_loc_at(d->t, *n)->line);
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
				if (row.flags & ZONE_ROW_NAME)
					replace(&k.name, row.name);
				if (row.flags & ZONE_ROW_TEXT) {
					replace(&k.text, row.text);
					k.quoted = true;
				}
				if (row.flags & ZONE_ROW_PARENT && row.parent.at)
					replace(&k.parent, row.parent);
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
				buf_add_i64(&d->line, row.start_ns);
				buf_str(&d->line, sep);
				buf_add_i64(&d->line, row.exec_ns);
				buf_str(&d->line, sep);
				buf_add_u64(&d->line, thread);
				if (style != &csvexport_tt_0_10) {
					buf_str(&d->line, sep);
					buf_str(&d->line, buf_view(&k.text));
				}
				if (style != &csvexport_upstream) {
					buf_str(&d->line, sep);
					buf_str(&d->line, buf_view(&k.parent));
				}
				end_line(d);
			}
			zone_rows_end(&i);
		}
	}
	if (d->q->plots)
		plots(d);
	RELEASE(buf, &k.name, &k.text, &k.parent);
}

static void write_messages(struct export_data *d)
{
	struct message_rows i;
	struct zone_message m;

	if (!d->messages.len) {
		buf_text(&d->line, "There are currently no messages!\n");
		return;
	}
	header(d, STR("MessageName,total_ns"));
	message_rows_of(&i, d);
	while (message_rows_next(&i, &m)) {
		text_cell(d, &d->line, m.text);
		buf_add_i64(&d->line, m.time_ns);
		end_line(d);
	}
	message_rows_end(&i);
}

static void write_device(struct export_data *d)
{
	header(d, STR("name,src_file,Time from start of program,GPU execution time"));
	vec_each (n, &d->order) {
		struct zone_rows i;
		struct zone_row row;

		zone_rows_of_device(&i, &d->zones, &d->zones.places.at[*n]);
		while (zone_rows_next_device(&i, &row)) {
			place_cells(d, &d->line, *n);
			buf_add_i64(&d->line, row.start_ns);
			buf_text(&d->line, d->q->separator);
			buf_add_i64(&d->line, row.exec_ns);
			end_line(d);
		}
		zone_rows_end(&i);
	}
}

#define WRITERS                                                                    \
	{                                                                          \
		[EXPORT_SUMMARY] = write_summary, [EXPORT_ZONES] = write_zones,    \
		[EXPORT_MESSAGES] = write_messages, [EXPORT_DEVICE] = write_device \
	}
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
