// SPDX-License-Identifier: Apache-2.0
/* `ttprof view`: the run as one HTML page. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "cmd/compare_inputs.h"
#include "cmd/draw_run.h"
#include "cmd/view_history.h"
#include "cmd/view_write.h"
#include "web/serve.h"

struct options {
	struct opt_list side[SIDES];
	const char *to, *listen;
	double from_ms, to_ms;
	int64_t port;
	int svg; /* enum draw_svg */
	bool data_only, serve, stay, strict;
};

#define TO_THE_END (-1e300) /* nobody types it */

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING('o', "output", to, "FILE", "write the page to FILE; - is standard output",
		      .preset = "report.html in the run's folder, or here"),
	OPTION_LIST(0, "base", side[BASE], "RUN…",
		    "a page that compares: runs of BASE, also several words, --base A1 A2 A3"),
	OPTION_LIST(0, "new", side[NEW], "RUN…", "and the runs of NEW"),
	OPTION_CHOICE(0, "svg", svg, "WHAT", draw_svg_names,
		      "instead of the page one picture for documents, to FILE or WHAT.svg",
		      .preset = "none"),
	DRAW_STRICT_OPTION,
	OPTION_DOUBLE(0, "from", from_ms, "MS", "only what happens after this many ms of the run",
		      .section = "Which part"),
	OPTION_DOUBLE(0, "to", to_ms, "MS", "and before this many"),
	OPTION_FLAG(
		0, "serve", serve,
		"serve the page instead of writing it, until Ctrl-C: the address is printed, with its token",
		.section = "Serving"),
	OPTION_INT('p', "port", port, "N", 0, 65535, "port to serve at; 0: any that is free",
		   .preset = "8050, or a free one if that is taken"),
	OPTION_STRING(
		0, "listen", listen, "ADDR",
		"address to serve at; 0.0.0.0 or :: let other machines in, who then need the token",
		.preset = "127.0.0.1"),
	OPTION_FLAG(0, "stay", stay, "serve on when the process that started this one has ended"),
	OPTION_FLAG(0, "data-only", data_only,
		    "the script elements alone, for those who work on the page", .hidden = true),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "RUN", 0, 1,
	  "a folder of a run (of `ttprof run`, generated/profiler, demo), its run.json, an ops report, a device log, a .tracy "
	  "file or a spool (.ttpr); else the profiler's folder. Or a history: a file of `ttprof history`, or postgresql://…" },
	{ "NEW", 0, 1, "a second one: the page compares it with the first" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof view demo", "writes demo/report.html: open it in a browser" },
	{ "ttprof view ops_perf_results.csv -o ops.html", "an ops report alone" },
	{ "ttprof view before after -o compare.html",
	  "both runs in one page, and what makes the difference" },
	{ "ttprof view ~/.local/state/ttprof/history.db", "what got slower over time, and when" },
	{ "ttprof view --serve demo", "the same page from a server on this machine" },
	{ "ttprof view --svg heat demo -o cores.svg", "how evenly cores are busy, as a picture" },
	{ 0 },
};

const struct opt_spec cmd_view_spec = {
	.prog = "ttprof view",
	.summary = "write or serve the HTML report of a run, or of several",
	.about =
		"One file with everything in it: it opens from disk, without a network, and can be sent to a colleague. What a run "
		"lacks is named on the page, with what to do about it.\n"
		"\n"
		"Of two runs, BASE and NEW, or several of each (--base, --new), the page has all, and compares them as `ttprof compare` "
		"does.\n"
		"\n"
		"Of a history it has the runs over time, a chart per op, and the commits between which something changed.\n"
		"\n"
		"Served, it has the run's files to download, reads the run again on request, and can show runs that are too "
		"large for a file. Only those who know the token of the printed address are answered.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

static const char *const page_names[] = { "report.html", "compare.html", "history.html" };

static enum ttp_rc make_pages(struct view_runs *v, const struct options *o, const char *run,
			      enum page_of of, struct ttp_err *e)
{
	struct view_span span = { (int64_t)(o->from_ms * 1e6), (int64_t)(o->to_ms * 1e6) };

	switch (of) {
	case PAGE_OF_RUN:
		return view_runs_one(v, run, span, e);
	case PAGE_OF_SIDES:
		return view_runs_compare(v, o->side, e);
	default:
		if (!store_is_server(run))
			*vec_push(&v->files) = mem_text(run);
		return view_history_read(&v->pages, run, &v->history_runs, e);
	}
}

/* `run`: NULL for several, which are compared. */
static int view(const struct options *o, const char *run, enum page_of of)
{
	const char *prog = cmd_view_spec.prog;
	SCOPED(buf) struct buf path = { 0 };
	struct view_runs v = { 0 };
	struct str page = { 0 };
	struct ttp_err e;
	enum ttp_rc rc = o->data_only ? TTP_OK : web_template(&page, &e);
	bool misused;
	int status;

	if (rc)
		return cmd_fail(prog, &e);
	if (o->to)
		buf_text(&path, o->to);
	else if (of == PAGE_OF_RUN && path_is_folder(run))
		buf_printf(&path, "%s/report.html", run);
	else
		buf_text(&path, page_names[of]);
	rc = make_pages(&v, o, run, of, &e);
	if (!rc)
		rc = view_write(prog, &v,
				&(struct view_write_ask){ .run = run,
							  .of = of,
							  .page = page,
							  .path = path.at,
							  .typed = o->to != NULL,
							  .data_only = o->data_only },
				&e);
	misused = rc == TTP_USAGE && of != PAGE_OF_RUN;
	if (!rc && strcmp(path.at, "-") != 0)
		view_tell_written(&v, path.at, of, page);
	status = run_notes_tell(v.notes.at, v.notes.len, cmd_console(prog),
				rc && !misused ? &e : NULL, o->strict);
	if (misused)
		status = cmd_misused(prog, &e);
	view_runs_release(&v);
	return status;
}

static void tell_ready(void *ctx, const char *url)
{
	(void)ctx;
	out_printf(cmd_stdout(), "%s\n", url);
	out_flush(cmd_stdout());
}

static int serve(struct serve_request *q, const char *prog)
{
	struct ttp_err e;

	q->ready = tell_ready;
	q->tool = cmd_version_text();
	return web_serve(q, &e) ? cmd_fail(prog, &e) : 0;
}

int view_serve(const char *prog, const char *run, const char *results, int port)
{
	struct serve_request q = { .page = { .run = run, .results = results }, .port = port };

	return serve(&q, prog);
}

static int refuse(const struct options *o, enum page_of of)
{
	bool several = of == PAGE_OF_SIDES, history = of == PAGE_OF_HISTORY;
	const struct cmd_rule rules[] = {
		{ !o->serve && (o->port >= 0 || o->listen || o->stay),
		  "--port, --listen and --stay belong to --serve" },
		{ o->serve && (o->to || o->data_only), "--serve writes no file: not with -o" },
		{ o->svg && (o->serve || o->data_only),
		  "--svg writes a picture: not with --serve" },
		{ several && o->serve, "--serve shows one run: write a page of several with -o" },
		{ several && o->svg, "--svg draws one run" },
		{ several && (o->from_ms > 0 || o->to_ms > 0),
		  "--from and --to show a part of one run" },
		{ history && (o->serve || o->from_ms > 0 || o->to_ms > 0),
		  "a history is written to a file, whole: not with --serve, --from, --to" },
		{ history && o->svg,
		  "--svg draws a run; a history: ttprof history show --svg FILE" },
		{ 0 },
	};

	return cmd_refuse(cmd_view_spec.prog, rules);
}

/* Parts of a run are ms here. */
static int draw(const struct options *o, const char *run)
{
	char from[40], to[40];
	struct draw_svg_ask ask = { .prog = cmd_view_spec.prog,
				    .run = run,
				    .what = (enum draw_svg)o->svg,
				    .path = o->to,
				    .strict = o->strict };

	snprintf(from, sizeof(from), "%.6f ms", o->from_ms);
	snprintf(to, sizeof(to), "%.6f ms", o->to_ms);
	if (o->from_ms > 0)
		ask.from = from;
	if (o->to_ms > 0)
		ask.to = to;
	return draw_svg(&ask);
}

/* Two words are BASE and NEW.  False: the words don't go together. */
static bool find_sides(struct options *o, const struct opt_found *found, int *status)
{
	const char *missing = o->side[BASE].len ? "--new" : "--base";

	if (found->n && (o->side[BASE].len || o->side[NEW].len)) {
		*status = cmd_misuse(
			cmd_view_spec.prog,
			"one run, two of them, BASE and NEW, or --base RUN… --new RUN…, not both");
		return false;
	}
	for (int i = 0; i < found->n && found->n == SIDES; i++)
		*vec_push(&o->side[i]) = found->args[i];
	if (!o->side[BASE].len != !o->side[NEW].len) {
		*status = cmd_misuse(cmd_view_spec.prog,
				     "%s is missing: ttprof view --base RUN… --new RUN…", missing);
		return false;
	}
	return true;
}

static int view_as_asked(struct options *o, const struct opt_found *found)
{
	const char *run = o->side[BASE].len ? NULL : draw_run(found);
	enum page_of of = !run                   ? PAGE_OF_SIDES
			  : view_is_history(run) ? PAGE_OF_HISTORY
						 : PAGE_OF_RUN;
	int status = refuse(o, of);
	struct ttp_err e;

	if (status)
		return status;
	if (o->listen && serve_check_address(o->listen, &e))
		return cmd_misused(cmd_view_spec.prog, &e);
	if (o->svg != DRAW_SVG_NONE)
		return draw(o, run);
	if (o->serve) {
		struct serve_request q = { .page = { .run = run,
						     .from_ns = (int64_t)(o->from_ms * 1e6),
						     .to_ns = (int64_t)(o->to_ms * 1e6) },
					   .listen = o->listen,
					   .port = (int)o->port,
					   .stay = o->stay };

		return serve(&q, cmd_view_spec.prog);
	}
	return view(o, run, of);
}

int cmd_view(int argc, char **argv)
{
	struct options o = { .port = -1, .to_ms = TO_THE_END };
	SCOPED(mem) char **words = compare_words(&argc, argv);
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_view_spec, argc, words, &o, &found, &status))
		return status;
	if (!(o.from_ms >= 0 && o.from_ms < 4e9) ||
	    (o.to_ms != TO_THE_END && !(o.to_ms > o.from_ms && o.to_ms < 4e9)))
		return cmd_misuse(
			cmd_view_spec.prog,
			"--from and --to: a part of the run, in ms, such as --from 10 --to 20");
	if (o.to_ms == TO_THE_END)
		o.to_ms = 0;
	if (find_sides(&o, &found, &status))
		status = view_as_asked(&o, &found);
	for (int side = BASE; side < SIDES; side++)
		vec_release(&o.side[side]);
	return status;
}
