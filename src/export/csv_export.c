// SPDX-License-Identifier: Apache-2.0
/* Collects what an export shows, sorts source locations, and hands both to the style. */
#include "export/csv_export.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "export/rows.h"

enum { LINE_ENOUGH = 64 << 10 };

/* Names come from programs: on a terminal none of their control characters does anything. */
static void disarm(struct buf *b)
{
	for (size_t i = 0; i < b->len; i++) {
		unsigned char c = (unsigned char)b->at[i];

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
			b->at[i] = '?';
		} else if (c == 0xC2 && i + 1 < b->len && (unsigned char)b->at[i + 1] >= 0x80 &&
			   (unsigned char)b->at[i + 1] < 0xA0) {
			b->at[i] = b->at[i + 1] = '?';
		}
	}
}

void line_flush(struct export_data *d, bool all)
{
	if (!all && d->line.len < LINE_ENOUGH)
		return;
	if (d->q->terminal)
		disarm(&d->line);
	out_buf(d->to, &d->line);
}

static bool contains(struct str s, struct str part, bool exact)
{
	return exact ? str_has(s, part) : str_has_nocase(s, part);
}

static void message(void *ctx, const struct trace_message *m)
{
	struct export_data *d = ctx;
	struct spill_store *store = &d->zones.store;

	/* csvexport shows all, whatever the filter. */
	if (!d->q->style && !contains(m->text, str_of(d->q->filter), d->q->case_sensitive))
		return;
	*vec_push(&d->messages) =
		(struct export_message){ .time_ns = m->time_ns, .at = spill_size(&d->message_log) };
	spill_room(store, &d->message_log, 16);
	spill_varint(&d->message_log, m->track);
	spill_varint(&d->message_log, m->text.len);
	spill_add(store, &d->message_log, m->text.at, m->text.len);
}

void message_rows_of(struct message_rows *i, struct export_data *d)
{
	*i = (struct message_rows){ .d = d };
	i->r = spill_read(&d->zones.store, &d->message_log);
}

bool message_rows_next(struct message_rows *i, struct zone_message *m)
{
	const uint8_t *text;
	size_t n;

	if (i->next == i->d->messages.len)
		return false;
	m->time_ns = i->d->messages.at[i->next].time_ns;
	if (!spill_seek(&i->r, i->d->messages.at[i->next++].at))
		return false;
	m->track = (uint32_t)spill_get_varint(&i->r);
	n = (size_t)spill_get_varint(&i->r);
	text = spill_take(&i->r, n);
	m->text = str_n((const char *)text, text ? n : 0);
	return !i->r.bad;
}

void message_rows_end(struct message_rows *i)
{
	spill_reader_release(&i->r);
}

/* Zones, plots and memory come by one sink, whose context is the table of zones: it is our first member. */
_Static_assert(offsetof(struct export_data, zones) == 0,
	       "a table of zones is cast to what holds it");

static void plot(void *ctx, uint32_t id, int64_t ns, double v)
{
	struct export_data *d = ctx;

	*vec_push(&d->points) = (struct zone_plot_point){ .plot = id, .time_ns = ns, .value = v };
}

static void memory(void *ctx, const struct trace_memory *m)
{
	struct export_data *d = ctx;

	*vec_push(&d->memory) = (struct export_memory){ m->process, m->pool, m->alloc_ns,
							(int64_t)(m->size & INT64_MAX) };
	if (m->free_ns != TRACE_OPEN)
		*vec_push(&d->memory) = (struct export_memory){ m->process, m->pool, m->free_ns,
								-(int64_t)(m->size & INT64_MAX) };
}

ORDER_BY(by_message_time, struct export_message, time_ns, at)

ORDER_BY(by_plot, struct zone_plot_point, plot, time_ns)

/* Frees first where times are the same. */
ORDER_BY(by_memory_time, struct export_memory, process, pool + 1, time_ns, change)

void memory_plots(struct export_data *d, bool started_with_zero, memory_point_fn *point, void *ctx)
{
	double used = 0;

	vec_sort(&d->memory, by_memory_time);
	for (size_t i = 0; i < d->memory.len; i++) {
		const struct export_memory *m = &d->memory.at[i];

		if (!i || m->pool != d->memory.at[i - 1].pool ||
		    m->process != d->memory.at[i - 1].process) {
			used = 0;
			if (started_with_zero)
				point(ctx, m, 0, 0);
		}
		used += (double)m->change;
		point(ctx, m, m->time_ns, used);
	}
}

void truncated_mean(struct export_data *d, const struct zone_place *p, int64_t out[2])
{
	SCOPED(vec) VEC(int64_t) times = { 0 };
	double rank;
	size_t lower;
	int64_t sum = 0, count = 0;
	double value;

	for (size_t g = 0; g < p->groups.len; g++) {
		struct zone_rows i;
		struct zone_row row;

		zone_rows_of(&i, &d->zones, &d->zones.groups.at[p->groups.at[g]]);
		while (zone_rows_next(&i, &row))
			*vec_push(&times) = row.exec_ns;
		zone_rows_end(&i);
	}
	out[0] = out[1] = 0;
	if (!times.len)
		return;
	vec_sort(&times, order_i64);
	rank = d->q->percentile / 100.0 * (double)(times.len - 1);
	lower = (size_t)rank;
	value = (double)times.at[lower];
	if (lower + 1 < times.len)
		value += (rank - (double)lower) *
			 ((double)times.at[lower + 1] - (double)times.at[lower]);
	out[0] = llround(value);
	vec_each (v, &times) {
		if ((double)*v <= value) {
			sum = ns_plus(sum, *v);
			count++;
		}
	}
	out[1] = count ? sum / count : 0;
}

static void choose(struct export_data *d)
{
	for (uint32_t i = 0; i < d->zones.places.len; i++) {
		const struct zone_place *p = &d->zones.places.at[i];
		const struct zone_stats *s = d->q->what == EXPORT_DEVICE ? &p->device : &p->stats;

		if ((s->total_ns || (s->count && !d->zones.want.over_0_ns)) &&
		    contains(trace_loc_name(d->t, i), str_of(d->q->filter), d->q->case_sensitive))
			*vec_push(&d->order) = i;
	}
}

static int by_total(const void *a, const void *b, void *in)
{
	const struct export_data *sorting = in;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct zone_place *p = &sorting->zones.places.at[x],
				*q = &sorting->zones.places.at[y];
	bool device = sorting->q->what == EXPORT_DEVICE, self = sorting->q->self;
	int64_t s = device ? p->device.total_ns : self ? p->stats.self_total_ns : p->stats.once_ns;
	int64_t t = device ? q->device.total_ns : self ? q->stats.self_total_ns : q->stats.once_ns;
	int c;

	if (s != t)
		return s > t ? -1 : 1;
	c = str_cmp(trace_loc_name(sorting->t, x), trace_loc_name(sorting->t, y));
	return c ? c : x < y ? -1 : x > y;
}

struct export_data *export_new(struct trace *t, const struct export_request *q,
			       struct trace_sink *sink)
{
	struct export_data *d = mem_zero(1, sizeof(*d));
	struct zone_want want = { /* the truncated mean needs every time */
				  .rows = q->what == EXPORT_ZONES || q->percentile,
				  .device_rows = q->what == EXPORT_DEVICE,
				  .self = q->self,
				  .over_0_ns = q->style && !q->own_texts,
				  .specials = str_of(q->specials ? q->specials : ""),
				  .parent = str_of(q->parent ? q->parent : "")
	};

	d->t = t;
	d->q = q;
	*sink = (struct trace_sink){ .ctx = d };
	zone_table_init(&d->zones, t, want);
	if (q->what == EXPORT_MESSAGES)
		sink->message = message;
	else if (q->what != EXPORT_PLOTS)
		zone_table_sink(&d->zones, sink);
	if (q->what == EXPORT_PLOTS || (q->what == EXPORT_ZONES && q->plots)) {
		sink->plot = plot;
		sink->memory = memory;
	}
	return d;
}

static void write_all(struct export_data *d)
{
	const struct export_request *q = d->q;

	vec_sort(&d->messages, by_message_time);
	vec_sort(&d->points, by_plot);
	choose(d);
	if (!q->style) {
		vec_sort_in(&d->order, by_total, d);
		ours_write(d);
	} else {
		/* none but ours has plots alone */
		q->style->write[q->what == EXPORT_PLOTS ? EXPORT_SUMMARY : q->what](d);
	}
	line_flush(d, true);
}

enum ttp_rc export_write(struct export_data *d, struct out *to, struct ttp_err *e)
{
	TTP_TRY(spill_check(&d->zones.store, e));
	d->to = to;
	write_all(d);
	return spill_check(&d->zones.store, e);
}

void export_free(struct export_data *d)
{
	spill_log_release(&d->zones.store, &d->message_log);
	zone_table_release(&d->zones);
	RELEASE(vec, &d->messages, &d->points, &d->memory, &d->order);
	buf_release(&d->line);
	free(d);
}

enum ttp_rc export_csv(struct trace *t, const struct export_request *q, struct out *to,
		       struct ttp_err *e)
{
	struct trace_sink sink;
	struct export_data *d = export_new(t, q, &sink);
	enum ttp_rc rc = d->zones.want.parent.len ? trace_names(t, e) : TTP_OK;

	if (!rc)
		rc = trace_read(t, &sink, e);
	if (!rc)
		rc = export_write(d, to, e);
	export_free(d);
	return rc;
}
