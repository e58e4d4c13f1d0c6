// SPDX-License-Identifier: Apache-2.0
#include "draw/device_results.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/tar.h"
#include "markers/analyses/device_export.h"
#include "markers/analyses/marker_log.h"
#include "markers/log/device_log.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"
#include "wire/run_processes.h"

struct results {
	const struct device_request *q;
	struct device_log log;
	struct marker_log markers;
	analysis_vec analyses; /* of the setup, of zones that the log has, of the user's file */
	size_t of_setup;
	struct arena texts;
	struct buf input, base, folder; /* the log; the profiler's folder; where results go */
	const char *relative;           /* the last below the first */
	bool detect, log_open, named;   /* the log was named, not found */
	struct buf stats;
	struct inputs beside; /* files beside the log */
	struct run_processes *processes;
};

static enum ttp_rc read_user_analyses(struct results *r, struct ttp_err *e)
{
	struct input in;
	enum ttp_rc rc;

	if (!r->q->analyses)
		return TTP_OK;
	TTP_TRY(input_open(&in, r->q->analyses, e));
	rc = analyses_read(in.data, r->q->analyses, &r->analyses, &r->texts, e);
	input_close(&in);
	return rc;
}

/* Before those of the user's file, which are what was asked for, and stand last. */
static void add_zones(struct results *r)
{
	analysis_vec list = { 0 };

	vec_append(&list, r->analyses.at, r->of_setup);
	zone_analyses(&r->markers, &list, &r->texts);
	vec_append(&list, r->analyses.at + r->of_setup, r->analyses.len - r->of_setup);
	vec_release(&r->analyses);
	r->analyses = list;
}

/* The log, or the one of a folder. */
static enum ttp_rc log_of(struct results *r, const char *path, struct ttp_err *e)
{
	static const char *const names[] = { "/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG,
					     "/" RUN_DEVICE_LOG };

	if (!r->q->tool->takes_folders || !path_is_folder(path)) {
		buf_text(&r->input, path);
		r->named = true;
		return TTP_OK;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_set(&r->input, "%s%s", path, names[i]);
		if (!access(r->input.at, F_OK))
			return TTP_OK;
	}
	return ttp_fail(e, TTP_FORMAT, "%s: no " RUN_DEVICE_LOG " in it, nor in its .logs", path);
}

static enum ttp_rc prepare(struct results *r, struct ttp_err *e)
{
	const struct setup *s = setup_find(str_of(r->q->setup));
	enum ttp_rc rc = TTP_OK;

	s = s ? s : setup_find(STR("default_setup")); /* one of 2023 */
	r->detect = s->detect_ops && !r->q->no_detection;
	if (!r->q->no_setup)
		setup_analyses(s, &r->analyses);
	r->of_setup = r->analyses.len;
	TTP_TRY(read_user_analyses(r, e));
	profiler_folder(&r->base);
	if (r->q->log)
		rc = log_of(r, r->q->log, e);
	else
		buf_printf(&r->input, "%s/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG, r->base.at);
	r->relative = r->q->folder ? r->q->folder : "output/device";
	if (r->q->folder)
		buf_text(&r->folder, r->q->folder);
	else
		buf_printf(&r->folder, "%s/%s", r->base.at, r->relative);
	if (!rc)
		rc = r->named ? device_log_open(&r->log, r->input.at, e)
			      : device_log_open_found(&r->log, r->input.at, e);
	r->log_open = !rc;
	if (!rc && !r->log.numbered_marks && !setup_find(str_of(r->q->setup)))
		rc = ttp_fail(e, TTP_USAGE,
			      "Setup %s not available: it is for logs of 2023, and %s has zones",
			      r->q->setup, r->input.at);
	return rc;
}

/* ---- files ---- */

static struct device_analysed analysed(const struct results *r)
{
	return (struct device_analysed){ .log = &r->log,
					 .markers = &r->markers,
					 .list = r->analyses.at,
					 .n = r->analyses.len,
					 .detect_ops = r->detect,
					 .setup = r->q->setup,
					 .input_path = r->input.at,
					 .output_folder = r->relative };
}

void device_write_json(const struct device_analysed *a, struct out *to)
{
	SCOPED(buf) struct buf b = { 0 };

	device_export_json(a->markers, a->list, a->n, &b);
	out_buf(to, &b);
}

void device_write_chrome(const struct device_analysed *a, struct out *to)
{
	device_export_chrome(a->markers, to);
}

static void write_page(const struct results *r, struct out *to)
{
	struct device_page page = { .m = &r->markers,
				    .list = r->analyses.at,
				    .n = r->analyses.len,
				    .source = path_name(r->input.at),
				    .version = str_of(r->q->version) };

	device_page_write(&page, to);
}

/* In the order in which they are written and packed. */
enum result_file {
	RESULT_LOG,
	RESULT_STATS,
	RESULT_JSON,
	RESULT_CHROME,
	RESULT_TIMESTAMPS,
	RESULT_PAGE,
	RESULTS
};
static const char *const file_names[RESULTS] = {
	[RESULT_LOG] = RUN_DEVICE_LOG,
	[RESULT_STATS] = "device_stats.txt",
	[RESULT_JSON] = "device_analysis_data.json",
	[RESULT_CHROME] = "device_chrome_tracing.json",
	[RESULT_TIMESTAMPS] = "device_rearranged_timestamps.csv",
	[RESULT_PAGE] = "device_perf.html",
};

static bool is_wanted(const struct results *r, enum result_file f)
{
	const struct device_tool *tool = r->q->tool;

	if (f == RESULT_LOG)
		return tool->copies_log;
	if (f == RESULT_PAGE && r->q->no_plots)
		return false;
	return f <= RESULT_JSON || !tool->few_files || r->log.numbered_marks;
}

static void write_result(const struct results *r, enum result_file f, struct out *to)
{
	struct device_analysed a = analysed(r);

	if (f == RESULT_STATS)
		out_add(to, r->stats.at ? r->stats.at : "", r->stats.len);
	else if (f == RESULT_JSON)
		r->q->tool->write_json(&a, to);
	else if (f == RESULT_CHROME)
		r->q->tool->write_chrome(&a, to);
	else if (f == RESULT_TIMESTAMPS)
		device_export_timestamps(&r->markers, to);
	else
		write_page(r, to);
}

/* Keeps what was there before, and puts the new one in its stead once it is whole. */
static enum ttp_rc finish_file(struct out_file *f, enum ttp_rc rc, struct ttp_err *e)
{
	f->keeps = true;
	if (!rc)
		return out_file_commit(f, e);
	out_file_abandon(f);
	return rc;
}

static enum ttp_rc write_file(struct results *r, enum result_file which, struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 };
	struct out_file f;
	enum ttp_rc rc;

	buf_printf(&path, "%s/%s", r->folder.at, file_names[which]);
	if (which == RESULT_LOG) {
		rc = file_copy(r->input.at, path.at, e);
	} else {
		rc = out_file_open_here(&f, path.at, e);
		if (!rc) {
			write_result(r, which, &f.out);
			rc = finish_file(&f, rc, e);
		}
	}
	return rc;
}

typedef enum ttp_rc pack_fn(struct out *to, const struct tar_file *files, size_t n,
			    struct ttp_err *e);

static enum ttp_rc write_archive(struct results *r, const char *name, pack_fn *pack,
				 struct ttp_err *e)
{
	struct tar_file files[RESULTS];
	struct buf paths[RESULTS + 1] = { 0 }, *to = &paths[RESULTS];
	struct out_file f;
	enum ttp_rc rc;
	size_t n = 0;

	for (int i = 0; i < RESULTS; i++) {
		if (!is_wanted(r, (enum result_file)i))
			continue;
		buf_printf(&paths[i], "%s/%s", r->folder.at, file_names[i]);
		files[n++] = (struct tar_file){ file_names[i], paths[i].at };
	}
	buf_printf(to, "%s/%s", r->folder.at, name);
	rc = out_file_open_here(&f, to->at, e);
	if (!rc)
		rc = finish_file(&f, pack(&f.out, files, n, e), e);
	for (int i = 0; i <= RESULTS; i++)
		buf_release(&paths[i]);
	return rc;
}

static enum ttp_rc write_files(struct results *r, struct ttp_err *e)
{
	enum ttp_rc rc = folder_make(r->folder.at, e);

	for (int i = 0; !rc && i < RESULTS; i++)
		if (is_wanted(r, (enum result_file)i))
			rc = write_file(r, (enum result_file)i, e);
	if (!rc && !r->q->no_archive)
		rc = write_archive(r, "device_perf_results.tgz", tar_gz_write, e);
	/* its first name in 2023 */
	if (!rc && !r->q->no_archive && r->q->tool->packs_marks_twice && r->log.numbered_marks)
		rc = write_archive(r, "device_perf_results.tar", tar_write, e);
	return rc;
}

/* ---- all of it ---- */

static void show(struct results *r)
{
	const struct console *c = r->q->console;
	struct device_analysed a = analysed(r);

	if (r->q->json)
		r->q->tool->write_json(&a, c->out);
	else if (!r->q->quiet)
		write_result(r, RESULT_STATS, c->out);
	if (r->log.bad_rows)
		console_warn(c, "%llu rows of %s can't be read, the first is line %llu%s",
			     (unsigned long long)r->log.bad_rows, r->input.at,
			     (unsigned long long)r->log.bad_line[0],
			     device_log_is_full(&r->log) ? ": it has too many names of zones" : "");
	if (!r->q->tool->trusts_logs && r->log.in.data.at[r->log.in.data.len - 1] != '\n')
		console_warn(
			c,
			"%s was cut: it ends in the middle of a row, and cores that come after it are missing",
			r->input.at);
	if (input_shrunk(&r->log.in))
		console_warn(c, "%s got shorter while it was read", r->input.at);
}

/* Chips are their processes', as every output has them. */
static void find_processes(struct results *r)
{
	size_t slash = str_rfind_char(buf_view(&r->input), '/');
	SCOPED(buf) struct buf folder = { 0 };
	struct ttp_err e;

	if (slash == STR_NONE)
		buf_char(&folder, '.');
	else
		buf_str(&folder, str_head(buf_view(&r->input), slash));
	r->processes = run_processes_find(&r->beside, folder.at, &e);
	if (e.rc)
		console_warn(r->q->console,
			     "%s: left out, so that devices with one number are taken for one",
			     e.msg);
	r->log.processes = r->processes;
}

static void analyse(struct results *r)
{
	bool trusts = r->q->tool->trusts_logs;

	if (!trusts)
		find_processes(r);
	r->log.trusts_end = trusts;
	if (r->log.numbered_marks && !trusts)
		launches_number(&r->log);
	marker_log_read(&r->markers, &r->log, r->detect);
	if (!trusts)
		add_zones(r);
	marker_log_analyse(&r->markers, r->analyses.at, r->analyses.len);
	/* the input picks the generation; its map is of a Grayskull, as are logs that say nothing of their chip */
	if (!r->log.numbered_marks || (r->log.arch.len && !str_eq(r->log.arch, STR("grayskull")))) {
		device_stats_print(&r->markers, r->analyses.at, r->analyses.len, &r->stats);
		return;
	}
	r->q->tool->print_marks(&r->markers, r->q->setup, &r->stats);
	if (r->q->analyses)
		console_warn(r->q->console, "--analyses: a log of 2023 has no zones, only "
					    "numbered marks; they are in the files of -o");
}

/* In 2023 it was started unless an option said otherwise; who runs us from a script is not made to wait for a browser. */
static bool wants_dashboard(const struct results *r)
{
	const struct device_request *q = r->q;

	if (!q->tool->has_dashboard || q->no_webapp)
		return false;
	return q->webapp || q->port >= 0 || (r->log.numbered_marks && isatty(STDOUT_FILENO));
}

int device_results(const struct device_request *q, struct device_served *serve)
{
	struct results r = { .q = q };
	struct ttp_err e;
	enum ttp_rc rc = prepare(&r, &e);

	if (!rc) {
		analyse(&r);
		if (!q->no_files)
			rc = write_files(&r, &e);
	}
	if (!rc)
		show(&r);
	if (!rc && wants_dashboard(&r)) {
		buf_text(&serve->log, r.input.at);
		if (!q->no_files)
			buf_text(&serve->folder, r.folder.at);
	}
	marker_log_release(&r.markers);
	if (r.log_open)
		device_log_close(&r.log);
	run_processes_free(r.processes);
	inputs_close(&r.beside);
	vec_release(&r.analyses);
	arena_release(&r.texts);
	RELEASE(buf, &r.input, &r.base, &r.folder, &r.stats);
	return rc ? console_fail(q->console, &e) : 0;
}
