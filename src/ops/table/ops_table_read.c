// SPDX-License-Identifier: Apache-2.0
/*
 * CSV → table, in one pass.
 *
 * The header of each file becomes a plan: which fields go where, in field order.  Rows then only run
 * the plan.  The seven cells of a tensor nearly always stand side by side and repeat from row to row,
 * so their bytes as a whole are looked up in a small cache first.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/csv.h"
#include "ops/account_json.h"
#include "ops/table/ops_builder.h"

enum {
	SPAN_CACHE = 4096,  /* entries, a power of two */
	FIELDS_MAX = 20000, /* columns of a file; a header beyond is not one of ours */
};

enum action { TAKE_TEXT, TAKE_NUM, TAKE_TENSOR };

struct step {
	enum action action;
	uint16_t field;
	uint16_t to; /* column or slot */
};

struct span {
	struct str bytes;
	uint32_t tensor;
};

struct reading {
	struct ops_table *t;
	struct ops_file *f;
	struct ops_builder builder;
	struct csv_reader csv;
	bool wanted[OPS_COLS];
	VEC(struct step) plan;
	VEC(uint16_t) tensor_field; /* per slot and part: field in this file, or OPS_ABSENT */
	VEC(bool) tensor_adjoins;   /* per slot: its seven fields stand side by side */
	struct span *cache;
	struct arena replaced; /* texts that had bad bytes */
};

/* ---- cells ---- */

static void fault(struct reading *r, enum ops_fault kind, uint64_t line)
{
	struct ops_fault_count *c = &r->f->fault[kind];

	if (c->count < OPS_FAULT_ROWS)
		c->line[c->count] = line;
	c->count++;
}

static enum cell_kind number(const struct reading *r, struct str s, union cell *out)
{
	int64_t v = 0;

	/* nearly every cell: a few digits */
	if (!s.len || s.len > 18)
		return r->t->rules->classify(s, out);
	for (size_t i = 0; i < s.len; i++) {
		unsigned d = (unsigned)(s.at[i] - '0');

		if (d > 9)
			return r->t->rules->classify(s, out);
		v = v * 10 + d;
	}
	out->i = v;
	return CELL_INT;
}

/* A field of the row, after the index fields that are dropped; empty when the row is short. */
static struct str field(const struct reading *r, size_t i)
{
	i += r->f->shift;
	return i < r->csv.fields ? r->csv.field[i] : str_n("", 0);
}

static bool field_stays(const struct reading *r, size_t i)
{
	i += r->f->shift;
	return i < r->csv.fields && csv_field_stays(&r->csv, i);
}

static uint32_t tensor_of_parts(struct reading *r, size_t slot)
{
	const uint16_t *fields = &r->tensor_field.at[slot * TENSOR_PARTS];
	struct tensor tensor;

	for (int p = 0; p < TENSOR_PARTS; p++) {
		uint16_t f = fields[p];

		tensor.text[p] = f == OPS_ABSENT ? 0
						 : ops_builder_string(&r->builder, field(r, f),
								      field_stays(r, f));
	}
	return tensor_set_add(&r->t->tensors, &tensor);
}

static uint32_t tensor_at(struct reading *r, size_t slot)
{
	size_t first = r->tensor_field.at[slot * TENSOR_PARTS];
	size_t last = first + TENSOR_PARTS - 1;
	struct span *span;
	struct str bytes;

	if (!r->tensor_adjoins.at[slot] || !field_stays(r, first) || !field_stays(r, last))
		return tensor_of_parts(r, slot);
	bytes.at = field(r, first).at;
	/* Bytes mean the same again only where no quote outside of them changes what they are. */
	if (r->csv.quote_unclosed || (bytes.at > r->csv.data.at && bytes.at[-1] == '"'))
		return tensor_of_parts(r, slot);
	bytes.len = (size_t)(field(r, last).at + field(r, last).len - bytes.at);
	if (bytes.len == TENSOR_PARTS - 1)
		return 0; /* six commas */
	span = &r->cache[str_hash(bytes) & (SPAN_CACHE - 1)];
	if (!str_eq(span->bytes, bytes)) {
		span->tensor = tensor_of_parts(r, slot);
		span->bytes = bytes;
	}
	return span->tensor;
}

static void run_plan(struct reading *r)
{
	struct ops_builder *b = &r->builder;
	union cell value;

	vec_each (s, &r->plan) {
		enum ops_col col = (enum ops_col)s->to;

		switch (s->action) {
		case TAKE_TEXT:
			ops_builder_text(b, col,
					 ops_builder_string(b, field(r, s->field),
							    field_stays(r, s->field)));
			break;
		case TAKE_NUM: {
			enum cell_kind kind = number(r, field(r, s->field), &value);

			ops_builder_number(b, col, kind, value);
			break;
		}
		case TAKE_TENSOR:
			ops_builder_tensor(b, s->to, tensor_at(r, s->to));
			break;
		}
	}
}

/* ---- rows ---- */

/* Fields with bytes that are not text are replaced by copies that are. */
static void replace_bad_bytes(struct reading *r)
{
	bool bad = false;

	arena_release(&r->replaced); /* the texts of the row before */
	for (size_t i = 0; i < r->csv.fields; i++) {
		struct str *s = &r->csv.field[i];
		size_t nul = str_find_char(*s, 0);
		SCOPED(buf) struct buf b = { 0 };

		if (nul != STR_NONE && r->t->rules->nul_ends_field) {
			*s = str_head(*s, nul);
			s->at = arena_dup(&r->replaced, s->at,
					  s->len); /* spans would see what follows */
			nul = STR_NONE;
		}
		if (nul == STR_NONE && str_is_utf8(*s))
			continue;
		bad = true;
		for (struct str rest = *s, piece; str_split(&rest, 0, &piece);) {
			buf_add_utf8(&b, piece);
			if (rest.at)
				buf_text(&b, "\xEF\xBF\xBD");
		}
		*s = str_n(arena_dup(&r->replaced, b.at ? b.at : "", b.len), b.len);
	}
	if (bad)
		fault(r, OPS_FAULT_BAD_BYTES, r->csv.line);
}

/* The row at hand is the last one, and nothing ends it. */
static bool is_cut(const struct reading *r)
{
	struct str data = r->f->in.data;

	return r->csv.at >= data.len && data.at[data.len - 1] != '\n' &&
	       data.at[data.len - 1] != '\r';
}

static void short_row(struct reading *r)
{
	if (!is_cut(r)) {
		fault(r, OPS_FAULT_SHORT_ROW, r->csv.line);
		return;
	}
	fault(r, OPS_FAULT_CUT_ROW, r->csv.line);
	if (r->t->rules->distrusts_cut_cells)
		r->csv.field[r->csv.fields - 1] = str_n("", 0);
}

static bool is_header(const struct reading *r)
{
	if (!str_eq(r->csv.field[0], r->f->names.at[0]) || r->csv.fields != r->f->names.len)
		return false;
	for (size_t i = 1; i < r->csv.fields; i++)
		if (!str_eq(r->csv.field[i], r->f->names.at[i]))
			return false;
	return true;
}

static void read_rows(struct reading *r)
{
	struct ops_table *t = r->t;
	struct ops_file *f = r->f;
	size_t width = f->names.len;

	while (csv_next(&r->csv)) {
		/* Zeros in place of what is gone: they may be gigabytes, and are no row. */
		if (r->csv.odd_bytes && input_shrunk(&f->in))
			break;
		if (t->rows == f->first_row && r->csv.fields > width &&
		    t->rules->long_first_row_shifts) {
			f->shift = r->csv.fields - width;
			width = r->csv.fields;
		}
		if (r->csv.odd_bytes)
			replace_bad_bytes(r);
		if (r->csv.quote_unclosed)
			fault(r, OPS_FAULT_UNCLOSED_QUOTE, r->csv.line);
		if (r->csv.fields > width) {
			fault(r, OPS_FAULT_LONG_ROW, r->csv.line);
			*vec_push(&f->skipped) = t->rows;
			continue;
		}
		if (t->rules->skips_headers && is_header(r)) {
			fault(r, OPS_FAULT_HEADER_AGAIN, r->csv.line);
			*vec_push(&f->skipped) = t->rows;
			continue;
		}
		if (r->csv.fields < width)
			short_row(r);
		ops_builder_row(&r->builder);
		run_plan(r);
		ops_builder_end_row(&r->builder, r->csv.row_at);
	}
	if (input_shrunk(&f->in))
		fault(r, OPS_FAULT_SHRUNK, 0);
	if (f->in.cut_short)
		fault(r, OPS_FAULT_CUT_SHORT, 0);
	ops_builder_end_file(&r->builder);
}

/* ---- the header ---- */

static void reserve_slot(struct reading *r, size_t slot)
{
	while (r->f->tensor_parts.len <= slot) {
		*vec_push(&r->f->tensor_parts) = 0;
		*vec_push(&r->f->tensor_seen) = 0;
		for (int p = 0; p < TENSOR_PARTS; p++)
			*vec_push(&r->tensor_field) = OPS_ABSENT;
	}
}

static bool is_padded(struct str name)
{
	return str_ends(name, STR("_PAD[LOGICAL]"));
}

static void plan_tensor(struct reading *r, struct tensor_slot where, enum tensor_part part,
			size_t at)
{
	size_t slot = ops_builder_store_tensor(&r->builder, where);

	reserve_slot(r, slot);
	/* A column counts once.  Should a file have INPUT_0_W and INPUT_0_W_PAD[LOGICAL], the newer form
	 * does: whoever writes it knows more. */
	if (r->f->tensor_parts.at[slot] & 1u << part &&
	    (!is_padded(r->f->names.at[at]) ||
	     is_padded(r->f->names.at[r->tensor_field.at[slot * TENSOR_PARTS + part]])))
		return;
	r->f->tensor_parts.at[slot] |= (uint8_t)(1u << part);
	r->tensor_field.at[slot * TENSOR_PARTS + part] = (uint16_t)at;
}

static bool adjoins(const struct reading *r, size_t slot)
{
	const uint16_t *fields = &r->tensor_field.at[slot * TENSOR_PARTS];

	for (int p = 0; p < TENSOR_PARTS; p++)
		if (fields[p] == OPS_ABSENT || fields[p] != fields[0] + p)
			return false;
	return true;
}

static void make_plan(struct reading *r, const struct ops_want *want)
{
	struct ops_file *f = r->f;

	vec_clear(&r->plan);
	vec_clear(&r->tensor_field);
	vec_clear(&r->tensor_adjoins);
	for (size_t i = 0; i < f->names.len; i++) {
		enum ops_col col = ops_col_find(f->names.at[i]);
		struct tensor_slot where;
		enum tensor_part part;

		if (col != OPS_COLS && f->field_of[col] == OPS_ABSENT) {
			f->field_of[col] = (uint16_t)i;
			if (!r->wanted[col])
				continue;
			ops_builder_store(&r->builder, col);
			*vec_push(&r->plan) = (struct step){
				ops_col_info[col].type == OPS_TYPE_TEXT ? TAKE_TEXT : TAKE_NUM,
				(uint16_t)i,
				(uint16_t)col,
			};
		} else if (tensor_column(f->names.at[i], &where, &part) &&
			   where.index < (where.output ? want->outputs : want->inputs)) {
			plan_tensor(r, where, part, i);
		}
	}
	if (r->t->tensor_slots.len)
		reserve_slot(r, r->t->tensor_slots.len - 1);
	for (size_t p = 0; p < r->t->tensor_slots.len; p++) {
		*vec_push(&r->tensor_adjoins) = adjoins(r, p);
		if (f->tensor_parts.at[p])
			*vec_push(&r->plan) = (struct step){ TAKE_TENSOR, 0, (uint16_t)p };
	}
}

static enum ttp_rc read_header(struct reading *r, struct ttp_err *e)
{
	struct ops_file *f = r->f;

	if (!csv_next(&r->csv))
		return ttp_fail(e, TTP_FORMAT, "%s: no data: %s", f->in.name,
				f->in.cut_short
					? "what is compressed in it ends early or is damaged"
					: "the file is empty");
	if (r->csv.fields > FIELDS_MAX)
		return ttp_fail(e, TTP_LIMIT, "%s: %zu columns, at most %d: not an ops report",
				f->in.name, r->csv.fields, FIELDS_MAX);
	if (r->csv.odd_bytes)
		replace_bad_bytes(r);
	for (size_t i = 0; i < r->csv.fields; i++) {
		struct str s = r->csv.field[i];

		/* kept for as long as the table lives, through its own strings if need be */
		*vec_push(&f->names) =
			intern_get(&r->t->strings,
				   ops_builder_string(&r->builder, s, csv_field_stays(&r->csv, i)));
	}
	return TTP_OK;
}

/* What whoever wrote the file counted lies beside it.  Fails where the system does: then nobody knows what it says. */
static enum ttp_rc read_account(struct reading *r, struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 };
	struct ops_file *f = r->f;
	struct ttp_err why;
	struct input in;

	account_json_path(f->in.name, &path);
	if (!input_open_file(&in, path.at, &why)) {
		f->has_account = account_json_read(in.data, f->in.data.len, &f->account);
		input_close(&in);
	} else if (why.rc == TTP_SYS && why.sys_errno == ENOENT) {
		return TTP_OK;
	} else if (why.rc == TTP_SYS && why.sys_errno != EACCES && why.sys_errno != ELOOP) {
		return ttp_fail(e, why.rc, "%s", why.msg);
	}
	if (!f->has_account)
		fault(r, OPS_FAULT_NO_ACCOUNT, 0);
	return TTP_OK;
}

/* Takes over `in`. */
static enum ttp_rc read_file(struct reading *r, struct input in, const struct ops_want *want,
			     struct ttp_err *e)
{
	enum ttp_rc rc;

	r->f = ops_builder_file(&r->builder);
	r->f->in = in;
	csv_reader_init(&r->csv, r->f->in.data);
	rc = read_header(r, e);
	if (!rc) {
		memset(r->cache, 0, SPAN_CACHE * sizeof(*r->cache));
		make_plan(r, want);
		read_rows(r);
		if (r->t->rules->reads_account)
			rc = read_account(r, e);
	}
	csv_reader_release(&r->csv);
	return rc;
}

static void begin(struct reading *r, struct ops_table *t, const struct ops_want *want,
		  const struct ops_rules *rules)
{
	*r = (struct reading){ .t = t };
	ops_builder_init(&r->builder, t, rules);
	for (size_t i = 0; i < want->count; i++)
		r->wanted[want->cols[i]] = true;
	r->cache = mem_alloc(SPAN_CACHE, sizeof(*r->cache));
}

static enum ttp_rc end(struct reading *r, enum ttp_rc rc)
{
	ops_builder_finish(&r->builder);
	free(r->cache);
	arena_release(&r->replaced);
	RELEASE(vec, &r->plan, &r->tensor_field, &r->tensor_adjoins);
	if (rc)
		ops_table_release(r->t);
	return rc;
}

enum ttp_rc ops_table_read(struct ops_table *t, const char *const *paths, size_t count,
			   const struct ops_want *want, const struct ops_rules *rules,
			   struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;
	struct reading r;
	struct input in;

	begin(&r, t, want, rules);
	for (size_t i = 0; i < count && !rc; i++) {
		rc = input_open_if(&in, paths[i], input_is_table, e);
		if (!rc)
			rc = read_file(&r, in, want, e);
	}
	return end(&r, rc);
}

enum ttp_rc ops_table_read_input(struct ops_table *t, struct input in, const struct ops_want *want,
				 const struct ops_rules *rules, struct ttp_err *e)
{
	struct reading r;

	begin(&r, t, want, rules);
	return end(&r, read_file(&r, in, want, e));
}
