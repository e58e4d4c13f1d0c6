// SPDX-License-Identifier: Apache-2.0
/* A row of the files becomes an op of the report: names, rates and bounds. */
#include <stdlib.h>

#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/steps_of_run.h"

__extension__ typedef __int128 i128;

static const double bound_pct = 65, gap_absurd_ns = 1e6;
enum { TEXT_CACHE = 256, SHAPE_CACHE = 1024 };

/* What is known of a distinct tensor.  Its dimensions depend on what pandas made of the column. */
enum dim_form { AS_NUMBER, AS_TEXT };
struct tensor_facts {
	bool done;
	uint8_t ok[2]; /* by dim_form: mask of 1 << part */
	int64_t dim[2][4];
};

enum shape_kind { SHAPE_PLAIN, SHAPE_MATMUL, SHAPE_CONV };

struct shape_key {
	uint32_t file, code, attributes, tensor[3];
};

struct shape {
	struct shape_key key;
	uint32_t name; /* the OP Code text */
	bool done, sharded, has_flop, has_bytes, no_nnz;
	enum shape_kind kind;
	unsigned faults; /* mask of 1 << fault */
	double flop, bytes;
};

/* Math Fidelity texts by the strings that they are made of. */
struct fidelity_key {
	uint32_t file, fidelity, type[3];
};
struct fidelity_slot {
	struct fidelity_key key;
	uint32_t text; /* one more than its number */
};

struct analysis {
	struct compat_run *r;
	VEC(struct tensor_facts) tensors; /* by number */
	VEC(uint8_t) type_is_signpost;    /* per string, of OP TYPE: 0 not known yet, 1 no, 2 yes */
	uint32_t fidelity_id[FIDELITY_UNKNOWN]; /* their strings */
	struct fidelity_slot *fidelity_cache;
	struct shape *shapes;
	struct buf text;
	bool after_first;     /* an op that is no signpost was seen */
	bool after_invalid;   /* its duration can't be */
	struct u64map warned; /* names without a category */
};

/* ---- cells ---- */

/* True when a cell of a column of numbers is none.  (Text is, and so is what is too large.) */
static bool is_unreadable(const struct compat_run *r, enum ops_col col, enum pandas_kind kind,
			  size_t row)
{
	const struct ops_column *c = &r->t.column[col];

	return c->kind &&
	       (c->kind[row] == CELL_TEXT || (c->kind[row] == CELL_HUGE && kind != PANDAS_FLOAT));
}

static bool to_int(double v, int64_t *out)
{
	if (!(v > -0x1p63 && v < 0x1p63))
		return false;
	*out = (int64_t)v;
	return true;
}

/* A dimension: since 1.3 it must be one, and may be written as Python's floats are. */
static bool to_dim(const struct compat_run *r, enum dim_form form, struct str s, int64_t *out)
{
	double v;

	if (form == AS_TEXT && !r->v->careful)
		return py_int(s, out, NULL);
	if (form == AS_TEXT ? !py_float(s, &v) : !pandas_float(s, &v))
		return false;
	return (!r->v->careful || compat_is_dim(v)) && to_int(v, out);
}

static void read_tensor(const struct compat_run *r, const struct tensor *x, struct tensor_facts *f)
{
	f->done = true;
	for (int i = TENSOR_W; i <= TENSOR_X; i++) {
		struct str s = ops_string(&r->t, x->text[i]);
		size_t open = str_find_char(s, '[');

		if (ops_string_missing(&r->t, x->text[i]))
			continue;
		if (to_dim(r, AS_NUMBER, s, &f->dim[AS_NUMBER][i]))
			f->ok[AS_NUMBER] |= (uint8_t)(1u << i);
		if (open != STR_NONE && str_find_char(s, ']') != STR_NONE)
			s = str_head(s, open);
		if (to_dim(r, AS_TEXT, s, &f->dim[AS_TEXT][i]))
			f->ok[AS_TEXT] |= (uint8_t)(1u << i);
	}
}

/* A dimension of a tensor: the padded one. */
static bool dim(struct analysis *a, int place, enum tensor_part part, size_t row, int64_t *out)
{
	struct compat_run *r = a->r;
	const struct file_kinds *k = compat_kinds(r, row);
	enum dim_form form = k->dim[place][part] == PANDAS_TEXT ? AS_TEXT : AS_NUMBER;
	size_t at = r->place[place];
	uint32_t n = at < r->t.tensor.len ? r->t.tensor.at[at][row] : 0;
	struct tensor_facts *f = &a->tensors.at[n];

	if (!(k->parts[place] & 1u << part))
		return false;
	if (!f->done)
		read_tensor(r, &r->t.tensors.all.at[n], f);
	*out = f->dim[form][part];
	return f->ok[form] & 1u << part;
}

static i128 product(const int64_t *v, int n, bool *exact)
{
	i128 p = 1;

	*exact = true;
	for (int i = 0; i < n; i++)
		if (__builtin_mul_overflow(p, (i128)v[i], &p))
			*exact = false;
	return p;
}

/* The product as Python's int would turn into a float. */
static double product_real(const int64_t *v, int n)
{
	bool exact;
	i128 p = product(v, n, &exact);
	double real = 1;

	if (exact)
		return (double)p;
	for (int i = 0; i < n; i++)
		real *= (double)v[i];
	return real;
}

/* ---- datatypes ---- */

static struct str short_type(struct str s)
{
	static const struct {
		struct str name, shown;
	} types[] = {
		{ STR_INIT("FLOAT32"), STR_INIT("FP32") },
		{ STR_INIT("BFLOAT16"), STR_INIT("BF16") },
		{ STR_INIT("BFLOAT8_B"), STR_INIT("BFP8") },
		{ STR_INIT("BFLOAT4_B"), STR_INIT("BFP4") },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(s, types[i].name))
			return types[i].shown;
	return s;
}

/* Bits are the first digits of the name. */
static double element_bytes(struct str type)
{
	size_t i = 0, end;
	int64_t bits;

	while (i < type.len && !(type.at[i] >= '0' && type.at[i] <= '9'))
		i++;
	for (end = i; end < type.len && type.at[end] >= '0' && type.at[end] <= '9';)
		end++;
	if (end == i || !py_int(str_n(type.at + i, end - i), &bits, NULL))
		return 4;
	return (double)bits / 8;
}

static void add_type(struct analysis *a, int place, uint32_t id, size_t row)
{
	const struct compat_run *r = a->r;
	SCOPED(buf) struct buf b = { 0 };

	pandas_text(&b, compat_kinds(r, row)->type[place], ops_string(&r->t, id));
	buf_str(&a->text, short_type(buf_view(&b)));
}

static void add_type_or_nan(struct analysis *a, int place, uint32_t id, size_t row)
{
	if (id)
		add_type(a, place, id, row);
	else
		buf_text(&a->text, "nan");
}

/* "HiFi4 BF16 x BF16 => BF16" for those that multiply, "BF16, BF16 => BF16" for the others. */
static uint32_t fidelity_text(struct analysis *a, bool multiplies, size_t row)
{
	struct compat_run *r = a->r;
	struct fidelity_key k = { .file = (uint32_t)(ops_file_of(&r->t, row) - r->t.files.at) };
	struct fidelity_slot *slot;

	if (multiplies)
		k.fidelity = r->t.column[OPS_MATH_FIDELITY].text
				     ? r->t.column[OPS_MATH_FIDELITY].text[row]
				     : 0;
	else
		k.fidelity = UINT32_MAX;
	for (int p = IN0; p <= OUT0; p++)
		k.type[p] = compat_tensor_part(r, p, TENSOR_DATATYPE, row);
	slot = &a->fidelity_cache[str_hash(str_n((const char *)&k, sizeof(k))) % TEXT_CACHE];
	if (slot->text && !memcmp(&slot->key, &k, sizeof(k)))
		return slot->text - 1;
	buf_clear(&a->text);
	if (multiplies) {
		if (!ops_string_missing(&r->t, k.fidelity))
			buf_str(&a->text, ops_string(&r->t, k.fidelity));
		else if (r->v->careful)
			buf_text(&a->text, "nan");
		buf_char(&a->text, ' ');
		add_type_or_nan(a, IN0, k.type[IN0], row);
		buf_text(&a->text, " x ");
		add_type_or_nan(a, IN1, k.type[IN1], row);
		buf_text(&a->text, " => ");
		add_type_or_nan(a, OUT0, k.type[OUT0], row);
	} else {
		if (k.type[IN0])
			add_type(a, IN0, k.type[IN0], row);
		if (k.type[IN1]) {
			buf_text(&a->text, ", ");
			add_type(a, IN1, k.type[IN1], row);
		}
		if (k.type[OUT0]) {
			buf_text(&a->text, " => ");
			add_type(a, OUT0, k.type[OUT0], row);
		}
	}
	slot->key = k;
	slot->text = texts_add(&r->texts, py_strip(buf_view(&a->text))) + 1;
	return slot->text - 1;
}

/* ---- shapes: all that depends on name, tensors and attributes, found once for each of them ---- */

/* Elements of a tensor of a sparse matmul that are moved: those of the batches that are computed. */
static double sparse_bytes(const int64_t mkn[3], int place, double bytes, int64_t active)
{
	static const uint8_t sides[3][2] = { { 0, 1 }, { 1, 2 }, { 0, 2 } };

	return product_real((const int64_t[]){ mkn[sides[place][0]], mkn[sides[place][1]] }, 2) *
	       bytes * (double)active;
}

/* Bytes of DRAM that a matmul moves.  `sparse`: NULL when it is none. */
static void count_bytes(struct analysis *a, struct shape *s, size_t row, const int64_t mkn[3],
			const struct sparse *sparse)
{
	struct compat_run *r = a->r;

	s->bytes = 0;
	s->has_bytes = false;
	for (int p = IN0; p <= OUT0; p++) {
		uint32_t memory = compat_tensor_part(r, p, TENSOR_MEMORY, row);
		uint32_t type = compat_tensor_part(r, p, TENSOR_DATATYPE, row);
		int64_t d[4];

		if (!memory) {
			s->faults |= 1u << FAULT_MEMORY;
			return;
		}
		if (!str_has(ops_string(&r->t, memory), STR("DRAM")))
			continue;
		if (!type) {
			s->faults |= 1u << FAULT_DATATYPE;
			s->bytes = 0;
			return;
		}
		for (int i = TENSOR_W; i <= TENSOR_X; i++)
			if (!dim(a, p, (enum tensor_part)i, row, &d[i])) {
				s->faults |= 1u << FAULT_DIMENSION;
				return;
			}
		if (sparse)
			s->bytes += sparse_bytes(mkn, p, element_bytes(ops_string(&r->t, type)),
						 sparse->active);
		else
			s->bytes += product_real(d, 4) * element_bytes(ops_string(&r->t, type));
	}
	s->has_bytes = true;
}

/* The original reads these columns for every op that multiplies, and dies without one. */
static void want_type_columns(const struct compat_run *r, struct shape *s, size_t row)
{
	for (int p = IN0; p <= OUT0; p++)
		if (!(compat_kinds(r, row)->parts[p] & 1u << TENSOR_DATATYPE))
			s->faults |= 1u << FAULT_NO_TYPES;
}

/* Since 1.3 one dimension that makes no sense makes the whole shape unknown. */
static bool knows_all_dims(struct analysis *a, struct shape *s, size_t row)
{
	bool all = true;

	for (int p = IN0; p <= OUT0; p++)
		for (int i = TENSOR_W; i <= TENSOR_X; i++) {
			int64_t unused;

			if (!(compat_kinds(a->r, row)->parts[p] & 1u << i))
				s->faults |= 1u << FAULT_DIMENSION;
			all &= dim(a, p, (enum tensor_part)i, row, &unused);
		}
	if (!all)
		buf_text(&a->text, " unknown shape");
	return all;
}

/* Work of a sparse matmul: `v` is M, K, N, W, Z, 2. */
static void shape_sparse(struct analysis *a, struct shape *s, size_t row, int64_t v[6],
			 const int64_t batch[2])
{
	const struct compat_run *r = a->r;
	struct sparse x = compat_attributes_sparse(ops_text(&r->t, OPS_ATTRIBUTES, row), batch,
						   r->args.active_experts);

	buf_text(&a->text, " active=");
	if (x.has_active) {
		count_bytes(a, s, row, v, &x);
		v[3] = x.active;
		v[4] = 1;
		s->flop = product_real(v, 6);
		buf_printf(&a->text, "%lld", (long long)x.active);
	} else {
		buf_char(&a->text, '?');
	}
	s->has_flop = x.has_active;
	s->no_nnz = !x.has_active;
	buf_printf(&a->text, "/%lld x ", (long long)x.dense);
}

static void shape_matmul(struct analysis *a, struct shape *s, size_t row, bool sparse)
{
	int64_t m, k, n, w[2], z[2], v[6];
	bool exact;

	s->sharded = compat_attributes(a->r, row).sharded;
	want_type_columns(a->r, s, row);
	if (a->r->v->careful && !knows_all_dims(a, s, row))
		return;
	if (!sparse)
		count_bytes(a, s, row, NULL, NULL);
	if (!dim(a, IN0, TENSOR_Y, row, &m) || !dim(a, IN0, TENSOR_X, row, &k) ||
	    !dim(a, IN1, TENSOR_X, row, &n) || !dim(a, IN0, TENSOR_W, row, &w[0]) ||
	    !dim(a, IN1, TENSOR_W, row, &w[1]) || !dim(a, IN0, TENSOR_Z, row, &z[0]) ||
	    !dim(a, IN1, TENSOR_Z, row, &z[1])) {
		s->faults |= 1u << FAULT_DIMENSION;
		return;
	}
	v[0] = m;
	v[1] = k;
	v[2] = n;
	v[3] = w[0] > w[1] ? w[0] : w[1];
	v[4] = z[0] > z[1] ? z[0] : z[1];
	v[5] = 2;
	if (sparse) {
		shape_sparse(a, s, row, v, (const int64_t[]){ w[0] * z[0], w[1] * z[1] });
	} else {
		s->flop = product_real(v, 6);
		s->has_flop = true;
		buf_char(&a->text, ' ');
		if (product(v + 3, 2, &exact) > 1)
			buf_printf(&a->text, "b={%lld} x ", (long long)product(v + 3, 2, &exact));
	}
	buf_printf(&a->text, "%lld x %lld x %lld", (long long)m, (long long)k, (long long)n);
}

static void unknown_shape(struct analysis *a, struct shape *s, enum fault f)
{
	if (a->r->v->careful)
		buf_text(&a->text, " unknown shape");
	else
		s->faults |= 1u << f;
}

static void shape_conv(struct analysis *a, struct shape *s, size_t row)
{
	struct str attributes = ops_text(&a->r->t, OPS_ATTRIBUTES, row);
	int64_t m, k, n, window[2];

	want_type_columns(a->r, s, row);
	if (!dim(a, OUT0, TENSOR_Y, row, &m) || !dim(a, IN0, TENSOR_X, row, &k) ||
	    !dim(a, IN1, TENSOR_X, row, &n)) {
		unknown_shape(a, s, FAULT_DIMENSION);
	} else if (!compat_attributes_window(a->r->v, attributes, window) ||
		   __builtin_mul_overflow(k, window[0], &k) ||
		   __builtin_mul_overflow(k, window[1], &k)) {
		unknown_shape(a, s, FAULT_WINDOW);
	} else {
		buf_printf(&a->text, " %lld x %lld x %lld", (long long)m, (long long)k,
			   (long long)n);
		s->flop = product_real((const int64_t[]){ 2, m, k, n }, 4);
		s->has_flop = true;
	}
	compat_attributes_conv(attributes, &a->text);
}

static const struct shape *shape_of(struct analysis *a, size_t row)
{
	struct compat_run *r = a->r;
	struct shape_key k = { .code = r->t.column[OPS_OP_CODE].text[row] };
	struct str code = compat_op_code(r, row);
	SCOPED(buf) struct buf cleaned = { 0 };
	struct shape *s;

	k.file = (uint32_t)(ops_file_of(&r->t, row) - r->t.files.at);
	k.attributes = r->t.column[OPS_ATTRIBUTES].text ? r->t.column[OPS_ATTRIBUTES].text[row] : 0;
	for (int p = IN0; p <= OUT0; p++)
		if (r->place[p] < r->t.tensor.len)
			k.tensor[p] = r->t.tensor.at[r->place[p]][row];
	s = &a->shapes[str_hash(str_n((const char *)&k, sizeof(k))) % SHAPE_CACHE];
	if (s->done && !memcmp(&s->key, &k, sizeof(k)))
		return s;
	*s = (struct shape){ .key = k, .done = true };
	buf_clear(&a->text);
	if (r->v->drops_controls) {
		compat_clean(&cleaned, code);
		code = buf_view(&cleaned);
	}
	buf_str(&a->text, code);
	if (str_has(code, STR("Matmul"))) {
		s->kind = SHAPE_MATMUL;
		shape_matmul(a, s, row, r->v->sparse && str_has(code, STR("SparseMatmul")));
	} else if (str_has(code, STR("OptimizedConvNew")) || str_has(code, STR("Conv2d"))) {
		s->kind = SHAPE_CONV;
		shape_conv(a, s, row);
	} else if (str_has(code, STR("HaloDeviceOperation"))) {
		compat_attributes_halo(ops_text(&r->t, OPS_ATTRIBUTES, row), &a->text);
	}
	s->name = texts_add(&r->texts, buf_view(&a->text));
	return s;
}

/* ---- rates ---- */

static enum fidelity fidelity_of(struct analysis *a, size_t row)
{
	const uint32_t *ids = a->r->t.column[OPS_MATH_FIDELITY].text;

	for (int i = FIDELITY_HIFI4; ids && i <= FIDELITY_LOFI; i++)
		if (ids[row] == a->fidelity_id[i] && a->r->v->archs[0].tflops[i] > 0)
			return (enum fidelity)i;
	return FIDELITY_UNKNOWN;
}

static void rate_flops(struct analysis *a, struct op *op, double flop, double seconds, double cores)
{
	struct compat_run *r = a->r;
	enum fidelity f = fidelity_of(a, op->row);
	double flops = flop / seconds;

	op->tflops = flops / 1e12;
	if (!isnan(flops)) /* the original has none then, but a share that is no number */
		op->has |= OP_FLOPS;
	if (r->v->careful && cores == 0)
		return;
	if (f == FIDELITY_UNKNOWN)
		compat_fault(r, r->v->careful ? FAULT_FIDELITY_1_3 : FAULT_FIDELITY, op->row);
	else if (cores == 0)
		compat_fault(r, FAULT_NO_CORES, op->row);
	if (f == FIDELITY_UNKNOWN || cores == 0 || !r->arch)
		return;
	op->flops_pct = flops / (r->arch->tflops[f] * 1e12 * cores) * 100;
	op->has |= OP_FLOPS_PCT;
}

static void matmul_cores(struct compat_run *r, struct op *op, bool sharded)
{
	enum pandas_kind kind = compat_kinds(r, op->row)->cores;

	if (sharded) {
		op->cores = r->arch ? r->arch->sharded_cores : r->v->archs[0].sharded_cores;
		op->has |= OP_SHARDED | OP_CORES;
		return;
	}
	if (r->v->careful)
		return;
	op->has |= OP_CORES;
	op->cores = compat_real(r, OPS_CORE_COUNT, kind, op->row);
	if (kind != PANDAS_INT && kind != PANDAS_UINT)
		op->has |= OP_CORES_FLOAT;
}

/* `seconds` is 0 when there is no time that counts. */
static void rate(struct analysis *a, struct op *op, const struct shape *s, double seconds)
{
	struct compat_run *r = a->r;
	double cores = r->v->careful ? op->cores : r->worker_cores;

	for (int f = 0; s->faults && f < FAULTS; f++)
		if (s->faults & 1u << f)
			compat_fault(r, (enum fault)f, op->row);
	if (s->kind == SHAPE_MATMUL) {
		matmul_cores(r, op, s->sharded);
		cores = op->cores;
	}
	if (s->no_nnz)
		op->has |= OP_NO_NNZ;
	if (seconds == 0) {
		if (!r->v->careful)
			compat_fault(r, FAULT_NO_TIME, op->row);
		return;
	}
	if (s->has_bytes) {
		op->bytes = s->bytes;
		op->has |= OP_BYTES;
	}
	if (s->has_bytes && s->bytes > 0) {
		op->dram_gbps = s->bytes / seconds / 1e9;
		op->dram_pct = r->arch ? op->dram_gbps / r->arch->dram_gbps * 100 : (double)NAN;
		op->has |= OP_DRAM;
	}
	if (s->has_flop)
		rate_flops(a, op, s->flop, seconds, cores);
}

/* ---- one row ---- */

static bool is_signpost(struct analysis *a, size_t row)
{
	const struct compat_run *r = a->r;
	uint32_t id = r->t.column[OPS_OP_TYPE].text ? r->t.column[OPS_OP_TYPE].text[row] : 0;
	uint8_t *known = &a->type_is_signpost.at[id];

	if (r->t.column[OPS_OP_TYPE].text && ops_string_missing(&r->t, id))
		compat_fault(a->r, FAULT_NO_TYPE, row);
	if (!*known)
		*known = str_has(ops_text(&r->t, OPS_OP_TYPE, row), STR("signpost")) ? 2 : 1;
	return *known == 2;
}

/* The rules of 1.3.  Returns the duration, or 0 when there is none. */
static double read_carefully(struct analysis *a, struct op *op, double took_ns)
{
	struct compat_run *r = a->r;
	const struct file_kinds *k = compat_kinds(r, op->row);
	double device = compat_device(r, op->row);
	double gap_ns = compat_finite(r, OPS_GAP, k->gap, op->row);
	bool invalid = compat_is_invalid(r, op->row, took_ns);

	op->has |= invalid ? OP_INVALID : OP_TIME;
	op->time_us = invalid ? 0 : took_ns / 1000;
	if (a->after_first && gap_ns >= 0 &&
	    !((invalid || a->after_invalid) && gap_ns > gap_absurd_ns)) {
		op->gap_us = gap_ns / 1000;
		op->has |= OP_GAP;
	}
	op->cores = compat_core_count(compat_finite(r, OPS_CORE_COUNT, k->cores, op->row));
	if (op->cores > 0)
		op->has |= OP_CORES;
	if (compat_is_device(r, device)) {
		op->device = (int64_t)device;
		op->has |= OP_DEVICE;
	}
	compat_read_sub_device(r, op);
	return invalid ? 0 : took_ns;
}

static void read_numbers(struct analysis *a, struct op *op, double took_ns)
{
	struct compat_run *r = a->r;
	const struct file_kinds *k = compat_kinds(r, op->row);
	double device = compat_device(r, op->row), v;
	int64_t whole;

	if (is_unreadable(r, OPS_DURATION, k->took, op->row) ||
	    is_unreadable(r, OPS_GAP, k->gap, op->row) ||
	    is_unreadable(r, OPS_CORE_COUNT, k->cores, op->row))
		compat_fault(r, FAULT_NOT_NUMBER, op->row);
	op->has |= OP_TIME;
	if (isnan(took_ns))
		op->has |= OP_TIME_ZERO;
	else
		op->time_us = took_ns / 1000;
	v = compat_real(r, OPS_GAP, k->gap, op->row);
	if (a->after_first && !isnan(v)) {
		op->gap_us = v / 1000;
		op->has |= OP_GAP;
	}
	v = compat_real(r, OPS_CORE_COUNT, k->cores, op->row);
	if (to_int(v, &whole)) {
		op->cores = (double)whole;
		op->has |= OP_CORES;
	}
	if (!isnan(device)) {
		op->device = (int64_t)device;
		op->has |= OP_DEVICE;
	}
}

static enum bound bound_of(const struct compat_run *r, const struct op *op, const struct text *name)
{
	bool dram = op->dram_pct >= bound_pct, flop = op->flops_pct >= bound_pct;

	if (name->flags & TEXT_TORCH && !(r->v->careful && op->model == MODEL_FULL))
		return BOUND_HOST;
	if (!(name->flags & TEXT_MATMUL) || !(op->has & OP_DRAM) || !(op->has & OP_FLOPS_PCT))
		return BOUND_BLANK;
	if (!r->v->careful && (op->dram_pct == 0 || op->flops_pct == 0))
		return BOUND_BLANK;
	return dram && flop ? BOUND_BOTH : dram ? BOUND_DRAM : flop ? BOUND_FLOP : BOUND_SLOW;
}

static void count_op(struct compat_run *r, const struct text *name)
{
	if (name->flags & TEXT_TORCH)
		r->host_ops++;
	else if (name->flags & TEXT_SIGNPOST)
		r->signposts++;
	else
		r->device_ops++;
}

static void analyse(struct analysis *a, const struct pick *pick)
{
	static const enum op_model models[] = {
		[SHAPE_PLAIN] = MODEL_NONE,
		[SHAPE_MATMUL] = MODEL_FULL,
		[SHAPE_CONV] = MODEL_FLOPS,
	};
	struct compat_run *r = a->r;
	struct op *op = vec_push(&r->ops);
	const struct shape *shape = shape_of(a, pick->row);
	double took_ns = pick->took_ns;

	*op = (struct op){ .row = pick->row, .name = shape->name, .model = models[shape->kind] };
	if (ops_string_missing(&r->t, shape->key.code))
		compat_fault(r, FAULT_NO_CODE, pick->row);
	if (r->v->careful)
		took_ns = read_carefully(a, op, took_ns);
	else
		read_numbers(a, op, took_ns);
	op->fidelity = fidelity_text(a, shape->kind != SHAPE_PLAIN, op->row);
	if (shape->kind != SHAPE_PLAIN)
		rate(a, op, shape, took_ns * 1e-9);
	if (is_signpost(a, op->row)) {
		buf_set_str(&a->text, compat_op_code(r, op->row));
		buf_text(&a->text, " (signpost)");
		op->name = texts_add(&r->texts, buf_view(&a->text));
		op->has &= (uint16_t) ~(OP_TIME | OP_TIME_ZERO);
		op->has |= OP_SIGNPOST;
	} else {
		a->after_first = true;
		a->after_invalid = op->has & OP_INVALID;
		if (r->v->tags_ops)
			compat_warn_unclassified(r, &a->warned, op);
	}
	count_op(r, op_name(r, op));
	op->bound = (uint8_t)bound_of(r, op, op_name(r, op));
	if (op->bound == BOUND_HOST)
		op->has &= (uint16_t) ~(OP_TIME | OP_TIME_ZERO);
}

#define ZEROED(v, n) \
	(vec_reserve((v), (n)), memset((v)->at, 0, (n) * sizeof(*(v)->at)), (v)->len = (n))

void compat_analyse(struct compat_run *r)
{
	static const char *const names[] = { "HiFi4", "HiFi3", "HiFi2", "LoFi" };
	struct analysis a = { .r = r };
	size_t strings = intern_count(&r->t.strings);

	for (int i = 0; i < FIDELITY_UNKNOWN; i++)
		a.fidelity_id[i] = intern_find(&r->t.strings, str_of(names[i]));
	a.fidelity_cache = mem_zero(TEXT_CACHE, sizeof(*a.fidelity_cache));
	a.shapes = mem_zero(SHAPE_CACHE, sizeof(*a.shapes));
	ZEROED(&a.tensors, r->t.tensors.all.len);
	ZEROED(&a.type_is_signpost, strings);
	vec_reserve(&r->ops, r->picks.len);
	vec_each (p, &r->picks)
		analyse(&a, p);
	vec_release(&r->picks);
	RELEASE(mem, &a.fidelity_cache, &a.shapes);
	RELEASE(vec, &a.tensors, &a.type_is_signpost);
	u64map_release(&a.warned);
	buf_release(&a.text);
}
