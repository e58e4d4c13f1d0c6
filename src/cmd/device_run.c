// SPDX-License-Identifier: Apache-2.0
#include "cmd/device_run.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/paths.h"
#include "base/tar.h"
#include "cmd/cmd.h"
#include "cmd/view.h"
#include "compat/process_device_log/device_chrome_2023.h"
#include "compat/process_device_log/device_json.h"
#include "compat/process_device_log/device_json_2023.h"
#include "compat/process_device_log/device_stats_2023.h"
#include "draw/device_page.h"
#include "markers/analyses/device_export.h"
#include "markers/analyses/zone_analyses.h"
#include "markers/log/launches.h"
#include "ops/ops_logs.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"

struct run {
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
};

static enum ttp_rc read_user_analyses(struct run *r, struct ttp_err *e)
{
	struct input in;
	enum ttp_rc rc;

	if (!r->q->analyses)
		return TTP_OK;
	rc = input_open(&in, r->q->analyses, e);
	if (rc)
		return rc;
	rc = analyses_read(in.data, r->q->analyses, &r->analyses, &r->texts, e);
	input_close(&in);
	return rc;
}

/* Before those of the user's file, which are what was asked for, and stand last. */
static void add_zones(struct run *r)
{
	analysis_vec list = { 0 };

	for (size_t i = 0; i < r->of_setup; i++)
		*vec_push(&list) = r->analyses.at[i];
	zone_analyses(&r->markers, &list, &r->texts);
	for (size_t i = r->of_setup; i < r->analyses.len; i++)
		*vec_push(&list) = r->analyses.at[i];
	vec_release(&r->analyses);
	r->analyses = list;
}

/* The log, or the one of a folder. */
static enum ttp_rc log_of(struct run *r, const char *path, struct ttp_err *e)
{
	static const char *const names[] = { "/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG,
					     "/" RUN_DEVICE_LOG };
	struct stat st;

	if (r->q->original || stat(path, &st) || !S_ISDIR(st.st_mode)) {
		buf_text(&r->input, path);
		r->named = true;
		return TTP_OK;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_clear(&r->input);
		buf_printf(&r->input, "%s%s", path, names[i]);
		if (!access(r->input.at, F_OK))
			return TTP_OK;
	}
	return ttp_fail(e, TTP_FORMAT, "%s: no " RUN_DEVICE_LOG " in it, nor in its .logs", path);
}

static enum ttp_rc prepare(struct run *r, struct ttp_err *e)
{
	const struct setup *s = setup_find(str_of(r->q->setup));
	enum ttp_rc rc;

	s = s ? s : setup_find(STR("default_setup")); /* one of 2023 */
	r->detect = s->detect_ops && !r->q->no_detection;
	setup_analyses(s, &r->analyses);
	r->of_setup = r->analyses.len;
	rc = read_user_analyses(r, e);
	if (rc)
		return rc;
	profiler_folder(&r->base);
	if (r->q->log)
		rc = log_of(r, r->q->log, e);
	else
		buf_printf(&r->input, "%s/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG, r->base.at);
	r->relative = r->q->folder ? r->q->folder : "output/device";
	if (r->q->folder && r->q->folder[0] == '/')
		buf_text(&r->folder, r->q->folder);
	else if (r->q->folder && !r->q->original)
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

typedef void write_fn(struct run *r, struct out *to);

static enum ttp_rc write_file(struct run *r, const char *name, write_fn *fn, struct ttp_err *e)
{
	struct buf path = { 0 };
	struct out_file f;
	enum ttp_rc rc;

	buf_printf(&path, "%s/%s", r->folder.at, name);
	rc = out_file_open(&f, path.at, e);
	if (!rc) {
		fn(r, &f.out);
		if (out_ok(&f.out))
			rc = file_keep(path.at, e);
		if (rc)
			out_file_abandon(&f);
		else
			rc = out_file_commit(&f, e);
	}
	buf_release(&path);
	return rc;
}

static void write_stats(struct run *r, struct out *to)
{
	out_add(to, r->stats.at ? r->stats.at : "", r->stats.len);
}

static void write_original_json(struct run *r, struct out *to)
{
	struct device_json j = { .m = &r->markers,
				 .list = r->analyses.at,
				 .n = r->analyses.len,
				 .detect_ops = r->detect,
				 .input_path = r->input.at,
				 .output_folder = r->relative };

	if (r->log.numbered_marks)
		device_json_2023_write(&r->markers, r->q->setup, r->input.at, r->relative, to);
	else
		device_json_write(&j, to);
}

static void write_json(struct run *r, struct out *to)
{
	struct buf b = { 0 };

	device_export_json(&r->markers, r->analyses.at, r->analyses.len, &b);
	out_buf(to, &b);
	buf_release(&b);
}

static void write_chrome(struct run *r, struct out *to)
{
	if (r->q->original)
		device_chrome_2023_write(&r->markers, to);
	else
		device_export_chrome(&r->markers, to);
}

static void write_rearranged(struct run *r, struct out *to)
{
	device_export_timestamps(&r->markers, to);
}

static void write_page(struct run *r, struct out *to)
{
	const char *slash = strrchr(r->input.at, '/');
	struct device_page page = { .m = &r->markers,
				    .list = r->analyses.at,
				    .n = r->analyses.len,
				    .source = str_of(slash ? slash + 1 : r->input.at),
				    .version = str_of(cmd_version_text()) };

	device_page_write(&page, to);
}

typedef enum ttp_rc pack_fn(struct out *to, const struct tar_file *files, size_t n,
			    struct ttp_err *e);

static enum ttp_rc write_archive(struct run *r, const char *name, pack_fn *pack,
				 const char *const *names, size_t n, struct ttp_err *e)
{
	struct tar_file *files = mem_zero(n, sizeof(*files));
	struct buf *paths = mem_zero(n + 1, sizeof(*paths));
	struct out_file f;
	enum ttp_rc rc;

	for (size_t i = 0; i < n; i++) {
		buf_printf(&paths[i], "%s/%s", r->folder.at, names[i]);
		files[i] = (struct tar_file){ names[i], paths[i].at };
	}
	buf_printf(&paths[n], "%s/%s", r->folder.at, name);
	rc = out_file_open(&f, paths[n].at, e);
	if (!rc) {
		rc = pack(&f.out, files, n, e);
		if (!rc && out_ok(&f.out))
			rc = file_keep(paths[n].at, e);
		if (rc)
			out_file_abandon(&f);
		else
			rc = out_file_commit(&f, e);
	}
	for (size_t i = 0; i <= n; i++)
		buf_release(&paths[i]);
	free(paths);
	free(files);
	return rc;
}

static enum ttp_rc write_files(struct run *r, struct ttp_err *e)
{
	static const char *const original[] = { RUN_DEVICE_LOG,
						"device_stats.txt",
						"device_analysis_data.json",
						"device_chrome_tracing.json",
						"device_rearranged_timestamps.csv",
						"device_perf.html" };
	static const char *const ours[] = { "device_stats.txt", "device_analysis_data.json",
					    "device_chrome_tracing.json",
					    "device_rearranged_timestamps.csv",
					    "device_perf.html" };
	size_t of_2023 = r->q->no_plots ? 5 : 6; /* files of its archive */
	struct buf copy = { 0 };
	enum ttp_rc rc = folder_make(r->folder.at, e);

	if (!rc && r->q->original) {
		buf_printf(&copy, "%s/" RUN_DEVICE_LOG, r->folder.at);
		rc = file_copy(r->input.at, copy.at, e);
		buf_release(&copy);
	}
	if (!rc)
		rc = write_file(r, "device_stats.txt", write_stats, e);
	if (!rc)
		rc = write_file(r, "device_analysis_data.json",
				r->q->original ? write_original_json : write_json, e);
	if (!rc && (!r->q->original || r->log.numbered_marks))
		rc = write_file(r, "device_chrome_tracing.json", write_chrome, e);
	if (!rc && (!r->q->original || r->log.numbered_marks))
		rc = write_file(r, "device_rearranged_timestamps.csv", write_rearranged, e);
	/* the dashboards of 2023 had it; today's script has not */
	if (!rc && !r->q->no_plots && (!r->q->original || r->log.numbered_marks))
		rc = write_file(r, "device_perf.html", write_page, e);
	if (!rc && !r->q->no_archive)
		rc = r->q->original
			     ? write_archive(r, "device_perf_results.tgz", tar_gz_write, original,
					     r->log.numbered_marks ? of_2023 : 3, e)
			     : write_archive(r, "device_perf_results.tgz", tar_gz_write, ours,
					     r->q->no_plots ? 4 : 5, e);
	/* its first name in 2023 */
	if (!rc && !r->q->no_archive && r->q->original && r->log.numbered_marks)
		rc = write_archive(r, "device_perf_results.tar", tar_write, original, of_2023, e);
	return rc;
}

static void tell(struct run *r)
{
	if (r->q->json)
		write_json(r, cmd_stdout());
	else if (!r->q->quiet)
		write_stats(r, cmd_stdout());
	if (r->log.bad_rows)
		cmd_warn(r->q->prog, "%llu rows of %s can't be read, the first is line %llu",
			 (unsigned long long)r->log.bad_rows, r->input.at,
			 (unsigned long long)r->log.bad_line[0]);
	if (!r->q->original && r->log.in.data.at[r->log.in.data.len - 1] != '\n')
		cmd_warn(
			r->q->prog,
			"%s was cut: it ends in the middle of a row, and cores that come after it are missing",
			r->input.at);
	if (input_shrunk(&r->log.in))
		cmd_warn(r->q->prog, "%s got shorter while it was read", r->input.at);
}

/* In 2023 it was started unless told otherwise; who runs us from a script is not made to wait for a browser. */
static bool wants_dashboard(const struct run *r)
{
	const struct device_request *q = r->q;

	if (!q->original || q->no_webapp)
		return false;
	return q->webapp || q->port >= 0 || (r->log.numbered_marks && isatty(STDOUT_FILENO));
}

int device_run(const struct device_request *q)
{
	struct run r = { .q = q };
	struct ttp_err e;
	enum ttp_rc rc = prepare(&r, &e);
	bool serve = false;
	int status = 0;

	if (!rc) {
		r.log.trusts_end = q->original;
		if (r.log.numbered_marks && !q->original)
			launches_number(&r.log);
		marker_log_read(&r.markers, &r.log, r.detect);
		if (!q->original)
			add_zones(&r);
		marker_log_analyse(&r.markers, r.analyses.at, r.analyses.len);
		/* the input picks the generation; its map is of a Grayskull */
		if (r.log.numbered_marks && str_eq(r.log.arch, STR("grayskull"))) {
			device_stats_2023_print(&r.markers, q->setup, &r.stats);
			if (q->analyses)
				cmd_warn(q->prog, "--analyses: a log of 2023 has no zones, only "
						  "numbered marks; they are in the files of -o");
		} else
			device_stats_print(&r.markers, r.analyses.at, r.analyses.len, &r.stats);
		if (!q->no_files)
			rc = write_files(&r, &e);
	}
	if (rc)
		status = cmd_fail(q->prog, &e);
	else
		tell(&r);
	serve = !rc && wants_dashboard(&r);
	marker_log_release(&r.markers);
	if (r.log_open)
		device_log_close(&r.log);
	vec_release(&r.analyses);
	arena_release(&r.texts);
	if (serve) {
		out_flush(cmd_stdout());
		status = view_serve(q->prog, r.input.at, (int)q->port);
	}
	buf_release(&r.input);
	buf_release(&r.base);
	buf_release(&r.folder);
	buf_release(&r.stats);
	return status;
}
