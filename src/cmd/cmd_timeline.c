// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.h"

#include "cmd/cmd.h"
#include "cmd/draw_run.h"

struct options {
	const char *from, *to, *lanes, *lane, *zone, *svg;
	int64_t device, buckets;
	bool json, whole, strict;
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
	DRAW_STRICT_OPTION,
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

static void draw_picture_of(const void *what, struct out *out)
{
	timeline_svg(what, out);
}

struct job {
	struct options u;
	struct timeline_ask ask;
	struct term term;
};

static enum ttp_rc show(const struct timeline *t, struct run *run, const struct job *j,
			struct ttp_err *e)
{
	run_find_damage(run);
	if (j->u.svg)
		return cmd_write(j->u.svg, draw_picture_of, t, e);
	if (j->u.json)
		timeline_json(t, run, cmd_stdout());
	else
		timeline_text(t, j->term, cmd_stdout());
	return TTP_OK;
}

static enum ttp_rc timeline_of(struct run *run, void *ctx, struct ttp_err *e)
{
	const struct job *j = ctx;
	struct timeline t;
	enum ttp_rc rc = j->u.svg ? run_parts_spare(&run->parts, j->u.svg, e) : TTP_OK;

	if (rc)
		return rc;
	rc = timeline_make(&t, run, &j->ask, e);
	if (!rc)
		rc = show(&t, run, j, e);
	timeline_release(&t);
	return rc;
}

int cmd_timeline(int argc, char **argv)
{
	struct job j = { .u.device = -1 };
	struct options *u = &j.u;
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_timeline_spec, argc, argv, u, &found, &status))
		return status;
	j.term = draw_term(u->colour);
	j.ask = (struct timeline_ask){ .device = u->device,
				       .whole = u->whole,
				       .filter = str_of(u->lane),
				       .zone = str_of(u->zone),
				       .buckets = u->json  ? (size_t)(u->buckets ? u->buckets : 200)
						  : u->svg ? 900
							   : timeline_columns(j.term.width) *
								     (j.term.utf8 ? 2 : 1) };
	if (u->buckets && !u->json)
		return cmd_misuse(cmd_timeline_spec.prog,
				  "--columns is of --json; a screen has COLUMNS");
	if (draw_one_form(u->json, u->svg, "--svg", &e) ||
	    window_ask_parse(u->from, u->to, &j.ask.when, &e) ||
	    parse_lanes(u->lanes, &j.ask.kinds, &e))
		return cmd_misused(cmd_timeline_spec.prog, &e);
	return draw_command(cmd_timeline_spec.prog, draw_run(&found), u->strict, timeline_of, &j);
}
