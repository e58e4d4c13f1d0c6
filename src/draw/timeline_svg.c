// SPDX-License-Identifier: Apache-2.0
/* Lanes for a document.  Neighbours that look alike are one rectangle, so its size depends on the picture, not on the run. */
#include "draw/palette.h"
#include "draw/svg.h"
#include "draw/timeline.h"
#include "report/label.h"

enum {
	LEFT = 150,
	WIDTH = 900,
	RIGHT = 56,
	ROW = 20,
	TOP = 66,
	MARGIN = 14,
	LEGEND = 11, /* the twelfth is the grey of the others */
	SHADES = 8
};

enum { HOST_HUE = 2, DEVICE_HUE = 0 };

/* Which of the names in the legend, from 0; -1: none of them. */
static int rank_of(const struct lanes *l, uint32_t name)
{
	for (size_t i = 0; i < l->ranked.len && i < LEGEND; i++)
		if (l->ranked.at[i] == name)
			return (int)i;
	return -1;
}

struct look {
	unsigned shade; /* of SHADES, 0: nothing */
	int rank;
	uint32_t name;
};

static struct look look_of(const struct lanes *l, const struct draw_lane *lane, size_t bucket)
{
	double part = lane_part(l, lane, bucket);
	struct look k = { .shade = part > 0 ? 1 + (unsigned)(part * (SHADES - 1) + 0.5) : 0,
			  .name = lane_with(lane, bucket, bucket + 1) };

	k.rank = k.name == UINT32_MAX ? -1 : rank_of(l, k.name);
	return k;
}

static void draw_run(struct svg *s, const struct timeline_axis *a, const struct draw_lane *lane,
		     struct look k, size_t from, size_t to, double y)
{
	const struct lanes *l = &a->lanes;
	uint32_t rgb = k.rank >= 0            ? palette_kind((uint32_t)k.rank)
		       : k.name != UINT32_MAX ? palette_mark(MARK_OTHERS)
					      : palette_kind(lane->kind ? DEVICE_HUE : HOST_HUE);
	double scale = (double)WIDTH / (double)l->buckets;
	double height = (ROW - 5) * (double)k.shade / SHADES;
	SCOPED(buf) struct buf title = { 0 };

	if (k.name != UINT32_MAX) {
		buf_str(&title, intern_get(&l->texts, l->names.at[k.name].text));
		buf_text(&title, ", at ");
		add_moment(&title, (double)l->window.from_ns + (double)from * l->bucket_ns,
			   (double)(l->window.to_ns - l->window.from_ns));
	}
	svg_rect(s, LEFT + (double)from * scale, y + ROW - 4 - height, (double)(to - from) * scale,
		 height, rgb, 1, buf_view(&title));
}

static void draw_lane(struct svg *s, const struct timeline_axis *a, const struct draw_lane *lane,
		      double y)
{
	const struct lanes *l = &a->lanes;
	double span = (double)(l->window.to_ns - l->window.from_ns) * lane->weight;
	SCOPED(buf) struct buf share = { 0 };
	size_t from = 0;

	svg_text(s, LEFT - 8, y + ROW - 6, SVG_END, "s", str_head(lane->name, 26));
	for (size_t i = 1; i <= l->buckets; i++) {
		struct look before = look_of(l, lane, i - 1);
		struct look here = i < l->buckets ? look_of(l, lane, i) : (struct look){ 99, 0, 0 };

		if (before.shade == here.shade && before.name == here.name)
			continue;
		if (before.shade)
			draw_run(s, a, lane, before, from, i, y);
		from = i;
	}
	buf_printf(&share, "%.0f %%", span > 0 ? 100 * lane->busy_ns / span : 0);
	svg_text(s, LEFT + WIDTH + 8, y + ROW - 6, SVG_START, "s g m", buf_view(&share));
}

static void draw_axis(struct svg *s, const struct timeline_axis *a, double top, double bottom)
{
	double from = (double)a->lanes.window.from_ns, to = (double)a->lanes.window.to_ns;
	struct axis axis = axis_of(from, to, 10);
	SCOPED(buf) struct buf b = { 0 };
	double at;

	for (int i = 0; axis_at(&axis, i, to, &at); i++) {
		double x = LEFT + (at - from) / (to - from) * WIDTH;

		buf_clear(&b);
		axis_number(&b, &axis, at);
		buf_printf(&b, " %s", axis.unit);
		svg_rule(s, x, top, x, bottom);
		svg_text(s, x, top - 5, SVG_MIDDLE, "s g m", buf_view(&b));
	}
	if (*a->what)
		svg_text(s, LEFT - 8, top - 5, SVG_END, "s b", str_of(a->what));
}

static size_t legend_rows(const struct timeline_axis *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->lanes.ranked.len && i < LEGEND; i++)
		n += a->lanes.names.at[a->lanes.ranked.at[i]].ns > 0;
	return (n + 1) / 2;
}

static void draw_legend(struct svg *s, const struct timeline_axis *a, double y)
{
	const struct lanes *l = &a->lanes;

	for (size_t i = 0; i < l->ranked.len && i < LEGEND; i++) {
		const struct lane_name *n = &l->names.at[l->ranked.at[i]];
		size_t row = i / 2; /* of two names */
		double x = LEFT + (double)(i % 2) * (WIDTH / 2.0), at = y + (double)row * 16;
		SCOPED(buf) struct buf b = { 0 };

		if (n->ns <= 0)
			break;
		buf_str(&b, str_head(intern_get(&l->texts, n->text), 56));
		buf_text(&b, ", ");
		label_ns(&b, n->ns);
		svg_rect(s, x, at - 9, 10, 10, palette_kind((uint32_t)i), 1, STR(""));
		svg_text(s, x + 16, at, SVG_START, "s", buf_view(&b));
	}
}

void timeline_svg(const struct timeline *t, struct out *out)
{
	SCOPED(buf) struct buf title = { 0 };
	double height = TOP, y = TOP;
	struct svg s;

	buf_text(&title, "timeline: ");
	buf_str(&title, buf_view(&t->source));
	for (int i = 0; i < t->axes; i++)
		height += (double)t->axis[i].shown.len * ROW +
			  (double)legend_rows(&t->axis[i]) * 16 + 56;
	svg_open(
		&s, out, LEFT + WIDTH + RIGHT, height, buf_view(&title),
		STR("Lanes over time; the height of a bar is the part of that time that was busy."));
	svg_text(&s, MARGIN, 22, SVG_START, "b", buf_view(&title));
	svg_text(
		&s, MARGIN, 40, SVG_START, "s g",
		STR("height: the part of the time that was busy; of RISCs, the mean of its cores"));
	for (int i = 0; i < t->axes; i++) {
		const struct timeline_axis *a = &t->axis[i];

		draw_axis(&s, a, y, y + (double)a->shown.len * ROW);
		vec_each (n, &a->shown) {
			draw_lane(&s, a, &a->lanes.all.at[*n], y);
			y += ROW;
		}
		draw_legend(&s, a, y + 20);
		y += (double)legend_rows(a) * 16 + 56;
	}
	svg_close(&s);
}
