// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_builder.h"

void ops_builder_init(struct ops_builder *b, struct ops_table *t, const struct ops_rules *rules)
{
	*t = (struct ops_table){ .rules = rules };
	*b = (struct ops_builder){ .t = t };
	(void)ops_builder_string(b, str_n("", 0), false);
	tensor_set_add(&t->tensors, &(struct tensor){ 0 });
}

struct ops_file *ops_builder_file(struct ops_builder *b)
{
	struct ops_file *f = vec_push(&b->t->files);

	*f = (struct ops_file){ .first_row = b->t->rows };
	f->in.slot = -1;
	for (int i = 0; i < OPS_COLS; i++)
		f->field_of[i] = OPS_ABSENT;
	b->f = f;
	return f;
}

/* ---- storage ---- */

enum { DOUBLE_BELOW_ROWS = 16384 };

static void *grow_column(void *at, size_t cap, size_t size)
{
	size_t dummy = 0;

	return vec_grow(at, &dummy, cap, size);
}

static void grow_cells(struct ops_column *c, size_t cap)
{
	if (c->text)
		c->text = grow_column(c->text, cap, sizeof(*c->text));
	if (c->kind) {
		c->value = grow_column(c->value, cap, sizeof(*c->value));
		c->kind = grow_column(c->kind, cap, sizeof(*c->kind));
	}
}

void ops_builder_reserve(struct ops_builder *b, size_t rows)
{
	struct ops_table *t = b->t;
	/* small tables double; in large ones every byte per row counts */
	size_t cap = b->row_cap < DOUBLE_BELOW_ROWS ? 2 * b->row_cap : b->row_cap + b->row_cap / 4;

	if (rows <= b->row_cap)
		return;
	if (cap < 256)
		cap = 256;
	if (cap < rows)
		cap = rows;
	for (int i = 0; i < OPS_COLS; i++)
		grow_cells(&t->column[i], cap);
	vec_each (c, &t->extra)
		grow_cells(c, cap);
	vec_each (p, &t->tensor)
		*p = grow_column(*p, cap, sizeof(**p));
	t->row_at = grow_column(t->row_at, cap, sizeof(*t->row_at));
	b->row_cap = cap;
}

static void trim_cells(struct ops_column *c, size_t n)
{
	size_t cap;

	if (c->text)
		c->text = vec_shrink(c->text, &cap, n, sizeof(*c->text));
	if (c->kind) {
		c->value = vec_shrink(c->value, &cap, n, sizeof(*c->value));
		c->kind = vec_shrink(c->kind, &cap, n, sizeof(*c->kind));
	}
}

/* ---- kinds of rows ---- */

enum { TEXT_KNOWN = 1, TEXT_DEVICE = 2, TEXT_SIGNPOST = 4, TEXT_TORCH = 8 };

/* What a cell's text has in it; each text is searched once, as it stands in many rows. */
static uint8_t words_in(const struct ops_table *t, enum ops_col col, size_t row, uint8_t *known)
{
	uint8_t *words = &known[t->column[col].text ? t->column[col].text[row] : 0];
	struct str s;

	if (*words)
		return *words;
	s = ops_text(t, col, row);
	*words = TEXT_KNOWN;
	if (!s.len || str_has(s, STR("device")))
		*words |= TEXT_DEVICE;
	if (str_has(s, STR("signpost")))
		*words |= TEXT_SIGNPOST;
	if (str_has(s, STR("(torch)")))
		*words |= TEXT_TORCH;
	return *words;
}

static void find_row_kinds(struct ops_table *t)
{
	SCOPED(mem) uint8_t *known = mem_zero(intern_count(&t->strings) + 1, 1);
	const uint8_t *session = t->column[OPS_SESSION_ID].kind;

	t->row_kind = mem_zero(t->rows + 1, 1);
	for (size_t row = 0; row < t->rows; row++) {
		uint8_t type = words_in(t, OPS_OP_TYPE, row, known);
		uint8_t code = words_in(t, OPS_OP_CODE, row, known);

		if (type & TEXT_DEVICE && !(code & TEXT_TORCH))
			t->row_kind[row] |= OPS_ROW_DEVICE_OP;
		if (type & TEXT_SIGNPOST)
			t->row_kind[row] |= OPS_ROW_SIGNPOST;
		if (session && session[row] != CELL_NONE)
			t->row_kind[row] |= OPS_ROW_REPLAY;
	}
}

void ops_builder_finish(struct ops_builder *b)
{
	struct ops_table *t = b->t;
	size_t n = t->rows ? t->rows : 1; /* a column that exists stays non-NULL */
	size_t cap;

	for (int i = 0; i < OPS_COLS; i++)
		trim_cells(&t->column[i], n);
	vec_each (c, &t->extra)
		trim_cells(c, n);
	vec_each (p, &t->tensor)
		*p = vec_shrink(*p, &cap, n, sizeof(**p));
	t->row_at = vec_shrink(t->row_at, &cap, n, sizeof(*t->row_at));
	find_row_kinds(t);
}

static void store_numbers(struct ops_column *c, size_t cap, size_t before)
{
	c->value = grow_column(NULL, cap, sizeof(*c->value));
	c->kind = grow_column(NULL, cap, sizeof(*c->kind));
	memset(c->value, 0, before * sizeof(*c->value));
	memset(c->kind, CELL_NONE, before * sizeof(*c->kind));
}

void ops_builder_store(struct ops_builder *b, enum ops_col col)
{
	struct ops_column *c = &b->t->column[col];
	size_t cap = b->row_cap ? b->row_cap : 1, before = b->f->first_row;

	if (c->text || c->kind)
		return;
	if (ops_col_info[col].type == OPS_TYPE_NUM) {
		store_numbers(c, cap, before);
		return;
	}
	c->text = grow_column(NULL, cap, sizeof(*c->text));
	memset(c->text, 0, before * sizeof(*c->text));
}

size_t ops_builder_store_extra(struct ops_builder *b)
{
	struct ops_column *c = vec_push(&b->t->extra);

	*c = (struct ops_column){ 0 };
	store_numbers(c, b->row_cap ? b->row_cap : 1, b->f->first_row);
	return b->t->extra.len - 1;
}

size_t ops_builder_store_tensor(struct ops_builder *b, struct tensor_slot slot)
{
	struct ops_table *t = b->t;
	size_t n = ops_tensor_slot(t, slot.output, slot.index);
	uint32_t *numbers;

	if (n != SIZE_MAX)
		return n;
	numbers = grow_column(NULL, b->row_cap ? b->row_cap : 1, sizeof(*numbers));
	memset(numbers, 0, b->f->first_row * sizeof(*numbers));
	*vec_push(&t->tensor_slots) = slot;
	*vec_push(&t->tensor) = numbers;
	return t->tensor_slots.len - 1;
}

/* ---- cells ---- */

uint32_t ops_builder_string(struct ops_builder *b, struct str s, bool stays)
{
	struct ops_table *t = b->t;
	uint32_t id = stays ? intern_add(&t->strings, s) : intern_copy(&t->strings, s);

	if (id == t->string_kind.len) {
		union cell unused;

		*vec_push(&t->string_kind) = (uint8_t)t->rules->classify(s, &unused);
	}
	return id;
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

void ops_builder_tensor(struct ops_builder *b, size_t slot, uint32_t tensor)
{
	b->t->tensor.at[slot][b->t->rows] = tensor;
	b->f->tensor_seen.at[slot] |= kinds_of(b->t, tensor);
}

void ops_builder_end_file(struct ops_builder *b)
{
	struct ops_table *t = b->t;
	size_t from = b->f->first_row, n = t->rows - from;

	b->f->rows = n;
	for (int i = 0; i < OPS_COLS; i++) {
		struct ops_column *c = &t->column[i];

		if (b->f->field_of[i] != OPS_ABSENT)
			continue;
		if (c->text)
			memset(c->text + from, 0, n * sizeof(*c->text));
		if (c->kind) {
			memset(c->kind + from, CELL_NONE, n * sizeof(*c->kind));
			memset(c->value + from, 0, n * sizeof(*c->value));
		}
	}
	for (size_t p = 0; p < t->tensor_slots.len; p++)
		if (!b->f->tensor_parts.at[p])
			memset(t->tensor.at[p] + from, 0, n * sizeof(**t->tensor.at));
}
