// SPDX-License-Identifier: Apache-2.0
#include "ops/join/join.h"

#include <stdlib.h>

#include "base/order.h"

size_t run_count(const struct run_source *s)
{
	return s->times ? s->times->runs.len : s->report ? s->report->rows.len : 0;
}

struct run_ref run_at(const struct run_source *s, size_t i)
{
	if (s->times) {
		const struct op_run *r = &s->times->runs.at[i];
		struct op_replay p = s->replays ? s->replays[i] : op_run_replay(s->times, r);

		return (struct run_ref){ r->run_id, op_run_device(s->times, r), p.trace_id,
					 p.session };
	}
	const struct perf_row *row = &s->report->rows.at[i];

	return (struct run_ref){ row->id, row->device, row->trace_id, row->session };
}

const char *row_state_text(enum row_state s)
{
	static const char *const texts[] = { ROW_STATE_LIST(LIST_2ND) };

	return texts[s];
}

enum account_what row_state_cause(enum row_state s)
{
	static const uint8_t causes[] = {
#define X(id, text, cause) ACCOUNT_##cause,
		ROW_STATE_LIST(X)
#undef X
	};

	return (enum account_what)causes[s];
}

ORDER_BY(by_run, struct run_ref, device, id, trace_id, session)

void run_refs_sort(struct run_ref *refs, size_t n)
{
	if (n)
		qsort(refs, n, sizeof(*refs), by_run);
}

/* Numbers of runs by device and id, then in the order of the source. */
ORDER_IN(by_device_and_run, uint32_t, struct run_source, run_at(in, *it).device, run_at(in, *it).id,
	 *it)

struct joining {
	struct join *j;
	const struct host_events *h;
	const struct run_source *s;
	const struct join_rules *rules;
	uint32_t *by_id;     /* numbers of runs, sorted */
	VEC(uint32_t) found; /* runs of one op */
	/* Of one op: its first replay's row; sessions to rows, from when they stop to rise. */
	size_t first_replay;
	int64_t last_session;
	struct u64map replay_at;
};

ORDER_IN(by_session, uint32_t, struct run_source, run_at(in, *it).session,
	 in->times ? op_run_time(in->times, &in->times->runs.at[*it], TIME_FIRST) : 0, *it)

static bool is_of_op(const struct joining *g, size_t i, const struct host_op *op)
{
	int64_t device = host_op_program(g->h, op)->device;
	struct run_ref r;

	if (i >= run_count(g->s))
		return false;
	r = run_at(g->s, g->by_id[i]);
	return r.device == device && r.id == op->id;
}

/* The index of an op's first run. */
static size_t first_run(const struct joining *g, const struct host_op *op)
{
	int64_t device = host_op_program(g->h, op)->device;
	struct run_ref r;

	return order_first(i, run_count(g->s),
			   (r = run_at(g->s, g->by_id[i]),
			    r.device < device || (r.device == device && r.id < op->id)));
}

/* The runs of an op: those of its trace, or all of its id when there are none. */
static void find_runs(struct joining *g, const struct host_op *op)
{
	int64_t trace_id = host_op_program(g->h, op)->trace_id;
	size_t first = first_run(g, op);

	vec_clear(&g->found);
	for (size_t i = first; is_of_op(g, i, op); i++)
		if (run_at(g->s, g->by_id[i]).trace_id == trace_id)
			*vec_push(&g->found) = g->by_id[i];
	if (!g->found.len)
		for (size_t i = first; is_of_op(g, i, op); i++)
			*vec_push(&g->found) = g->by_id[i];
	if (g->s->times && g->found.len > 1)
		vec_sort_in(&g->found, by_session, g->s);
}

/* A run that lacks an end: some core's firmware started and was not seen to finish, or the reverse. */
static enum row_state run_state(const struct run_source *s, uint32_t run)
{
	if (!s->times) {
		const struct perf_row *row = &s->report->rows.at[run];
		struct run_ref ref = run_at(s, run);

		if (s->n_partial && bsearch(&ref, s->partial, s->n_partial, sizeof(ref), by_run))
			return ROW_PARTIAL;
		return !perf_text(s->report, row, OPS_FW_DURATION).len &&
				       !perf_text(s->report, row, OPS_DURATION).len &&
				       !perf_text(s->report, row, OPS_FW_DURATION_DM).len
			       ? ROW_PARTIAL
			       : ROW_WHOLE;
	}
	return s->times->runs.at[run].is_cut                          ? ROW_LOG_CUT
	       : op_run_is_partial(s->times, &s->times->runs.at[run]) ? ROW_PARTIAL
								      : ROW_WHOLE;
}

struct op_replay join_row_replay(const struct join *j, const struct join_row *row)
{
	struct op_replay p = { -1, -1, 0 };
	struct run_ref r;

	if (row->kind == ROW_SIGNPOST)
		return p;
	p.trace_id = host_op_program(j->host, &j->host->ops.at[row->host])->trace_id;
	if (row->kind == ROW_OP) {
		p.trace_id = j->rules->show_capture_trace ? p.trace_id : -1;
		return p;
	}
	r = run_at(j->source, row->run);
	p.trace_id = r.trace_id >= 0 ? r.trace_id : p.trace_id;
	p.session = row->counted ? row->counted : r.session;
	return p;
}

/* The row of this session of the op, if it came already; mostly they come one after the other. */
static bool find_session(struct joining *g, int64_t session, uint32_t *at)
{
	size_t n = g->j->rows.len - g->first_replay;
	bool added;

	if (!n || (session > g->last_session && !g->replay_at.entries.len)) {
		g->last_session = session;
		return false;
	}
	if (!g->replay_at.entries.len)
		for (size_t i = g->first_replay; i < g->j->rows.len; i++)
			u64map_put(&g->replay_at,
				   (uint64_t)join_row_replay(g->j, &g->j->rows.at[i]).session,
				   (uint32_t)i);
	*at = u64map_get_or_put(&g->replay_at, (uint64_t)session, (uint32_t)g->j->rows.len, &added);
	return !added;
}

/* One that comes again replaces. */
static void add_replay(struct joining *g, struct join_row row, int64_t trace, int64_t session)
{
	const struct host_op *op = &g->h->ops.at[row.host];
	const struct host_replays *r =
		host_replays_find(g->h, host_op_program(g->h, op)->device, trace);
	uint32_t at;

	row.state = (uint8_t)run_state(g->s, row.run);
	if (r && session >= 1 && (size_t)session <= r->times_ns.len) {
		row.time_ns = r->times_ns.at[session - 1];
		row.replay_is_known = true;
	} else {
		row.time_ns = g->rules->lost_replay_time(g->h, op, r);
		if (row.state != ROW_LOG_CUT)
			row.state = ROW_LOST_REPLAY_MESSAGE;
	}
	if (find_session(g, session, &at))
		g->j->rows.at[at] = row;
	else
		*vec_push(&g->j->rows) = row;
}

static void join_op(struct joining *g, uint32_t host)
{
	const struct host_op *op = &g->h->ops.at[host];
	const struct host_program *program = host_op_program(g->h, op);
	struct join_row *own;

	find_runs(g, op);
	g->first_replay = g->j->rows.len;
	for (size_t i = 0; i < g->found.len; i++) {
		uint32_t run = g->found.at[i];
		struct run_ref r = run_at(g->s, run);
		int64_t trace = r.trace_id >= 0 ? r.trace_id : program->trace_id;
		struct join_row row = { .kind = ROW_REPLAY, .host = host, .run = run };

		g->j->run_used.at[run] = 1;
		/* a log without replays still has one run after the other */
		if (r.session < 0 && g->s->times && !g->s->replays && program->trace_id >= 0)
			row.counted = (uint32_t)i + 1;
		if (r.session >= 0 || row.counted) {
			add_replay(g, row, trace, row.counted ? row.counted : r.session);
		} else {
			own = &g->j->rows.at[host];
			own->run = run;
			own->state = (uint8_t)run_state(g->s, run);
		}
	}
	if (g->replay_at.entries.len) {
		u64map_release(&g->replay_at);
		g->replay_at = (struct u64map){ 0 };
	}
	own = &g->j->rows.at[host];
	if (own->run != OP_NONE)
		return;
	if (g->j->rows.len > g->first_replay)
		own->state = ROW_CAPTURED;
	else if (program->trace_id >= 0 &&
		 !host_replays_find(g->h, program->device, program->trace_id))
		own->state = ROW_NEVER_REPLAYED;
	else
		own->state = ROW_NO_DEVICE_DATA;
}

struct op_turn {
	uint64_t id;
	uint32_t device,
		host; /* number of its device in the order of the host's messages; of the op */
};

ORDER_BY(by_device_and_id, struct op_turn, device, id, host)

/* Ops of each device by id. */
static void join_ops(struct joining *g)
{
	SCOPED(u64map) struct u64map devices = { 0 };
	SCOPED(vec) VEC(struct op_turn) turns = { 0 };

	for (uint32_t i = 0; i < g->h->ops.len; i++) {
		const struct host_op *op = &g->h->ops.at[i];
		int64_t device = host_op_program(g->h, op)->device;

		if (device >= 0)
			*vec_push(&turns) = (struct op_turn){
				op->id,
				u64map_get_or_put(&devices, (uint64_t)device,
						  (uint32_t)devices.entries.len, NULL),
				i,
			};
	}
	vec_sort(&turns, by_device_and_id);
	vec_each (turn, &turns)
		join_op(g, turn->host);
}

ORDER_IN(by_time, uint32_t, struct join_row, in[*it].time_ns, *it)

static void sort_rows(struct join *j)
{
	SCOPED(mem) uint32_t *order = order_numbers(j->rows.len, by_time, j->rows.at);

	/* in place, one circle of displaced rows after the other */
	for (uint32_t i = 0; i < j->rows.len; i++) {
		struct join_row held = j->rows.at[i];
		uint32_t to = i;

		while (order[to] != i && order[to] != to) {
			uint32_t from = order[to];

			j->rows.at[to] = j->rows.at[from];
			order[to] = to;
			to = from;
		}
		if (order[to] != to) {
			j->rows.at[to] = held;
			order[to] = to;
		}
	}
}

void join_make(struct join *j, const struct host_events *h, const struct run_source *s,
	       const struct join_rules *rules)
{
	struct joining g = { .j = j, .h = h, .s = s, .rules = rules };

	*j = (struct join){ .host = h, .source = s, .rules = rules };
	g.by_id = order_numbers(run_count(s), by_device_and_run, s);
	vec_reserve(&j->run_used, run_count(s));
	for (size_t i = 0; i < run_count(s); i++)
		*vec_push(&j->run_used) = 0;
	vec_reserve(&j->rows, h->ops.len + h->signposts.len);
	for (uint32_t i = 0; i < h->ops.len; i++) {
		const struct host_op *op = &h->ops.at[i];

		*vec_push(&j->rows) = (struct join_row){
			.kind = ROW_OP,
			.host = i,
			.run = OP_NONE,
			.time_ns = op->start_ns,
			.state = host_op_program(h, op)->device < 0 ? ROW_HOST_ONLY
								    : ROW_NO_DEVICE_DATA,
		};
	}
	join_ops(&g);
	for (uint32_t i = 0; i < h->signposts.len; i++)
		*vec_push(&j->rows) = (struct join_row){ .kind = ROW_SIGNPOST,
							 .host = i,
							 .run = OP_NONE,
							 .time_ns = h->signposts.at[i].time_ns };
	free(g.by_id);
	u64map_release(&g.replay_at);
	sort_rows(j);
	vec_release(&g.found);
}

void join_release(struct join *j)
{
	RELEASE(vec, &j->rows, &j->run_used);
}

/* A replay whose message is missing came after those that are known. */
static int64_t after_the_last(const struct host_events *h, const struct host_op *op,
			      const struct host_replays *r)
{
	(void)h;
	if (!r || !r->times_ns.len)
		return op->start_ns;
	return r->times_ns.at[r->times_ns.len - 1] + 1;
}

const struct join_rules join_rules = { .lost_replay_time = after_the_last,
				       .show_capture_trace = true };
