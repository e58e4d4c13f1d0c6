// SPDX-License-Identifier: Apache-2.0
/*
 * Writing profile_log_device.csv: rows as a program with zones leaves them, beside writing the same bytes as
 * they are.  CPU time, interleaved, median of 11.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "host/logs/log_writer.h"

enum { ROUNDS = 11, ROWS = 1000000 };

static char folder[] = "/tmp/ttprof-bench.XXXXXX", path[128], copy[136];

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t write_log(void)
{
	int64_t start = clock_process_cpu_ns();
	struct log_writer w;
	struct ttp_err e;

	if (log_writer_open(&w, folder, 15, 0, "wormhole_b0", 1000, 64, &e))
		abort();
	for (uint32_t i = 0; i < ROWS; i++) {
		struct device_marker m = { .tile = { (uint8_t)(i / 200000 + 1), 1 },
				    .risc = (uint8_t)(i / 40000 % 5),
				    .type = i & 1 ? MARKER_ZONE_END : MARKER_ZONE_START,
				    .id = 45617,
				    .cycles = 1000000000000 + i * 21ull };
		struct log_row row = { &m,
				       (i / 254 + 1) << 10,
				       UINT32_MAX,
				       0,
				       STR("ReadFromDRAM"),
				       STR("examples/device/kernels/dataflow.cpp"),
				       14,
				       STR("") };

		log_writer_row(&w, &row);
	}
	if (log_writer_close(&w, &e))
		abort();
	return clock_process_cpu_ns() - start;
}

static int64_t write_bytes(const char *bytes, size_t n)
{
	int64_t start = clock_process_cpu_ns();
	int fd = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	for (size_t at = 0; at < n;) {
		ssize_t put = write(fd, bytes + at, n - at < 1 << 18 ? n - at : 1 << 18);

		if (put <= 0)
			abort();
		at += (size_t)put;
	}
	close(fd);
	return clock_process_cpu_ns() - start;
}

int main(void)
{
	int64_t ours[ROUNDS], floor[ROUNDS];
	char *bytes = NULL;
	struct stat st = { 0 };

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/profile_log_device.csv", folder);
	snprintf(copy, sizeof(copy), "%s/copy", folder);
	for (int i = 0; i < ROUNDS; i++) {
		unlink(path);
		ours[i] = write_log();
		if (!bytes) {
			int fd = open(path, O_RDONLY | O_CLOEXEC);

			if (fd < 0 || fstat(fd, &st))
				return 1;
			bytes = malloc((size_t)st.st_size);
			if (!bytes || read(fd, bytes, (size_t)st.st_size) != st.st_size)
				return 1;
			close(fd);
		}
		floor[i] = write_bytes(bytes, (size_t)st.st_size);
	}
	qsort(ours, ROUNDS, sizeof(*ours), by_value);
	qsort(floor, ROUNDS, sizeof(*floor), by_value);
	printf("{\"bench\":\"device_log\",\"rows\":%d,\"bytes\":%lld,\"ns_per_row\":%.1f,"
	       "\"mb_per_s\":%.0f,\"floor_mb_per_s\":%.0f,\"times_the_floor\":%.2f}\n",
	       ROWS, (long long)st.st_size, (double)ours[ROUNDS / 2] / ROWS,
	       (double)st.st_size * 1e3 / (double)ours[ROUNDS / 2],
	       (double)st.st_size * 1e3 / (double)floor[ROUNDS / 2],
	       (double)ours[ROUNDS / 2] / (double)floor[ROUNDS / 2]);
	unlink(path);
	unlink(copy);
	snprintf(copy, sizeof(copy), "%s.state", path);
	unlink(copy);
	free(bytes);
	return rmdir(folder);
}
