// SPDX-License-Identifier: Apache-2.0
#include "runs/run_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
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

/*
 * When a run ended: as its name says (…_2026_11_18_17_16_38…), which survives cp -r and tar -m; without one, when the file was
 * written, which also decides between names of the same second.
 */
struct when {
	int64_t s;
	struct timespec written;
};

/* The report that was made last; of the same second, the one that is higher up, then the last name.  And the last run. */
struct newest {
	struct buf path;
	struct when made;
	struct buf run_json;
	struct when ran;
};

/* YYYY_MM_DD_HH_MM_SS at the end of a name without its suffixes; false: it has none. */
static bool time_in_name(struct str name, int64_t *s)
{
	static const char like[] = "0000_00_00_00_00_00";
	enum { LEN = sizeof(like) - 1, FIELDS = 6 };
	int field[FIELDS] = { 0 }, at = 0;
	struct tm tm;

	name = str_head(name, str_find_char(name, '.'));
	if (name.len < LEN)
		return false;
	name = str_from(name, name.len - LEN);
	for (size_t i = 0; i < LEN; i++) {
		bool digit = name.at[i] >= '0' && name.at[i] <= '9';

		if (digit != (like[i] == '0') || (!digit && name.at[i] != '_'))
			return false;
		if (digit)
			field[at] = 10 * field[at] + (name.at[i] - '0');
		else
			at++;
	}
	tm = (struct tm){ .tm_year = field[0] - 1900,
			  .tm_mon = field[1] - 1,
			  .tm_mday = field[2],
			  .tm_hour = field[3],
			  .tm_min = field[4],
			  .tm_sec = field[5],
			  .tm_isdst = -1 };
	*s = mktime(&tm);
	return true;
}

static struct str folder_of(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return slash == STR_NONE ? STR("") : str_head(path, slash);
}

static struct str last_name(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return slash == STR_NONE ? path : str_from(path, slash + 1);
}

static struct when when_of(const struct buf *path, const struct stat *st)
{
	struct when w = { .s = st->st_mtim.tv_sec, .written = st->st_mtim };

	if (!time_in_name(last_name(buf_view(path)), &w.s))
		(void)time_in_name(last_name(folder_of(buf_view(path))), &w.s);
	return w;
}

static bool is_later(struct when a, struct when b)
{
	if (a.s != b.s)
		return a.s > b.s;
	return a.written.tv_sec != b.written.tv_sec ? a.written.tv_sec > b.written.tv_sec
						    : a.written.tv_nsec > b.written.tv_nsec;
}

static void take_run(struct newest *best, const struct buf *path, const struct stat *st)
{
	struct when w = when_of(path, st);

	if (best->run_json.len && !is_later(w, best->ran))
		return;
	buf_set_str(&best->run_json, buf_view(path));
	best->ran = w;
}

static void take_report(struct newest *best, const struct buf *path, const struct stat *st)
{
	struct when w = when_of(path, st);

	if (best->path.len &&
	    (w.s < best->made.s ||
	     (w.s == best->made.s && w.written.tv_sec <= best->made.written.tv_sec)))
		return;
	buf_set_str(&best->path, buf_view(path));
	best->made = w;
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
				take_run(best, path, &st);
			if (!pass && S_ISREG(st.st_mode) && is_ops_report(str_of(names[i]->d_name)))
				take_report(best, path, &st);
		}
	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n >= 0)
		free(names);
	path->len = base;
	path->at[path->len] = 0;
	return rc;
}

static void tell_later(const struct newest *best, struct buf *later)
{
	if (best->run_json.len && is_later(best->ran, best->made) &&
	    !str_eq(folder_of(buf_view(&best->run_json)), folder_of(buf_view(&best->path))))
		buf_str(later, folder_of(buf_view(&best->run_json)));
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

/* The runtime's own report, where it is all that there is of a run. */
static bool lone_perf_report(const char *run, struct buf *path)
{
	if (has_logs(run))
		return false;
	buf_set(path, "%s/" RUN_PERF_REPORT, run);
	return !access(path->at, F_OK);
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
	if (!path_is_folder(run) && str_eq(path_name(run), STR(RUN_MANIFEST))) {
		SCOPED(buf) struct buf folder = { 0 };

		/* it stands for what lies beside it */
		buf_str(&folder, path_name(run).at > run ? folder_of(buf_view(path)) : STR("."));
		return run_ops_file_of(folder.len ? folder.at : "/", path, later, e);
	}
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
	} else if (!best.run_json.len && lone_perf_report(run, path)) {
		rc = TTP_OK;
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

/* Not the same beginning: a log of another run has other times. */
static bool begins_differ(const char *path, const char *other)
{
	enum { BEGIN = 65536 };
	SCOPED(mem) char *bytes = mem_zero(2, BEGIN);
	size_t n[2] = { 0 };
	const char *const names[] = { path, other };

	for (int i = 0; i < 2; i++) {
		FILE *f = fopen(names[i], "rbe");

		if (!f)
			return false;
		n[i] = fread(bytes + (size_t)i * BEGIN, 1, BEGIN, f);
		(void)fclose(f);
	}
	return n[0] != n[1] || memcmp(bytes, bytes + BEGIN, n[0]);
}

bool run_ran_later(const char *run, const char *ops, struct buf *logs)
{
	static const char reports[] = "/" RUN_REPORTS_FOLDER "/";
	SCOPED(buf) struct buf log = { 0 }, own = { 0 };
	const char *at = NULL;
	struct stat of_log, of_own, of_ops;
	struct str base, named = str_of(run);

	for (const char *next = strstr(ops, reports); next; next = strstr(next + 1, reports))
		at = next;
	base = str_n(ops, at ? (size_t)(at - ops) : 0);
	/* who names one report wants that one */
	while (named.len > 1 && named.at[named.len - 1] == '/')
		named.len--;
	if (!at || (base.len < named.len && !str_eq(named, STR("."))))
		return false;
	buf_set(&log, "%.*s/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG, STR_ARG(base));
	buf_set(&own, "%.*s/" RUN_DEVICE_LOG, STR_ARG(folder_of(str_of(ops))));
	if (stat(log.at, &of_log) || stat(own.at, &of_own) || stat(ops, &of_ops) ||
	    of_log.st_mtim.tv_sec < of_ops.st_mtim.tv_sec)
		return false;
	if (of_log.st_size == of_own.st_size && !begins_differ(log.at, own.at))
		return false;
	buf_set_str(logs, folder_of(buf_view(&log)));
	return true;
}

/* "rank12"; its number, or -1. */
static long rank_of(struct str name)
{
	long rank = 0;

	if (!str_starts(name, STR("rank")) || name.len < 5 || name.len > 10)
		return -1;
	for (size_t i = 4; i < name.len; i++) {
		if (name.at[i] < '0' || name.at[i] > '9')
			return -1;
		rank = 10 * rank + (name.at[i] - '0');
	}
	return rank;
}

static int is_rank_folder(const struct dirent *d)
{
	return rank_of(str_of(d->d_name)) >= 0;
}

static int lower_rank_first(const struct dirent **a, const struct dirent **b)
{
	long first = rank_of(str_of((*a)->d_name)), second = rank_of(str_of((*b)->d_name));

	return first != second ? (first > second) - (first < second)
			       : strcmp((*a)->d_name, (*b)->d_name);
}

size_t run_rank_folders(const char *run, char ***folders)
{
	struct dirent **names;
	int found = folder_list(run, &names, is_rank_folder, lower_rank_first);
	size_t n = 0;

	*folders = NULL;
	if (found < 0)
		return 0;
	*folders = mem_zero((size_t)found + 1, sizeof(**folders));
	for (int i = 0; i < found; i++) {
		struct buf path = { 0 };

		buf_printf(&path, "%s/%s", run, names[i]->d_name);
		free(names[i]);
		if (path_is_folder(path.at))
			(*folders)[n++] = path.at;
		else
			buf_release(&path);
	}
	free(names);
	return n;
}

/* The last folder of a rank that a path leads through: its number, and what stands before it. */
static long rank_in(const char *path, struct str *before)
{
	struct str left = folder_of(str_of(path));

	for (; left.len; left = folder_of(left)) {
		long rank = rank_of(last_name(left));

		*before = folder_of(left);
		if (rank >= 0)
			return rank;
	}
	return -1;
}

bool run_of_two_ranks(const char *path, const char *other)
{
	struct str before, before_other;
	long rank = rank_in(path, &before), rank_other = rank_in(other, &before_other);

	return rank >= 0 && rank_other >= 0 && rank != rank_other && str_eq(before, before_other);
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
