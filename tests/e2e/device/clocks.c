// SPDX-License-Identifier: Apache-2.0
/*
 * clocks DEVICES [KERNEL]: opens them, runs the kernel on core (0,0) of each, and tells what sync makes of their
 * clocks: cycles, host ns, by how much these may be wrong; at both ends of the sync, in between, now, and 10 s
 * later.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ttp/ops.h>

enum { DEVICES_MAX = 4 };

static struct ttp_dev *devices[DEVICES_MAX];

static int failed(void)
{
	fprintf(stderr, "clocks: %s\n", ttp_device_error());
	return 1;
}

static int tell(int i)
{
	static const int64_t from_centre[] = { -1200000000, 0, 1200000000, 1300000000, 10000000000 };
	struct ttp_dev_clock clock;

	if (ttp_dev_clock(devices[i], &clock, sizeof(clock)))
		return failed();
	printf("clock %d %d %u %u %.12f %.9f\n", i, clock.synced, clock.kept, clock.samples,
	       clock.ghz, clock.error_ppm);
	for (size_t k = 0; clock.synced && k < sizeof(from_centre) / sizeof(*from_centre); k++) {
		uint64_t cycles = clock.cycles + (uint64_t)from_centre[k];
		int64_t ns;
		double error;

		if (ttp_dev_host_time(devices[i], cycles, &ns, &error))
			return failed();
		printf("time %d %" PRIu64 " %" PRId64 " %.3f\n", i, cycles, ns, error);
	}
	return 0;
}

static int run(int i, const char *kernel)
{
	struct ttp_cores core = TTP_CORE(0, 0);
	struct ttp_program *p = ttp_program_new(devices[i]);
	int64_t before = 0, after = 0;
	uint32_t id = 0;

	ttp_program_kernel(p, kernel, TTP_BRISC, &core, 1);
	/* The second time nothing is compiled. */
	for (int k = 0; k < 2; k++) {
		struct ttp_op *op = ttp_op_begin("Clocks", TTP_OP_DEVICE, devices[i]);

		id = ttp_op_id(op);
		before = ttp_host_ns();
		if (ttp_op_program(op, p) || ttp_enqueue(p) || ttp_finish(devices[i]))
			return failed();
		after = ttp_host_ns();
		if (ttp_op_end(op))
			return failed();
	}
	printf("ran %d %u %" PRId64 " %" PRId64 "\n", i, id, before, after);
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1, rc = 0;

	for (int i = 0; i < n && i < DEVICES_MAX; i++) {
		devices[i] = ttp_dev_open(i, NULL);
		if (!devices[i])
			return failed();
	}
	for (int i = 0; i < n && i < DEVICES_MAX; i++)
		rc |= tell(i);
	for (int i = 0; argc > 2 && i < n && i < DEVICES_MAX; i++)
		rc |= run(i, argv[2]);
	for (int i = 0; i < n && i < DEVICES_MAX; i++)
		if (ttp_dev_close(devices[i]))
			return failed();
	return rc;
}
