// SPDX-License-Identifier: Apache-2.0
/*
 * A flag byte and one or two ops reports (parted by a line "%%"): the table holds what the simple CSV
 * reader finds, cell by cell.
 */
#include <stdint.h>

#include "../tests/unit/reference_csv.h"
#include "memory_file.h"
#include "ops/table/ops_table.h"

enum { SHIFTS = 1 << 0, NUL_ENDS = 1 << 1 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

/* A field as the table is to show it: NUL and bytes that are not UTF-8 replaced. */
static void add_mended(struct buf *b, struct str s, bool nul_ends)
{
	for (size_t i = 0; i < s.len;) {
		struct str rest = str_from(s, i);
		size_t n = str_find_char(rest, 0);

		if (!n && nul_ends)
			return;
		if (!n) {
			buf_text(b, "\xEF\xBF\xBD");
			i++;
			continue;
		}
		rest = str_head(rest, n);
		buf_add_utf8(b, rest);
		i += rest.len;
	}
}

struct check {
	const struct ops_table *t;
	const struct ops_file *f;
	struct reference_csv *csv;
	struct buf text, scratch;
};

/* The text of field `i` of the row at hand, behind the index. */
static struct str cell(struct check *c, size_t i)
{
	i += c->f->shift;
	buf_clear(&c->text);
	if (i < c->csv->fields)
		add_mended(&c->text, reference_text(c->csv, i), c->t->rules->nul_ends_field);
	return buf_view(&c->text);
}

static void check_columns(struct check *c, size_t row)
{
	for (int col = 0; col < OPS_COLS; col++) {
		const struct ops_column *k = &c->t->column[col];
		uint16_t at = c->f->field_of[col];
		struct str text = str_n("", 0);
		union cell v = { 0 };

		if (at != OPS_ABSENT)
			text = cell(c, at);
		if (k->text)
			must(str_eq(ops_string(c->t, k->text[row]), text));
		if (!k->kind)
			continue;
		must(k->kind[row] == c->t->rules->classify(text, &v));
		if (k->kind[row] == CELL_INT || k->kind[row] == CELL_UINT)
			must(k->value[row].u == v.u);
	}
}

/* Of INPUT_0_W and INPUT_0_W_PAD[LOGICAL] the latter counts. */
static bool has_newer_form(const struct ops_file *f, size_t plain, struct tensor_slot where,
			   enum tensor_part what)
{
	struct tensor_slot place;
	enum tensor_part part;

	if (str_ends(f->names.at[plain], STR("_PAD[LOGICAL]")))
		return false;
	vec_each (n, &f->names)
		if (str_ends(*n, STR("_PAD[LOGICAL]")) && tensor_column(*n, &place, &part) &&
		    place.output == where.output && place.index == where.index && part == what)
			return true;
	return false;
}

static void check_tensors(struct check *c, size_t row)
{
	bool seen[2][64][TENSOR_PARTS] = { 0 };

	for (size_t i = 0; i < c->f->names.len; i++) {
		struct tensor_slot place;
		enum tensor_part part;
		const struct tensor *x;
		size_t at;

		if (ops_col_find(c->f->names.at[i]) != OPS_COLS ||
		    !tensor_column(c->f->names.at[i], &place, &part) || place.index >= 64 ||
		    seen[place.output][place.index][part] || has_newer_form(c->f, i, place, part))
			continue;
		seen[place.output][place.index][part] = true;
		at = ops_tensor_slot(c->t, place.output, place.index);
		if (at == SIZE_MAX)
			continue;
		x = ops_tensor(c->t, at, row);
		must(str_eq(x ? ops_string(c->t, x->text[part]) : str_n("", 0), cell(c, i)));
	}
}

static void check_file(struct check *c)
{
	size_t row = c->f->first_row, end = row + c->f->rows, width = c->f->names.len;

	reference_init(c->csv, c->f->in.data);
	must(reference_next(c->csv));
	must(c->csv->fields == width);
	for (size_t i = 0; i < width; i++)
		must(str_eq(c->f->names.at[i], (buf_clear(&c->text),
						add_mended(&c->text, reference_text(c->csv, i),
							   c->t->rules->nul_ends_field),
						buf_view(&c->text))));
	width += c->f->shift;
	while (reference_next(c->csv)) {
		if (c->csv->fields > width)
			continue;
		must(row < end);
		must(c->t->row_at[row] == c->csv->row_at);
		check_columns(c, row);
		check_tensors(c, row);
		if (row % 16 == 0) {
			(void)ops_source_text(c->t, row,
					      c->f->names.at[width / 2 % c->f->names.len],
					      &c->scratch);
			must(str_is_utf8(buf_view(&c->scratch)));
		}
		row++;
	}
	must(row == end);
	reference_release(c->csv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum ops_col cols[] = { OPS_OP_CODE,      OPS_GLOBAL_CALL_COUNT,
					     OPS_ATTRIBUTES,   OPS_CORE_COUNT,
					     OPS_DURATION,     OPS_FIRST_TO_LAST,
					     OPS_PROGRAM_HASH, OPS_DM_SOURCE };
	static const struct ops_want want = { cols, sizeof(cols) / sizeof(cols[0]), 2, 1 };
	static struct reference_csv csv;
	struct ops_rules rules = ops_rules;
	struct memory_file files[2];
	const char *paths[2];
	struct check c = { .csv = &csv };
	struct ops_table t;
	struct str rest;
	size_t count = 1, cut;

	if (size < 1 || size > 100000)
		return 0;
	rules.long_first_row_shifts = data[0] & SHIFTS;
	rules.nul_ends_field = data[0] & NUL_ENDS;
	/* what these skip, the simple reader does not */
	rules.distrusts_cut_cells = rules.skips_headers = false;
	rest = str_n((const char *)data + 1, size - 1);
	cut = str_find(rest, STR("\n%%\n"));
	if (cut != STR_NONE) {
		count = 2;
		memory_file_open(&files[1], str_from(rest, cut + 4));
		rest = str_head(rest, cut + 1);
	}
	memory_file_open(&files[0], rest);
	for (size_t i = 0; i < count; i++)
		paths[i] = files[i].path;
	if (!ops_table_read(&t, paths, count, &want, &rules, NULL)) {
		c.t = &t;
		vec_each (f, &t.files) {
			c.f = f;
			if (f->names.len < REFERENCE_FIELDS)
				check_file(&c);
		}
		ops_table_release(&t);
	}
	buf_release(&c.text);
	buf_release(&c.scratch);
	for (size_t i = 0; i < count; i++)
		memory_file_close(&files[i]);
	return 0;
}
