// SPDX-License-Identifier: Apache-2.0
/*
 * add_two_ints [A] [B]: the smallest program with data.
 *
 *	TT_METAL_DPRINT_CORES=0,0 add_two_ints		what the kernel prints
 *	TT_METAL_DEVICE_PROFILER=1 add_two_ints		what it records
 */
#include "example.h"

int main(int argc, char **argv)
{
	uint32_t a = argument(argc, argv, 1, 14), b = argument(argc, argv, 2, 7), sum = 0;
	struct ttp_cores core = TTP_CORE(0, 0);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_buffer *in_a = ttp_buffer_new(dev, TTP_DRAM, 4, 4);
	struct ttp_buffer *in_b = ttp_buffer_new(dev, TTP_DRAM, 4, 4);
	struct ttp_buffer *out = ttp_buffer_new(dev, TTP_DRAM, 4, 4);
	struct ttp_program *program = ttp_program_new(dev);
	struct ttp_kernel *kernel =
		ttp_program_kernel(program, kernel_path("add_two_ints.c"), TTP_BRISC, &core, 1);
	uint32_t args[] = { ttp_buffer_address(in_a), ttp_buffer_address(in_b),
			    ttp_buffer_address(out) };

	CHECK(ttp_kernel_args(kernel, 0, 0, args, 3));
	CHECK(ttp_buffer_write(in_a, 0, &a, 4));
	CHECK(ttp_buffer_write(in_b, 0, &b, 4));
	CHECK(ttp_enqueue(program));
	CHECK(ttp_buffer_read(out, 0, &sum, 4));
	CHECK(ttp_dev_close(dev));
	printf("%u + %u = %u\n", a, b, sum);
	return sum == a + b ? 0 : 1;
}
