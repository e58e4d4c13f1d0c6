// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/json.h"
#include "ops/ops_logs.h"
#include "report/run_files.h"
#include "web/build.h"

void run_parts_release(struct run_parts *r)
{
	buf_release(&r->ops);
	buf_release(&r->log);
	buf_release(&r->trace);
	buf_release(&r->run_json);
	buf_release(&r->cost);
	buf_release(&r->folder);
	buf_release(&r->logs);
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size > 0;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static struct str folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !slash ? STR(".") : slash == path ? STR("/") : str_n(path, (size_t)(slash - path));
}

/* FOLDER/NAME into `to`, if `to` is empty and the file is there. */
static void take(struct buf *to, struct str folder, const char *name)
{
	struct buf path = { 0 };

	if (to->len)
		return;
	buf_printf(&path, "%.*s/%s", STR_ARG(folder), name);
	if (is_file(path.at))
		buf_text(to, path.at);
	buf_release(&path);
}

/* The newest trace of a folder: a .tracy, else a spool. */
static void take_trace(struct buf *to, struct str folder)
{
	struct buf path = { 0 }, best = { 0 };
	struct dirent *entry;
	time_t written = 0;
	bool tracy = false;
	DIR *dir;

	if (to->len)
		return;
	buf_str(&path, folder);
	dir = opendir(path.at);
	while (dir && (entry = readdir(dir))) {
		struct str name = str_of(entry->d_name);
		bool is_tracy = str_ends(name, STR(".tracy"));
		struct stat st;

		if (!is_tracy && !str_ends(name, STR(".ttpr")))
			continue;
		buf_clear(&path);
		buf_printf(&path, "%.*s/%s", STR_ARG(folder), entry->d_name);
		if (stat(path.at, &st) || !S_ISREG(st.st_mode) || !st.st_size)
			continue;
		if (best.len && (tracy > is_tracy || (tracy == is_tracy && st.st_mtime < written) ||
				 (tracy == is_tracy && st.st_mtime == written &&
				  strcmp(path.at, best.at) < 0)))
			continue;
		tracy = is_tracy;
		written = st.st_mtime;
		buf_clear(&best);
		buf_text(&best, path.at);
	}
	if (dir)
		(void)closedir(dir);
	buf_str(to, buf_view(&best));
	buf_release(&best);
	buf_release(&path);
}

/* What stands in a folder that has a run's files; files of one folder belong together. */
static void look_into(struct run_parts *r, struct str folder)
{
	take(&r->log, folder, OPS_LOGS_DEVICE);
	take(&r->log, folder, OPS_LOGS_DEVICE ".gz");
	take(&r->log, folder, OPS_LOGS_DEVICE ".zst");
	take(&r->run_json, folder, "run.json");
	take(&r->cost, folder, RUN_COST_FILE);
	take_trace(&r->trace, folder);
}

static void look_into_folder(struct run_parts *r, const char *folder)
{
	struct buf logs = { 0 };
	struct ttp_err e;

	buf_clear(&r->folder);
	buf_text(&r->folder, folder);
	while (r->folder.len > 1 && r->folder.at[r->folder.len - 1] == '/')
		r->folder.at[--r->folder.len] = 0;
	if (!r->ops.len && run_ops_file(folder, &r->ops, &e))
		buf_clear(&r->ops);
	if (r->ops.len)
		look_into(r, folder_of(r->ops.at));
	buf_printf(&logs, "%s/.logs", r->folder.at);
	look_into(r, buf_view(&logs));
	look_into(r, buf_view(&r->folder));
	if (r->log.len)
		buf_str(&r->logs, folder_of(r->log.at));
	else
		buf_str(&r->logs, is_folder(logs.at) ? buf_view(&logs) : buf_view(&r->folder));
	buf_release(&logs);
}

/* Files that run.json names, where they still are. */
static void read_run_json(struct run_parts *r, const char *path)
{
	struct json_reader j;
	enum json_event ev;
	struct input in;
	struct buf *to = NULL;
	struct ttp_err e;

	if (input_open(&in, path, &e))
		return;
	j = json_reader_of(in.data);
	while ((ev = json_next(&j)) > JSON_END) {
		if (ev == JSON_KEY) {
			to = j.nest.depth != 1                       ? NULL
			     : json_text_is(&j, STR("report")) ? &r->ops
			     : json_text_is(&j, STR("trace"))  ? &r->trace
							       : NULL;
		} else if (ev == JSON_STRING && to && !to->len) {
			json_unescape(&j, to);
			if (to->len && !is_file(to->at))
				buf_clear(to);
			to = NULL;
		}
	}
	input_close(&in);
}

enum file_kind { FILE_UNKNOWN, FILE_OPS, FILE_LOG, FILE_TRACE, FILE_RUN };

static enum file_kind kind_of(struct str data)
{
	struct str head = str_head(data, 65536);
	struct str line = str_head(head, str_find_char(head, '\n'));

	if (str_starts(head, STR("TTPR1")) || str_starts(head, STR("tlZ\4")) ||
	    str_starts(head, STR("tZst")) || str_starts(head, STR("tr\xFDP")))
		return FILE_TRACE;
	if (str_starts(str_trim(str_head(head, 4096)), STR("{")))
		return FILE_RUN;
	if (str_starts(line, STR("ARCH:")) || str_has(line, STR("Chip clock is at")) ||
	    str_has(line, STR("PCIe slot")))
		return FILE_LOG;
	if (str_has(line, STR("OP CODE")) || str_has(line, STR("DEVICE KERNEL DURATION")) ||
	    str_has(line, STR("DEVICE FW DURATION")))
		return FILE_OPS;
	return FILE_UNKNOWN;
}

static enum ttp_rc take_file(struct run_parts *r, const char *path, struct ttp_err *e)
{
	struct input in;
	enum file_kind kind;
	enum ttp_rc rc = input_open(&in, path, e);

	if (rc)
		return rc;
	kind = kind_of(in.data);
	input_close(&in);
	buf_text(&r->folder, path);
	r->alone = kind != FILE_RUN;
	switch (kind) {
	case FILE_OPS:
		buf_text(&r->ops, path);
		break;
	case FILE_LOG:
		buf_text(&r->log, path);
		break;
	case FILE_TRACE:
		buf_text(&r->trace, path);
		break;
	case FILE_RUN:
		buf_text(&r->run_json, path);
		read_run_json(r, path);
		buf_clear(&r->folder);
		buf_str(&r->folder, folder_of(path));
		{
			struct buf folder = { 0 };

			buf_str(&folder, buf_view(&r->folder));
			look_into_folder(r, folder.at);
			buf_release(&folder);
		}
		break;
	case FILE_UNKNOWN:
		return ttp_fail(e, TTP_FORMAT,
				"%s: neither an ops report, a device log, a trace nor a run.json",
				path);
	}
	return TTP_OK;
}

enum ttp_rc run_parts_find(struct run_parts *r, const char *run, struct ttp_err *e)
{
	*r = (struct run_parts){ 0 };
	if (is_folder(run)) {
		look_into_folder(r, run);
	} else {
		enum ttp_rc rc = take_file(r, run, e);

		if (rc)
			return rc;
	}
	if (r->ops.len || r->log.len || r->trace.len)
		return TTP_OK;
	return ttp_fail(e, TTP_FORMAT,
			"%s: nothing of a run in it: no ops_perf_results*.csv, no " OPS_LOGS_DEVICE
			", no trace (.tracy, .ttpr)",
			run);
}
