// SPDX-License-Identifier: Apache-2.0
#include "runs/ops_reports.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/json.h"
#include "base/paths.h"
#include "markers/analyses/analyses.h"
#include "ops/account_json.h"
#include "ops/host/old_ops.h"
#include "ops/join/ops_report.h"
#include "runs/profiler_folder.h"
#include "runs/run.h"
#include "runs/run_files.h"
#include "wire/run_names.h"

/* The folder with the files: FOLDER/.logs, or FOLDER itself when that has them. */
static void logs_folder(const char *folder, struct buf *path)
{
	static const char *const names[] = { RUN_DEVICE_LOG, RUN_HOST_EVENTS, RUN_PERF_REPORT };

	buf_printf(path, "%s/" RUN_LOGS_FOLDER, folder);
	if (access(path->at, F_OK)) {
		SCOPED(buf) struct buf file = { 0 };
		bool here = false;

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			buf_set(&file, "%s/%s", folder, names[i]);
			here |= !access(file.at, F_OK);
		}
		if (here) {
			buf_set_str(path, str_of(folder));
		}
	}
}

/* reports/[NAME/][DATE/], and "_NAME_DATE" for the files. */
static void report_names(const struct ops_request *q, const char *folder, struct buf *dir,
			 struct buf *suffix)
{
	char date[32];

	date_text(date);
	if (q->stamp)
		(void)snprintf(date, sizeof(date), "%s", q->stamp);
	if (q->into)
		buf_text(dir, q->into);
	else
		buf_printf(dir, "%s/" RUN_REPORTS_FOLDER, folder);
	if (q->name) {
		buf_printf(suffix, "_%s", q->name);
		buf_printf(dir, "/%s", q->name);
	}
	if (q->date) {
		buf_printf(suffix, "_%s", date);
		buf_printf(dir, "/%s", date);
	}
	path_absolute(dir);
}

static bool analysis_is_known(const char *name)
{
	for (const struct analysis *a = setup_default_analyses(); a->name; a++)
		if (!strcmp(a->name, name))
			return true;
	return false;
}

static bool has_runtime_report(const struct ops_request *q)
{
	SCOPED(buf) struct buf folder = { 0 }, path = { 0 };

	if (q->folder)
		buf_text(&folder, q->folder);
	else
		profiler_folder(&folder);
	logs_folder(folder.at, &path);
	buf_text(&path, "/" RUN_PERF_REPORT);
	return !access(path.at, F_OK);
}

bool ops_reports_analyses(const struct ops_request *q, uint64_t *mask, struct ttp_err *e)
{
	*mask = q->analyses.len ? 0 : UINT64_MAX;
	if (q->analyses.len && q->analyses_need_log && !q->device_only && has_runtime_report(q)) {
		*mask = UINT64_MAX;
		return true;
	}
	for (size_t i = 0; i < q->analyses.len; i++) {
		int bit = analysis_bit(str_of(q->analyses.at[i]));

		if (bit < 0 && analysis_is_known(q->analyses.at[i]))
			continue; /* of cores and devices: no column of an op */
		if (bit < 0) {
			(void)ttp_fail(e, TTP_USAGE, "%s is not calculated in device analysis",
				       q->analyses.at[i]);
			return false;
		}
		*mask |= 1ull << bit;
	}
	return true;
}

/* Runtime files that stay with the report. */
static enum ttp_rc copy_logs(const char *logs, const char *dir, bool device_only, struct ttp_err *e)
{
	static const char *const names[] = { RUN_DEVICE_LOG, RUN_TRACE };
	SCOPED(buf) struct buf from = { 0 }, to = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (size_t i = 0; i < (device_only ? 1 : 2) && !rc; i++) {
		buf_clear(&from);
		buf_clear(&to);
		buf_printf(&from, "%s/%s", logs, names[i]);
		buf_printf(&to, "%s/%s", dir, names[i]);
		/* what is no file was skipped, and reported, when it was read */
		if (path_is_file(from.at))
			rc = file_copy(from.at, to.at, e);
	}
	return rc;
}

typedef void write_fn(void *what, struct out *to);

/* A name that was asked for may be a link, a pipe, or a descriptor; one of ours is not. */
static enum ttp_rc open_file(struct out_file *f, const struct ops_request *q, const char *path,
			     struct ttp_err *e)
{
	enum ttp_rc rc = q->to ? out_file_open(f, path, e) : out_file_open_here(f, path, e);

	f->keeps = true;
	return rc;
}

static enum ttp_rc write_file(const struct ops_request *q, const char *path, write_fn *fn,
			      void *what, struct ttp_err *e)
{
	struct out_file f;

	TTP_TRY(open_file(&f, q, path, e));
	fn(what, &f.out);
	return out_file_commit(&f, e);
}

static void write_ops(void *what, struct out *to)
{
	struct ops_rows_csv csv;

	ops_rows_csv_init(&csv, to);
	ops_make_rows(what, &csv.rows);
	ops_rows_csv_finish(&csv);
}

static void write_per_core(void *what, struct out *to)
{
	device_only_write_gaps(what, to);
}

static void print_counters(struct ops_make *m, struct out *to)
{
	const struct op_times *t = &m->logs.times;

	for (size_t i = 0; m->counters && i < t->devices.len; i++) {
		uint32_t device = t->devices.at[i];

		counter_print(m->counters, device,
			      m->logs.has_host ? counter_ops_of(t, device)
					       : counter_ops_counted(m->counters, device),
			      to);
	}
}

/* Beside the report, for whoever reads that: what it covers, and why not more. */
static enum ttp_rc write_account(const struct ops_request *q, struct ops_result *r,
				 uint64_t report_bytes, struct out_file *f, struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 }, text = { 0 };
	enum ttp_rc rc;

	account_json_path(r->path.at, &path);
	rc = open_file(f, q, path.at, e);
	if (!rc) {
		account_json_file(&r->account, report_bytes, &text);
		out_buf(&f->out, &text);
	}
	return rc;
}

/* The report and what belongs to it appear together. */
static enum ttp_rc write_files(const struct ops_request *q, struct ops_result *r, struct ttp_err *e)
{
	struct out_file report, per_core, account, *files[3] = { &report };
	enum ttp_rc rc = open_file(&report, q, r->path.at, e);
	size_t n = 1;

	if (rc)
		return rc;
	write_ops(&r->made, &report.out);
	ops_make_account(&r->made, &r->account);
	if (r->device_only && r->per_core_path.len) {
		rc = open_file(&per_core, q, r->per_core_path.at, e);
		if (rc) {
			out_file_abandon(&report);
			return rc;
		}
		write_per_core(&r->made.devices, &per_core.out);
		files[n++] = &per_core;
	}
	if (!q->to && q->writes_account) {
		/* the report is good without */
		if (write_account(q, r, report.out.total_bytes, &account, e))
			console_warn(q->console, "%s", e->msg);
		else
			files[n++] = &account;
	}
	return out_files_commit(files, n, e);
}

static enum ttp_rc write_made(const struct ops_request *q, struct ops_result *r, struct ttp_err *e)
{
	struct ops_make *m = &r->made;
	enum ttp_rc rc = TTP_OK;

	if (q->prints_counters)
		print_counters(m, q->console->out);
	if (q->second && m->logs.has_host)
		rc = second_pass_open(&m->report.second, q->second, e);
	if (!rc)
		rc = write_files(q, r, e);
	if (!rc && m->report.second_missing)
		console_warn(
			q->console,
			"%s: %llu ops that have times here are not there, or have another name: "
			"was it the same program?",
			q->second, (unsigned long long)m->report.second_missing);
	second_pass_close(m->report.second);
	m->report.second = NULL;
	return rc;
}

static void write_old(void *what, struct out *to)
{
	struct ops_rows_csv csv;

	ops_rows_csv_init(&csv, to);
	old_ops_rows(what, &csv.rows);
	ops_rows_csv_finish(&csv);
}

/* The input picks the generation. */
static bool find_old_ops(const struct ops_request *q, const char *folder, struct buf *path)
{
	if (!q->old_ops)
		return run_old_ops(folder, path);
	buf_text(path, q->old_ops);
	return true;
}

/* output/ops/[NAME/]ops_perf_results.csv, and .tgz of the logs; a date stands in front, as it did then. */
static enum ttp_rc report_of_2023(const struct ops_request *q, struct ops_result *r,
				  const char *folder, const char *ops, struct ttp_err *e)
{
	struct old_ops *o = NULL;
	SCOPED(buf) struct buf dir = { 0 }, archive = { 0 };
	char date[32];
	enum ttp_rc rc = old_ops_read(&o, ops, e);

	r->of_2023 = true;
	if (!rc && q->to) {
		buf_text(&r->path, q->to);
	} else if (!rc) {
		date_text(date);
		buf_printf(&dir, "%s%s%s%s", q->into ? q->into : folder,
			   q->into ? "" : "/output/ops", q->name ? "/" : "",
			   q->name ? q->name : "");
		path_absolute(&dir);
		rc = folder_make(dir.at, e);
		buf_printf(&r->path, "%s/%s%s" RUN_OPS_REPORT "%s%s.csv", dir.at,
			   q->date ? date : "", q->date ? "_" : "", q->name ? "_" : "",
			   q->name ? q->name : "");
	}
	if (!rc)
		rc = write_file(q, r->path.at, write_old, o, e);
	if (!rc && !q->to) {
		buf_str(&archive, str_head(buf_view(&r->path), r->path.len - strlen(".csv")));
		buf_text(&archive, ".tgz");
		rc = logs_archive_write(ops, archive.at, e);
	}
	if (!rc)
		old_ops_account(o, &r->account);
	old_ops_free(o);
	return rc;
}

/* Timelines of tt-npe, which it leaves beside the logs. */
static enum ttp_rc copy_npe_viz(const char *folder, const char *dir, struct ttp_err *e)
{
	SCOPED(buf) struct buf from = { 0 }, to = { 0 };
	enum ttp_rc rc = TTP_OK;

	buf_printf(&from, "%s/npe_viz", folder);
	buf_printf(&to, "%s/npe_viz", dir);
	if (path_is_folder(from.at))
		rc = folder_copy(from.at, to.at, e);
	return rc;
}

static enum ttp_rc make_folder(const struct ops_request *q, const struct ops_result *r,
			       const char *folder, const struct buf *logs, const struct buf *dir,
			       struct ttp_err *e)
{
	bool copies = q->keep_logs || q->copies_logs;
	enum ttp_rc rc = folder_make(dir->at, e);

	if (!rc && copies)
		rc = copy_logs(logs->at, dir->at, r->device_only, e);
	if (!rc && copies && !r->device_only)
		rc = copy_npe_viz(folder, dir->at, e);
	return rc;
}

/* Options that this run has no use for. */
static void tell_unused(const struct ops_request *q, const struct ops_logs *l)
{
	if (q->npe && !l->has_host)
		console_warn(q->console,
			     "--analyze-noc-traces: a report of the devices alone has no "
			     "columns for it");
	else if (q->npe && !l->has_npe)
		console_warn(q->console, "--analyze-noc-traces: there is no " RUN_NPE
					 " (docs/reference/formats/npe-results.md)");
	if (q->second && !l->has_host)
		console_warn(q->console,
			     "--second-pass: a report of the devices alone is not merged");
	if (q->analyses.len && l->has_report)
		console_warn(q->console,
			     "-a: " RUN_PERF_REPORT " is shown whole; --%s reads the device log, "
			     "where analyses can be chosen",
			     q->log_option);
	if (l->has_log && l->log->numbered_marks && !q->tool->trusts_logs)
		console_warn(
			q->console, RUN_DEVICE_LOG
			" has six columns, which name no programs: what ran at the same time on "
			"a device is one op");
}

static enum ttp_rc run(const struct ops_request *q, struct ops_result *r, const char *folder,
		       uint64_t analyses, struct ttp_err *e)
{
	struct ops_logs_options o = { .trace = q->trace,
				      .host = q->host,
				      .log = q->log,
				      .device_only = q->device_only,
				      .use_markers = q->use_markers,
				      .use_npe = q->npe,
				      .tool = q->tool };
	SCOPED(buf) struct buf logs = { 0 }, dir = { 0 }, suffix = { 0 };
	enum ttp_rc rc;

	logs_folder(folder, &logs);
	if (!q->trace && !q->log && (q->old_ops || access(logs.at, F_OK)) &&
	    find_old_ops(q, folder, &dir)) {
		if (q->device_only || q->use_markers || q->npe || q->analyses.len || q->second ||
		    q->keep_logs)
			console_warn(
				q->console,
				"%s: logs of 2023: --device-only, --device-log, --copy-logs, "
				"--second-pass, --analyze-noc-traces and -a have no meaning for "
				"them",
				dir.at);
		return report_of_2023(q, r, folder, dir.at, e);
	}
	buf_clear(&dir);
	rc = ops_make_read(&r->made, logs.at, &o, analyses, e);
	vec_each (why, &r->made.logs.skipped)
		run_note_print(why, q->console);
	if (!rc)
		tell_unused(q, &r->made.logs);
	if (!rc && !ops_make_any(&r->made))
		rc = ttp_fail(e, TTP_FORMAT,
			      "%s: no logs of a run: neither " RUN_DEVICE_LOG ", " RUN_PERF_REPORT
			      " nor " RUN_HOST_EVENTS " with " RUN_HOST_ZONES
			      "; name the folder that has them, or has .logs",
			      logs.at);
	if (!rc) {
		r->device_only = !r->made.logs.has_host;
		report_names(q, folder, &dir, &suffix);
		if (q->to)
			buf_text(&r->path, q->to);
		else
			buf_printf(&r->path, "%s/" RUN_OPS_REPORT "%s.csv", dir.at,
				   suffix.at ? suffix.at : "");
		if (!q->to)
			buf_printf(&r->per_core_path, "%s/per_core_op_to_op_times%s.csv", dir.at,
				   suffix.at ? suffix.at : "");
		if (!q->to)
			rc = make_folder(q, r, folder, &logs, &dir, e);
	}
	if (!rc)
		rc = write_made(q, r, e);
	return rc;
}

int ops_reports_make(const struct ops_request *q, uint64_t analyses, struct ops_result *r)
{
	SCOPED(buf) struct buf folder = { 0 };
	struct ttp_err e;
	int status = 0;

	*r = (struct ops_result){ 0 };
	if (q->folder)
		buf_text(&folder, q->folder);
	else
		profiler_folder(&folder);
	if (run(q, r, folder.at, analyses, &e))
		status = console_fail(q->console, &e);
	return status;
}

void ops_result_table(struct ops_result *r, struct ops_table *t)
{
	struct ops_rows_table table;

	ops_rows_table_init(&table, t, r->path.at);
	ops_make_rows(&r->made, &table.rows);
	ops_rows_table_finish(&table);
	account_merge(&t->files.at[0].account, &r->account);
	t->files.at[0].has_account = true;
}

void ops_result_release(struct ops_result *r)
{
	ops_make_release(&r->made);
	account_release(&r->account);
	RELEASE(buf, &r->path, &r->per_core_path);
}

/* ---- what was made, for people and programs ---- */

static void write_cost(struct json_writer *w, const struct run_cost *c)
{
	json_put_number(w, "host_zone_ns", c->host_zone_ns);
	json_put_array(w, "devices");
	vec_each (d, &c->devices) {
		json_open_object(w);
		json_put_whole(w, "device", d->device);
		json_put_number(w, "zone_cycles", d->zone_cycles);
		json_put_number(w, "clock_error_ns",
				d->error_ns > 0 ? d->error_ns : NAN); /* null */
		json_close_object(w);
	}
	json_close_array(w);
}

/* Of the devices that were synced: how far host and device, and two devices, may be apart. */
static void print_clocks(const struct run_cost *c, struct buf *b)
{
	double most = 0, next = 0;
	size_t n = 0;

	vec_each (d, &c->devices) {
		n += d->error_ns > 0;
		if (d->error_ns > most) {
			next = most;
			most = d->error_ns;
		} else if (d->error_ns > next) {
			next = d->error_ns;
		}
	}
	if (!n)
		return;
	buf_printf(b, "clocks: device and host agree within %.2f us", most / 1000);
	if (n > 1)
		buf_printf(b, ", two of %zu devices within %.2f us", n, (most + next) / 1000);
	buf_char(b, '\n');
}

void ops_result_json(struct ops_result *r, struct buf *b)
{
	struct json_writer w = { .to = b, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "report", buf_view(&r->path));
	if (r->per_core_path.len && r->device_only)
		json_put_text(&w, "per_core", buf_view(&r->per_core_path));
	json_put_count(&w, "rows",
		       r->device_only ? r->made.logs.times.runs.len : r->made.report.join.rows.len);
	json_write_key(&w, STR("account"));
	account_json_write(&w, &r->account);
	if (r->made.logs.has_cost)
		write_cost(&w, &r->made.logs.cost);
	json_close_object(&w);
	buf_char(b, '\n');
}

static bool has_devices(const struct run_source *s)
{
	for (size_t i = 1; i < run_count(s); i++)
		if (run_at(s, i).device != run_at(s, 0).device)
			return true;
	return false;
}

void ops_result_text(struct ops_result *r, struct buf *b)
{
	/* in the words of `ttprof report`, where an op of several devices is one */
	account_summary(&r->account,
			has_devices(&r->made.logs.source) ? STR("rows (one per op and device)")
							  : STR("ops"),
			b);
	buf_char(b, '\n');
	account_details(&r->account, b);
	if (r->device_only && r->per_core_path.len)
		buf_printf(b, "per core times generated at: %s\n", r->per_core_path.at);
	if (r->made.logs.has_cost)
		print_clocks(&r->made.logs.cost, b);
	buf_printf(b, "OPs csv generated at: %s\n", r->path.at);
}

bool ops_result_is_whole(const struct ops_result *r)
{
	return account_is_whole(&r->account) && !r->made.logs.skipped.len;
}
