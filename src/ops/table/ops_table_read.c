// SPDX-License-Identifier: Apache-2.0
/*
 * CSV → table, in one pass.
 *
 * The header of each file becomes a plan: which fields go where, in field order.  Rows then only run
 * the plan.  The seven cells of a tensor nearly always stand side by side and repeat from row to row,
 * so their bytes as a whole are looked up in a small cache first.
 */
#include <stdlib.h>

#include "base/csv.h"
#include "ops/table/ops_table.h"

enum {
	SPAN_CACHE = 4096,  /* entries, a power of two */
	FIELDS_MAX = 20000, /* columns of a file; a header beyond is not one of ours */
};

enum action { TAKE_TEXT, TAKE_NUM, TAKE_TENSOR };

struct step {
	enum action action;
	uint16_t field;
	uint16_t to; /* column or place */
};

struct span {
	struct str bytes;
	uint32_t tensor;
};

struct reading {
	struct ops_table *t;
	struct ops_file *f;
	struct csv_reader csv;
	size_t row_cap;
	bool wanted[OPS_COLS];
	VEC(struct step) plan;
	VEC(uint16_t) tensor_field; /* per place and part: field in this file, or OPS_ABSENT */
	VEC(bool) tensor_adjoins;   /* per place: its seven fields stand side by side */
	struct span *cache;
	struct arena mended; /* texts that had bad bytes */
};

/* ---- storage ---- */

static void *grow_column(void *at, size_t cap, size_t size)
{
	size_t dummy = 0;

	return vec_grow(at, &dummy, cap, size);
}

static void reserve_rows(struct reading *r, size_t rows)
{
	struct ops_table *t = r->t;
	size_t cap = r->row_cap + r->row_cap / 4;

	if (rows <= r->row_cap)
		return;
	if (cap < 256)
		cap = 256;
	if (cap < rows)
		cap = rows;
	for (int i = 0; i < OPS_COLS; i++) {
		struct ops_column *c = &t->column[i];

		if (c->text)
			c->text = grow_column(c->text, cap, sizeof(*c->text));
		if (c->kind) {
			c->value = grow_column(c->value, cap, sizeof(*c->value));
			c->kind = grow_column(c->kind, cap, sizeof(*c->kind));
		}
	}
	vec_each (p, &t->tensor)
		*p = grow_column(*p, cap, sizeof(**p));
	t->row_at = grow_column(t->row_at, cap, sizeof(*t->row_at));
	r->row_cap = cap;
}

static void trim_rows(struct ops_table *t)
{
	size_t cap;

	for (int i = 0; i < OPS_COLS; i++) {
		struct ops_column *c = &t->column[i];
		size_t n = t->rows ? t->rows : 1; /* a column that exists stays non-NULL */

		if (c->text)
			c->text = vec_shrink(c->text, &cap, n, sizeof(*c->text));
		if (c->kind) {
			c->value = vec_shrink(c->value, &cap, n, sizeof(*c->value));
			c->kind = vec_shrink(c->kind, &cap, n, sizeof(*c->kind));
		}
	}
	vec_each (p, &t->tensor)
		*p = vec_shrink(*p, &cap, t->rows ? t->rows : 1, sizeof(**p));
	t->row_at = vec_shrink(t->row_at, &cap, t->rows ? t->rows : 1, sizeof(*t->row_at));
}

/* ---- cells ---- */

static void fault(struct reading *r, enum ops_fault kind, uint64_t line)
{
	struct ops_fault_count *c = &r->f->fault[kind];

	if (c->count < OPS_FAULT_ROWS)
		c->line[c->count] = line;
	c->count++;
}

static uint32_t string_id(struct reading *r, struct str s, bool stays)
{
	struct ops_table *t = r->t;
	uint32_t id = stays ? intern_add(&t->strings, s) : intern_copy(&t->strings, s);

	if (id == t->string_kind.len) {
		union cell unused;

		*vec_push(&t->string_kind) = (uint8_t)t->rules->classify(s, &unused);
	}
	return id;
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

static uint32_t tensor_of_parts(struct reading *r, size_t place)
{
	const uint16_t *fields = &r->tensor_field.at[place * TENSOR_PARTS];
	struct tensor tensor;

	for (int p = 0; p < TENSOR_PARTS; p++) {
		uint16_t f = fields[p];

		tensor.text[p] = f == OPS_ABSENT ? 0 : string_id(r, field(r, f), field_stays(r, f));
	}
	return tensor_set_add(&r->t->tensors, &tensor);
}

static uint32_t tensor_at(struct reading *r, size_t place)
{
	size_t first = r->tensor_field.at[place * TENSOR_PARTS];
	size_t last = first + TENSOR_PARTS - 1;
	struct span *slot;
	struct str bytes;

	if (!r->tensor_adjoins.at[place] || !field_stays(r, first) || !field_stays(r, last))
		return tensor_of_parts(r, place);
	bytes.at = field(r, first).at;
	/* Bytes mean the same again only where no quote outside of them changes what they are. */
	if (r->csv.quote_unclosed || (bytes.at > r->csv.data.at && bytes.at[-1] == '"'))
		return tensor_of_parts(r, place);
	bytes.len = (size_t)(field(r, last).at + field(r, last).len - bytes.at);
	if (bytes.len == TENSOR_PARTS - 1)
		return 0; /* six commas */
	slot = &r->cache[str_hash(bytes) & (SPAN_CACHE - 1)];
	if (!str_eq(slot->bytes, bytes)) {
		slot->tensor = tensor_of_parts(r, place);
		slot->bytes = bytes;
	}
	return slot->tensor;
}

/* Marks, for each part, that a cell of this kind was seen: 8 bits a part. */
static uint64_t kinds_of(const struct ops_table *t, uint32_t tensor)
{
	const struct tensor *x = &t->tensors.all.at[tensor];
	uint64_t kinds = 0;

	for (int p = 0; p < TENSOR_PARTS; p++)
		kinds |= 1ull << t->string_kind.at[x->text[p]] << (8 * p);
	return kinds;
}

static void run_plan(struct reading *r, size_t row)
{
	struct ops_table *t = r->t;

	vec_each (s, &r->plan) {
		struct ops_column *c = s->action == TAKE_TENSOR ? NULL : &t->column[s->to];

		switch (s->action) {
		case TAKE_TEXT:
			c->text[row] = string_id(r, field(r, s->field), field_stays(r, s->field));
			r->f->seen[s->to] |= (uint8_t)(1u << t->string_kind.at[c->text[row]]);
			break;
		case TAKE_NUM:
			c->kind[row] = (uint8_t)number(r, field(r, s->field), &c->value[row]);
			r->f->seen[s->to] |= (uint8_t)(1u << c->kind[row]);
			break;
		case TAKE_TENSOR: {
			uint32_t n = tensor_at(r, s->to);

			t->tensor.at[s->to][row] = n;
			r->f->tensor_seen.at[s->to] |= kinds_of(t, n);
			break;
		}
		}
	}
}

/* ---- rows ---- */

/* Fields with bytes that are not text are replaced by mended copies. */
static void mend_bytes(struct reading *r)
{
	bool bad = false;

	arena_release(&r->mended); /* the texts of the row before */
	for (size_t i = 0; i < r->csv.fields; i++) {
		struct str *s = &r->csv.field[i];
		size_t nul = str_find_char(*s, 0);
		struct buf b = { 0 };

		if (nul != STR_NONE && r->t->rules->nul_ends_field) {
			*s = str_head(*s, nul);
			s->at = arena_dup(&r->mended, s->at,
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
		*s = str_n(arena_dup(&r->mended, b.at ? b.at : "", b.len), b.len);
		buf_release(&b);
	}
	if (bad)
		fault(r, OPS_FAULT_BAD_BYTES, r->csv.line);
}

/* Columns that this file lacks, for its rows. */
static void blank_absent(struct reading *r)
{
	struct ops_table *t = r->t;
	size_t from = r->f->first_row, n = t->rows - from;

	for (int i = 0; i < OPS_COLS; i++) {
		struct ops_column *c = &t->column[i];

		if (r->f->field_of[i] != OPS_ABSENT)
			continue;
		if (c->text)
			memset(c->text + from, 0, n * sizeof(*c->text));
		if (c->kind) {
			memset(c->kind + from, CELL_NONE, n * sizeof(*c->kind));
			memset(c->value + from, 0, n * sizeof(*c->value));
		}
	}
	for (size_t p = 0; p < t->places.len; p++)
		if (!r->f->tensor_parts.at[p])
			memset(t->tensor.at[p] + from, 0, n * sizeof(**t->tensor.at));
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
			mend_bytes(r);
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
		reserve_rows(r, t->rows + 1);
		t->row_at[t->rows] = r->csv.row_at;
		run_plan(r, t->rows);
		t->rows++;
	}
	f->rows = t->rows - f->first_row;
	if (input_shrunk(&f->in))
		fault(r, OPS_FAULT_SHRUNK, 0);
	if (f->in.cut_short)
		fault(r, OPS_FAULT_CUT_SHORT, 0);
	blank_absent(r);
}

/* ---- the header ---- */

static void store_column(struct reading *r, enum ops_col col)
{
	struct ops_column *c = &r->t->column[col];
	size_t cap = r->row_cap ? r->row_cap : 1, before = r->f->first_row;

	if (c->text || c->kind)
		return;
	if (ops_col_info[col].type == OPS_TYPE_TEXT) {
		c->text = grow_column(NULL, cap, sizeof(*c->text));
		memset(c->text, 0, before * sizeof(*c->text));
		return;
	}
	c->value = grow_column(NULL, cap, sizeof(*c->value));
	c->kind = grow_column(NULL, cap, sizeof(*c->kind));
	memset(c->value, 0, before * sizeof(*c->value));
	memset(c->kind, CELL_NONE, before * sizeof(*c->kind));
}

static size_t store_place(struct reading *r, struct tensor_place place)
{
	struct ops_table *t = r->t;
	size_t n = ops_place(t, place.output, place.index);
	uint32_t *numbers;

	if (n != SIZE_MAX)
		return n;
	numbers = grow_column(NULL, r->row_cap ? r->row_cap : 1, sizeof(*numbers));
	memset(numbers, 0, r->f->first_row * sizeof(*numbers));
	*vec_push(&t->places) = place;
	*vec_push(&t->tensor) = numbers;
	return t->places.len - 1;
}

static void reserve_place(struct reading *r, size_t place)
{
	while (r->f->tensor_parts.len <= place) {
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

static void plan_tensor(struct reading *r, struct tensor_place where, enum tensor_part part,
			size_t at)
{
	size_t place = store_place(r, where);

	reserve_place(r, place);
	/* A column counts once.  Should a file have INPUT_0_W and INPUT_0_W_PAD[LOGICAL], the newer form
	 * does: whoever writes it knows more. */
	if (r->f->tensor_parts.at[place] & 1u << part &&
	    (!is_padded(r->f->names.at[at]) ||
	     is_padded(r->f->names.at[r->tensor_field.at[place * TENSOR_PARTS + part]])))
		return;
	r->f->tensor_parts.at[place] |= (uint8_t)(1u << part);
	r->tensor_field.at[place * TENSOR_PARTS + part] = (uint16_t)at;
}

static bool adjoins(const struct reading *r, size_t place)
{
	const uint16_t *fields = &r->tensor_field.at[place * TENSOR_PARTS];

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
		struct tensor_place where;
		enum tensor_part part;

		if (col != OPS_COLS && f->field_of[col] == OPS_ABSENT) {
			f->field_of[col] = (uint16_t)i;
			if (!r->wanted[col])
				continue;
			store_column(r, col);
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
	if (r->t->places.len)
		reserve_place(r, r->t->places.len - 1);
	for (size_t p = 0; p < r->t->places.len; p++) {
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
		mend_bytes(r);
	for (size_t i = 0; i < r->csv.fields; i++) {
		struct str s = r->csv.field[i];

		/* kept for as long as the table lives, through its own strings if need be */
		*vec_push(&f->names) =
			intern_get(&r->t->strings, string_id(r, s, csv_field_stays(&r->csv, i)));
	}
	for (int i = 0; i < OPS_COLS; i++)
		f->field_of[i] = OPS_ABSENT;
	return TTP_OK;
}

static enum ttp_rc read_file(struct reading *r, const char *path, const struct ops_want *want,
			     struct ttp_err *e)
{
	enum ttp_rc rc;

	r->f = vec_push(&r->t->files);
	*r->f = (struct ops_file){ .first_row = r->t->rows };
	r->f->in.slot = -1;
	rc = input_open_if(&r->f->in, path, input_is_table, e);
	if (rc)
		return rc;
	csv_reader_init(&r->csv, r->f->in.data);
	rc = read_header(r, e);
	if (!rc) {
		memset(r->cache, 0, SPAN_CACHE * sizeof(*r->cache));
		make_plan(r, want);
		read_rows(r);
	}
	csv_reader_release(&r->csv);
	return rc;
}

enum ttp_rc ops_table_read(struct ops_table *t, const char *const *paths, size_t count,
			   const struct ops_want *want, const struct ops_rules *rules,
			   struct ttp_err *e)
{
	struct reading r = { .t = t };
	enum ttp_rc rc = TTP_OK;

	*t = (struct ops_table){ .rules = rules };
	for (size_t i = 0; i < want->count; i++)
		r.wanted[want->cols[i]] = true;
	r.cache = mem_alloc(SPAN_CACHE, sizeof(*r.cache));
	string_id(&r, str_n("", 0), false);
	tensor_set_add(&t->tensors, &(struct tensor){ 0 });
	for (size_t i = 0; i < count && !rc; i++)
		rc = read_file(&r, paths[i], want, e);
	trim_rows(t);
	free(r.cache);
	arena_release(&r.mended);
	vec_release(&r.plan);
	vec_release(&r.tensor_field);
	vec_release(&r.tensor_adjoins);
	if (rc)
		ops_table_release(t);
	return rc;
}
