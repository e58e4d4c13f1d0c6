// SPDX-License-Identifier: Apache-2.0
/* How ops are named for people: "Matmul 3200 x 1792 x 1536", "LayerNorm 3200 x 1536", "Conv2d 3x3 …". */
#ifndef TTP_REPORT_LABEL_H
#define TTP_REPORT_LABEL_H

#include "report/calls.h"

/* The op's short name and shape. */
void label_op(struct buf *b, const struct ops_table *t, const struct kind *k);
/* "program 7": an op without a name, by its number in the log. */
void label_number(struct buf *b, uint32_t device, uint64_t run_id);
/* What runtimes number is the program, with the device below it. */
uint64_t program_number(uint32_t device, uint64_t run_id);
/* A call: its op's label, or its number where the report has no names. */
void label_call(struct buf *b, const struct ops_table *t, const struct calls *c,
		const struct call *call);
/* What makes two gaps before ops alike: the op, and whether programs were being built, or it was a pause, and the host's zone. */
void label_gap(struct buf *b, const struct ops_table *t, const struct calls *c,
	       const struct call *call);
/* Its types: "HiFi2 BF16 x BFP8 > BF16"; nothing without tensors. */
void label_types(struct buf *b, const struct ops_table *t, const struct kind *k);
/* All of it, and its cores: what makes two ops alike to a reader. */
void label_alike(struct buf *b, const struct ops_table *t, const struct kind *k);
/* Where its first input lies: "dram interleaved", "l1 height sharded"; nothing without one. */
void label_memory(struct buf *b, const struct ops_table *t, const struct kind *k);
/* One tensor with all that is known: "1 x 1 x 3200[3199] x 1792 BFLOAT16 TILE DRAM_INTERLEAVED". */
void label_tensor(struct buf *b, const struct ops_table *t, const struct tensor *x);
/* "412 ns", "41.2 µs", "8.40 ms", "2.31 s": three digits. */
void label_ns(struct buf *b, double ns);

#endif /* TTP_REPORT_LABEL_H */
