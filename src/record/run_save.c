// SPDX-License-Identifier: Apache-2.0
/* After a run: the trace, the CSVs, the report, run.json, and what is said of them. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/account.h"
#include "base/input.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/width.h"
#include "ops/ops_logs.h"
#include "record/run_job.h"
#include "report/report.h"
#include "runs/host_gap_zones.h"
#include "runs/ops_reports.h"
#include "runs/run_clock.h"
#include "wire/run_names.h"

/* Which ops of the report are of which process, as src/host/api/run_session.c has it. */
static void write_call_counts(const struct job *j, struct json_writer *w)
{
	json_put_array(w, "call_counts");
	vec_each (r, &j->processes.programs) {
		const struct run_process *p = &j->processes.all.at[r->process];

		json_open_object(w);
		json_put_whole(w, "pid", p->pid);
		if (p->rank >= 0)
			json_put_whole(w, "rank", p->rank);
		JSON_MEMBERS(w, r, first, last);
		json_close_object(w);
	}
	json_close_array(w);
}

static void write_run_json(const struct job *j, const char *dir, const char *report)
{
	struct json_writer w = { .pretty = true };
	struct utsname machine;
	SCOPED(buf) struct buf text = { 0 }, path = { 0 };
	struct out_file file;
	struct ttp_err e;
	enum ttp_rc rc;

	w.to = &text;
	json_open_object(&w);
	json_put_text(&w, "ttprof", str_of(j->q->version));
	json_put_array(&w, "command");
	for (int i = 0; i < j->q->n_words; i++)
		json_write_str(&w, str_of(j->q->words[i]));
	json_close_array(&w);
	json_put_text(&w, "host", str_of(uname(&machine) ? "" : machine.nodename));
	json_put_whole(&w, "began_s", j->began_s);
	json_put_whole(&w, "ended_s", (int64_t)time(NULL));
	json_put_count(&w, "exit_status", (uint64_t)run_guard_status(&j->guard));
	if (j->result.disk_failed)
		json_put_text(&w, "recording_ended_early", str_of(j->result.error.msg));
	run_window_json(j, &w);
	json_put_text(&w, "report", str_of(report));
	json_put_text(&w, "trace", str_of(j->trace.at));
	if (j->turn == RUN_SECOND) {
		SCOPED(buf) struct buf first = { 0 };

		buf_printf(&first, "%s/%s", dir, RUN_FIRST_TRACE);
		json_put_text(&w, "host_times_of", buf_view(&first));
	}
	json_put_array(&w, "programs");
	vec_each (c, &j->result.clients)
		if (c->recorded)
			capture_client_json(&w, c, NULL);
	json_close_array(&w);
	write_call_counts(j, &w);
	json_close_object(&w);
	buf_char(&text, '\n');
	buf_printf(&path, "%s/" RUN_JSON, dir);
	rc = out_file_open_here(&file, path.at, &e);
	if (!rc) {
		out_buf(&file.out, &text);
		rc = out_file_commit(&file, &e);
	}
	if (rc)
		console_warn(j->q->console, "%s", e.msg);
}

bool run_is_noc_trace(const char *name)
{
	return str_starts(str_of(name), STR(RUN_NOC_TRACE)) && str_ends(str_of(name), STR(".json"));
}

static void copy_log(const struct console *console, const char *logs, const char *dir,
		     const char *name)
{
	SCOPED(buf) struct buf from = { 0 }, to = { 0 };
	struct ttp_err e;

	buf_printf(&from, "%s/%s", logs, name);
	buf_printf(&to, "%s/%s", dir, name);
	if (!access(from.at, R_OK) && access(to.at, F_OK) && file_copy(from.at, to.at, &e))
		(void)console_fail(console, &e);
}

/* One per program, and what tt-npe wants beside them. */
static void copy_noc_traces(const struct console *console, const char *logs, const char *dir)
{
	SCOPED(dir) DIR *all = opendir(logs);
	const struct dirent *d;
	bool any = false;

	while (all && (d = readdir(all))) { // NOLINT(concurrency-mt-unsafe)
		if (run_is_noc_trace(d->d_name)) {
			copy_log(console, logs, dir, d->d_name);
			any = true;
		}
	}
	if (any) {
		copy_log(console, logs, dir, RUN_NOC_CLUSTER);
		copy_log(console, logs, dir, RUN_NOC_TOPOLOGY);
	}
}

/* Beside the report, where users look, and where the next run removes nothing: what the ops command does not copy. */
static void copy_logs(const struct console *console, const char *logs, const char *dir)
{
	static const char *const names[] = {
		RUN_HOST_ZONES, RUN_HOST_EVENTS, RUN_TRACE,     RUN_FIRST_TRACE,     RUN_SYNC,
		RUN_OVERHEAD,   RUN_ACCOUNT,     RUN_PROCESSES, RUN_DEVICE_LOG_STATE
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		copy_log(console, logs, dir, names[i]);
	copy_noc_traces(console, logs, dir);
}

/* The verdict. */
static void show(const struct run_request *q, const struct job *j, struct ops_result *made)
{
	struct report_options o = q->verdict;
	struct host_gaps gaps = { 0 };
	struct ops_table t;
	struct trace trace;
	struct report r;
	struct ttp_err e;

	ops_result_table(made, &t);
	host_gaps_find(&gaps, &t);
	/* without a trace that can be read the gaps are still gaps */
	if (j && gaps.all.len && !access(j->trace.at, R_OK) &&
	    !trace_open(&trace, j->trace.at, &e)) {
		gaps.known &= !host_gaps_read(&gaps, &trace, &e);
		trace_close(&trace);
	}
	o.calls.host = &gaps;
	if (j) {
		SCOPED(buf) struct buf path = { 0 };

		buf_printf(&path, "%s/" RUN_OVERHEAD, j->logs.at);
		o.clock_note = run_clock_note_of_file(path.at);
	}
	report_make(&r, &t, &o);
	report_text(&r, q->console->out);
	report_release(&r);
	host_gaps_release(&gaps);
	ops_table_release(&t);
}

/* Is there anything that an ops report could be made of? */
bool run_has_ops(const struct job *j)
{
	static const char *const devices[] = { RUN_DEVICE_LOG, RUN_PERF_REPORT };
	SCOPED(buf) struct buf path = { 0 };
	bool found = j->host.ops.len > 0;

	for (size_t i = 0; i < 2 && !found; i++) {
		buf_set(&path, "%s/%s", j->logs.at, devices[i]);
		found = !access(path.at, F_OK);
	}
	return found;
}

/*
 * A folder of its own for each run: reports/[NAME/]TIME.  Where that is taken, by a run that ended in the same second, it is
 * the next second, so that names stay what tools look for, in the order of the runs.
 */
static enum ttp_rc make_folder(const char *folder, const char *name, char stamp[32],
			       struct buf *dir, struct ttp_err *e)
{
	enum { TRIES = 1000 };
	SCOPED(buf) struct buf parent = { 0 };
	time_t now = time(NULL);
	enum ttp_rc rc;

	buf_printf(&parent, "%s/" RUN_REPORTS_FOLDER "%s%s", folder, name ? "/" : "",
		   name ? name : "");
	rc = folder_make(parent.at, e);
	for (int i = 0; !rc; i++, now++) {
		struct tm tm;

		localtime_r(&now, &tm);
		(void)strftime(stamp, 32, "%Y_%m_%d_%H_%M_%S", &tm);
		buf_set(dir, "%s/%s", parent.at, stamp);
		if (!mkdir(dir->at, 0700))
			break;
		if (errno != EEXIST || i == TRIES)
			rc = ttp_fail_errno(e, "%s", dir->at);
	}
	return rc;
}

/* Of a program that was killed nobody knows what it would have run; of the second of two runs, the first one does. */
static void tell_no_ops(const struct job *j)
{
	size_t before = j->turn == RUN_SECOND && j->first ? j->first->ops.len : 0;
	struct out *out = j->q->console->out;

	if (!WIFSIGNALED(j->guard.status) && !before) {
		out_text(out, "no op was run, so there is no ops report; ");
		return;
	}
	out_text(out, "no op was recorded");
	if (WIFSIGNALED(j->guard.status))
		out_text(out, " before the program was killed");
	if (before)
		out_printf(out, ", where the run without devices had %zu", before);
	out_text(out, ", so there is no ops report; ");
}

/* A run without ops: who was recorded, and where it is, in a folder that the next run leaves alone. */
void run_tell(struct job *j)
{
	SCOPED(buf) struct buf dir = { 0 };
	struct ttp_err e;
	char date[32];

	vec_each (c, &j->result.clients) {
		struct buf line = { 0 };

		if (!c->recorded)
			continue;
		width_clean(&line, str_of(c->program));
		buf_printf(&line, ", pid %llu: %llu zone%s, %llu message%s\n",
			   (unsigned long long)c->pid, (unsigned long long)c->zones,
			   c->zones == 1 ? "" : "s", (unsigned long long)c->messages,
			   c->messages == 1 ? "" : "s");
		out_buf(j->q->console->out, &line);
		buf_release(&line);
	}
	if (access(j->trace.at, F_OK))
		return;
	run_window_tell(j);
	if (make_folder(j->folder.at, j->q->name, date, &dir, &e)) {
		(void)console_fail(j->q->console, &e);
	} else {
		copy_logs(j->q->console, j->logs.at, dir.at);
		write_run_json(j, dir.at, "");
		run_verbose_files(j->q, dir.at);
		tell_no_ops(j);
		out_printf(j->q->console->out,
			   "`ttprof report %s` says where the host's time went\n", dir.at);
	}
}

/* The runtime's own report has no times per core, so the log, where it is, is read. */
static bool has_device_log(const char *folder)
{
	SCOPED(buf) struct buf path = { 0 };

	buf_printf(&path, "%s/" RUN_LOGS_FOLDER "/%s", folder, RUN_DEVICE_LOG);
	return !access(path.at, R_OK);
}

/* Did both runs run the same ops?  Otherwise the ids of one mean others in the other. */
static bool same_ops(const struct job *j)
{
	SCOPED(buf) struct buf why = { 0 };
	bool same = run_ops_same(j->first, &j->host, &why);

	if (!same)
		console_warn(
			j->q->console,
			"--two-runs: %s: the two runs did not do the same, so they can't be joined, and host times "
			"are those of the run with devices; %s/%s has those of the other",
			why.at, j->logs.at, RUN_FIRST_TRACE);
	return same;
}

int run_make_report(const struct run_request *q, const char *folder, struct job *j,
		    struct buf *report)
{
	struct ops_request o = { .console = q->console,
				 .folder = folder,
				 .name = q->name,
				 .date = true,
				 .keep_logs = true,
				 .use_markers = has_device_log(folder),
				 .analyses = q->analyses,
				 .analyses_need_log = q->analyses_need_log,
				 .tool = &ops_tool,
				 .writes_account = true,
				 .log_option = "device-log" };
	struct ops_result r = { 0 };
	uint64_t analyses;
	SCOPED(buf) struct buf made = { 0 };
	struct ttp_err e;
	char stamp[32];
	int status;

	if (make_folder(folder, q->name, stamp, &made, &e))
		return console_fail(q->console, &e);
	o.stamp = stamp;
	if (j && j->has_host)
		o.host = j->turn == RUN_SECOND && same_ops(j) ? j->first : &j->host;
	status = ops_reports_analyses(&o, &analyses, &e) ? ops_reports_make(&o, analyses, &r)
							 : console_misused(q->console, &e);
	if (status)
		(void)rmdir(made.at); /* if nothing is in it */
	if (!status && r.path.len) {
		SCOPED(buf) struct buf dir = { 0 }, logs = { 0 };
		const char *slash = strrchr(r.path.at, '/');

		buf_add(&dir, r.path.at, (size_t)(slash - r.path.at));
		buf_printf(&logs, "%s/.logs", folder);
		copy_logs(q->console, logs.at, dir.at);
		if (j)
			write_run_json(j, dir.at, r.path.at);
		run_manifest_write(q->console, dir.at, r.path.at);
		run_verbose_files(q, dir.at);
		if (!q->quiet)
			show(q, j, &r);
		if (j)
			run_window_tell(j);
		out_printf(q->console->out, "OPs csv generated at: %s\n", r.path.at);
		if (report)
			buf_text(report, r.path.at);
	}
	ops_result_release(&r);
	return status;
}

int run_report(const struct run_request *q, const char *folder)
{
	return run_make_report(q, folder, NULL, NULL);
}

/* What the clients counted as dropped, for the account of the run. */
static void save_drops(const struct job *j)
{
	SCOPED(account) struct account a = { 0 };
	SCOPED(buf) struct buf path = { 0 };
	struct ttp_err e;

	vec_each (c, &j->result.clients)
		account_add(&a, ACCOUNT_CLIENT_DROPPED, ACCOUNT_ANYWHERE, c->drops);
	/* it says what became of devices that were profiled */
	if (WIFSIGNALED(j->guard.status) && !j->q->no_device)
		account_add(&a, ACCOUNT_PROGRAM_KILLED, ACCOUNT_ANYWHERE, 1);
	buf_printf(&path, "%s/" RUN_ACCOUNT, j->logs.at);
	if (a.entries.len && account_csv_append(path.at, &a, &e))
		(void)console_fail(j->q->console, &e);
}

/* Whose devices and programs are whose; a run of one process needs no file for that. */
static void read_processes(struct job *j)
{
	struct input in;
	struct str rest, line;
	struct ttp_err e;

	if (input_open(&in, j->ops.at, &e))
		return;
	rest = in.data;
	while (str_split(&rest, '\n', &line))
		run_processes_take(&j->processes, line);
	input_close(&in);
	run_processes_finish(&j->processes);
}

static void put_processes(struct job *j)
{
	SCOPED(buf) struct buf path = { 0 }, text = { 0 };
	struct out_file file;
	struct ttp_err e;

	if (j->processes.all.len < 2 || !j->processes.devices.len)
		return;
	run_processes_put(&j->processes, &text);
	buf_printf(&path, "%s/" RUN_PROCESSES, j->logs.at);
	if (out_file_open_here(&file, path.at, &e)) {
		console_warn(j->q->console, "%s", e.msg);
		return;
	}
	out_buf(&file.out, &text);
	if (out_file_commit(&file, &e))
		console_warn(j->q->console, "%s", e.msg);
}

/* The program may have removed the folder that it was to write to: what the host recorded is still open. */
static void make_folder_again(const struct job *j)
{
	struct ttp_err e;

	if (rescue_has_folder(j->spool.at))
		return;
	if (folder_make(j->logs.at, &e))
		console_warn(j->q->console, "%s", e.msg);
	else
		console_warn(j->q->console,
			     "%s was removed while the program ran: it is made again, and has what "
			     "the host recorded; what devices had written there is gone",
			     j->logs.at);
}

/* No trace could be made: the spool is what there is. */
static void keep_spool(struct job *j)
{
	SCOPED(buf) struct buf saved = { 0 };

	(void)fdatasync(j->spool_fd);
	if (!spool_has_name(j->spool_fd)) {
		if (!spool_rescue(j->spool_fd, j->spool.at, &saved)) {
			console_warn(j->q->console,
				     "%s was removed, and there is no space for a copy anywhere: "
				     "what was recorded is lost",
				     j->spool.at);
			return;
		}
		buf_set_str(&j->spool, buf_view(&saved));
	}
	console_warn(j->q->console,
		     "%s has %s: `ttprof capture -o FILE.tracy --recover %s` makes a trace of it",
		     j->spool.at,
		     j->result.disk_failed ? "what there was room for" : "all that was recorded",
		     j->spool.at);
}

/* The trace and its tables; what fails is reported, the rest is made all the same. */
int run_save(struct job *j)
{
	struct ttp_err e;
	int status = 0;
	bool any = false;

	read_processes(j);
	capture_warn_refused(j->q->console, &j->result);
	vec_each (c, &j->result.clients)
		any |= c->recorded;
	if (!any) {
		console_warn(
			j->q->console, "nothing of the host was recorded: %s",
			j->result.clients.len > j->request.n_addresses
				? "a client announced itself and was gone before it could be reached: does the program close descriptors that it did not open?"
			: WIFSIGNALED(j->guard.status)
				? "the program was killed before anything was sent, or has no libttp or Tracy client"
				: "no libttp or Tracy client was heard of");
		(void)unlink(j->spool.at);
		put_processes(j);
		return 0;
	}
	if (j->result.disk_failed)
		status = console_fail(j->q->console, &j->result.error);
	make_folder_again(j);
	save_drops(j);
	if (run_outputs(j, &e)) {
		status = console_fail(j->q->console, &e);
		capture_warn_drops(j->q->console,
				   &j->result); /* else the trace says it, and when */
		keep_spool(j);
	} else if (!status) {
		(void)unlink(j->spool.at);
	}
	put_processes(j);
	return status;
}
