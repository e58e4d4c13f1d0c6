// SPDX-License-Identifier: Apache-2.0
/* eltwise_add [TILES per core]: a + b, tile by tile, on all cores; each has a reader, compute and a writer. */
#include "example.h"

enum { TILE = 32 * 32 };

int main(int argc, char **argv)
{
	uint32_t each = argument(argc, argv, 1, 2), random = 1, tile = 0, wrong = 0;
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_program *program = ttp_program_new(dev);
	struct ttp_kernel *reader, *writer, *compute;
	struct ttp_buffer *a, *b, *sum;
	struct ttp_cores all;
	uint16_t *va, *vb, *got;
	size_t n;

	CHECK(!program);
	all = whole_grid(dev);
	n = (size_t)(all.x1 + 1) * (all.y1 + 1) * each * TILE;
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
	CHECK(ttp_buffer_write(a, 0, va, n * 2));
	CHECK(ttp_buffer_write(b, 0, vb, n * 2));

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
	CHECK(ttp_enqueue(program));
	CHECK(ttp_buffer_read(sum, 0, got, n * 2));
	CHECK(ttp_dev_close(dev));
	for (size_t i = 0; i < n; i++)
		wrong += got[i] != bf16_of(of_bf16(va[i]) + of_bf16(vb[i]));
	free(va);
	free(vb);
	free(got);
	printf("%zu sums, %u wrong\n", n, wrong);
	return wrong != 0;
}
