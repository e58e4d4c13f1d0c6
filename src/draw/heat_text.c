// SPDX-License-Identifier: Apache-2.0
/* The grid as text: numbers where the cores are, on colours where the screen has them. */
#include <math.h>

#include "base/number.h"
#include "base/width.h"
#include "draw/heat.h"
#include "draw/palette.h"
#include "draw/screen.h"
#include "report/align.h"
#include "report/label.h"

enum { SLOWEST_SHOWN = 6, OPS_SHOWN = 5, CELL_MAX = 7, CELL_MIN = 3 };

/* ---- how numbers are written in cells ---- */

struct form {
	double divide;
	const char *unit; /* "" for none */
	int decimals;
	int width;   /* of a cell, the blank before it counted */
	bool ninety; /* too narrow: parts of 99 of the largest */
};

static int digits(double v)
{
	int n = 1;

	while (v >= 10 && n < 16) {
		v /= 10;
		n++;
	}
	return n;
}

static struct form form_of(const struct heat *h, const struct heat_device *d, int width)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1, "ns" }, { 1e3, "µs" }, { 1e6, "ms" }, { 1e9, "s" } };
	struct form f = { .divide = 1, .unit = "", .width = CELL_MAX };
	enum heat_unit unit = heat_metric_info[h->ask.metric].unit;
	int room = d->width ? (width - 4) / d->width : CELL_MAX, i = 0;

	f.width = room < CELL_MIN ? CELL_MIN : room > CELL_MAX ? CELL_MAX : room;
	if (unit == HEAT_TIME) {
		/* the largest has two digits before the point, or as many as there is room for */
		while (i < 3 && (h->max / units[i].ns >= 9999.5 ||
				 digits(h->max / units[i].ns) > f.width - 1))
			i++;
		f.divide = units[i].ns;
		f.unit = units[i].unit;
	} else if (unit == HEAT_PERCENT) {
		f.unit = "%";
	}
	if (f.width <= CELL_MIN || digits(h->max / f.divide) > f.width - 1) {
		f.ninety = true;
		return f;
	}
	if (unit != HEAT_COUNT && i > 0)
		f.decimals = 3 - digits(h->max / f.divide);
	if (unit == HEAT_PERCENT)
		f.decimals = 1;
	f.decimals = f.decimals > f.width - 2 - digits(h->max / f.divide)
			     ? f.width - 2 - digits(h->max / f.divide)
			     : f.decimals;
	f.decimals = f.decimals < 0 ? 0 : f.decimals;
	return f;
}

/* The word for a cell, or its letter where there is no room. */
static const char *word_of(char cell, int room)
{
	const struct heat_cell *c = heat_cell_of(cell);

	return (int)strlen(c->word) <= room ? c->word : c->letter;
}

static void add_cell(const struct heat *h, const struct heat_device *d, const struct form *f,
		     bool colour, int x, int y, struct buf *b)
{
	SCOPED(buf) struct buf text = { 0 }, cell = { 0 };
	char kind = d->cell[y][x];
	size_t width = (size_t)f->width;

	if (kind == 'w') {
		double v = d->cores.at[d->core_at[y][x]].value[h->ask.metric];

		if (f->ninety)
			number_fixed(&text, h->max > 0 ? floor(99 * v / h->max) : 0, 0, 0);
		else
			number_fixed(&text, v / f->divide, f->decimals, 0);
		width_pad(&cell, buf_view(&text), width, WIDTH_RIGHT);
		if (colour)
			palette_cell(b, buf_view(&cell), h->max > 0 ? v / h->max : 0);
		else
			buf_str(b, buf_view(&cell));
	} else {
		width_pad(&cell, str_of(word_of(kind, f->width - 1)), width, WIDTH_RIGHT);
		colour_text(b, buf_view(&cell), COLOUR_GREY, colour);
	}
}

static void add_scale(const struct heat *h, const struct form *f, bool physical, struct screen *s)
{
	if (f->ninety) {
		buf_text(&s->b, "cells: 99 is the largest, ");
		heat_value(&s->b, h->max, h->ask.metric, true);
	} else if (*f->unit) {
		buf_printf(&s->b, "cells in %s", f->unit);
	} else {
		buf_text(&s->b, "cells: a number each");
	}
	if (physical && !f->ninety)
		buf_text(&s->b, ", at their physical places");
	if (s->term.colour) {
		if (s->term.width < 60) {
			screen_line(s);
			buf_char(&s->b, ' ');
		}
		buf_text(&s->b, "   0 ");
		for (int i = 0; i < 8; i++)
			palette_cell(&s->b, STR(" "), i / 7.0);
		buf_char(&s->b, ' ');
		heat_value(&s->b, h->max, h->ask.metric, true);
	}
	screen_line(s);
}

static void add_grid(const struct heat *h, const struct heat_device *d, struct screen *s)
{
	struct form f = form_of(h, d, s->term.width);

	if (!d->width)
		return;
	add_scale(h, &f, d->grid_known, s);
	buf_text(&s->b, " y\\x");
	for (int x = 0; x < d->width; x++)
		buf_printf(&s->b, "%*d", f.width, x);
	screen_line(s);
	for (int y = 0; y < d->height; y++) {
		buf_printf(&s->b, "%4d", y);
		for (int x = 0; x < d->width; x++)
			add_cell(h, d, &f, s->term.colour, x, y, &s->b);
		screen_line(s);
	}
}

/* ---- what is said about it ---- */

static void add_what(const struct heat *h, struct screen *s)
{
	const struct heat_metric_info *m = &heat_metric_info[h->ask.metric];
	const struct heat_ask *ask = &h->ask;

	colour_text(&s->b, str_of(m->name), COLOUR_BOLD, s->term.colour);
	buf_printf(&s->b, ": %s", m->says);
	if (ask->zones.zone.len) {
		buf_text(&s->b, " (zones with \"");
		width_clean(&s->b, ask->zones.zone);
		buf_text(&s->b, "\" instead of kernels)");
	}
	if (ask->zones.riscs.len) {
		buf_text(&s->b, ", on ");
		width_clean(&s->b, ask->zones.riscs);
	}
	buf_text(&s->b, " · ");
	add_counted(&s->b, h->calls, "op call", "op calls");
	if (ask->id || ask->op.len) {
		buf_text(&s->b, " of ");
		if (h->ops.len == 1)
			buf_str(&s->b, h->ops.at[0].label);
		else if (ask->id)
			buf_printf(&s->b, "op %u", ask->id);
		else {
			buf_char(&s->b, '"');
			width_clean(&s->b, ask->op);
			buf_char(&s->b, '"');
		}
	}
	buf_text(&s->b, " · ");
	add_moment(&s->b, (double)h->window.from_ns, (double)(h->window.to_ns - h->window.from_ns));
	buf_text(&s->b, " to ");
	add_moment(&s->b, (double)h->window.to_ns, (double)(h->window.to_ns - h->window.from_ns));
	screen_wrap(s);
}

/* `report` and `top` skip what ran before the last signpost that has ops behind it; a log knows no signposts, and is shown whole. */
static void add_part(const struct heat *h, struct screen *s)
{
	const struct ops_table *t = h->names->table;
	bool ops = false;

	if (!t || h->ask.id)
		return;
	for (size_t row = t->rows; row-- > 0;) {
		if (!ops_row_is(t, row, OPS_ROW_SIGNPOST)) {
			ops = true;
		} else if (ops) {
			buf_text(&s->b,
				 "of the whole run: ttprof report and top show the part after \"");
			width_clean(&s->b, ops_text(t, OPS_OP_CODE, row));
			screen_say(s, "\"");
			return;
		}
	}
}

static void add_head(const struct heat *h, struct screen *s)
{
	width_clean(&s->b, h->source);
	buf_text(&s->b, " · ");
	if (h->t->arch.len)
		width_clean(&s->b, h->t->arch);
	else
		buf_text(&s->b, "unknown chip");
	if (h->t->freq_known)
		buf_printf(&s->b, " %lld MHz", (long long)h->t->freq_mhz);
	else
		buf_text(&s->b, ", clock not in the log: taken as 1000 MHz");
	buf_text(&s->b, " · ");
	add_counted(&s->b, h->t->devices.len, "device", "devices");
	buf_text(&s->b, " · ");
	add_counted(&s->b, h->t->markers, "marker", "markers");
	screen_wrap(s);
}

static void add_numbers(const struct heat *h, const struct heat_device *d, struct screen *s)
{
	enum heat_metric m = h->ask.metric;

	colour_text(&s->b, STR("device"), COLOUR_BOLD, s->term.colour);
	buf_printf(&s->b, " %u · %zu", d->id, d->cores.len);
	if (d->workers)
		buf_printf(&s->b, " of %u", d->workers);
	buf_printf(&s->b, " cores ran · max ");
	heat_value(&s->b, d->max, m, true);
	buf_text(&s->b, ", mean ");
	heat_value(&s->b, d->mean, m, true);
	buf_text(&s->b, ", min ");
	heat_value(&s->b, d->min, m, true);
	screen_hang(s, 2);
	if (!heat_is_work(m))
		return;
	buf_printf(&s->b, "imbalance %.0f %% (max / mean - 1) · variation %.2f · lost ",
		   100 * d->imbalance, d->variation);
	label_ns(&s->b, d->lost);
	buf_printf(&s->b, " of core-time");
	if (d->max > 0)
		buf_printf(&s->b, ", %.0f %%", 100 * d->lost / (d->max * (double)d->cores.len));
	screen_indent(s, 2);
}

static void add_slowest(const struct heat *h, const struct heat_device *d, struct screen *s)
{
	if (d->slowest.len < 2)
		return;
	buf_text(&s->b, heat_is_work(h->ask.metric) ? "slowest cores:" : "largest:");
	for (size_t i = 0; i < d->slowest.len && i < SLOWEST_SHOWN; i++) {
		const struct heat_core *c = &d->cores.at[d->slowest.at[i]];

		buf_printf(&s->b, "%s %u,%u" NO_BREAK, i ? "," : "", c->x, c->y);
		heat_value(&s->b, c->value[h->ask.metric], h->ask.metric, true);
	}
	screen_indent(s, 2);
}

/* What stands in the cells, in the words that there was room for. */
static void add_legend(const struct heat *h, const struct heat_device *d, struct screen *s)
{
	int room = form_of(h, d, s->term.width).width - 1;
	bool there[256] = { false };

	for (int y = 0; y < d->height; y++)
		for (int x = 0; x < d->width; x++)
			there[(unsigned char)d->cell[y][x]] = true;
	for (const char *cell = "depa"; *cell; cell++)
		if (there[(unsigned char)*cell] && !word_of(*cell, room)[1])
			buf_printf(&s->b, "%s%s: %s", s->b.len ? ", " : "", word_of(*cell, room),
				   heat_cell_of(*cell)->word);
	if (d->off)
		buf_printf(
			&s->b,
			"%s%s: no marker in all of the run, and the log counts %u cores: harvested or kept for dispatch",
			s->b.len ? " · " : "", word_of('x', room), d->workers);
	if (there['-'])
		buf_printf(&s->b, "%s-: none of these ops ran there", s->b.len ? " · " : "");
	if (!d->grid_known && h->t->arch.len)
		buf_printf(
			&s->b, "%s%s", s->b.len ? " · " : "",
			d->misplaced
				? "cores are not where this chip has them: places are taken as logical"
				: "no map of this chip is known: only its cores are shown");
	screen_wrap(s);
}

/* ---- several devices ---- */

#define DEVICE_COLUMNS(X)                                                               \
	X(DEVICE, "device", NULL, RIGHT, 0, 0, false, buf_printf(b, "%u", d->id))       \
	X(OPS, "ops", NULL, RIGHT, 0, 2, false, buf_printf(b, "%u", d->ops))            \
	X(CORES, "cores", NULL, RIGHT, 0, 1, false, buf_printf(b, "%zu", d->cores.len)) \
	X(MAX, "max", NULL, RIGHT, 0, 0, false, heat_value(b, d->max, m, true))         \
	X(MEAN, "mean", NULL, RIGHT, 0, 3, false, heat_value(b, d->mean, m, true))      \
	X(UNEVEN, "imbalance", "%", RIGHT, 0, 0, false, percent_cell(b, d->imbalance))  \
	X(LOST, "lost", NULL, RIGHT, 0, 0, false, heat_is_work(m) ? label_ns(b, d->lost) : (void)0)
enum { DEVICE_COLUMNS(SCREEN_ID) };

static void percent_cell(struct buf *b, double part)
{
	buf_printf(b, "%.0f", 100 * part);
}

static void device_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct heat *h = ctx;
	const struct heat_device *d = &h->devices.at[row];
	enum heat_metric m = h->ask.metric;

	(void)colour;
	switch (column) {
		DEVICE_COLUMNS(SCREEN_CELL)
	}
}

static void list_devices(const struct heat *h, struct screen *s)
{
	static const struct table_column columns[] = { DEVICE_COLUMNS(SCREEN_COLUMN) };

	screen_table(s, columns, sizeof(columns) / sizeof(*columns), h->devices.len, device_cell,
		     (void *)(uintptr_t)h);
	out_char(s->out, '\n');
}

/* ---- ops ---- */

#define OP_COLUMNS(X)                                                                       \
	X(ID, "ID", NULL, RIGHT, 0, 2, false, o->id ? buf_printf(b, "%u", o->id) : (void)0) \
	X(NAME, "uneven ops", NULL, LEFT, 12, 0, true, buf_str(b, o->label))                \
	X(CALLS, "calls", NULL, RIGHT, 0, 1, false, buf_printf(b, "%u", o->calls))          \
	X(OP_CORES, "cores", NULL, RIGHT, 0, 3, false,                                      \
	  number_fixed(b, o->cores, o->cores > floor(o->cores) ? 1 : 0, 0))                 \
	X(OP_UNEVEN, "imbalance", "%", RIGHT, 0, 4, false, percent_cell(b, o->imbalance))   \
	X(OP_LOST, "lost", NULL, RIGHT, 0, 0, false, label_ns(b, o->lost_ns))
enum { OP_COLUMNS(SCREEN_ID) };

static void op_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct heat *h = ctx;
	const struct heat_op *o = &h->ops.at[row];

	(void)colour;
	switch (column + !h->names->table) { /* numbers are the report's */
		OP_COLUMNS(SCREEN_CELL)
	}
}

static void list_ops(const struct heat *h, struct screen *s)
{
	static const struct table_column columns[] = { OP_COLUMNS(SCREEN_COLUMN) };
	size_t rows = 0;

	while (rows < h->ops.len && rows < OPS_SHOWN && h->ops.at[rows].lost_ns > 0)
		rows++;
	if (!rows || h->ops.len < 2)
		return;
	out_char(s->out, '\n');
	screen_table(s, columns + !h->names->table,
		     sizeof(columns) / sizeof(*columns) - !h->names->table, rows, op_cell,
		     (void *)(uintptr_t)h);
}

static void add_hints(const struct heat *h, struct screen *s)
{
	out_char(s->out, '\n');
	if (h->ask.metric == HEAT_WAIT && !h->tells_wait) {
		screen_say(
			s,
			"note: the log has no waits of compute kernels: run with --enable-sum-profiling (TT_METAL_PROFILER_SUM=1), with kernels that record them");
	}
	if (h->t->unpaired) {
		buf_text(&s->b, "note: ");
		add_counted(&s->b, h->t->unpaired,
			    "zone has a start or an end only, and is not counted",
			    "zones have a start or an end only, and are not counted");
		screen_wrap(s);
	}
	buf_text(&s->b, h->ask.id || h->ask.op.len ? "all ops: without --op, --id · "
						   : "one op: --id N, --op NAME · ");
	screen_say(s, "other metrics: --metric span, skew, tail, wait, … · a picture: --svg FILE");
}

static const struct heat_device *most_uneven(const struct heat *h)
{
	const struct heat_device *worst = h->devices.at;

	vec_each (d, &h->devices)
		worst = d->lost > worst->lost ? d : worst;
	return worst;
}

static void add_device(const struct heat *h, const struct heat_device *d, struct screen *s)
{
	out_char(s->out, '\n');
	if (!d->cores.len) {
		buf_printf(&s->b, "device %u · none of these ops ran on it", d->id);
		screen_wrap(s);
		return;
	}
	add_numbers(h, d, s);
	add_slowest(h, d, s);
	out_char(s->out, '\n');
	add_grid(h, d, s);
	add_legend(h, d, s);
}

void heat_text(const struct heat *h, bool all_devices, struct term term, struct out *out)
{
	struct screen s = { .term = term, .out = out };

	add_head(h, &s);
	add_what(h, &s);
	add_part(h, &s);
	if (!h->calls) {
		screen_say(&s, "no op call is left by the options that choose them");
	} else if (h->devices.len > 1 && !all_devices) {
		out_char(out, '\n');
		list_devices(h, &s);
		screen_say(&s,
			   "below: the device that loses most; another: --device N, each: --all");
		add_device(h, most_uneven(h), &s);
	} else {
		vec_each (d, &h->devices)
			add_device(h, d, &s);
	}
	if (h->calls && heat_is_work(h->ask.metric))
		list_ops(h, &s);
	if (h->calls)
		add_hints(h, &s);
	screen_release(&s);
}
