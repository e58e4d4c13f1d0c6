// SPDX-License-Identifier: Apache-2.0
/* dram_loopback [PAGES per core] [PAGE BYTES]: every core copies its pages of a DRAM buffer to another one. */
#include "example.h"

int main(int argc, char **argv)
{
	uint32_t each = argument(argc, argv, 1, 4), page_bytes = argument(argc, argv, 2, 2048);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_program *program = ttp_program_new(dev);
	struct ttp_buffer *from, *to;
	struct ttp_kernel *kernel;
	struct ttp_cores all;
	uint32_t random = 1, page = 0, *sent, *got;
	size_t bytes;
	int different;

	CHECK(!program);
	all = whole_grid(dev);
	bytes = (size_t)(all.x1 + 1) * (all.y1 + 1) * each * page_bytes;
	sent = malloc(bytes);
	got = calloc(1, bytes);
	for (size_t i = 0; i < bytes / 4; i++)
		sent[i] = next_random(&random);
	from = ttp_buffer_new(dev, TTP_DRAM, bytes, page_bytes);
	to = ttp_buffer_new(dev, TTP_DRAM, bytes, page_bytes);
	CHECK(ttp_buffer_write(from, 0, sent, bytes));
	kernel = ttp_program_kernel(program, kernel_path("copy.c"), TTP_BRISC, &all, 1);
	for (uint32_t y = 0; y <= all.y1; y++)
		for (uint32_t x = 0; x <= all.x1; x++, page += each) {
			uint32_t args[] = { ttp_buffer_address(from), ttp_buffer_address(to), page,
					    each, page_bytes };

			CHECK(ttp_kernel_args(kernel, x, y, args, 5));
		}
	CHECK(ttp_enqueue(program));
	CHECK(ttp_buffer_read(to, 0, got, bytes));
	CHECK(ttp_dev_close(dev));
	different = memcmp(sent, got, bytes) != 0;
	free(sent);
	free(got);
	printf("%zu bytes, %s\n", bytes, different ? "DIFFERENT" : "equal");
	return different;
}
