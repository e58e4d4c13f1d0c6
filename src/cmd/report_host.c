// SPDX-License-Identifier: Apache-2.0
#include "cmd/report_host.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "draw/host_verdict_text.h"
#include "runs/run.h"
#include "wire/run_names.h"

static bool show(struct run *run, bool json, struct ttp_err *e)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };
	struct host_verdict v;
	enum ttp_rc rc = host_verdict_make(&v, run, e);

	if (!rc && json) {
		host_verdict_json(&v, &w);
		buf_char(&b, '\n');
		out_buf(cmd_stdout(), &b);
	} else if (!rc) {
		host_verdict_text(&v, draw_term(0), cmd_stdout());
	}
	host_verdict_release(&v);
	return !rc;
}

bool report_host_can(const char *name)
{
	struct run run;
	struct ttp_err e;
	bool can = !run_open(&run, name, &e) && !run.parts.ops.len && run.parts.trace.len;

	run_close(&run);
	return can;
}

/* Of a run without ops: what asks for single ops, or for a file of them, can't be answered; what only shapes their table is reported as ignored. */
static int heed_no_ops(const char *prog, const struct report_ask *u)
{
	const struct {
		bool given;
		const char *name;
	} shapes[] = {
		{ u->start, "--signpost" },
		{ u->end, "--end-signpost" },
		{ u->whole_file, "--ignore-signposts" },
		{ u->filter, "--filter" },
		{ u->no_host_ops, "--no-host-ops" },
		{ u->min_percent > 0, "--min-percentage" },
		{ u->apart, "--no-merge-devices" },
		{ u->order, "--order" },
		{ u->each, "--each" },
		{ u->sort, "--sort" },
		{ u->ascending, "--ascending" },
		{ u->top >= 0, "--top" },
		{ u->columns, "--columns" },
		{ u->group, "--group-by" },
		{ u->no_findings, "--no-advice" },
		{ u->chip, "--chip" },
	};
	const struct cmd_rule rules[] = {
		{ u->id, "--id: no op was run" },
		{ u->id_range, "--id-range: no op was run" },
		{ u->csv, "--csv: no op was run; `ttprof export` has zones as CSV" },
		{ 0 },
	};
	SCOPED(buf) struct buf b = { 0 };
	int status = cmd_refuse(prog, rules);

	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes) && !status; i++)
		if (shapes[i].given)
			buf_printf(&b, "%s%s", b.len ? ", " : "", shapes[i].name);
	if (b.len)
		cmd_warn(prog, "no op was run, so this is ignored: %s", b.at);
	return status;
}

int report_host(const char *prog, const char *name, const struct report_ask *u)
{
	int status = heed_no_ops(prog, u);
	struct run run;
	struct ttp_err e;
	bool shown;

	if (status)
		return status;
	shown = !run_open(&run, name, &e) && show(&run, u->json, &e);
	return run_finish(&run, cmd_console(prog), shown ? NULL : &e, u->strict);
}

void report_host_behind(const char *name)
{
	struct run run;
	struct ttp_err e;

	if (!run_open(&run, name, &e) && run.parts.trace.len) {
		out_char(cmd_stdout(), '\n');
		(void)show(&run, false, &e);
	}
	run_close(&run);
}

void report_host_behind_json(const char *name, struct buf *to)
{
	struct json_writer w = { .to = to, .pretty = true };
	struct host_verdict v;
	struct run run;
	struct ttp_err e;

	if (!run_open(&run, name, &e) && run.parts.trace.len) {
		if (!host_verdict_make(&v, &run, &e))
			host_verdict_json(&v, &w);
		host_verdict_release(&v);
	}
	run_close(&run);
}

static void add_time(struct buf *b, const char *path)
{
	struct stat st;
	struct tm at;
	char text[40];

	if (!stat(path, &st) && localtime_r(&st.st_mtime, &at) &&
	    strftime(text, sizeof(text), " (%Y-%m-%d %H:%M:%S)", &at))
		buf_text(b, text);
}

/* Who asks for the report of what was just run must not get an older one in silence. */
void report_warn_later(const char *prog, const char *later, const char *shown)
{
	SCOPED(buf) struct buf b = { 0 };

	buf_printf(&b, "the latest run, %s", later);
	add_time(&b, later);
	buf_printf(&b, ", recorded no ops; this is an earlier one, %s", shown);
	add_time(&b, shown);
	cmd_warn(prog, "%s", b.at);
}

void report_take_later(const char *prog, const char *logs, struct buf *ops)
{
	SCOPED(buf) struct buf b = { 0 }, perf = { 0 };

	buf_printf(&b, "the latest run, %s/" RUN_DEVICE_LOG, logs);
	buf_set(&perf, "%s/" RUN_DEVICE_LOG, logs);
	add_time(&b, perf.at);
	buf_text(&b, ", was not one of `ttprof run -r`; ");
	buf_set(&perf, "%s/" RUN_PERF_REPORT, logs);
	if (access(perf.at, R_OK)) {
		buf_printf(&b, "`ttprof device` shows it; this is an earlier one, %s", ops->at);
	} else {
		buf_printf(&b, "this is the runtime's report of it; the one before: %s", ops->at);
		buf_set_str(ops, buf_view(&perf));
	}
	cmd_warn(prog, "%s", b.at);
}
