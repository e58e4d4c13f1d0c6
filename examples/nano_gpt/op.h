// SPDX-License-Identifier: Apache-2.0
/*
 * One op: a program with a reader, a compute kernel and a writer on as many cores as there is work for.  Programs are
 * kept by what they are made of, so an op that was run before with the same shapes is only given its new addresses.
 */
#ifndef NANO_GPT_OP_H
#define NANO_GPT_OP_H

#include "tensor.h"

enum { OP_TENSORS = 5, OP_LOCALS = 8, OP_WORDS = 48, OP_ATTRIBUTES = 8, OP_ALL_CORES = 64 };

/* A tensor as read_units.c and write_units.c go through it. */
struct operand {
	struct tensor *tensor;
	uint32_t cb, tiles; /* of one unit of work */
	uint32_t unit_step, tile_step;
	bool once;
	uint32_t shape[4]; /* as reports show it; 0: the tensor's */
};

struct words {
	uint32_t at[OP_WORDS];
	size_t n;
};

struct op {
	const char *code; /* the name that reports show */
	struct {
		const char *name;
		char value[48];
	} attribute[OP_ATTRIBUTES]; /* what else reports show */
	uint32_t attributes;
	const char *compute, *define, *value; /* kernel, and -Ddefine=value; may be NULL */
	const char *reader, *writer;          /* NULL: read_units.c, write_units.c; "": none */
	uint32_t units;                       /* of work, to be divided among cores */
	struct operand in[OP_TENSORS], out[OP_TENSORS];
	uint32_t ins, outs;
	struct {
		uint32_t cb, pages;
	} local[OP_LOCALS]; /* buffers that stay in a core: fp32 */
	uint32_t locals;
	uint32_t scale_cb; /* a tile for reductions, if it isn't 0 */
	float scale;
	struct words read_args, write_args,
		compute_args; /* common; of our own readers made by op_run() */
};

struct ops; /* a device and its programs */

struct ops *ops_new(struct ttp_dev *dev);
void ops_free(struct ops *o);
struct ttp_dev *ops_device(struct ops *o);
uint32_t ops_programs(const struct ops *o);
uint64_t ops_run(const struct ops *o);

void op_in(struct op *op, struct tensor *t, uint32_t cb, uint32_t tiles, uint32_t unit_step,
	   uint32_t tile_step);
void op_in_once(struct op *op, struct tensor *t, uint32_t cb, uint32_t tiles);
void op_out(struct op *op, struct tensor *t, uint32_t cb, uint32_t tiles, uint32_t unit_step,
	    uint32_t tile_step);
void op_local(struct op *op, uint32_t cb, uint32_t pages);
void op_word(struct words *w, uint32_t word);
void op_float(struct words *w, float f);
void op_attribute(struct op *op, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void op_run(struct ops *o, struct op *op);

/* Ops between these are compiled, but not run or reported. */
void ops_compile_begin(struct ops *o);
void ops_compile_end(struct ops *o);

/* Ops between these are kept; each replay runs them without the host. */
void ops_trace_begin(struct ops *o);
void ops_trace_end(struct ops *o);
void ops_trace_replay(struct ops *o);

#endif /* NANO_GPT_OP_H */
