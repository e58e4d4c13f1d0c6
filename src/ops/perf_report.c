// SPDX-License-Identifier: Apache-2.0
#include "ops/perf_report.h"

#include "base/csv.h"
#include "base/map.h"
#include "base/number.h"

enum { COLUMNS_MAX = 256, COLUMN_NONE = UINT16_MAX };

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
static struct str plain_number(struct perf_report *p, uint16_t column, struct str text)
{
	bool number = column >= OPS_COLS ? column != PERF_OP_NAME
					 : ops_col_info[column].type == OPS_TYPE_NUM;
	struct buf b = { 0 };
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
	text = str_n(arena_dup(&p->texts, b.at, b.len), b.len);
	buf_release(&b);
	return text;
}

static void take_row(struct perf_report *p, struct csv_reader *r, const uint16_t *column,
		     size_t columns, struct intern *keys)
{
	struct perf_row row = {
		.device = -1, .trace_id = -1, .session = -1, .first_cell = (uint32_t)p->cells.len
	};
	int64_t id = -1;
	int64_t key[4];
	uint32_t k;

	for (size_t i = 0; i < r->fields && i < columns; i++) {
		struct str text = str_trim(r->field[i]);

		if (!text.len || column[i] == COLUMN_NONE)
			continue;
		if (!csv_field_stays(r, i))
			text = str_n(arena_dup(&p->texts, text.at, text.len), text.len);
		text = plain_number(p, column[i], text);
		*vec_push(&p->cells) = (struct perf_cell){ column[i], text };
		row.cells++;
	}
	if (!perf_i64(p, &row, OPS_GLOBAL_CALL_COUNT, &id) ||
	    !perf_i64(p, &row, OPS_DEVICE_ID, &row.device) || id < 0) {
		p->cells.len = row.first_cell;
		p->bad_rows += row.cells > 0;
		return;
	}
	row.id = (uint64_t)id;
	(void)perf_i64(p, &row, OPS_TRACE_ID, &row.trace_id);
	(void)perf_i64(p, &row, OPS_SESSION_ID, &row.session);
	key[0] = id;
	key[1] = row.device;
	key[2] = row.trace_id;
	key[3] = row.session;
	k = intern_copy(keys, str_n((const char *)key, sizeof(key)));
	if (k == p->rows.len)
		*vec_push(&p->rows) = row;
	else
		p->rows.at[k] = row;
}

enum ttp_rc perf_report_parse(struct perf_report *p, struct str text, const char *name,
			      struct ttp_err *e)
{
	struct csv_reader r;
	struct intern keys = { 0 };
	uint16_t column[COLUMNS_MAX];
	size_t columns = 0;
	bool has_id = false;

	csv_reader_init(&r, text);
	if (csv_next(&r))
		for (; columns < r.fields && columns < COLUMNS_MAX; columns++) {
			column[columns] = column_of(str_trim(r.field[columns]));
			has_id |= column[columns] == OPS_GLOBAL_CALL_COUNT;
		}
	if (has_id)
		while (csv_next(&r))
			take_row(p, &r, column, columns, &keys);
	csv_reader_release(&r);
	intern_release(&keys);
	if (!has_id)
		return ttp_fail(e, TTP_FORMAT, "%s: no column \"GLOBAL CALL COUNT\"", name);
	return TTP_OK;
}

enum ttp_rc perf_report_read(struct perf_report *p, const char *path, struct ttp_err *e)
{
	enum ttp_rc rc;

	*p = (struct perf_report){ 0 };
	rc = input_open(&p->in, path, e);
	if (rc)
		return rc;
	p->open = true;
	rc = perf_report_parse(p, p->in.data, path, e);
	if (rc)
		perf_report_release(p);
	return rc;
}

void perf_report_release(struct perf_report *p)
{
	if (p->open)
		input_close(&p->in);
	vec_release(&p->rows);
	vec_release(&p->cells);
	arena_release(&p->texts);
	*p = (struct perf_report){ 0 };
}

struct str perf_text(const struct perf_report *p, const struct perf_row *r, unsigned column)
{
	for (uint32_t i = 0; i < r->cells; i++)
		if (p->cells.at[r->first_cell + i].column == column)
			return p->cells.at[r->first_cell + i].text;
	return STR("");
}

bool perf_i64(const struct perf_report *p, const struct perf_row *r, unsigned column, int64_t *out)
{
	int64_t v;

	if (!number_i64(perf_text(p, r, column), &v))
		return false;
	*out = v;
	return true;
}
