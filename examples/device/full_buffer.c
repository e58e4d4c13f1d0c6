// SPDX-License-Identifier: Apache-2.0
/* full_buffer [TIMES] [ZONES]: programs that record more zones than fit. */
#include "example.h"

int main(int argc, char **argv)
{
	uint32_t times = argument(argc, argv, 1, 23), zones = argument(argc, argv, 2, 150);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_dev_markers counts = { 0 };
	struct ttp_program *program;
	struct ttp_cores all;
	char text[16];

	CHECK(!dev);
	all = whole_grid(dev);
	program = ttp_program_new(dev);
	snprintf(text, sizeof(text), "%u", zones);
	kernel_everywhere(program, kernel_path("full_buffer.c"), &all, "ZONES", text);
	for (uint32_t i = 0; i < times; i++)
		CHECK(ttp_enqueue(program));
	CHECK(ttp_dev_read_profiler(dev));
	CHECK(ttp_dev_marker_counts(dev, &counts, sizeof(counts)));
	printf("%llu markers, %llu lost\n", (unsigned long long)counts.markers,
	       (unsigned long long)counts.l1_lost);
	CHECK(ttp_dev_close(dev));
	return 0;
}
