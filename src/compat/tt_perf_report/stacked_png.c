// SPDX-License-Identifier: Apache-2.0
/*
 * The stacked report as a picture: one bar, or one per device, cut into groups.  All lengths are
 * points (1/72 inch) until cairo scales them.
 */
#include <cairo.h>
#include <stdlib.h>

#include "base/decades.h"
#include "base/late.h"
#include "base/number.h"
#include "base/order.h"
#include "compat/tt_perf_report/stacked.h"

/* Loaded when a picture is drawn: it brings X11 and fontconfig with it. */
#define CAIRO_LIST(X)                          \
	X(cairo_, clip)                        \
	X(cairo_, create)                      \
	X(cairo_, destroy)                     \
	X(cairo_, fill)                        \
	X(cairo_, image_surface_create)        \
	X(cairo_, line_to)                     \
	X(cairo_, move_to)                     \
	X(cairo_, paint)                       \
	X(cairo_, rectangle)                   \
	X(cairo_, restore)                     \
	X(cairo_, rotate)                      \
	X(cairo_, save)                        \
	X(cairo_, scale)                       \
	X(cairo_, select_font_face)            \
	X(cairo_, set_font_size)               \
	X(cairo_, set_line_width)              \
	X(cairo_, set_source_rgb)              \
	X(cairo_, show_text)                   \
	X(cairo_, status)                      \
	X(cairo_, status_to_string)            \
	X(cairo_, stroke)                      \
	X(cairo_, surface_destroy)             \
	X(cairo_, surface_write_to_png_stream) \
	X(cairo_, text_extents)                \
	X(cairo_, translate)
LATE_LIBRARY(cairo, CAIRO_LIST)

enum {
	PAGE_WIDTH = 6 * 72,
	PAGE_HEIGHT = 8 * 72,
	DEVICE_WIDTH = 2 * 72,
	PIXELS_MAX = 30000, /* cairo's surfaces end at 32767 */
	LEFT = 62,
	RIGHT = 14,
	TOP = 34,
	BOTTOM = 30,
	RAMP_STEPS = 12,
};
static const double dots_per_point = 300.0 / 72;
static const double shown_pct = 2;   /* smaller pieces carry no text */
static const double bar_share = 0.8; /* of the room that a bar has */
static const double piece_font = 6, smallest_font = 3.5, line_height = 7.2;

/* ---- colours ---- */

static const struct {
	double from, to;
	uint32_t at[9];
} ramps[CATEGORIES] = {
#define RAMP(category, from, to, ...) [CATEGORY_##category] = { from, to, { __VA_ARGS__ } },
#define SPARE(...)
#include "compat/tt_perf_report/palette.def"
#undef RAMP
#undef SPARE
};

static const uint32_t spare[] = {
#define RAMP(category, from, to, ...)
#define SPARE(...) __VA_ARGS__,
#include "compat/tt_perf_report/palette.def"
#undef RAMP
#undef SPARE
};
enum { SPARE_COLOURS = sizeof(spare) / sizeof(spare[0]), CLASSIC_COLOURS = 20 };

struct rgb {
	double c[3];
};

static struct rgb rgb_of(uint32_t v)
{
	return (struct rgb){ { (v >> 16 & 0xFF) / 255.0, (v >> 8 & 0xFF) / 255.0,
			       (v & 0xFF) / 255.0 } };
}

static struct rgb ramp_colour(enum category c, size_t n)
{
	double at = ramps[c].from - 0.05 * (double)n, place = at * 8;
	size_t i = (size_t)place < 8 ? (size_t)place : 7;
	struct rgb a = rgb_of(ramps[c].at[i]), b = rgb_of(ramps[c].at[i + 1]);

	for (int k = 0; k < 3; k++)
		a.c[k] += (b.c[k] - a.c[k]) * (place - (double)i);
	return a;
}

/* ---- the groups in the order of the bars ---- */

struct piece {
	const struct stack *stack;
	struct rgb colour;
};

struct drawing {
	cairo_t *c;
	const struct stacked *s;
	bool classic;
	VEC(struct piece) pieces; /* by device, then by category, from the bottom up */
	VEC(int64_t) devices;     /* of the bars, ascending; one without devices */
	double width, top_value;
	struct buf text;
};

/* Those of a bar stand by time. */
ORDER_BY(by_bar, struct piece, stack->device, stack->category, stack)

ORDER_BY(by_bar_classic, struct piece, stack->device, stack)

static enum category category_of(const struct stacked *s, const struct stack *x)
{
	if (s->rates)
		return x->category;
	for (int c = 0; c < CATEGORIES; c++)
		if (str_eq(x->key, str_of(compat_category_names[c])))
			return (enum category)c;
	return CATEGORY_OTHER;
}

/* A key has the same colour in all bars. */
static void choose_colours(struct drawing *d)
{
	size_t used[CATEGORIES] = { 0 }, spares = 0, all = 0;
	SCOPED(intern) struct intern keys = { 0 };
	SCOPED(vec) VEC(struct rgb) colours = { 0 };

	vec_each (p, &d->pieces) {
		enum category c = category_of(d->s, p->stack);
		uint32_t key = intern_add(&keys, p->stack->key);

		if (key == colours.len) {
			if (d->classic)
				*vec_push(&colours) = rgb_of(spare[all++ % CLASSIC_COLOURS]);
			else if (used[c] < RAMP_STEPS)
				*vec_push(&colours) = ramp_colour(c, used[c]++);
			else
				*vec_push(&colours) = rgb_of(spare[spares++ % SPARE_COLOURS]);
		}
		p->colour = colours.at[key];
	}
}

static void line_up(struct drawing *d)
{
	vec_each (x, &d->s->all)
		*vec_push(&d->pieces) = (struct piece){ .stack = x };
	vec_sort(&d->pieces, d->classic ? by_bar_classic : by_bar);
	vec_each (p, &d->pieces) {
		int64_t device = d->s->by_device ? p->stack->device : 0;

		if (!d->devices.len || d->devices.at[d->devices.len - 1] != device)
			*vec_push(&d->devices) = device;
	}
	choose_colours(d);
}

/* ---- drawing ---- */

static double y_of(const struct drawing *d, double value)
{
	double height = PAGE_HEIGHT - TOP - BOTTOM;

	return PAGE_HEIGHT - BOTTOM - (d->top_value > 0 ? value / d->top_value * height : 0);
}

static void font(struct drawing *d, double size, bool bold)
{
	cairo.select_font_face(d->c, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo.set_font_size(d->c, size);
}

/* `align`: 0 starts at x, 0.5 is centred there, 1 ends there. */
static void label(struct drawing *d, double x, double y, double align, const char *text)
{
	cairo_text_extents_t e;

	cairo.text_extents(d->c, text, &e);
	cairo.move_to(d->c, x - e.x_advance * align, y);
	cairo.show_text(d->c, text);
}

/* In small letters if it is wider than `room`; then what still does not fit is cut at the end. */
static void label_within(struct drawing *d, double x, double y, double room, const char *text)
{
	cairo_text_extents_t e;
	double size = piece_font;

	cairo.set_font_size(d->c, size);
	cairo.text_extents(d->c, text, &e);
	if (e.x_advance > room) {
		size *= room / e.x_advance;
		cairo.set_font_size(d->c, size < smallest_font ? smallest_font : size);
		cairo.text_extents(d->c, text, &e);
	}
	if (e.x_advance > room)
		label(d, x - room / 2, y, 0, text);
	else
		label(d, x, y, 0.5, text);
}

static void label_upwards(struct drawing *d, double x, double y, const char *text)
{
	cairo.save(d->c);
	cairo.translate(d->c, x, y);
	cairo.rotate(d->c, -3.14159265358979323846 / 2);
	label(d, 0, 0, 0.5, text);
	cairo.restore(d->c);
}

/* A round step that makes about eight ticks. */
static double tick_step(double top)
{
	static const double round[] = { 1, 2, 2.5, 5, 10 };
	double unit = ten_to((int)floor(decades_of(top / 8)));

	for (size_t i = 0; i < sizeof(round) / sizeof(round[0]); i++)
		if (top / (unit * round[i]) <= 9)
			return unit * round[i];
	return unit * 10;
}

static void draw_frame(struct drawing *d)
{
	double step = d->top_value > 0 ? tick_step(d->top_value) : 0;
	double room = (d->width - LEFT - RIGHT) / (double)(d->devices.len ? d->devices.len : 1);

	cairo.set_source_rgb(d->c, 0, 0, 0);
	cairo.set_line_width(d->c, 0.8);
	cairo.rectangle(d->c, LEFT, TOP, d->width - LEFT - RIGHT, PAGE_HEIGHT - TOP - BOTTOM);
	cairo.stroke(d->c);
	font(d, 10, false);
	for (int i = 0; step > 0 && i * step <= d->top_value; i++) {
		double y = y_of(d, i * step);

		cairo.move_to(d->c, LEFT - 3.5, y);
		cairo.line_to(d->c, LEFT, y);
		cairo.stroke(d->c);
		buf_clear(&d->text);
		number_fixed(&d->text, i * step, step < 1 ? 2 : 0, 0);
		label(d, LEFT - 7, y + 3.5, 1, d->text.at);
	}
	for (size_t i = 0; d->s->by_device && i < d->devices.len; i++) {
		buf_set(&d->text, "Dev %lld", (long long)d->devices.at[i]);
		label(d, LEFT + room * ((double)i + 0.5), PAGE_HEIGHT - BOTTOM + 14, 0.5,
		      d->text.at);
	}
	label_upwards(d, 16, TOP + (PAGE_HEIGHT - TOP - BOTTOM) / 2.0, "Device Time [\xCE\xBCs]");
	font(d, 12, false);
	buf_clear(&d->text);
	if (d->s->by_device) {
		buf_text(&d->text, "Stacked Device Time per Device (100% per device)");
	} else {
		buf_text(&d->text, "Stacked Device Time (Total: ");
		number_fixed(&d->text, d->s->total_us, 1, ',');
		buf_text(&d->text, " \xCE\xBCs)");
	}
	label(d, LEFT + (d->width - LEFT - RIGHT) / 2, TOP - 8, 0.5, d->text.at);
}

static void piece_lines(struct drawing *d, const struct stack *x, double left, double width,
			double top, double height)
{
	double middle = top + height / 2 + 2, x_middle = left + width / 2, room = width - 4;
	bool rated = x->rated && d->s->rates && height >= 2 * line_height;
	struct buf *b = &d->text;

	cairo.save(d->c);
	cairo.rectangle(d->c, left, top, width, height);
	cairo.clip(d->c);
	cairo.set_source_rgb(d->c, 1, 1, 1);
	font(d, piece_font, false);
	buf_clear(b);
	if (d->s->by_device && height < 3 * line_height) {
		buf_printf(b, "%.1f %% %.*s", x->pct, STR_ARG(x->key));
		label_within(d, x_middle, middle, room, b->at);
	} else if (d->s->by_device) {
		buf_printf(b, "%.1f %%", x->pct);
		label_within(d, x_middle, middle - line_height, room, b->at);
		buf_set_str(b, x->key);
		label_within(d, x_middle, middle, room, b->at);
		buf_clear(b);
		number_fixed(b, x->time_us, 1, ',');
		buf_text(b, " \xCE\xBCs");
		label_within(d, x_middle, middle + line_height, room, b->at);
	} else {
		buf_printf(b, "(%.1f %%) %.*s total=", x->pct, STR_ARG(x->key));
		number_fixed(b, x->time_us, 1, ',');
		buf_printf(b, " \xCE\xBCs; %llu ops", (unsigned long long)x->count);
		label_within(d, x_middle, rated ? middle - line_height / 2 : middle, room, b->at);
	}
	if (rated && !d->s->by_device) {
		buf_set(b, " Util [%.1f - %.1f] weighted_mean=%.1f%% (mean=%.1f \xC2\xB1 %.1f%%)",
			x->min, x->max, isnan(x->weighted_mean) ? 0 : x->weighted_mean, x->mean,
			isnan(x->std) ? 0 : x->std);
		label_within(d, x_middle, middle + line_height / 2, room, b->at);
	}
	cairo.restore(d->c);
}

/* The frame around the pieces of a category, and its name beside them. */
static void category_frame(struct drawing *d, enum category c, double left, double width,
			   double from, double to)
{
	double top = y_of(d, to), bottom = y_of(d, from);

	cairo.set_source_rgb(d->c, 0, 0, 0);
	cairo.set_line_width(d->c, 2);
	cairo.rectangle(d->c, left, top, width, bottom - top);
	cairo.stroke(d->c);
	if ((to - from) / d->top_value * 100 < shown_pct * 2)
		return;
	font(d, 8, true);
	buf_set(&d->text, "%s(%.1f%%)", compat_category_names[c], (to - from) / d->top_value * 100);
	label_upwards(d, left - 4, (top + bottom) / 2, d->text.at);
}

static void draw_bars(struct drawing *d)
{
	double room = (d->width - LEFT - RIGHT) / (double)(d->devices.len ? d->devices.len : 1);
	double width = room * bar_share;
	size_t bar = 0;
	double value = 0, from = 0;

	for (size_t i = 0; i < d->pieces.len; i++) {
		const struct piece *p = &d->pieces.at[i];
		double height = d->s->by_device ? p->stack->pct : p->stack->time_us;
		double left;
		bool last;

		if (d->s->by_device && p->stack->device != d->devices.at[bar]) {
			bar++;
			value = from = 0;
		}
		left = LEFT + room * ((double)bar + (1 - bar_share) / 2);
		if (height > 0) {
			cairo.set_source_rgb(d->c, p->colour.c[0], p->colour.c[1], p->colour.c[2]);
			cairo.rectangle(d->c, left, y_of(d, value + height), width,
					y_of(d, value) - y_of(d, value + height));
			cairo.fill(d->c);
			if (p->stack->pct >= shown_pct)
				piece_lines(d, p->stack, left, width, y_of(d, value + height),
					    y_of(d, value) - y_of(d, value + height));
			value += height;
		}
		last = i + 1 == d->pieces.len || p[1].stack->device != p->stack->device ||
		       category_of(d->s, p[1].stack) != category_of(d->s, p->stack);
		if (last && !d->classic && value > from) {
			category_frame(d, category_of(d->s, p->stack), left, width, from, value);
			from = value;
		}
	}
}

/* ---- the file ---- */

/* gcc says it by a macro, clang by a feature. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_LOOKED_FOR
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define LEAKS_ARE_LOOKED_FOR
#endif

#ifdef LEAKS_ARE_LOOKED_FOR
/* fontconfig keeps a few patterns to the end of the process, which is no leak of ours. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig\n";
}

const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}
#endif

static cairo_status_t write_bytes(void *to, const unsigned char *at, unsigned int len)
{
	struct out *o = to;

	out_add(o, (const char *)at, len);
	return out_ok(o) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static enum ttp_rc save(cairo_surface_t *picture, const char *path, struct ttp_err *e)
{
	struct out_file f;
	enum ttp_rc rc = out_file_open(&f, path, e);
	cairo_status_t status;

	if (rc)
		return rc;
	status = cairo.surface_write_to_png_stream(picture, write_bytes, &f.out);
	if (status && out_ok(&f.out)) {
		out_file_abandon(&f);
		return ttp_fail(e, TTP_LIMIT, "%s: %s", path, cairo.status_to_string(status));
	}
	return out_file_commit(&f, e);
}

static enum ttp_rc draw_and_save(struct drawing *d, const char *path, struct ttp_err *e)
{
	double scale = dots_per_point;
	cairo_surface_t *picture;
	cairo_status_t status;
	enum ttp_rc rc = LATE_LOAD(cairo, "libcairo.so.2", "libcairo2", e);

	if (rc)
		return ttp_wrap(e, rc, "%s", path);
	picture = cairo.image_surface_create(CAIRO_FORMAT_RGB24, (int)(d->width * scale),
					     (int)(PAGE_HEIGHT * scale));
	d->c = cairo.create(picture);
	cairo.scale(d->c, scale, scale);
	cairo.set_source_rgb(d->c, 1, 1, 1);
	cairo.paint(d->c);
	draw_bars(d);
	draw_frame(d);
	status = cairo.status(d->c); /* once there is one, nothing more is drawn */
	cairo.destroy(d->c);
	rc = status ? ttp_fail(e, TTP_LIMIT, "%s: %s", path, cairo.status_to_string(status))
		    : save(picture, path, e);
	cairo.surface_destroy(picture);
	return rc;
}

bool compat_write_png(struct compat_run *r, const struct stacked *s, const char *path)
{
	struct drawing d = { .s = s, .classic = r->args.classic_colors };
	struct ttp_err e;
	enum ttp_rc rc;

	line_up(&d);
	d.top_value = s->by_device ? 100 : s->total_us;
	if (!(d.top_value > 0 && d.top_value < (double)INFINITY))
		d.top_value = 0;
	d.width = s->by_device && d.devices.len * DEVICE_WIDTH > PAGE_WIDTH
			  ? (double)d.devices.len * DEVICE_WIDTH
			  : PAGE_WIDTH;
	if (d.width * dots_per_point > PIXELS_MAX)
		d.width = PIXELS_MAX / dots_per_point;
	rc = draw_and_save(&d, path, &e);
	if (rc)
		buf_printf(r->errors, "tt-perf-report: error: %s\n", e.msg);
	RELEASE(vec, &d.pieces, &d.devices);
	buf_release(&d.text);
	return !rc;
}
