// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.h"

#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "trace/trace_warnings.h"

struct options {
	const char *from, *to, *lanes, *lane, *zone, *svg;
	int64_t device, buckets;
	bool json, whole;
	int colour;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	DRAW_TIME_OPTIONS("What is shown", "the start"),
	OPTION_FLAG(0, "whole", whole,
		    "all of the run, also where devices ran for less than a quarter of it"),
	OPTION_STRING(
		0, "lanes", lanes, "A,B",
		"kinds of lanes: host (threads), ops, riscs (the mean of a device's cores), cores",
		.preset = "host,ops,riscs"),
	OPTION_STRING(0, "lane", lane, "TEXT", "only lanes with this text in their name"),
	DRAW_DEVICE_OPTION,
	OPTION_STRING(0, "zone", zone, "NAME",
		      "zones of devices whose name has this text, instead of kernels"),
	OPTION_FLAG(
		0, "json", json,
		"as JSON: per lane and stretch of time, the part that was busy and with what most",
		.section = "Output"),
	OPTION_INT(0, "columns", buckets, "N", 1, BUCKETS_MAX, "stretches of time in JSON",
		   .preset = "200"),
	DRAW_SVG_OPTION,
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof timeline run7", "host threads, ops and RISCs over time" },
	{ "ttprof timeline --from 1.2ms --to 1.5ms run7", "closer" },
	{ "ttprof timeline --lanes ops,cores --device 0 run7", "each core by itself" },
	{ "ttprof timeline --svg run.svg run7", "for a document" },
	{ 0 },
};

const struct opt_spec cmd_timeline_spec = {
	.prog = "ttprof timeline",
	.summary = "show host threads, ops and cores over time",
	.about =
		"A lane per thread, per device's ops and per RISC, in the columns of the screen. Dots stand as high as the "
		"part of their time that was busy, and below them is what took most of it, a letter each. The host's "
		"side comes from the trace, devices from the device log (else from the trace), names of ops from the "
		"ops report; where a part is missing, the rest is shown.",
	.opts = opts,
	.args = draw_args,
	.examples = examples,
};

static enum ttp_rc parse_lanes(const char *text, unsigned *kinds, struct ttp_err *e)
{
	struct str rest = str_of(text), piece;

	while (text && str_split(&rest, ',', &piece)) {
		unsigned i = 0;

		while (lane_kind_names[i] && !str_eq(str_trim(piece), str_of(lane_kind_names[i])))
			i++;
		if (!lane_kind_names[i])
			return ttp_fail(
				e, TTP_USAGE,
				"--lanes: there is no \"%.*s\"; there are host, ops, riscs, cores",
				STR_ARG(str_head(piece, 60)));
		*kinds |= 1u << i;
	}
	return TTP_OK;
}

static void warn_log(const struct device_log *log, const char *path)
{
	draw_tell_log(cmd_timeline_spec.prog, log, path);
}

static void warn_trace(const struct trace *t)
{
	trace_warn(cmd_console(cmd_timeline_spec.prog), t);
}

static void draw_picture_of(const void *what, struct out *out)
{
	timeline_svg(what, out);
}

static enum ttp_rc show(const struct timeline *t, const struct options *u, struct term term,
			struct ttp_err *e)
{
	if (u->svg)
		return draw_picture(u->svg, draw_picture_of, t, e);
	if (u->json)
		timeline_json(t, cmd_stdout());
	else
		timeline_text(t, term, cmd_stdout());
	return TTP_OK;
}

int cmd_timeline(int argc, char **argv)
{
	static const struct timeline_warn warn = { warn_log, warn_trace };
	struct options u = {
		.device = -1,
	};
	struct timeline_ask ask = { 0 };
	struct opt_found found;
	struct run run;
	struct timeline t;
	struct term term;
	struct ttp_err e;
	enum ttp_rc rc;
	int status;

	if (!cmd_options(&cmd_timeline_spec, argc, argv, &u, &found, &status))
		return status;
	term = draw_term(u.colour);
	ask.device = u.device;
	ask.whole = u.whole;
	ask.filter = str_of(u.lane);
	ask.zone = str_of(u.zone);
	ask.buckets = u.json  ? (size_t)(u.buckets ? u.buckets : 200)
		      : u.svg ? 900
			      : timeline_columns(term.width) * (term.utf8 ? 2 : 1);
	if (u.buckets && !u.json) {
		(void)ttp_fail(&e, TTP_USAGE, "--columns is of --json; a screen has COLUMNS");
		return cmd_misused(cmd_timeline_spec.prog, &e);
	}
	if (draw_one_form(u.json, u.svg, "--svg", &e) ||
	    window_ask_parse(u.from, u.to, &ask.when, &e) || parse_lanes(u.lanes, &ask.kinds, &e))
		return cmd_misused(cmd_timeline_spec.prog, &e);
	rc = run_open(&run, draw_run(&found), &e);
	if (!rc && u.svg)
		rc = run_parts_spare(&run.parts, u.svg, &e);
	if (!rc) {
		rc = timeline_make(&t, &run, &ask, &warn, &e);
		if (!rc)
			rc = show(&t, &u, term, &e);
		timeline_release(&t);
	}
	draw_tell_left_out(cmd_timeline_spec.prog, run.parts.left_out.at, run.parts.left_out.len,
			   rc ? &e : NULL);
	run_close(&run);
	return rc ? cmd_fail(cmd_timeline_spec.prog, &e) : 0;
}
