// SPDX-License-Identifier: Apache-2.0
/* Which calls are shown, in which order, and what each field of them says. */
#include "report/report.h"

#include <stdlib.h>

#include "base/number.h"
#include "report/align.h"
#include "report/label.h"

enum { TEXT = FIELD_TEXT, WHOLE = FIELD_WHOLE };

const struct field_info field_info[FIELDS] = {
#define FIELD(id, key, head, unit, decimals, drop, says) { key, head, unit, decimals, drop, says },
#include "report/fields.def"
#undef FIELD
};

enum field field_find(struct str key)
{
	for (int i = 0; i < FIELDS; i++)
		if (str_eq(key, str_of(field_info[i].key)))
			return (enum field)i;
	return FIELDS;
}

/* ---- fields ---- */

double report_gap(const struct call *call)
{
	return call_own_gap(call);
}

double report_share(const struct report *r, const struct call *call)
{
	if (call->flags & (CALL_HOST | CALL_MARKER) || r->total_ns <= 0)
		return 0;
	return 100 * (call->time_ns + report_gap(call)) * call->count / r->total_ns;
}

static bool from_source(const struct report *r, const struct call *call, enum ops_col col,
			double *number)
{
	SCOPED(buf) struct buf scratch = { 0 };
	bool ok = number_double(
		ops_source_text(r->table, call->row, ops_col_info[col].name, &scratch), number);

	return ok;
}

static bool number_field(const struct report *r, const struct call *call, enum field f, double *v)
{
	const struct roofline *roof = &call_kind(&r->calls, call)->roof;
	bool timed = !(call->flags & CALL_UNTIMED) && call->time_ns > 0;
	bool on_device = timed && !(call->flags & CALL_HOST);

	switch (f) {
	case FIELD_ID:
		*v = call->id;
		return true;
	case FIELD_DEVICE:
		if (call->devices > 1)
			return false; /* it ran on several */
		return ops_real(r->table, OPS_DEVICE_ID, call->row, v);
	case FIELD_TOTAL:
		*v = report_share(r, call);
		return !(call->flags & (CALL_HOST | CALL_MARKER)) && r->total_ns > 0;
	case FIELD_ROOF:
		*v = call_roof_percent(&r->calls, call);
		return *v > 0;
	case FIELD_CALLS:
		*v = call->count;
		return true;
	case FIELD_MEAN:
		*v = call->time_ns / 1e3;
		return !(call->flags & CALL_UNTIMED);
	case FIELD_TIME:
		*v = call->time_ns * call->count / 1e3;
		return !(call->flags & CALL_UNTIMED);
	case FIELD_COMPENSATED:
		*v = (call->time_ns - (double)call->zones_ns) * call->count / 1e3;
		return r->table->column[OPS_COMPENSATED].kind && on_device;
	case FIELD_GAP:
		*v = call->gap_ns * call->count / 1e3;
		return call->gap_ns < 0 || call->gap_ns > 0;
	case FIELD_CORES:
		*v = roof->cores;
		return roof->cores > 0;
	case FIELD_DRAM:
		*v = on_device ? roof->shape.dram_bytes / call->time_ns : 0;
		return *v > 0;
	case FIELD_DRAM_PERCENT:
		*v = call_percent_of(&r->calls, call, ROOF_DRAM);
		return *v > 0;
	case FIELD_FLOPS:
		*v = on_device ? roof->shape.flop / call->time_ns / 1e3 : 0;
		return *v > 0;
	case FIELD_FLOP_PERCENT:
		*v = call_percent_of(&r->calls, call, ROOF_FLOP);
		return *v > 0;
	case FIELD_L1:
		*v = call_percent_of(&r->calls, call, ROOF_L1);
		return *v > 0;
	case FIELD_ETH:
		*v = call_percent_of(&r->calls, call, ROOF_ETH);
		return *v > 0;
	case FIELD_BYTES:
		*v = (roof->shape.in_bytes + roof->shape.out_bytes) / 1e6;
		return *v > 0;
	case FIELD_WORK:
		*v = roof->shape.flop / 1e9;
		return *v > 0;
	case FIELD_IDEAL:
		*v = roof->ideal_ns / 1e3;
		return *v > 0;
	case FIELD_SAVE:
		*v = call_saving(&r->calls, call) * call->count / 1e3;
		return *v > 0;
	case FIELD_SKEW:
		*v = (double)call->skew_ns / 1e3;
		return call->devices > 1 && timed;
	case FIELD_WAIT:
		*v = (double)call->wait_ns / 1e3;
		return call->devices > 1 && roof->work.family == FAMILY_COLLECTIVE;
	case FIELD_DEVICES:
		*v = call->devices;
		return !(call->flags & CALL_HOST);
	case FIELD_LIKE:
		*v = call_like_id(&r->calls, call);
		return true;
	case FIELD_CALL_COUNT:
		return ops_real(r->table, OPS_GLOBAL_CALL_COUNT, call->row, v);
	case FIELD_PM_IDEAL:
		if (!from_source(r, call, OPS_PM_IDEAL, v))
			return false;
		*v /= 1e3;
		return true;
	case FIELD_PM_FPU:
		return from_source(r, call, OPS_PM_FPU_UTIL, v);
	default:
		return false;
	}
}

static void text_field(const struct report *r, const struct call *call, enum field f, struct buf *b)
{
	const struct kind *k = call_kind(&r->calls, call);

	switch (f) {
	case FIELD_OP:
		label_call(b, r->table, &r->calls, call);
		break;
	case FIELD_BOUND:
		buf_text(b, call_bound(&r->calls, call));
		break;
	case FIELD_TYPES:
		label_types(b, r->table, k);
		break;
	case FIELD_FAMILY:
		buf_text(b, family_name(k->roof.work.family));
		break;
	case FIELD_CATEGORY:
		buf_text(b, category_name(call->flags & CALL_HOST
						  ? CATEGORY_HOST
						  : family_category(k->roof.work.family)));
		break;
	case FIELD_MEMORY:
		label_memory(b, r->table, k);
		break;
	case FIELD_SECTION:
		buf_str(b, r->calls.sections.at[call->section].name);
		break;
	case FIELD_CODE:
		buf_str(b, ops_text(r->table, OPS_OP_CODE, call->row));
		break;
	case FIELD_ADVICE:
		advise_op(b, &r->calls, call, "; ");
		break;
	default:
		break;
	}
}

bool report_field(const struct report *r, const struct call *call, enum field f, struct buf *text,
		  double *number)
{
	size_t before = text->len;

	if (field_info[f].decimals != FIELD_TEXT)
		return number_field(r, call, f, number);
	text_field(r, call, f, text);
	return text->len > before;
}

/* ---- which calls, in which order ---- */

static bool is_chosen(const struct report *r, const struct call *call, struct buf *scratch)
{
	const struct report_options *o = r->o;

	if ((o->id_from && call->id < o->id_from) || (o->id_to && call->id > o->id_to))
		return false;
	if (o->no_host_ops && call->flags & CALL_HOST)
		return false;
	/* tables are of the model; who asks for each op gets them, to see where steps end */
	if (call->flags & CALL_MARKER && (!o->each || o->no_markers || o->group != GROUP_NONE))
		return false;
	if (!o->filter)
		return true;
	buf_clear(scratch);
	label_call(scratch, r->table, &r->calls, call);
	if (!regexec(o->filter, scratch->at, 0, NULL, 0))
		return true;
	buf_clear(scratch);
	buf_text(scratch, "");
	buf_str(scratch, ops_text(r->table, OPS_OP_CODE, call->row));
	return !regexec(o->filter, scratch->at, 0, NULL, 0);
}

struct sort_item {
	uint32_t call, id;
	double number; /* the smaller comes first */
	const char *text;
	int turn; /* of texts: -1 for the other way round */
	bool missing;
};

/* What has nothing to say comes last whichever way; equals keep the order of the run. */
static int by_value(const void *a, const void *b)
{
	const struct sort_item *x = a, *y = b;
	int c = x->text && !x->missing && !y->missing ? strcmp(x->text, y->text) : 0;

	if (x->missing != y->missing)
		return x->missing ? 1 : -1;
	if (c)
		return (c < 0) == (x->turn > 0) ? -1 : 1;
	if (x->number < y->number || x->number > y->number)
		return x->number < y->number ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static void sort_shown(struct report *r)
{
	enum field f = r->o->sort == FIELDS ? FIELD_TIME : r->o->sort;
	bool words = field_info[f].decimals == FIELD_TEXT;
	bool up = f == FIELD_ID || f == FIELD_DEVICE; /* numbers that name rather than measure */
	size_t n = r->shown.len;
	struct sort_item *items;
	struct arena texts = { 0 };
	SCOPED(buf) struct buf b = { 0 };

	if (f == FIELD_ID && !r->o->ascending && r->o->each) /* the order of the run */
		return;
	items = mem_alloc(n, sizeof(*items));
	for (size_t i = 0; i < n; i++) {
		const struct call *call = &r->lines[r->shown.at[i]];
		double v = 0;

		buf_clear(&b);
		items[i] = (struct sort_item){ .call = r->shown.at[i], .id = call->id };
		items[i].missing = !report_field(r, call, f, &b, &v);
		items[i].number = up != r->o->ascending ? v : -v;
		items[i].turn = r->o->ascending ? -1 : 1;
		if (words)
			items[i].text = arena_dup(&texts, b.at ? b.at : "", b.len);
	}
	qsort(items, n, sizeof(*items), by_value);
	for (size_t i = 0; i < n; i++)
		r->shown.at[i] = items[i].call;
	arena_release(&texts);
	free(items);
}

/*
 * Like calls become one line: the slowest one's, with the mean of their times and gaps.  Those without a
 * time have a line of their own, or the mean would be wrong.
 */
static void fold(struct report *r, const uint32_t *chosen, size_t n)
{
	uint32_t *line_of = mem_alloc(2 * r->calls.alikes + 1, sizeof(*line_of));
	SCOPED(vec) VEC(double) slowest = { 0 };

	memset(line_of, 0xff, 2 * r->calls.alikes * sizeof(*line_of));
	for (size_t i = 0; i < n; i++) {
		struct call call = r->calls.all.at[chosen[i]];
		uint32_t *at = &line_of[call_like(&r->calls, &call)];
		struct call *line;

		call.gap_ns = report_gap(&call);
		call.flags &= (uint16_t) ~(CALL_CACHE_MISS | CALL_BUILT | CALL_PAUSE);
		call.build_ns = call.profiler_ns = 0;
		if (*at == UINT32_MAX) {
			*at = (uint32_t)r->folded.len;
			*vec_push(&r->folded) = call;
			*vec_push(&slowest) = call.time_ns;
			continue;
		}
		line = &r->folded.at[*at];
		/* sums for now */
		line->count++;
		line->flags |= call.flags;
		line->gap_ns += call.gap_ns;
		line->time_ns += call.time_ns;
		line->skew_ns += call.skew_ns;
		line->wait_ns += call.wait_ns;
		line->zones_ns += call.zones_ns;
		if (call.time_ns > slowest.at[*at]) {
			slowest.at[*at] = call.time_ns;
			line->id = call.id;
			line->row = call.row;
			line->kind = call.kind;
			line->section = call.section;
		}
	}
	vec_each (line, &r->folded) {
		line->time_ns /= line->count;
		line->gap_ns /= line->count;
		line->skew_ns /= (float)line->count;
		line->wait_ns /= (float)line->count;
		line->zones_ns /= (float)line->count;
	}
	free(line_of);
}

static void choose_calls(struct report *r)
{
	SCOPED(buf) struct buf scratch = { 0 };

	for (uint32_t i = 0; i < r->calls.all.len; i++) {
		const struct call *call = &r->calls.all.at[i];

		if (!is_chosen(r, call, &scratch))
			continue;
		*vec_push(&r->shown) = i;
		if (!(call->flags & (CALL_HOST | CALL_MARKER))) {
			r->chosen_ns += call->time_ns;
			r->chosen_gap_ns += report_gap(call);
		}
	}
	r->chosen = r->shown.len;
	r->lines = r->calls.all.at;
	if (!r->o->each && r->o->group == GROUP_NONE) {
		fold(r, r->shown.at, r->shown.len);
		r->lines = r->folded.at;
		r->shown.len = r->folded.len;
		for (uint32_t i = 0; i < r->folded.len; i++)
			r->shown.at[i] = i;
	}
	r->chosen_lines = r->shown.len;
}

static void hide_small(struct report *r)
{
	size_t kept = 0;

	vec_each (n, &r->shown) {
		const struct call *line = &r->lines[*n];

		if (report_share(r, line) >= r->o->min_percent || line->flags & CALL_HOST)
			r->shown.at[kept++] = *n;
	}
	r->hidden_small = r->shown.len - kept;
	r->shown.len = kept;
}

void report_make(struct report *r, const struct ops_table *t, const struct report_options *o)
{
	*r = (struct report){ .o = o, .table = t };
	calls_make(&r->calls, t, &o->calls);
	findings_make(&r->findings, &r->calls);
	vec_each (call, &r->calls.all)
		if (!(call->flags & (CALL_HOST | CALL_MARKER)))
			r->total_ns += call->time_ns + report_gap(call);
	choose_calls(r);
	if (o->min_percent > 0 && o->group == GROUP_NONE) /* else groups are hidden, not calls */
		hide_small(r);
	sort_shown(r);
	if (o->top && r->shown.len > o->top && o->group == GROUP_NONE)
		r->shown.len = o->top;
	vec_each (n, &r->shown)
		if (!(r->lines[*n].flags & (CALL_HOST | CALL_MARKER)))
			r->shown_ns += r->lines[*n].time_ns * r->lines[*n].count;
}

void report_release(struct report *r)
{
	calls_release(&r->calls);
	findings_release(&r->findings);
	vec_release(&r->shown);
	vec_release(&r->folded);
}
