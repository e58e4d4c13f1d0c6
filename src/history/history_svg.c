// SPDX-License-Identifier: Apache-2.0
/* A chart per trend: a point per run, a step per stretch between changes. */
#include <math.h>

#include "base/number.h"
#include "base/width.h"
#include "draw/palette.h"
#include "draw/svg.h"
#include "history/history_out.h"
#include "report/label.h"

enum { LEFT = 90, RIGHT = 30, WIDTH = 760, TOP = 70, CHART = 150, BETWEEN = 70, TRENDS_MOST = 50 };

struct scale {
	double low, high, top;
	size_t runs;
};

static double x_of(const struct scale *k, size_t run)
{
	return LEFT + (k->runs > 1 ? (double)run / (double)(k->runs - 1) : 0.5) * WIDTH;
}

static double y_of(const struct scale *k, double ns)
{
	return k->top + CHART - (ns - k->low) / (k->high - k->low) * CHART;
}

/* From nothing would flatten what changed: a tenth of the height stays free at both ends. */
static struct scale scale_of(const struct trend *tr, size_t runs, double top)
{
	struct scale k = { INFINITY, -INFINITY, top, runs };
	double free;

	for (size_t r = 0; r < runs; r++)
		if (!isnan(tr->ns[r])) {
			k.low = number_min(k.low, tr->ns[r]);
			k.high = number_max(k.high, tr->ns[r]);
		}
	if (!(k.low <= k.high))
		k.low = k.high = 0;
	free = k.high > k.low ? (k.high - k.low) / 10 : number_max(k.high / 10, 1);
	k.low = number_max(0, k.low - free);
	k.high += free;
	return k;
}

static void put_point(struct svg *g, const struct trends *t, const struct series *s,
		      const struct trend *tr, const struct scale *k, size_t r)
{
	SCOPED(buf) struct buf title = { 0 };
	const struct history_run *run = series_run(t, s, r);

	history_commit(&title, run);
	buf_char(&title, ' ');
	history_date(&title, run->time_s);
	buf_text(&title, ": ");
	label_ns(&title, tr->ns[r]);
	svg_circle(g, x_of(k, r), y_of(k, tr->ns[r]), 3, palette_mark(MARK_POINT),
		   buf_view(&title));
}

static void put_change(struct svg *g, const struct trends *t, const struct series *s,
		       const struct trend_change *c, const struct scale *k)
{
	SCOPED(buf) struct buf title = { 0 };
	double x = (x_of(k, c->last_good) + x_of(k, c->at)) / 2;

	buf_printf(&title, "%s: ", compare_verdict_names[c->verdict]);
	history_commit(&title, series_run(t, s, c->last_good));
	buf_text(&title, " .. ");
	history_commit(&title, series_run(t, s, c->at));
	svg_rect(g, x - 1.5, k->top, 3, CHART,
		 palette_mark(c->verdict == COMPARE_SLOWER ? MARK_SLOWER : MARK_FASTER), 0.7,
		 buf_view(&title));
}

static void put_trend(struct svg *g, const struct trends *t, const struct series *s,
		      const struct trend *tr, double top)
{
	struct scale k = scale_of(tr, s->runs.len, top);
	SCOPED(buf) struct buf label = { 0 }, text = { 0 };

	trend_label(&label, t, tr);
	width_cut(&text, buf_view(&label), 90, true);
	svg_text(g, LEFT, top - 12, SVG_START, "b", buf_view(&text));
	for (int i = 0; i <= 2; i++) {
		double ns = k.low + (k.high - k.low) * i / 2;

		buf_clear(&text);
		label_ns(&text, ns);
		svg_rule(g, LEFT, y_of(&k, ns), LEFT + WIDTH, y_of(&k, ns));
		svg_text(g, LEFT - 8, y_of(&k, ns) + 4, SVG_END, "s", buf_view(&text));
	}
	vec_each (c, &tr->changes)
		put_change(g, t, s, c, &k);
	for (size_t r = 0; r < s->runs.len; r++)
		if (!isnan(tr->ns[r]))
			put_point(g, t, s, tr, &k, r);
	for (int i = 0; i < 2; i++) {
		size_t r = i ? s->runs.len - 1 : 0;

		buf_clear(&text);
		history_commit(&text, series_run(t, s, r));
		if (!i || r)
			svg_text(g, x_of(&k, r), top + CHART + 18, i ? SVG_END : SVG_START, "s",
				 buf_view(&text));
	}
}

static size_t count_shown(const struct trends *t, const struct history_shown *shown)
{
	size_t n = 0;

	vec_each (s, &t->all)
		vec_each (tr, &s->trends)
			n += trend_is_shown(t, tr, shown);
	return n < TRENDS_MOST ? n : TRENDS_MOST;
}

void history_show_svg(const struct trends *t, const struct history_shown *shown, struct out *out)
{
	size_t n = count_shown(t, shown), at = 0;
	struct svg g;

	svg_open(&g, out, LEFT + WIDTH + RIGHT, TOP + (double)n * (CHART + BETWEEN), STR("History"),
		 STR("Time of ops over runs, a line where it changed for good."));
	vec_each (s, &t->all) {
		SCOPED(buf) struct buf name = { 0 };
		bool headed = false;

		series_name(&name, s);
		vec_each (tr, &s->trends) {
			double top = TOP + (double)at * (CHART + BETWEEN);

			if (at == n || !trend_is_shown(t, tr, shown))
				continue;
			if (!headed)
				svg_text(&g, LEFT, top - 34, SVG_START, "g", buf_view(&name));
			headed = true;
			put_trend(&g, t, s, tr, top);
			at++;
		}
	}
	svg_close(&g);
}
