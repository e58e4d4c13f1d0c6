// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/open_trace.h"
#include "compat/csvexport/csvexport.h"
#include "trace/trace_warnings.h"

struct options {
	struct export_request q;
	int style;
	bool unwrap, messages, device;
	int64_t percentile;
	const char *sqlite;
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
	OPTION_FLAG('e', "self", q.self, "times without those of zones directly inside"),
	OPTION_FLAG(
		'p', "plot", q.plots,
		"values of plots, and memory in use; with --as csvexport has them beside zones (-u)"),
	OPTION_INT(0, "truncated-mean", percentile, "P", 1, 99,
		   "also the mean of the fastest P percent"),
	OPTION_STRING('f', "filter", q.filter, "TEXT",
		      "only places whose name, or messages whose text, contains TEXT",
		      .section = "Which"),
	OPTION_FLAG('c', "case", q.case_sensitive, "--filter minds upper case"),
	OPTION_STRING('x', "special-functions", q.specials, "A,B",
		      "zones of these names get the text of a parent"),
	OPTION_STRING('t', "special-parent", q.parent, "TEXT",
		      "which: the nearest whose name contains TEXT"),
	OPTION_STRING('s', "sep", q.separator, "TEXT", "what stands between cells", .preset = ",",
		      .section = "How"),
	OPTION_FLAG(0, "json", q.json, "an array of objects instead of CSV"),
	OPTION_STRING(0, "sqlite", sqlite, "FILE",
		      "all that `ttprof sql` shows of a RUN, as an SQLite file"),
	OPTION_CHOICE(
		0, "as", style, "TOOL", style_names,
		"columns and quoting of a csvexport: of Tenstorrent's 0.10 or 0.12, upstream's, or the one that belongs to the file",
		.preset = "ttprof"),
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof export run.tracy", "time by place, longest first" },
	{ "ttprof export -u -f TT_DNN run.tracy", "every zone of ops" },
	{ "ttprof export -m --json run.ttpr", "messages as JSON" },
	{ "ttprof export --sqlite run.db run7", "a whole run for sqlite3, pandas and others" },
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
	.args = cmd_trace_args,
	.examples = examples,
};

/* With what is refused, and why. */
static int refuse(const struct options *u)
{
	bool ours = u->style == STYLE_OURS;
	int what = u->unwrap + u->messages + u->device + (ours && u->q.plots);
	bool summary = !u->unwrap && !u->messages && !u->device && !u->q.plots;
	const struct cmd_rule rules[] = {
		{ what > 1, "one of --unwrap, --messages, --gpu and --plot at a time" },
		{ !ours && u->q.json, "--json has our own columns: not with --as" },
		{ !ours && u->q.plots && !u->unwrap,
		  "--plot with --as needs --unwrap, as csvexport does" },
		{ u->percentile && !summary, "--truncated-mean is for statistics by place" },
		{ u->q.self && (u->messages || u->device || (ours && u->q.plots)),
		  "--self is for zones of threads" },
		{ u->q.specials && !u->q.parent, "--special-functions needs --special-parent" },
		{ u->q.parent && !u->q.specials, "--special-parent needs --special-functions" },
		{ u->q.specials && !u->unwrap, "--special-functions needs --unwrap" },
		{ u->q.case_sensitive && !*u->q.filter, "--case needs --filter" },
		{ *u->q.filter && ours && u->q.plots,
		  "--filter is for names of places and texts of messages" },
		{ *u->q.filter && !ours && u->messages, "--filter is for names of places" },
		{ !*u->q.separator, "--sep: cells can't be told apart without one" },
		{ u->sqlite && (what || !summary || u->q.json || !ours || u->percentile ||
				u->q.self || *u->q.filter),
		  "--sqlite writes all tables, and takes no other option" },
		{ u->q.json && strcmp(u->q.separator, ",") != 0,
		  "--sep is for CSV, not for --json" },
		{ 0 },
	};

	return cmd_refuse(cmd_export_spec.prog, rules);
}

int cmd_export(int argc, char **argv)
{
	struct options u = { .q = { .filter = "", .separator = "," } };
	struct export_request *q = &u.q;
	struct opt_found found;
	struct trace t;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_export_spec, argc, argv, &u, &found, &status))
		return status;
	status = refuse(&u);
	if (status)
		return status;
	if (u.sqlite)
		return cmd_export_sqlite(cmd_export_spec.prog, found.args[0], u.sqlite);
	if (open_trace(&t, cmd_export_spec.prog, found.args[0], &e))
		return cmd_fail(cmd_export_spec.prog, &e);
	q->style = u.style == STYLE_OF_FILE ? csvexport_of(&t) : styles[u.style];
	q->what = u.messages                          ? EXPORT_MESSAGES
		  : u.device                          ? EXPORT_DEVICE
		  : u.unwrap                          ? EXPORT_ZONES
		  : q->plots && u.style == STYLE_OURS ? EXPORT_PLOTS
						      : EXPORT_SUMMARY;
	q->terminal = isatty(STDOUT_FILENO);
	q->percentile = (int)u.percentile;
	if ((q->percentile && q->style && q->style != &csvexport_upstream) ||
	    ((q->what == EXPORT_DEVICE || q->plots) && q->style == &csvexport_tt_0_10) ||
	    (q->specials && q->style == &csvexport_upstream)) {
		(void)ttp_fail(&e, TTP_USAGE, "the csvexport of %s has no such option",
			       q->style->whose);
		trace_close(&t);
		return cmd_misused(cmd_export_spec.prog, &e);
	}
	cmd_stdout()->escapes = HARMLESS_NO_ESCAPES;
	status = export_csv(&t, q, cmd_stdout(), &e) ? cmd_fail(cmd_export_spec.prog, &e) : 0;
	trace_warn(cmd_console(cmd_export_spec.prog), &t);
	trace_close(&t);
	return status;
}
