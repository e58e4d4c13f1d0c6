// SPDX-License-Identifier: Apache-2.0
/* matmul_single_core [MT] [KT] [NT]: one core multiplies two matrices, given in tiles of 32 x 32. */
#include "matmul.h"

int main(int argc, char **argv)
{
	uint32_t mt = argument(argc, argv, 1, 2), kt = argument(argc, argv, 2, 2);
	uint32_t nt = argument(argc, argv, 3, 2), random = 1, wrong;
	struct matrix a = matrix_new(mt, kt), b = matrix_new(kt, nt), c = matrix_new(mt, nt);
	struct ttp_cores core = TTP_CORE(0, 0);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_program *program = ttp_program_new(dev);
	struct ttp_buffer *in_a = ttp_buffer_new(dev, TTP_DRAM, a.bytes, TILE_BYTES);
	struct ttp_buffer *in_b = ttp_buffer_new(dev, TTP_DRAM, b.bytes, TILE_BYTES);
	struct ttp_buffer *out = ttp_buffer_new(dev, TTP_DRAM, c.bytes, TILE_BYTES);
	struct ttp_kernel *reader, *writer, *compute;
	uint32_t read_args[] = { ttp_buffer_address(in_a), ttp_buffer_address(in_b), mt, kt, nt };
	uint32_t write_args[] = { ttp_buffer_address(out), 0, mt * nt };
	uint32_t compute_args[] = { mt * nt, kt };

	CHECK(!program || !out);
	matrix_fill(&a, &random);
	matrix_fill(&b, &random);
	CHECK(ttp_buffer_write(in_a, 0, a.at, a.bytes));
	CHECK(ttp_buffer_write(in_b, 0, b.at, b.bytes));
	CHECK(ttp_program_cb(program, 0, 2, TILE_BYTES, NULL, &core, 1));
	CHECK(ttp_program_cb(program, 1, 2, TILE_BYTES, NULL, &core, 1));
	CHECK(ttp_program_cb(program, 16, 2, TILE_BYTES, NULL, &core, 1));
	reader = ttp_program_kernel(program, kernel_path("matmul_read.c"), TTP_NCRISC, &core, 1);
	writer = ttp_program_kernel(program, kernel_path("write_tiles.c"), TTP_BRISC, &core, 1);
	compute = ttp_program_kernel(program, kernel_path("matmul.c"), TTP_COMPUTE, &core, 1);
	CHECK(ttp_kernel_define(compute, "ROWS", "1"));
	CHECK(ttp_kernel_define(compute, "COLUMNS", "1"));
	CHECK(ttp_kernel_args(reader, 0, 0, read_args, 5));
	CHECK(ttp_kernel_args(writer, 0, 0, write_args, 3));
	CHECK(ttp_kernel_args(compute, 0, 0, compute_args, 2));
	CHECK(ttp_enqueue(program));
	CHECK(ttp_buffer_read(out, 0, c.at, c.bytes));
	CHECK(ttp_dev_close(dev));
	wrong = matrix_wrong(&a, &b, &c);
	free(a.at);
	free(b.at);
	free(c.at);
	printf("%ux%u x %ux%u tiles, %u values wrong\n", mt, kt, kt, nt, wrong);
	return wrong != 0;
}
