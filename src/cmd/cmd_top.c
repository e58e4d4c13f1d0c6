// SPDX-License-Identifier: Apache-2.0
#include "draw/top.h"

#include "cmd/cmd.h"
#include "cmd/draw_run.h"

struct options {
	const char *filter, *start, *end, *roofline;
	int64_t top;
	bool json, ops, gaps, zones, whole_file, strict;
	int sort, colour;
};

enum { TOP_PRESET = 10 };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_INT('n', "top", top, "N", 0, UINT32_MAX, "lines of each list, 0 for all",
		   .preset = "10", .section = "What is shown"),
	OPTION_FLAG(0, "ops", ops, "ops by device time, and nothing that is not asked for"),
	OPTION_FLAG(0, "gaps", gaps, "the longest gaps before ops"),
	OPTION_FLAG(0, "zones", zones, "zones of the trace, or of the device log"),
	OPTION_STRING(0, "filter", filter, "TEXT", "only what has this text in its name"),
	OPTION_CHOICE(
		0, "sort", sort, "WHAT", top_sort_names,
		"zones by total time, time without what is inside of them, calls, mean or longest",
		.preset = "total"),
	OPTION_STRING(0, "start-signpost", start, "NAME",
		      "ops after the first signpost of this name, as in `ttprof report`"),
	OPTION_STRING(0, "end-signpost", end, "NAME", "ops before the next signpost of this name"),
	OPTION_FLAG(0, "ignore-signposts", whole_file, "all ops of the report"),
	OPTION_FLAG(0, "json", json, "as JSON", .section = "Output"),
	OPTION_STRING(0, "roofline", roofline, "FILE",
		      "instead, a picture (SVG) of the ops below the limits of the chip"),
	DRAW_STRICT_OPTION,
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof top run7", "what takes the time" },
	{ "ttprof top --zones --sort self run.tracy", "where host code spends its own time" },
	{ "ttprof top --gaps -n 20 run7", "where the device waits" },
	{ "ttprof top --roofline ops.svg run7", "a picture for a document" },
	{ 0 },
};

const struct opt_spec cmd_top_spec = {
	.prog = "ttprof top",
	.summary = "show the ops, gaps and zones that take most of the time",
	.about =
		"Bars of what takes most: ops by device time with what bounds them and the longest gaps before ops, "
		"from the ops report; zones by name, from the trace, or from the device log where there is no "
		"trace. How near an op comes to its limit and what to do about it: ttprof report.",
	.opts = opts,
	.args = draw_args,
	.examples = examples,
};

struct job {
	const struct options *u;
	struct run *run;
	struct report report;
	struct report_options ro;
	struct zone_sums zones;
	bool has_table, has_zones;
};

static struct call_options calls_of(const struct options *u)
{
	return (struct call_options){ .start_signpost = u->start,
				      .end_signpost = u->end,
				      .whole_file = u->whole_file };
}

/* What would be ignored is refused. */
static enum ttp_rc roofline_takes(const struct options *u, struct ttp_err *e)
{
	if (u->roofline &&
	    (u->ops || u->gaps || u->zones || u->filter || u->sort || u->top != TOP_PRESET))
		return ttp_fail(e, TTP_USAGE,
				"--roofline draws all ops: not with --ops, --gaps, --zones, "
				"--filter, --sort or -n");
	return TTP_OK;
}

static enum ttp_rc read_ops(struct job *j, struct ttp_err *e)
{
	const struct ops_table *t = run_ops(j->run, &calls_want, e);
	struct ttp_err why;

	/* logs without ops make a report without rows, which nobody has asked for */
	if (!t || (j->run->parts.made && !t->rows))
		return e->rc;
	j->ro = (struct report_options){ .calls = calls_of(j->u),
					 .sort = FIELDS,
					 .no_findings = true,
					 .term = draw_term(j->u->colour) };
	/* without a trace that can be read the gaps are still gaps */
	j->ro.calls.host = run_host_gaps(j->run, &why);
	report_make(&j->report, t, &j->ro);
	j->has_table = true;
	if (j->report.calls.start_missing)
		cmd_warn(cmd_top_spec.prog, "no signpost \"%s\" in the report: from its start",
			 j->u->start);
	if (j->report.calls.end_missing)
		cmd_warn(cmd_top_spec.prog, "no signpost \"%s\" in the report: to its end",
			 j->u->end);
	return TTP_OK;
}

static enum ttp_rc read_zones(struct job *j, struct ttp_err *e)
{
	enum ttp_rc rc = zone_sums_of_run(&j->zones, j->run, e);

	j->has_zones = !rc;
	return rc;
}

/* A part that can't be read is skipped; it is an error where nothing else is left. */
static enum ttp_rc read_run(struct job *j, unsigned what, bool asked, struct ttp_err *e)
{
	struct ttp_err why;

	e->rc = TTP_OK;
	if (what & (TOP_OPS | TOP_GAPS) && asked && !run_ops(j->run, &calls_want, &why) && !why.rc)
		return ttp_fail(
			e, TTP_USAGE,
			"%s: ops and gaps are in an ops report, and this has none, nor logs to make it from",
			j->run->parts.given);
	if (what & TOP_ZONES && !j->run->parts.trace.len && !j->run->parts.log.len && asked)
		return ttp_fail(
			e, TTP_USAGE,
			"%s: zones are in a trace or in a device log, and this is an ops report alone",
			j->run->parts.given);
	if (what & (TOP_OPS | TOP_GAPS) && read_ops(j, &why)) {
		run_parts_leave_out(&j->run->parts, &why);
		*e = why;
	}
	if (what & TOP_ZONES && (j->run->parts.trace.len || j->run->parts.log.len) &&
	    read_zones(j, &why)) {
		run_parts_leave_out(&j->run->parts, &why);
		*e = why;
	}
	if (j->has_table || j->has_zones)
		return TTP_OK;
	if (!e->rc && j->run->parts.left_out.len)
		*e = j->run->parts.left_out.at[0];
	else if (!e->rc)
		(void)ttp_fail(e, TTP_FORMAT, "%s: the logs name no op and no zone",
			       j->run->parts.given);
	return e->rc;
}

static void show(struct job *j, unsigned what)
{
	SCOPED(buf) struct buf source = { 0 };
	struct top t = { .ops = j->has_table ? &j->report : NULL,
			 .zones = j->has_zones ? &j->zones : NULL,
			 .what = what,
			 .most = (size_t)j->u->top,
			 .sort = (enum top_sort)j->u->sort,
			 .filter = str_of(j->u->filter) };

	if (j->has_table)
		buf_str(&source, run_parts_ops_name(&j->run->parts));
	if (j->has_zones) {
		buf_text(&source, source.len ? " · " : "");
		buf_str(&source, path_name(j->run->parts.trace.len ? j->run->parts.trace.at
								   : j->run->parts.log.at));
	}
	t.source = buf_view(&source);
	top_make(&t);
	run_find_damage(j->run);
	if (j->u->json)
		top_json(&t, j->run, cmd_stdout());
	else
		top_text(&t, draw_term(j->u->colour), cmd_stdout());
	top_release(&t);
}

static enum ttp_rc top_of(struct run *run, void *ctx, struct ttp_err *e)
{
	struct job *j = ctx;
	const struct options *u = j->u;
	unsigned asked =
		(u->ops ? TOP_OPS : 0u) | (u->gaps ? TOP_GAPS : 0u) | (u->zones ? TOP_ZONES : 0u);
	unsigned what = asked ? asked : TOP_OPS | TOP_GAPS | TOP_ZONES;
	enum ttp_rc rc;

	j->run = run;
	rc = read_run(j, what, asked != 0, e);
	if (!rc)
		show(j, what);
	if (j->has_table)
		report_release(&j->report);
	if (j->has_zones)
		zone_sums_release(&j->zones);
	return rc;
}

int cmd_top(int argc, char **argv)
{
	struct options u = { .top = TOP_PRESET };
	struct job j = { .u = &u };
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_top_spec, argc, argv, &u, &found, &status))
		return status;
	if (draw_one_form(u.json, u.roofline, "--roofline", &e) || roofline_takes(&u, &e))
		return cmd_misused(cmd_top_spec.prog, &e);
	if (u.roofline)
		return draw_svg(&(struct draw_svg_ask){ .prog = cmd_top_spec.prog,
							.run = draw_run(&found),
							.what = DRAW_SVG_ROOFLINE,
							.calls = calls_of(&u),
							.strict = u.strict,
							.path = u.roofline });
	return draw_command(cmd_top_spec.prog, draw_run(&found), u.strict, top_of, &j);
}
