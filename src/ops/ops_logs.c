// SPDX-License-Identifier: Apache-2.0
#include "ops/ops_logs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/account_csv.h"
#include "base/order.h"
#include "markers/analyses/dispatch.h"
#include "markers/log/launches.h"
#include "ops/host/host_csv.h"
#include "ops/host/host_trace.h"
#include "wire/run_names.h"

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
	struct marker_source s = device_log_source(l->log);

	l->times.wants_core_ends = !l->has_host; /* for per_core_op_to_op_times.csv */
	op_times_read(&l->times, &s);
}

static void detect_runs(struct ops_logs *l, const struct ops_tool *tool)
{
	if (!tool->detect)
		return;
	tool->detect(l);
	if (l->detected.there)
		l->source.times = &l->detected.times;
	l->source.replays = l->detected.replays;
}

void detected_runs_release(struct detected_runs *d)
{
	op_times_release(&d->times);
	vec_release(&d->last_id);
	vec_release(&d->gaps);
	free(d->replays);
	*d = (struct detected_runs){ 0 };
}

/* A file that is not used, or not to its end. */
static void skip(struct ops_logs *l, const struct ttp_err *e, const char *what)
{
	(void)ttp_fail(vec_push(&l->skipped), e->rc, "%s: %s", e->msg, what);
}

/* A pipe by the name of a log would be waited for. */
static void skip_odd(struct ops_logs *l, const char *folder, const struct ops_logs_options *o)
{
	static const char *const names[] = { RUN_HOST_EVENTS, RUN_HOST_ZONES, RUN_DEVICE_LOG,
					     RUN_PERF_REPORT, RUN_NPE,        RUN_OVERHEAD,
					     RUN_ACCOUNT,     RUN_TRACE,      RUN_SPOOL };
	struct buf path = { 0 };
	struct ttp_err e;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool host = i < 2 || i > 6;

		if ((host && (o->trace || o->host || o->device_only)) ||
		    (i == 2 && (o->log || o->open_log)))
			continue;
		path_in(&path, folder, names[i]);
		if (input_is_odd(path.at, &e))
			skip(l, &e, "left out");
	}
	buf_release(&path);
}

/* The host's ops are in the report whatever became of a file of the devices. */
static enum ttp_rc go_on(struct ops_logs *l, enum ttp_rc rc, const struct ttp_err *e)
{
	if (rc && l->has_host && e) {
		skip(l, e, "left out");
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

ORDER_BY(by_device_then_id, struct run_ref, device, id)

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

/* The runtime's report; true when it is short of runs that the host asked for. */
static enum ttp_rc read_runtime_report(struct ops_logs *l, const char *path,
				       const struct ops_tool *tool, bool *short_of_runs,
				       struct ttp_err *e)
{
	enum ttp_rc rc;

	*short_of_runs = false;
	if (!there(path))
		return TTP_OK;
	l->report.trusts_end = tool->trusts_logs;
	rc = perf_report_read(&l->report, path, e);
	l->has_report = !rc;
	l->source.report = l->has_report ? &l->report : NULL;
	*short_of_runs = l->has_report && !tool->trusts_logs &&
			 (l->report.cut || runs_known(&l->host, &l->source) < runs_asked(&l->host));
	return go_on(l, rc, e);
}

static enum ttp_rc open_log(struct ops_logs *l, const char *path, const struct ops_logs_options *o,
			    struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	if (o->open_log)
		l->log = o->open_log;
	else
		rc = o->log ? device_log_open(&l->own_log, path, e)
			    : device_log_open_found(&l->own_log, path, e);
	l->has_log = !rc;
	if (rc)
		return l->has_report ? TTP_OK : rc; /* its numbers are not needed */
	l->log->trusts_end = o->tool->trusts_logs;
	if (l->log->numbered_marks && !o->tool->trusts_logs)
		launches_number(l->log);
	return TTP_OK;
}

static void take_log(struct ops_logs *l, const char *path, const struct ops_tool *tool,
		     bool short_of_runs)
{
	/* beside the runtime's report, the log only adds the sub-devices */
	if (!l->has_report || short_of_runs || str_has(l->log->in.data, STR("sub_device_id")))
		read_markers(l);
	if (short_of_runs && log_has_more(l)) {
		l->report_is_short = true;
		l->has_report = false;
		l->source.report = NULL;
		perf_report_release(&l->report);
	}
	if (tool->trusts_logs)
		return;
	if (l->times.markers)
		log_cut_find(&l->cut, l->log, &l->times, path);
	l->log_is_ours = l->times.markers ? l->cut.is_ours : log_is_ours(l->log, path);
}

static void take_runs(struct ops_logs *l, const struct ops_tool *tool)
{
	l->source.times = &l->times;
	detect_runs(l, tool);
	if (!tool->detect)
		op_times_forget_keys(&l->times); /* runs are found by sorting */
	if (l->has_log && l->times.any_dispatch)
		dispatch_times_add(l->detected.there ? &l->detected.times : &l->times, l->log);
}

static enum ttp_rc read_device(struct ops_logs *l, const char *folder,
			       const struct ops_logs_options *o, struct ttp_err *e)
{
	struct buf path = { 0 }, report = { 0 };
	bool short_of_runs = false;
	enum ttp_rc rc = TTP_OK;

	if (o->log)
		buf_text(&path, o->log);
	else
		path_in(&path, folder, RUN_DEVICE_LOG);
	path_in(&report, folder, RUN_PERF_REPORT);
	l->log_is_there = o->open_log || o->unreadable_log ||
			  (o->log ? !access(o->log, F_OK) : there(path.at));
	if (!o->use_markers && l->has_host)
		rc = read_runtime_report(l, report.at, o->tool, &short_of_runs, e);
	if (!rc && l->log_is_there && !o->unreadable_log) {
		rc = open_log(l, path.at, o, e);
		if (l->has_log)
			take_log(l, o->open_log ? l->log->in.name : path.at, o->tool,
				 short_of_runs);
		rc = go_on(l, rc, e);
	}
	if (!rc && !l->source.report)
		take_runs(l, o->tool);
	buf_release(&path);
	buf_release(&report);
	return rc;
}

static enum ttp_rc read_npe(struct ops_logs *l, const char *folder, struct ttp_err *e)
{
	struct buf path = { 0 };
	enum ttp_rc rc = TTP_OK;

	path_in(&path, folder, RUN_NPE);
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
	static const char *const names[] = { RUN_TRACE, RUN_SPOOL };
	struct str logs = str_of(folder);
	struct buf above = { 0 };
	int n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		path_in(path, folder, names[i]);
		if (there(path->at))
			return true;
	}
	n = newest_spool(folder, path);
	if (!n && str_ends(logs, STR("/" RUN_LOGS_FOLDER))) {
		buf_add(&above, folder, logs.len - strlen("/" RUN_LOGS_FOLDER));
		n = newest_spool(above.at ? above.at : "/", path);
	}
	buf_release(&above);
	if (n > 1)
		log_warn("%s: the newest of %d spools is read; to choose another, rename it to %s",
			 path->at, n, RUN_SPOOL);
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
		rc = host_trace_read(o->inputs, path.at, &l->host, &damaged, e);
		if (!rc && damaged)
			skip(l, e, "ops of the host after that are not in the report");
		l->has_host = !rc;
	}
	buf_release(&path);
	return rc;
}

static enum ttp_rc read_host(struct ops_logs *l, const char *folder,
			     const struct ops_logs_options *o, struct ttp_err *e)
{
	struct buf messages = { 0 }, zones = { 0 }, log = { 0 };
	enum ttp_rc rc = TTP_OK;

	path_in(&messages, folder, RUN_HOST_EVENTS);
	path_in(&zones, folder, RUN_HOST_ZONES);
	path_in(&log, folder, RUN_DEVICE_LOG);
	if (o->host) {
		l->host = *o->host;
		*o->host = (struct host_events){ 0 };
		l->has_host = true;
	} else if (!o->trace) {
		rc = host_events_read(&l->host, messages.at, zones.at, o->tool->trusts_logs,
				      &l->has_host, e);
	}
	if (!rc && !o->host && !l->host.has_messages && !l->host.has_zones)
		rc = read_trace(l, folder, o, e);
	/* what the devices did is worth a report of its own */
	if (rc && !o->trace && there(log.at)) {
		skip(l, e, "left out, the report is of the devices alone");
		rc = TTP_OK;
	}
	l->has_host = l->has_host && l->host.ops.len > 0;
	if (!o->tool->detect)
		host_events_forget_ids(&l->host); /* which only a count of replays needs */
	buf_release(&messages);
	buf_release(&zones);
	buf_release(&log);
	return rc;
}

/* Nothing depends on it: without a good one there is no compensation. */
static void read_cost(struct ops_logs *l, const char *folder, struct inputs *inputs)
{
	struct buf path = { 0 };
	struct ttp_err e;

	path_in(&path, folder, RUN_OVERHEAD);
	if (there(path.at)) {
		l->has_cost = !run_cost_read(&l->cost, inputs, path.at, &e);
		if (!l->has_cost)
			skip(l, &e, "left out, times are not compensated");
	}
	buf_release(&path);
}

/*
 * What was lost, as it was counted where it was.  Beside a log of another writer the file knows only what the host's side lost; the rest of
 * it would be of a run before.
 */
static void read_counted(struct ops_logs *l, const char *folder, const struct ops_logs_options *o)
{
	const char *slash = o->log ? strrchr(o->log, '/') : NULL;
	struct account all = { 0 };
	struct buf path = { 0 };
	struct ttp_err e;
	struct input in;

	if (slash)
		buf_printf(&path, "%.*s/" RUN_ACCOUNT, (int)(slash - o->log), o->log);
	else
		path_in(&path, o->log ? "." : folder, RUN_ACCOUNT);
	if (there(path.at)) {
		if (inputs_open(o->inputs, path.at, NULL, &in, &e)) {
			skip(l, &e, "skipped, what was lost is guessed");
		} else {
			uint64_t bad = account_csv_read(in.data, &all);

			if (bad) {
				(void)ttp_fail(&e, TTP_FORMAT, "%s: %llu row%s can't be read",
					       path.at, (unsigned long long)bad,
					       bad == 1 ? "" : "s");
				skip(l, &e, "what they counted as lost is not in the account");
			}
			input_close(&in);
			l->markers_are_counted = l->log_is_ours;
		}
	}
	vec_each (c, &all.entries)
		if (l->log_is_ours || c->what == ACCOUNT_CLIENT_DROPPED)
			account_add(&l->counted, c->what, c->place, c->count);
	account_release(&all);
	buf_release(&path);
}

/* The host's files, of a run before, beside the device log of a program that ran alone. */
static bool is_of_another(struct ops_logs *l, const char *folder, const struct ops_logs_options *o)
{
	struct buf log = { 0 }, messages = { 0 };
	bool alone = false;
	struct ttp_err e;

	if (o->tool->trusts_logs || o->trace)
		return false;
	path_in(&log, folder, RUN_DEVICE_LOG);
	path_in(&messages, folder, RUN_HOST_EVENTS);
	if (there(messages.at) && there(log.at) && log_is_alone(log.at)) {
		alone = true;
		(void)ttp_fail(
			&e, TTP_FORMAT,
			"%s: of another run than the device log, whose program ran without `ttprof run`",
			messages.at);
		skip(l, &e, "left out, the report is of the devices alone");
	}
	buf_release(&log);
	buf_release(&messages);
	return alone;
}

enum ttp_rc ops_logs_read(struct ops_logs *l, const char *folder, const struct ops_logs_options *o,
			  struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	*l = (struct ops_logs){ .log = &l->own_log };
	skip_odd(l, folder, o);
	if (!o->device_only && !is_of_another(l, folder, o))
		rc = read_host(l, folder, o, e);
	if (!rc)
		host_events_records(&l->host);
	if (!rc)
		rc = read_device(l, folder, o, e);
	if (!rc && o->use_npe)
		rc = read_npe(l, folder, e);
	if (!rc && !o->tool->trusts_logs) {
		read_cost(l, folder, o->inputs);
		read_counted(l, folder, o);
	}
	if (rc) {
		/* what was skipped before is reported all the same */
		struct ops_logs kept = { .log = &l->own_log };

		memcpy(&kept.skipped, &l->skipped, sizeof(kept.skipped));
		memset(&l->skipped, 0, sizeof(l->skipped));
		ops_logs_release(l);
		*l = kept;
	}
	return rc;
}

void ops_logs_release(struct ops_logs *l)
{
	host_events_release(&l->host);
	op_times_release(&l->times);
	log_cut_release(&l->cut);
	detected_runs_release(&l->detected);
	vec_release(&l->skipped);
	if (l->has_report)
		perf_report_release(&l->report);
	if (l->has_npe)
		perf_report_release(&l->npe.table);
	device_log_close(&l->own_log);
	run_cost_release(&l->cost);
	account_release(&l->counted);
	*l = (struct ops_logs){ 0 };
}
