// SPDX-License-Identifier: Apache-2.0
#include "ops/ops_logs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/account.h"
#include "base/order.h"
#include "base/paths.h"
#include "markers/analyses/marker_log.h"
#include "markers/log/device_log.h"
#include "ops/host/host_builder.h"
#include "ops/host/host_csv.h"
#include "ops/host/host_trace.h"
#include "wire/run_names.h"
#include "wire/run_processes.h"

#define LOG_AREA "ops"
#include "base/log.h"

/* Files that a folder may have. */
#define LOG_FILE_LIST(X) \
	X(HOST_EVENTS)   \
	X(HOST_ZONES)    \
	X(DEVICE_LOG)    \
	X(PERF_REPORT)   \
	X(NPE)           \
	X(OVERHEAD)      \
	X(ACCOUNT)       \
	X(TRACE)         \
	X(SPOOL)

enum log_file {
#define X(id) FILE_##id,
	LOG_FILE_LIST(X)
#undef X
		LOG_FILES
};

static const char *const file_names[] = {
#define X(id) RUN_##id,
	LOG_FILE_LIST(X)
#undef X
};

struct reading {
	struct ops_logs *l;
	const struct ops_logs_options *o;
	const struct ops_tool *tool;
	const char *folder;
	struct buf path[LOG_FILES];
	struct ttp_err *e;
};

static void path_in(struct buf *b, const char *folder, const char *name)
{
	buf_set(b, "%s/%s", folder, name);
}

static bool there(const struct reading *g, enum log_file f)
{
	return !access(g->path[f].at, F_OK) && !input_is_odd(g->path[f].at, NULL);
}

void detected_runs_release(struct detected_runs *d)
{
	op_times_release(&d->times);
	RELEASE(vec, &d->last_id, &d->gaps);
	free(d->replays);
	*d = (struct detected_runs){ 0 };
}

/* A file that is not used, or not to its end. */
static void skip(struct ops_logs *l, const struct ttp_err *e, const char *what)
{
	(void)ttp_fail(vec_push(&l->skipped), e->rc, "%s: %s", e->msg, what);
}

static void find_processes(const struct reading *g, const char *folder)
{
	struct ttp_err e;

	g->l->processes = run_processes_find(g->o->inputs, folder, &e);
	if (e.rc)
		skip(g->l, &e, "left out, so that devices with one number are taken for one");
}

/* A pipe by the name of a log would be waited for. */
static void skip_odd(const struct reading *g)
{
	const struct ops_logs_options *o = g->o;
	struct ttp_err e;

	for (enum log_file f = 0; f < LOG_FILES; f++) {
		bool host = f <= FILE_HOST_ZONES || f >= FILE_TRACE;

		if ((host && (o->trace || o->host || o->device_only)) ||
		    (f == FILE_DEVICE_LOG && (o->log || o->open_log)))
			continue;
		if (input_is_odd(g->path[f].at, &e))
			skip(g->l, &e, "left out");
	}
}

/* The host's ops are in the report whatever became of a file of the devices. */
static enum ttp_rc go_on(const struct reading *g, enum ttp_rc rc)
{
	if (rc && g->l->has_host && g->e) {
		skip(g->l, g->e, "left out");
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
	SCOPED(mem) struct run_ref *ops = mem_alloc(h->ops.len + 1, sizeof(*ops));
	uint64_t known = 0;

	for (size_t i = 0; i < h->ops.len; i++)
		ops[i] = (struct run_ref){ .id = h->ops.at[i].id,
					   .device = host_op_program(h, &h->ops.at[i])->device };
	qsort(ops, h->ops.len, sizeof(*ops), by_device_then_id);
	for (size_t i = 0; i < run_count(s); i++) {
		struct run_ref run = run_at(s, i);

		known += bsearch(&run, ops, h->ops.len, sizeof(*ops), by_device_then_id) != NULL;
	}
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
static enum ttp_rc read_runtime_report(struct reading *g, bool *short_of_runs)
{
	struct ops_logs *l = g->l;
	enum ttp_rc rc;

	if (!there(g, FILE_PERF_REPORT))
		return TTP_OK;
	l->report.trusts_end = g->tool->trusts_logs;
	rc = perf_report_read(&l->report, g->path[FILE_PERF_REPORT].at, g->e);
	l->has_report = !rc;
	for (size_t i = 0; l->has_report && i < l->report.rows.len; i++) {
		struct perf_row *row = &l->report.rows.at[i];

		if (row->device >= 0)
			row->device = run_chip(l->processes, row->id, (uint32_t)row->device);
	}
	l->source.report = l->has_report ? &l->report : NULL;
	*short_of_runs = l->has_report && !g->tool->trusts_logs &&
			 (l->report.cut || runs_known(&l->host, &l->source) < runs_asked(&l->host));
	return go_on(g, rc);
}

static enum ttp_rc open_log(struct reading *g)
{
	struct ops_logs *l = g->l;
	enum ttp_rc rc = TTP_OK;

	if (g->o->open_log)
		l->log = g->o->open_log;
	else
		rc = g->o->log ? device_log_open(&l->own_log, g->o->log, g->e)
			       : device_log_open_found(&l->own_log, g->path[FILE_DEVICE_LOG].at,
						       g->e);
	l->has_log = !rc;
	if (rc)
		return l->has_report ? TTP_OK : rc; /* its numbers are not needed */
	l->log->trusts_end = g->tool->trusts_logs;
	if (!g->tool->trusts_logs && !l->log->processes)
		l->log->processes = l->processes;
	if (l->log->numbered_marks && !g->tool->trusts_logs)
		launches_number(l->log);
	return TTP_OK;
}

/* Runs that lack markers look whole in the runtime's report: only the log knows. */
static void find_partial(struct ops_logs *l)
{
	struct run_source log = { .times = &l->times };

	for (size_t i = 0; i < l->times.runs.len; i++)
		if (l->times.runs.at[i].is_cut ||
		    op_run_is_partial(&l->times, &l->times.runs.at[i]))
			*vec_push(&l->partial) = run_at(&log, i);
	run_refs_sort(l->partial.at, l->partial.len);
	l->source.partial = l->partial.at;
	l->source.n_partial = l->partial.len;
}

static void take_log(struct reading *g, bool short_of_runs)
{
	struct ops_logs *l = g->l;
	const char *path = l->log->in.name;

	/* beside the runtime's report, the originals take only the sub-devices from the log */
	if (!l->has_report || !g->tool->trusts_logs ||
	    str_has(l->log->in.data, STR("sub_device_id"))) {
		l->times.wants_core_ends = !l->has_host; /* for per_core_op_to_op_times.csv */
		op_times_read(&l->times, l->log);
	}
	if (g->tool->trusts_logs)
		return;
	if (l->times.markers)
		log_cut_find(&l->cut, l->log, &l->times, path);
	l->log_is_ours = l->times.markers ? l->cut.is_ours : log_is_ours(l->log, path);
	if (short_of_runs && log_has_more(l)) {
		l->report_is_short = true;
		l->has_report = false;
		l->source.report = NULL;
		perf_report_release(&l->report);
	}
	if (l->has_report)
		find_partial(l);
}

static void take_runs(struct ops_logs *l, const struct ops_tool *tool)
{
	l->source.times = &l->times;
	if (tool->detect) {
		tool->detect(l);
		if (l->detected.there)
			l->source.times = &l->detected.times;
		l->source.replays = l->detected.replays;
	} else {
		op_times_forget_keys(&l->times); /* runs are found by sorting */
	}
	if (l->has_log && l->times.any_dispatch)
		dispatch_times_add(l->detected.there ? &l->detected.times : &l->times, l->log);
}

/* All that is left of the run is the runtime's report: it names ops, and says how long they took. */
static enum ttp_rc read_report_alone(struct reading *g)
{
	struct ops_logs *l = g->l;
	bool short_of_runs;
	struct host_builder b;
	struct ttp_err e;

	TTP_TRY(read_runtime_report(g, &short_of_runs));
	if (!l->has_report)
		return TTP_OK;
	host_builder_init(&b, &l->host);
	for (size_t i = 0; i < l->report.rows.len; i++) {
		const struct perf_row *row = &l->report.rows.at[i];

		if (row->id && row->device >= 0)
			host_put_run(&b, &(struct host_run){ .id = row->id,
							     .device = row->device,
							     .trace_id = row->trace_id,
							     .session = row->session,
							     .order = (int64_t)i,
							     .name = perf_text(&l->report, row,
									       PERF_OP_NAME) });
	}
	host_builder_finish(&b);
	l->has_host = l->host_is_report = l->host.ops.len > 0;
	if (l->has_host) {
		(void)ttp_fail(&e, TTP_GONE, "%s", g->path[FILE_HOST_EVENTS].at);
		skip(l, &e,
		     "not there: ops have the names and times of " RUN_PERF_REPORT
		     " alone, without the host's times, shapes and attributes");
	}
	return TTP_OK;
}

static enum ttp_rc read_device(struct reading *g)
{
	const struct ops_logs_options *o = g->o;
	struct ops_logs *l = g->l;
	bool short_of_runs = false;
	enum ttp_rc rc = TTP_OK;

	l->log_is_there = o->open_log || o->unreadable_log ||
			  (o->log ? !access(o->log, F_OK) : there(g, FILE_DEVICE_LOG));
	if (!o->use_markers && l->has_host)
		rc = read_runtime_report(g, &short_of_runs);
	else if (!o->device_only && !l->has_host && !l->log_is_there && !o->trace)
		rc = read_report_alone(g);
	if (!rc && l->log_is_there && !o->unreadable_log) {
		rc = open_log(g);
		if (l->has_log)
			take_log(g, short_of_runs);
		rc = go_on(g, rc);
	}
	if (!rc && !l->source.report)
		take_runs(l, g->tool);
	return rc;
}

static enum ttp_rc read_npe(struct reading *g)
{
	enum ttp_rc rc;

	if (!there(g, FILE_NPE))
		return TTP_OK;
	rc = perf_report_read(&g->l->npe, g->path[FILE_NPE].at, g->e);
	g->l->has_npe = !rc;
	return rc;
}

/* The newest spool of a folder, whatever its name: how many there are. */
static int newest_spool(struct ops_logs *l, const char *folder, struct buf *path)
{
	SCOPED(dir) DIR *dir = opendir(folder);
	struct timespec newest = { 0 };
	const struct dirent *entry;
	SCOPED(buf) struct buf name = { 0 };
	struct ttp_err e;
	struct stat st;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		if (!str_ends(str_of(entry->d_name), STR(".ttpr")))
			continue;
		path_in(&name, folder, entry->d_name);
		if (stat(name.at, &st) || !S_ISREG(st.st_mode)) {
			if (!input_is_odd(name.at, &e))
				(void)ttp_fail(&e, TTP_USAGE, "%s: is a directory", name.at);
			skip(l, &e, "left out");
			continue;
		}
		if (!n++ || st.st_mtim.tv_sec > newest.tv_sec ||
		    (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec > newest.tv_nsec) ||
		    (!memcmp(&st.st_mtim, &newest, sizeof(newest)) &&
		     str_cmp(buf_view(&name), buf_view(path)) < 0)) {
			buf_set_str(path, buf_view(&name));
			newest = st.st_mtim;
		}
	}
	return n;
}

/* The trace of a run: by the name that captures give it, else the spool that is there, or beside .logs. */
static bool find_trace(const struct reading *g, struct buf *path)
{
	struct str logs = str_of(g->folder);
	SCOPED(buf) struct buf above = { 0 };
	int n;

	for (enum log_file f = FILE_TRACE; f <= FILE_SPOOL; f++)
		if (there(g, f)) {
			buf_str(path, buf_view(&g->path[f]));
			return true;
		}
	n = newest_spool(g->l, g->folder, path);
	if (!n && str_ends(logs, STR("/" RUN_LOGS_FOLDER))) {
		buf_add(&above, g->folder, logs.len - strlen("/" RUN_LOGS_FOLDER));
		n = newest_spool(g->l, above.at ? above.at : "/", path);
	}
	if (n > 1)
		log_warn("%s: the newest of %d spools is read; to choose another, rename it to %s",
			 path->at, n, RUN_SPOOL);
	return n > 0;
}

/* Without exports of it, the trace itself. */
static enum ttp_rc read_trace(struct reading *g)
{
	struct ops_logs *l = g->l;
	SCOPED(buf) struct buf path = { 0 };
	enum ttp_rc rc = TTP_OK;
	bool damaged;

	if (g->o->trace)
		buf_text(&path, g->o->trace);
	if (g->o->trace || find_trace(g, &path)) {
		rc = host_trace_read(g->o->inputs, path.at, &l->host, &damaged, g->e);
		if (!rc && damaged)
			skip(l, g->e, "ops of the host after that are not in the report");
		l->has_host = !rc;
	}
	return rc;
}

static enum ttp_rc read_host(struct reading *g)
{
	const struct ops_logs_options *o = g->o;
	struct ops_logs *l = g->l;
	enum ttp_rc rc = TTP_OK;

	if (o->host) {
		l->host = *o->host;
		*o->host = (struct host_events){ 0 };
		l->has_host = true;
	} else if (!o->trace) {
		rc = host_events_read(&l->host, g->path[FILE_HOST_EVENTS].at,
				      g->path[FILE_HOST_ZONES].at, g->tool->trusts_logs,
				      l->processes, &l->has_host, g->e);
	}
	if (!rc && !o->host && !l->host.has_messages && !l->host.has_zones)
		rc = read_trace(g);
	/* what the devices did is worth a report of its own */
	if (rc && !o->trace && there(g, FILE_DEVICE_LOG)) {
		skip(l, g->e, "left out, the report is of the devices alone");
		rc = TTP_OK;
	}
	/* published logs often lack the host's times; the runtime's report has those of the devices */
	if (!rc && l->host.has_messages && !o->log && !there(g, FILE_DEVICE_LOG) &&
	    there(g, FILE_PERF_REPORT))
		l->has_host = true;
	l->has_host = l->has_host && l->host.ops.len > 0;
	host_number_chips(&l->host, l->processes);
	if (!g->tool->detect)
		host_events_forget_ids(&l->host); /* which only a count of replays needs */
	return rc;
}

/* Nothing depends on it: without a good one there is no compensation. */
static void read_cost(struct reading *g)
{
	struct ttp_err e;

	if (!there(g, FILE_OVERHEAD))
		return;
	g->l->has_cost = !run_cost_read(&g->l->cost, g->o->inputs, g->path[FILE_OVERHEAD].at, &e);
	if (!g->l->has_cost)
		skip(g->l, &e, "left out, times are not compensated");
}

/*
 * What was lost, as it was counted where it was.  Beside a log of another writer the file knows only what the host's side lost; the rest of
 * it would be of a run before.
 */
static void read_counted(struct reading *g)
{
	struct ops_logs *l = g->l;
	struct buf *path = &g->path[FILE_ACCOUNT];
	const char *log = g->o->log, *slash = log ? strrchr(log, '/') : NULL;
	struct account all = { 0 };
	struct ttp_err e;
	struct input in;
	uint64_t bad;

	if (log) {
		buf_set(path, "%.*s/" RUN_ACCOUNT, slash ? (int)(slash - log) : 1,
			slash ? log : ".");
	}
	if (!there(g, FILE_ACCOUNT))
		return;
	if (inputs_open(g->o->inputs, path->at, NULL, &in, &e)) {
		skip(l, &e, "skipped, what was lost is guessed");
		return;
	}
	bad = account_csv_read(in.data, &all);
	if (bad) {
		(void)ttp_fail(&e, TTP_FORMAT, "%s: %llu row%s can't be read", path->at,
			       (unsigned long long)bad, bad == 1 ? "" : "s");
		skip(l, &e, "what they counted as lost is not in the account");
	}
	input_close(&in);
	l->markers_are_counted = l->log_is_ours;
	vec_each (c, &all.entries)
		if (l->log_is_ours || c->what == ACCOUNT_CLIENT_DROPPED ||
		    c->what == ACCOUNT_PROGRAM_KILLED)
			account_add(&l->counted, c->what, c->place, c->count);
	account_release(&all);
}

/* The host's files, of a run before, beside the device log of a program that ran alone. */
static bool is_of_another(const struct reading *g)
{
	struct ttp_err e;

	if (g->tool->trusts_logs || g->o->trace || !there(g, FILE_HOST_EVENTS) ||
	    !there(g, FILE_DEVICE_LOG) || !log_is_alone(g->path[FILE_DEVICE_LOG].at))
		return false;
	(void)ttp_fail(
		&e, TTP_FORMAT,
		"%s: of another run than the device log, whose program ran without `ttprof run`",
		g->path[FILE_HOST_EVENTS].at);
	skip(g->l, &e, "left out, the report is of the devices alone");
	return true;
}

enum ttp_rc ops_logs_read(struct ops_logs *l, const char *folder, const struct ops_logs_options *o,
			  struct ttp_err *e)
{
	struct reading g = { .l = l, .o = o, .tool = o->tool, .folder = folder, .e = e };
	enum ttp_rc rc = TTP_OK;

	*l = (struct ops_logs){ .log = &l->own_log };
	for (enum log_file f = 0; f < LOG_FILES; f++)
		path_in(&g.path[f], folder, file_names[f]);
	skip_odd(&g);
	if (!o->tool->trusts_logs)
		find_processes(&g, folder);
	if (!o->device_only && !is_of_another(&g))
		rc = read_host(&g);
	if (!rc)
		host_events_records(&l->host);
	if (!rc)
		rc = read_device(&g);
	if (!rc && o->use_npe)
		rc = read_npe(&g);
	if (!rc && !o->tool->trusts_logs) {
		read_cost(&g);
		read_counted(&g);
	}
	for (enum log_file f = 0; f < LOG_FILES; f++)
		buf_release(&g.path[f]);
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
	RELEASE(vec, &l->skipped, &l->partial);
	if (l->has_report)
		perf_report_release(&l->report);
	if (l->has_npe)
		perf_report_release(&l->npe);
	device_log_close(&l->own_log);
	run_cost_release(&l->cost);
	account_release(&l->counted);
	run_processes_free(l->processes);
	*l = (struct ops_logs){ 0 };
}
