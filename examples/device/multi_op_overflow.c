// SPDX-License-Identifier: Apache-2.0
/*
 * multi_op_overflow [PROGRAMS]: more programs than the profiler's part of DRAM has room for, every fifth of
 * them with compute kernels.
 */
#include "example.h"

int main(int argc, char **argv)
{
	uint32_t programs = argument(argc, argv, 1, 1400);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_dev_markers counts = { 0 };
	struct ttp_cores all;

	CHECK(!dev);
	all = whole_grid(dev);
	for (uint32_t i = 0; i < programs; i++) {
		struct ttp_program *program = ttp_program_new(dev);
		static const enum ttp_processor on[] = { TTP_BRISC, TTP_NCRISC, TTP_COMPUTE };

		CHECK(ttp_program_set_id(program, i + 1, false));
		for (int k = 0; k < (i % 5 ? 2 : 3); k++) {
			struct ttp_kernel *kernel = ttp_program_kernel(
				program, kernel_path("cycles.c"), on[k], &all, 1);

			CHECK(ttp_kernel_define(kernel, "LOOPS", "1"));
		}
		CHECK(ttp_enqueue(program));
		ttp_program_free(program);
	}
	CHECK(ttp_dev_read_profiler(dev));
	CHECK(ttp_dev_marker_counts(dev, &counts, sizeof(counts)));
	CHECK(ttp_dev_close(dev));
	printf("%u programs, %llu buffers in DRAM were full\n", programs,
	       (unsigned long long)counts.dram_full);
	return 0;
}
