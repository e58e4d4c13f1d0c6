// SPDX-License-Identifier: Apache-2.0
#include "runs/run_ops.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "base/out.h"
#include "ops/account_json.h"
#include "ops/host/old_ops.h"
#include "ops/join/device_only.h"
#include "ops/ops_logs.h"

/* A report in memory: a file without a name, which readers of files can open by its number. */
static bool made_open(struct out *to)
{
	int fd = memfd_create("ops report", MFD_CLOEXEC);

	if (fd < 0)
		return false;
	out_init(to, fd, "the ops report");
	return true;
}

static void made_close(struct run_parts *p, struct out *to)
{
	int fd = to->fd;
	struct ttp_err e;

	if (out_finish(to, &e)) {
		run_parts_leave_out(p, &e);
		(void)close(fd);
		return;
	}
	p->made = true;
	p->made_fd = fd;
	buf_clear(&p->ops);
	buf_printf(&p->ops, "/proc/self/fd/%d", fd);
}

/* As `ttprof ops`: the same rules, and counters where the log has them. */
static void write_report(struct ops_logs *l, struct ops_report *r, struct out *to)
{
	struct counter_table *counters =
		l->source.times ? counter_table_new(&l->times, COUNTERS_OURS, l->log.compute_cores)
				: NULL;

	if (l->has_host) {
		r->counters = counters;
		ops_report_write(r, to);
		r->counters = NULL;
	} else {
		struct device_only d = { .times = l->source.times,
					 .sub_devices = &l->times,
					 .exact = l->is_exact ? &l->exact : NULL,
					 .freq_mhz = l->log.freq_mhz,
					 .compute_cores = l->log.compute_cores,
					 .arch = l->log.arch,
					 .rules = &report_rules,
					 .analyses = UINT64_MAX,
					 .counters = counters };

		device_only_make(&d);
		device_only_write(&d, to);
		device_only_release(&d);
	}
	counter_table_free(counters);
}

static bool make_of_2023(struct run_parts *p, struct account *account)
{
	struct old_ops *o = NULL;
	struct ttp_err e;
	struct out to;
	size_t timed, n;

	if (old_ops_read(&o, p->old_ops.at, &e)) {
		run_parts_leave_out(p, &e);
		return false;
	}
	if (!p->ops.len && made_open(&to)) {
		old_ops_write(o, &to);
		made_close(p, &to);
	}
	n = old_ops_count(o, &timed);
	account_add(account, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, n);
	account_add(account, ACCOUNT_TIMED, ACCOUNT_ANYWHERE, timed);
	if (n > timed)
		account_add(account, ACCOUNT_NO_DEVICE_TIME, ACCOUNT_ANYWHERE, n - timed);
	old_ops_free(o);
	return true;
}

static void read_logs(struct run_parts *p, struct ops_logs *l, const struct ops_logs_options *o)
{
	struct ttp_err e;

	if (ops_logs_read(l, p->logs.len ? p->logs.at : ".", o, &e))
		run_parts_leave_out(p, &e);
	for (int i = 0; i < l->n_left_out; i++)
		run_parts_left_out(p, &l->left_out[i]);
	/* With a trace beside it, it is of a run that had no ops, as any program of the host alone. */
	if (p->host.len && !p->trace.len && !o->trace && !o->device_only && !l->n_left_out &&
	    !l->host.records.len) {
		(void)ttp_fail(&e, TTP_FORMAT, "%s: names no op", p->host.at);
		run_parts_leave_out(p, &e);
	}
}

/* False when the logs say nothing of ops. */
static bool make_of_logs(struct run_parts *p, struct account *account)
{
	struct ops_logs_options o = { .trace = p->trace.len ? p->trace.at : NULL,
				      .log = p->log.len ? p->log.at : NULL,
				      .device_only = p->alone,
				      .use_markers = p->log.len > 0 };
	struct ops_report report = { 0 };
	struct ops_logs l = { 0 };
	struct out to;
	bool any;

	read_logs(p, &l, &o);
	/* a trace that can't be read, or has no ops: the rest may have them */
	if (o.trace && !l.has_host && (p->host.len || !l.has_log)) {
		ops_logs_release(&l);
		o.trace = NULL;
		o.device_only |= !p->host.len;
		read_logs(p, &l, &o);
	}
	any = l.has_host || l.has_log;
	if (any) {
		report = (struct ops_report){ .rules = &report_rules,
					      .host = &l.host,
					      .source = &l.source,
					      .sub_devices = l.has_report ? &l.times : NULL,
					      .freq_mhz = l.log.freq_mhz,
					      .compute_cores = l.log.compute_cores,
					      .arch = l.log.arch,
					      .quasar = l.has_log &&
							str_has(l.log.arch, STR("quasar")),
					      .analyses = UINT64_MAX,
					      .npe = l.has_npe ? &l.npe : NULL,
					      .cost = l.has_cost ? &l.cost : NULL };
		if (l.has_host)
			ops_report_make(&report);
		if (!p->ops.len && made_open(&to)) {
			write_report(&l, &report, &to);
			made_close(p, &to);
			p->unnamed = p->made && !l.host.records.len;
		}
		ops_logs_account(&l, l.has_host ? &report : NULL, account);
		if (l.has_host)
			ops_report_release(&report);
	}
	ops_logs_release(&l);
	return any;
}

void run_ops_make(struct run_parts *p, struct buf *account_json)
{
	struct json_writer w = { .to = account_json };
	struct account account = { 0 };
	bool any;

	if (p->ops.len && !account_json)
		return;
	if (p->alone &&
	    !p->log.len) /* a trace or a report by itself says nothing of its run's logs */
		return;
	any = p->old_ops.len ? make_of_2023(p, &account) : make_of_logs(p, &account);
	if (any && account_json)
		account_json_write(&w, &account);
	account_release(&account);
}
