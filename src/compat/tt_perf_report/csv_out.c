// SPDX-License-Identifier: Apache-2.0
/* --csv: the ops with all digits. */
#include "base/csv.h"
#include "base/number.h"
#include "compat/tt_perf_report/output.h"

static const char *const more_names[] = {
	"Output Datatype",   "Input 0 Datatype",  "Input 1 Datatype",
	"DRAM Sharded",      "Input 0 Memory",    "Inner Dim Block Size",
	"Output Subblock H", "Output Subblock W", "Global Call Count",
};

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
	SCOPED(buf) struct buf text = { 0 };

	if (id)
		pandas_text(&text, part == TENSOR_MEMORY ? k->memory[place] : k->type[place],
			    ops_string(&r->t, id));
	else if (part == TENSOR_DATATYPE && compat_has_part(r, place, part))
		buf_text(&text, "nan");
	csv_field(w, buf_view(&text));
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
		csv_field(w, ops_source_text(&r->t, row, ops_col_info[OPS_GLOBAL_CALL_COUNT].name,
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
		csv_field(w, ops_source_text(&r->t, row, ops_col_info[OPS_GLOBAL_CALL_COUNT].name,
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
	csv_field(w, buf_view(joined));
}

static void op_fields(struct csv_writer *w, struct compat_run *r, const struct op *op)
{
	struct attributes x = compat_attributes(r, op->row);
	double pct = 0;
	bool has_pct = compat_total_pct(r, op, &pct);

	whole(w, true, (int64_t)op->row + ID_OF_ROW_0);
	real(w, has_pct, pct);
	csv_field(w, str_of(compat_bound_names[op->bound]));
	csv_field(w, op_name(r, op)->text);
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
	csv_field(w, text_at(&r->texts, op->fidelity)->text);
	tensor_field(w, r, OUT0, TENSOR_DATATYPE, op->row);
	tensor_field(w, r, IN0, TENSOR_DATATYPE, op->row);
	tensor_field(w, r, IN1, TENSOR_DATATYPE, op->row);
	csv_field(w, op->has & OP_SHARDED ? STR("True") : STR("False"));
	tensor_field(w, r, IN0, TENSOR_MEMORY, op->row);
	for (int i = BLOCK_K; i <= BLOCK_W; i++)
		whole(w, x.has & 1 << i, x.block[i]);
	call_count_field(w, r, op->row);
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
		csv_field(&w, str_of(sheet_names[c]));
	for (size_t i = 0; i < sizeof(more_names) / sizeof(more_names[0]); i++)
		csv_field(&w, str_of(more_names[i]));
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
			csv_field(&w, compat_op_code(r, op->row));
		csv_end_row(&w);
		out_buf(&f.out, &line);
	}
	out_buf(&f.out, &line);
	rc = out_file_commit(&f, &e);
out:
	if (rc)
		buf_printf(r->errors, "tt-perf-report: error: %s\n", e.msg);
	buf_release(&a.text);
	return !rc;
}
