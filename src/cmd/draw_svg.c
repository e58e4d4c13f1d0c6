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
	struct run_parts parts;
	struct window_ask when;
	struct out *out;
};

static enum ttp_rc draw_heat(struct picture *p, struct ttp_err *e)
{
	struct heat_ask ask = { .device = -1, .when = p->when };
	struct device_log log;
	struct core_times t;
	struct op_names names;
	struct heat h;
	enum ttp_rc rc;

	if (!p->parts.log.len)
		return draw_no_log(&p->parts, e);
	rc = device_log_open(&log, p->parts.log.at, e);
	if (rc)
		return rc;
	rc = op_names_read(&names, p->parts.ops.at, e);
	if (!rc) {
		core_times_read(&t, &log, &ask.zones);
		rc = t.spans.len ? heat_make(&h, &t, &names, &ask, e)
				 : draw_no_zones(&t, &log, &ask.zones, p->parts.log.at, e);
		if (!rc)
			heat_svg(&h, path_name(p->parts.log.at), p->out);
		if (t.spans.len)
			heat_release(&h);
		core_times_release(&t);
		op_names_release(&names);
	}
	device_log_close(&log);
	return rc;
}

static enum ttp_rc draw_timeline(struct picture *p, struct ttp_err *e)
{
	static const struct timeline_warn silent = { 0 };
	struct timeline_ask ask = { .when = p->when, .device = -1, .buckets = SVG_BUCKETS };
	struct timeline t;
	enum ttp_rc rc = timeline_make(&t, &p->parts, &ask, &silent, e);

	if (!rc)
		timeline_svg(&t, p->out);
	timeline_release(&t);
	return rc;
}

static enum ttp_rc draw_roofline(struct picture *p, struct ttp_err *e)
{
	const char *paths[] = { p->parts.ops.at };
	struct call_options o = { 0 };
	struct ops_table t;
	struct calls c;
	enum ttp_rc rc;

	if (!p->parts.ops.len)
		return ttp_fail(e, TTP_USAGE,
				"%s: a roofline is made from an ops report: `ttprof ops` makes one",
				p->parts.given);
	rc = ops_table_read(&t, paths, 1, &calls_want, &ops_rules, e);
	if (rc)
		return rc;
	calls_make(&c, &t, &o);
	roofline_svg(&c, path_name(p->parts.ops.at), p->out);
	calls_release(&c);
	ops_table_release(&t);
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
	rc = run_parts_spare(&p->parts, path.at, e);
	if (!rc)
		rc = out_file_open(&f, path.at, e);
	if (!rc) {
		p->out = &f.out;
		rc = draw(p, e);
		if (rc)
			out_file_abandon(&f);
		else
			rc = out_file_commit(&f, e);
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
	rc = run_parts_find(&p.parts, ask->run, &e);
	if (!rc)
		rc = draw_to(&p, &e);
	run_parts_release(&p.parts);
	return rc ? cmd_fail(ask->prog, &e) : 0;
}
