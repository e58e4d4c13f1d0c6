// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/decades.h"
#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "base/width.h"
#include "draw/palette.h"
#include "draw/svg.h"
#include "draw/top.h"
#include "report/label.h"

enum { LEFT = 70, TOP = 84, WIDTH = 760, HEIGHT = 420, RIGHT = 30, BOTTOM = 60, NAMED = 8 };

/* Ops that look alike, as `ttprof report` puts them together: all their calls. */
struct point {
	const struct kind *kind; /* the first of them */
	double flop, bytes;      /* of all calls */
	double flop_per_byte, flop_per_ns, time_ns;
	uint32_t calls;
	bool full_name; /* another point has the same short one */
};

typedef VEC(struct point) points;

static void add_kind(struct point *p, const struct point *k, const struct shape *shape)
{
	p->flop += shape->flop * k->calls;
	p->bytes += shape->dram_bytes * k->calls;
	p->time_ns += k->time_ns;
	p->calls += k->calls;
	p->flop_per_byte = p->flop / p->bytes;
	p->flop_per_ns = p->flop / p->time_ns;
}

static void find_points(const struct calls *c, points *out)
{
	SCOPED(mem) struct point *sums = mem_zero(c->kinds.len + 1, sizeof(*sums));
	SCOPED(u64map) struct u64map number = { 0 };

	vec_each (call, &c->all) {
		if (call->flags & (CALL_HOST | CALL_UNTIMED) || call->time_ns <= 0)
			continue;
		sums[call->kind].time_ns += call->time_ns;
		sums[call->kind].calls++;
	}
	for (size_t i = 0; i < c->kinds.len; i++) {
		const struct roofline *r = &c->kinds.at[i].roof;

		if (!sums[i].calls || r->shape.flop <= 0 || r->shape.dram_bytes <= 0)
			continue;
		add_kind(keyed_item(&number, c->kinds.at[i].alike, out,
				    (struct point){ .kind = &c->kinds.at[i] }),
			 &sums[i], &r->shape);
	}
}

/* Names that two points share are given in full. */
static void find_names(const struct calls *c, points *all)
{
	SCOPED(u64map) struct u64map first = { 0 };
	SCOPED(intern) struct intern names = { 0 };
	SCOPED(buf) struct buf label = { 0 };

	for (uint32_t i = 0; i < all->len; i++) {
		bool added;
		uint32_t other;

		buf_clear(&label);
		label_op(&label, c->table, all->at[i].kind);
		other = u64map_get_or_put(&first, intern_copy(&names, buf_view(&label)), i, &added);
		if (!added)
			all->at[i].full_name = all->at[other].full_name = true;
	}
}

/* Decades that hold everything. */
struct scale {
	double x0, x1, y0, y1; /* powers of ten */
};

static double x_of(const struct scale *s, double v)
{
	return LEFT + (decades_of(v) - s->x0) / (s->x1 - s->x0) * WIDTH;
}

static double y_of(const struct scale *s, double v)
{
	return TOP + HEIGHT - (decades_of(v) - s->y0) / (s->y1 - s->y0) * HEIGHT;
}

static struct scale scale_of(const points *p, const struct calls *c)
{
	double peak = chip_flop_per_ns(c->on.chip, c->on.workers, 1);
	struct scale s = { 0, 2, p->len ? 9 : 0, 2 };

	vec_each (o, p) {
		s.x0 = number_min(s.x0, floor(decades_of(o->flop_per_byte)));
		s.x1 = number_max(s.x1, ceil(decades_of(o->flop_per_byte) + 0.1));
		s.y0 = number_min(s.y0, floor(decades_of(o->flop_per_ns)));
		s.y1 = number_max(s.y1, ceil(decades_of(o->flop_per_ns) + 0.1));
	}
	if (peak > 0) {
		s.y1 = number_max(s.y1, ceil(decades_of(peak) + 0.1));
		if (c->on.chip->dram_gbps > 0)
			s.x1 = number_max(s.x1,
					  ceil(decades_of(peak / c->on.chip->dram_gbps) + 0.3));
	}
	return s;
}

static void draw_frame(struct svg *s, const struct scale *k)
{
	SCOPED(buf) struct buf b = { 0 };

	for (int d = (int)k->x0; d <= (int)k->x1; d++) {
		double x = x_of(k, ten_to(d));

		buf_clear(&b);
		number_fixed(&b, ten_to(d), d < 0 ? -d : 0, 0);
		svg_rule(s, x, TOP, x, TOP + HEIGHT);
		svg_text(s, x, TOP + HEIGHT + 16, SVG_MIDDLE, "s g m", buf_view(&b));
	}
	for (int d = (int)k->y0; d <= (int)k->y1; d++) {
		double y = y_of(k, ten_to(d));

		/* FLOP per ns are GFLOP/s */
		buf_clear(&b);
		if (d >= 3)
			number_fixed(&b, ten_to(d - 3), 0, 0);
		else
			number_fixed(&b, ten_to(d - 3), 3 - d, 0);
		svg_rule(s, LEFT, y, LEFT + WIDTH, y);
		svg_text(s, LEFT - 6, y + 4, SVG_END, "s g m", buf_view(&b));
	}
	svg_text(s, LEFT + WIDTH / 2.0, TOP + HEIGHT + 36, SVG_MIDDLE, "",
		 STR("FLOP per byte of DRAM"));
	svg_text(s, LEFT - 56, TOP - 14, SVG_START, "", STR("TFLOP/s"));
}

static void draw_roofs(struct svg *s, const struct scale *k, const struct calls *c)
{
	static const struct {
		const char *name;
		int passes;
	} roofs[] = { { "LoFi", 1 }, { "HiFi2", 2 }, { "HiFi4", 4 } };
	const struct chip *chip = c->on.chip;
	double top = chip_flop_per_ns(chip, c->on.workers, 1), gbps = chip->dram_gbps;
	SCOPED(buf) struct buf b = { 0 };

	for (size_t i = 0; top > 0 && i < sizeof(roofs) / sizeof(*roofs); i++) {
		double peak = chip_flop_per_ns(chip, c->on.workers, roofs[i].passes);
		double from = gbps > 0 ? peak / gbps : ten_to((int)k->x0);

		from = number_max(from, ten_to((int)k->x0));
		if (from < ten_to((int)k->x1))
			svg_line(s, x_of(k, from), y_of(k, peak), LEFT + WIDTH, y_of(k, peak));
		buf_set(&b, "%s %.0f TFLOP/s", roofs[i].name, peak / 1000);
		svg_text(s, LEFT + WIDTH - 4, y_of(k, peak) - 4, SVG_END, "s b", buf_view(&b));
	}
	if (gbps > 0) {
		double last = top > 0 ? top / gbps : ten_to((int)k->x1);
		double first = number_max(ten_to((int)k->x0), ten_to((int)k->y0) / gbps);

		if (last > first)
			svg_line(s, x_of(k, first), y_of(k, first * gbps), x_of(k, last),
				 y_of(k, last * gbps));
		buf_set(&b, "DRAM %.0f GB/s", gbps);
		/* to the right of the line, which rises away from it */
		if (last > first) {
			double x = x_of(k, first) * 0.7 + x_of(k, last) * 0.3;
			double y = y_of(k, first * gbps) * 0.7 + y_of(k, last * gbps) * 0.3;

			svg_text(s, x + 12, y + 12, SVG_START, "s b", buf_view(&b));
		}
	}
}

ORDER_MOST(most_time_first, struct point, time_ns, kind)

void roofline_svg(const struct calls *c, struct str source, struct out *out)
{
	SCOPED(buf) struct buf title = { 0 }, label = { 0 };
	points p = { 0 };
	struct scale k;
	struct svg s;
	double all = 0;
	size_t n = 0;

	find_points(c, &p);
	vec_sort(&p, most_time_first);
	vec_each (o, &p)
		all += o->time_ns;
	find_names(c, &p);
	k = scale_of(&p, c);
	buf_text(&title, "roofline: ");
	buf_str(&title, source);
	buf_printf(&title, ", %s, %.0f cores", c->on.chip->name, c->on.workers);
	svg_open(
		&s, out, LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM + NAMED * 16 + 10,
		buf_view(&title),
		STR("Each circle is a kind of op; its area is its share of the time of those shown."));
	svg_text(&s, 14, 22, SVG_START, "b", buf_view(&title));
	svg_text(
		&s, 14, 40, SVG_START, "s g",
		STR("area: share of device time; ops without arithmetic or tensors in DRAM have no place here"));
	draw_frame(&s, &k);
	draw_roofs(&s, &k, c);
	vec_each (o, &p) {
		uint32_t rgb = n < NAMED ? palette_kind((uint32_t)n) : palette_mark(MARK_OTHERS);

		buf_clear(&label);
		if (o->full_name)
			label_alike(&label, c->table, o->kind);
		else
			label_op(&label, c->table, o->kind);
		if (o->full_name)
			buf_text(&label, " cores");
		buf_printf(&label, ", %u call%s, ", o->calls, o->calls == 1 ? "" : "s");
		label_ns(&label, o->time_ns);
		buf_printf(&label, ", %.2f TFLOP/s", o->flop_per_ns / 1000);
		svg_circle(&s, x_of(&k, o->flop_per_byte), y_of(&k, o->flop_per_ns),
			   3 + 26 * sqrt(o->time_ns / all), rgb, buf_view(&label));
		if (n < NAMED) {
			double y = TOP + HEIGHT + BOTTOM + (double)n * 16;

			svg_rect(&s, LEFT, y - 9, 10, 10, rgb, 1, STR(""));
			svg_text(&s, LEFT + 16, y, SVG_START, "s", buf_view(&label));
		}
		n++;
	}
	if (!p.len)
		svg_text(&s, LEFT + WIDTH / 2.0, TOP + HEIGHT / 2.0, SVG_MIDDLE, "g",
			 STR("no op has both arithmetic that is known and tensors in DRAM"));
	svg_close(&s);
	vec_release(&p);
}
