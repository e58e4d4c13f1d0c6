// SPDX-License-Identifier: Apache-2.0
#include "cmd/cmd.h"

struct report_options {
	int64_t top;
	int colour;
};

static const struct opt opts[] = {
	{ .name = "top",
	  .letter = 'n',
	  .kind = OPT_INT,
	  OPT_AT(struct report_options, top),
	  .value = "N",
	  .max = INT64_MAX,
	  .preset = "20",
	  .help = "show the N ops that take longest, 0 for all" },
	{ .name = "color",
	  .kind = OPT_SET,
	  OPT_AT(struct report_options, colour),
	  .set = TERM_COLOUR_ON,
	  .section = "Output",
	  .help = "use colours, also when output is not a terminal" },
	{ .name = "no-color",
	  .kind = OPT_SET,
	  OPT_AT(struct report_options, colour),
	  .set = TERM_COLOUR_OFF,
	  .help = "use no colours" },
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "RUN", 1, 1, "an ops report (CSV) or the folder of a run" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof report ops_perf_results.csv", "what takes the time, and what to fix first" },
	{ "ttprof report --top 0 run7", "the same with every op of the run" },
	{ 0 },
};

const struct opt_spec cmd_report_spec = {
	.prog = "ttprof report",
	.summary = "show where the time of a run goes and what to fix first",
	.opts = opts,
	.args = args,
	.examples = examples,
};

int cmd_report(int argc, char **argv)
{
	struct report_options o = { .top = 20 };
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_report_spec, argc, argv, &o, &found, &status))
		return status;
	(void)ttp_fail(&e, TTP_VERSION, "not implemented yet");
	return cmd_fail(cmd_report_spec.prog, &e);
}
