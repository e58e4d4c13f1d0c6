// SPDX-License-Identifier: Apache-2.0
/*
 * Ops: what a program on a device means, for the ops report.
 *
 *	#include <ttp/ops.h>
 *
 *	uint32_t shape[] = { 1, 1, 64, 128 };
 *	struct ttp_tensor *a = ttp_tensor_new(buffer, shape, 4, TTP_TILE, TTP_BFLOAT16);
 *	struct ttp_op *op = ttp_op_begin("Relu", TTP_OP_DEVICE, dev);
 *
 *	ttp_op_program(op, program);
 *	ttp_op_attribute(op, "fused", "false");
 *	ttp_op_input(op, a);
 *	ttp_op_output(op, b);
 *	ttp_enqueue(program);
 *	ttp_op_end(op);
 *
 *	cc -o program program.c $(pkg-config --cflags --libs ttpdev)
 *
 * An op is a zone of libttp, from begin to end, and a message that says what it was: the zones and messages
 * that tt-metal sends, so `ttprof ops`, process_ops_logs.py and every Tracy server know them.  docs/guide/ops-api.md is the
 * guide, docs/guide/ops.md has the columns that come of it.
 *
 * RULES
 *
 * Failure.   As in ttp/device.h: 0 or -1, a NULL handle is taken everywhere, ttp_device_error() has the text.
 * Threads.   An op is used by the thread that began it.  Ops nest, and end in reverse order.
 * Lifetime.  Text and tensors are copied.  ttp_op_end() frees the op.
 * Recording. Where nobody records (docs/guide/client.md: TTP_FILE, TRACY_PORT), messages wait in libttp's buffer.
 */
#ifndef TTP_OPS_H
#define TTP_OPS_H

#include <ttp/device.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ttp_op;
struct ttp_tensor;

/* Where it runs, and what it is written in. */
enum ttp_op_type {
	TTP_OP_DEVICE,  /* tt_dnn_device */
	TTP_OP_CPU,     /* tt_dnn_cpu: C and C++ on the host */
	TTP_OP_FALLBACK /* python_fallback */
};

enum ttp_layout { TTP_ROW_MAJOR, TTP_TILE, TTP_CHANNELS_LAST };

enum ttp_dtype {
	TTP_BFLOAT16,
	TTP_FLOAT32,
	TTP_UINT32,
	TTP_BFLOAT8_B,
	TTP_BFLOAT4_B,
	TTP_UINT8,
	TTP_UINT16,
	TTP_INT32
};

/* ---- tensors: what the report shows of a buffer ---- */

/*
 * `shape` is the logical one, outermost first; the report has four dimensions, so more are multiplied into the first of
 * them.  In TILE layout the padded shape has the last two rounded up to 32.  `buffer` NULL: on the host.
 */
TTP_API struct ttp_tensor *ttp_tensor_new(const struct ttp_buffer *buffer, const uint32_t *shape,
					  size_t rank, enum ttp_layout layout,
					  enum ttp_dtype dtype);
TTP_API void ttp_tensor_free(struct ttp_tensor *tensor);
/* Another padding than the layout's. */
TTP_API int ttp_tensor_padded(struct ttp_tensor *tensor, const uint32_t *shape, size_t rank);
/* "HEIGHT_SHARDED", …; without a call INTERLEAVED, SINGLE_BANK or BLOCK_SHARDED, as the buffer is. */
TTP_API int ttp_tensor_memory_layout(struct ttp_tensor *tensor, const char *layout);

/* ---- ops ---- */

/* `code` is the op's name.  `dev` is the device of a TTP_OP_DEVICE, NULL for the others. */
TTP_API struct ttp_op *ttp_op_begin(const char *code, enum ttp_op_type type, struct ttp_dev *dev);
TTP_API int ttp_op_end(struct ttp_op *op);
/* The innermost op of this thread that has not ended, or NULL. */
TTP_API struct ttp_op *ttp_op_current(void);
/* As it is called in messages and logs: GLOBAL CALL COUNT. */
TTP_API uint32_t ttp_op_id(const struct ttp_op *op);

/*
 * The program that does it, before it is enqueued: it gets the op's id, and the op its kernels, their fidelity and sizes.
 * Without a call the first program that is enqueued inside of the op, on its device, is it.
 */
TTP_API int ttp_op_program(struct ttp_op *op, struct ttp_program *program);
/*
 * Its hash in the program cache, and whether it was found there.  Without a call the hash is made of code,
 * attributes, tensors and kernels, and it was found if no kernel had to be compiled or read.
 */
TTP_API int ttp_op_program_cache(struct ttp_op *op, uint64_t hash, bool hit);
/* A kernel that libttpdev does not know of; `fidelity` 1 .. 4 for compute, 0 for data movement. */
TTP_API int ttp_op_kernel(struct ttp_op *op, const char *source, const char *name, int fidelity);

TTP_API int ttp_op_attribute(struct ttp_op *op, const char *name, const char *value);
/* More text for ATTRIBUTES, beside those that make the op what it is; not a part of its hash. */
TTP_API int ttp_op_meta_data(struct ttp_op *op, const char *text);
TTP_API int ttp_op_input(struct ttp_op *op, const struct ttp_tensor *tensor);
TTP_API int ttp_op_output(struct ttp_op *op, const struct ttp_tensor *tensor);
/* How it is divided over cores, such as "MULTI_CORE". */
TTP_API int ttp_op_parallelization(struct ttp_op *op, const char *strategy);
/* What it could take at best: in all, for computing, for moving data; in ns. */
TTP_API int ttp_op_model(struct ttp_op *op, uint64_t ideal_ns, uint64_t compute_ns,
			 uint64_t bandwidth_ns);
/* ... and the bandwidths that it needs then, per input and output, in GB/s. */
TTP_API int ttp_op_model_bandwidths(struct ttp_op *op, const double *inputs, size_t inputs_n,
				    const double *outputs, size_t outputs_n);

/*
 * Also writes logs of ops as the tools of 2023 had them, from now on: DIR/OP/profile_log_host.csv, what each call did with the
 * device in DIR/OP/CALL, its markers in DIR_device/OP/CALL.  The device is then read after each op.  NULL: no more.
 */
TTP_API int ttp_op_location(const char *dir);

#ifdef __cplusplus
}
#endif

#endif /* TTP_OPS_H */
