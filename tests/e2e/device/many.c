// SPDX-License-Identifier: Apache-2.0
/* many KERNEL N: so many programs, none of them freed; prints what each took of this program's memory. */
#include <stdio.h>
#include <stdlib.h>

#include <ttp/device.h>

static long resident_kb(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long all = 0, resident = 0;

	if (f) {
		if (fscanf(f, "%ld %ld", &all, &resident) != 2)
			resident = 0;
		fclose(f);
	}
	return resident * 4;
}

int main(int argc, char **argv)
{
	struct ttp_cores core = TTP_CORE(0, 0);
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	long n = argc > 2 ? strtol(argv[2], NULL, 0) : 1000, before = 0;

	for (long i = 0; i < n; i++) {
		struct ttp_program *p = ttp_program_new(dev);
		struct ttp_kernel *k = ttp_program_kernel(p, argv[1], TTP_BRISC, &core, 1);
		uint32_t args[] = { (uint32_t)i, 2, 3 };

		ttp_kernel_args(k, 0, 0, args, 3);
		if (ttp_enqueue(p))
			break;
		if (i == n / 10)
			before = resident_kb();
	}
	if (ttp_finish(dev)) {
		printf("%s\n", ttp_device_error());
		return 1;
	}
	printf("%ld bytes\n", (resident_kb() - before) * 1024 / (n - n / 10));
	return ttp_dev_close(dev) ? 1 : 0;
}
