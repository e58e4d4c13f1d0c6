// SPDX-License-Identifier: Apache-2.0
/* What to do about one op.  Each rule looks at the numbers and says one thing, or nothing. */
#include <math.h>

#include "report/cause.h"
#include "report/findings.h"
#include "report/label.h"

struct advising {
	struct buf *b;
	const struct calls *c;
	const struct call *call;
	const struct kind *k;
	const char *between;
	bool any;
};

enum {
	FLOP_BUSY_PERCENT = 50, /* of the matrix engine's rate: less is not what an op waits for */
	DRAM_MATTERS_PERCENT = 20, /* of its bandwidth: at less, an op waits for something else */
	L1_BYTES = 1 << 20,        /* of a core's 1.5 MB, that a tensor may take */
	FASTER_PERCENT = 67,       /* of an op's time: another one that is worth a word */
};

static struct buf *next(struct advising *a)
{
	if (a->any)
		buf_text(a->b, a->between);
	a->any = true;
	return a->b;
}

static struct str type_of(const struct advising *a, bool output, unsigned i)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, output, i), a->k->row);

	return x ? ops_string(t, x->text[TENSOR_DATATYPE]) : str_n("", 0);
}

static bool input_in_dram(const struct advising *a, unsigned i)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, false, i), a->k->row);

	return x && str_has(ops_string(t, x->text[TENSOR_MEMORY]), STR("DRAM"));
}

/* Tiles of 32 x 32 that the op makes, or 0 if that is not known. */
static double output_tiles(const struct advising *a)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, true, 0), a->k->row);
	int64_t padded, logical;
	double tiles = 1;

	if (!x || !str_eq(ops_string(t, x->text[TENSOR_LAYOUT]), STR("TILE")))
		return 0;
	for (int i = TENSOR_W; i <= TENSOR_X; i++) {
		if (!tensor_dim(ops_string(t, x->text[i]), &padded, &logical) || padded < 1)
			return 0;
		tiles *= i < TENSOR_Y ? (double)padded : ceil((double)padded / 32);
	}
	return tiles;
}

static bool is_sharded(const struct advising *a, const char *how)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, false, 0), a->k->row);

	return x && str_has(ops_string(t, x->text[TENSOR_MEMORY]), str_of(how));
}

/* Rows of tiles of an input or output: what an op that needs whole rows can be divided by; 0: not known. */
static double rows_of(const struct advising *a, bool output, int number)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, output, number), a->k->row);
	int64_t padded, logical;
	double rows = 1;

	if (!x || !str_eq(ops_string(t, x->text[TENSOR_LAYOUT]), STR("TILE")))
		return 0;
	for (int i = TENSOR_W; i <= TENSOR_Y; i++) {
		if (!tensor_dim(ops_string(t, x->text[i]), &padded, &logical) || padded < 1)
			return 0;
		rows *= i < TENSOR_Y ? (double)padded : ceil((double)padded / 32);
	}
	return rows;
}

static double tile_rows(const struct advising *a)
{
	/* into a cache goes what comes in second: a core for each user, however long the cache is */
	return rows_of(a, false, a->k->roof.work.traffic == TRAFFIC_IN1_TWICE);
}

/* An op that makes no tiles is not known to be divided by them. */
static double output_rows(const struct advising *a)
{
	double rows = rows_of(a, true, 0);

	return rows > 0 ? rows : (double)INFINITY;
}

static double tensor_bytes(const struct advising *a, bool output)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, output, 0), a->k->row);
	int64_t padded, logical;
	double bytes = x ? datatype_bytes(ops_string(t, x->text[TENSOR_DATATYPE])) : 0;

	for (int i = TENSOR_W; x && i <= TENSOR_X; i++)
		if (tensor_dim(ops_string(t, x->text[i]), &padded, &logical))
			bytes *= (double)padded;
	return bytes;
}

/* What has no room in the L1 of all cores together can't be kept there. */
static bool fits_l1(const struct advising *a, double bytes)
{
	return bytes <= (double)L1_BYTES * a->c->on.workers;
}

/* Rows of tiles that go to one core each: reductions over rows, unless they are sharded by width, and changes of layout. */
static bool by_rows(struct advising *a)
{
	double rows = tile_rows(a);
	enum category category = family_category(a->k->roof.work.family);

	if (category == CATEGORY_TM || category == CATEGORY_DM)
		return (rows > 0 ? rows : output_rows(a)) <= a->k->roof.cores;
	if (a->k->roof.work.family != FAMILY_REDUCE || rows <= 0 || rows > a->k->roof.cores)
		return false;
	if (is_sharded(a, "WIDTH_SHARDED") || is_sharded(a, "BLOCK_SHARDED"))
		return true;
	if (output_tiles(a) > rows)
		buf_printf(next(a),
			   "shard it by width: it is divided by rows of tiles, and has %.0f", rows);
	else
		buf_printf(next(a), "only %.0f tile%s: work on more at once", rows,
			   rows > 1 ? "s" : "");
	return true;
}

static void more_cores(struct advising *a)
{
	const struct roofline *r = &a->k->roof;
	double tiles;

	/* a third of the cores idle is worth a word, the odd row is not */
	if (r->cores <= 0 || r->dram_sharded || r->work.family == FAMILY_COLLECTIVE ||
	    r->cores * 3 >= a->c->on.workers * 2 || by_rows(a))
		return;
	tiles = output_tiles(a);
	if (tiles > 0 && tiles <= r->cores)
		buf_printf(next(a), "only %.0f tile%s: work on more at once", tiles,
			   tiles > 1 ? "s" : "");
	else
		buf_printf(next(a), "use more cores (%.0f of %.0f)", r->cores, a->c->on.workers);
}

/* Fewer passes do where the operands have fewer bits than the passes look at. */
static void fewer_passes(struct advising *a)
{
	const struct roofline *r = &a->k->roof;
	struct str weights = type_of(a, false, 1), in = type_of(a, false, 0);

	if (r->work.family != FAMILY_MATMUL && r->work.family != FAMILY_CONV)
		return;
	/* pays only where the matrix engine is what the op waits for */
	if (r->roof != ROOF_FLOP || call_percent_of(a->c, a->call, ROOF_FLOP) < FLOP_BUSY_PERCENT)
		return;
	if (str_eq(weights, STR("BFLOAT4_B")) && r->passes > 1)
		buf_printf(next(a), "LoFi is enough for BFP4 weights: %d times the rate",
			   r->passes);
	else if (str_eq(weights, STR("BFLOAT8_B")) && r->passes > 2 && !str_eq(in, STR("FLOAT32")))
		buf_printf(next(a), "HiFi2 is enough for BFP8 weights: %s the rate of HiFi%d",
			   r->passes == 4 ? "twice" : "1.5 times", r->passes);
	else if (str_eq(weights, STR("BFLOAT16")) && r->passes == 4)
		buf_text(next(a),
			 "try HiFi2: it drops the lowest bit of BF16 and has twice the rate");
}

static void matmul_config(struct advising *a)
{
	const struct roofline *r = &a->k->roof;
	const struct shape *s = &r->shape;
	struct str attributes = ops_text(a->c->table, OPS_ATTRIBUTES, a->k->row);
	/* MinimalMatmul takes none */
	bool has_config = !str_has(ops_text(a->c->table, OPS_OP_CODE, a->k->row), STR("Minimal"));
	/* one row of tiles by weights: reading them is all the work */
	bool narrow = s->m > 0 && s->m <= 32 && s->batch == 1;

	if (r->work.family != FAMILY_MATMUL)
		return;
	if (narrow && r->roof == ROOF_DRAM && input_in_dram(a, 1) && !r->dram_sharded)
		buf_printf(next(a),
			   "try %sa DRAM-sharded program config: its time is reading the weights",
			   has_config ? "" : "ttnn.matmul with ");
	else if (input_in_dram(a, 0) && r->roof != ROOF_FLOP && fits_l1(a, tensor_bytes(a, false)))
		buf_text(next(a), "put input 0 into L1");
	if (r->dram_sharded)
		return;
	if (str_has(attributes, STR("'program_config': 'std::nullopt'")))
		buf_text(next(a), "give it a program config");
	else if (r->block_w == 1)
		buf_text(next(a), "in0_block_w=1 is small: try 2 or more");
	else if (r->subblock_h && r->subblock_w && r->subblock_h * r->subblock_w < 2)
		buf_text(next(a), "output subblock 1x1 is small: try h * w of 2 or more");
}

static void less_movement(struct advising *a)
{
	const struct roofline *r = &a->k->roof;

	switch (family_category(r->work.family)) {
	case CATEGORY_TM:
		buf_text(next(a), "avoid it: keep the tensor in the layout that the next op wants");
		break;
	case CATEGORY_DM:
		buf_text(next(a), "avoid it: keep the tensor where the next op reads it");
		break;
	case CATEGORY_COMPUTE:
		if (r->work.family == FAMILY_MATMUL || r->work.family == FAMILY_CONV ||
		    !input_in_dram(a, 0) || r->roof != ROOF_DRAM)
			break;
		if (!fits_l1(a, tensor_bytes(a, false) + tensor_bytes(a, true)))
			buf_text(next(a), "fuse it with the op before: it is too large for L1");
		else if (call_percent_of(a->c, a->call, ROOF_DRAM) >= DRAM_MATTERS_PERCENT)
			buf_text(next(a), "keep its inputs in L1, or fuse it with the op before");
		break;
	case CATEGORY_COLLECTIVE:
	case CATEGORY_OTHER:
	case CATEGORY_HOST:
	case CATEGORIES:
		break;
	}
}

/* Of its first input or output. */
static void add_elements(const struct advising *a, bool output, double *padded, double *logical)
{
	const struct ops_table *t = a->c->table;
	const struct tensor *x = ops_tensor(t, ops_tensor_slot(t, output, 0), a->k->row);
	double all = 1, real = 1;
	int64_t p, l;

	for (int i = TENSOR_W; x && i <= TENSOR_X; i++) {
		if (!tensor_dim(ops_string(t, x->text[i]), &p, &l) || p < 1)
			return;
		all *= (double)p;
		real *= (double)l;
	}
	*padded += x ? all : 0;
	*logical += x ? real : 0;
}

static void less_padding(struct advising *a)
{
	double padded = 0, logical = 0;
	bool weights =
		a->k->roof.work.family == FAMILY_MATMUL || a->k->roof.work.family == FAMILY_CONV;

	/* what it works on: vectors beside it, such as gamma and beta, are padded and small */
	add_elements(a, false, &padded, &logical);
	add_elements(a, true, &padded, &logical);
	if (padded > 0 && logical > 0 && logical < padded / 2)
		buf_printf(next(a), "%s%.0f %% of its data is padding",
			   weights ? "weights aside, " : "", 100 * (1 - logical / padded));
}

static void unequal_devices(struct advising *a)
{
	double skew = (double)a->call->skew_ns;

	struct str balanced;

	if (a->k->roof.work.family == FAMILY_COLLECTIVE || skew <= 0.2 * a->call->time_ns)
		return;
	buf_printf(next(a), "the slowest device takes %.1f times as long as the fastest: ",
		   a->call->time_ns / (a->call->time_ns - skew));
	/* a causal mask without it gives the last device most of the work */
	if (attribute(ops_text(a->c->table, OPS_ATTRIBUTES, a->k->row), STR("is_balanced"),
		      &balanced) &&
	    (str_eq(balanced, STR("false")) || str_eq(balanced, STR("0"))))
		buf_text(a->b, "is_balanced is false, set it");
	else
		buf_text(a->b, "balance them");
}

static void collective(struct advising *a)
{
	if (a->k->roof.work.family == FAMILY_COLLECTIVE &&
	    a->call->wait_ns > 0.2 * a->call->time_ns)
		buf_printf(next(a),
			   "devices wait %.0f %% of it for the last one: balance what runs before",
			   100 * a->call->wait_ns / a->call->time_ns);
}

/* The same product in the same run, by another op or another way, in much less time. */
static void faster_elsewhere(struct advising *a)
{
	const struct shape *s = &a->k->roof.shape;
	const struct kind *best = NULL;
	double mean, least = a->call->time_ns * FASTER_PERCENT / 100;
	SCOPED(buf) struct buf types = { 0 };

	if (a->k->roof.work.family != FAMILY_MATMUL || !s->m)
		return;
	vec_each (k, &a->c->kinds) {
		const struct shape *o = &k->roof.shape;

		if (k->roof.work.family != FAMILY_MATMUL || o->m != s->m || o->k != s->k ||
		    o->n != s->n || o->batch != s->batch || !k->calls || k->alike == a->k->alike)
			continue;
		mean = k->time_ns / k->calls;
		/* what is faster than the chip has another call's tensors */
		if (mean > 0 && mean < least &&
		    100 * k->roof.ideal_ns <= ROOF_BELIEVED_PERCENT * mean) {
			least = mean;
			best = k;
		}
	}
	if (!best)
		return;
	buf_printf(next(a), "op %llu of this run does the same product in ",
		   (unsigned long long)ops_row_number(a->c->table, best->row));
	label_ns(a->b, least);
	label_types(&types, a->c->table, best);
	buf_printf(a->b, " (%.*s",
		   STR_ARG(op_short_name(ops_text(a->c->table, OPS_OP_CODE, best->row))));
	if (types.len)
		buf_printf(a->b, ", %s", types.at);
	buf_printf(a->b, ", %.0f core%s)", best->roof.cores, best->roof.cores > 1 ? "s" : "");
}

/* Where the numbers tell it, it comes first. */
static void known_cause(struct advising *a)
{
	enum cause cause = cause_of(a->c, a->call);

	if (cause != CAUSE_NONE)
		cause_tell(next(a), a->c, a->call, cause);
}

void advise_op(struct buf *b, const struct calls *c, const struct call *call, const char *between)
{
	struct advising a = { b, c, call, call_kind(c, call), between, false };

	if (call->flags & CALL_HOST) {
		buf_text(next(&a), "run it on the device");
		return;
	}
	if (call->flags & CALL_UNTIMED)
		return;
	known_cause(&a);
	if (!a.k->roof.shape.tensors)
		return;
	if (call_roof_percent(c, call) >= ATTAINABLE_PERCENT) {
		fewer_passes(&a);
		return;
	}
	faster_elsewhere(&a);
	more_cores(&a);
	fewer_passes(&a);
	matmul_config(&a);
	less_movement(&a);
	collective(&a);
	unequal_devices(&a);
	less_padding(&a);
}
