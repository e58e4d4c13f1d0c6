// SPDX-License-Identifier: Apache-2.0
/* What a report covers: counts rows by their state, and looks for the causes of what is missing. */
#include <stdlib.h>

#include "base/order.h"
#include "ops/ops_logs.h"

enum { SKEW_CYCLES = 10000000, CAP_STEP = 100 };

/* Recorded by the trace profiler: the first op of a replay has the time of all, and no RISC's of its own. */
static bool is_of_trace_profiler(const struct ops_logs *l)
{
	const struct intern *zones = &l->log->names.zones;

	return l->has_log && !l->has_report &&
	       intern_find(zones, STR("TRACE-FW")) < intern_count(zones);
}

static void count_rows(const struct ops_report *r, enum account_what lost, struct account *a)
{
	vec_each (row, &r->join.rows) {
		struct account_place at = ACCOUNT_ANYWHERE;
		int64_t device;

		if (row->kind == ROW_SIGNPOST || row->state == ROW_CAPTURED)
			continue;
		device = host_op_program(r->host, &r->host->ops.at[row->host])->device;
		if (device >= 0 && device <= INT32_MAX)
			at = ACCOUNT_DEVICE((int)device);
		account_add(a, ACCOUNT_SEEN, at, 1);
		account_add(a,
			    row->state == ROW_NO_DEVICE_DATA ? lost
			    : row->state == ROW_NO_COMPUTE && lost == ACCOUNT_OP_TRACED
				    ? ACCOUNT_TIMED
				    : row_state_cause(row->state),
			    at, 1);
		if (row->state == ROW_LOST_REPLAY_MESSAGE) /* it lacks nothing but its position */
			account_add(a, ACCOUNT_TIMED, at, 1);
	}
}

/* So many of a cause, of which the first few are known by their lines; 0: not from a file. */
static void count_lines(struct account *a, enum account_what what, uint64_t n, const uint64_t *line,
			size_t known)
{
	for (uint64_t i = 0; i < n; i++)
		if (i < known && line[i])
			account_add_row(a, what, ACCOUNT_ANYWHERE, line[i]);
		else
			account_add(a, what, ACCOUNT_ANYWHERE, 1);
}

static void count_host(const struct host_events *h, struct account *a)
{
	vec_each (op, &h->ops) {
		if (!op->has_zone)
			account_add(a, ACCOUNT_OP_NO_HOST_TIME, ACCOUNT_ANYWHERE, 1);
		if (!op->has_message)
			account_add(a, ACCOUNT_OP_MESSAGE_MISSING, ACCOUNT_ANYWHERE, 1);
	}
	count_lines(a, ACCOUNT_OP_MESSAGE_CUT, h->cut_messages, h->cut_line, HOST_CUT_LINES);
	if (h->same_number) {
		account_add(a, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, h->same_number);
		account_add(a, ACCOUNT_OP_SAME_NUMBER, ACCOUNT_ANYWHERE, h->same_number);
	}
	if (h->odd_messages)
		account_add(a, ACCOUNT_MESSAGE_ODD, ACCOUNT_ANYWHERE, h->odd_messages);
}

/* A guess, for logs that come without counts: a device that timed 1000 ops, or another round number, while the host asked for more. */
static void find_caps(const struct ops_report *r, struct account *a)
{
	SCOPED(u64map) struct u64map index = { 0 };
	SCOPED(vec) VEC(uint64_t) asked = { 0 };
	SCOPED(vec) VEC(uint64_t) timed = { 0 };

	vec_each (row, &r->join.rows) {
		int64_t device;
		uint32_t i;
		bool added;

		if (row->kind == ROW_SIGNPOST || row->state == ROW_CAPTURED)
			continue;
		device = host_op_program(r->host, &r->host->ops.at[row->host])->device;
		if (device < 0)
			continue;
		i = u64map_get_or_put(&index, (uint64_t)device, (uint32_t)asked.len, &added);
		if (added) {
			*vec_push(&asked) = 0;
			*vec_push(&timed) = 0;
		}
		asked.at[i]++;
		timed.at[i] += row->run != OP_NONE;
	}
	vec_each (e, &index.entries)
		if (timed.at[e->value] < asked.at[e->value] && timed.at[e->value] &&
		    timed.at[e->value] % CAP_STEP == 0)
			account_add(a, ACCOUNT_PROGRAM_CAP, ACCOUNT_DEVICE((int)e->key),
				    timed.at[e->value]);
}

static struct account_place place_of(const struct op_times *t, uint32_t core)
{
	const struct device_core *c = &t->places.at[core];

	return (struct account_place){ (int)c->device, c->x, c->y, NULL };
}

/* Another one: whose zones have no end, or no start, lost markers. */
static void find_unbalanced(const struct ops_logs *l, struct account *a)
{
	vec_each (b, &l->times.riscs) {
		struct account_place at = place_of(&l->times, b->core);
		uint64_t odd = b->starts > b->ends ? b->starts - b->ends : b->ends - b->starts;

		if (!odd || l->times.places.at[b->core].dispatch ||
		    (l->cut.has_place && l->cut.risc == b->risc && l->cut.place.x == at.core_x &&
		     l->cut.place.y == at.core_y && (int)l->cut.place.device == at.device))
			continue; /* the cut is named already */
		at.risc =
			b->risc < RISC_KNOWN ? intern_get(&l->log->names.riscs, b->risc).at : NULL;
		account_add(a, ACCOUNT_ZONE_UNBALANCED, at, odd);
	}
}

/* A core that is far from the middle one in every op that it ran with others. */
static void find_skew(const struct op_times *t, struct account *a)
{
	SCOPED(mem) uint32_t *ran = mem_zero(t->places.len + 1, sizeof(*ran));
	SCOPED(mem) uint32_t *apart = mem_zero(t->places.len + 1, sizeof(*apart));
	uint64_t *first;
	uint32_t most = 0;

	vec_each (r, &t->runs)
		most = op_run_cores(t, r) > most ? op_run_cores(t, r) : most;
	first = mem_alloc(most + 1, sizeof(*first));

	vec_each (r, &t->runs) {
		uint32_t cores = op_run_cores(t, r);
		uint64_t middle;

		if (cores < 3)
			continue;
		for (uint32_t i = 0; i < cores; i++)
			first[i] = op_core_time(t, &t->cores.at[r->first_core + i], CORE_FIRST);
		qsort(first, cores, sizeof(*first), order_u64);
		middle = first[cores / 2];
		for (uint32_t i = 0; i < cores; i++) {
			const struct op_core *c = &t->cores.at[r->first_core + i];
			uint64_t at = op_core_time(t, c, CORE_FIRST);
			uint64_t off = at > middle ? at - middle : middle - at;

			ran[c->core]++;
			apart[c->core] += off > SKEW_CYCLES;
		}
	}
	for (uint32_t i = 0; i < t->places.len; i++)
		if (ran[i] > 1 && apart[i] == ran[i] && !t->places.at[i].dispatch)
			account_add(a, ACCOUNT_CORE_TIMER_SKEWED, place_of(t, i), 1);
	free(first);
}

static void count_log(const struct ops_logs *l, struct account *a)
{
	count_lines(a, device_log_is_full(l->log) ? ACCOUNT_LOG_NAMES : ACCOUNT_DEVICE_LOG_ROW,
		    l->log->bad_rows, l->log->bad_line, LOG_ROWS_TOLD);
	if (input_shrunk(&l->log->in))
		account_add(a, ACCOUNT_FILE_TRUNCATED, ACCOUNT_ANYWHERE, 1);
	if (l->log->in.cut_short)
		account_add(a, ACCOUNT_COMPRESSED_CUT, ACCOUNT_ANYWHERE, 1);
	if (ops_logs_lack_clock(l))
		account_add(a, ACCOUNT_NO_CLOCK, ACCOUNT_ANYWHERE, 1);
	if (l->cut.is_cut) {
		struct account_place at = ACCOUNT_ANYWHERE;

		if (l->cut.has_place)
			at = (struct account_place){
				(int)l->cut.place.device, l->cut.place.x, l->cut.place.y,
				l->cut.risc < RISC_KNOWN
					? intern_get(&l->log->names.riscs, l->cut.risc).at
					: NULL
			};
		account_add(a, ACCOUNT_DEVICE_LOG_CUT, at, 1);
		vec_each (core, &l->cut.without)
			account_add(a, ACCOUNT_CORE_LOG_CUT, place_of(&l->times, *core), 1);
	}
	if (!l->times.markers)
		return;
	if (!l->markers_are_counted || l->cut.is_cut)
		find_unbalanced(l, a);
	find_skew(&l->times, a);
}

static void count_runs(const struct op_times *t, struct account *a)
{
	vec_each (r, &t->runs) {
		bool partial = op_run_is_partial(t, r);
		struct account_place at = ACCOUNT_DEVICE((int)op_run_device(t, r));

		account_add(a, ACCOUNT_SEEN, at, 1);
		account_add(a,
			    r->is_cut ? ACCOUNT_OP_LOG_CUT
			    : partial ? ACCOUNT_OP_PARTIAL
				      : ACCOUNT_TIMED,
			    at, 1);
	}
}

/* Cores of the command queue name programs by numbers of their own. */
static bool is_of_dispatch(const struct run_source *s, size_t run)
{
	const struct op_run *r;

	if (!s->times)
		return false;
	r = &s->times->runs.at[run];
	for (uint32_t i = 0; i < op_run_cores(s->times, r); i++)
		if (!s->times->places.at[s->times->cores.at[r->first_core + i].core].dispatch)
			return false;
	return true;
}

/* Why an op has no run. */
static enum account_what why_lost(const struct ops_logs *l)
{
	if (account_count(&l->counted, ACCOUNT_PROGRAM_KILLED) &&
	    !(l->log_is_there && !l->has_log && !l->has_report))
		return ACCOUNT_OP_UNTIMED_KILLED;
	if (!l->has_report && !l->log_is_there)
		return ACCOUNT_OP_NOT_PROFILED;
	if (!l->has_report && !l->has_log)
		return ACCOUNT_OP_LOG_UNREAD;
	if (is_of_trace_profiler(l))
		return ACCOUNT_OP_TRACED;
	return (l->has_report ? l->report.cut : l->cut.is_cut) ? ACCOUNT_OP_UNTIMED_CUT
							       : ACCOUNT_OP_UNTIMED;
}

void ops_logs_account(const struct ops_logs *l, const struct ops_report *r, struct account *a)
{
	if (l->report_is_short)
		account_add(a, ACCOUNT_PERF_REPORT_SHORT, ACCOUNT_ANYWHERE, 1);
	else if (l->has_report && l->report.cut)
		account_add(a, ACCOUNT_PERF_REPORT_CUT, ACCOUNT_ANYWHERE, 1);
	if (l->has_log)
		count_log(l, a);
	vec_each (c, &l->counted.entries) {
		if (c->what != ACCOUNT_MARKER_PROGRAM_LOST) {
			account_add(a, c->what, c->place, c->count);
		} else if (!r) { /* the host's ops are rows of their own, timed or not */
			account_add(a, ACCOUNT_SEEN, c->place, c->count);
			account_add(a, ACCOUNT_OP_LOST, c->place, c->count);
		}
	}
	if (!r) {
		count_runs(&l->times, a);
		return;
	}
	count_rows(r, why_lost(l), a);
	if (!l->host_is_report)
		count_host(&l->host, a);
	if (!l->markers_are_counted)
		find_caps(r, a);
	for (size_t i = 0; i < r->join.run_used.len; i++)
		if (!r->join.run_used.at[i] && !is_of_dispatch(r->source, i))
			account_add(a, ACCOUNT_OP_UNKNOWN,
				    ACCOUNT_DEVICE((int)run_at(r->source, i).device), 1);
}
