// SPDX-License-Identifier: Apache-2.0
/*
 * What is found in a folder: the first line has the words of a command that reads a run, the rest is the folder
 * (work_folder.h).  The run is opened as a library does it, too: its parts are files of the folder, it gives the same
 * table twice, and its figures fit its rows.
 */
#include "command.h"
#include "report/calls.h"
#include "runs/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const commands[] = {
	"report", "ops",      "device",  "info", "export",         "convert",         "view", "top",
	"heat",   "timeline", "compare", "sql",  "tt-perf-report", "tracy-csvexport", NULL
};

static void check_part(const struct buf *path)
{
	struct stat st;

	/* what was found is there, and is no pipe */
	folder_must(!path->len || (!stat(path->at, &st) && S_ISREG(st.st_mode)));
}

static void open_run(const char *name)
{
	const struct ops_table *t;
	struct device_log *log;
	struct ttp_err e;
	struct trace trace;
	struct run r;

	if (run_open(&r, name, &e)) {
		folder_must(e.msg[0]);
		run_close(&r);
		return;
	}
	check_part(&r.parts.ops);
	check_part(&r.parts.log);
	check_part(&r.parts.trace);
	check_part(&r.parts.run_json);
	check_part(&r.parts.cost);
	check_part(&r.parts.host);
	t = run_ops(&r, &calls_want, &e);
	folder_must(t == run_ops(&r, &calls_want, &e));
	if (t) {
		struct call_options o = { 0 };
		struct calls c;

		calls_make(&c, t, &o);
		folder_must(c.all.len <= t->rows);
		calls_release(&c);
	}
	(void)run_account(&r);
	log = run_log(&r, &e);
	folder_must(log == run_log(&r, &e));
	if (r.parts.trace.len && !run_trace(&r, &trace, &e))
		trace_close(&trace);
	run_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size), line;
	struct command_words w;
	struct work_folder f;

	if (size > 100000 || !str_split(&text, '\n', &line) || !command_words(&w, line, commands))
		return 0;
	folder_open(&f, text);
	if (command_waits(&w))
		goto out;
	open_run(w.argc > 2 ? w.argv[w.argc - 1] : ".");
	(void)command_run(w.argc, w.argv, -1);
out:
	folder_close(&f);
	return 0;
}
