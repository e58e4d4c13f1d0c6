// SPDX-License-Identifier: Apache-2.0
#include "cmd/draw_run.h"

#include <unistd.h>

#include "draw/heat_run.h"
#include "draw/timeline.h"
#include "draw/top.h"
#include "runs/profiler_folder.h"

const struct opt_arg draw_args[] = {
	{ "RUN", 0, 1,
	  "a report folder, run.json, an ops report, a device log, a .tracy file or a spool; else the profiler's folder" },
	{ 0 },
};

const char *draw_run(const struct opt_found *found)
{
	static struct buf folder; /* one command runs in a process */

	if (found->n)
		return found->args[0];
	buf_clear(&folder);
	profiler_folder(&folder);
	return folder.at;
}

char **draw_runs(const struct opt_found *found)
{
	static char *one[1];

	if (found->n)
		return found->args;
	one[0] = (char *)(uintptr_t)draw_run(found);
	return one;
}

struct term draw_term(int colour)
{
	struct term t = term_of(STDOUT_FILENO, (enum term_colour)colour);

	t.width = t.width < 40 ? 40 : t.width;
	return t;
}

enum ttp_rc draw_one_form(bool json, const char *path, const char *option, struct ttp_err *e)
{
	if (json && path)
		return ttp_fail(e, TTP_USAGE, "--json or %s: one at a time", option);
	return TTP_OK;
}

int draw_command(const char *prog, const char *run, bool strict, draw_show *show, void *ctx)
{
	struct ttp_err e;
	struct run r;
	enum ttp_rc rc = run_open(&r, run, &e);

	if (!rc)
		rc = show(&r, ctx, &e);
	return run_finish(&r, cmd_console(prog), rc ? &e : NULL, strict);
}

/* ---- pictures for documents ---- */

const char *const draw_svg_names[] = { "none", "heat", "timeline", "roofline", NULL };

enum { SVG_BUCKETS = 900 };

struct picture {
	const struct draw_svg_ask *ask;
	struct run *run;
	struct window_ask when;
	struct out *out;
};

static enum ttp_rc draw_heat(struct picture *p, struct ttp_err *e)
{
	struct heat_ask ask = { .device = -1, .when = p->when };
	struct heat_run c;
	enum ttp_rc rc = heat_run_open(&c, p->run, &ask, e);

	if (!rc)
		heat_svg(&c.heat, p->out);
	heat_run_close(&c);
	return rc;
}

static enum ttp_rc draw_timeline(struct picture *p, struct ttp_err *e)
{
	struct timeline_ask ask = { .when = p->when, .device = -1, .buckets = SVG_BUCKETS };
	struct timeline t;
	enum ttp_rc rc = timeline_make(&t, p->run, &ask, e);

	if (!rc)
		timeline_svg(&t, p->out);
	timeline_release(&t);
	return rc;
}

static enum ttp_rc draw_roofline(struct picture *p, struct ttp_err *e)
{
	const struct ops_table *t = run_ops(p->run, &calls_want, e);
	struct calls c;

	if (!t && !e->rc)
		return ttp_fail(
			e, TTP_USAGE,
			"%s: a roofline is made from an ops report, and this has none, nor logs to make it from",
			p->run->parts.given);
	if (!t)
		return e->rc;
	calls_make(&c, t, &p->ask->calls);
	roofline_svg(&c, run_parts_ops_name(&p->run->parts), p->out);
	calls_release(&c);
	return TTP_OK;
}

static enum ttp_rc draw(struct picture *p, struct ttp_err *e)
{
	static enum ttp_rc (*const pictures[])(struct picture *, struct ttp_err *) = {
		[DRAW_SVG_HEAT] = draw_heat,
		[DRAW_SVG_TIMELINE] = draw_timeline,
		[DRAW_SVG_ROOFLINE] = draw_roofline,
	};

	return pictures[p->ask->what](p, e);
}

static enum ttp_rc draw_to(struct run *run, void *ctx, struct ttp_err *e)
{
	struct picture *p = ctx;
	SCOPED(buf) struct buf path = { 0 };
	struct out_file f;
	enum ttp_rc rc;

	p->run = run;
	if (p->ask->path && !strcmp(p->ask->path, "-")) {
		p->out = cmd_stdout();
		return draw(p, e);
	}
	if (p->ask->path)
		buf_text(&path, p->ask->path);
	else
		buf_printf(&path, "%s.svg", draw_svg_names[p->ask->what]);
	rc = run_parts_spare(&p->run->parts, path.at, e);
	if (!rc)
		rc = p->ask->path ? out_file_open(&f, path.at, e)
				  : out_file_open_here(&f, path.at, e);
	if (!rc) {
		p->out = &f.out;
		rc = draw(p, e);
		if (rc)
			out_file_abandon(&f);
		else
			rc = out_file_commit(&f, e);
		p->out = NULL;
	}
	if (!rc)
		out_printf(cmd_stdout(), "%s\n", path.at);
	return rc;
}

int draw_svg(const struct draw_svg_ask *ask)
{
	struct picture p = { .ask = ask };
	struct ttp_err e;

	if (window_ask_parse(ask->from, ask->to, &p.when, &e))
		return cmd_misused(ask->prog, &e);
	return draw_command(ask->prog, ask->run, ask->strict, draw_to, &p);
}
