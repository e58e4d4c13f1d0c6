// SPDX-License-Identifier: Apache-2.0
#include "report/label.h"

#include <math.h>

#include "base/number.h"
#include "report/steps.h"

static struct str short_type(struct str type)
{
	static const struct {
		struct str name, text;
	} types[] = {
		{ STR_INIT("BFLOAT16"), STR_INIT("BF16") },
		{ STR_INIT("BFLOAT8_B"), STR_INIT("BFP8") },
		{ STR_INIT("BFLOAT4_B"), STR_INIT("BFP4") },
		{ STR_INIT("FLOAT32"), STR_INIT("FP32") },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(type, types[i].name))
			return types[i].text;
	return type;
}

static struct str part(const struct ops_table *t, const struct tensor *x, enum tensor_part p)
{
	return x ? ops_string(t, x->text[p]) : str_n("", 0);
}

/* Padded sizes without leading ones: " 3200 x 1536"; nothing when they can't be read. */
static void add_dims(struct buf *b, const struct ops_table *t, const struct tensor *x)
{
	bool started = false;

	for (int i = 0; i < 4; i++) {
		int64_t padded, logical;

		if (!tensor_dim(part(t, x, (enum tensor_part)(TENSOR_W + i)), &padded, &logical))
			return;
		if (!started && padded == 1 && i < 2)
			continue;
		buf_text(b, started ? " x " : " ");
		buf_add_i64(b, padded);
		started = true;
	}
}

static const struct tensor *first_tensor(const struct ops_table *t, size_t row)
{
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, false, 0), row);

	return x ? x : ops_tensor(t, ops_tensor_slot(t, true, 0), row);
}

/* A name of megabytes is damage; what one can read of it is enough. */
static void add_name(struct buf *b, struct str name)
{
	enum { LONGEST = 200 };
	size_t cut = LONGEST;

	if (name.len <= LONGEST) {
		buf_str(b, name);
		return;
	}
	while (cut && ((unsigned char)name.at[cut] & 0xC0) == 0x80)
		cut--; /* not inside a character */
	buf_str(b, str_head(name, cut));
	buf_text(b, "…");
}

void label_op(struct buf *b, const struct ops_table *t, const struct kind *k)
{
	const struct shape *s = &k->roof.shape;
	struct str name = op_short_name(str_trim(ops_text(t, OPS_OP_CODE, k->row)));
	const struct tensor *x;

	if (name.len)
		add_name(b, name);
	else
		buf_text(b, "(no name)");
	if (row_is_marker(t, k->row, &name)) {
		buf_char(b, ' ');
		add_name(b, name);
		return;
	}
	if (s->m) {
		buf_char(b, ' ');
		if (s->batch > 1) {
			buf_add_i64(b, s->batch);
			buf_text(b, " x ");
		}
		buf_add_i64(b, s->m);
		buf_text(b, " x ");
		buf_add_i64(b, s->k);
		buf_text(b, " x ");
		buf_add_i64(b, s->n);
		return;
	}
	x = first_tensor(t, k->row);
	if (x)
		add_dims(b, t, x);
}

void label_types(struct buf *b, const struct ops_table *t, const struct kind *k)
{
	struct str fidelity = ops_text(t, OPS_MATH_FIDELITY, k->row);
	const struct tensor *in0 = ops_tensor(t, ops_tensor_slot(t, false, 0), k->row);
	const struct tensor *in1 = ops_tensor(t, ops_tensor_slot(t, false, 1), k->row);
	const struct tensor *out = ops_tensor(t, ops_tensor_slot(t, true, 0), k->row);
	struct str from = short_type(part(t, in0, TENSOR_DATATYPE));
	struct str by = short_type(part(t, in1, TENSOR_DATATYPE));
	struct str to = short_type(part(t, out, TENSOR_DATATYPE));

	buf_str(b, fidelity);
	if (fidelity.len && (from.len || to.len))
		buf_char(b, ' ');
	buf_str(b, from);
	if (from.len && by.len && k->roof.work.family == FAMILY_MATMUL) {
		buf_text(b, " x ");
		buf_str(b, by);
	}
	if (to.len && !str_eq(from, to)) {
		buf_text(b, from.len ? " > " : "");
		buf_str(b, to);
	}
}

void label_alike(struct buf *b, const struct ops_table *t, const struct kind *k)
{
	label_op(b, t, k);
	buf_char(b, ' ');
	label_types(b, t, k);
	buf_printf(b, " %.0f", k->roof.cores);
}

/* "DEV_1_L1_HEIGHT_SHARDED" without the device */
static struct str memory_kind(struct str memory)
{
	size_t cut;

	if (!str_starts(memory, STR("DEV_")))
		return memory;
	cut = str_find_char(str_from(memory, 4), '_');
	return cut == STR_NONE ? memory : str_from(memory, 4 + cut + 1);
}

void label_memory(struct buf *b, const struct ops_table *t, const struct kind *k)
{
	const struct tensor *x = first_tensor(t, k->row);
	struct str memory = memory_kind(part(t, x, TENSOR_MEMORY));

	for (size_t i = 0; i < memory.len; i++) {
		char c = memory.at[i];

		buf_char(b, c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c | 32) : c);
	}
}

void label_tensor(struct buf *b, const struct ops_table *t, const struct tensor *x)
{
	for (int i = 0; i < 4; i++) {
		struct str side = part(t, x, (enum tensor_part)(TENSOR_W + i));
		int64_t padded, logical;

		if (i)
			buf_text(b, " x ");
		if (tensor_dim(side, &padded, &logical) && padded == logical)
			buf_add_i64(b, padded);
		else
			buf_str(b, side);
	}
	buf_char(b, ' ');
	buf_str(b, part(t, x, TENSOR_DATATYPE));
	buf_char(b, ' ');
	buf_str(b, part(t, x, TENSOR_LAYOUT));
	buf_char(b, ' ');
	buf_str(b, memory_kind(part(t, x, TENSOR_MEMORY)));
}

void label_ns(struct buf *b, double ns)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, " s" }, { 1e6, " ms" }, { 1e3, " µs" }, { 1, " ns" } };
	double size = fabs(ns);
	size_t i = 0;

	while (i < 3 && size < units[i].ns * 0.9995)
		i++;
	size /= units[i].ns;
	number_fixed(b, ns / units[i].ns,
		     units[i].ns <= 1 || size >= 99.95 ? 0
		     : size >= 9.995                   ? 1
						       : 2,
		     0);
	buf_text(b, units[i].unit);
}

uint64_t program_number(uint32_t device, uint64_t run_id)
{
	return run_id & 0x3ff & ~(uint64_t)device ? run_id : run_id >> 10;
}

void label_number(struct buf *b, uint32_t device, uint64_t run_id)
{
	if (run_id)
		buf_printf(b, "program %llu", (unsigned long long)program_number(device, run_id));
	else
		buf_text(b, "no op");
}

void label_call(struct buf *b, const struct ops_table *t, const struct calls *c,
		const struct call *call)
{
	const struct kind *k = call_kind(c, call);
	uint64_t program = k->unnamed ? row_program(t, call->row) : 0;

	if (program)
		buf_printf(b, "program %llu", (unsigned long long)program);
	else
		label_op(b, t, k);
}

void label_gap(struct buf *b, const struct ops_table *t, const struct calls *c,
	       const struct call *call)
{
	label_call(b, t, c, call);
	if (call_builds(call))
		buf_text(b, ", building programs");
	else if (call->flags & CALL_PAUSE)
		buf_text(b, ", a pause");
	if (call_gap_zone(c, call).len) {
		buf_text(b, ", in ");
		add_name(b, call_gap_zone(c, call));
	}
}
