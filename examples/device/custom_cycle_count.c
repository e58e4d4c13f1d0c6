// SPDX-License-Identifier: Apache-2.0
/* custom_cycle_count [LOOPS]: a loop of LOOPS x 50 instructions on every core of the device. */
#include "example.h"

int main(int argc, char **argv)
{
	uint32_t loops = argument(argc, argv, 1, 2000);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_program *program;
	struct ttp_cores all;
	char text[16];

	CHECK(!dev);
	all = whole_grid(dev);
	program = ttp_program_new(dev);
	snprintf(text, sizeof(text), "%u", loops);
	kernel_everywhere(program, kernel_path("cycles.c"), &all, "LOOPS", text);
	CHECK(ttp_enqueue(program));
	CHECK(ttp_finish(dev));
	CHECK(ttp_dev_read_profiler(dev));
	CHECK(ttp_dev_close(dev));
	printf("%u x 50 instructions on each core\n", loops);
	return 0;
}
