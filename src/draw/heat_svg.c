// SPDX-License-Identifier: Apache-2.0
/* Grids for a document: one below the other, one scale for all. */
#include <math.h>

#include "base/number.h"
#include "draw/heat.h"
#include "draw/palette.h"
#include "draw/svg.h"
#include "report/label.h"

enum { CELL_W = 46, CELL_H = 26, LEFT = 34, TOP = 62, GAP = 74, MARGIN = 14 };

static void draw_cell(const struct heat *h, const struct heat_device *d, struct svg *s, int x,
		      int y, double left, double top)
{
	SCOPED(buf) struct buf text = { 0 }, title = { 0 };
	char kind = d->cell[y][x];

	if (kind == 'w') {
		double v = d->cores.at[d->core_at[y][x]].value[h->ask.metric];
		uint32_t rgb = palette_rgb(h->max > 0 ? v / h->max : 0);

		heat_value(&text, v, h->ask.metric, false);
		buf_printf(&title, "core %d,%d: %s", x, y, text.at);
		svg_rect(s, left, top, CELL_W - 2, CELL_H - 2, rgb, 1, buf_view(&title));
		svg_text_on(s, left + (CELL_W - 2) / 2.0, top + 16, rgb, buf_view(&text));
	} else if (*heat_cell_of(kind)->title) {
		svg_rect(s, left, top, CELL_W - 2, CELL_H - 2, 0x8b949e, 0.18, STR(""));
		svg_text(s, left + (CELL_W - 2) / 2.0, top + 16, SVG_MIDDLE, "s g",
			 str_of(heat_cell_of(kind)->title));
	}
}

static void device_title(const struct heat *h, const struct heat_device *d, struct buf *b)
{
	buf_printf(b, "device %u: %zu", d->id, d->cores.len);
	if (d->workers)
		buf_printf(b, " of %u", d->workers);
	buf_text(b, " cores ran, max ");
	heat_value(b, d->max, h->ask.metric, false);
	buf_text(b, ", mean ");
	heat_value(b, d->mean, h->ask.metric, false);
	if (heat_is_work(h->ask.metric)) {
		buf_printf(b, ", imbalance %.0f %%, lost core-time ", 100 * d->imbalance);
		label_ns(b, d->lost);
	}
}

static void draw_device(const struct heat *h, const struct heat_device *d, struct svg *s,
			double top)
{
	SCOPED(buf) struct buf b = { 0 };

	device_title(h, d, &b);
	svg_text(s, MARGIN, top - 30, SVG_START, "b", buf_view(&b));
	for (int x = 0; x < d->width; x++) {
		buf_set(&b, "%d", x);
		svg_text(s, LEFT + x * CELL_W + CELL_W / 2.0, top - 8, SVG_MIDDLE, "s g",
			 buf_view(&b));
	}
	for (int y = 0; y < d->height; y++) {
		buf_set(&b, "%d", y);
		svg_text(s, LEFT - 8, top + y * CELL_H + 16, SVG_END, "s g", buf_view(&b));
		for (int x = 0; x < d->width; x++)
			draw_cell(h, d, s, x, y, LEFT + x * CELL_W, top + y * CELL_H);
	}
}

static void draw_scale(const struct heat *h, struct svg *s, double y)
{
	SCOPED(buf) struct buf b = { 0 };

	for (int i = 0; i < 64; i++)
		svg_rect(s, LEFT + i * 3, y, 3.2, 10, palette_rgb(i / 63.0), 1, STR(""));
	svg_text(s, LEFT, y + 24, SVG_START, "s g", STR("0"));
	heat_value(&b, h->max, h->ask.metric, false);
	svg_text(s, LEFT + 192, y + 24, SVG_END, "s g", buf_view(&b));
}

void heat_svg(const struct heat *h, struct out *out)
{
	SCOPED(buf) struct buf title = { 0 }, what = { 0 };
	double height = TOP, width = 660, top = TOP + 36;
	struct svg s;

	vec_each (d, &h->devices) {
		height += d->height * CELL_H + GAP;
		width = number_max(width, LEFT + d->width * CELL_W + MARGIN);
		buf_clear(&title);
		device_title(h, d, &title);
		width = number_max(width, 2 * MARGIN + svg_room(buf_view(&title)));
	}
	buf_set(&title, "%s per core: ", heat_metric_info[h->ask.metric].name);
	buf_str(&title, h->source);
	buf_printf(&what, "%s; %u op call%s", heat_metric_info[h->ask.metric].says, h->calls,
		   h->calls == 1 ? "" : "s");
	if (h->ops.len == 1) {
		buf_text(&what, " of ");
		buf_str(&what, h->ops.at[0].label);
	}
	width = number_max(width, 2 * MARGIN + svg_room(buf_view(&title)));
	width = number_max(width, 2 * MARGIN + svg_room(buf_view(&what)));
	svg_open(&s, out, width, height + 26, buf_view(&title), buf_view(&what));
	svg_text(&s, MARGIN, 22, SVG_START, "b", buf_view(&title));
	svg_text(&s, MARGIN, 40, SVG_START, "g", buf_view(&what));
	vec_each (d, &h->devices) {
		draw_device(h, d, &s, top);
		top += d->height * CELL_H + GAP;
	}
	draw_scale(h, &s, top - GAP + 14);
	svg_close(&s);
}
