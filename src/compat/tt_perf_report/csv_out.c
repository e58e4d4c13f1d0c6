// SPDX-License-Identifier: Apache-2.0
/* --csv: the ops with all digits. */
#include "base/csv.h"
#include "base/number.h"
#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/stacked.h"

static const char *const more_names[] = {
	"Output Datatype",   "Input 0 Datatype",  "Input 1 Datatype",
	"DRAM Sharded",      "Input 0 Memory",    "Inner Dim Block Size",
	"Output Subblock H", "Output Subblock W", "Global Call Count",
};

/* Since 1.3, in this order behind those. */
static const char *const tag_names[] = { "Sub Device ID", "Available Cores", "Op Category",
					 "Bound Analysis" };
static const char *const model_names[] = { "none", "flops_only", "full" };

static void text(struct csv_writer *w, const struct compat_run *r, struct str s)
{
	SCOPED(buf) struct buf marked = { 0 };

	if (r->v->marks_formulas)
		compat_mark_formula(&marked, s);
	csv_field(w, r->v->marks_formulas ? buf_view(&marked) : s);
}

static void real(struct csv_writer *w, bool has, double v)
{
	csv_plain(w);
	if (has)
		number_shortest(w->out, v);
}

static void whole(struct csv_writer *w, bool has, int64_t v)
{
	csv_plain(w);
	if (has)
		buf_add_i64(w->out, v);
}

static void tensor_field(struct csv_writer *w, const struct compat_run *r, int place,
			 enum tensor_part part, size_t row)
{
	uint32_t id = compat_tensor_part(r, place, part, row);
	const struct file_kinds *k = compat_kinds(r, row);
	SCOPED(buf) struct buf cell = { 0 };

	if (id)
		pandas_text(&cell, part == TENSOR_MEMORY ? k->memory[place] : k->type[place],
			    ops_string(&r->t, id));
	else if (part == TENSOR_DATATYPE && compat_has_part(r, place, part))
		buf_text(&cell, "nan");
	text(w, r, buf_view(&cell));
}

/* Whole numbers beyond int64 beside empty cells: pandas then leaves the column as it stands, these too. */
static bool keeps_empty_text(const struct compat_run *r, size_t row)
{
	unsigned seen = ops_file_of(&r->t, row)->seen[OPS_GLOBAL_CALL_COUNT];

	return seen & 1u << CELL_UINT &&
	       !(seen & (1u << CELL_REAL | 1u << CELL_TEXT | 1u << CELL_HUGE));
}

static void call_count_field(struct csv_writer *w, const struct compat_run *r, size_t row)
{
	const struct ops_column *c = &r->t.column[OPS_GLOBAL_CALL_COUNT];
	enum pandas_kind kind = compat_kinds(r, row)->call_count;
	SCOPED(buf) struct buf scratch = { 0 };

	if (!c->kind) {
		csv_plain(w);
	} else if (c->kind[row] == CELL_NONE && keeps_empty_text(r, row)) {
		text(w, r,
		     ops_source_text(&r->t, row, ops_col_info[OPS_GLOBAL_CALL_COUNT].name,
				     &scratch));
	} else if (c->kind[row] == CELL_NONE) {
		csv_plain(w);
		buf_text(w->out, "nan");
	} else if (kind == PANDAS_INT || kind == PANDAS_UINT) {
		csv_plain(w);
		if (c->kind[row] == CELL_UINT)
			buf_add_u64(w->out, c->value[row].u);
		else
			buf_add_i64(w->out, c->value[row].i);
	} else if (kind == PANDAS_TEXT) {
		text(w, r,
		     ops_source_text(&r->t, row, ops_col_info[OPS_GLOBAL_CALL_COUNT].name,
				     &scratch));
	} else {
		real(w, true, pandas_real(kind, c->kind[row], c->value[row]));
	}
}

static void cores_field(struct csv_writer *w, const struct op *op)
{
	if (op->has & OP_CORES_FLOAT)
		real(w, true, op->cores);
	else
		whole(w, op->has & OP_CORES, (int64_t)op->cores);
}

static void advice_field(struct csv_writer *w, struct compat_run *r, const struct op *op,
			 struct advice *a, struct buf *joined)
{
	size_t start = 0;

	compat_advice(a, r, op);
	buf_clear(joined);
	for (size_t i = 0; i < a->count; i++) {
		if (i)
			buf_text(joined, " \xE2\x80\xA2 ");
		buf_add(joined, a->text.at + start, a->end[i] - start);
		start = a->end[i];
	}
	text(w, r, buf_view(joined));
}

static void tag_fields(struct csv_writer *w, struct compat_run *r, const struct op *op)
{
	const struct sub_device *d = op->sub_device ? &r->sub_devices.at[op->sub_device - 1] : NULL;

	if (d && !d->whole)
		text(w, r, d->text);
	else
		csv_field(w, d ? d->text : STR(""));
	whole(w, op->budget, op->budget);
	csv_field(w, op->has & OP_SIGNPOST
			     ? STR("")
			     : str_of(compat_category_names[op_name(r, op)->category]));
	csv_field(w, str_of(model_names[op->model]));
}

static void op_fields(struct csv_writer *w, struct compat_run *r, const struct op *op)
{
	struct attributes x = compat_attributes(r, op->row);
	double pct = 0;
	bool has_pct = compat_total_pct(r, op, &pct);

	whole(w, true, (int64_t)op->row + ID_OF_ROW_0);
	real(w, has_pct, pct);
	csv_field(w, str_of(compat_bound_names[op->bound]));
	text(w, r, op_name(r, op)->text);
	whole(w, op->has & OP_DEVICE, op->device);
	if (op->has & OP_TIME_ZERO)
		whole(w, true, 0);
	else
		real(w, op->has & OP_TIME, op->time_us);
	real(w, op->has & OP_GAP, op->gap_us);
	cores_field(w, op);
	real(w, op->has & OP_DRAM, op->dram_gbps);
	real(w, op->has & OP_DRAM, op->dram_pct);
	real(w, op->has & OP_FLOPS, op->tflops);
	real(w, op->has & OP_FLOPS_PCT, op->flops_pct);
	text(w, r, text_at(&r->texts, op->fidelity)->text);
	tensor_field(w, r, OUT0, TENSOR_DATATYPE, op->row);
	tensor_field(w, r, IN0, TENSOR_DATATYPE, op->row);
	tensor_field(w, r, IN1, TENSOR_DATATYPE, op->row);
	csv_field(w, op->has & OP_SHARDED ? STR("True") : STR("False"));
	tensor_field(w, r, IN0, TENSOR_MEMORY, op->row);
	for (int i = BLOCK_K; i <= BLOCK_W; i++)
		whole(w, x.has & 1 << i, x.block[i]);
	call_count_field(w, r, op->row);
	if (r->v->tags_ops)
		tag_fields(w, r, op);
}

bool compat_write_csv(struct compat_run *r)
{
	SCOPED(buf) struct buf line = { 0 }, joined = { 0 };
	struct csv_writer w = { &line, "\r\n", 0 };
	struct advice a = { 0 };
	struct out_file f;
	struct ttp_err e;
	enum ttp_rc rc;

	compat_say(r, COLOUR_CYAN, "Writing CSV output to %s", r->args.csv);
	rc = out_file_open(&f, r->args.csv, &e);
	if (rc)
		goto out;
	for (int c = 0; c < SHEET_COLUMNS; c++)
		if (c != COL_SUB_DEVICE && c != COL_BUDGET)
			csv_field(&w, str_of(sheet_names[c]));
	for (size_t i = 0; i < sizeof(more_names) / sizeof(more_names[0]); i++)
		csv_field(&w, str_of(more_names[i]));
	for (size_t i = 0; r->v->tags_ops && i < sizeof(tag_names) / sizeof(tag_names[0]); i++)
		csv_field(&w, str_of(tag_names[i]));
	if (!r->args.no_advice)
		csv_field(&w, STR("Advice"));
	if (r->args.raw_op_codes)
		csv_field(&w, STR("Raw OP Code"));
	csv_end_row(&w);
	vec_each (op, &r->ops) {
		op_fields(&w, r, op);
		if (!r->args.no_advice)
			advice_field(&w, r, op, &a, &joined);
		if (r->args.raw_op_codes)
			text(&w, r, compat_op_code(r, op->row));
		csv_end_row(&w);
		out_buf(&f.out, &line);
	}
	out_buf(&f.out, &line);
	rc = out_file_commit(&f, &e);
out:
	if (rc)
		buf_printf(r->errors, "tt-perf-report: error: %s\n", e.msg);
	else if (r->has_roofline)
		compat_say(r, COLOUR_CYAN,
			   "Overall DRAM roofline (modeled ops): %.1f%% (%.0f GB/s)", r->dram_pct,
			   r->dram_gbps);
	buf_release(&a.text);
	return !rc;
}
