// SPDX-License-Identifier: Apache-2.0
#include "ops/ops_logs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "markers/analyses/dispatch.h"
#include "markers/log/launches.h"
#include "ops/host/host_trace.h"

#define LOG_AREA "ops"
#include "base/log.h"

static void path_in(struct buf *b, const char *folder, const char *name)
{
	buf_clear(b);
	buf_printf(b, "%s/%s", folder, name);
}

static bool there(const char *path)
{
	return !access(path, F_OK) && !input_is_odd(path, NULL);
}

static void read_markers(struct ops_logs *l)
{
	struct marker_source s = device_log_source(&l->log);

	l->times.wants_core_ends = !l->has_host; /* for per_core_op_to_op_times.csv */
	op_times_read(&l->times, &s);
}

/* Runs as the original has them; as ours where it would give up. */
static void detect_as_original(struct ops_logs *l)
{
	if (!l->has_log)
		return;
	if (!runs_are_exact(&l->times) && exact_runs_read(&l->exact, &l->log, &l->times)) {
		l->is_exact =
			!l->has_host || (exact_runs_keep_ids(&l->exact) &&
					 count_replays(&l->exact.times, &l->host, &l->replays));
		if (l->is_exact)
			l->source.times = &l->exact.times;
		else
			exact_runs_release(&l->exact);
	} else if (l->has_host) {
		(void)count_replays(&l->times, &l->host, &l->replays);
	}
	l->source.replays = l->replays;
}

static void leave_out(struct ops_logs *l, const struct ttp_err *e, const char *what)
{
	enum { MOST = sizeof(l->left_out) / sizeof(*l->left_out) };

	if (l->n_left_out < MOST)
		(void)ttp_fail(&l->left_out[l->n_left_out++], e->rc, "%s: %s", e->msg, what);
}

/* A pipe by the name of a log would be waited for. */
static void leave_out_odd(struct ops_logs *l, const char *folder, const struct ops_logs_options *o)
{
	static const char *const names[] = { OPS_LOGS_MESSAGES, OPS_LOGS_ZONES,
					     OPS_LOGS_DEVICE,   OPS_LOGS_PERF_REPORT,
					     OPS_LOGS_NPE,      RUN_COST_FILE,
					     OPS_LOGS_TRACY,    OPS_LOGS_TRACY ".ttpr" };
	struct buf path = { 0 };
	struct ttp_err e;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool host = i < 2 || i > 5;

		if ((host && (o->trace || o->device_only)) || (i == 2 && o->log))
			continue;
		path_in(&path, folder, names[i]);
		if (input_is_odd(path.at, &e))
			leave_out(l, &e, "left out");
	}
	buf_release(&path);
}

/* The host's ops are in the report whatever became of a file of the devices. */
static enum ttp_rc go_on(struct ops_logs *l, enum ttp_rc rc, const struct ttp_err *e)
{
	if (rc && l->has_host && e) {
		leave_out(l, e, "left out");
		return TTP_OK;
	}
	return rc;
}

/* How many runs the host asked for; replays of traces one by one. */
static uint64_t runs_asked(const struct host_events *h)
{
	uint64_t n = 0;

	vec_each (op, &h->ops) {
		const struct host_program *p = host_op_program(h, op);
		const struct host_replays *r =
			p->trace_id < 0 ? NULL : host_replays_find(h, p->device, p->trace_id);

		if (p->device >= 0)
			n += p->trace_id < 0 ? 1 : r ? r->times_ns.len : 0;
	}
	return n;
}

static int by_device_then_id(const void *a, const void *b)
{
	const struct run_ref *l = a, *r = b;

	if (l->device != r->device)
		return l->device < r->device ? -1 : 1;
	return l->id < r->id ? -1 : l->id > r->id;
}

/* How many runs of a source are of ops that the host names. */
static uint64_t runs_known(const struct host_events *h, const struct run_source *s)
{
	struct run_ref *ops = mem_alloc(h->ops.len + 1, sizeof(*ops));
	uint64_t known = 0;

	for (size_t i = 0; i < h->ops.len; i++)
		ops[i] = (struct run_ref){ .id = h->ops.at[i].id,
					   .device = host_op_program(h, &h->ops.at[i])->device };
	qsort(ops, h->ops.len, sizeof(*ops), by_device_then_id);
	for (size_t i = 0; i < run_count(s); i++) {
		struct run_ref run = run_at(s, i);

		known += bsearch(&run, ops, h->ops.len, sizeof(*ops), by_device_then_id) != NULL;
	}
	free(ops);
	return known;
}

/* The runtime's report is short of runs, and the log may have them: then that is taken. */
static bool log_has_more(const struct ops_logs *l)
{
	struct run_source log = { .times = &l->times }, report = { .report = &l->report };
	uint64_t in_log = runs_known(&l->host, &log), in_report = runs_known(&l->host, &report);

	return in_log > in_report || (l->report.cut && in_log == in_report && in_log);
}

static enum ttp_rc read_device(struct ops_logs *l, const char *folder,
			       const struct ops_logs_options *o, struct ttp_err *e)
{
	struct buf path = { 0 }, report = { 0 };
	enum ttp_rc rc = TTP_OK;
	bool short_of_runs = false;

	if (o->log)
		buf_text(&path, o->log);
	else
		path_in(&path, folder, OPS_LOGS_DEVICE);
	path_in(&report, folder, OPS_LOGS_PERF_REPORT);
	l->log_is_there = o->log ? !access(o->log, F_OK) : there(path.at);
	if (!o->use_markers && l->has_host && there(report.at)) {
		l->report.trusts_end = o->original;
		rc = perf_report_read(&l->report, report.at, e);
		l->has_report = !rc;
		rc = go_on(l, rc, e);
		l->source.report = l->has_report ? &l->report : NULL;
		short_of_runs =
			l->has_report && !o->original &&
			(l->report.cut || runs_known(&l->host, &l->source) < runs_asked(&l->host));
	}
	if (!rc && l->log_is_there) {
		rc = o->log ? device_log_open(&l->log, path.at, e)
			    : device_log_open_found(&l->log, path.at, e);
		l->has_log = !rc;
		l->log.trusts_end = o->original;
		if (!rc && l->log.numbered_marks && !o->original)
			launches_number(&l->log);
		/* beside the runtime's report, the log only adds the sub-devices */
		if (!rc && (!l->has_report || short_of_runs ||
			    str_has(l->log.in.data, STR("sub_device_id"))))
			read_markers(l);
		if (!rc && short_of_runs && log_has_more(l)) {
			l->report_is_short = true;
			l->has_report = false;
			l->source.report = NULL;
			perf_report_release(&l->report);
		}
		if (!rc && l->times.markers && !o->original)
			log_cut_find(&l->cut, &l->log, &l->times, path.at);
		if (rc && l->has_report)
			rc = TTP_OK; /* its numbers are not needed */
		rc = go_on(l, rc, e);
	}
	if (!l->source.report) {
		l->source.times = &l->times;
		if (!rc && o->original)
			detect_as_original(l);
		if (!o->original)
			op_times_forget_keys(&l->times); /* runs are found by sorting */
		if (l->has_log && l->times.any_dispatch)
			dispatch_times_add(l->is_exact ? &l->exact.times : &l->times, &l->log);
	}
	buf_release(&path);
	buf_release(&report);
	return rc;
}

static enum ttp_rc read_npe(struct ops_logs *l, const char *folder, struct ttp_err *e)
{
	struct buf path = { 0 };
	enum ttp_rc rc = TTP_OK;

	path_in(&path, folder, OPS_LOGS_NPE);
	if (there(path.at)) {
		rc = perf_report_read(&l->npe.table, path.at, e);
		l->has_npe = !rc;
	}
	buf_release(&path);
	return rc;
}

/* The newest spool of a folder, whatever its name: how many there are. */
static int newest_spool(const char *folder, struct buf *path)
{
	DIR *dir = opendir(folder);
	struct timespec newest = { 0 };
	const struct dirent *entry;
	struct buf name = { 0 };
	struct stat st;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		if (!str_ends(str_of(entry->d_name), STR(".ttpr")))
			continue;
		path_in(&name, folder, entry->d_name);
		if (stat(name.at, &st) || !S_ISREG(st.st_mode))
			continue;
		if (!n++ || st.st_mtim.tv_sec > newest.tv_sec ||
		    (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec > newest.tv_nsec) ||
		    (!memcmp(&st.st_mtim, &newest, sizeof(newest)) &&
		     str_cmp(buf_view(&name), buf_view(path)) < 0)) {
			buf_clear(path);
			buf_str(path, buf_view(&name));
			newest = st.st_mtim;
		}
	}
	if (dir)
		closedir(dir);
	buf_release(&name);
	return n;
}

/* The trace of a run: by the name that captures give it, else the spool that is there, or beside .logs. */
static bool find_trace(const char *folder, struct buf *path)
{
	static const char *const names[] = { OPS_LOGS_TRACY, OPS_LOGS_TRACY ".ttpr" };
	struct str logs = str_of(folder);
	struct buf above = { 0 };
	int n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		path_in(path, folder, names[i]);
		if (there(path->at))
			return true;
	}
	n = newest_spool(folder, path);
	if (!n && str_ends(logs, STR("/.logs"))) {
		buf_add(&above, folder, logs.len - strlen("/.logs"));
		n = newest_spool(above.at ? above.at : "/", path);
	}
	buf_release(&above);
	if (n > 1)
		log_warn("%s: the newest of %d spools is read; to choose another, rename it to %s",
			 path->at, n, OPS_LOGS_TRACY ".ttpr");
	return n > 0;
}

/* Without exports of it, the trace itself. */
static enum ttp_rc read_trace(struct ops_logs *l, const char *folder,
			      const struct ops_logs_options *o, struct ttp_err *e)
{
	struct buf path = { 0 };
	enum ttp_rc rc = TTP_OK;
	bool damaged;

	if (o->trace)
		buf_text(&path, o->trace);
	if (o->trace || find_trace(folder, &path)) {
		rc = host_trace_read(path.at, &l->trace_messages, &l->trace_zones, &damaged, e);
		if (!rc) {
			if (damaged)
				leave_out(l, e, "ops of the host after that are not in the report");
			host_events_add_messages(&l->host, buf_view(&l->trace_messages));
			host_events_add_zones(&l->host, buf_view(&l->trace_zones));
			l->has_host = true;
		}
	}
	buf_release(&path);
	return rc;
}

static enum ttp_rc read_host(struct ops_logs *l, const char *folder,
			     const struct ops_logs_options *o, struct ttp_err *e)
{
	struct buf messages = { 0 }, zones = { 0 }, log = { 0 };
	enum ttp_rc rc = TTP_OK;

	path_in(&messages, folder, OPS_LOGS_MESSAGES);
	path_in(&zones, folder, OPS_LOGS_ZONES);
	path_in(&log, folder, OPS_LOGS_DEVICE);
	if (!o->trace)
		rc = host_events_read(&l->host, messages.at, zones.at, o->original, &l->has_host,
				      e);
	if (!rc && !l->host.has_messages && !l->host.has_zones)
		rc = read_trace(l, folder, o, e);
	/* what the devices did is worth a report of its own */
	if (rc && !o->trace && there(log.at)) {
		leave_out(l, e, "left out, the report is of the devices alone");
		rc = TTP_OK;
	}
	l->has_host = l->has_host && l->host.ops.len > 0;
	if (!o->original)
		host_events_forget_ids(&l->host); /* only the original counts replays */
	buf_release(&messages);
	buf_release(&zones);
	buf_release(&log);
	return rc;
}

/* Nothing depends on it: without a good one there is no compensation. */
static void read_cost(struct ops_logs *l, const char *folder)
{
	struct buf path = { 0 };
	struct ttp_err e;

	path_in(&path, folder, RUN_COST_FILE);
	if (there(path.at)) {
		l->has_cost = !run_cost_read(&l->cost, path.at, &e);
		if (!l->has_cost)
			leave_out(l, &e, "left out, times are not compensated");
	}
	buf_release(&path);
}

/* The host's files, of a run before, beside the device log of a program that ran alone. */
static bool is_of_another(struct ops_logs *l, const char *folder, const struct ops_logs_options *o)
{
	struct buf log = { 0 }, messages = { 0 };
	bool alone = false;
	struct ttp_err e;

	if (o->original || o->trace)
		return false;
	path_in(&log, folder, OPS_LOGS_DEVICE);
	path_in(&messages, folder, OPS_LOGS_MESSAGES);
	if (there(messages.at) && there(log.at) && log_is_alone(log.at)) {
		alone = true;
		(void)ttp_fail(
			&e, TTP_FORMAT,
			"%s: of another run than the device log, whose program ran without `ttprof run`",
			messages.at);
		leave_out(l, &e, "left out, the report is of the devices alone");
	}
	buf_release(&log);
	buf_release(&messages);
	return alone;
}

enum ttp_rc ops_logs_read(struct ops_logs *l, const char *folder, const struct ops_logs_options *o,
			  struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	*l = (struct ops_logs){ 0 };
	leave_out_odd(l, folder, o);
	if (!o->device_only && !is_of_another(l, folder, o))
		rc = read_host(l, folder, o, e);
	if (!rc)
		host_events_records(&l->host);
	if (!rc)
		rc = read_device(l, folder, o, e);
	if (!rc && o->use_npe)
		rc = read_npe(l, folder, e);
	if (!rc && !o->original)
		read_cost(l, folder);
	if (rc) {
		/* what was left out before is told all the same */
		struct ops_logs told = { .n_left_out = l->n_left_out };

		memcpy(told.left_out, l->left_out, sizeof(told.left_out));
		ops_logs_release(l);
		*l = told;
	}
	return rc;
}

void ops_logs_release(struct ops_logs *l)
{
	host_events_release(&l->host);
	buf_release(&l->trace_messages);
	buf_release(&l->trace_zones);
	op_times_release(&l->times);
	log_cut_release(&l->cut);
	exact_runs_release(&l->exact);
	free(l->replays);
	if (l->has_report)
		perf_report_release(&l->report);
	if (l->has_npe)
		perf_report_release(&l->npe.table);
	if (l->has_log)
		device_log_close(&l->log);
	run_cost_release(&l->cost);
	*l = (struct ops_logs){ 0 };
}
