// SPDX-License-Identifier: Apache-2.0
#include "runs/run_files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "ops/host/old_ops.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"

enum { DEPTH_MAX = 3 }; /* generated/profiler → reports → <date> → file */

static bool is_ops_report(struct str name)
{
	return str_starts(name, STR(RUN_OPS_REPORT)) &&
	       (str_ends(name, STR(".csv")) || str_ends(name, STR(".csv.gz")) ||
		str_ends(name, STR(".csv.zst")));
}

static int last_name_first(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* The report that was written last; of the same second, the one that is higher up, then the last name.  And the last run. */
struct newest {
	struct buf path;
	struct timespec written;
	struct buf run_json;
	struct timespec ran;
};

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static void take_run(struct newest *best, const char *path, const struct stat *st)
{
	if (best->run_json.len && !is_later(st->st_mtim, best->ran))
		return;
	buf_set_str(&best->run_json, str_of(path));
	best->ran = st->st_mtim;
}

/* A folder below that may not be read is skipped; one that can't be read now is an error. */
static enum ttp_rc search(struct buf *path, int depth, struct newest *best, struct ttp_err *e)
{
	size_t base = path->len;
	enum ttp_rc rc = TTP_OK;
	struct dirent **names;
	int n = folder_list(path->at, &names, not_hidden, last_name_first);
	struct stat st;

	if (n < 0 &&
	    ((errno != EACCES && errno != ENOENT && errno != ENOTDIR) || depth == DEPTH_MAX))
		return ttp_fail_errno(e, "%s", path->at);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < n; i++) {
			path->len = base;
			buf_char(path, '/');
			buf_text(path, names[i]->d_name);
			if (stat(path->at, &st))
				continue;
			if (pass && S_ISDIR(st.st_mode) && depth > 1 && !rc)
				rc = search(path, depth - 1, best, e);
			if (!pass && S_ISREG(st.st_mode) && !strcmp(names[i]->d_name, RUN_JSON))
				take_run(best, path->at, &st);
			if (pass || !S_ISREG(st.st_mode) ||
			    !is_ops_report(str_of(names[i]->d_name)) ||
			    (best->path.len && st.st_mtim.tv_sec <= best->written.tv_sec))
				continue;
			buf_set_str(&best->path, str_of(path->at));
			best->written = st.st_mtim;
		}
	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n >= 0)
		free(names);
	path->len = base;
	path->at[path->len] = 0;
	return rc;
}

static struct str folder_in(const struct buf *path)
{
	size_t slash = str_rfind_char(buf_view(path), '/');

	return slash == STR_NONE ? STR("") : str_head(buf_view(path), slash);
}

static void tell_later(const struct newest *best, struct buf *later)
{
	if (best->run_json.len && is_later(best->ran, best->written) &&
	    !str_eq(folder_in(&best->run_json), folder_in(&best->path)))
		buf_str(later, folder_in(&best->run_json));
}

/* Logs of which `ttprof ops` would make a report, there or in .logs. */
static bool has_logs(const char *run)
{
	static const char *const names[] = { RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG, RUN_DEVICE_LOG,
					     RUN_LOGS_FOLDER "/" RUN_HOST_EVENTS, RUN_HOST_EVENTS,
					     RUN_LOGS_FOLDER "/" RUN_PERF_REPORT };
	SCOPED(buf) struct buf path = { 0 };
	bool any = false;

	for (size_t i = 0; !any && i < sizeof(names) / sizeof(*names); i++) {
		buf_set(&path, "%s/%s", run, names[i]);
		any = !access(path.at, F_OK);
	}
	return any;
}

enum ttp_rc run_ops_file(const char *run, struct buf *path, struct ttp_err *e)
{
	SCOPED(buf) struct buf later = { 0 };

	return run_ops_file_of(run, path, &later, e);
}

enum ttp_rc run_ops_file_of(const char *run, struct buf *path, struct buf *later, struct ttp_err *e)
{
	struct newest best = { 0 };
	enum ttp_rc rc = TTP_OK;

	buf_clear(later);
	buf_clear(path);
	if (!*run)
		return ttp_fail(e, TTP_USAGE, "an empty name is no file");
	buf_text(path, run);
	if (!path_is_folder(run))
		return TTP_OK;
	while (path->len > 1 && path->at[path->len - 1] == '/')
		path->at[--path->len] = 0;
	rc = search(path, DEPTH_MAX, &best, e);
	if (rc) {
		buf_clear(path);
	} else if (best.path.len) {
		buf_set_str(path, str_of(best.path.at));
		tell_later(&best, later);
	} else if (!best.run_json.len && !has_logs(run) && profiler_folder_below(run, &best.path)) {
		rc = run_ops_file_of(best.path.at, path, later, e);
	} else {
		bool logs = !best.run_json.len && has_logs(run);

		rc = ttp_fail(e, TTP_USAGE,
			      "%s: no ops_perf_results*.csv in this folder or below%s%s%s", run,
			      best.run_json.len ? ": the run recorded no ops"
			      : logs            ? ", only logs: `ttprof ops "
						: "",
			      logs ? run : "", logs ? "` makes a report of them" : "");
	}
	RELEASE(buf, &best.path, &best.run_json);
	return rc;
}

bool run_old_ops(const char *run, struct buf *path)
{
	static const char *const places[] = { "/logs/ops", "/ops", "", "/ops/ops" };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		buf_set(path, "%s%s", run, places[i]);
		if (old_ops_are_here(path->at))
			return true;
	}
	buf_clear(path);
	return false;
}
