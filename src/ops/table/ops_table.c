// SPDX-License-Identifier: Apache-2.0
/* What a finished table answers.  Cells of any column: ops_cells.c; how it is filled: ops_builder.c. */
#include "ops/table/ops_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"

const char *const ops_fault_texts[OPS_FAULTS] = { OPS_FAULT_LIST(LIST_2ND) };

const struct ops_col_info ops_col_info[OPS_COLS] = {
#define OPS_COLUMN(id, text, type, unit, since) { STR_INIT(text), OPS_TYPE_##type, unit, #since },
#define OPS_ALIAS(id, name)
#include "ops/table/ops_columns.def"
#undef OPS_COLUMN
#undef OPS_ALIAS
};

enum ops_col ops_col_find(struct str name)
{
	static const struct {
		struct str name;
		enum ops_col col;
	} aliases[] = {
#define OPS_COLUMN(id, name, type, unit, since)
#define OPS_ALIAS(id, text) { STR_INIT(text), OPS_##id },
#include "ops/table/ops_columns.def"
#undef OPS_COLUMN
#undef OPS_ALIAS
	};

	for (int i = 0; i < OPS_COLS; i++)
		if (str_eq(ops_col_info[i].name, name))
			return (enum ops_col)i;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (str_eq(aliases[i].name, name))
			return aliases[i].col;
	return OPS_COLS;
}

/* "-" stands for "nothing" in reports of 2023; pandas writes "nan" when it rewrites a report. */
static enum cell_kind classify(struct str text, union cell *out)
{
	if (!text.len || (text.len == 1 && text.at[0] == '-'))
		return CELL_NONE;
	if (number_i64(text, &out->i))
		return CELL_INT;
	if (number_u64(text, &out->u))
		return CELL_UINT;
	if (!number_double(text, &out->r))
		return CELL_TEXT;
	if (isnan(out->r))
		return CELL_NONE;
	return isinf(out->r) ? CELL_HUGE : CELL_REAL;
}

const struct ops_rules ops_rules = {
	.classify = classify,
	.distrusts_cut_cells = true,
	.reads_account = true,
	.skips_headers = true,
};

/* Of replays of traces a device's log has neither names nor times of ops, but it has the ops. */
enum ttp_rc ops_table_check(const struct ops_table *t, struct ttp_err *e)
{
	vec_each (f, &t->files)
		if (f->field_of[OPS_OP_CODE] == OPS_ABSENT &&
		    f->field_of[OPS_GLOBAL_CALL_COUNT] == OPS_ABSENT &&
		    f->field_of[OPS_DURATION] == OPS_ABSENT &&
		    f->field_of[OPS_FW_DURATION] == OPS_ABSENT)
			return ttp_fail(
				e, TTP_FORMAT,
				"%s: not an ops report: it has neither \"OP CODE\" nor \"DEVICE KERNEL DURATION [ns]\"",
				f->in.name);
	return TTP_OK;
}

bool ops_has_column(const struct ops_table *t, enum ops_col col)
{
	vec_each (f, &t->files)
		if (f->field_of[col] != OPS_ABSENT)
			return true;
	return false;
}

const struct ops_file *ops_file_of(const struct ops_table *t, size_t row)
{
	const struct ops_file *f = t->files.at;

	while (f + 1 < t->files.at + t->files.len && row >= f[1].first_row)
		f++;
	return f;
}

uint64_t ops_row_number(const struct ops_table *t, size_t row)
{
	uint64_t number = row + 1;

	vec_each (f, &t->files) {
		size_t low = 0, high = f->skipped.len;

		if (row < f->first_row)
			break;
		while (low < high) { /* the first that was skipped behind the row */
			size_t middle = low + (high - low) / 2;

			if (f->skipped.at[middle] <= row)
				low = middle + 1;
			else
				high = middle;
		}
		number += low;
	}
	return number;
}

bool ops_i64(const struct ops_table *t, enum ops_col col, size_t row, int64_t *out)
{
	const struct ops_column *c = &t->column[col];
	double r;

	if (c->kind && c->kind[row] == CELL_INT) {
		*out = c->value[row].i;
		return true;
	}
	if (!ops_real(t, col, row, &r) || !(r > -9.2e18 && r < 9.2e18))
		return false;
	*out = (int64_t)r;
	return !((double)*out < r || (double)*out > r);
}

size_t ops_tensor_slot(const struct ops_table *t, bool output, unsigned index)
{
	for (size_t i = 0; i < t->tensor_slots.len; i++)
		if (t->tensor_slots.at[i].output == output && t->tensor_slots.at[i].index == index)
			return i;
	return SIZE_MAX;
}

const struct tensor *ops_tensor(const struct ops_table *t, size_t slot, size_t row)
{
	uint32_t n = slot < t->tensor.len ? t->tensor.at[slot][row] : 0;

	return n ? &t->tensors.all.at[n] : NULL;
}

static void column_release(struct ops_column *c)
{
	RELEASE(mem, &c->text, &c->value, &c->kind);
}

void ops_table_release(struct ops_table *t)
{
	for (int i = 0; i < OPS_COLS; i++)
		column_release(&t->column[i]);
	vec_each (c, &t->extra)
		column_release(c);
	vec_release(&t->extra);
	vec_each (p, &t->tensor)
		free(*p);
	RELEASE(vec, &t->tensor, &t->tensor_slots);
	tensor_set_release(&t->tensors);
	intern_release(&t->strings);
	vec_release(&t->string_kind);
	free(t->row_at);
	free(t->row_kind);
	vec_each (f, &t->files) {
		input_close(&f->in);
		vec_release(&f->fields);
		account_release(&f->account);
		RELEASE(vec, &f->skipped, &f->names, &f->tensor_seen, &f->tensor_parts);
	}
	vec_release(&t->files);
	*t = (struct ops_table){ 0 };
}

enum { DEVICES_MAX = 1 << 16 };

bool ops_row_launch(const struct ops_table *t, size_t row, struct launch_key *key)
{
	int64_t device, run;

	if (!ops_i64(t, OPS_DEVICE_ID, row, &device) || device < 0 || device >= DEVICES_MAX ||
	    !ops_i64(t, OPS_GLOBAL_CALL_COUNT, row, &run) || run <= 0)
		return false;
	*key = (struct launch_key){
		.run_id = (uint64_t)run, .device = (uint32_t)device, .trace_id = -1, .session = -1
	};
	(void)ops_i64(t, OPS_TRACE_ID, row, &key->trace_id);
	(void)ops_i64(t, OPS_SESSION_ID, row, &key->session);
	return true;
}

void ops_launch_rows(const struct ops_table *t, struct launch_rows *rows)
{
	struct launch_key key;

	*rows = (struct launch_rows){ 0 };
	for (uint32_t row = 0; row < t->rows; row++)
		if (ops_row_launch(t, row, &key))
			launch_rows_add(rows, &key, row);
}
