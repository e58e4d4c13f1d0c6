// SPDX-License-Identifier: Apache-2.0
/*
 * How fast an op could be: for one op as it was called (code, attributes, fidelity, cores, tensors) the
 * bytes that it must move, the arithmetic that it must do, and the time that each of the chip's limits
 * needs for them.  docs/explain/report.md has the formulas with an example per family.
 *
 * All times are lower bounds in ns for one call on one chip.  0 means that the limit does not apply or
 * is not known for the chip.
 */
#ifndef TTP_REPORT_ROOFLINE_H
#define TTP_REPORT_ROOFLINE_H

#include "chip/chip.h"
#include "ops/table/ops_table.h"
#include "report/family.h"

enum roof { ROOF_DRAM, ROOF_FLOP, ROOF_L1, ROOF_ETH, ROOFS };

const char *roof_name(enum roof r);

struct shape {
	double dram_bytes, l1_bytes, host_bytes; /* moved, by where the tensors lie */
	double in_bytes, out_bytes;              /* that pass through the cores */
	double window_bytes; /* of windows, that the cores read from their L1, anew for each output; else 0 */
	double padded, logical; /* elements of all tensors with and without padding */
	double flop;            /* multiply-adds count as two; 0 where not modelled */
	int64_t m, k, n, batch; /* of the product behind matmul, conv; else 0 */
	unsigned odd_tensors;   /* whose sizes or datatype can't be read */
	bool tensors;           /* it has some: the figures mean something */
	bool local;             /* every tensor is sharded in L1 */
};

struct roofline {
	struct work work;
	struct shape shape;
	double cores; /* that the op ran on */
	int passes;   /* of the matrix engine; 0 when the fidelity is not known: at least one */
	double ns[ROOFS];
	double ideal_ns; /* the largest of them */
	enum roof roof;  /* which that is */
	double full_ns;  /* ideal_ns if all the chip's workers took part */
	bool dram_sharded;
	double matrix_cores; /* that compute: with a DRAM-sharded config one per bank, else all that it ran on */
	int64_t block_w, subblock_h, subblock_w; /* matmul program config; 0 when not given */
};

struct roof_chip {
	const struct chip *chip;
	double workers; /* cores that programs can use in this run */
};

/* What all its workers together can have: bytes, or arithmetic at a fidelity. */
struct roof_line {
	const char *of;      /* "DRAM", "NoC", "L1"; "LoFi", … */
	double gbps, tflops; /* one of the two, the other 0 */
};
enum { ROOF_LINES_MOST = 8 };
size_t roof_lines(const struct roof_chip *on, struct roof_line to[static ROOF_LINES_MOST]);

/* Bytes of one element, shared exponents included (BFLOAT8_B 1.0625); 0 for a type we don't know. */
double datatype_bytes(struct str datatype);

void roofline_of(const struct ops_table *t, size_t row, const struct roof_chip *on,
		 struct roofline *out);

/* Value of a key in an ATTRIBUTES text ('num_links': '2' or in0_block_w=2); false without it. */
bool attribute(struct str attributes, struct str key, struct str *value);

#endif /* TTP_REPORT_ROOFLINE_H */
