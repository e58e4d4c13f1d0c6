// SPDX-License-Identifier: Apache-2.0
/* After a run: the trace, the CSVs, the report, run.json, and what is said of them. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/account_csv.h"
#include "base/json.h"
#include "base/paths.h"
#include "ops/ops_logs.h"
#include "record/run_job.h"
#include "record/run_verbose.h"
#include "record/same_ops.h"
#include "report/report.h"
#include "runs/ops_reports.h"
#include "wire/run_names.h"

/* Which ops of the report are of which process, as src/host/api/run_session.h has it. */
static void write_call_counts(const struct job *j, struct json_writer *w)
{
	FILE *f = fopen(j->ops.at, "re");
	unsigned first, last;
	char line[512];
	long pid;

	json_put_array(w, "call_counts");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "ops %ld %u %u", &pid, &first, &last) != 3) // NOLINT(cert-err34-c)
			continue;
		json_open_object(w);
		json_put_whole(w, "pid", pid);
		json_put_count(w, "first", (uint64_t)first << 10);
		json_write_key(w, STR("last")); /* of its last device */
		json_write_u64(w, (uint64_t)last << 10 | 1023);
		json_close_object(w);
	}
	json_close_array(w);
	if (f)
		(void)fclose(f);
}

static void write_run_json(const struct job *j, const char *dir, const char *report)
{
	struct json_writer w = { .pretty = true };
	struct buf text = { 0 }, path = { 0 };
	struct out_file file;
	struct ttp_err e;

	w.to = &text;
	json_open_object(&w);
	json_put_text(&w, "ttprof", str_of(j->q->version));
	json_put_array(&w, "command");
	for (int i = 0; i < j->q->n_words; i++)
		json_write_str(&w, str_of(j->q->words[i]));
	json_close_array(&w);
	json_put_count(&w, "exit_status", (uint64_t)run_guard_status(&j->guard));
	if (j->result.disk_failed)
		json_put_text(&w, "recording_ended_early", str_of(j->result.error.msg));
	run_window_json(j, &w);
	json_put_text(&w, "report", str_of(report));
	json_put_text(&w, "trace", str_of(j->trace.at));
	if (j->turn == RUN_SECOND) {
		struct buf first = { 0 };

		buf_printf(&first, "%s/%s", dir, RUN_FIRST_TRACE);
		json_put_text(&w, "host_times_of", buf_view(&first));
		buf_release(&first);
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
	if (!out_file_open(&file, path.at, &e)) {
		out_buf(&file.out, &text);
		(void)!out_file_commit(&file, &e);
	}
	buf_release(&text);
	buf_release(&path);
}

/* Beside the report, where users look: what the ops command does not copy. */
static void copy_csvs(const struct console *console, const char *logs, const char *dir)
{
	static const char *const names[] = { RUN_HOST_ZONES, RUN_HOST_EVENTS, RUN_TRACE,
					     RUN_FIRST_TRACE };
	struct buf from = { 0 }, to = { 0 };
	struct ttp_err e;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_clear(&from);
		buf_clear(&to);
		buf_printf(&from, "%s/%s", logs, names[i]);
		buf_printf(&to, "%s/%s", dir, names[i]);
		if (!access(from.at, R_OK) && access(to.at, F_OK) && file_copy(from.at, to.at, &e))
			(void)console_fail(console, &e);
	}
	buf_release(&from);
	buf_release(&to);
}

/* The verdict. */
static void show(const struct run_request *q, struct ops_result *made)
{
	struct ops_table t;
	struct report r;

	ops_result_table(made, &t);
	report_make(&r, &t, &q->verdict);
	report_text(&r, q->console->out);
	report_release(&r);
	ops_table_release(&t);
}

/* Is there anything that an ops report could be made of? */
bool run_has_ops(const struct job *j)
{
	static const char *const devices[] = { RUN_DEVICE_LOG, RUN_PERF_REPORT };
	struct buf path = { 0 };
	bool found = j->host.ops.len > 0;

	for (size_t i = 0; i < 2 && !found; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", j->logs.at, devices[i]);
		found = !access(path.at, F_OK);
	}
	buf_release(&path);
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
	struct buf parent = { 0 };
	time_t now = time(NULL);
	enum ttp_rc rc;

	buf_printf(&parent, "%s/" RUN_REPORTS_FOLDER "%s%s", folder, name ? "/" : "",
		   name ? name : "");
	rc = folder_make(parent.at, e);
	for (int i = 0; !rc; i++, now++) {
		struct tm tm;

		localtime_r(&now, &tm);
		(void)strftime(stamp, 32, "%Y_%m_%d_%H_%M_%S", &tm);
		buf_clear(dir);
		buf_printf(dir, "%s/%s", parent.at, stamp);
		if (!mkdir(dir->at, 0777))
			break;
		if (errno != EEXIST || i == TRIES)
			rc = ttp_fail_errno(e, "%s", dir->at);
	}
	buf_release(&parent);
	return rc;
}

/* A run without ops: who was recorded, and where it is, in a folder that the next run leaves alone. */
void run_tell(struct job *j)
{
	struct buf dir = { 0 };
	struct ttp_err e;
	char date[32];

	vec_each (c, &j->result.clients)
		if (c->recorded)
			out_printf(j->q->console->out,
				   "%s, pid %llu: %llu zone%s, %llu message%s\n", c->program,
				   (unsigned long long)c->pid, (unsigned long long)c->zones,
				   c->zones == 1 ? "" : "s", (unsigned long long)c->messages,
				   c->messages == 1 ? "" : "s");
	if (access(j->trace.at, F_OK))
		return;
	run_window_tell(j);
	if (make_folder(j->folder.at, j->q->name, date, &dir, &e)) {
		(void)console_fail(j->q->console, &e);
	} else {
		copy_csvs(j->q->console, j->logs.at, dir.at);
		write_run_json(j, dir.at, "");
		run_verbose_files(j->q, dir.at);
		out_printf(
			j->q->console->out,
			"no op was run, so there is no ops report; `ttprof info %s/%s` shows the trace\n",
			dir.at, RUN_TRACE);
	}
	buf_release(&dir);
}

/* The runtime's own report has no times per core, so the log, where it is, is read. */
static bool has_device_log(const char *folder)
{
	struct buf path = { 0 };
	bool there;

	buf_printf(&path, "%s/" RUN_LOGS_FOLDER "/%s", folder, RUN_DEVICE_LOG);
	there = !access(path.at, R_OK);
	buf_release(&path);
	return there;
}

/* Did both runs run the same ops?  Otherwise the ids of one mean others in the other. */
static bool same_ops(const struct job *j)
{
	struct buf why = { 0 };
	bool same = run_ops_same(j->first, &j->host, &why);

	if (!same)
		console_warn(
			j->q->console,
			"--two-runs: %s: the two runs did not do the same, so they can't be joined, and host times "
			"are those of the run with devices; %s/%s has those of the other",
			why.at, j->logs.at, RUN_FIRST_TRACE);
	buf_release(&why);
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
				 .tool = &ops_tool,
				 .writes_account = true,
				 .log_option = "device-log" };
	struct ops_result r = { 0 };
	uint64_t analyses;
	struct buf made = { 0 };
	struct ttp_err e;
	char stamp[32];
	int status;

	if (make_folder(folder, q->name, stamp, &made, &e)) {
		buf_release(&made);
		return console_fail(q->console, &e);
	}
	o.stamp = stamp;
	if (j && j->has_host)
		o.host = j->turn == RUN_SECOND && same_ops(j) ? j->first : &j->host;
	status = ops_reports_analyses(&o, &analyses, &e) ? ops_reports_make(&o, analyses, &r)
							 : console_misused(q->console, &e);
	if (status)
		(void)rmdir(made.at); /* if nothing is in it */
	buf_release(&made);
	if (!status && r.path.len) {
		struct buf dir = { 0 }, logs = { 0 };
		const char *slash = strrchr(r.path.at, '/');

		buf_add(&dir, r.path.at, (size_t)(slash - r.path.at));
		buf_printf(&logs, "%s/.logs", folder);
		copy_csvs(q->console, logs.at, dir.at);
		if (j)
			write_run_json(j, dir.at, r.path.at);
		run_verbose_files(q, dir.at);
		if (!q->quiet)
			show(q, &r);
		if (j)
			run_window_tell(j);
		out_printf(q->console->out, "OPs csv generated at: %s\n", r.path.at);
		if (report)
			buf_text(report, r.path.at);
		buf_release(&dir);
		buf_release(&logs);
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
	struct account a = { 0 };
	struct buf path = { 0 };
	struct ttp_err e;

	vec_each (c, &j->result.clients)
		account_add(&a, ACCOUNT_CLIENT_DROPPED, ACCOUNT_ANYWHERE, c->drops);
	capture_warn_drops(j->q->console, &j->result);
	buf_printf(&path, "%s/" RUN_ACCOUNT, j->logs.at);
	if (a.entries.len && account_csv_append(path.at, &a, &e))
		(void)console_fail(j->q->console, &e);
	buf_release(&path);
	account_release(&a);
}

/* The trace and its tables; what fails is reported, the rest is made all the same. */
int run_save(struct job *j)
{
	struct ttp_err e;
	int status = 0;
	bool any = false;

	vec_each (c, &j->result.clients)
		any |= c->recorded;
	if (!any) {
		console_warn(
			j->q->console, "nothing of the host was recorded: %s",
			WIFSIGNALED(j->guard.status)
				? "the program was killed before anything was sent, or has no libttp or Tracy client"
				: "no libttp or Tracy client ran in the program");
		(void)unlink(j->spool.at);
		return 0;
	}
	if (j->result.disk_failed)
		status = console_fail(j->q->console, &j->result.error);
	save_drops(j);
	if (run_outputs(j, &e)) {
		status = console_fail(j->q->console, &e);
		console_warn(
			j->q->console,
			"%s has %s: `ttprof capture -o FILE.tracy --recover %s` makes a trace of it",
			j->spool.at,
			j->result.disk_failed ? "what there was room for" : "all that was recorded",
			j->spool.at);
	} else if (!status) {
		(void)unlink(j->spool.at);
	}
	return status;
}
