// SPDX-License-Identifier: Apache-2.0
/*
 * eltwise_add_op [TIMES [TILES per core]]: a + b on all cores, as an op that the ops report knows.
 *
 *	mkdir -p run
 *	TT_METAL_PROFILER_DIR=run TTP_FILE=run/run.ttpr TT_METAL_DEVICE_PROFILER=1 eltwise_add_op
 *	ttprof ops run --report - | ttprof report -
 */
#include "example.h"

#include <ttp/client.h>
#include <ttp/ops.h>

enum { TILE = 32 * 32 };

static struct ttp_program *add(struct ttp_dev *dev, struct ttp_cores all, struct ttp_buffer *a,
			       struct ttp_buffer *b, struct ttp_buffer *sum, uint32_t each)
{
	struct ttp_program *program = ttp_program_new(dev);
	struct ttp_kernel *reader, *writer, *compute;
	uint32_t tile = 0;

	CHECK(ttp_program_cb(program, 0, 2, TILE * 2, NULL, &all, 1));
	CHECK(ttp_program_cb(program, 1, 2, TILE * 2, NULL, &all, 1));
	CHECK(ttp_program_cb(program, 16, 2, TILE * 2, NULL, &all, 1));
	reader = ttp_program_kernel(program, kernel_path("read_tiles.c"), TTP_NCRISC, &all, 1);
	writer = ttp_program_kernel(program, kernel_path("write_tiles.c"), TTP_BRISC, &all, 1);
	compute = ttp_program_kernel(program, kernel_path("add_tiles.c"), TTP_COMPUTE, &all, 1);
	for (uint32_t y = 0; y <= all.y1; y++)
		for (uint32_t x = 0; x <= all.x1; x++, tile += each) {
			uint32_t in[] = { ttp_buffer_address(a), ttp_buffer_address(b), tile,
					  each };
			uint32_t out[] = { ttp_buffer_address(sum), tile, each };

			CHECK(ttp_kernel_args(reader, x, y, in, 4));
			CHECK(ttp_kernel_args(writer, x, y, out, 3));
			CHECK(ttp_kernel_args(compute, x, y, &each, 1));
		}
	return program;
}

int main(int argc, char **argv)
{
	uint32_t times = argument(argc, argv, 1, 1), each = argument(argc, argv, 2, 2);
	uint32_t random = 1, wrong = 0, shape[4] = { 1, 1, 32, 0 };
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_buffer *a, *b, *sum;
	struct ttp_tensor *ta, *tb, *tsum;
	struct ttp_program *program;
	struct ttp_cores all;
	uint16_t *va, *vb, *got;
	size_t n;

	CHECK(!dev);
	all = whole_grid(dev);
	n = (size_t)(all.x1 + 1) * (all.y1 + 1) * each * TILE;
	shape[3] = (uint32_t)(n / 32);
	va = malloc(n * 2);
	vb = malloc(n * 2);
	got = malloc(n * 2);
	for (size_t i = 0; i < n; i++) {
		va[i] = bf16_of((float)(next_random(&random) % 64));
		vb[i] = bf16_of((float)(next_random(&random) % 64) - 32.0f);
	}
	a = ttp_buffer_new(dev, TTP_DRAM, n * 2, TILE * 2);
	b = ttp_buffer_new(dev, TTP_DRAM, n * 2, TILE * 2);
	sum = ttp_buffer_new(dev, TTP_DRAM, n * 2, TILE * 2);
	ta = ttp_tensor_new(a, shape, 4, TTP_TILE, TTP_BFLOAT16);
	tb = ttp_tensor_new(b, shape, 4, TTP_TILE, TTP_BFLOAT16);
	tsum = ttp_tensor_new(sum, shape, 4, TTP_TILE, TTP_BFLOAT16);
	CHECK(ttp_buffer_write(a, 0, va, n * 2));
	CHECK(ttp_buffer_write(b, 0, vb, n * 2));
	program = add(dev, all, a, b, sum, each);

	ttp_signpost("start", NULL);
	for (uint32_t i = 0; i < times; i++) {
		struct ttp_op *op = ttp_op_begin("BinaryDeviceOperation", TTP_OP_DEVICE, dev);

		CHECK(ttp_op_program(op, program));
		CHECK(ttp_op_attribute(op, "binary_op_type", "BinaryOpType::ADD"));
		CHECK(ttp_op_input(op, ta));
		CHECK(ttp_op_input(op, tb));
		CHECK(ttp_op_output(op, tsum));
		CHECK(ttp_op_parallelization(op, "MULTI_CORE"));
		CHECK(ttp_enqueue(program));
		CHECK(ttp_op_end(op));
	}
	CHECK(ttp_finish(dev));
	ttp_signpost("stop", NULL);
	CHECK(ttp_buffer_read(sum, 0, got, n * 2));
	CHECK(ttp_dev_close(dev));
	for (size_t i = 0; i < n; i++)
		wrong += got[i] != bf16_of(of_bf16(va[i]) + of_bf16(vb[i]));
	ttp_tensor_free(ta);
	ttp_tensor_free(tb);
	ttp_tensor_free(tsum);
	free(va);
	free(vb);
	free(got);
	printf("%zu sums, %u wrong\n", n, wrong);
	return wrong != 0;
}
