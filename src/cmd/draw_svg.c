// SPDX-License-Identifier: Apache-2.0
#include "cmd/draw_svg.h"

#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "draw/heat.h"
#include "draw/roofline_svg.h"
#include "draw/timeline.h"

const char *const draw_svg_names[] = { "none", "heat", "timeline", "roofline", NULL };

enum { SVG_BUCKETS = 900 };

struct picture {
	const struct draw_svg_ask *ask;
	struct run run;
	struct window_ask when;
	struct out *out;
};

static enum ttp_rc draw_heat(struct picture *p, struct ttp_err *e)
{
	struct heat_ask ask = { .device = -1, .when = p->when };
	struct draw_cores c;
	enum ttp_rc rc = draw_cores_open(&c, &p->run, &ask, p->ask->prog, e);

	if (!rc)
		heat_svg(&c.heat, path_name(p->run.parts.log.at), p->out);
	draw_cores_close(&c);
	return rc;
}

static enum ttp_rc draw_timeline(struct picture *p, struct ttp_err *e)
{
	static const struct timeline_warn silent = { 0 };
	struct timeline_ask ask = { .when = p->when, .device = -1, .buckets = SVG_BUCKETS };
	struct timeline t;
	enum ttp_rc rc = timeline_make(&t, &p->run, &ask, &silent, e);

	if (!rc)
		timeline_svg(&t, p->out);
	timeline_release(&t);
	return rc;
}

static enum ttp_rc draw_roofline(struct picture *p, struct ttp_err *e)
{
	const struct ops_table *t = run_ops(&p->run, &calls_want, e);
	struct calls c;

	if (!t && !e->rc)
		return ttp_fail(
			e, TTP_USAGE,
			"%s: a roofline is made from an ops report, and this has none, nor logs to make it from",
			p->run.parts.given);
	if (!t)
		return e->rc;
	calls_make(&c, t, &p->ask->calls);
	roofline_svg(&c, run_parts_ops_name(&p->run.parts), p->out);
	calls_release(&c);
	return TTP_OK;
}

static enum ttp_rc draw(struct picture *p, struct ttp_err *e)
{
	switch (p->ask->what) {
	case DRAW_SVG_HEAT:
		return draw_heat(p, e);
	case DRAW_SVG_TIMELINE:
		return draw_timeline(p, e);
	case DRAW_SVG_ROOFLINE:
		return draw_roofline(p, e);
	case DRAW_SVG_NONE:
		break;
	}
	return TTP_OK;
}

static enum ttp_rc draw_to(struct picture *p, struct ttp_err *e)
{
	struct buf path = { 0 };
	struct out_file f;
	enum ttp_rc rc;

	if (p->ask->path && !strcmp(p->ask->path, "-")) {
		p->out = cmd_stdout();
		return draw(p, e);
	}
	if (p->ask->path)
		buf_text(&path, p->ask->path);
	else
		buf_printf(&path, "%s.svg", draw_svg_names[p->ask->what]);
	rc = run_parts_spare(&p->run.parts, path.at, e);
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
	buf_release(&path);
	return rc;
}

int draw_svg(const struct draw_svg_ask *ask)
{
	struct picture p = { .ask = ask };
	struct ttp_err e;
	enum ttp_rc rc;

	if (window_ask_parse(ask->from, ask->to, &p.when, &e))
		return cmd_misused(ask->prog, &e);
	rc = run_open(&p.run, ask->run, &e);
	if (!rc)
		rc = draw_to(&p, &e);
	draw_tell_left_out(ask->prog, p.run.parts.left_out.at, p.run.parts.left_out.len,
			   rc ? &e : NULL);
	run_close(&p.run);
	return rc ? cmd_fail(ask->prog, &e) : 0;
}
