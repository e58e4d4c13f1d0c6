/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the API that ask for memory: ttp_x() is made of call_x() (guarded_calls.c).  A call that gets none fails as others do, and
 * ttp_dev_close() of a device that was open then fails, too: its log may lack something.
 */
#ifndef TTP_HOST_API_GUARDED_CALLS_H
#define TTP_HOST_API_GUARDED_CALLS_H

#include <stdbool.h>
#include <ttp/device.h>
#include <ttp/ops.h>

#include "base/err.h"

/* clang-format off */
/* X(type, what it returns on failure, name, parameters, arguments) */
#define HOST_CALLS(X)                                                                              \
	X(struct ttp_op *, NULL, op_begin,                                                         \
	  (const char *code, enum ttp_op_type type, struct ttp_dev *d), (code, type, d))           \
	X(int, -1, op_program, (struct ttp_op * op, struct ttp_program * p), (op, p))              \
	X(int, -1, op_program_cache, (struct ttp_op * op, uint64_t hash, bool hit),                \
	  (op, hash, hit))                                                                         \
	X(int, -1, op_kernel,                                                                      \
	  (struct ttp_op * op, const char *source, const char *name, int fidelity),                \
	  (op, source, name, fidelity))                                                            \
	X(int, -1, op_attribute, (struct ttp_op * op, const char *name, const char *value),        \
	  (op, name, value))                                                                       \
	X(int, -1, op_meta_data, (struct ttp_op * op, const char *text), (op, text))               \
	X(int, -1, op_input, (struct ttp_op * op, const struct ttp_tensor *t), (op, t))            \
	X(int, -1, op_output, (struct ttp_op * op, const struct ttp_tensor *t), (op, t))           \
	X(int, -1, op_parallelization, (struct ttp_op * op, const char *strategy), (op, strategy)) \
	X(int, -1, op_model,                                                                       \
	  (struct ttp_op * op, uint64_t ideal_ns, uint64_t compute_ns, uint64_t bandwidth_ns),     \
	  (op, ideal_ns, compute_ns, bandwidth_ns))                                                \
	X(int, -1, op_model_bandwidths,                                                            \
	  (struct ttp_op * op, const double *inputs, size_t inputs_n, const double *outputs,       \
	   size_t outputs_n),                                                                      \
	  (op, inputs, inputs_n, outputs, outputs_n))                                              \
	X(int, -1, op_location, (const char *dir), (dir))                                          \
	X(int, -1, op_end, (struct ttp_op * op), (op))                                             \
	X(struct ttp_tensor *, NULL, tensor_new,                                                   \
	  (const struct ttp_buffer *buffer, const uint32_t *shape, size_t rank,                    \
	   enum ttp_layout layout, enum ttp_dtype dtype),                                          \
	  (buffer, shape, rank, layout, dtype))                                                    \
	X(int, -1, tensor_padded, (struct ttp_tensor * t, const uint32_t *shape, size_t rank),     \
	  (t, shape, rank))                                                                        \
	X(int, -1, tensor_memory_layout, (struct ttp_tensor * t, const char *layout), (t, layout)) \
	X(struct ttp_dev *, NULL, dev_open, (int id, const char *name), (id, name))                \
	X(int, -1, dev_close, (struct ttp_dev * d), (d))                                           \
	X(int, -1, dev_l1_read,                                                                    \
	  (struct ttp_dev * d, uint32_t x, uint32_t y, uint32_t addr, void *to, size_t len),       \
	  (d, x, y, addr, to, len))                                                                \
	X(int, -1, dev_l1_write,                                                                   \
	  (struct ttp_dev * d, uint32_t x, uint32_t y, uint32_t addr, const void *from,            \
	   size_t len),                                                                            \
	  (d, x, y, addr, from, len))                                                              \
	X(int, -1, dev_read_profiler, (struct ttp_dev * d), (d))                                   \
	X(int, -1, dev_hash, (struct ttp_dev * d, bool all, uint64_t *hash), (d, all, hash))       \
	X(int, -1, dev_sub_devices, (struct ttp_dev * d, const struct ttp_cores *cores, size_t n), \
	  (d, cores, n))                                                                           \
	X(int, -1, dev_name_program, (struct ttp_dev * d, uint32_t id, const char *name),          \
	  (d, id, name))                                                                           \
	X(int, -1, enqueue, (struct ttp_program * p), (p))                                         \
	X(int, -1, finish, (struct ttp_dev * d), (d))                                              \
	X(struct ttp_trace *, NULL, trace_begin, (struct ttp_dev * d), (d))                        \
	X(int, -1, trace_end, (struct ttp_trace * t), (t))                                         \
	X(int, -1, trace_replay, (struct ttp_trace * t), (t))                                      \
	X(struct ttp_buffer *, NULL, buffer_new,                                                   \
	  (struct ttp_dev * d, enum ttp_memory where, uint64_t bytes, uint32_t page_bytes),        \
	  (d, where, bytes, page_bytes))                                                           \
	X(struct ttp_buffer *, NULL, buffer_new_bank,                                              \
	  (struct ttp_dev * d, enum ttp_memory where, uint32_t bank, uint64_t bytes),              \
	  (d, where, bank, bytes))                                                                 \
	X(struct ttp_buffer *, NULL, buffer_new_sharded,                                           \
	  (struct ttp_dev * d, uint64_t bytes, uint32_t shard_bytes,                               \
	   const struct ttp_cores *cores),                                                         \
	  (d, bytes, shard_bytes, cores))                                                          \
	X(int, -1, buffer_write,                                                                   \
	  (struct ttp_buffer * b, uint64_t offset, const void *from, size_t len),                  \
	  (b, offset, from, len))                                                                  \
	X(int, -1, buffer_read, (struct ttp_buffer * b, uint64_t offset, void *to, size_t len),    \
	  (b, offset, to, len))                                                                    \
	X(struct ttp_program *, NULL, program_new, (struct ttp_dev * d), (d))                      \
	X(int, -1, program_set_id, (struct ttp_program * p, uint32_t id, bool fallback),           \
	  (p, id, fallback))                                                                       \
	X(struct ttp_kernel *, NULL, program_kernel,                                               \
	  (struct ttp_program * p, const char *path, enum ttp_processor processor,                 \
	   const struct ttp_cores *cores, size_t n),                                               \
	  (p, path, processor, cores, n))                                                          \
	X(struct ttp_kernel *, NULL, program_kernel_text,                                          \
	  (struct ttp_program * p, const char *name, const char *text,                             \
	   enum ttp_processor processor, const struct ttp_cores *cores, size_t n),                 \
	  (p, name, text, processor, cores, n))                                                    \
	X(int, -1, program_cb,                                                                     \
	  (struct ttp_program * p, uint32_t index, uint32_t pages, uint32_t page_bytes,            \
	   const struct ttp_buffer *at, const struct ttp_cores *cores, size_t n),                  \
	  (p, index, pages, page_bytes, at, cores, n))                                             \
	X(int, -1, program_semaphore,                                                              \
	  (struct ttp_program * p, uint32_t first_value, const struct ttp_cores *cores, size_t n), \
	  (p, first_value, cores, n))                                                              \
	X(int, -1, kernel_define, (struct ttp_kernel * k, const char *name, const char *value),    \
	  (k, name, value))                                                                        \
	X(int, -1, kernel_compile_args, (struct ttp_kernel * k, const uint32_t *words, size_t n),  \
	  (k, words, n))                                                                           \
	X(int, -1, kernel_noc, (struct ttp_kernel * k, int noc), (k, noc))                         \
	X(int, -1, kernel_fidelity, (struct ttp_kernel * k, int fidelity), (k, fidelity))          \
	X(int, -1, kernel_include, (struct ttp_kernel * k, const char *folder), (k, folder))       \
	X(int, -1, kernel_args,                                                                    \
	  (struct ttp_kernel * k, uint32_t x, uint32_t y, const uint32_t *words, size_t n),        \
	  (k, x, y, words, n))                                                                     \
	X(int, -1, kernel_common_args, (struct ttp_kernel * k, const uint32_t *words, size_t n),   \
	  (k, words, n))
/* clang-format on */

#define X(type, failed, name, parameters, arguments) type call_##name parameters;
HOST_CALLS(X)
#undef X

/* fn(ctx, e), or the error that there is no memory: for what has to be done whether or not it worked. */
enum ttp_rc host_guarded(enum ttp_rc (*fn)(void *ctx, struct ttp_err *e), void *ctx,
			 struct ttp_err *e) TTP_CHECKED;
/* How many calls got no memory so far. */
unsigned host_exhausted(void);

/*
 * A program that is ended by a signal keeps what its devices recorded: they are read before the signal ends it.  Signals that the program handles or
 * ignores are its own.
 *
 * A handler can't read a device: it wakes a thread, which waits until nobody is in a call of the API, keeps everybody out from then on, reads, and sends the
 * signal again.  A thread that crashed waits for that in its handler, unless it crashed in a call.
 */
/* From now on; `read` reads all devices. */
void death_watch(void (*read)(void));
/* The program exits by itself, maybe while it is being ended: false if the devices were read meanwhile. */
bool death_is_mine(void);

/* Around each call of the API. */
void calls_enter(void);
void calls_leave(void);

#endif /* TTP_HOST_API_GUARDED_CALLS_H */
