// SPDX-License-Identifier: Apache-2.0
/* Tables of what a trace and a device log have: zones, their sums, messages, plots, markers. */
#include "sql/sql_columns.h"

/* ---- zones, messages, plots: the trace ---- */

static enum ttp_rc read_events(struct sql_data *d, struct sql_run *r, struct ttp_err *e)
{
	struct ttp_err damage;

	TTP_TRY(sql_events_read(&r->events, r->run, &damage, e));
	if (damage.rc)
		*vec_push(&d->notes) = damage;
	return TTP_OK;
}

static const char *event_text(const struct sql_run *r, uint32_t number)
{
	return intern_get(&r->events.texts, number).at;
}

/* What has not ended has no end and no duration. */
static void put_if_ended(struct sql_value *v, const struct sql_zone *z, int64_t from)
{
	if (z->end_ns != TTPROF_NOT_ENDED)
		put_whole(v, (int64_t)((uint64_t)z->end_ns - (uint64_t)from));
}

#define KIND_if_ended_from         SQL_WHOLE
#define put_if_ended_from(v, from) put_if_ended(v, z, from)
#define ZONES_COLUMNS(X, table)                                                 \
	X(table, name, text, event_text(r, r->events.names.of_row.at[row]))     \
	X(table, thread, text, event_text(r, r->events.threads.of_row.at[row])) \
	X(table, start_ns, whole, z->start_ns)                                  \
	X(table, end_ns, if_ended_from, 0)                                      \
	X(table, duration_ns, if_ended_from, z->start_ns)                       \
	X(table, depth, whole, z->depth)                                        \
	X(table, on_device, whole, z->device)                                   \
	X(table, function, text, event_text(r, z->function))                    \
	X(table, file, text, event_text(r, z->file))                            \
	X(table, line, whole, z->line)                                          \
	X(table, tid, whole, (int64_t)z->tid)                                   \
	X(table, text, text, event_text(r, z->text))
COLUMNS(extern, zones, ZONES_COLUMNS)

_Static_assert(ZONES_KEYED == (1 << zones_has_name | 1 << zones_has_thread),
	       "as the list has them");

enum ttp_rc zones_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	TTP_TRY(read_events(d, r, e));
	*rows = r->events.zones.len;
	return TTP_OK;
}

void zones_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const struct sql_zone *z = &r->events.zones.at[row];

	PUT_COLUMN(zones, ZONES_COLUMNS, column);
}

const struct sql_keys *zones_keys(struct sql_run *r, size_t column)
{
	struct sql_keys *keys = column == zones_has_name ? &r->events.names : &r->events.threads;

	return sql_keys_sort(keys) ? keys : NULL;
}

#define ZONE_SUMS_COLUMNS(X, table)               \
	X(table, name, text, s->name)             \
	X(table, function, text, s->function)     \
	X(table, at, text, s->at)                 \
	X(table, ran_on, text, s->where)          \
	X(table, calls, whole, (int64_t)s->calls) \
	X(table, total_ns, real, s->total_ns)     \
	X(table, all_ns, real, s->all_ns)         \
	X(table, self_ns, real, s->self_ns)       \
	X(table, min_ns, real, s->min_ns)         \
	X(table, max_ns, real, s->max_ns)
COLUMNS(extern, zone_sums, ZONE_SUMS_COLUMNS)

enum ttp_rc zone_sums_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	struct ttprof_error why = { 0 };

	(void)d;
	if (!r->zone_sums_asked) {
		r->zone_sums_asked = true;
		r->zone_sums = ttprof_run_zone_sums(r->run, &r->zone_sum_count, &why);
		if (why.code)
			return sql_fail(e, &why);
	}
	*rows = r->zone_sum_count;
	return TTP_OK;
}

void zone_sums_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const struct ttprof_zone_sum *s = &r->zone_sums[row];

	PUT_COLUMN(zone_sums, ZONE_SUMS_COLUMNS, column);
}

#define MESSAGES_COLUMNS(X, table)                       \
	X(table, time_ns, whole, m->time_ns)             \
	X(table, thread, text, event_text(r, m->thread)) \
	X(table, text, text, event_text(r, m->text))
COLUMNS(extern, messages, MESSAGES_COLUMNS)

enum ttp_rc messages_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	TTP_TRY(read_events(d, r, e));
	*rows = r->events.messages.len;
	return TTP_OK;
}

void messages_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const struct sql_message *m = &r->events.messages.at[row];

	PUT_COLUMN(messages, MESSAGES_COLUMNS, column);
}

#define PLOTS_COLUMNS(X, table)                      \
	X(table, name, text, event_text(r, p->name)) \
	X(table, time_ns, whole, p->time_ns)         \
	X(table, value, real, p->value)
COLUMNS(extern, plots, PLOTS_COLUMNS)

enum ttp_rc plots_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	TTP_TRY(read_events(d, r, e));
	*rows = r->events.plots.len;
	return TTP_OK;
}

void plots_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const struct sql_point *p = &r->events.plots.at[row];

	PUT_COLUMN(plots, PLOTS_COLUMNS, column);
}

/* ---- markers: the device log ---- */

#define MARKERS_COLUMNS(X, table)                                       \
	X(table, device, whole, m->device)                              \
	X(table, x, whole, m->x)                                        \
	X(table, y, whole, m->y)                                        \
	X(table, risc, text, intern_get(&r->markers.texts, m->risc).at) \
	X(table, zone, text, intern_get(&r->markers.texts, m->zone).at) \
	X(table, type, text, m->type)                                   \
	X(table, time_cycles, whole, (int64_t)m->time_cycles)           \
	X(table, data, whole, (int64_t)m->data)                         \
	X(table, run_id, whole, (int64_t)m->run_id)                     \
	X(table, trace_id, known, m->trace_id)                          \
	X(table, replay, known, m->replay)
COLUMNS(extern, markers, MARKERS_COLUMNS)

enum ttp_rc markers_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	(void)d;
	TTP_TRY(sql_markers_read(&r->markers, r->run, e));
	*rows = r->markers.all.len;
	return TTP_OK;
}

void markers_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const struct sql_marker *m = &r->markers.all.at[row];

	PUT_COLUMN(markers, MARKERS_COLUMNS, column);
}
