// SPDX-License-Identifier: Apache-2.0
#include "cmd/draw_run.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/suggest.h"
#include "base/width.h"
#include "cmd/ops_files.h"

const struct opt_arg draw_args[] = {
	{ "RUN", 0, 1,
	  "a report folder, run.json, an ops report, a device log, a .tracy file or a spool; else the profiler's folder" },
	{ 0 },
};

const char *draw_run(const struct opt_found *found)
{
	static struct buf folder; /* one command runs in a process */

	if (found->n)
		return found->args[0];
	buf_clear(&folder);
	profiler_folder(&folder);
	return folder.at;
}

struct term draw_term(int colour)
{
	struct term t = term_of(STDOUT_FILENO, (enum term_colour)colour);

	t.width = t.width < 40 ? 40 : t.width;
	return t;
}

enum ttp_rc draw_no_log(const struct run_parts *p, struct ttp_err *e)
{
	return ttp_fail(
		e, TTP_USAGE,
		"%s: cores are in the device log (profile_log_device.csv), and this has none: only %s%s%s; "
		"name the folder with it, or profile with TT_METAL_DEVICE_PROFILER=1",
		p->given, p->ops.len ? "an ops report" : "", p->ops.len && p->trace.len ? " and " : "",
		p->trace.len ? "a trace" : "");
}

enum ttp_rc draw_no_zones(const struct core_times *t, const struct device_log *log,
			  const struct core_want *want, const char *path, struct ttp_err *e)
{
	struct suggest near = { .word = want->zone };
	struct buf names = { 0 }, clean = { 0 };

	if (!t->markers)
		return ttp_fail(e, TTP_FORMAT, "%s: the log has no markers", path);
	if (want->zone.len) {
		for (uint32_t i = 0; i < intern_count(&log->names.zones); i++)
			suggest_offer(&near, intern_get(&log->names.zones, i).at);
		for (uint32_t i = 0; i < t->zone_count.len && names.len < 160; i++)
			if (t->zone_count.at[i]) {
				buf_text(&names, names.len ? ", " : "");
				width_clean(&names, str_head(intern_get(&log->names.zones, i), 60));
			}
		width_clean(&clean, str_head(want->zone, 60));
		(void)ttp_fail(e, TTP_USAGE, "--zone: no zone%s of the log has \"%s\"; there are %s",
			       want->riscs.len ? " on these RISCs" : "", clean.at ? clean.at : "",
			       names.at ? names.at : "none");
	} else if (want->riscs.len) {
		for (uint32_t i = 0; i < intern_count(&log->names.riscs); i++)
			buf_printf(&names, "%s%.*s", i ? ", " : "",
				   STR_ARG(str_head(intern_get(&log->names.riscs, i), 30)));
		(void)ttp_fail(e, TTP_USAGE,
			       "--risc: no kernel of \"%.*s\" in the log; RISCs are %s",
			       STR_ARG(str_head(want->riscs, 60)), names.at ? names.at : "none");
	} else {
		(void)ttp_fail(e, TTP_FORMAT,
			       "%s: no kernel has both a start and an end; --zone NAME shows other zones",
			       path);
	}
	buf_release(&names);
	buf_release(&clean);
	return e->rc;
}

void draw_tell_log(const char *prog, const struct device_log *log, const char *path)
{
	if (log->bad_rows)
		cmd_warn(prog, "%llu rows of %s can't be read, the first is line %llu",
			 (unsigned long long)log->bad_rows, path,
			 (unsigned long long)log->bad_line[0]);
	if (input_shrunk(&log->in))
		cmd_warn(prog, "%s got shorter while it was read", path);
	if (log->in.cut_short)
		cmd_warn(prog, "%s: compressed data ends early: shown is what came before", path);
}
