// SPDX-License-Identifier: Apache-2.0
#include "report/roofline.h"

#include "base/number.h"

enum {
	/* Bytes per clock between L1 and the matrix engine, each way: 4 packers of 16 bytes; the
	 * unpackers' fastest mode is the same (tt-isa-documentation WormholeB0, Unpackers/Packers). */
	UNPACK_BYTES = 64,
	NOCS = 2,
	/* Of one side of a tensor, and cores of a chip: what is larger is no size but damage, and would
	 * overflow products. */
	SIDE_MAX = 1 << 28,
	CORES_MAX = 1 << 20,
};

const char *roof_name(enum roof r)
{
	static const char *const names[ROOFS] = { "DRAM", "FLOP", "L1", "ETH" };

	return names[r];
}

/* A block of 16 elements shares one exponent byte: 1088 and 576 bytes a tile of 1024. */
double datatype_bytes(struct str datatype)
{
	static const struct {
		struct str name;
		double bytes;
	} types[] = {
		{ STR_INIT("BFLOAT16"), 2 },
		{ STR_INIT("BFLOAT8_B"), 1088.0 / 1024 },
		{ STR_INIT("FLOAT32"), 4 },
		{ STR_INIT("BFLOAT4_B"), 576.0 / 1024 },
		{ STR_INIT("UINT32"), 4 },
		{ STR_INIT("INT32"), 4 },
		{ STR_INIT("UINT16"), 2 },
		{ STR_INIT("UINT8"), 1 },
		{ STR_INIT("BFLOAT2_B"), 320.0 / 1024 },
		{ STR_INIT("FP8_E4M3"), 1 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(datatype, types[i].name))
			return types[i].bytes;
	return 0;
}

static bool in_key(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool attribute(struct str attributes, struct str key, struct str *value)
{
	for (struct str rest = attributes;;) {
		size_t at = str_find(rest, key);
		size_t end;

		if (at == STR_NONE)
			return false;
		/* not the tail of a longer key */
		if (at && in_key(rest.at[at - 1])) {
			rest = str_from(rest, at + key.len);
			continue;
		}
		rest = str_from(rest, at + key.len);
		if (str_starts(rest, STR("': '")))
			rest = str_from(rest, 4);
		else if (str_starts(rest, STR("=")))
			rest = str_from(rest, 1);
		else
			continue;
		for (end = 0; end < rest.len && !strchr(";'})", rest.at[end]); end++)
			;
		*value = str_head(rest, end);
		return true;
	}
}

static int64_t attribute_i64(struct str attributes, struct str key)
{
	struct str text;
	int64_t v;

	return attribute(attributes, key, &text) && number_i64(text, &v) && v > 0 ? v : 0;
}

static bool attribute_true(struct str attributes, struct str key)
{
	struct str text;

	return attribute(attributes, key, &text) &&
	       (str_eq(text, STR("true")) || str_eq(text, STR("1")));
}

/* ---- tensors ---- */

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct dims {
	int64_t padded[4], logical[4]; /* W Z Y X */
	double bytes;                  /* of the padded tensor */
	struct str memory;
	bool there;
};

static struct dims dims_of(const struct ops_table *t, size_t place, size_t row)
{
	const struct tensor *x = ops_tensor(t, place, row);
	struct dims d = { 0 };
	double elements = 1;

	if (!x)
		return d;
	d.there = true;
	for (int i = 0; i < 4; i++) {
		if (!tensor_dim(ops_string(t, x->text[TENSOR_W + i]), &d.padded[i],
				&d.logical[i]) ||
		    d.padded[i] < 0 || d.padded[i] > SIDE_MAX)
			return (struct dims){ 0 };
		elements *= (double)d.padded[i];
	}
	d.bytes = elements * datatype_bytes(ops_string(t, x->text[TENSOR_DATATYPE]));
	d.memory = ops_string(t, x->text[TENSOR_MEMORY]);
	return d;
}

static struct dims input(const struct ops_table *t, unsigned i, size_t row)
{
	return dims_of(t, ops_tensor_slot(t, false, i), row);
}

static double volume(const int64_t d[4])
{
	return (double)d[0] * (double)d[1] * (double)d[2] * (double)d[3];
}

static void count_bytes(struct shape *s, const struct dims *d, double bytes, bool output)
{
	if (str_has(d->memory, STR("DRAM")))
		s->dram_bytes += bytes;
	else if (str_has(d->memory, STR("L1")))
		s->l1_bytes += bytes;
	else
		s->host_bytes += bytes;
	*(output ? &s->out_bytes : &s->in_bytes) += bytes;
	if (!str_has(d->memory, STR("L1")) || !str_has(d->memory, STR("SHARDED")))
		s->local = false;
}

/* The part of a tensor that is moved when `elements` of it are. */
static double bytes_of(const struct dims *d, double elements)
{
	double all = volume(d->padded);

	return elements < all ? d->bytes * elements / all : d->bytes;
}

/*
 * Of a sparse product (SparseMatmul, a mixture of experts): the part of its matrices that takes part, of which `nnz` says how many there are.  1: all.
 */
static double active_part(const struct ops_table *t, size_t row, struct str attributes)
{
	struct dims a = input(t, 0, row), b = input(t, 1, row);
	int64_t nnz = attribute_i64(attributes, STR("nnz")), all;

	if (!nnz || !a.there || !b.there ||
	    (!attribute_true(attributes, STR("is_input_a_sparse")) &&
	     !attribute_true(attributes, STR("is_input_b_sparse"))))
		return 1;
	all = larger(a.padded[0], b.padded[0]) * larger(a.padded[1], b.padded[1]);
	return nnz < all ? (double)nnz / (double)all : 1;
}

static void measure_tensors(const struct ops_table *t, size_t row, enum traffic traffic,
			    double active, struct shape *s)
{
	struct dims in0 = input(t, 0, row), in1 = input(t, 1, row);
	double written = 0; /* elements */

	s->local = true;
	for (size_t p = 0; p < t->tensor_slots.len; p++)
		if (t->tensor_slots.at[p].output)
			written += volume(dims_of(t, p, row).padded);
	if (traffic == TRAFFIC_IN0_TWICE)
		written = volume(in0.padded);
	else if (traffic == TRAFFIC_IN1_TWICE)
		written = volume(in1.padded);
	for (size_t p = 0; p < t->tensor_slots.len; p++) {
		struct tensor_slot slot = t->tensor_slots.at[p];
		struct dims d = dims_of(t, p, row);
		double bytes = d.bytes;

		if (ops_tensor(t, p, row) && (!d.there || (d.bytes <= 0 && volume(d.padded) > 0)))
			s->odd_tensors++;
		if (!d.there)
			continue;
		s->tensors = true;
		s->padded += volume(d.padded);
		s->logical += volume(d.logical);
		switch (traffic) {
		case TRAFFIC_ALL:
			/* what is not one of the many matrices is needed whole */
			if (d.padded[0] * d.padded[1] > 1)
				bytes *= active;
			break;
		case TRAFFIC_OUT_SIZED:
		case TRAFFIC_IN0_TWICE:
			bytes = bytes_of(&d, written);
			if (traffic == TRAFFIC_IN0_TWICE && !slot.output && slot.index > 0)
				bytes = 0;
			break;
		case TRAFFIC_IN1_TWICE:
			bytes = bytes_of(&d, written);
			if (!slot.output && slot.index != 1)
				bytes = 0;
			break;
		}
		count_bytes(s, &d, bytes, slot.output);
	}
}

/* ---- arithmetic ---- */

static void matmul_flop(const struct ops_table *t, size_t row, struct str attributes, double active,
			struct shape *s)
{
	struct dims a = input(t, 0, row), b = input(t, 1, row);
	bool ta = attribute_true(attributes, STR("transpose_a"));
	bool tb = attribute_true(attributes, STR("transpose_b"));

	if (!a.there || !b.there)
		return;
	s->m = a.padded[ta ? 3 : 2];
	s->k = a.padded[ta ? 2 : 3];
	s->n = b.padded[tb ? 2 : 3];
	s->batch = larger(a.padded[0], b.padded[0]) * larger(a.padded[1], b.padded[1]);
	s->flop = 2.0 * (double)s->m * (double)s->k * (double)s->n * (double)s->batch * active;
}

/* 'window_hw': '(3; 3)' or window_hw=(3;3), or {3; 3} */
static bool window(struct str attributes, int64_t *h, int64_t *w)
{
	size_t at = str_find(attributes, STR("window_hw"));
	int64_t v[2] = { 0, 0 };
	struct str rest;
	size_t i = 0;

	if (at == STR_NONE)
		return false;
	rest = str_head(str_from(attributes, at + 9), 24);
	for (int k = 0; k < 2; k++) {
		while (i < rest.len && (rest.at[i] < '0' || rest.at[i] > '9'))
			i++;
		for (; i < rest.len && rest.at[i] >= '0' && rest.at[i] <= '9' && v[k] < 10000; i++)
			v[k] = v[k] * 10 + (rest.at[i] - '0');
	}
	*h = v[0];
	*w = v[1];
	return v[0] > 0 && v[1] > 0;
}

/* What lies below a window is read anew for each output, from the core's own L1. */
static void window_reads(const struct ops_table *t, size_t row, struct str attributes,
			 struct shape *s)
{
	struct dims a = input(t, 0, row), o = dims_of(t, ops_tensor_slot(t, true, 0), row);
	int64_t h, w;
	double elements = volume(a.padded);

	if (!a.there || !o.there || elements <= 0 || !window(attributes, &h, &w))
		return;
	/* sticks of all channels: as many as outputs */
	s->window_bytes = (double)o.padded[0] * (double)o.padded[1] * (double)o.padded[2] *
			  (double)a.padded[3] * (double)(h * w) * a.bytes / elements;
}

static void conv_flop(const struct ops_table *t, size_t row, struct str attributes, struct shape *s)
{
	struct dims a = input(t, 0, row), b = input(t, 1, row);
	struct dims o = dims_of(t, ops_tensor_slot(t, true, 0), row);
	int64_t h, w, groups = attribute_i64(attributes, STR("groups"));

	if (!a.there || !b.there || !o.there || !window(attributes, &h, &w))
		return;
	s->m = o.padded[2];
	s->k = a.padded[3] * h * w / (groups > 1 ? groups : 1);
	s->n = b.padded[3];
	s->batch = o.padded[0] * o.padded[1];
	s->flop = 2.0 * (double)s->m * (double)s->k * (double)s->n * (double)s->batch;
}

/*
 * Two products: scores Q·Kᵀ and scores·V.  The keys that a query sees are the longest input with the
 * head size of Q (ring forms have the gathered keys as a further input); a causal mask halves them.
 */
static void attention_flop(const struct ops_table *t, size_t row, struct str attributes,
			   struct shape *s)
{
	struct dims q = input(t, 0, row), v = input(t, 2, row);
	int64_t keys = 0, value_size;

	if (!q.there || str_has(ops_text(t, OPS_OP_CODE, row), STR("Decode")))
		return; /* decode reads as much of its cache as is filled, which the report doesn't say */
	for (unsigned i = 1; i < 16; i++) {
		struct dims d = input(t, i, row);

		if (d.there && d.padded[3] == q.padded[3])
			keys = larger(keys, d.padded[2]);
	}
	if (!keys)
		return;
	value_size = v.there ? v.padded[3] : q.padded[3];
	s->flop = 2.0 * (double)q.padded[0] * (double)q.padded[1] * (double)q.padded[2] *
		  (double)keys * (double)(q.padded[3] + value_size);
	if (attribute_true(attributes, STR("is_causal")))
		s->flop /= 2;
}

/* ---- the chip's limits ---- */

/* Of n devices each takes in n-1 of n parts. */
static double collective_ns(const struct shape *s, struct str attributes, struct str op_code,
			    const struct chip *chip)
{
	double ring = (double)attribute_i64(attributes, STR("ring_size"));
	double links = (double)attribute_i64(attributes, STR("num_links"));
	double whole = str_has(op_code, STR("ReduceScatter")) ? s->in_bytes : s->out_bytes;
	struct str topology;
	bool line = attribute(attributes, STR("topology"), &topology) &&
		    str_has(topology, STR("Linear"));

	if (ring < 2 || links < 1 || chip->eth_gbps <= 0)
		return 0;
	/* round a ring data come from both sides; at the ends of a line from one */
	return whole * (ring - 1) / ring / ((line ? 1 : 2) * links * chip->eth_gbps);
}

static double share(double amount, double per_ns)
{
	return per_ns > 0 ? amount / per_ns : 0;
}

/*
 * What enters or leaves the cores in either direction: over the NoCs; where all tensors lie sharded in
 * L1 and the op computes, past the unpackers and packers instead.
 */
static double l1_ns(const struct shape *s, bool moves, const struct chip *chip, double cores)
{
	double in = s->window_bytes > s->in_bytes ? s->window_bytes : s->in_bytes;
	double each_way = in > s->out_bytes ? in : s->out_bytes;
	double nocs = NOCS * chip->noc_bytes;
	double bytes = s->local && !moves ? UNPACK_BYTES : nocs;

	return share(each_way, bytes * cores * chip->clock_mhz / 1000);
}

size_t roof_lines(const struct roof_chip *on, struct roof_line to[static ROOF_LINES_MOST])
{
	static const char *const fidelities[] = { "LoFi", "HiFi2", "HiFi3", "HiFi4" };
	const struct chip *c = on->chip;
	double per_byte = on->workers * c->clock_mhz / 1000;
	struct roof_line all[] = {
		{ "DRAM", c->dram_gbps, 0 },
		{ "NoC", NOCS * c->noc_bytes * per_byte, 0 },
		{ "L1", UNPACK_BYTES * per_byte, 0 },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].gbps > 0)
			to[n++] = all[i];
	for (int passes = 1; passes <= 4; passes++) {
		double flop = chip_flop_per_ns(c, on->workers, passes);

		if (flop > 0)
			to[n++] = (struct roof_line){ fidelities[passes - 1], 0, flop / 1000 };
	}
	return n;
}

static double largest(const double ns[ROOFS], enum roof *which)
{
	double most = 0;

	*which = ROOF_DRAM;
	for (int i = 0; i < ROOFS; i++)
		if (ns[i] > most) {
			most = ns[i];
			*which = (enum roof)i;
		}
	return most;
}

static void limits(struct roofline *r, const struct roof_chip *on, struct str attributes,
		   struct str op_code)
{
	const struct chip *c = on->chip;
	double full[ROOFS];
	int passes = r->passes ? r->passes : 1; /* whatever the fidelity, it can't be faster */
	bool moves = family_category(r->work.family) != CATEGORY_COMPUTE;
	enum roof unused;

	r->matrix_cores = r->dram_sharded && c->dram_banks ? c->dram_banks : r->cores;
	r->ns[ROOF_DRAM] = share(r->shape.dram_bytes, c->dram_gbps);
	r->ns[ROOF_FLOP] = share(r->shape.flop, chip_flop_per_ns(c, r->matrix_cores, passes));
	r->ns[ROOF_L1] = l1_ns(&r->shape, moves, c, r->cores);
	if (r->work.family == FAMILY_COLLECTIVE)
		r->ns[ROOF_ETH] = collective_ns(&r->shape, attributes, op_code, c);
	r->ideal_ns = largest(r->ns, &r->roof);
	memcpy(full, r->ns, sizeof(full));
	full[ROOF_FLOP] = share(r->shape.flop, chip_flop_per_ns(c, on->workers, passes));
	full[ROOF_L1] = l1_ns(&r->shape, moves, c, on->workers);
	r->full_ns = largest(full, &unused);
}

void roofline_of(const struct ops_table *t, size_t row, const struct roof_chip *on,
		 struct roofline *out)
{
	struct str op_code = ops_text(t, OPS_OP_CODE, row);
	struct str attributes = ops_text(t, OPS_ATTRIBUTES, row);
	double cores, active;

	*out = (struct roofline){ .work = work_of(op_code) };
	out->passes = fidelity_passes(ops_text(t, OPS_MATH_FIDELITY, row));
	if (ops_real(t, OPS_CORE_COUNT, row, &cores) && cores > 0 && cores <= CORES_MAX)
		out->cores = cores;
	out->dram_sharded = str_has(attributes, STR("MultiCastDRAMShardedProgramConfig"));
	out->block_w = attribute_i64(attributes, STR("in0_block_w"));
	out->subblock_h = attribute_i64(attributes, STR("out_subblock_h"));
	out->subblock_w = attribute_i64(attributes, STR("out_subblock_w"));
	active = out->work.family == FAMILY_MATMUL ? active_part(t, row, attributes) : 1;
	measure_tensors(t, row, out->work.traffic, active, &out->shape);
	if (out->work.family == FAMILY_MATMUL)
		matmul_flop(t, row, attributes, active, &out->shape);
	else if (out->work.family == FAMILY_CONV)
		conv_flop(t, row, attributes, &out->shape);
	else if (out->work.family == FAMILY_WINDOW)
		window_reads(t, row, attributes, &out->shape);
	if (out->work.family == FAMILY_CONV)
		window_reads(t, row, attributes, &out->shape);
	else if (out->work.family == FAMILY_ATTENTION)
		attention_flop(t, row, attributes, &out->shape);
	limits(out, on, attributes, op_code);
}
