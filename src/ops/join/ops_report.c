// SPDX-License-Identifier: Apache-2.0
#include "ops/join/ops_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "markers/counters/counter_values.h"
#include "ops/py_text.h"
#include "wire/run_processes.h"

static const char *const more_analyses[] = { "device_kernel_duration_per_core",
					     "device_compute_cb_wait_front",
					     "device_compute_cb_reserve_back",
					     "dispatch_total_cq_cmd_op_time",
					     "dispatch_go_send_wait_time",
					     "perf_counter_data",
					     "op2op" };

static const char *analysis_name(int bit)
{
	return bit < RUN_TIMES ? run_time_info[bit].name : more_analyses[bit - RUN_TIMES];
}

int analysis_bit(struct str name)
{
	for (int i = 0; i < SHOW_ALL_BITS; i++)
		if (str_eq(name, str_of(analysis_name(i))))
			return i;
	return -1;
}

/* One row while it is made; texts stay somewhere until it is written, or here. */
struct row {
	struct ops_value cell[OPS_COLS];
	char noc_core[16], dram_bank[16];
};

static void put(struct row *row, enum ops_col c, struct str s)
{
	row->cell[c] = ops_value_text(s);
}

static void put_i64(struct row *row, enum ops_col c, int64_t v)
{
	row->cell[c] = ops_value_i64(v);
}

static void put_u64(struct row *row, enum ops_col c, uint64_t v)
{
	row->cell[c] = ops_value_u64(v);
}

/* Whole ns, halves to the even. */
static void put_ns(struct row *row, enum ops_col c, double v)
{
	row->cell[c] = ops_value_whole(v);
}

static bool is_empty(const struct row *row, enum ops_col c)
{
	return row->cell[c].kind == CELL_NONE;
}

static double cycles_to_ns(const struct ops_report *r, uint64_t cycles)
{
	return r->freq_mhz > 0 ? (double)cycles * 1000.0 / (double)r->freq_mhz : (double)cycles;
}

/* Cycles per ns as the original has it: a time divided by itself in ns. */
static double ratio_of(const struct ops_report *r, uint64_t cycles)
{
	return cycles ? (double)cycles / cycles_to_ns(r, cycles) : 0;
}

bool ops_report_cycles(const struct ops_report *r, const struct join_row *row,
		       struct row_cycles *out)
{
	const struct perf_report *report = r->source->report;
	const struct op_run *run;
	struct run_entry k, d;

	*out = (struct row_cycles){ 0 };
	if (row->run == OP_NONE)
		return false;
	if (report) {
		const struct perf_row *pr = &report->rows.at[row->run];
		int64_t start, end, ns;

		out->has_kernel = perf_i64(report, pr, PERF_KERNEL_START, &out->kernel_start) &&
				  perf_i64(report, pr, PERF_KERNEL_END, &out->kernel_end);
		out->has_dm = perf_i64(report, pr, PERF_DM_START, &out->dm_start) &&
			      perf_i64(report, pr, PERF_DM_END, &out->dm_end);
		if (perf_i64(report, pr, OPS_FW_START, &start) &&
		    perf_i64(report, pr, OPS_FW_END, &end) &&
		    perf_i64(report, pr, OPS_FW_DURATION, &ns) && end > start && ns)
			out->ns_per_cycle = (double)ns / (double)(end - start);
		return true;
	}
	run = &r->source->times->runs.at[row->run];
	k = r->rules->entry(r->source->times, run, RUN_KERNEL);
	d = r->rules->entry(r->source->times, run, RUN_DM_START);
	out->has_kernel = k.has && (r->analyses >> RUN_KERNEL & 1);
	out->has_dm = d.has && (r->analyses >> RUN_DM_START & 1);
	out->kernel_start = (int64_t)k.start;
	out->kernel_end = (int64_t)k.end;
	out->dm_start = (int64_t)d.start;
	out->dm_end = (int64_t)d.end;
	out->cycles_per_ns = k.has ? ratio_of(r, k.end - k.start) : 0;
	return true;
}

static const struct op_record *record_of(const struct ops_report *r, const struct host_op *op)
{
	uint32_t record = host_op_program(r->host, op)->record;

	return record == HOST_NONE ? NULL : host_record_read(r->host, record);
}

static void put_record(const struct ops_report *r, const struct host_op *op, struct row *row)
{
	const struct host_program *program = host_op_program(r->host, op);
	const struct op_record *rec = record_of(r, op);

	if (rec) {
		vec_each (c, &rec->cells)
			put(row, (enum ops_col)c->column, c->text);
		if (r->rules->all_fidelities && rec->fidelities.len)
			put(row, OPS_MATH_FIDELITY, rec->fidelities);
	}
	if (is_empty(row, OPS_OP_CODE))
		put(row, OPS_OP_CODE, host_op_code(r->host, op));
	if (program->device >= 0 &&
	    (is_empty(row, OPS_DEVICE_ID) || run_has_processes(r->processes)))
		put_i64(row, OPS_DEVICE_ID, program->device);
	if (program->hash && is_empty(row, OPS_PROGRAM_HASH))
		put_u64(row, OPS_PROGRAM_HASH, program->hash);
	if (op->cache_hit >= 0)
		put(row, OPS_CACHE_HIT, op->cache_hit ? STR("True") : STR("False"));
}

static void put_host_times(const struct ops_report *r, const struct join_row *jr,
			   const struct host_op *op, struct row *row)
{
	int64_t exec_ns = host_op_exec_ns(r->host, op);

	if (!op->has_zone && !op->has_message)
		return; /* its times stand for an order */
	if (jr->kind == ROW_REPLAY && !r->rules->replays_have_capture_times) {
		if (jr->replay_is_known)
			put_i64(row, OPS_HOST_START, jr->time_ns);
		return;
	}
	if (!op->has_zone) {
		if (op->has_message)
			put_i64(row, OPS_HOST_START, host_op_message_ns(r->host, op));
		return;
	}
	put_i64(row, OPS_HOST_START, op->start_ns);
	put_i64(row, OPS_HOST_END, (int64_t)((uint64_t)op->start_ns + (uint64_t)exec_ns));
	put_i64(row, OPS_HOST_DURATION, exec_ns);
}

static bool shown(const struct ops_report *r, int bit)
{
	return r->analyses >> bit & 1;
}

static bool is_of_quasar(int run_time)
{
	return run_time >= RUN_QUASAR_DM && run_time <= RUN_TRISC_FW;
}

static void put_run_times(const struct ops_report *r, const struct op_run *run, struct row *row)
{
	const struct op_times *t = r->source->times;
	const struct op_more *more = op_run_more(t, run);
	struct run_cores cores = run_cores(t, run);
	double ratio = ratio_of(r, cores.first);

	put_i64(row, OPS_CORE_COUNT, run_core_count(t, run, r->rules->core_has));
	for (int i = 0; i < RUN_TIMES; i++) {
		struct run_entry e = r->rules->entry(t, run, (enum run_time)i);

		if (!e.has || !shown(r, i) || (r->rules->quasar_from_report && is_of_quasar(i)))
			continue;
		put_ns(row, run_time_info[i].column, cycles_to_ns(r, e.end - e.start));
		if (i == RUN_FW) {
			put_u64(row, OPS_FW_START, e.start);
			put_u64(row, OPS_FW_END, e.end);
		}
	}
	if (cores.cores && shown(r, SHOW_PER_CORE)) {
		put_ns(row, OPS_CORE_MIN, ratio > 0 ? (double)cores.min / ratio : 0);
		put_ns(row, OPS_CORE_MAX, ratio > 0 ? (double)cores.max / ratio : 0);
		put_ns(row, OPS_CORE_AVG, ratio > 0 ? cores.average / ratio : 0);
	}
	if (more && more->cb_wait && shown(r, SHOW_CB_WAIT))
		put_ns(row, OPS_CB_WAIT_FRONT,
		       cycles_to_ns(r, more->cb_wait) /
			       (r->rules->sums_over_cores ? 1 : more->cb_wait_cores));
	if (more && more->cb_reserve && shown(r, SHOW_CB_RESERVE))
		put_ns(row, OPS_CB_RESERVE_BACK,
		       cycles_to_ns(r, more->cb_reserve) /
			       (r->rules->sums_over_cores ? 1 : more->cb_reserve_cores));
	if (more && more->dispatch_cmd && shown(r, SHOW_DISPATCH_CMD))
		put_ns(row, OPS_DISPATCH_CMD, cycles_to_ns(r, more->dispatch_cmd - 1));
	if (more && more->dispatch_wait && shown(r, SHOW_DISPATCH_WAIT))
		put_ns(row, OPS_DISPATCH_WAIT, cycles_to_ns(r, more->dispatch_wait - 1));
	if (r->rules->log_tells_chip) {
		put(row, OPS_DEVICE_ARCH, r->arch);
		if (r->compute_cores > 0)
			put_i64(row, OPS_WORKER_CORES, r->compute_cores);
	}
}

static void put_report_row(const struct ops_report *r, const struct perf_row *pr, struct row *row)
{
	const struct perf_report *p = r->source->report;
	const struct perf_cell *cells;
	size_t n;

	cells = perf_cells(p, pr, &n);
	for (const struct perf_cell *c = cells; c < cells + n; c++) {
		if (c->column == OPS_CORE_COUNT)
			put(row, OPS_CORE_COUNT, c->text);
		else if (c->column < OPS_COLS && c->column != OPS_GLOBAL_CALL_COUNT &&
			 c->column != OPS_DEVICE_ID && c->column != OPS_TRACE_ID &&
			 c->column != OPS_SESSION_ID && c->column != OPS_GAP &&
			 c->column != OPS_GAP_DM && is_empty(row, (enum ops_col)c->column))
			put(row, (enum ops_col)c->column, c->text);
	}
}

static void put_sub_device(const struct ops_report *r, const struct join_row *jr,
			   const struct run_ref *ref, struct row *row)
{
	const struct op_times *t = r->source->times;
	const struct op_more *more;
	int64_t id;

	if (r->sub_devices) {
		if (op_times_sub_device(r->sub_devices, (uint32_t)ref->device, ref->id,
					ref->trace_id, ref->session, &id))
			put_i64(row, OPS_SUB_DEVICE_ID, id);
		return;
	}
	more = t ? op_run_more(t, &t->runs.at[jr->run]) : NULL;
	if (more && more->has_sub_device)
		put_i64(row, OPS_SUB_DEVICE_ID, more->sub_device);
}

/* The core that most of what was moved between cores came from or went to, and how busy its port was. */
static void put_noc(const struct ops_report *r, const struct op_run *run, struct row *row)
{
	enum { PORT_BYTES = 32 }; /* per cycle, each way of each NoC */
	const struct op_times *t = r->source->times;
	const struct op_more *more = op_run_more(t, run);
	const struct noc_load *l = more && more->noc ? &t->noc.at[more->noc - 1] : NULL;
	struct run_entry e = r->rules->entry(t, run, RUN_KERNEL);
	struct noc_port port;
	struct noc_slow_bank bank;

	if (l && noc_load_slowest_bank(l, &bank)) {
		(void)snprintf(row->dram_bank, sizeof(row->dram_bank), "%u-%u", bank.x, bank.y);
		put(row, OPS_DRAM_BANK, str_of(row->dram_bank));
		put_ns(row, OPS_DRAM_BANK_READ, cycles_to_ns(r, (uint64_t)bank.cycles));
		put_ns(row, OPS_DRAM_OTHER_READ, cycles_to_ns(r, (uint64_t)bank.others_cycles));
	}
	if (!l || !noc_load_busiest(l, &port))
		return;
	(void)snprintf(row->noc_core, sizeof(row->noc_core), "%u-%u", port.x, port.y);
	put(row, OPS_NOC_CORE, str_of(row->noc_core));
	put_ns(row, OPS_NOC_CORE_SHARE, 100.0 * (double)port.bytes / (double)l->to_cores);
	if (e.has && e.end > e.start)
		put_ns(row, OPS_NOC_CORE_UTIL,
		       100.0 * (double)port.bytes / PORT_BYTES / (double)(e.end - e.start));
}

/* Network-on-chip figures, where tt-npe has worked them out (docs/reference/formats/npe-results.md). */
static void put_npe(const struct ops_report *r, const struct op_replay *p, const struct host_op *op,
		    struct row *row)
{
	const struct perf_cell *cells = NULL;
	size_t count = 0;

	for (size_t i = 0; r->npe && !cells && i < r->npe->rows.len; i++) {
		const struct perf_row *n = &r->npe->rows.at[i];

		if (n->id == op->id && n->trace_id == p->trace_id && n->session == p->session)
			cells = perf_cells(r->npe, n, &count);
	}
	for (size_t i = 0; i < count; i++)
		if (cells[i].column >= OPS_NOC_UTIL && cells[i].column <= OPS_NPE_CONGESTION)
			put(row, (enum ops_col)cells[i].column, cells[i].text);
}

static void put_utilisation(const struct ops_report *r, const struct host_op *op, struct row *row)
{
	const struct op_record *rec = record_of(r, op);
	double ns;

	if (!rec || isnan(rec->pm_compute) || !ops_value_number(&row->cell[OPS_DURATION], &ns))
		return;
	row->cell[OPS_PM_FPU_UTIL] =
		ops_value_real(ns == 0 ? 0 : py_rounded(100.0 * rec->pm_compute / ns, 3));
}

static int32_t near_gap(double ns)
{
	return isnan(ns) ? GAP_NONE : (int32_t)ns;
}

static bool fits_gap(double ns)
{
	return isnan(ns) || fabs(ns) < GAP_NONE;
}

void ops_report_set_gaps(struct ops_report *r, size_t row, const struct row_gaps *g)
{
	if (fits_gap(g->gap) && fits_gap(g->gap_dm)) {
		r->gaps.at[row] = (struct near_gaps){ near_gap(g->gap), near_gap(g->gap_dm) };
		return;
	}
	r->gaps.at[row] = (struct near_gaps){ GAP_IS_FAR, (int32_t)r->far_gaps.len };
	*vec_push(&r->far_gaps) = *g;
}

static struct row_gaps row_gaps_of(const struct ops_report *r, size_t row)
{
	const struct near_gaps *g = &r->gaps.at[row];

	if (g->gap == GAP_IS_FAR)
		return r->far_gaps.at[g->gap_dm];
	return (struct row_gaps){ g->gap == GAP_NONE ? (double)NAN : g->gap,
				  g->gap_dm == GAP_NONE ? (double)NAN : g->gap_dm };
}

static void put_gap(const struct ops_report *r, const struct join_row *jr, struct row *row,
		    enum ops_col c, double ns)
{
	const struct perf_report *p =
		r->rules->report_tells_gaps && !r->quasar ? r->source->report : NULL;
	struct str own = p ? perf_text(p, &p->rows.at[jr->run], c) : STR("");

	put(row, c, own);
	if (!own.len && !isnan(ns))
		put_ns(row, c, ns);
}

static void put_process(struct row *row, const struct run_process *of)
{
	if (!of)
		return;
	put_i64(row, OPS_PROCESS, of->pid);
	if (of->rank >= 0)
		put_i64(row, OPS_RANK, of->rank);
	put(row, OPS_PROGRAM, str_of(of->program));
}

static void fill_signpost(const struct ops_report *r, const struct join_row *jr, struct row *row)
{
	const struct host_signpost *s = &r->host->signposts.at[jr->host];
	struct str header, message;

	r->rules->signpost(s->text, &header, &message);
	put(row, OPS_OP_CODE, header);
	put(row, OPS_OP_TYPE, STR("signpost"));
	if (message.at)
		put(row, OPS_ATTRIBUTES, message);
	put_i64(row, OPS_HOST_START, s->time_ns);
	if (run_has_processes(r->processes))
		put_process(row, run_process_at(r->processes, RUN_SIGNPOST, s->time_ns));
}

static void fill_op(const struct ops_report *r, size_t index, struct row *row)
{
	const struct join_row *jr = &r->join.rows.at[index];
	const struct host_op *op = &r->host->ops.at[jr->host];
	struct op_replay replay = join_row_replay(&r->join, jr);

	put_record(r, op, row);
	put_u64(row, OPS_GLOBAL_CALL_COUNT, op->id);
	put(row, OPS_TRACE_ID, STR(""));
	if (replay.trace_id >= 0)
		put_i64(row, OPS_TRACE_ID, replay.trace_id);
	if (replay.session >= 0)
		put_i64(row, OPS_SESSION_ID, replay.session);
	put_host_times(r, jr, op, row);
	if (jr->run != OP_NONE) {
		struct run_ref ref = run_at(r->source, jr->run);
		struct row_gaps gaps = row_gaps_of(r, index);

		if (r->source->times)
			put_run_times(r, &r->source->times->runs.at[jr->run], row);
		else
			put_report_row(r, &r->source->report->rows.at[jr->run], row);
		put_sub_device(r, jr, &ref, row);
		put_gap(r, jr, row, OPS_GAP, gaps.gap);
		put_gap(r, jr, row, OPS_GAP_DM, gaps.gap_dm);
		row->cell[OPS_GAP_QUASAR_DM] = row->cell[OPS_GAP];
		row->cell[OPS_GAP_QUASAR_TRISC] = row->cell[OPS_GAP_DM];
	}
	if (r->rules->own_columns && jr->run != OP_NONE && r->source->times)
		put_noc(r, &r->source->times->runs.at[jr->run], row);
	put_npe(r, &replay, op, row);
	put_utilisation(r, op, row);
	if (r->rules->own_columns && op->has_zone)
		put_i64(row, OPS_CALL_DEPTH, op->depth);
	if (run_has_processes(r->processes))
		put_process(row, run_process_of(r->processes, op->id));
}

/* A cell: commas have become semicolons. */
static void write_cell(struct ops_rows *to, struct ops_value v)
{
	SCOPED(buf) struct buf plain = { 0 };

	if (v.kind == CELL_TEXT && memchr(v.text.at, ',', v.text.len)) {
		buf_str(&plain, v.text);
		for (size_t i = 0; i < plain.len; i++)
			if (plain.at[i] == ',')
				plain.at[i] = ';';
		v.text = buf_view(&plain);
	}
	to->cell(to, &v);
}

static const struct host_child *child_of(const struct ops_report *r, uint32_t op, uint32_t name)
{
	const struct host_child *c = r->host->children.at;
	size_t n = r->host->children.len;
	size_t at = order_first(i, n, c[i].op < op || (c[i].op == op && c[i].name < name));

	return at < n && c[at].op == op && c[at].name == name ? &c[at] : NULL;
}

static struct ops_value child_value(const struct ops_report *r, const struct report_column *c,
				    const struct join_row *jr)
{
	const struct host_child *child =
		jr->kind == ROW_SIGNPOST ? NULL : child_of(r, jr->host, c->index);

	if (!child)
		return (struct ops_value){ 0 };
	if (c->kind == COLUMN_CHILD)
		return ops_value_whole((double)child->total_ns);
	if (c->kind == COLUMN_CHILD_COUNT)
		return ops_value_i64(child->count);
	return ops_value_whole((double)child->total_ns / (double)child->count);
}

static struct ops_value counter_value_of(const struct ops_report *r, const struct report_column *c,
					 const struct join_row *jr)
{
	const struct op_run *run;
	struct run_entry kernel;
	double v;

	if (jr->run == OP_NONE)
		return (struct ops_value){ 0 };
	run = &r->source->times->runs.at[jr->run];
	kernel = r->rules->entry(r->source->times, run, RUN_KERNEL);
	if (!counter_value(r->counters, c->index, op_run_device(r->source->times, run), run->run_id,
			   join_row_replay(&r->join, jr).session,
			   kernel.has ? (int64_t)(kernel.end - kernel.start) : 0, &v))
		return (struct ops_value){ 0 };
	return ops_value_real(v);
}

/* The same op in the other run. */
static void find_second(struct ops_report *r, const struct join_row *jr, const struct row *row)
{
	static const enum ops_col keys[] = { OPS_GLOBAL_CALL_COUNT, OPS_TRACE_ID, OPS_SESSION_ID,
					     OPS_DEVICE_ID, OPS_OP_CODE };
	enum { KEYS = sizeof(keys) / sizeof(*keys) };
	struct buf text[KEYS] = { 0 };
	struct str key[KEYS];
	bool found;

	for (int i = 0; i < KEYS; i++) {
		ops_value_print(&row->cell[keys[i]], &text[i]);
		key[i] = buf_view(&text[i]);
	}
	found = second_pass_seek(r->second, key[0], key[1], key[2], key[3], key[4]);
	r->second_missing += !found && jr->run != OP_NONE;
	for (int i = 0; i < KEYS; i++)
		buf_release(&text[i]);
}

/* Without the zones that the kernel which ended last was in. */
static struct ops_value compensated(const struct ops_report *r, const struct join_row *jr)
{
	const struct op_run *run;
	struct run_entry kernel;
	double cycles;

	if (jr->run == OP_NONE)
		return (struct ops_value){ 0 };
	run = &r->source->times->runs.at[jr->run];
	kernel = r->rules->entry(r->source->times, run, RUN_KERNEL);
	cycles = kernel.has ? (double)(kernel.end - kernel.start) : 0;
	if (!kernel.has || r->freq_mhz <= 0)
		return (struct ops_value){ 0 };
	cycles -= op_run_zones(r->source->times, run) *
		  run_cost_of_zone(r->cost, op_run_replay(r->source->times, run).device);
	return ops_value_whole(cycles > 0 ? cycles * 1000.0 / (double)r->freq_mhz : 0.0);
}

/* Of a column that is not one of the fixed ones. */
static struct ops_value further_value(const struct ops_report *r, const struct report_column *c,
				      const struct join_row *jr, const struct op_record *rec)
{
	bool is_op = jr->kind != ROW_SIGNPOST;
	struct str text = { "", 0 };

	switch (c->kind) {
	case COLUMN_FIXED:
		break;
	case COLUMN_INPUT:
		if (rec && c->index < rec->inputs.len)
			text = rec->inputs.at[c->index].part[c->part];
		break;
	case COLUMN_OUTPUT:
		if (rec && c->index < rec->outputs.len)
			text = rec->outputs.at[c->index].part[c->part];
		break;
	case COLUMN_SIZE:
		for (size_t i = 0; rec && i < rec->sizes.len; i++)
			if (rec->sizes.at[i].name == c->index)
				text = rec->sizes.at[i].text;
		break;
	case COLUMN_COUNTER:
		return counter_value_of(r, c, jr);
	case COLUMN_CHILD:
	case COLUMN_CHILD_COUNT:
	case COLUMN_CHILD_AVERAGE:
		return child_value(r, c, jr);
	case COLUMN_OP_INDEX:
		return is_op ? ops_value_u64(jr->host + 1ull) : (struct ops_value){ 0 };
	case COLUMN_STATE:
		text = is_op ? str_of(row_state_text(jr->state)) : text;
		break;
	case COLUMN_SECOND:
		text = is_op ? second_pass_cell(r->second, c->index) : text;
		break;
	case COLUMN_COMPENSATED:
		return compensated(r, jr);
	}
	return ops_value_text(text);
}

static void write_row(struct ops_report *r, const struct report_columns *columns, size_t index,
		      struct ops_rows *to)
{
	const struct join_row *jr = &r->join.rows.at[index];
	const struct host_op *op = jr->kind == ROW_SIGNPOST ? NULL : &r->host->ops.at[jr->host];
	const struct op_record *rec = op ? record_of(r, op) : NULL;
	struct row row;

	memset(row.cell, 0, sizeof(row.cell));
	if (op)
		fill_op(r, index, &row);
	else
		fill_signpost(r, jr, &row);
	if (op && r->second)
		find_second(r, jr, &row);
	vec_each (c, columns)
		write_cell(to, c->kind == COLUMN_FIXED ? row.cell[c->index]
						       : further_value(r, c, jr, rec));
	to->end_row(to);
}

void ops_report_rows(struct ops_report *r, struct ops_rows *to)
{
	SCOPED(report_columns) struct report_columns columns = { 0 };
	struct str *names;

	report_columns_make(&columns, r);
	names = mem_alloc(columns.len + 1, sizeof(*names));
	for (size_t i = 0; i < columns.len; i++)
		names[i] = buf_view(&columns.at[i].name);
	to->columns(to, names, columns.len);
	free(names);
	for (size_t i = 0; i < r->join.rows.len && !to->stop; i++)
		write_row(r, &columns, i, to);
}

static bool has_compute_kernels(const struct ops_report *r, const struct host_op *op)
{
	uint32_t record = host_op_program(r->host, op)->record;

	return record != HOST_NONE && r->host->records.at[record].has_compute;
}

static bool has_compute_times(const struct ops_report *r, uint32_t run)
{
	const struct perf_report *p = r->source->report;

	for (int i = RUN_TRISC0; i <= RUN_TRISC2; i++)
		if (p ? perf_text(p, &p->rows.at[run], run_time_info[i].column).len > 0
		      : r->rules->entry(r->source->times, &r->source->times->runs.at[run],
					(enum run_time)i)
				    .has)
			return true;
	return false;
}

/* Whole rows whose compute kernels left no marker: all those of TRISC were dropped. */
static void find_lost_compute(struct ops_report *r)
{
	vec_each (row, &r->join.rows)
		if (row->state == ROW_WHOLE && row->kind != ROW_SIGNPOST && row->run != OP_NONE &&
		    has_compute_kernels(r, &r->host->ops.at[row->host]) &&
		    !has_compute_times(r, row->run))
			row->state = ROW_NO_COMPUTE;
}

static uint32_t cores_of(const struct ops_report *r, uint32_t run)
{
	const struct perf_report *p = r->source->report;
	int64_t n;

	if (!p)
		return run_core_count(r->source->times, &r->source->times->runs.at[run],
				      CORE_HAS_FW_ZONE);
	return perf_i64(p, &p->rows.at[run], OPS_CORE_COUNT, &n) && n > 0 && n < UINT32_MAX
		       ? (uint32_t)n
		       : 0;
}

/*
 * Runs of one program are on the same cores: one with fewer lost what the others wrote, and one in the last part of a cut
 * log that has them all lost nothing.
 */
static void find_lost_cores(struct ops_report *r)
{
	const struct op_times *t = r->source->times;
	SCOPED(mem) uint32_t *most = mem_zero(r->host->programs.len + 1, sizeof(*most));

	for (int pass = 0; pass < 2; pass++)
		vec_each (row, &r->join.rows) {
			const struct host_op *op;
			uint32_t cores;

			if (row->kind == ROW_SIGNPOST || row->run == OP_NONE)
				continue;
			op = &r->host->ops.at[row->host];
			if (!host_op_program(r->host, op)->hash)
				continue;
			cores = cores_of(r, row->run);
			if (!pass && cores > most[op->program] && row->state != ROW_LOG_CUT)
				most[op->program] = cores;
			else if (pass && cores < most[op->program] && row->state == ROW_WHOLE)
				row->state = ROW_FEWER_CORES;
			else if (pass && cores == most[op->program] && row->state == ROW_LOG_CUT &&
				 !op_run_is_partial(t, &t->runs.at[row->run]))
				row->state = ROW_WHOLE;
		}
}

void ops_report_make(struct ops_report *r)
{
	join_make(&r->join, r->host, r->source, r->rules->join);
	if (r->rules->expects_compute)
		find_lost_cores(r);
	if (r->rules->expects_compute && !r->quasar)
		find_lost_compute(r);
	vec_reserve(&r->gaps, r->join.rows.len);
	r->gaps.len = r->join.rows.len;
	vec_each (g, &r->gaps)
		*g = (struct near_gaps){ GAP_NONE, GAP_NONE };
	r->rules->gaps(r);
}

void ops_report_release(struct ops_report *r)
{
	join_release(&r->join);
	RELEASE(vec, &r->gaps, &r->far_gaps);
}
