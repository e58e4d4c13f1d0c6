// SPDX-License-Identifier: Apache-2.0
/* The table of ops: widths, cells, lines. */
#include "base/number.h"
#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/py.h"

#include <float.h>

const char *const sheet_names[] = {
#define X(id, name, unit, width, decimals) name,
	COMPAT_COLUMN_LIST(X)
#undef X
};

static const struct {
	struct str unit;
	int decimals;
	uint8_t unit_width; /* in code points, with the blank before */
} columns[] = {
#define X(id, name, unit, width, decimals) { STR_INIT(unit), decimals, width },
	COMPAT_COLUMN_LIST(X)
#undef X
};

const char *const compat_bound_names[] = { "", "DRAM", "FLOP", "BOTH", "SLOW", "HOST" };

static const double gap_high_us = 6.5;
enum { DEVICE_WIDTH = 7, GAP_OF_COLUMNS = 2, CORES_FEW = 10, CORES_FULL = 64 };

static bool is_shown(const struct compat_run *r, int col)
{
	return col == COL_SUB_DEVICE ? r->shows_sub_devices
	       : col == COL_BUDGET   ? r->shows_budgets
				     : true;
}

static struct str sub_device(const struct compat_run *r, const struct op *op)
{
	return op->sub_device ? r->sub_devices.at[op->sub_device - 1].text : STR("");
}

/* ---- numbers of an op ---- */

struct numbers {
	double value[SHEET_COLUMNS];
	unsigned has; /* mask of 1 << column; a NaN is not shown either */
};

static inline void put(struct numbers *n, enum sheet_column col, bool has, double v)
{
	n->value[col] = v;
	if (has && !isnan(v))
		n->has |= 1u << col;
}

static void numbers_of(const struct compat_run *r, const struct op *op, struct numbers *n)
{
	double pct = 0;
	bool has_pct = compat_total_pct(r, op, &pct);

	n->has = 0;
	put(n, COL_TOTAL, has_pct, pct);
	put(n, COL_DEVICE, op->has & OP_DEVICE, (double)op->device);
	put(n, COL_TIME, op->has & OP_TIME, op->time_us);
	put(n, COL_GAP, op->has & OP_GAP, op->gap_us);
	put(n, COL_CORES, op->has & OP_CORES, op->cores);
	put(n, COL_BUDGET, op->budget, op->budget);
	put(n, COL_DRAM, op->has & OP_DRAM, op->dram_gbps);
	put(n, COL_DRAM_PCT, op->has & OP_DRAM, op->dram_pct);
	put(n, COL_FLOPS, op->has & OP_FLOPS, op->tflops);
	put(n, COL_FLOPS_PCT, op->has & OP_FLOPS_PCT, op->flops_pct);
}

/* ---- widths ---- */

static void widen(size_t *width, size_t to)
{
	if (*width < to)
		*width = to;
}

static size_t number_width(double v, int decimals)
{
	SCOPED(buf) struct buf b = { 0 };
	size_t len;

	number_fixed(&b, v, decimals, ',');
	len = b.len;
	return len;
}

/* The smallest and the largest number of a column have its widest text; infinities are distinguished. */
struct range {
	double min, max;
	bool any, infinite;
};

static void range_add(struct range *g, double v)
{
	if (isinf(v)) {
		g->infinite = true;
		return;
	}
	if (v == 0 && signbit(v))
		v = -DBL_MIN; /* shown with its sign */
	if (!g->any || v < g->min)
		g->min = v;
	if (!g->any || v > g->max)
		g->max = v;
	g->any = true;
}

void sheet_measure(struct sheet *t, struct compat_run *r)
{
	struct range range[SHEET_COLUMNS] = { 0 };
	size_t last_id = 0;

	*t = (struct sheet){ .r = r };
	for (int c = 0; c < SHEET_COLUMNS; c++)
		t->width[c] = strlen(sheet_names[c]);
	vec_each (op, &r->ops) {
		struct numbers n;

		numbers_of(r, op, &n);
		for (int c = COL_TOTAL; c < COL_FIDELITY; c++)
			if (n.has & 1u << c)
				range_add(&range[c], n.value[c]);
		widen(&t->width[COL_CODE], op_name(r, op)->width);
		if (op->sub_device)
			widen(&t->width[COL_SUB_DEVICE], py_len(sub_device(r, op)));
		widen(&t->width[COL_FIDELITY], text_at(&r->texts, op->fidelity)->width);
		if (last_id < op->row)
			last_id = op->row;
	}
	widen(&t->width[COL_ID], number_width((double)(last_id + ID_OF_ROW_0), 0));
	for (int c = 0; c < SHEET_COLUMNS; c++) {
		if (range[c].any) {
			widen(&t->width[c], number_width(range[c].min, columns[c].decimals) +
						    columns[c].unit_width);
			widen(&t->width[c], number_width(range[c].max, columns[c].decimals) +
						    columns[c].unit_width);
		}
		if (range[c].infinite)
			widen(&t->width[c], strlen("-inf") + columns[c].unit_width);
	}
	widen(&t->width[COL_DEVICE], DEVICE_WIDTH);
}

/* ---- colours ---- */

static void colour_bound(const struct op *op, enum colour *c)
{
	switch ((enum bound)op->bound) {
	case BOUND_DRAM:
		c[COL_BOUND] = c[COL_DRAM] = c[COL_DRAM_PCT] = COLOUR_GREEN;
		break;
	case BOUND_FLOP:
		c[COL_BOUND] = c[COL_FLOPS] = c[COL_FLOPS_PCT] = COLOUR_GREEN;
		break;
	case BOUND_HOST:
		c[COL_BOUND] = COLOUR_RED;
		break;
	case BOUND_SLOW:
		c[COL_BOUND] = COLOUR_YELLOW;
		if (op->dram_pct > op->flops_pct)
			c[COL_DRAM] = c[COL_DRAM_PCT] = COLOUR_YELLOW;
		else
			c[COL_FLOPS] = c[COL_FLOPS_PCT] = COLOUR_YELLOW;
		break;
	case BOUND_BOTH:
	case BOUND_BLANK:
		break;
	}
}

/* Few of the cores that it could have had, or all of them. */
static enum colour colour_of_cores(const struct compat_run *r, const struct op *op)
{
	double most = r->v->own_budget ? op->budget : CORES_FULL;

	if (!(op->has & OP_CORES))
		return COLOUR_GREY;
	if (r->v->own_budget && op->has & OP_SHARDED)
		return COLOUR_GREEN;
	if (op->cores < CORES_FEW && (!r->v->own_budget || most == 0 || op->cores < most / 2))
		return COLOUR_RED;
	return op->cores == most ? COLOUR_GREEN : COLOUR_NONE;
}

static void find_colours(const struct compat_run *r, const struct op *op, enum colour *c)
{
	static const enum colour of_verdict[] = {
		[VERDICT_NONE] = COLOUR_WHITE,    [VERDICT_SUFFICIENT] = COLOUR_GREEN,
		[VERDICT_TOO_HIGH] = COLOUR_RED,  [VERDICT_TOO_LOW] = COLOUR_CYAN,
		[VERDICT_UNKNOWN] = COLOUR_WHITE, [VERDICT_NOT_APPLICABLE] = COLOUR_WHITE,
	};
	const struct text *name = op_name(r, op);
	bool muted = r->colour && compat_is_muted(r, op);

	for (int i = 0; i < SHEET_COLUMNS; i++)
		c[i] = muted ? COLOUR_GREY : COLOUR_NONE;
	if (muted || !r->colour)
		return;
	c[COL_CODE] = (enum colour)name->colour;
	c[COL_CORES] = colour_of_cores(r, op);
	colour_bound(op, c);
	if (op->has & OP_GAP && op->gap_us > gap_high_us)
		c[COL_GAP] = COLOUR_RED;
	if (name->flags & (TEXT_MATMUL | TEXT_CONV_NEW))
		c[COL_FIDELITY] = of_verdict[compat_fidelity_verdict(r, op->row, NULL)];
}

/* ---- cells ---- */

static void pad(struct buf *b, size_t width, size_t used)
{
	if (used < width)
		buf_fill(b, ' ', width - used);
}

static void number_cell(const struct sheet *t, struct buf *b, enum sheet_column col, double v,
			enum colour c)
{
	const struct compat_run *r = t->r;
	size_t start = b->len, len;
	char text[512];

	number_fixed(b, v, columns[col].decimals, ',');
	len = b->len - start;
	memcpy(text, b->at + start, len);
	b->len = start;
	pad(b, t->width[col], len + columns[col].unit_width);
	compat_colour(r, b, c, str_n(text, len));
	if (columns[col].unit_width) {
		buf_char(b, ' ');
		compat_colour(r, b, c, columns[col].unit);
	}
}

static void add_text(const struct compat_run *r, struct buf *b, const struct text *x, enum colour c)
{
	compat_colour(r, b, c, x->name);
	if (x->flags & TEXT_SPLIT) {
		buf_char(b, ' ');
		compat_colour(r, b, c, x->rest);
	}
}

/* Code points that show: without the escapes. */
static size_t visible(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == 0x1B && i + 1 < s.len && s.at[i + 1] == '[') {
			while (i < s.len && s.at[i] != 'm')
				i++;
			continue;
		}
		n += ((unsigned char)s.at[i] & 0xC0) != 0x80;
	}
	return n;
}

/* "(signpost)" goes, a post comes; as the original does it after colouring. */
static size_t add_signpost(const struct compat_run *r, struct buf *b, const struct text *x,
			   enum colour c)
{
	const struct str mark = STR("(signpost)");
	SCOPED(buf) struct buf whole = { 0 }, left = { 0 };
	struct str rest;
	size_t start = b->len, at;

	add_text(r, &whole, x, c);
	for (rest = buf_view(&whole); (at = str_find(rest, mark)) != STR_NONE;) {
		buf_str(&left, str_head(rest, at));
		rest = str_from(rest, at + mark.len);
	}
	buf_str(&left, rest);
	buf_text(b, "\xF0\x9F\xAA\xA7 ");
	buf_str(b, py_strip(buf_view(&left)));
	return visible(str_n(b->at + start, b->len - start));
}

static void code_cell(const struct sheet *t, struct buf *b, const struct op *op, enum colour c)
{
	const struct text *x = op_name(t->r, op);
	size_t width = x->width;

	if (x->flags & TEXT_SIGNPOST_MARK)
		width = add_signpost(t->r, b, x, c);
	else
		add_text(t->r, b, x, c);
	pad(b, t->width[COL_CODE], width);
}

void sheet_row(const struct sheet *t, const struct op *op, struct buf *b)
{
	const struct compat_run *r = t->r;
	struct str bound = str_of(compat_bound_names[op->bound]);
	const struct text *fidelity = text_at(&r->texts, op->fidelity);
	enum colour colour[SHEET_COLUMNS];
	struct numbers n;
	char id[24];
	size_t at = sizeof(id);

	find_colours(r, op, colour);
	numbers_of(r, op, &n);
	for (uint64_t v = (uint64_t)op->row + ID_OF_ROW_0; v; v /= 10)
		id[--at] = (char)('0' + v % 10);
	pad(b, t->width[COL_ID], sizeof(id) - at);
	compat_colour(r, b, colour[COL_ID], str_n(id + at, sizeof(id) - at));
	for (int c = COL_TOTAL; c < COL_FIDELITY; c++) {
		if (!is_shown(r, c))
			continue;
		buf_add(b, "  ", GAP_OF_COLUMNS);
		if (c == COL_SUB_DEVICE && op->sub_device) {
			pad(b, t->width[c], py_len(sub_device(r, op)));
			compat_colour(r, b, colour[c], sub_device(r, op));
		} else if (c == COL_BOUND) {
			pad(b, t->width[c], bound.len);
			compat_colour(r, b, colour[c], bound);
		} else if (c == COL_CODE) {
			code_cell(t, b, op, colour[c]);
		} else if (n.has & 1u << c) {
			number_cell(t, b, (enum sheet_column)c, n.value[c], colour[c]);
		} else {
			buf_fill(b, ' ', t->width[c]);
		}
	}
	buf_add(b, "  ", GAP_OF_COLUMNS);
	pad(b, t->width[COL_FIDELITY], fidelity->width);
	add_text(r, b, fidelity, colour[COL_FIDELITY]);
}

/* ---- the whole ---- */

/* The number below a column, NaN when it is blank; false when the column has none. */
static bool has_total(const struct compat_run *r, int col, double *v)
{
	*v = col == COL_TOTAL   ? 100
	     : col == COL_TIME  ? r->time_sum_us
	     : col == COL_GAP   ? r->gap_sum_us
	     : !r->has_roofline ? (double)NAN
	     : col == COL_DRAM  ? r->dram_gbps
				: r->dram_pct;
	return col == COL_TOTAL || col == COL_TIME || col == COL_GAP ||
	       (r->v->whole_roofline && (col == COL_DRAM || col == COL_DRAM_PCT));
}

static void footer_row(const struct sheet *t, struct buf *b)
{
	const struct compat_run *r = t->r;
	SCOPED(buf) struct buf counts = { 0 };

	buf_printf(&counts, "%zu device ops, %zu host ops, %zu signposts", r->device_ops,
		   r->host_ops, r->signposts);
	for (int c = 0; c < SHEET_COLUMNS; c++) {
		double v;

		if (!is_shown(r, c))
			continue;
		if (c)
			buf_add(b, "  ", GAP_OF_COLUMNS);
		if (c == COL_CODE) {
			compat_colour(r, b, COLOUR_GREY, buf_view(&counts));
			pad(b, t->width[c], counts.len);
		} else if (!has_total(r, c, &v)) {
			pad(b, t->width[c], 0);
			compat_colour(r, b, COLOUR_GREY, STR(""));
		} else if (isnan(v)) {
			buf_fill(b, ' ', t->width[c]);
		} else {
			number_cell(t, b, (enum sheet_column)c, v, COLOUR_GREY);
		}
	}
	buf_char(b, '\n');
}

void sheet_print(const struct sheet *t)
{
	struct compat_run *r = t->r;
	struct buf *b = &r->line;
	size_t dashes = 0;

	buf_set_str(b, STR("\n\xF0\x9F\x9A\x80 Performance Report \xF0\x9F\x9A\x80\n"));
	buf_fill(b, '=', 24);
	buf_text(b, "\n\n");
	for (int c = 0; c < SHEET_COLUMNS; c++) {
		if (!is_shown(r, c))
			continue;
		if (c)
			buf_add(b, "  ", GAP_OF_COLUMNS);
		buf_text(b, sheet_names[c]);
		pad(b, t->width[c], strlen(sheet_names[c]));
		dashes += t->width[c] + (c ? GAP_OF_COLUMNS : 0);
	}
	buf_char(b, '\n');
	buf_fill(b, '-', dashes);
	buf_char(b, '\n');
	out_buf(r->out, b);
	vec_each (op, &r->ops) {
		sheet_row(t, op, b);
		buf_char(b, '\n');
		out_buf(r->out, b);
	}
	buf_fill(b, '-', dashes);
	buf_char(b, '\n');
	footer_row(t, b);
	out_buf(r->out, b);
}
