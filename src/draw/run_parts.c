// SPDX-License-Identifier: Apache-2.0
#include "draw/run_parts.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/json.h"
#include "ops/ops_logs.h"
#include "report/run_files.h"
#include "trace/trace.h"

struct str path_name(const char *path)
{
	struct str s = str_of(path);
	size_t slash = str_rfind_char(s, '/');

	return slash == STR_NONE ? s : str_from(s, slash + 1);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

static void set(struct buf *to, const char *path)
{
	buf_clear(to);
	buf_text(to, path);
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

static bool is_trace_name(const char *name)
{
	struct str s = str_of(name);

	return str_ends(s, STR(".tracy")) || str_ends(s, STR(".ttpr"));
}

/* The trace of a folder: the runtime's by its name, else the one that was written last. */
static void trace_in(struct buf *to, const char *folder)
{
	struct dirent **names;
	struct buf path = { 0 };
	struct stat st;
	time_t written = 0;
	int n;

	buf_printf(&path, "%s/" OPS_LOGS_TRACY, folder);
	if (is_file(path.at)) {
		set(to, path.at);
		buf_release(&path);
		return;
	}
	n = scandir(folder, &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", folder, names[i]->d_name);
		if (is_trace_name(names[i]->d_name) && !stat(path.at, &st) && S_ISREG(st.st_mode) &&
		    (!to->len || st.st_mtime > written)) {
			written = st.st_mtime;
			set(to, path.at);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	buf_release(&path);
}

/* Fills in what is still missing from one folder. */
static void take_from(struct run_parts *p, const char *folder)
{
	static const char *const packed[] = { "", ".gz", ".zst" };
	struct buf path = { 0 };

	for (size_t i = 0; i < sizeof(packed) / sizeof(*packed) && !p->device.len; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/" OPS_LOGS_DEVICE "%s", folder, packed[i]);
		if (is_file(path.at))
			set(&p->device, path.at);
	}
	if (!p->trace.len)
		trace_in(&p->trace, folder);
	buf_release(&path);
}

static void take_beside(struct run_parts *p, const char *file)
{
	struct buf folder = { 0 };

	folder_of(&folder, file);
	take_from(p, folder.at);
	buf_release(&folder);
}

static enum ttp_rc find_in_folder(struct run_parts *p, const char *folder, struct ttp_err *e)
{
	struct buf logs = { 0 };
	struct ttp_err none;

	if (run_ops_file(folder, &p->ops, &none))
		buf_clear(&p->ops);
	else
		take_beside(p, p->ops.at);
	buf_printf(&logs, "%s/.logs", folder);
	take_from(p, logs.at);
	take_from(p, folder);
	buf_release(&logs);
	if (p->ops.len || p->device.len || p->trace.len)
		return TTP_OK;
	return ttp_fail(e, TTP_USAGE,
			"%s: no ops_perf_results*.csv, " OPS_LOGS_DEVICE
			", .tracy or .ttpr in this folder; name the one that `ttprof run -r` wrote to, "
			"generated/profiler",
			folder);
}

/* A file that run.json names: there, or beside it if the folder was moved. */
static void named_file(struct buf *to, const struct json_reader *r, const char *run_json)
{
	struct buf path = { 0 }, beside = { 0 };

	json_unescape(r, &path);
	if (path.len && is_file(path.at)) {
		set(to, path.at);
	} else if (path.len) {
		folder_of(&beside, run_json);
		buf_char(&beside, '/');
		buf_str(&beside, path_name(path.at));
		if (is_file(beside.at))
			set(to, beside.at);
	}
	buf_release(&path);
	buf_release(&beside);
}

static enum ttp_rc find_by_json(struct run_parts *p, const char *path, struct str text,
				struct ttp_err *e)
{
	struct json_reader r = json_reader_of(text);
	enum json_event ev;

	while ((ev = json_next(&r)) > JSON_END) {
		bool report;

		if (ev != JSON_KEY)
			continue;
		report = json_text_is(&r, STR("report"));
		if (!report && !json_text_is(&r, STR("trace"))) {
			if (!json_skip_value(&r))
				break;
		} else if (json_next(&r) == JSON_STRING) {
			named_file(report ? &p->ops : &p->trace, &r, path);
		} else if (!json_skip_value(&r)) {
			break;
		}
	}
	if (json_next(&r) == JSON_ERROR)
		return json_fail(&r, e);
	take_beside(p, path);
	if (!p->ops.len && !p->device.len && !p->trace.len)
		return ttp_fail(e, TTP_USAGE, "the files that it names are not there");
	return TTP_OK;
}

static bool is_trace(const char *path)
{
	struct trace t;
	struct ttp_err e;

	if (trace_open(&t, path, &e))
		return false;
	trace_close(&t);
	return true;
}

/* A table is told by its first line. */
static bool is_ops_report(struct str text)
{
	struct str line = str_head(text, 64 << 10);

	line = str_head(line, str_find_char(line, '\n') == STR_NONE ? line.len
								    : str_find_char(line, '\n'));
	return str_has(line, STR("OP CODE")) || str_has(line, STR("DEVICE FW DURATION")) ||
	       str_has(line, STR("DEVICE KERNEL DURATION"));
}

static enum ttp_rc find_by_file(struct run_parts *p, const char *path, struct ttp_err *e)
{
	struct input in;
	struct str text;
	enum ttp_rc rc = TTP_OK;

	if (is_trace_name(path) || is_trace(path)) {
		set(&p->trace, path);
		return TTP_OK;
	}
	rc = input_open(&in, path, e);
	if (rc)
		return rc;
	text = str_trim(str_head(in.data, 4096));
	if (!in.data.len) {
		rc = ttp_fail(e, TTP_FORMAT, "%s: the file is empty", path);
	} else if (text.len && text.at[0] == '{') {
		rc = find_by_json(p, path, in.data, e);
		if (rc)
			rc = ttp_wrap(e, rc, "%s", path);
	} else if (is_ops_report(in.data)) {
		set(&p->ops, path);
		take_beside(p, path);
	} else {
		set(&p->device, path);
	}
	input_close(&in);
	return rc;
}

enum ttp_rc run_parts_find(struct run_parts *p, const char *run, struct ttp_err *e)
{
	memset(p, 0, sizeof(*p));
	p->given = run;
	if (!*run)
		return ttp_fail(e, TTP_USAGE, "an empty name is no file");
	if (!strcmp(run, "-")) {
		set(&p->ops, run);
		return TTP_OK;
	}
	if (access(run, F_OK))
		return ttp_fail_errno(e, "%s", run);
	return is_folder(run) ? find_in_folder(p, run, e) : find_by_file(p, run, e);
}

void run_parts_release(struct run_parts *p)
{
	buf_release(&p->ops);
	buf_release(&p->device);
	buf_release(&p->trace);
}
