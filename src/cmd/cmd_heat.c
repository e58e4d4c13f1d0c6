// SPDX-License-Identifier: Apache-2.0
#include "draw/heat_run.h"

#include "base/width.h"
#include "cmd/cmd.h"
#include "cmd/draw_run.h"

struct options {
	const char *op, *zone, *risc, *from, *to, *svg;
	int64_t id, device;
	bool json, all, strict;
	int metric, colour;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_CHOICE('m', "metric", metric, "WHAT", heat_metric_names,
		      "what the number of a core is", .preset = "busy", .section = "What is shown"),
	OPTION_STRING(0, "risc", risc, "A,B",
		      "of these RISCs only: brisc, ncrisc, trisc0, trisc (all three), erisc"),
	OPTION_STRING(0, "zone", zone, "NAME",
		      "zones whose name has this text, instead of kernels"),
	OPTION_STRING(0, "op", op, "NAME", "ops whose name has this text", .section = "Of what"),
	OPTION_INT(
		0, "id", id, "N", 1, UINT32_MAX,
		"one op, by its number in `ttprof report` and `top`; of logs of 2023, by its program's number"),
	DRAW_DEVICE_OPTION,
	DRAW_TIME_OPTIONS(NULL, "the device's first marker"),
	OPTION_FLAG(0, "all", all, "a grid for each device, not only for the one that loses most",
		    .section = "Output"),
	OPTION_FLAG(0, "json", json, "all metrics of all cores as JSON"),
	DRAW_SVG_OPTION,
	DRAW_STRICT_OPTION,
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof heat run7", "how evenly cores are busy" },
	{ "ttprof heat --id 17 --metric tail run7", "which cores of op 17 end early" },
	{ "ttprof heat --op matmul --risc ncrisc run7", "readers of all matmuls" },
	{ "ttprof heat --svg cores.svg run7", "for a document" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "METRICS",
#define X(id, name, unit, says) name ": " says ".\n\n"
	  HEAT_METRIC_LIST(X)
#undef X
		  "Of skew and tail a core has the mean over its op calls, of the others the sum." },
	{ "FIGURES",
	  "Imbalance is max / mean - 1 over the cores that ran, variation the standard deviation divided by the mean, lost core-time the sum of what each core ended before the slowest. docs/guide/terminal.md has the formulas." },
	{ 0 },
};

const struct opt_spec cmd_heat_spec = {
	.prog = "ttprof heat",
	.summary = "show the cores of a device as a grid: which work, which wait",
	.about =
		"Draws each device as it is laid out, with a number and a colour per core, and says how unevenly the "
		"work is divided and which ops lose most by it. It reads the markers of the device log; names of "
		"ops come from the ops report.",
	.opts = opts,
	.args = draw_args,
	.examples = examples,
	.notes = notes,
};

struct job {
	struct options u;
	struct heat_ask ask;
};

static void draw_picture_of(const void *what, struct out *out)
{
	heat_svg(what, out);
}

static enum ttp_rc show(const struct heat *h, struct run *run, const struct options *u,
			struct ttp_err *e)
{
	run_find_damage(run);
	if (u->svg)
		return cmd_write(u->svg, draw_picture_of, h, e);
	if (u->json)
		heat_json(h, run, cmd_stdout());
	else
		heat_text(h, u->all || u->device >= 0, draw_term(u->colour), cmd_stdout());
	return TTP_OK;
}

/* Nothing of what was asked for is there: what is. */
static enum ttp_rc no_calls(struct heat_run *c, const struct heat_ask *ask,
			    const struct options *u, struct ttp_err *e)
{
	const char *when = u->from || u->to ? ", or not at this time" : "";
	SCOPED(buf) struct buf names = { 0 }, clean = { 0 };

	if (ask->id)
		return ttp_fail(
			e, TTP_USAGE, "--id: op %u has no %s in the log%s", ask->id,
			ask->zones.zone.len || ask->zones.riscs.len ? "such zone" : "kernel", when);
	if (!ask->op.len)
		return TTP_OK; /* a device, or a time, in which nothing ran */
	heat_near_ops(&c->times, &c->names, ask->op, &names);
	width_clean(&clean, str_head(ask->op, 60));
	(void)ttp_fail(e, TTP_USAGE,
		       "--op: no op of the log has \"%s\" in its name%s; there are %s",
		       clean.at ? clean.at : "", when, names.at ? names.at : "none");
	return e->rc;
}

static enum ttp_rc heat_of(struct run *run, void *ctx, struct ttp_err *e)
{
	const struct job *j = ctx;
	struct heat_run c;
	enum ttp_rc rc = j->u.svg ? run_parts_spare(&run->parts, j->u.svg, e) : TTP_OK;

	if (rc)
		return rc;
	rc = heat_run_open(&c, run, &j->ask, e);
	if (!rc && !c.heat.calls)
		rc = no_calls(&c, &j->ask, &j->u, e);
	if (!rc)
		rc = show(&c.heat, run, &j->u, e);
	heat_run_close(&c);
	return rc;
}

int cmd_heat(int argc, char **argv)
{
	struct job j = { .u.device = -1 };
	struct options *u = &j.u;
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_heat_spec, argc, argv, u, &found, &status))
		return status;
	j.ask = (struct heat_ask){ .metric = (enum heat_metric)u->metric,
				   .op = str_of(u->op),
				   .id = (uint32_t)u->id,
				   .device = u->device,
				   .zones = { .zone = str_of(u->zone), .riscs = str_of(u->risc) } };
	if (draw_one_form(u->json, u->svg, "--svg", &e) ||
	    window_ask_parse(u->from, u->to, &j.ask.when, &e))
		return cmd_misused(cmd_heat_spec.prog, &e);
	return draw_command(cmd_heat_spec.prog, draw_run(&found), u->strict, heat_of, &j);
}
