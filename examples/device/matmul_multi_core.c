// SPDX-License-Identifier: Apache-2.0
/*
 * matmul_multi_core [CORES] [KT]: CORES x CORES cores, each with a block of 2 x 2 tiles of the result.  Tiles of A
 * are read once per row of cores and of B once per column, and multicast to the others.
 */
#include "matmul.h"

enum { BLOCK = 2 };

struct run {
	struct ttp_dev *dev;
	uint32_t cores, kt;
	uint32_t room[2], there[2]; /* semaphores of A and B */
};

/* For core (x,y): `other` is 0 for A, which goes along the row, 1 for B, which goes down the column. */
static void set_args(const struct run *r, struct ttp_kernel *kernel, uint32_t other, uint32_t x,
		     uint32_t y, uint32_t in, uint32_t out)
{
	uint32_t wide = r->cores * BLOCK, last = r->cores - 1, noc[3][2];

	/* the sender, and the two corners of the others */
	CHECK(ttp_dev_noc_core(r->dev, other ? x : 0, other ? 0 : y, &noc[0][0], &noc[0][1]));
	CHECK(ttp_dev_noc_core(r->dev,
			       other  ? x
			       : last ? 1
				      : 0,
			       other ? (last ? 1 : 0) : y, &noc[1][0], &noc[1][1]));
	CHECK(ttp_dev_noc_core(r->dev, other ? x : last, other ? last : y, &noc[2][0], &noc[2][1]));
	uint32_t args[] = {
		in,
		other ? x * BLOCK : y * BLOCK * r->kt,
		other ? 1 : r->kt,
		other ? wide : 1,
		BLOCK,
		r->kt,
		other,
		r->room[other],
		r->there[other],
		(other ? y : x) == 0,
		noc[0][0],
		noc[0][1],
		noc[1][0],
		noc[1][1],
		noc[2][0],
		noc[2][1],
		last,
		out,
		y * BLOCK * wide + x * BLOCK,
		BLOCK,
		BLOCK,
		wide,
	};
	CHECK(ttp_kernel_args(kernel, x, y, args, sizeof(args) / sizeof(*args)));
}

int main(int argc, char **argv)
{
	struct run r = { .cores = argument(argc, argv, 1, 4), .kt = argument(argc, argv, 2, 4) };
	uint32_t wide = r.cores * BLOCK, random = 1, wrong, compute_args[] = { 1, r.kt };
	struct matrix a = matrix_new(wide, r.kt), b = matrix_new(r.kt, wide);
	struct matrix c = matrix_new(wide, wide);
	struct ttp_cores all = TTP_CORES(0, 0, r.cores - 1, r.cores - 1);
	struct ttp_program *program;
	struct ttp_buffer *in_a, *in_b, *out;
	struct ttp_kernel *kernel_a, *kernel_b, *compute;

	r.dev = ttp_dev_open(0, NULL);
	program = ttp_program_new(r.dev);
	in_a = ttp_buffer_new(r.dev, TTP_DRAM, a.bytes, TILE_BYTES);
	in_b = ttp_buffer_new(r.dev, TTP_DRAM, b.bytes, TILE_BYTES);
	out = ttp_buffer_new(r.dev, TTP_DRAM, c.bytes, TILE_BYTES);
	matrix_fill(&a, &random);
	matrix_fill(&b, &random);
	CHECK(ttp_buffer_write(in_a, 0, a.at, a.bytes));
	CHECK(ttp_buffer_write(in_b, 0, b.at, b.bytes));
	CHECK(ttp_program_cb(program, 0, 2 * BLOCK, TILE_BYTES, NULL, &all, 1));
	CHECK(ttp_program_cb(program, 1, 2 * BLOCK, TILE_BYTES, NULL, &all, 1));
	CHECK(ttp_program_cb(program, 16, BLOCK * BLOCK, TILE_BYTES, NULL, &all, 1));
	for (int i = 0; i < 2; i++) {
		r.room[i] = (uint32_t)ttp_program_semaphore(program, 0, &all, 1);
		/* 1 is what senders send; receivers set it to 0 before they wait. */
		r.there[i] = (uint32_t)ttp_program_semaphore(program, 1, &all, 1);
	}
	kernel_a = ttp_program_kernel(program, kernel_path("multicast.c"), TTP_NCRISC, &all, 1);
	kernel_b = ttp_program_kernel(program, kernel_path("multicast.c"), TTP_BRISC, &all, 1);
	compute = ttp_program_kernel(program, kernel_path("matmul.c"), TTP_COMPUTE, &all, 1);
	CHECK(ttp_kernel_define(kernel_b, "WRITER", NULL));
	CHECK(ttp_kernel_define(compute, "ROWS", "2"));
	CHECK(ttp_kernel_define(compute, "COLUMNS", "2"));
	for (uint32_t y = 0; y < r.cores; y++)
		for (uint32_t x = 0; x < r.cores; x++) {
			set_args(&r, kernel_a, 0, x, y, ttp_buffer_address(in_a), 0);
			set_args(&r, kernel_b, 1, x, y, ttp_buffer_address(in_b),
				 ttp_buffer_address(out));
			CHECK(ttp_kernel_args(compute, x, y, compute_args, 2));
		}
	CHECK(ttp_enqueue(program));
	CHECK(ttp_buffer_read(out, 0, c.at, c.bytes));
	CHECK(ttp_dev_close(r.dev));
	wrong = matrix_wrong(&a, &b, &c);
	free(a.at);
	free(b.at);
	free(c.at);
	printf("%ux%u x %ux%u tiles on %u cores, %u values wrong\n", wide, r.kt, r.kt, wide,
	       r.cores * r.cores, wrong);
	return wrong != 0;
}
