// SPDX-License-Identifier: Apache-2.0
#include "op.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ttp/ops.h>

#define KERNELS "examples/nano_gpt/kernels/"

/* Where the kernels are: in a clone of ttprof this is its root; elsewhere they are found from where this program was built. */
static const char *kernels(void)
{
	static char folder[4096];
	ssize_t n;

	if (folder[0])
		return folder;
	if (!access(KERNELS, R_OK))
		return memcpy(folder, KERNELS, sizeof(KERNELS));
	n = readlink("/proc/self/exe", folder, sizeof(folder) - sizeof(KERNELS) - 1);
	folder[n > 0 ? n : 0] = '\0';
	/* CLONE/build/examples/nano_gpt/nano_gpt */
	for (int up = 0; up < 4; up++) {
		char *slash = strrchr(folder, '/');

		if (slash)
			*slash = '\0';
	}
	memcpy(folder + strlen(folder), "/" KERNELS, sizeof(KERNELS) + 1);
	if (access(folder, R_OK))
		fail("its kernels (%s) are not here: start it in a clone of ttprof (cd CLONE), or from its build folder",
		     KERNELS);
	return folder;
}

struct kept {
	uint64_t hash;
	struct ttp_program *program;
	struct ttp_kernel *reader, *writer, *compute;
	struct words read_args, write_args, compute_args; /* as they were last time */
	struct kept *next;
};

struct ops {
	struct ttp_dev *dev;
	uint32_t grid_x, grid_y;
	struct kept *kept;
	uint32_t programs;
	uint64_t runs;
	bool compiling;
	struct ttp_trace *trace;
	uint64_t traced; /* ops of it */
};

struct ops *ops_new(struct ttp_dev *dev)
{
	struct ops *o = calloc(1, sizeof(*o));
	struct ttp_dev_info info = { 0 };

	if (!o)
		fail("out of memory");
	must(ttp_dev_info(dev, &info, sizeof(info)));
	o->dev = dev;
	o->grid_x = info.grid_x;
	o->grid_y = info.grid_y;
	return o;
}

void ops_free(struct ops *o)
{
	ttp_trace_release(o->trace);
	while (o->kept) {
		struct kept *k = o->kept;

		o->kept = k->next;
		ttp_program_free(k->program);
		free(k);
	}
	free(o);
}

struct ttp_dev *ops_device(struct ops *o)
{
	return o->dev;
}

uint32_t ops_programs(const struct ops *o)
{
	return o->programs;
}

uint64_t ops_run(const struct ops *o)
{
	return o->runs;
}

static void add_operand(struct operand *list, uint32_t *n, const struct operand *one)
{
	if (*n == OP_TENSORS)
		fail("an op with more than %d tensors", OP_TENSORS);
	list[(*n)++] = *one;
}

void op_in(struct op *op, struct tensor *t, uint32_t cb, uint32_t tiles, uint32_t unit_step,
	   uint32_t tile_step)
{
	add_operand(op->in, &op->ins,
		    &(struct operand){ t, cb, tiles, unit_step, tile_step, false, { 0 } });
}

void op_in_once(struct op *op, struct tensor *t, uint32_t cb, uint32_t tiles)
{
	add_operand(op->in, &op->ins, &(struct operand){ t, cb, tiles, 0, 1, true, { 0 } });
}

void op_out(struct op *op, struct tensor *t, uint32_t cb, uint32_t tiles, uint32_t unit_step,
	    uint32_t tile_step)
{
	add_operand(op->out, &op->outs,
		    &(struct operand){ t, cb, tiles, unit_step, tile_step, false, { 0 } });
}

void op_local(struct op *op, uint32_t cb, uint32_t pages)
{
	if (op->locals == OP_LOCALS)
		fail("an op with more than %d buffers of its own", OP_LOCALS);
	op->local[op->locals].cb = cb;
	op->local[op->locals++].pages = pages;
}

void op_word(struct words *w, uint32_t word)
{
	if (w->n == OP_WORDS)
		fail("an op with more than %d arguments", OP_WORDS);
	w->at[w->n++] = word;
}

void op_float(struct words *w, float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	op_word(w, bits);
}

static uint32_t cores_of(const struct ops *o, const struct op *op)
{
	uint32_t all = o->grid_x * o->grid_y;

	return op->units < all ? op->units : all;
}

/* The first n cores, row by row: at most two rectangles. */
static size_t rectangles(const struct ops *o, uint32_t n, struct ttp_cores *to)
{
	size_t count = 0;

	if (n / o->grid_x)
		to[count++] = TTP_CORES(0, 0, o->grid_x - 1, n / o->grid_x - 1);
	if (n % o->grid_x)
		to[count++] = TTP_CORES(0, n / o->grid_x, n % o->grid_x - 1, n / o->grid_x);
	return count;
}

/* Twice what a unit needs, so that one is brought while the other is worked on. */
static uint32_t pages_of(const struct operand *d)
{
	return d->once ? d->tiles : 2 * d->tiles;
}

static uint64_t mix(uint64_t hash, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * 0x100000001B3u;
	return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return text ? mix(hash, text, strlen(text) + 1) : mix(hash, "-", 2);
}

static uint64_t mix_operand(uint64_t hash, const struct operand *d)
{
	uint32_t words[] = { d->cb, pages_of(d), tensor_page_bytes(d->tensor) };

	return mix(hash, words, sizeof(words));
}

/* All that a program is made of, and where it reads and writes: so its arguments need not be changed. */
static uint64_t hash_of(const struct op *op)
{
	const char *const texts[] = { op->code,  op->compute, op->define,
				      op->value, op->reader,  op->writer };
	uint64_t hash = 0xCBF29CE484222325u;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		hash = mix_text(hash, texts[i]);
	hash = mix(hash, &op->units, sizeof(op->units));
	for (uint32_t i = 0; i < op->ins; i++)
		hash = mix_operand(hash, &op->in[i]);
	for (uint32_t i = 0; i < op->outs; i++)
		hash = mix_operand(hash, &op->out[i]);
	hash = mix(hash, op->local, op->locals * sizeof(*op->local));
	hash = mix(hash, op->read_args.at, op->read_args.n * sizeof(uint32_t));
	return mix(hash, op->write_args.at, op->write_args.n * sizeof(uint32_t));
}

static struct ttp_kernel *add_kernel(struct kept *k, const char *name, enum ttp_processor on,
				     const struct ttp_cores *cores, size_t n)
{
	char path[4352];
	struct ttp_kernel *kernel;

	snprintf(path, sizeof(path), "%s%s", kernels(), name);
	kernel = ttp_program_kernel(k->program, path, on, cores, n);
	must(!kernel);
	must(ttp_kernel_include(kernel, kernels()));
	return kernel;
}

static void make_buffers(struct kept *k, const struct op *op, const struct ttp_cores *cores,
			 size_t n)
{
	for (uint32_t i = 0; i < op->ins; i++)
		must(ttp_program_cb(k->program, op->in[i].cb, pages_of(&op->in[i]),
				    tensor_page_bytes(op->in[i].tensor), NULL, cores, n));
	for (uint32_t i = 0; i < op->outs; i++)
		must(ttp_program_cb(k->program, op->out[i].cb, pages_of(&op->out[i]),
				    tensor_page_bytes(op->out[i].tensor), NULL, cores, n));
	for (uint32_t i = 0; i < op->locals; i++)
		must(ttp_program_cb(k->program, op->local[i].cb, op->local[i].pages,
				    4 * TILE_VALUES, NULL, cores, n));
	if (op->scale_cb)
		must(ttp_program_cb(k->program, op->scale_cb, 1, 4 * TILE_VALUES, NULL, cores, n));
}

/* Which units a core has never changes, so it is said once. */
static void divide(const struct ops *o, struct ttp_kernel *kernel, uint32_t units, uint32_t cores)
{
	uint32_t first = 0;

	if (!kernel)
		return;
	for (uint32_t i = 0; i < cores; i++) {
		uint32_t args[] = { first, units / cores + (i < units % cores) };

		must(ttp_kernel_args(kernel, i % o->grid_x, i / o->grid_x, args, 2));
		first += args[1];
	}
}

static struct kept *make_program(struct ops *o, const struct op *op, uint64_t hash)
{
	struct kept *k = calloc(1, sizeof(*k));
	const char *reader = op->reader ? op->reader : "read_units.c";
	const char *writer = op->writer ? op->writer : "write_units.c";
	struct ttp_cores cores[2];
	size_t n = rectangles(o, cores_of(o, op), cores);

	if (!k)
		fail("out of memory");
	k->hash = hash;
	k->program = ttp_program_new(o->dev);
	must(!k->program);
	make_buffers(k, op, cores, n);
	/* As in tt-metal: NoC 0 is the better one for reads from DRAM, NoC 1 for writes. */
	if (*reader) {
		k->reader = add_kernel(k, reader, TTP_NCRISC, cores, n);
		must(ttp_kernel_noc(k->reader, 0));
	}
	if (*writer) {
		k->writer = add_kernel(k, writer, TTP_BRISC, cores, n);
		must(ttp_kernel_noc(k->writer, 1));
	}
	if (op->compute) {
		k->compute = add_kernel(k, op->compute, TTP_COMPUTE, cores, n);
		if (op->define)
			must(ttp_kernel_define(k->compute, op->define, op->value));
	}
	divide(o, k->reader, op->units, cores_of(o, op));
	divide(o, k->writer, op->units, cores_of(o, op));
	divide(o, k->compute, op->units, cores_of(o, op));
	k->next = o->kept;
	o->kept = k;
	o->programs++;
	return k;
}

static struct kept *find_program(struct ops *o, const struct op *op)
{
	uint64_t hash = hash_of(op);

	for (struct kept *k = o->kept; k; k = k->next)
		if (k->hash == hash)
			return k;
	return make_program(o, op, hash);
}

static void add_unit_args(struct op *op)
{
	if (!op->reader) {
		op_word(&op->read_args, op->ins);
		op_word(&op->read_args, op->scale_cb ? op->scale_cb : 32);
		op_float(&op->read_args, op->scale);
		for (uint32_t i = 0; i < op->ins; i++) {
			const struct operand *d = &op->in[i];
			uint32_t words[] = { d->cb,        ttp_buffer_address(d->tensor->buffer),
					     d->tiles,     d->unit_step,
					     d->tile_step, d->once };

			for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
				op_word(&op->read_args, words[w]);
		}
	}
	if (op->writer)
		return;
	op_word(&op->write_args, op->outs);
	for (uint32_t i = 0; i < op->outs; i++) {
		const struct operand *d = &op->out[i];
		uint32_t words[] = { d->cb, ttp_buffer_address(d->tensor->buffer), d->tiles,
				     d->unit_step, d->tile_step };

		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			op_word(&op->write_args, words[w]);
	}
}

/* What has not changed need not be sent. */
static void set_args(struct ttp_kernel *kernel, const struct words *w, struct words *last)
{
	if (!kernel || !w->n ||
	    (w->n == last->n && !memcmp(w->at, last->at, w->n * sizeof(*w->at))))
		return;
	must(ttp_kernel_common_args(kernel, w->at, w->n));
	*last = *w;
}

void op_attribute(struct op *op, const char *name, const char *format, ...)
{
	va_list list;

	if (op->attributes == OP_ATTRIBUTES)
		fail("an op with more than %d attributes", OP_ATTRIBUTES);
	op->attribute[op->attributes].name = name;
	va_start(list, format);
	vsnprintf(op->attribute[op->attributes++].value, sizeof(op->attribute[0].value), format,
		  list);
	va_end(list);
}

static struct ttp_tensor *tensor_of(const struct operand *d)
{
	static const enum ttp_dtype types[] = { TTP_BFLOAT16, TTP_FLOAT32, TTP_UINT32 };
	uint32_t own[] = { 1, 1, d->tensor->rows, d->tensor->columns };

	return ttp_tensor_new(d->tensor->buffer, d->shape[0] ? d->shape : own, 4,
			      d->tensor->type == TOKENS ? TTP_ROW_MAJOR : TTP_TILE,
			      types[d->tensor->type]);
}

/* What the report is to say of it. */
static void describe(struct ttp_op *meta, const struct op *op, uint32_t cores)
{
	for (uint32_t i = 0; i < op->attributes; i++)
		must(ttp_op_attribute(meta, op->attribute[i].name, op->attribute[i].value));
	for (uint32_t i = 0; i < op->ins + op->outs; i++) {
		bool in = i < op->ins;
		struct ttp_tensor *t = tensor_of(in ? &op->in[i] : &op->out[i - op->ins]);

		must(in ? ttp_op_input(meta, t) : ttp_op_output(meta, t));
		ttp_tensor_free(t);
	}
	must(ttp_op_parallelization(meta, cores > 1 ? "MULTI_CORE" : "SINGLE_CORE"));
}

static void enqueue(struct ops *o, struct op *op)
{
	struct kept *k = find_program(o, op);

	set_args(k->reader, &op->read_args, &k->read_args);
	set_args(k->writer, &op->write_args, &k->write_args);
	set_args(k->compute, &op->compute_args, &k->compute_args);
	must(ttp_enqueue(k->program));
}

void op_run(struct ops *o, struct op *op)
{
	struct ttp_op *meta;

	add_unit_args(op);
	if (o->compiling) {
		enqueue(o, op);
		return;
	}
	meta = ttp_op_begin(op->code, TTP_OP_DEVICE, o->dev);
	must(!meta);
	describe(meta, op, cores_of(o, op));
	enqueue(o, op);
	must(ttp_op_end(meta));
	o->runs++;
}

void ops_trace_begin(struct ops *o)
{
	o->trace = ttp_trace_begin(o->dev);
	must(!o->trace);
	o->traced = o->runs;
}

void ops_trace_end(struct ops *o)
{
	must(ttp_trace_end(o->trace));
	o->traced = o->runs - o->traced;
	o->runs -= o->traced;
}

void ops_trace_replay(struct ops *o)
{
	must(ttp_trace_replay(o->trace));
	o->runs += o->traced;
}

/* What is enqueued into a trace is compiled, but does not run unless the trace is replayed. */
void ops_compile_begin(struct ops *o)
{
	ops_trace_begin(o);
	o->compiling = true;
}

void ops_compile_end(struct ops *o)
{
	must(ttp_trace_end(o->trace));
	ttp_trace_release(o->trace);
	o->trace = NULL;
	o->compiling = false;
}
