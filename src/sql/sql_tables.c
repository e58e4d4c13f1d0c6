// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_columns.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* ---- runs ---- */

#define RUNS_COLUMNS(X, table)                         \
	X(table, path, text, r->path)                  \
	X(table, verdict, text, t.verdict)             \
	X(table, ops, whole, (int64_t)t.ops)           \
	X(table, device_ns, real, t.device_ns)         \
	X(table, gap_ns, real, gap_sum(r, 0))          \
	X(table, profiler_gap_ns, real, gap_sum(r, 1)) \
	X(table, build_gap_ns, real, t.build_gap_ns)   \
	X(table, host_ns, real, t.host_ns)
COLUMNS(static, runs, RUNS_COLUMNS)

/* What `ttprof report` says without options; a run without ops has none, which is no error. */
static enum ttp_rc read_report(struct sql_run *r, struct ttp_err *e)
{
	struct ttprof_error why = { 0 };

	if (!r->report_asked) {
		r->report_asked = true;
		r->report = ttprof_report_make(r->run, NULL, &why);
		if (!r->report && why.code && why.code != TTPROF_USAGE)
			return sql_fail(e, &why);
	}
	return TTP_OK;
}

static enum ttp_rc runs_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	(void)d;
	*rows = 1;
	return read_report(r, e);
}

/* What reports count as gaps, and what of them is the profiler's. */
static double gap_sum(struct sql_run *r, int which)
{
	struct ttprof_gap g;

	if (!r->gap_sums) {
		r->gap_sums = mem_zero(2, sizeof(*r->gap_sums));
		for (size_t i = 0; ttprof_report_gap(r->report, i, &g); i++) {
			r->gap_sums[0] += g.own_ns;
			r->gap_sums[1] += g.profiler_ns;
		}
	}
	return r->gap_sums[which];
}

static void runs_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	struct ttprof_totals t;

	(void)row;
	if (column == runs_has_path || ttprof_report_totals(r->report, &t))
		PUT_COLUMN(runs, RUNS_COLUMNS, column);
}

/* ---- ops: the rows of the ops report, by the report's own columns ---- */

/* SQLite has 2,000 at most; `run` and `id` are there before those of reports, whose columns may not be called so. */
enum { OPS_COLUMNS_MAX = 1900, OPS_FIXED = 2 };

/* "DEVICE KERNEL DURATION [ns]" is device_kernel_duration_ns. */
static void spell(struct buf *b, const char *name)
{
	buf_clear(b);
	for (; *name; name++)
		if (isalnum((unsigned char)*name))
			buf_char(b, (char)tolower((unsigned char)*name));
		else if (b->len && b->at[b->len - 1] != '_')
			buf_char(b, '_');
	while (b->len && b->at[b->len - 1] == '_')
		b->len--;
	if (!b->len || isdigit((unsigned char)b->at[0]))
		buf_set(b, "column");
}

/* The number of a run's column in the table.  A second name of a run that is spelled alike gets a number behind it. */
static uint32_t place_column(struct sql_data *d, struct sql_run *r, struct buf *name, bool is_text)
{
	size_t plain = name->len;

	for (unsigned n = 2;; n++) {
		uint32_t at = intern_copy(&d->ops_columns, buf_view(name));

		vec_reach(&d->ops_texts, at, true);
		vec_reach(&r->ops_columns, at, -1);
		if (at >= OPS_COLUMNS_MAX || r->ops_columns.at[at] < 0) {
			d->ops_texts.at[at] &= is_text;
			return at;
		}
		name->len = plain;
		buf_printf(name, "_%u", n);
	}
}

/* Times are numbers; other columns with a unit may have lists of them. */
static bool is_measured(const struct ttprof_column *c)
{
	return !strcmp(c->unit, "ns") || !strcmp(c->unit, "cycles");
}

static void join_columns(struct sql_data *d, struct sql_run *r)
{
	SCOPED(buf) struct buf name = { 0 };
	struct ttprof_column info;

	for (size_t i = 0; ttprof_run_column_info(r->run, i, &info); i++) {
		uint32_t at;

		spell(&name, info.name);
		/* a cell that is no number makes a text of the column in the report alone */
		at = place_column(d, r, &name, info.kind == TTPROF_TEXT && !is_measured(&info));
		if (at < OPS_COLUMNS_MAX) {
			r->ops_columns.at[at] = (int)i;
			if (info.kind == TTPROF_TEXT && is_measured(&info))
				(void)ttp_fail(
					vec_push(&d->notes), TTP_FORMAT,
					"%s: %s has cells that are no numbers: they are NULL",
					r->path, info.name);
			continue;
		}
		(void)ttp_fail(vec_push(&d->notes), TTP_LIMIT,
			       "%s: only the first %d columns of its ops are shown", r->path,
			       OPS_COLUMNS_MAX);
		return;
	}
}

static bool ops_column(struct sql_data *d, size_t i, struct sql_column *c)
{
	if (i == 0) {
		*c = (struct sql_column){ "id", SQL_WHOLE };
		if (!intern_count(&d->ops_columns)) {
			(void)intern_copy(&d->ops_columns, STR("run"));
			(void)intern_copy(&d->ops_columns, STR("id"));
			vec_reach(&d->ops_texts, OPS_FIXED - 1, false);
			vec_each (r, &d->runs) {
				vec_reach(&r->ops_columns, OPS_FIXED - 1, INT_MAX);
				join_columns(d, r);
			}
		}
		return true;
	}
	i += OPS_FIXED - 1;
	if (i >= intern_count(&d->ops_columns) || i >= OPS_COLUMNS_MAX)
		return false;
	*c = (struct sql_column){ intern_get(&d->ops_columns, (uint32_t)i).at,
				  d->ops_texts.at[i] ? SQL_TEXT : SQL_REAL };
	return true;
}

static enum ttp_rc ops_rows(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e)
{
	struct ttprof_error why = { 0 };

	(void)d;
	*rows = ttprof_run_ops(r->run, &why);
	return why.code ? sql_fail(e, &why) : TTP_OK;
}

/* A text among numbers would be greater than each of them. */
static void number_or_nothing(struct sql_value *v)
{
	double number;

	if (v->kind != SQL_TEXT)
		return;
	v->kind = SQL_NULL;
	if (number_double(str_of(v->text), &number))
		put_real(v, number);
}

static void ops_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	size_t at = column + OPS_FIXED - 1;
	const uint32_t *ids;
	int of_run;

	if (column == 0) {
		put_whole(v, (int64_t)row + 1);
		return;
	}
	of_run = at < r->ops_columns.len ? r->ops_columns.at[at] : -1;
	if (of_run < 0)
		return;
	ids = ttprof_run_text_ids(r->run, of_run);
	if (!ids)
		put_real(v, ttprof_run_number(r->run, of_run, row));
	else
		put_text(v, ttprof_run_string(r->run, ids[row]));
	if (!r->data->ops_texts.at[at])
		number_or_nothing(v);
}

/* ---- calls: what the report says of each op ---- */

/* Behind what the report says: what kind of call it is. */
static const char *const call_flags[] = { "marker", "built", "partial", "pause" };
enum { CALL_FLAGS = sizeof(call_flags) / sizeof(call_flags[0]) };

static size_t report_fields(void)
{
	struct ttprof_column info;
	size_t n = 0;

	while (ttprof_report_field_info(n, &info))
		n++;
	return n;
}

static bool calls_column(struct sql_data *d, size_t i, struct sql_column *c)
{
	size_t fields = report_fields();
	struct ttprof_column info;

	(void)d;
	if (i >= fields + CALL_FLAGS)
		return false;
	if (i >= fields) {
		*c = (struct sql_column){ call_flags[i - fields], SQL_WHOLE };
		return true;
	}
	(void)ttprof_report_field_info(i, &info);
	*c = (struct sql_column){ info.name, info.kind == TTPROF_TEXT ? SQL_TEXT : SQL_REAL };
	return true;
}

static enum ttp_rc calls_rows(struct sql_data *d, struct sql_run *r, size_t *rows,
			      struct ttp_err *e)
{
	(void)d;
	TTP_TRY(read_report(r, e));
	*rows = ttprof_report_calls(r->report);
	return TTP_OK;
}

static void calls_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const char *text;
	struct ttprof_gap g;
	double number;

	v->fleeting = true;
	if (column >= report_fields()) {
		(void)ttprof_report_gap(r->report, row, &g);
		put_whole(v, (const bool[]){ g.marker, g.built, g.partial,
					     g.pause }[column - report_fields()]);
	} else if (ttprof_report_number(r->report, column, row, &number))
		put_real(v, number);
	else if (ttprof_report_text(r->report, column, row, &text))
		put_text(v, text);
}

/* ---- gaps ---- */

#define GAPS_COLUMNS(X, table)                     \
	X(table, id, whole, g.id)                  \
	X(table, gap_ns, real, g.gap_ns)           \
	X(table, own_ns, real, g.own_ns)           \
	X(table, build_ns, real, g.build_ns)       \
	X(table, profiler_ns, real, g.profiler_ns) \
	X(table, pause, whole, g.pause)            \
	X(table, zone, text, g.zone)
COLUMNS(static, gaps, GAPS_COLUMNS)

static void gaps_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	struct ttprof_gap g;

	v->fleeting = true;
	if (ttprof_report_gap(r->report, row, &g))
		PUT_COLUMN(gaps, GAPS_COLUMNS, column);
}

/* ---- findings ---- */

#define FINDINGS_COLUMNS(X, table)              \
	X(table, rank, whole, (int64_t)row + 1) \
	X(table, what, text, f.what)            \
	X(table, text, text, f.text)            \
	X(table, advice, text, f.advice)        \
	X(table, saves_ns, real, f.saves_ns)    \
	X(table, time_ns, real, f.time_ns)      \
	X(table, calls, whole, f.calls)         \
	X(table, id, known, f.id ? (int64_t)f.id : -1)
COLUMNS(static, findings, FINDINGS_COLUMNS)

static enum ttp_rc findings_rows(struct sql_data *d, struct sql_run *r, size_t *rows,
				 struct ttp_err *e)
{
	struct ttprof_finding f;

	(void)d;
	TTP_TRY(read_report(r, e));
	for (*rows = 0; ttprof_report_finding(r->report, *rows, &f);)
		++*rows;
	return TTP_OK;
}

static void findings_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	struct ttprof_finding f;

	if (ttprof_report_finding(r->report, row, &f))
		PUT_COLUMN(findings, FINDINGS_COLUMNS, column);
}

/* ---- account: four totals, then causes ---- */

#define ACCOUNT_COLUMNS(X, table)                \
	X(table, what, text, c.text)             \
	X(table, count, whole, (int64_t)c.count) \
	X(table, device, known, c.device)        \
	X(table, x, known, c.core_x)             \
	X(table, y, known, c.core_y)             \
	X(table, risc, text, c.risc)             \
	X(table, hint, text, c.hint)
COLUMNS(static, account, ACCOUNT_COLUMNS)

enum { TOTALS = 4 };

static enum ttp_rc account_rows(struct sql_data *d, struct sql_run *r, size_t *rows,
				struct ttp_err *e)
{
	struct ttprof_account a;
	struct ttprof_cause c;

	(void)d;
	(void)e;
	*rows = 0;
	if (!ttprof_run_account(r->run, &a))
		return TTP_OK;
	for (*rows = TOTALS; ttprof_run_cause(r->run, *rows - TOTALS, &c);)
		++*rows;
	return TTP_OK;
}

static void account_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	static const char *const totals[TOTALS] = { "seen", "timed", "partial", "dropped" };
	struct ttprof_account a;
	struct ttprof_cause c = { .device = -1, .core_x = -1, .core_y = -1 };

	if (row < TOTALS && ttprof_run_account(r->run, &a)) {
		const uint64_t counts[TOTALS] = { a.seen, a.timed, a.partial, a.dropped };

		c.text = totals[row];
		c.count = counts[row];
	} else if (!ttprof_run_cause(r->run, row - TOTALS, &c)) {
		return;
	}
	PUT_COLUMN(account, ACCOUNT_COLUMNS, column);
}

/* ---- cores ---- */

#define CORES_COLUMNS(X, table)                         \
	X(table, id, known, c->op < 0 ? -1 : c->op + 1) \
	X(table, device, whole, c->device)              \
	X(table, x, whole, c->x)                        \
	X(table, y, whole, c->y)                        \
	X(table, busy_ns, real, c->busy_ns)             \
	X(table, start_ns, real, c->start_ns)           \
	X(table, end_ns, real, c->end_ns)               \
	X(table, run_id, whole, (int64_t)c->run_id)     \
	X(table, trace_id, known, c->trace_id)          \
	X(table, replay, known, c->replay)
COLUMNS(static, cores, CORES_COLUMNS)

static enum ttp_rc cores_rows(struct sql_data *d, struct sql_run *r, size_t *rows,
			      struct ttp_err *e)
{
	struct ttprof_error why = { 0 };

	(void)d;
	if (!r->cores_asked) {
		r->cores_asked = true;
		r->cores = ttprof_run_cores(r->run, &r->core_count, &why);
		if (why.code)
			return sql_fail(e, &why);
	}
	*rows = r->core_count;
	return TTP_OK;
}

static void cores_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)
{
	const struct ttprof_core *c = &r->cores[row];

	PUT_COLUMN(cores, CORES_COLUMNS, column);
}

/* ---- all of them ---- */

/* X(name, whose rows it has, columns that are keyed, their keys, whether it has ids, what it has) */
#define TABLE_LIST(X)                                                                              \
	X(runs, runs, 0, NULL, false, "each RUN, with the totals of `ttprof report`")              \
	X(ops, ops, 0, NULL, true, "rows of the ops report; id is the row's number")               \
	X(calls, calls, 0, NULL, true,                                                             \
	  "what `ttprof report` says of each op of the part that it shows")                        \
	X(gaps, calls, 0, NULL, true, "the time before each of these ops, and what it is made of") \
	X(findings, findings, 0, NULL, false, "what to fix, in the order of `ttprof report`")      \
	X(account, account, 0, NULL, false,                                                        \
	  "ops seen, timed, partial, dropped; then what was lost, where and why")                  \
	X(cores, cores, 0, NULL, true, "what each core did for each op, from the device log")      \
	X(zones, zones, ZONES_KEYED, zones_keys, false, "zones of the trace: host and devices")    \
	X(zone_sums, zone_sums, 0, NULL, false,                                                    \
	  "zones of one name together, as `ttprof top --zones` has them")                          \
	X(messages, messages, 0, NULL, false, "messages of the trace")                             \
	X(plots, plots, 0, NULL, false, "values of plots of the trace")                            \
	X(markers, markers, 0, NULL, false, "rows of the device log")

const struct sql_table sql_tables[] = {
#define X(name, whose, keyed, keys, has_ids, about) \
	{ #name, about, name##_column, whose##_rows, name##_value, keyed, keys, has_ids },
	TABLE_LIST(X)
#undef X
};
const size_t sql_table_count = sizeof(sql_tables) / sizeof(sql_tables[0]);

/* ---- opening and closing ---- */

enum ttp_rc sql_data_open(struct sql_data *d, const char *const *paths, size_t n, struct ttp_err *e)
{
	*d = (struct sql_data){ 0 };
	for (size_t i = 0; i < n; i++) {
		struct ttprof_error why;
		struct ttprof_run *run = ttprof_run_open(paths[i], &why);

		if (!run)
			return sql_fail(e, &why);
		*vec_push(&d->runs) = (struct sql_run){
			.path = paths[i],
			.data = d,
			.run = run,
			.ids = mem_zero(sql_table_count, sizeof(struct sql_ids)),
		};
	}
	return TTP_OK;
}

void sql_data_close(struct sql_data *d)
{
	vec_each (r, &d->runs) {
		ttprof_report_free(r->report);
		sql_events_release(&r->events);
		sql_markers_release(&r->markers);
		vec_release(&r->ops_columns);
		for (size_t i = 0; i < sql_table_count; i++) {
			vec_release(&r->ids[i].all);
			free(r->ids[i].rows);
		}
		free(r->ids);
		free(r->gap_sums);
		ttprof_run_close(r->run);
	}
	vec_release(&d->runs);
	intern_release(&d->ops_columns);
	vec_release(&d->ops_texts);
	vec_release(&d->notes);
	vec_release(&d->failed);
}
