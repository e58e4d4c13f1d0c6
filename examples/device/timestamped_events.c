// SPDX-License-Identifier: Apache-2.0
/* timestamped_events [PROGRAMS] [ROUNDS]: zones, numbers and events. */
#include "example.h"

int main(int argc, char **argv)
{
	uint32_t programs = argument(argc, argv, 1, 2), rounds = argument(argc, argv, 2, 150);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_program *program;
	struct ttp_cores all;
	char text[16];

	CHECK(!dev);
	all = whole_grid(dev);
	program = ttp_program_new(dev);
	snprintf(text, sizeof(text), "%u", rounds);
	kernel_everywhere(program, kernel_path("timestamped_events.c"), &all, "ROUNDS", text);
	for (uint32_t i = 0; i < programs; i++)
		CHECK(ttp_enqueue(program));
	CHECK(ttp_dev_read_profiler(dev));
	CHECK(ttp_dev_close(dev));
	printf("%u programs, %u rounds each\n", programs, rounds);
	return 0;
}
