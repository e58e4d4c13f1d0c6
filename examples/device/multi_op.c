// SPDX-License-Identifier: Apache-2.0
/* multi_op [PROGRAMS] [LOOPS]: many small programs, read, and the same again with the same ids. */
#include "example.h"

static void run_all(struct ttp_dev *dev, uint32_t programs, const char *loops)
{
	struct ttp_cores all = whole_grid(dev);

	for (uint32_t i = 0; i < programs; i++) {
		struct ttp_program *program = ttp_program_new(dev);

		CHECK(ttp_program_set_id(program, i + 1, false));
		kernel_everywhere(program, kernel_path("cycles.c"), &all, "LOOPS", loops);
		CHECK(ttp_enqueue(program));
		ttp_program_free(program);
	}
	CHECK(ttp_dev_read_profiler(dev));
}

int main(int argc, char **argv)
{
	uint32_t programs = argument(argc, argv, 1, 1000);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	char loops[16];

	CHECK(!dev);
	snprintf(loops, sizeof(loops), "%u", argument(argc, argv, 2, 4));
	run_all(dev, programs, loops);
	run_all(dev, programs, loops);
	CHECK(ttp_dev_close(dev));
	printf("2 x %u programs\n", programs);
	return 0;
}
