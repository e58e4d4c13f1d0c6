// SPDX-License-Identifier: Apache-2.0
/* threads KERNEL: two threads, a device each, the same log. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <ttp/device.h>

static const char *path;

static void *use_device(void *arg)
{
	int id = *(int *)arg;
	struct ttp_cores cores = TTP_CORES(0, 0, 3, 0);
	struct ttp_dev *dev = ttp_dev_open(id, NULL);
	struct ttp_program *p = ttp_program_new(dev);
	int64_t before = ttp_host_ns();

	(void)ttp_program_kernel(p, path, TTP_BRISC, &cores, 1);
	(void)ttp_program_set_id(p, (uint32_t)id + 1, false);
	for (int i = 0; i < 9; i++) {
		if (ttp_enqueue(p) || ttp_finish(dev) || (i % 3 == 2 && ttp_dev_read_profiler(dev)))
			printf("device %d: %s\n", id, ttp_device_error());
		if (ttp_host_ns() < before)
			printf("device %d: time went back\n", id);
		before = ttp_host_ns();
	}
	/* each thread has its own last error */
	if (ttp_dev_open(5000 + id, NULL))
		printf("a device that can't be\n");
	if (ttp_dev_close(dev))
		printf("device %d: %s\n", id, ttp_device_error());
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	int ids[2] = { 0, 1 };

	if (argc != 2)
		return 2;
	path = argv[1];
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, use_device, &ids[i]))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
