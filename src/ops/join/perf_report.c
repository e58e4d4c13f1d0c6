// SPDX-License-Identifier: Apache-2.0
#include "ops/join/join.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/number.h"
#include "markers/launch_index.h"

enum { COLUMNS_MAX = 256, COLUMN_NONE = UINT16_MAX };

/* The row that was read last. */
struct perf_reader {
	struct csv_reader csv;
	uint16_t column[COLUMNS_MAX];
	size_t columns;
	VEC(struct perf_cell) cells;
	struct arena texts; /* of numbers in plain form */
};

static const struct {
	const char *name;
	unsigned column;
} extras[] = {
	{ "DEVICE KERNEL START CYCLE", PERF_KERNEL_START },
	{ "DEVICE KERNEL END CYCLE", PERF_KERNEL_END },
	{ "DEVICE KERNEL DM START CYCLE", PERF_DM_START },
	{ "DEVICE KERNEL DM END CYCLE", PERF_DM_END },
	{ "DEVICE QUASAR_DM KERNEL START CYCLE", PERF_QUASAR_DM_START },
	{ "DEVICE QUASAR_DM KERNEL END CYCLE", PERF_QUASAR_DM_END },
	{ "DEVICE QUASAR_NEO_TRISC KERNEL START CYCLE", PERF_QUASAR_TRISC_START },
	{ "DEVICE QUASAR_NEO_TRISC KERNEL END CYCLE", PERF_QUASAR_TRISC_END },
	{ "OP NAME", PERF_OP_NAME },
};

static uint16_t column_of(struct str name)
{
	enum ops_col c = ops_col_find(name);

	if (c != OPS_COLS)
		return (uint16_t)c;
	for (size_t i = 0; i < sizeof(extras) / sizeof(*extras); i++)
		if (str_eq(name, str_of(extras[i].name)))
			return (uint16_t)extras[i].column;
	return COLUMN_NONE;
}

/* Whole numbers that the runtime or a table program wrote otherwise ("1024.0", "007") in plain form. */
static struct str plain_number(struct perf_reader *p, uint16_t column, struct str text)
{
	bool number = column >= OPS_COLS ? column != PERF_OP_NAME
					 : ops_col_info[column].type == OPS_TYPE_NUM;
	SCOPED(buf) struct buf b = { 0 };
	int64_t n;
	double d;

	/* latencies and shares stay the text that they are */
	if (!number || (column < OPS_COLS && !strcmp(ops_col_info[column].unit, "%")) ||
	    column == OPS_GAP || column == OPS_GAP_DM)
		return text;
	if (number_i64(text, &n)) {
		if (text.at[0] != '0' && text.at[0] != '+' && text.at[0] != '-')
			return text;
	} else if (number_double(text, &d) && d > -9e15 && d < 9e15) {
		n = (int64_t)d;
	} else {
		return text;
	}
	buf_add_i64(&b, n);
	return str_n(arena_dup(&p->texts, b.at, b.len), b.len);
}

/* Cells of the row that the CSV reader has. */
static void take_cells(struct perf_reader *p)
{
	struct csv_reader *r = &p->csv;

	vec_clear(&p->cells);
	if (p->texts.total)
		arena_release(&p->texts);
	for (size_t i = 0; i < r->fields && i < p->columns; i++) {
		struct str text = str_trim(r->field[i]);

		if (!text.len || p->column[i] == COLUMN_NONE)
			continue;
		*vec_push(&p->cells) =
			(struct perf_cell){ p->column[i], plain_number(p, p->column[i], text) };
	}
}

static struct str cell_text(const struct perf_reader *p, unsigned column)
{
	vec_each (c, &p->cells)
		if (c->column == column)
			return c->text;
	return STR("");
}

static bool cell_i64(const struct perf_reader *p, unsigned column, int64_t *out)
{
	int64_t v;

	if (!number_i64(cell_text(p, column), &v))
		return false;
	*out = v;
	return true;
}

/* One with the same key replaces the other. */
static void keep_row(struct perf_report *p, struct launch_index *keys, const struct perf_row *row)
{
	struct launch_key key = { .run_id = row->id,
				  .trace_id = row->trace_id,
				  .session = row->session,
				  .device = (uint32_t)row->device,
				  .repeat = (uint32_t)((uint64_t)row->device >> 32) };
	uint32_t at = launch_put(keys, &key);

	if (at == p->rows.len)
		(void)vec_push(&p->rows);
	p->rows.at[at] = *row;
}

static void take_row(struct perf_report *p, struct launch_index *keys, size_t last_row)
{
	struct perf_reader *reader = p->reader;
	struct perf_row row = {
		.device = -1, .trace_id = -1, .session = -1, .at = reader->csv.row_at
	};
	int64_t id = -1;

	if (p->cut && reader->csv.row_at >= last_row && reader->csv.fields < reader->columns)
		return;
	take_cells(reader);
	if (!cell_i64(reader, OPS_GLOBAL_CALL_COUNT, &id) ||
	    !cell_i64(reader, OPS_DEVICE_ID, &row.device) || id < 0) {
		p->bad_rows += reader->cells.len > 0;
		return;
	}
	row.id = (uint64_t)id;
	(void)cell_i64(reader, OPS_TRACE_ID, &row.trace_id);
	(void)cell_i64(reader, OPS_SESSION_ID, &row.session);
	keep_row(p, keys, &row);
}

static enum ttp_rc parse(struct perf_report *p, struct str text, const char *name,
			 struct ttp_err *e)
{
	struct perf_reader *reader = mem_zero(1, sizeof(*reader));
	struct csv_reader *r = &reader->csv;
	struct launch_index keys = { 0 };
	bool has_id = false;
	size_t last_row;

	p->reader = reader;
	csv_reader_init(r, text);
	if (csv_next(r))
		for (size_t i = 0; i < r->fields && i < COLUMNS_MAX; i++) {
			reader->column[reader->columns++] = column_of(str_trim(r->field[i]));
			has_id |= reader->column[i] == OPS_GLOBAL_CALL_COUNT;
		}
	p->cut = !p->trusts_end && text.len && text.at[text.len - 1] != '\n';
	last_row = p->cut ? str_rfind_char(text, '\n') : STR_NONE;
	if (has_id)
		while (csv_next(r))
			take_row(p, &keys, last_row);
	vec_trim(&p->rows);
	launch_index_release(&keys);
	if (!has_id)
		return ttp_fail(e, TTP_FORMAT, "%s: no column \"GLOBAL CALL COUNT\"", name);
	return TTP_OK;
}

enum ttp_rc perf_report_read(struct perf_report *p, const char *path, struct ttp_err *e)
{
	enum ttp_rc rc;

	*p = (struct perf_report){ .trusts_end = p->trusts_end };
	TTP_TRY(input_open_file(&p->in, path, e));
	p->open = true;
	rc = parse(p, p->in.data, path, e);
	if (rc)
		perf_report_release(p);
	return rc;
}

void perf_report_release(struct perf_report *p)
{
	if (p->open)
		input_close(&p->in);
	vec_release(&p->rows);
	if (p->reader) {
		csv_reader_release(&p->reader->csv);
		vec_release(&p->reader->cells);
		arena_release(&p->reader->texts);
		free(p->reader);
	}
	*p = (struct perf_report){ 0 };
}

const struct perf_cell *perf_cells(const struct perf_report *p, const struct perf_row *r, size_t *n)
{
	struct perf_reader *reader = p->reader;

	if (reader->csv.row_at != r->at || !reader->csv.fields) {
		csv_seek(&reader->csv, r->at);
		if (csv_next(&reader->csv))
			take_cells(reader);
		else
			vec_clear(&reader->cells); /* the file was cut since */
	}
	*n = reader->cells.len;
	return reader->cells.at;
}

struct str perf_text(const struct perf_report *p, const struct perf_row *r, unsigned column)
{
	size_t n;

	(void)perf_cells(p, r, &n);
	return cell_text(p->reader, column);
}

bool perf_i64(const struct perf_report *p, const struct perf_row *r, unsigned column, int64_t *out)
{
	size_t n;

	(void)perf_cells(p, r, &n);
	return cell_i64(p->reader, column, out);
}
