// SPDX-License-Identifier: Apache-2.0
/* What to do about the ops that could be faster. */
#include "base/number.h"
#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/py.h"

static const double gap_high_us = 6.5, gap_normal_us = 6;
enum { CORES_FULL = 64 };

/* ---- is the fidelity right? ---- */

enum { MANTISSA_UNKNOWN = -1, MANTISSA_INTEGER = -2 };

static int mantissa_bits(struct str type)
{
	static const struct {
		struct str name;
		int bits;
	} types[] = {
		{ STR_INIT("FLOAT32"), 23 },
		{ STR_INIT("BFLOAT16"), 8 },
		{ STR_INIT("BFLOAT8_B"), 7 },
		{ STR_INIT("BFLOAT4_B"), 3 },
		{ STR_INIT("UINT8"), MANTISSA_INTEGER },
		{ STR_INIT("UINT16"), MANTISSA_INTEGER },
		{ STR_INIT("INT32"), MANTISSA_INTEGER },
		{ STR_INIT("UINT32"), MANTISSA_INTEGER },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(type, types[i].name))
			return types[i].bits;
	return MANTISSA_UNKNOWN;
}

struct judgement {
	enum verdict verdict;
	const char *text;
};

static const char f3[] =
	"HiFi2 may also work, it discards the lowest bit of the activations and has 2x the throughput of HiFi4";
static const char f4[] =
	"If your matmuls are not FLOP-bound use HiFi4 with BF16 activations for full accuracy";
static const char f5[] = "Use HiFi2 or HiFi4 with BF16 activations for improved accuracy";
static const char f6[] = ""; /* the release's own words */
static const char f6_hifi3[] =
	"HiFi2 is very likely to work for BFP4 output and has higher throughput than HiFi3";
static const char f7[] =
	"LoFi might also be sufficient with BFP4 output and has almost 2x the throughput of HiFi2";
static const char f8[] =
	"HiFi2 may give better accuracy for large matmuls with many intermediate accumulations";
static const char f9[] =
	"HiFi2 is sufficient for BFP8 multiplication and has 2x the throughput of HiFi4";
static const char f9_hifi3[] =
	"HiFi2 is sufficient for BFP8 multiplication and has higher throughput than HiFi3";
static const char f10[] =
	"HiFi2 is recommended for accuracy; LoFi discards the lowest 2 bits of the weights";
static const char f11[] =
	"HiFi2 may give slightly better accuracy for large matmuls with many intermediate accumulations";
static const char f12[] = "LoFi is sufficient with BFP4 weights, use it for much higher throughput";

/* The first line that fits counts.  -1: any; in1 and out are "at least". */
static const struct {
	int in0, in1_min, out_min;
	struct judgement by_fidelity[FIDELITY_UNKNOWN];
} judgements[] = {
	{ 8,
	  -1,
	  7,
	  { { VERDICT_SUFFICIENT, f3 },
	    { VERDICT_TOO_LOW, f4 },
	    { VERDICT_TOO_LOW, f4 },
	    { VERDICT_TOO_LOW, f5 } } },
	{ 8,
	  -1,
	  3,
	  { { VERDICT_TOO_HIGH, f6 },
	    { VERDICT_TOO_HIGH, f6_hifi3 },
	    { VERDICT_SUFFICIENT, f7 },
	    { VERDICT_TOO_LOW, f8 } } },
	{ -1,
	  7,
	  7,
	  { { VERDICT_TOO_HIGH, f9 },
	    { VERDICT_TOO_HIGH, f9_hifi3 },
	    { VERDICT_SUFFICIENT, NULL },
	    { VERDICT_TOO_LOW, f10 } } },
	{ -1,
	  7,
	  3,
	  { { VERDICT_TOO_HIGH, f9 },
	    { VERDICT_TOO_HIGH, f9_hifi3 },
	    { VERDICT_SUFFICIENT, f7 },
	    { VERDICT_TOO_LOW, f11 } } },
	{ -1,
	  3,
	  3,
	  { { VERDICT_TOO_HIGH, f12 },
	    { VERDICT_TOO_HIGH, f12 },
	    { VERDICT_TOO_HIGH, f12 },
	    { VERDICT_SUFFICIENT, NULL } } },
};

static enum fidelity fidelity_named(const struct compat_version *v, struct str s)
{
	return str_eq(s, STR("HiFi4"))                                             ? FIDELITY_HIFI4
	       : str_eq(s, STR("HiFi3")) && v->archs[0].tflops[FIDELITY_HIFI3] > 0 ? FIDELITY_HIFI3
	       : str_eq(s, STR("HiFi2"))                                           ? FIDELITY_HIFI2
	       : str_eq(s, STR("LoFi"))                                            ? FIDELITY_LOFI
					: FIDELITY_UNKNOWN;
}

enum verdict compat_fidelity_verdict(const struct compat_run *r, size_t row, struct buf *text)
{
	enum fidelity fidelity = fidelity_named(r->v, ops_text(&r->t, OPS_MATH_FIDELITY, row));
	struct str type[3];
	int bits[3];

	for (int p = IN0; p <= OUT0; p++) {
		uint32_t id = compat_tensor_part(r, p, TENSOR_DATATYPE, row);

		type[p] = id ? ops_string(&r->t, id) : STR("nan");
		bits[p] = mantissa_bits(type[p]);
	}
	for (int p = IN0; p <= OUT0; p++)
		if (bits[p] == MANTISSA_INTEGER) {
			if (text)
				buf_text(
					text,
					"Fidelity evaluation is not applicable for integer datatypes (UINT8, UINT16, INT32, UINT32).");
			return VERDICT_NOT_APPLICABLE;
		}
	for (int p = IN0; p <= OUT0; p++)
		if (bits[p] == MANTISSA_UNKNOWN) {
			if (text)
				buf_printf(
					text,
					"Datatype %.*s is not supported for fidelity evaluation.",
					STR_ARG(type[p]));
			return VERDICT_UNKNOWN;
		}
	if (fidelity == FIDELITY_UNKNOWN)
		return VERDICT_NONE;
	for (size_t i = 0; i < sizeof(judgements) / sizeof(judgements[0]); i++)
		if ((judgements[i].in0 < 0 || bits[IN0] == judgements[i].in0) &&
		    bits[IN1] >= judgements[i].in1_min && bits[OUT0] >= judgements[i].out_min) {
			const struct judgement *j = &judgements[i].by_fidelity[fidelity];

			if (text && j->text)
				buf_text(text, j->text == f6 ? r->v->bfp4_too_high : j->text);
			return j->verdict;
		}
	return VERDICT_NONE;
}

/* ---- items for a matmul ---- */

static void end_item(struct advice *a)
{
	size_t start = a->count ? a->end[a->count - 1] : 0;

	if (a->text.len > start)
		a->end[a->count++] = a->text.len;
}

static void add_item(struct advice *a, const char *text)
{
	buf_text(&a->text, text);
	end_item(a);
}

/* The verdict's text, if the verdict is one of those asked for. */
static void add_verdict(struct advice *a, const struct compat_run *r, const struct op *op, bool any)
{
	size_t start = a->text.len;
	enum verdict v = compat_fidelity_verdict(r, op->row, &a->text);

	if (any || v == VERDICT_TOO_HIGH ||
	    (v == VERDICT_TOO_LOW && op->flops_pct < 40 && op->bound != BOUND_FLOP))
		end_item(a);
	else
		a->text.len = start;
}

static void advise_slow(struct advice *a, struct compat_run *r, const struct op *op)
{
	struct attributes x = compat_attributes(r, op->row);
	uint32_t memory = compat_tensor_part(r, IN0, TENSOR_MEMORY, op->row);
	const uint8_t both = 1 << BLOCK_H | 1 << BLOCK_W;
	long long k = x.block[BLOCK_K], h = x.block[BLOCK_H], w = x.block[BLOCK_W];
	/* since 1.3: the config of a DRAM-sharded matmul has no output subblock */
	bool one_side = r->v->own_budget && op->has & OP_SHARDED;
	size_t before;

	if (memory && !str_has(ops_string(&r->t, memory), STR("L1"))) {
		buf_printf(&a->text, "If possible place input 0 in L1 (currently in %.*s)",
			   STR_ARG(ops_string(&r->t, memory)));
		end_item(a);
	}
	if (!x.has && !one_side) {
		add_item(
			a,
			"No program_config specified, try using one to override in0_block_w and out_subblock_h/w");
		return;
	}
	before = a->count;
	if (!(x.has & 1 << BLOCK_K))
		add_item(a, "No inner dim block size found");
	else if (k < 2)
		buf_printf(&a->text, "in0_block_w=%lld is small, try in0_block_w=2 or above", k);
	end_item(a);
	if (one_side)
		;
	else if ((x.has & both) != both)
		add_item(a, "No output subblock size found");
	else if ((double)h * (double)w < 2)
		buf_printf(
			&a->text,
			"Output subblock %lldx%lld is small, try out_subblock_h * out_subblock_w >= 2 if possible",
			h, w);
	end_item(a);
	if (a->count == before && one_side)
		buf_printf(&a->text, "in0_block_w=%lld looks good \xF0\x9F\xA4\xB7", k);
	else if (a->count == before)
		buf_printf(
			&a->text,
			"in0_block_w=%lld and output subblock %lldx%lld look good \xF0\x9F\xA4\xB7",
			k, h, w);
	end_item(a);
	add_verdict(a, r, op, true);
}

static bool is_sparse(const struct compat_run *r, const struct op *op)
{
	return r->v->sparse && op_name(r, op)->flags & TEXT_SPARSE;
}

static void advise_grid(struct advice *a, const struct compat_run *r, const struct op *op)
{
	bool own = r->v->own_budget;

	if (own ? op->has & OP_SHARDED || op->cores >= op->budget : op->cores >= CORES_FULL)
		return;
	buf_text(&a->text, "Increase grid size (currently using ");
	if (op->has & OP_CORES_FLOAT)
		number_shortest(&a->text, op->cores);
	else
		number_fixed(&a->text, op->cores, 0, 0);
	if (own)
		buf_printf(&a->text, " of %u", op->budget);
	buf_char(&a->text, ')');
	end_item(a);
}

void compat_advice(struct advice *a, struct compat_run *r, const struct op *op)
{
	buf_clear(&a->text);
	a->count = 0;
	if (!(op_name(r, op)->flags & TEXT_MATMUL))
		return;
	if (op->has & OP_NO_NNZ) {
		add_item(
			a,
			"Sparse matmul utilization is omitted because the CSV row has nnz=std::nullopt; pass --active-experts K to model K active experts per input batch group");
		return;
	}
	switch ((enum bound)op->bound) {
	case BOUND_DRAM:
	case BOUND_BOTH:
		if (!(op->has & OP_SHARDED) && !is_sparse(r, op))
			add_item(
				a,
				"Try a DRAM-sharded program config (MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig) to improve throughput further");
		add_verdict(a, r, op, false);
		break;
	case BOUND_FLOP:
		advise_grid(a, r, op);
		add_verdict(a, r, op, false);
		break;
	case BOUND_SLOW:
		advise_slow(a, r, op);
		break;
	case BOUND_BLANK:
	case BOUND_HOST:
		break;
	}
}

/* ---- the section ---- */

static void print_title(struct compat_run *r, const char *title, size_t dashes)
{
	buf_printf(&r->line, "%s\n", title);
	buf_fill(&r->line, '-', dashes);
	buf_char(&r->line, '\n');
}

static void print_row(const struct sheet *t, const struct op *op)
{
	sheet_row(t, op, &t->r->line);
	buf_char(&t->r->line, '\n');
	out_buf(t->r->out, &t->r->line);
}

static void print_fallbacks(const struct sheet *t)
{
	struct compat_run *r = t->r;
	bool any = false;

	vec_each (op, &r->ops)
		if (op_name(r, op)->flags & TEXT_TORCH) {
			if (!any)
				print_title(r, "Fallback", 8);
			any = true;
			print_row(t, op);
		}
	if (any)
		buf_text(&r->line, "\nThese ops should be moved to run on device.\n\n");
	out_buf(r->out, &r->line);
}

static void print_gaps(const struct sheet *t)
{
	struct compat_run *r = t->r;
	struct py_sum excess = { 0 };
	double saved;
	struct buf *b = &r->line;
	bool any = false;

	vec_each (op, &r->ops)
		if (op->has & OP_GAP && op->gap_us > gap_high_us) {
			if (!any)
				print_title(r, "High Op-to-Op Gap", 16);
			any = true;
			print_row(t, op);
		}
	if (!any)
		return;
	vec_each (op, &r->ops)
		if (op->has & OP_GAP && op->gap_us > gap_high_us)
			py_sum_add(&excess, op->gap_us - gap_normal_us);
	saved = py_sum_value(&excess);
	buf_text(
		b,
		"\nThese ops have a >6 \xCE\xBCs gap since the previous operation. Running with tracing could save ");
	number_fixed(b, saved, 0, 0);
	buf_text(b, " \xCE\xBCs (");
	number_fixed(b, saved / r->total_us * 100, 1, 0);
	buf_text(b, "% of overall time)\n");
	buf_printf(
		b,
		"Alternatively ensure device is not waiting for the host%s. Experts can try moving runtime args in the kernels to compile-time args.\n\n",
		r->v->gap_hint);
	out_buf(r->out, b);
}

static void print_matmuls(const struct sheet *t)
{
	struct compat_run *r = t->r;
	struct advice a = { 0 };
	bool any = false;

	vec_each (op, &r->ops) {
		enum colour c;
		size_t start = 0;
		SCOPED(buf) struct buf item = { 0 };

		if (!(op_name(r, op)->flags & TEXT_MATMUL))
			continue;
		if (!any)
			print_title(r, "Matmul Optimization", 19);
		any = true;
		print_row(t, op);
		c = compat_is_muted(r, op) ? COLOUR_GREY : COLOUR_WHITE;
		compat_advice(&a, r, op);
		for (size_t i = 0; i < a.count; i++) {
			buf_set_str(&item, STR("- "));
			buf_add(&item, a.text.at + start, a.end[i] - start);
			compat_colour(r, &r->line, c, buf_view(&item));
			buf_char(&r->line, '\n');
			start = a.end[i];
		}
		if (!a.count) {
			compat_colour(r, &r->line, c, STR("\xE2\x9C\x85 Optimized"));
			buf_char(&r->line, '\n');
		}
		buf_char(&r->line, '\n');
		out_buf(r->out, &r->line);
	}
	buf_release(&a.text);
}

void compat_print_advice(const struct sheet *t)
{
	struct buf *b = &t->r->line;

	buf_set_str(b, STR("\n\xF0\x9F\x92\xA1 Advice \xF0\x9F\x92\xA1\n============\n\n"));
	print_fallbacks(t);
	print_gaps(t);
	print_matmuls(t);
}
