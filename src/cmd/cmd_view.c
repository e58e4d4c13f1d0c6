// SPDX-License-Identifier: Apache-2.0
/* `ttprof view`: the run as one HTML page. */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "web/build.h"
#include "web/page_file.h"
#include "web/serve.h"

struct options {
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
	  "file or a spool (.ttpr); else the profiler's folder" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof view demo", "writes demo/report.html: open it in a browser" },
	{ "ttprof view ops_perf_results.csv -o ops.html", "an ops report alone" },
	{ "ttprof view --serve demo", "the same page from a server on this machine" },
	{ "ttprof view --svg heat demo -o cores.svg", "how evenly cores are busy, as a picture" },
	{ 0 },
};

const struct opt_spec cmd_view_spec = {
	.prog = "ttprof view",
	.summary = "write or serve the HTML report of a run",
	.about =
		"One file with everything in it: it opens from disk, without a network, and can be sent to a colleague. What a run "
		"lacks is named on the page, with what to do about it.\n"
		"\n"
		"Served, it has the run's files to download, reads the run again on request, and can show runs that are too "
		"large for a file. Only those who know the token of the printed address are answered.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* A page that would replace what it was made of; a link that nobody has named is not followed, but replaced. */
static enum ttp_rc check_output(const struct page *p, const char *path, struct ttp_err *e)
{
	vec_each (f, &p->files)
		if (path_is_same(f->path, path))
			return ttp_fail(e, TTP_USAGE,
					"-o: %s is of the run itself, and would be gone", path);
	return TTP_OK;
}

static void write_to(const struct packed_page *k, struct str page, bool data_only, struct out *out)
{
	if (data_only)
		page_data_write(k, out);
	else
		page_file_write(k, page, out);
}

static enum ttp_rc write_page(const char *prog, const char *run, const struct page *p,
			      const struct packed_page *k, struct str page, bool data_only,
			      const char *path, bool typed, struct ttp_err *e)
{
	uint64_t mb = (page_file_bytes(k) + page.len) >> 20;
	struct out_file f;
	enum ttp_rc rc;

	if (mb > PAGE_MAX_MB)
		return ttp_fail(
			e, TTP_LIMIT,
			"the page would have %llu MB, more than a browser likes to open: show a "
			"part (the run takes %lld ms: --from, --to), or all of it with `ttprof view "
			"--serve %s`",
			(unsigned long long)mb, (long long)(p->span_ns / 1000000), run);
	if (mb > PAGE_WARN_MB)
		cmd_warn(
			prog,
			"the page has %llu MB: it takes a while to open; --from and --to show a part",
			(unsigned long long)mb);
	if (!strcmp(path, "-")) {
		write_to(k, page, data_only, cmd_stdout());
		return TTP_OK;
	}
	rc = typed || !is_link(path) ? check_output(p, path, e) : TTP_OK;
	if (!rc && !typed && is_link(path))
		cmd_warn(prog, "%s was a link: it is replaced, and what it led to is left alone",
			 path);
	if (!rc)
		rc = typed ? out_file_open(&f, path, e) : out_file_open_here(&f, path, e);
	if (rc)
		return rc;
	write_to(k, page, data_only, &f.out);
	return out_file_commit(&f, e);
}

static int view(const struct options *o, const char *run)
{
	struct page_request q = { .run = run,
				  .from_ns = (int64_t)(o->from_ms * 1e6),
				  .to_ns = (int64_t)(o->to_ms * 1e6) };
	struct packed_page k = { 0 };
	SCOPED(buf) struct buf path = { 0 };
	struct str page = { 0 };
	struct ttp_err e;
	struct page p;
	enum ttp_rc rc = o->data_only ? TTP_OK : web_template(&page, &e);
	int status;

	if (rc)
		return cmd_fail(cmd_view_spec.prog, &e);
	if (o->to)
		buf_text(&path, o->to);
	else if (path_is_folder(run))
		buf_printf(&path, "%s/report.html", run);
	else
		buf_text(&path, "report.html");
	page_init(&p);
	rc = page_build(&p, &q, &e);
	if (!rc)
		rc = page_fits_file(&p, run, &e);
	if (!rc) {
		page_pack(&k, &p, cmd_version_text(), (int64_t)time(NULL), false);
		rc = write_page(cmd_view_spec.prog, run, &p, &k, page, o->data_only, path.at,
				o->to != NULL, &e);
	}
	if (!rc && strcmp(path.at, "-") != 0)
		out_printf(cmd_stdout(), "%s: %zu row%s of ops, %llu zone%s, %.1f MB\n", path.at,
			   p.ops_n, p.ops_n == 1 ? "" : "s", (unsigned long long)p.zones,
			   p.zones == 1 ? "" : "s", (double)(page_file_bytes(&k) + page.len) / 1e6);
	status = run_notes_tell(p.left_out.at, p.left_out.len, cmd_console(cmd_view_spec.prog),
				rc ? &e : NULL, o->strict);
	packed_page_release(&k);
	page_release(&p);
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

static int refuse(const struct options *o)
{
	const struct cmd_rule rules[] = {
		{ !o->serve && (o->port >= 0 || o->listen || o->stay),
		  "--port, --listen and --stay belong to --serve" },
		{ o->serve && (o->to || o->data_only), "--serve writes no file: not with -o" },
		{ o->svg && (o->serve || o->data_only),
		  "--svg writes a picture: not with --serve" },
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

int cmd_view(int argc, char **argv)
{
	struct options o = { .port = -1, .to_ms = TO_THE_END };
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_view_spec, argc, argv, &o, &found, &status))
		return status;
	if (!(o.from_ms >= 0 && o.from_ms < 4e9) ||
	    (o.to_ms != TO_THE_END && !(o.to_ms > o.from_ms && o.to_ms < 4e9)))
		return cmd_misuse(
			cmd_view_spec.prog,
			"--from and --to: a part of the run, in ms, such as --from 10 --to 20");
	if (o.to_ms == TO_THE_END)
		o.to_ms = 0;
	status = refuse(&o);
	if (status)
		return status;
	if (o.listen && serve_check_address(o.listen, &e))
		return cmd_misused(cmd_view_spec.prog, &e);
	if (o.svg != DRAW_SVG_NONE)
		return draw(&o, draw_run(&found));
	if (o.serve) {
		struct serve_request q = { .page = { .run = draw_run(&found),
						     .from_ns = (int64_t)(o.from_ms * 1e6),
						     .to_ns = (int64_t)(o.to_ms * 1e6) },
					   .listen = o.listen,
					   .port = (int)o.port,
					   .stay = o.stay };

		return serve(&q, cmd_view_spec.prog);
	}
	return view(&o, draw_run(&found));
}
