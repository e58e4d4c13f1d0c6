// SPDX-License-Identifier: Apache-2.0
#include "cmd/draw_run.h"

#include <unistd.h>

#include "base/suggest.h"
#include "base/width.h"
#include "runs/profiler_folder.h"

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

/* There is no device log: what the run has, and what to do. */
static enum ttp_rc no_log(const struct run *run, const struct ops_table *ops, struct ttp_err *e)
{
	const struct run_parts *p = &run->parts;

	return ttp_fail(
		e, TTP_USAGE,
		"%s: cores are in the device log (profile_log_device.csv), and this has none%s: only %s%s%s; "
		"name the folder with it, or profile with TT_METAL_DEVICE_PROFILER=1",
		p->given, p->left_out.len ? " that can be read" : "", ops ? "an ops report" : "",
		ops && p->trace.len ? " and " : "",
		p->trace.len ? "a trace"
		: ops        ? ""
			     : "logs of the host");
}

/* There is one, but none of its zones were chosen. */
static enum ttp_rc no_zones(const struct core_times *t, const struct device_log *log,
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
		(void)ttp_fail(e, TTP_USAGE,
			       "--zone: no zone%s of the log has \"%s\"; there are %s",
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
		(void)ttp_fail(
			e, TTP_FORMAT,
			"%s: no kernel has both a start and an end; --zone NAME shows other zones",
			path);
	}
	buf_release(&names);
	buf_release(&clean);
	return e->rc;
}

enum ttp_rc draw_one_form(bool json, const char *path, const char *option, struct ttp_err *e)
{
	if (json && path)
		return ttp_fail(e, TTP_USAGE, "--json or %s: one at a time", option);
	return TTP_OK;
}

enum ttp_rc draw_picture(const char *path, draw_fn *draw, const void *what, struct ttp_err *e)
{
	struct out_file f;
	enum ttp_rc rc;

	if (!strcmp(path, "-")) {
		draw(what, cmd_stdout());
		return TTP_OK;
	}
	rc = out_file_open(&f, path, e);
	if (rc)
		return rc;
	draw(what, &f.out);
	return out_file_commit(&f, e);
}

void draw_tell_left_out(const char *prog, const struct ttp_err *all, size_t n,
			const struct ttp_err *e)
{
	for (size_t i = 0; i < n; i++)
		if (!e || strncmp(all[i].msg, e->msg, strlen(e->msg)) != 0)
			cmd_warn(prog, "%s", all[i].msg);
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

enum ttp_rc draw_cores_open(struct draw_cores *c, struct run *run, const struct heat_ask *ask,
			    const char *prog, struct ttp_err *e)
{
	struct run_parts *p = &run->parts;
	const struct ops_table *ops;
	struct device_log *log;
	struct ttp_err why;

	memset(c, 0, sizeof(*c));
	/* without names there are numbers */
	ops = run_ops(run, &calls_timed_want, &why);
	if (why.rc)
		run_parts_leave_out(p, &why);
	if (!p->log.len)
		return no_log(run, ops, e);
	log = run_log(run, e);
	if (!log)
		return e->rc;
	op_names_make(&c->names, p->unnamed ? NULL : ops);
	core_times_read(&c->times, log, &ask->zones);
	draw_tell_log(prog, log, p->log.at);
	if (!c->times.spans.len)
		return no_zones(&c->times, log, &ask->zones, p->log.at, e);
	c->has_heat = true;
	return heat_make(&c->heat, &c->times, &c->names, ask, e);
}

void draw_cores_close(struct draw_cores *c)
{
	if (c->has_heat)
		heat_release(&c->heat);
	core_times_release(&c->times);
	op_names_release(&c->names);
}
