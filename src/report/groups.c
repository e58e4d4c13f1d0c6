// SPDX-License-Identifier: Apache-2.0
#include "report/groups.h"

#include <stdlib.h>

#include "base/csv.h"
#include "base/number.h"
#include "base/table.h"
#include "report/label.h"

static void group_name(const struct report *r, const struct call *call, enum group_by by,
		       struct buf *b)
{
	const struct kind *k = call_kind(&r->calls, call);
	double unused;

	switch (by) {
	case GROUP_SHAPE:
		label_op(b, r->table, k);
		if (k->roof.shape.tensors) {
			buf_text(b, "  ");
			label_types(b, r->table, k);
		}
		break;
	case GROUP_CATEGORY:
		report_field(r, call, FIELD_CATEGORY, b, &unused);
		break;
	case GROUP_SIGNPOST:
		if (!report_field(r, call, FIELD_SECTION, b, &unused))
			buf_text(b, "(before the first signpost)");
		break;
	case GROUP_MEMORY:
		buf_str(b, op_short_name(ops_text(r->table, OPS_OP_CODE, k->row)));
		if (k->roof.shape.tensors) {
			buf_text(b, ", in0 ");
			label_memory(b, r->table, k);
		}
		break;
	case GROUP_NONE:
	case GROUP_OP:
		buf_str(b, op_short_name(ops_text(r->table, OPS_OP_CODE, k->row)));
		break;
	}
}

static void add_time(struct group *g, double ns)
{
	if (!g->timed || ns < g->min_ns)
		g->min_ns = ns;
	if (!g->timed || ns > g->max_ns)
		g->max_ns = ns;
	g->timed++;
	g->time_ns += ns;
}

/* Time of the host counts in groups that have nothing else: it is no device time. */
static void add_call(struct group *g, const struct report *r, const struct call *call)
{
	double ideal = call_kind(&r->calls, call)->roof.ideal_ns;

	g->calls++;
	if (call->flags & CALL_HOST) {
		if (++g->host_calls == g->calls && !(call->flags & CALL_UNTIMED))
			add_time(g, call->time_ns);
		return;
	}
	if (g->calls == g->host_calls + 1) { /* the first on the device */
		g->timed = 0;
		g->time_ns = 0;
	}
	g->gap_ns += report_gap(call);
	g->build_ns += call->build_ns;
	g->share_ns += call->time_ns + report_gap(call);
	if (call->flags & CALL_UNTIMED)
		return;
	add_time(g, call->time_ns);
	g->saves_ns += call_saving(&r->calls, call);
	if (ideal > 0) {
		g->ideal_ns += ideal;
		g->figured_ns += call->time_ns;
	}
}

bool groups_can_sort(enum field f)
{
	return f == FIELD_TIME || f == FIELD_TOTAL || f == FIELD_CALLS || f == FIELD_MEAN ||
	       f == FIELD_GAP || f == FIELD_ROOF || f == FIELD_SAVE || f == FIELD_OP || f == FIELDS;
}

static double sort_value(const struct group *g, enum field f)
{
	switch (f) {
	case FIELD_TOTAL:
		return g->share_ns;
	case FIELD_CALLS:
		return g->calls;
	case FIELD_MEAN:
		return g->timed ? g->time_ns / g->timed : 0;
	case FIELD_GAP:
		return g->gap_ns;
	case FIELD_ROOF:
		return g->figured_ns > 0 ? g->ideal_ns / g->figured_ns : 0;
	case FIELD_SAVE:
		return g->saves_ns;
	case FIELD_OP:
		return 0; /* by name alone */
	default:
		return g->time_ns;
	}
}

static int in_order(const void *a, const void *b, void *options)
{
	const struct report_options *o = options;
	const struct group *x = a, *y = b;
	double vx = sort_value(x, o->sort), vy = sort_value(y, o->sort);
	int order = vx > vy ? -1 : vx < vy ? 1 : str_cmp(x->name, y->name);

	return o->ascending ? -order : order;
}

static void keep_large(struct groups *g, const struct report *r)
{
	size_t kept = 0;

	vec_each (x, &g->all)
		if (100 * x->share_ns >= r->o->min_percent * r->total_ns ||
		    x->host_calls == x->calls)
			g->all.at[kept++] = *x;
	g->all.len = kept;
}

void groups_make(struct groups *g, const struct report *r, enum group_by by)
{
	/* calls of one kind (and section) share their name: work it out once */
	uint32_t *of_kind = mem_alloc(r->calls.kinds.len, sizeof(*of_kind));
	SCOPED(buf) struct buf b = { 0 };

	*g = (struct groups){ 0 };
	memset(of_kind, 0xff, r->calls.kinds.len * sizeof(*of_kind));
	vec_each (i, &r->shown) {
		const struct call *call = &r->lines[*i];
		uint32_t n = by == GROUP_SIGNPOST ? UINT32_MAX : of_kind[call->kind];

		if (n == UINT32_MAX) {
			buf_clear(&b);
			group_name(r, call, by, &b);
			n = intern_copy(&g->names, buf_view(&b));
			of_kind[call->kind] = n;
			if (n == g->all.len)
				*vec_push(&g->all) = (struct group){ 0 };
		}
		add_call(&g->all.at[n], r, call);
	}
	for (uint32_t i = 0; i < g->all.len; i++)
		g->all.at[i].name = intern_get(&g->names, i);
	keep_large(g, r);
	if (g->all.len && (by != GROUP_SIGNPOST || r->o->top || r->o->sort != FIELD_ID)) {
		struct report_options o = *r->o;

		qsort_r(g->all.at, g->all.len, sizeof(*g->all.at), in_order, &o);
	}
	if (r->o->top && g->all.len > r->o->top)
		g->all.len = r->o->top;
	free(of_kind);
}

void groups_release(struct groups *g)
{
	intern_release(&g->names);
	vec_release(&g->all);
}

enum column { NAME, SHARE, CALLS, TIME, MEAN, MIN, MAX, GAP, BUILD, ROOF, SAVE, COLUMNS };

struct listing {
	const struct report *r;
	const struct groups *g;
	enum column which[COLUMNS]; /* those that are shown */
	size_t n;
};

static void cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct listing *l = ctx;
	const struct group *g = &l->g->all.at[row];
	double total = l->r->total_ns;

	(void)colour;
	switch (l->which[column]) {
	case NAME:
		buf_str(b, g->name);
		break;
	case SHARE:
		if (total > 0 && g->host_calls < g->calls)
			number_fixed(b, 100 * g->share_ns / total, 1, 0);
		break;
	case CALLS:
		buf_add_u64(b, g->calls);
		break;
	case TIME:
		number_fixed(b, g->time_ns / 1e3, 1, 0);
		break;
	case MEAN:
		if (g->timed)
			number_fixed(b, g->time_ns / g->timed / 1e3, 1, 0);
		break;
	case MIN:
		if (g->timed)
			number_fixed(b, g->min_ns / 1e3, 1, 0);
		break;
	case MAX:
		if (g->timed)
			number_fixed(b, g->max_ns / 1e3, 1, 0);
		break;
	case GAP:
		number_fixed(b, g->gap_ns / 1e3, 1, 0);
		break;
	case BUILD:
		if (g->build_ns > 0)
			number_fixed(b, g->build_ns / 1e3, 1, 0);
		break;
	case ROOF:
		if (g->figured_ns > 0)
			number_fixed(b, 100 * g->ideal_ns / g->figured_ns, 0, 0);
		break;
	case SAVE:
		if (g->saves_ns >= 50) /* what doesn't round to nothing */
			number_fixed(b, g->saves_ns / 1e3, 1, 0);
		break;
	case COLUMNS:
		break;
	}
}

static const struct table_column columns[COLUMNS] = {
	[NAME] = { .head = "group",
		   .min = 16,
		   .flexible = true,
		   .is_name = true,
		   .enough = TABLE_NAME },
	[SHARE] = { .head = "total", .unit = "%", .align = WIDTH_RIGHT },
	[CALLS] = { .head = "calls", .align = WIDTH_RIGHT },
	[TIME] = { .head = "device", .unit = "µs", .align = WIDTH_RIGHT },
	[MEAN] = { .head = "mean", .unit = "µs", .align = WIDTH_RIGHT, .drop = 4 },
	[MIN] = { .head = "min", .unit = "µs", .align = WIDTH_RIGHT, .drop = 1 },
	[MAX] = { .head = "max", .unit = "µs", .align = WIDTH_RIGHT, .drop = 2 },
	[GAP] = { .head = "gaps", .unit = "µs", .align = WIDTH_RIGHT, .drop = 5 },
	[BUILD] = { .head = "building", .unit = "µs", .align = WIDTH_RIGHT, .drop = 3 },
	[ROOF] = { .head = "roof", .unit = "%", .align = WIDTH_RIGHT },
	[SAVE] = { .head = "save", .unit = "µs", .align = WIDTH_RIGHT },
};

/* All, but for the one on building programs where none was built. */
static void choose_columns(struct listing *l, bool all)
{
	bool built = all;

	vec_each (g, &l->g->all)
		built |= g->build_ns > 0;
	for (int c = 0; c < COLUMNS; c++)
		if (c != BUILD || built)
			l->which[l->n++] = (enum column)c;
}

void report_groups(const struct report *r, struct out *out)
{
	struct table_column shown[COLUMNS];
	struct groups g;
	struct listing l = { .r = r, .g = &g };
	struct table t = {
		.columns = shown,
		.cell = cell,
		.ctx = &l,
		.width = (size_t)r->o->term.width,
		.colour = r->o->term.colour,
		.utf8 = r->o->term.utf8,
		.rule = true,
	};

	groups_make(&g, r, r->o->group);
	choose_columns(&l, false);
	for (size_t i = 0; i < l.n; i++) {
		shown[i] = columns[l.which[i]];
		if (l.which[i] == BUILD && r->o->group == GROUP_SIGNPOST)
			shown[i].drop = 6; /* which part was the warm-up */
	}
	t.n = l.n;
	t.rows = g.all.len;
	table_print(&t, out);
	table_release(&t);
	groups_release(&g);
}

void report_groups_csv(const struct report *r, struct out *out)
{
	struct groups g;
	struct listing l = { .r = r, .g = &g };
	SCOPED(buf) struct buf b = { 0 }, text = { 0 };
	struct csv_writer w = { .out = &b, .eol = "\n" };
	enum colour unused;

	groups_make(&g, r, r->o->group);
	choose_columns(&l, true);
	for (size_t c = 0; c < l.n; c++) {
		const struct table_column *column = &columns[l.which[c]];

		buf_clear(&text);
		buf_text(&text, column->head);
		if (column->unit)
			buf_printf(&text, " [%s]",
				   strcmp(column->unit, "µs") ? column->unit : "us");
		csv_field(&w, buf_view(&text));
	}
	csv_end_row(&w);
	for (size_t row = 0; row < g.all.len && out_ok(out); row++) {
		for (size_t c = 0; c < l.n; c++) {
			buf_clear(&text);
			cell(&l, row, c, &text, &unused);
			csv_field(&w, buf_view(&text));
		}
		csv_end_row(&w);
		out_buf(out, &b);
	}
	out_buf(out, &b);
	groups_release(&g);
}
