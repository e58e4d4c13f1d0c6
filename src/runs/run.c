// SPDX-License-Identifier: Apache-2.0
#include "runs/run.h"

#include "ops/host/old_ops.h"
#include "ops/ops_make.h"
#include "wire/run_processes.h"

/* Whose devices and programs they are is said beside the log. */
static void find_processes(struct run *r)
{
	size_t slash = str_rfind_char(buf_view(&r->parts.log), '/');
	SCOPED(buf) struct buf folder = { 0 };
	struct ttp_err e, why;

	if (slash == STR_NONE)
		buf_char(&folder, '.');
	else
		buf_str(&folder, str_head(buf_view(&r->parts.log), slash));
	r->processes = run_processes_find(&r->parts.inputs, folder.at, &e);
	if (e.rc) {
		(void)ttp_fail(&why, e.rc,
			       "%s: left out, so that devices with one number are taken for one",
			       e.msg);
		run_parts_left_out(&r->parts, &why);
	}
	r->clocks.processes = r->processes;
}

enum ttp_rc run_open(struct run *r, const char *name, struct ttp_err *e)
{
	*r = (struct run){ 0 };
	TTP_TRY(run_parts_find(&r->parts, name, e));
	if (r->parts.log.len)
		find_processes(r);
	return TTP_OK;
}

void run_close(struct run *r)
{
	host_gaps_release(&r->gaps);
	if (r->has_ops)
		ops_table_release(&r->ops);
	ops_make_release(&r->logs);
	old_ops_free(r->old_ops);
	if (r->has_log)
		device_log_close(&r->log);
	account_release(&r->log_account);
	run_processes_free(r->processes);
	clock_map_release(&r->clocks);
	run_parts_release(&r->parts);
}

/* ---- what the logs say of ops ---- */

static void read_logs(struct run *r, const struct ops_logs_options *o)
{
	struct run_parts *p = &r->parts;
	struct ops_logs *l = &r->logs.logs;
	struct ttp_err e;

	if (ops_make_read(&r->logs, p->logs.len ? p->logs.at : ".", o, UINT64_MAX, &e))
		run_parts_leave_out(p, &e);
	vec_each (why, &l->skipped)
		run_parts_left_out(p, why);
	/* With a trace beside it, it is of a run that had no ops, as any program of the host alone. */
	if (p->host.len && !p->trace.len && !o->trace && !o->device_only && !l->skipped.len &&
	    !l->host.records.len) {
		(void)ttp_fail(&e, TTP_FORMAT, "%s: names no op", p->host.at);
		run_parts_leave_out(p, &e);
	}
}

static void read_of_2023(struct run *r)
{
	struct ttp_err e;

	r->has_logs = !old_ops_read(&r->old_ops, r->parts.old_ops.at, &e);
	if (r->has_logs)
		old_ops_account(r->old_ops, &r->log_account);
	else
		run_parts_leave_out(&r->parts, &e);
}

/* Reads the logs, once; false when they say nothing of ops. */
static bool take_logs(struct run *r)
{
	struct run_parts *p = &r->parts;
	struct ops_logs_options o = { .tool = &ops_tool,
				      .inputs = &p->inputs,
				      .trace = p->trace.len ? p->trace.at : NULL,
				      .device_only = p->alone,
				      .use_markers = p->log.len > 0 };
	struct ttp_err e;

	if (r->logs_asked)
		return r->has_logs;
	r->logs_asked = true;
	if (p->alone && !p->log.len) /* a trace or a report by itself says nothing of its logs */
		return false;
	if (p->old_ops.len) {
		read_of_2023(r);
		return r->has_logs;
	}
	o.open_log = run_log(r, &e);
	o.unreadable_log = !o.open_log && e.rc;
	if (o.unreadable_log)
		run_parts_leave_out(p, &e);
	read_logs(r, &o);
	/* a trace that can't be read, or has no ops: the rest may have them */
	if (o.trace && !r->logs.logs.has_host && (p->host.len || !r->logs.logs.has_log)) {
		ops_make_release(&r->logs);
		o.trace = NULL;
		o.device_only |= !p->host.len;
		o.open_log = run_log(r, &e);
		read_logs(r, &o);
	}
	r->has_logs = ops_make_any(&r->logs);
	if (r->has_logs) /* now: another reading of the log counts its rows anew */
		ops_make_account(&r->logs, &r->log_account);
	return r->has_logs;
}

/* ---- parts ---- */

static void make_ops(struct run *r)
{
	struct ops_rows_table table;

	ops_rows_table_init(&table, &r->ops, "ops of the logs");
	if (r->old_ops)
		old_ops_rows(r->old_ops, &table.rows);
	else
		ops_make_rows(&r->logs, &table.rows);
	ops_rows_table_finish(&table);
	account_merge(&r->ops.files.at[0].account, &r->log_account);
	r->ops.files.at[0].has_account = true;
	r->has_ops = true;
	r->parts.made = true;
}

static bool read_ops(struct run *r, const struct ops_want *want, struct ttp_err *e)
{
	struct input in;

	if (inputs_open(&r->parts.inputs, r->parts.ops.at, input_is_table, &in, e) ||
	    ops_table_read_input(&r->ops, in, want, &ops_rules, e))
		return false;
	return true;
}

const struct ops_table *run_ops(struct run *r, const struct ops_want *want, struct ttp_err *e)
{
	if (!r->ops_asked) {
		r->ops_asked = true;
		r->ops_why.rc = TTP_OK;
		if (r->parts.ops.len)
			r->has_ops = read_ops(r, want, &r->ops_why);
		else if (take_logs(r))
			make_ops(r);
	}
	*e = r->ops_why;
	return r->has_ops ? &r->ops : NULL;
}

struct account *run_account(struct run *r)
{
	if (r->has_ops && r->ops.files.at[0].has_account)
		return &r->ops.files.at[0].account;
	return take_logs(r) ? &r->log_account : NULL;
}

static bool open_log(struct run *r, struct ttp_err *e)
{
	struct input in;

	if (inputs_open(&r->parts.inputs, r->parts.log.at, input_is_table, &in, e) ||
	    device_log_open_input(&r->log, in, e))
		return false;
	r->log.processes = r->processes;
	return true;
}

struct device_log *run_log(struct run *r, struct ttp_err *e)
{
	if (!r->log_asked) {
		r->log_asked = true;
		r->log_why.rc = TTP_OK;
		if (r->parts.log.len)
			r->has_log = open_log(r, &r->log_why);
	} else if (r->has_log) {
		device_log_rewind(&r->log);
	}
	*e = r->log_why;
	return r->has_log ? &r->log : NULL;
}

enum ttp_rc run_trace(struct run *r, struct trace *t, struct ttp_err *e)
{
	struct input in;
	enum ttp_rc rc = inputs_open(&r->parts.inputs, r->parts.trace.at, trace_accepts, &in, e);

	return rc ? rc : trace_open_input(t, in, e);
}
