// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "cmd/cmd.h"
#include "compat/csvexport/csvexport.h"
#include "trace/trace_warnings.h"

struct options {
	const char *filter, *separator, *specials, *parent;
	int style;
	bool unwrap, messages, device, plots;
	bool case_sensitive, self, json;
	int64_t percentile;
};

static const char *const style_names[] = {
	"ttprof", "tt-0.10", "tt-0.12", "upstream", "file", NULL
};
enum { STYLE_OURS, STYLE_OF_FILE = 4 };
static const struct export_style *const styles[] = { NULL, &csvexport_tt_0_10, &csvexport_tt_0_12,
						     &csvexport_upstream };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_FLAG('u', "unwrap", unwrap, "every zone, instead of a line per place in the program",
		    .section = "What"),
	OPTION_FLAG('m', "messages", messages, "messages, by time"),
	OPTION_FLAG('g', "gpu", device, "every zone of devices"),
	OPTION_FLAG('e', "self", self, "times without those of zones directly inside"),
	OPTION_FLAG(
		'p', "plot", plots,
		"values of plots, and memory in use; with --as csvexport has them beside zones (-u)"),
	OPTION_INT(0, "truncated-mean", percentile, "P", 1, 99,
		   "also the mean of the fastest P percent"),
	OPTION_STRING('f', "filter", filter, "TEXT",
		      "only places whose name, or messages whose text, contains TEXT",
		      .section = "Which"),
	OPTION_FLAG('c', "case", case_sensitive, "--filter minds upper case"),
	OPTION_STRING('x', "special-functions", specials, "A,B",
		      "zones of these names get the text of a parent"),
	OPTION_STRING('t', "special-parent", parent, "TEXT",
		      "which: the nearest whose name contains TEXT"),
	OPTION_STRING('s', "sep", separator, "TEXT", "what stands between cells", .preset = ",",
		      .section = "How"),
	OPTION_FLAG(0, "json", json, "an array of objects instead of CSV"),
	OPTION_CHOICE(
		0, "as", style, "TOOL", style_names,
		"columns and quoting of a csvexport: of Tenstorrent's 0.10 or 0.12, upstream's, or the one that belongs to the file",
		.preset = "ttprof"),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "TRACE", 1, 1, "a .tracy file of 0.9 to 0.14, or a spool (.ttpr)" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof export run.tracy", "time by place, longest first" },
	{ "ttprof export -u -f TT_DNN run.tracy", "every zone of ops" },
	{ "ttprof export -m --json run.ttpr", "messages as JSON" },
	{ 0 },
};

const struct opt_spec cmd_export_spec = {
	.prog = "ttprof export",
	.summary = "zones and messages of a trace as CSV or JSON",
	.about =
		"Reads a trace in one pass, in little memory. Cells are quoted as CSV asks for, rows have a fixed "
		"order: places by time, zones by thread and start. A file that is cut or damaged gives what can "
		"be read, and a warning.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

/* What would be ignored is refused, with the reason. */
static enum ttp_rc what_goes_together(const struct options *u, struct ttp_err *e)
{
	bool ours = u->style == STYLE_OURS;
	int what = u->unwrap + u->messages + u->device + (ours && u->plots);
	bool summary = !u->unwrap && !u->messages && !u->device && !u->plots;

	if (what > 1)
		return ttp_fail(e, TTP_USAGE,
				"one of --unwrap, --messages, --gpu and --plot at a time");
	if (!ours && u->json)
		return ttp_fail(e, TTP_USAGE, "--json has our own columns: not with --as");
	if (!ours && u->plots && !u->unwrap)
		return ttp_fail(e, TTP_USAGE, "--plot with --as needs --unwrap, as csvexport does");
	if (u->percentile && !summary)
		return ttp_fail(e, TTP_USAGE, "--truncated-mean is for statistics by place");
	if (u->self && (u->messages || u->device || (ours && u->plots)))
		return ttp_fail(e, TTP_USAGE, "--self is for zones of threads");
	if (u->specials && !u->parent)
		return ttp_fail(e, TTP_USAGE, "--special-functions needs --special-parent");
	if (u->parent && !u->specials)
		return ttp_fail(e, TTP_USAGE, "--special-parent needs --special-functions");
	if (u->specials && !u->unwrap)
		return ttp_fail(e, TTP_USAGE, "--special-functions needs --unwrap");
	if (u->case_sensitive && !*u->filter)
		return ttp_fail(e, TTP_USAGE, "--case needs --filter");
	if (*u->filter && ((ours && u->plots) || (!ours && u->messages)))
		return ttp_fail(e, TTP_USAGE, "--filter is for names of places%s",
				ours ? " and texts of messages" : "");
	if (!*u->separator)
		return ttp_fail(e, TTP_USAGE, "--sep: cells can't be told apart without one");
	if (u->json && strcmp(u->separator, ",") != 0)
		return ttp_fail(e, TTP_USAGE, "--sep is for CSV, not for --json");
	return TTP_OK;
}

int cmd_export(int argc, char **argv)
{
	struct options u = { .filter = "", .separator = "," };
	struct export_request q;
	struct opt_found found;
	struct trace t;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_export_spec, argc, argv, &u, &found, &status))
		return status;
	if (what_goes_together(&u, &e))
		return cmd_misused(cmd_export_spec.prog, &e);
	if (trace_open(&t, found.args[0], &e))
		return cmd_fail(cmd_export_spec.prog, &e);
	q = (struct export_request){ .style = u.style == STYLE_OF_FILE ? csvexport_of(&t)
								       : styles[u.style],
				     .what = u.messages                         ? EXPORT_MESSAGES
					     : u.device                         ? EXPORT_DEVICE
					     : u.unwrap                         ? EXPORT_ZONES
					     : u.plots && u.style == STYLE_OURS ? EXPORT_PLOTS
										: EXPORT_SUMMARY,
				     .terminal = isatty(STDOUT_FILENO),
				     .self = u.self,
				     .case_sensitive = u.case_sensitive,
				     .plots = u.plots,
				     .json = u.json,
				     .filter = u.filter,
				     .separator = u.separator,
				     .specials = u.specials,
				     .parent = u.parent,
				     .percentile = (int)u.percentile };
	if ((q.percentile && q.style && q.style != &csvexport_upstream) ||
	    ((q.what == EXPORT_DEVICE || q.plots) && q.style == &csvexport_tt_0_10) ||
	    (q.specials && q.style == &csvexport_upstream)) {
		(void)ttp_fail(&e, TTP_USAGE, "the csvexport of %s has no such option",
			       q.style->whose);
		trace_close(&t);
		return cmd_misused(cmd_export_spec.prog, &e);
	}
	status = export_csv(&t, &q, cmd_stdout(), &e) ? cmd_fail(cmd_export_spec.prog, &e) : 0;
	trace_warn(cmd_console(cmd_export_spec.prog), &t);
	trace_close(&t);
	return status;
}
