// SPDX-License-Identifier: Apache-2.0
#include "runs/run_parts.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/json.h"
#include "base/paths.h"
#include "markers/log/device_log.h"
#include "runs/profiler_folder.h"
#include "runs/run_files.h"
#include "wire/run_names.h"

void run_parts_release(struct run_parts *p)
{
	inputs_close(&p->inputs);
	RELEASE(buf, &p->below, &p->ops, &p->log, &p->trace, &p->run_json, &p->cost, &p->folder,
		&p->logs, &p->host, &p->old_ops);
	vec_release(&p->left_out);
}

void run_parts_left_out(struct run_parts *p, const struct ttp_err *why)
{
	struct str name = str_head(str_of(why->msg), str_find(str_of(why->msg), STR(": ")));

	vec_each (known, &p->left_out)
		if (str_starts(str_of(known->msg), name) &&
		    str_starts(str_from(str_of(known->msg), name.len), STR(": ")))
			return;
	*vec_push(&p->left_out) = *why;
}

void run_parts_note(struct run_parts *p, const struct ttp_err *what)
{
	vec_each (known, &p->left_out)
		if (!strcmp(known->msg, what->msg))
			return;
	*vec_push(&p->left_out) = *what;
}

void run_parts_leave_out(struct run_parts *p, const struct ttp_err *why)
{
	struct ttp_err e;

	(void)ttp_fail(&e, why->rc, "%.460s: left out", why->msg);
	run_parts_left_out(p, &e);
}

struct str run_parts_ops_name(const struct run_parts *p)
{
	return p->made ? STR("ops of the logs") : path_name(p->ops.at);
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size > 0;
}

/* A name of a run's part that is there, and is nothing to read. */
static void look_at_odd(struct run_parts *p, const char *path)
{
	struct ttp_err e;
	struct stat st;

	if (input_is_odd(path, &e)) {
		run_parts_leave_out(p, &e);
	} else if (!stat(path, &st) && S_ISREG(st.st_mode) && !st.st_size) {
		(void)ttp_fail(&e, TTP_FORMAT, "%s: the file is empty", path);
		run_parts_leave_out(p, &e);
	} else if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		(void)ttp_fail(&e, TTP_USAGE, "%s: is a directory", path);
		run_parts_leave_out(p, &e);
	}
}

static void set(struct buf *to, const char *path)
{
	buf_set_str(to, str_of(path));
}

/* The folder of a file, "." without one. */
static void folder_of(struct buf *to, const char *path)
{
	struct str s = str_of(path);
	size_t slash = str_rfind_char(s, '/');

	buf_clear(to);
	if (slash == STR_NONE)
		buf_text(to, ".");
	else
		buf_str(to, str_head(s, slash ? slash : 1));
}

/* FOLDER/NAME into `to`, if `to` is empty and the file is there. */
static void take(struct run_parts *p, struct buf *to, const char *folder, const char *name)
{
	SCOPED(buf) struct buf path = { 0 };

	if (to->len)
		return;
	buf_printf(&path, "%s/%s", folder, name);
	if (is_file(path.at))
		buf_text(to, path.at);
	else
		look_at_odd(p, path.at);
}

/* A .tracy is more than the spool that it was made from, and the runtime's name more than any other. */
static int trace_rank(const char *name)
{
	struct str s = str_of(name);

	return !strcmp(name, RUN_TRACE)     ? 3
	       : str_ends(s, STR(".tracy")) ? 2
	       : str_ends(s, STR(".ttpr"))  ? 1
					    : 0;
}

/* The trace of a folder; of equal ones the newest, then the last by name. */
static void take_trace(struct run_parts *p, const char *folder)
{
	SCOPED(buf) struct buf path = { 0 };
	struct buf *to = &p->trace;
	struct dirent *entry;
	time_t best_time = 0;
	int best = 0;
	SCOPED(dir) DIR *dir = NULL;

	if (to->len)
		return;
	dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		int rank = trace_rank(entry->d_name);
		struct stat st;

		if (!rank || rank < best)
			continue;
		buf_set(&path, "%s/%s", folder, entry->d_name);
		if (stat(path.at, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
			look_at_odd(p, path.at);
			continue;
		}
		if (rank == best && (st.st_mtime < best_time ||
				     (st.st_mtime == best_time && strcmp(path.at, to->at) < 0)))
			continue;
		best = rank;
		best_time = st.st_mtime;
		set(to, path.at);
	}
}

static void take_files(struct run_parts *p, const char *folder)
{
	take(p, &p->log, folder, RUN_DEVICE_LOG);
	take(p, &p->log, folder, RUN_DEVICE_LOG ".gz");
	take(p, &p->log, folder, RUN_DEVICE_LOG ".zst");
	take(p, &p->run_json, folder, RUN_JSON);
	take(p, &p->cost, folder, RUN_OVERHEAD);
}

/* Fills in what is still missing from one folder: files of one folder belong together. */
static void take_from(struct run_parts *p, const char *folder)
{
	take_files(p, folder);
	take_trace(p, folder);
}

static void take_beside(struct run_parts *p, const char *file)
{
	SCOPED(buf) struct buf folder = { 0 };

	folder_of(&folder, file);
	/* where a report has any other name than ours, the folder may have traces of anything */
	if (str_starts(path_name(file), STR("ops_perf_results"))) {
		take_from(p, folder.at);
		return;
	}
	take_files(p, folder.at);
	take(p, &p->trace, folder.at, RUN_TRACE);
	take(p, &p->trace, folder.at, RUN_SPOOL);
}

enum file_kind { FILE_EMPTY, FILE_UNKNOWN, FILE_OPS, FILE_LOG, FILE_TRACE, FILE_RUN };

static enum file_kind kind_of(struct str data)
{
	struct str head = str_head(data, 65536);
	struct str line = str_head(head, str_find_char(head, '\n'));

	if (!data.len)
		return FILE_EMPTY;
	if ((str_starts(head, STR("TTPR")) && head.len >= 8 && !head.at[7]) ||
	    str_starts(head, STR("tlZ\4")) || str_starts(head, STR("tZst")) ||
	    str_starts(head, STR("tr\xFDP")))
		return FILE_TRACE;
	if (str_starts(str_trim(str_head(head, 4096)), STR("{")))
		return FILE_RUN;
	if (str_starts(line, STR("ARCH:")) || str_has(line, STR("Chip clock is at")) ||
	    str_has(line, STR("PCIe slot")) || device_log_is_row(line))
		return FILE_LOG;
	if (str_has(line, STR("OP CODE")) || str_has(line, STR("DEVICE KERNEL DURATION")) ||
	    str_has(line, STR("TRACE KERNEL DURATION")) || str_has(line, STR("DEVICE FW DURATION")))
		return FILE_OPS;
	return FILE_UNKNOWN;
}

/* A file by the name of a report that is none: the logs may give one. */
static void check_ops(struct run_parts *p)
{
	struct input in;
	struct ttp_err e;

	if (!p->ops.len)
		return;
	if (!inputs_open(&p->inputs, p->ops.at, NULL, &in, &e)) {
		enum file_kind kind = kind_of(in.data);

		if (kind == FILE_OPS)
			return;
		(void)ttp_fail(
			&e, TTP_FORMAT,
			kind == FILE_EMPTY
				? "%s: the file is empty"
				: "%s: not an ops report: it has neither \"OP CODE\" nor a duration of devices",
			p->ops.at);
	}
	run_parts_leave_out(p, &e);
	buf_clear(&p->ops);
}

/* What tools of 2023 left: a folder of ops with those of devices beside it, and logs/ or device/ with the log of all. */
static void find_of_2023(struct run_parts *p)
{
	static const char *const places[] = { "logs", "device" };
	SCOPED(buf) struct buf folder = { 0 };

	if (!run_old_ops(p->folder.at, &p->old_ops))
		return;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		buf_set(&folder, "%s/%s", p->folder.at, places[i]);
		take(p, &p->log, folder.at, RUN_DEVICE_LOG);
	}
}

/* Who asks for what was just run must not get an older one: that is what is shown, and which one has ops is said. */
static void note_latest(struct run_parts *p, const char *later)
{
	struct ttp_err e;

	(void)ttp_fail(
		&e, TTP_FORMAT,
		"%.220s: the latest run, which is shown, recorded no ops; the last one with ops: %.220s",
		later, p->ops.at);
	run_parts_note(p, &e);
}

/* A program that ran by itself left a device log, and no report: the report before it is shown. */
static void note_ran_later(struct run_parts *p, struct buf *logs)
{
	struct ttp_err e;

	(void)ttp_fail(
		&e, TTP_FORMAT,
		"%.220s/" RUN_DEVICE_LOG
		": is of a later run, without a report (`ttprof device` shows it); this is the run before, %.220s",
		logs->at, p->ops.at);
	run_parts_note(p, &e);
	buf_clear(logs);
}

static enum ttp_rc find_in_folder(struct run_parts *p, const char *folder, struct ttp_err *e)
{
	SCOPED(buf) struct buf logs = { 0 }, later = { 0 };
	enum ttp_rc rc;

	set(&p->folder, folder);
	while (p->folder.len > 1 && p->folder.at[p->folder.len - 1] == '/')
		p->folder.at[--p->folder.len] = 0;
	rc = p->ops.len ? TTP_OK : run_ops_file_of(folder, &p->ops, &later, e);
	if (rc == TTP_SYS)
		return rc; /* any other: there is no report */
	if (later.len) {
		note_latest(p, later.at);
		take_from(p, later.at);
	} else if (p->ops.len && run_ran_later(folder, p->ops.at, &later))
		note_ran_later(p, &later);
	if (rc || later.len)
		buf_clear(&p->ops);
	check_ops(p);
	if (p->ops.len)
		take_beside(p, p->ops.at);
	buf_printf(&logs, "%s/" RUN_LOGS_FOLDER, p->folder.at);
	take_from(p, logs.at);
	take_from(p, p->folder.at);
	if (p->log.len)
		folder_of(&p->logs, p->log.at);
	else
		set(&p->logs, path_is_folder(logs.at) ? logs.at : p->folder.at);
	take(p, &p->host, p->logs.at, RUN_HOST_EVENTS);
	if (!p->log.len && !p->trace.len && !p->host.len)
		find_of_2023(p);
	return TTP_OK;
}

/*
 * A file that run.json names: beside it, also if the folder was moved; else there.  What is kept in .logs is of the newest run,
 * and a copy beside run.json of its own.
 */
static void named_file(struct buf *to, const struct json_reader *r, const char *run_json)
{
	SCOPED(buf) struct buf path = { 0 }, beside = { 0 };

	json_unescape(r, &path);
	if (path.len) {
		folder_of(&beside, run_json);
		buf_char(&beside, '/');
		buf_str(&beside, path_name(path.at));
		if (is_file(beside.at))
			set(to, beside.at);
		else if (is_file(path.at))
			set(to, path.at);
	}
}

static enum ttp_rc find_by_json(struct run_parts *p, const char *path, struct str text,
				struct ttp_err *e)
{
	struct json_reader r = json_reader_of(text);
	SCOPED(buf) struct buf folder = { 0 };
	enum json_event ev;

	while ((ev = json_next(&r)) > JSON_END) {
		struct buf *to;

		if (ev != JSON_KEY || r.nest.depth != 1)
			continue;
		to = json_text_is(&r, STR("report"))  ? &p->ops
		     : json_text_is(&r, STR("trace")) ? &p->trace
						      : NULL;
		if (to && json_next(&r) == JSON_STRING)
			named_file(to, &r, path);
	}
	if (ev == JSON_ERROR)
		return json_fail(&r, e);
	set(&p->run_json, path);
	folder_of(&folder, path);
	return find_in_folder(p, folder.at, e);
}

static enum ttp_rc find_by_file(struct run_parts *p, const char *path, struct ttp_err *e)
{
	struct ttp_err odd;
	struct input in;
	enum ttp_rc rc = TTP_OK;

	/* a pipe gives what it has once, and what lies beside it is not known */
	if (input_is_odd(path, &odd))
		return ttp_fail(e, odd.rc, "%.400s: save what it gives, and name that", odd.msg);
	TTP_TRY(inputs_open(&p->inputs, path, NULL, &in, e));
	set(&p->folder, path);
	p->alone = true;
	switch (kind_of(in.data)) {
	case FILE_OPS:
		set(&p->ops, path);
		take_beside(p, path);
		p->alone = !p->log.len && !p->trace.len;
		break;
	case FILE_LOG:
		set(&p->log, path);
		break;
	case FILE_TRACE:
		set(&p->trace, path);
		break;
	case FILE_RUN:
		p->alone = false;
		rc = find_by_json(p, path, in.data, e);
		if (rc)
			rc = ttp_wrap(e, rc, "%s", path);
		break;
	case FILE_EMPTY:
		rc = ttp_fail(e, TTP_FORMAT, "%s: the file is empty", path);
		break;
	case FILE_UNKNOWN:
		rc = ttp_fail(e, TTP_FORMAT,
			      "%s: neither an ops report, a device log, a trace nor a run.json",
			      path);
		break;
	}
	return rc;
}

/* The folder that a program was run in stands for the profiler's in it. */
static bool find_below(struct run_parts *p, const char *run, enum ttp_rc *rc, struct ttp_err *e)
{
	SCOPED(buf) struct buf below = { 0 };

	if (!path_is_folder(run) || !profiler_folder_below(run, &below))
		return false;
	run_parts_release(p);
	*rc = run_parts_find(p, below.at, e);
	buf_set_str(&p->below, buf_view(&below));
	p->given = p->below.at;
	return true;
}

enum ttp_rc run_parts_find(struct run_parts *p, const char *run, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	*p = (struct run_parts){ .given = run };
	if (!*run)
		return ttp_fail(e, TTP_USAGE, "an empty name is no file");
	if (!strcmp(run, "-")) {
		set(&p->ops, run);
		set(&p->folder, run);
		p->alone = true;
		return TTP_OK;
	}
	if (access(run, F_OK))
		return ttp_fail_errno(e, "%s", run);
	if (path_is_folder(run))
		rc = find_in_folder(p, run, e);
	else
		rc = find_by_file(p, run, e);
	if (rc || p->ops.len || p->log.len || p->trace.len || p->host.len || p->old_ops.len)
		return rc;
	if (find_below(p, run, &rc, e))
		return rc;
	if (p->left_out.len)
		return ttp_fail(e, p->left_out.at[0].rc, "%.200s: nothing of a run: %.260s", run,
				p->left_out.at[0].msg);
	return ttp_fail(e, TTP_USAGE,
			"%s: nothing of a run: no ops_perf_results*.csv, " RUN_DEVICE_LOG
			", .tracy or .ttpr; name the folder that `ttprof run -r` wrote to, "
			"generated/profiler",
			run);
}

enum ttp_rc run_parts_spare(const struct run_parts *p, const char *path, struct ttp_err *e)
{
	const struct buf *parts[] = {
		&p->ops, &p->log, &p->trace, &p->run_json, &p->cost, &p->host
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i]->len && path_is_same(parts[i]->at, path))
			return ttp_fail(
				e, TTP_USAGE,
				"%s is of the run itself, and would be gone: name another file",
				path);
	return TTP_OK;
}
