// SPDX-License-Identifier: Apache-2.0
/*
 * The ops report on the page: all columns of the file, what `ttprof report` says of each op, and where ops stand in time.
 */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "ops/table/ops_arrays.h"
#include "ops/table/ops_table.h"
#include "report/label.h"
#include "report/report.h"
#include "report/time_parts.h"
#include "web/build.h"
#include "wire/tt_message.h"

/* ---- columns of the file ---- */

static uint32_t intern_text(void *ctx, struct str text)
{
	return page_text(ctx, text);
}

static void add_columns(struct page *p, const struct ops_table *t)
{
	struct ops_arrays columns;

	ops_arrays_make(&columns, t, intern_text, p);
	vec_each (c, &columns.all)
		page_field_take(p, c->name, c->unit, FROM_CSV, c->number, c->text);
	vec_release(&columns.all); /* the arrays are the page's now */
}

/* ---- what the report says ---- */

static void report_part(const struct ops_table *t, const struct report *r, enum field f,
			const uint8_t *reported, struct page *p, struct page_field *to)
{
	SCOPED(buf) struct buf b = { 0 };

	(void)t;
	vec_each (i, &r->shown) {
		const struct call *call = &r->lines[*i];
		double v = 0;

		if (reported &&
		    (reported[call->row] || f == FIELD_ID || f == FIELD_LIKE || f == FIELD_TOTAL))
			continue;
		/* the report has one column for both; here the host's time has its own, and the device had none */
		if (call->flags & CALL_HOST && (f == FIELD_TIME || f == FIELD_MEAN))
			continue;
		buf_clear(&b);
		if (!report_field(r, call, f, &b, &v))
			continue;
		if (to->text)
			to->text[call->row] = page_text(p, buf_view(&b));
		else
			to->number[call->row] = v;
	}
}

/* Gaps before ops: which of them are alike, and what the trace says of each. */
static void add_gaps(struct page *p, const struct page_sources *s, const struct ops_table *t,
		     const struct calls *c)
{
	struct page_field *line, *zone, *took, *host;
	bool known = s->host && s->host->known;
	SCOPED(buf) struct buf label = { 0 };
	size_t at = p->fields.len;

	(void)page_field(p, STR("gap_line"), "", FROM_PAGE,
			 "like gaps have the same, as in `ttprof top`", false);
	if (known) {
		(void)page_field(p, STR("gap_zone"), "", FROM_PAGE,
				 "the host's zone that covers the gap before it", false);
		(void)page_field(p, STR("gap_zone_ns"), "ns", FROM_PAGE,
				 "what that zone took of gap_host_ns", true);
		(void)page_field(p, STR("gap_host_ns"), "ns", FROM_PAGE,
				 "the host's time from the op before to this one", true);
	}
	line = &p->fields.at[at];
	zone = &p->fields.at[at + 1];
	took = &p->fields.at[at + 2];
	host = &p->fields.at[at + 3];
	vec_each (call, &c->all) {
		const struct host_gap *gap = call_host_gap(c, call);

		if (call->gap_ns <= 0 || (call->flags & CALL_MARKER && call_own_gap(call) <= 0))
			continue;
		buf_clear(&label);
		label_gap(&label, t, c, call);
		line->text[call->row] = page_text(p, buf_view(&label));
		if (!known || !gap)
			continue;
		if (gap->zone != HOST_GAP_NONE)
			zone->text[call->row] = page_text(p, host_gap_zone(s->host, gap));
		took->number[call->row] = gap->zone_ns;
		host->number[call->row] = gap->to_ns - gap->from_ns;
	}
}

/* Why the device waited before an op; the words are those of the page's legend. */
static const char *gap_cause(const struct calls *c, const struct call *call)
{
	double own = call->gap_ns - call->build_ns - call->profiler_ns;
	const struct host_gap *gap = call_host_gap(c, call);
	struct str zone;

	if (call->build_ns > 0 && call->build_ns >= call->profiler_ns && call->build_ns >= own)
		return "build";
	if (call->profiler_ns > 0 && call->profiler_ns >= own)
		return "profiler";
	if (call->flags & CALL_PAUSE)
		return "pause";
	zone = gap && c->host->known ? host_gap_own_zone(c->host, gap) : STR("");
	if (!zone.len)
		return "";
	return str_eq(zone, HOST_GAP_OWN_CALL) || str_starts(zone, STR(TT_DEVICE_OP)) ? "launch"
										      : "host";
}

static void add_causes(struct page *p, const struct ops_table *t, const struct calls *c)
{
	struct page_field *f =
		page_field(p, STR("gap_cause"), "", FROM_PAGE,
			   "why the device waited: build, profiler, host, launch, pause", false);

	vec_each (call, &c->all)
		if (call->gap_ns > 0)
			f->text[call->row] = page_text_of(p, gap_cause(c, call));
	if (!c->call_of_row)
		return;
	for (size_t row = 0; row < t->rows; row++)
		if (c->call_of_row[row] != UINT32_MAX && !f->text[row])
			f->text[row] = f->text[c->all.at[c->call_of_row[row]].row];
}

/* ---- parts: what follows each signpost, as `ttprof report --start-signpost A --end-signpost B` has it ---- */

enum {
	PARTS_MAX = 100,
	PARTS_WORK = 4000000
}; /* rows that are looked at for them at most, so that pages stay quick */

typedef VEC(uint32_t) row_numbers;

/* A name that comes again means the first one for the report: the others can't be asked for. */
static bool can_be_asked(const struct ops_table *t, const row_numbers *posts, size_t which)
{
	struct str name = ops_text(t, OPS_OP_CODE, posts->at[which]);

	for (size_t i = 0; i < which; i++)
		if (str_eq(ops_text(t, OPS_OP_CODE, posts->at[i]), name))
			return false;
	return name.len > 0;
}

/* `usual`: what the report shows without being asked. */
static void write_part(const struct ops_table *t, const struct host_gaps *host,
		       const row_numbers *posts, size_t i, bool usual, struct json_writer *w)
{
	SCOPED(buf) struct buf start = { 0 }, end = { 0 }, head = { 0 };
	struct report_options o = { .calls = { .host = host }, .each = true, .sort = FIELD_ID };
	struct report r;

	buf_str(&start, ops_text(t, OPS_OP_CODE, posts->at[i]));
	buf_char(&start, 0);
	o.calls.start_signpost = usual ? NULL : start.at;
	if (i + 1 < posts->len && !usual) {
		buf_str(&end, ops_text(t, OPS_OP_CODE, posts->at[i + 1]));
		buf_char(&end, 0);
		o.calls.end_signpost = end.at;
	}
	report_make(&r, t, &o);
	/* by itself the report takes the whole file where this part is next to nothing */
	if (usual && r.calls.small_last) {
		report_release(&r);
		o.calls.start_signpost = start.at;
		report_make(&r, t, &o);
	}
	report_json_head(&r, &head);
	json_open_object(w);
	json_put_whole(w, "row", (int64_t)posts->at[i] + 1);
	json_put_raw(w, "report", str_trim(buf_view(&head)));
	json_close_object(w);
	report_release(&r);
}

static void add_parts(struct page *p, const struct page_sources *s, const struct ops_table *t)
{
	struct json_writer w = { .to = &p->parts };
	row_numbers posts = { 0 };
	size_t left = PARTS_MAX;
	bool usual = true;

	for (uint32_t row = 0; row < t->rows; row++)
		if (str_has(ops_text(t, OPS_OP_TYPE, row), STR("signpost")))
			*vec_push(&posts) = row;
	if (left > PARTS_WORK / (t->rows + 1) + 1)
		left = PARTS_WORK / (t->rows + 1) + 1;
	json_open_array(&w);
	/* the last first: that is what the report shows by itself */
	for (size_t i = posts.len; i-- > 0 && left;) {
		uint32_t next = i + 1 < posts.len ? posts.at[i + 1] : (uint32_t)t->rows;

		if (next == posts.at[i] + 1)
			continue;
		if (usual || can_be_asked(t, &posts, i))
			write_part(t, s->host, &posts, i, usual, &w);
		usual = false;
		left--;
	}
	json_close_array(&w);
	vec_release(&posts);
}

/* Is the row one of the part's ops?  Of several devices an op has a row of each. */
static bool row_is_in(const struct calls *part, const uint8_t *first_rows, size_t row)
{
	return part->call_of_row ? part->call_of_row[row] != UINT32_MAX : first_rows[row];
}

/* What `ttprof report` shows by itself, where that is a part of the run: its report, and which rows it has. */
static void add_usual(struct page *p, const struct page_sources *s, const struct ops_table *t,
		      const struct report *whole)
{
	struct report_options o = { .calls = { .host = s->host }, .each = true, .sort = FIELD_ID };
	SCOPED(mem) uint8_t *first_rows = mem_zero(t->rows + 1, 1);
	struct json_writer w = { .to = &p->steps };
	SCOPED(buf) struct buf head = { 0 };
	struct page_field *field;
	struct report r;

	report_make(&r, t, &o);
	json_open_object(&w);
	time_steps_json(&whole->calls, &r.calls, &w);
	json_close_object(&w);
	if (r.calls.all.len && r.calls.all.len < whole->calls.all.len) {
		vec_each (call, &r.calls.all)
			first_rows[call->row] = 1;
		field = page_field(p, STR("usual"), "", FROM_PAGE,
				   "1: of the part that `ttprof report` shows by itself", true);
		for (size_t row = 0; row < t->rows; row++)
			field->number[row] = row_is_in(&r.calls, first_rows, row);
		report_json_head(&r, &p->usual);
	}
	report_release(&r);
}

void page_add_report(struct page *p, const struct page_sources *s, const struct ops_table *t)
{
	struct report_options o = { .calls = { .whole_file = true, .host = s->host },
				    .each = true,
				    .sort = FIELD_ID };
	struct report_options all = {
		.calls = { .whole_file = true, .keep_devices_apart = true, .host = s->host },
		.each = true,
		.sort = FIELD_ID
	};
	SCOPED(mem) uint8_t *reported = mem_zero(t->rows + 1, 1);
	struct report r, rest;
	SCOPED(buf) struct buf key = { 0 };

	report_make(&r, t, &o);
	report_make(&rest, t, &all);
	report_json_head(&r, &p->report);
	add_parts(p, s, t);
	add_usual(p, s, t, &r);
	add_gaps(p, s, t, &r.calls);
	add_causes(p, t, &r.calls);
	vec_each (i, &r.shown)
		reported[r.lines[*i].row] = 1;
	for (int f = 0; f < FIELDS; f++) {
		const struct field_info *info = &field_info[f];
		struct page_field *to;

		buf_clear(&key);
		report_json_key((enum field)f, &key);
		to = page_field(p, buf_view(&key), info->unit, FROM_REPORT, info->says,
				info->decimals != FIELD_TEXT);
		report_part(t, &r, (enum field)f, NULL, p, to);
		report_part(t, &rest, (enum field)f, reported, p, to);
	}
	if (r.calls.arch.len)
		for (size_t row = 0; row < t->rows; row++) {
			int64_t device;

			if (ops_i64(t, OPS_DEVICE_ID, row, &device) && device >= 0 &&
			    device < 1 << 16) {
				struct page_device *d = page_device(p, (uint32_t)device);

				if (!d->arch.len)
					d->arch =
						intern_get(&p->strings, page_text(p, r.calls.arch));
			}
		}
	RELEASE(report, &r, &rest);
}

/* ---- the parts that are placed later ---- */

static void remember(struct page *p, struct page_sources *s, const struct ops_table *t)
{
	struct page_field *row_field, *start, *end;

	p->has_ops = true;
	for (size_t row = 0; row < t->rows; row++) {
		struct page_op op = { .device = -1,
				      .host_start_ns = (double)NAN,
				      .host_end_ns = (double)NAN };
		struct launch_key key;
		int64_t v;

		if (ops_i64(t, OPS_DEVICE_ID, row, &v) && v >= 0 && v < 1 << 16)
			op.device = (int32_t)v;
		(void)ops_real(t, OPS_HOST_START, row, &op.host_start_ns);
		(void)ops_real(t, OPS_HOST_END, row, &op.host_end_ns);
		op.has_cycles = ops_i64(t, OPS_FW_START, row, &op.start_cycles) &&
				ops_i64(t, OPS_FW_END, row, &op.end_cycles) &&
				op.end_cycles >= op.start_cycles && op.start_cycles >= 0;
		(void)ops_real(t, OPS_FW_DURATION, row, &op.fw_ns);
		op.name = page_text(p, ops_text(t, OPS_OP_CODE, row));
		op.signpost = str_eq(ops_text(t, OPS_OP_TYPE, row), STR("signpost"));
		if (ops_row_launch(t, row, &key)) {
			op.run_id = key.run_id;
			launch_rows_add(&s->ops, &key, (uint32_t)row);
		}
		*vec_push(&s->rows) = op;
	}
	row_field = page_field(p, STR("row"), "", FROM_PAGE, "number of the row in the file", true);
	for (size_t row = 0; row < t->rows; row++)
		row_field->number[row] = (double)ops_row_number(t, row);
	start = page_field(p, STR("start_ns"), "ns", FROM_PAGE, "start on the page's axis", true);
	(void)start;
	end = page_field(p, STR("end_ns"), "ns", FROM_PAGE, "end on the page's axis", true);
	(void)end;
}

void page_add_ops(struct page *p, struct page_sources *s, const struct ops_table *t)
{
	p->ops_n = t->rows;
	add_columns(p, t);
	remember(p, s, t);
}
