// SPDX-License-Identifier: Apache-2.0
/*
 * `tracy-csvexport` and `csvexport-release`: options, texts and exit status of the csvexport that belongs to the
 * generation of the file.  Frozen, but for files that can't be read: an error instead of an abort.
 */
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "compat/csvexport/csvexport.h"
#include "trace/trace_warnings.h"

static const char usage_tt_0_10[] =
	"Extract statistics from a trace to a CSV format\n"
	"Usage:\n"
	"  extract [OPTION...] <trace file>\n"
	"\n"
	"  -h, --help        Print usage\n"
	"  -f, --filter arg  Filter zone names (default: )\n"
	"  -x arg            List of special functions delimited by comma (default: )\n"
	"  -p arg            Parent to find for special functions (default: )\n"
	"  -s, --sep arg     CSV separator (default: ,)\n"
	"  -c, --case        Case sensitive filtering\n"
	"  -e, --self        Get self times\n"
	"  -u, --unwrap      Report each zone event\n"
	"  -m, --messages    Report only messages\n";

static const char usage_tt_0_12[] =
	"Extract statistics from a trace to a CSV format\n"
	"Usage:\n"
	"  extract [OPTION...] <trace file>\n"
	"\n"
	"  -h, --help        Print usage\n"
	"  -f, --filter arg  Filter zone names (default: )\n"
	"  -x arg            List of special functions delimited by comma (default: )\n"
	"  -t arg            Parent to find for special functions (default: )\n"
	"  -s, --sep arg     CSV separator (default: ,)\n"
	"  -c, --case        Case sensitive filtering\n"
	"  -e, --self        Get self times\n"
	"  -u, --unwrap      Report each cpu zone event\n"
	"  -g, --gpu         Report each gpu zone event\n"
	"  -m, --messages    Report only messages\n"
	"  -p, --plot        Report plot data (only with -u)\n";

static const char usage_upstream[] =
	"Extract statistics from a trace to a CSV format\n"
	"Usage:\n"
	"  extract [OPTION...] <trace file>\n"
	"\n"
	"  -h, --help                 Print usage\n"
	"  -V, --version              Show version information\n"
	"  -f, --filter arg           Filter zone names (default: )\n"
	"  -s, --sep arg              CSV separator (default: ,)\n"
	"  -c, --case                 Case sensitive filtering\n"
	"  -e, --self                 Get self times\n"
	"  -u, --unwrap               Report each cpu zone event\n"
	"  -g, --gpu                  Report each gpu zone event\n"
	"  -m, --messages             Report only messages\n"
	"  -p, --plot                 Report plot data (only with -u)\n"
	"  -t, --truncated_mean[=arg] Report truncated mean (arg is the percentile. Default is 90)\n";

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },      { "filter", optional_argument, NULL, 'f' },
	{ "sep", optional_argument, NULL, 's' }, { "case", no_argument, NULL, 'c' },
	{ "self", no_argument, NULL, 'e' },      { "unwrap", no_argument, NULL, 'u' },
	{ "gpu", no_argument, NULL, 'g' },       { "messages", no_argument, NULL, 'm' },
	{ "plot", no_argument, NULL, 'p' },      { NULL, 0, NULL, 0 }
};
static const struct option long_upstream[] = { { "help", no_argument, NULL, 'h' },
					       { "version", no_argument, NULL, 'V' },
					       { "filter", required_argument, NULL, 'f' },
					       { "sep", required_argument, NULL, 's' },
					       { "case", no_argument, NULL, 'c' },
					       { "self", no_argument, NULL, 'e' },
					       { "unwrap", no_argument, NULL, 'u' },
					       { "gpu", no_argument, NULL, 'g' },
					       { "messages", no_argument, NULL, 'm' },
					       { "plot", no_argument, NULL, 'p' },
					       { "truncated_mean", optional_argument, NULL, 't' },
					       { NULL, 0, NULL, 0 } };

/* Frozen by generation; but today's tt-metal says -t also of a trace whose tools called it -p. */
static const struct generation {
	const struct export_style *style;
	const char *usage, *letters;
	const struct option *longs;
} generations[] = {
	{ &csvexport_tt_0_10, usage_tt_0_10, "hf:s:x:p:t:ceum", long_options },
	{ &csvexport_tt_0_12, usage_tt_0_12, "hf:s:x:t:ceugmp", long_options },
	{ &csvexport_upstream, usage_upstream, "hf:s:t:ceugmpV", long_upstream },
};

static int usage(const struct generation *g, int status)
{
	SCOPED(buf) struct buf b = { 0 };

	buf_text(&b, g->usage);
	cmd_tell(&b);
	return status;
}

/* What it has opened in the end is for the caller to close. */
static int run(int argc, char **argv, struct trace *t, bool *opened)
{
	struct export_request q = { .filter = "", .separator = "," };
	const struct generation *g = &generations[0];
	struct ttp_err e;
	bool messages = false, unwrap = false, device = false;
	int c, status;

	if (argc == 1)
		return usage(g, 1);
	/* The file decides what the options mean; it is the last argument wherever there is one. */
	if (argv[argc - 1][0] != '-' && !trace_open(t, argv[argc - 1], &e)) {
		*opened = true;
		for (size_t i = 0; i < sizeof(generations) / sizeof(*generations); i++)
			if (generations[i].style == csvexport_of(t))
				g = &generations[i];
	}
	q.style = g->style;
	optind = 0;
	opterr = 1;
	while ((c = getopt_long(argc, argv, g->letters, g->longs, NULL)) != -1) {
		switch (c) {
		case 'h':
			return usage(g, 0);
		case 'V':
			out_printf(cmd_stdout(), "tracy-csvexport 0.14.0 / %s\n",
				   cmd_version_text());
			return 0;
		case 'f':
			q.filter = optarg ? optarg : "";
			break;
		case 's':
			q.separator = optarg ? optarg : "";
			break;
		case 'x':
			q.specials = optarg;
			break;
		case 'p':
			if (g->style == &csvexport_tt_0_10)
				q.parent = optarg ? optarg : "";
			else
				q.plots = true;
			break;
		case 't':
			if (g->style == &csvexport_upstream) {
				long n = optarg ? strtol(optarg, NULL, 10) : 90;

				q.percentile = n < 1 ? 1 : n > 99 ? 99 : (int)n;
			} else {
				q.parent = optarg;
			}
			break;
		case 'c':
			q.case_sensitive = true;
			break;
		case 'e':
			q.self = true;
			break;
		case 'u':
			unwrap = true;
			break;
		case 'g':
			device = true;
			break;
		case 'm':
			messages = true;
			break;
		default:
			return usage(g, 1);
		}
	}
	if (argc != optind + 1)
		return usage(g, 1);
	if (!*opened || strcmp(t->path, argv[optind]) != 0) {
		if (*opened)
			trace_close(t);
		*opened = false;
		if (access(argv[optind], R_OK)) {
			SCOPED(buf) struct buf b = { 0 };

			buf_printf(&b, "Could not open file %s\n", argv[optind]);
			cmd_tell(&b);
			return 1;
		}
		if (trace_open(t, argv[optind], &e))
			return cmd_fail(cmd_prog(argc, argv), &e);
		*opened = true;
		q.style = csvexport_of(t);
	}
	q.terminal = isatty(STDOUT_FILENO);
	cmd_stdout()->escapes = HARMLESS_NO_ESCAPES;
	q.what = messages ? EXPORT_MESSAGES
		 : device ? EXPORT_DEVICE
		 : unwrap ? EXPORT_ZONES
			  : EXPORT_SUMMARY;
	status = export_csv(t, &q, cmd_stdout(), &e) ? cmd_fail(cmd_prog(argc, argv), &e) : 0;
	/* a file of Tracy's is exported as by Tracy, which knows nothing of drops */
	if (t->kind == TRACE_SPOOL)
		trace_warn(cmd_console(cmd_prog(argc, argv)), t);
	else
		trace_warn_damage(cmd_console(cmd_prog(argc, argv)), t);
	return status;
}

int cmd_csvexport(int argc, char **argv)
{
	struct trace t = { 0 };
	bool opened = false;
	int status = run(argc, argv, &t, &opened);

	if (opened)
		trace_close(&t);
	return status;
}
