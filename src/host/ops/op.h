// SPDX-License-Identifier: Apache-2.0
/*
 * Ops of the host's side: what is known of one until it ends, and the zones inside of it.
 *
 *	op.c		ttp_op_...: begin, describe, end
 *	op_message.c	... as the message that tt-metal sends, cached and never too long
 *	op_folders.c	... as logs of 2023
 *	op_zone.c	zones around what this library does for a program
 */
#ifndef TTP_HOST_OPS_OP_H
#define TTP_HOST_OPS_OP_H

#include <stdint.h>
#include <ttp/client.h>
#include <ttp/ops.h>

#include "host/host_device.h"

/* ---- op_tensor.c ---- */

/* No pointers in it: a copy is a tensor, too. */
struct ttp_tensor {
	uint64_t logical[4], padded[4]; /* W, Z, Y, X */
	enum ttp_layout layout;
	enum ttp_dtype dtype;
	int device; /* -1: on the host */
	enum ttp_memory where;
	char memory_layout[24];
};

const char *tensor_layout_text(const struct ttp_tensor *t);
const char *tensor_dtype_text(const struct ttp_tensor *t);

struct op_attribute {
	char *name, *value;
};

struct op_kernel {
	char *source, *name;
	int fidelity; /* 0: data movement */
};

enum op_zone {
	OP_ZONE_COMPILE,
	OP_ZONE_CONFIGURE,
	OP_ZONE_LAUNCH,
	OP_ZONE_READ,
	OP_ZONE_WRITE,
	OP_ZONE_DUMP,
};

/* What an op did with the device, for op_folders.c. */
struct op_call {
	enum op_zone which;
	int64_t start_ns, stop_ns;
};

typedef VEC(struct ttp_tensor) tensor_vec;

struct ttp_op {
	struct ttp_op *outer; /* of this thread */
	struct buf code;      /* as it stands in messages */
	enum ttp_op_type type;
	uint32_t base_id;
	int device; /* -1: a host op */
	struct ttp_dev *dev;
	struct ttp_program *program; /* NULL once it is freed, or ended */
	struct built *built;         /* what was enqueued; has the kernels */
	bool compiled;               /* something had to be compiled or read for it */
	bool cache_given, cache_hit;
	uint64_t hash; /* with cache_given */
	VEC(struct op_attribute) attributes;
	VEC(struct op_kernel) kernels;
	tensor_vec inputs, outputs;
	struct buf meta, strategy;
	uint64_t ideal_ns, compute_ns, bandwidth_ns;
	VEC(double) input_bws, output_bws;
	int64_t start_ns; /* with op_folders_on() */
	VEC(struct op_call) calls;
};

/* base << 10 | device, with the top bit for fallbacks. */
uint32_t op_call_count(const struct ttp_op *op);

/* ---- op.c, for queue.c and program.c ---- */
/* A program is about to be enqueued: the op that it belongs to, if any, gives it its id. */
void op_take_program(struct ttp_program *p);
/* It was built; `compiled` says whether that was work. */
void op_program_built(struct ttp_program *p, bool compiled);
void op_program_gone(struct ttp_program *p);

/* ---- api/program_trace.c ---- */
/* A program was captured; reported with TT_METAL_PROFILER_TRACE_TRACKING. */
void trace_enqueued(const struct ttp_trace *t, uint32_t id);

/* ---- op_message.c ---- */
/* {"compute_kernels": ...} of a program, as kernel_info has it, and a hash of what they are made of. */
void op_kernel_info(const struct ttp_program *p, struct built *to);
/* "HiFi4", of its first compute kernel; or empty. */
const char *op_fidelity(const struct ttp_op *op);
/* Sends the message of an op that ends. */
void op_send(const struct ttp_op *op);

/* ---- op_folders.c ---- */
enum ttp_rc op_folders_begin(struct ttp_op *op, struct ttp_err *e) TTP_CHECKED;
enum ttp_rc op_folders_end(struct ttp_op *op, struct ttp_err *e) TTP_CHECKED;

/* ---- op_zone.c ---- */
const char *op_zone_name(enum op_zone which);
/*
 * A zone of ours around work for a program, if the client was asked for, is connected, or an op was begun: this library
 * alone does not start the client, which would listen at a port.  What begin gave goes to end.
 */
bool op_zone_begin(enum op_zone which);
void op_zone_end(bool begun);
/* The same rule for messages. */
bool op_recorded(void);
/* An op was begun: the client is in use. */
void op_used(void);

#endif /* TTP_HOST_OPS_OP_H */
