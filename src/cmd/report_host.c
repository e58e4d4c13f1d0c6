// SPDX-License-Identifier: Apache-2.0
#include "cmd/report_host.h"

#include <sys/stat.h>
#include <time.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "draw/host_verdict.h"
#include "runs/run.h"

enum { FUNCTIONS_SHOWN = 15 };

static bool show(struct run *run, bool json, struct ttp_err *e)
{
	struct host_verdict v = { .most = FUNCTIONS_SHOWN, .width = (unsigned)draw_term(0).width };
	struct zone_sums zones;
	struct trace t;

	if (run_trace(run, &t, e))
		return false;
	if (zone_sums_of_trace(&zones, &t, e)) {
		zone_sums_release(&zones);
		run_trace_close(run, &t);
		return false;
	}
	v.source = path_name(run->parts.trace.at);
	v.span_ns = t.last_ns;
	v.zones = &zones;
	if (json)
		host_verdict_json(&v, cmd_stdout());
	else
		host_verdict_text(&v, cmd_stdout());
	zone_sums_release(&zones);
	run_trace_close(run, &t);
	return true;
}

bool report_host(const char *prog, const char *name, bool json, bool strict, int *status)
{
	struct run run;
	struct ttp_err e;
	bool shown = !run_open(&run, name, &e) && !run.parts.ops.len && run.parts.trace.len;

	if (!shown) {
		run_close(&run);
		return false;
	}
	shown = show(&run, json, &e);
	*status = run_finish(&run, cmd_console(prog), shown ? NULL : &e, strict);
	return true;
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
