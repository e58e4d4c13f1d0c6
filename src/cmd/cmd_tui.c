// SPDX-License-Identifier: Apache-2.0
#include "tui/tui.h"

#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "report/report.h"
#include "runs/run_clock.h"

struct options {
	bool strict;
	int colour;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	DRAW_STRICT_OPTION,
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof tui run7", "verdict, ops, gaps and cores, with keys" },
	{ "ttprof tui", "the same of the latest run" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "KEYS",
	  "? shows them all. 1 to 4 and Tab change the view, arrows and j k move, Enter opens the chosen op, Esc goes back, / filters, s sorts, q leaves." },
	{ 0 },
};

const struct opt_spec cmd_tui_spec = {
	.prog = "ttprof tui",
	.summary = "browse a run in the terminal: verdict, ops, gaps, cores",
	.about =
		"The whole screen of a terminal, for machines that are reached by ssh: what `ttprof report`, `report --id` and `heat` "
		"say of a run, with keys to go from one to the other. `ttprof view` makes a page for browsers.",
	.opts = opts,
	.args = draw_args,
	.examples = examples,
	.notes = notes,
};

static enum ttp_rc browse(struct run *run, void *ctx, struct ttp_err *e)
{
	const struct options *u = ctx;
	struct tui_source s = { .run = run, .ops = run_ops(run, &calls_timed_want, e) };
	struct ttp_err why;

	if (!s.ops && e->rc && !run->parts.log.len && !run->parts.trace.len)
		return e->rc;
	if (!s.ops && e->rc)
		run_parts_leave_out(&run->parts, e);
	/* logs without ops make a table without rows */
	if (s.ops && !s.ops->rows && run->parts.made)
		s.ops = NULL;
	if (s.ops)
		s.host = run_host_gaps(run, &why);
	if (run->parts.cost.len)
		s.clock_note = run_clock_note_of_file(run->parts.cost.at);
	run_find_damage(run);
	return tui_browse(&s, draw_term(u->colour), e);
}

int cmd_tui(int argc, char **argv)
{
	struct options u = { 0 };
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_tui_spec, argc, argv, &u, &found, &status))
		return status;
	return draw_command(cmd_tui_spec.prog, draw_run(&found), u.strict, browse, &u);
}
