// SPDX-License-Identifier: Apache-2.0
/*
 * What the examples share: they end with the error's text when something fails.  They find their kernels in a clone of ttprof that
 * they are started in, or were built in.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ttp/device.h>

#define KERNELS "examples/device/kernels/"

#define CHECK(call)                                                         \
	do {                                                                \
		if (call) {                                                 \
			fprintf(stderr, "error: %s\n", ttp_device_error()); \
			exit(1);                                            \
		}                                                           \
	} while (0)

/* The path of a kernel; the text is the caller's until the fourth one after it. */
static inline const char *kernel_path(const char *name)
{
	static char paths[4][4096];
	static unsigned next;
	char *path = paths[next++ % 4];
	ssize_t n;

	snprintf(path, sizeof(paths[0]), KERNELS "%s", name);
	if (!access(path, R_OK))
		return path;
	/* CLONE/build/examples/device/PROGRAM */
	n = readlink("/proc/self/exe", path, 4000);
	path[n > 0 ? n : 0] = '\0';
	for (int up = 0; up < 4; up++)
		if (strrchr(path, '/'))
			*strrchr(path, '/') = '\0';
	n = (ssize_t)strlen(path);
	snprintf(path + n, sizeof(paths[0]) - (size_t)n, "/" KERNELS "%.64s", name);
	if (access(path, R_OK)) {
		fprintf(stderr, "error: its kernels (" KERNELS
				") are not here: start it in a clone of ttprof (cd CLONE)\n");
		exit(1);
	}
	return path;
}

/* The n-th argument of the program as a number. */
static inline uint32_t argument(int argc, char **argv, int n, uint32_t otherwise)
{
	return argc > n ? (uint32_t)strtoul(argv[n], NULL, 0) : otherwise;
}

static inline struct ttp_cores whole_grid(struct ttp_dev *dev)
{
	struct ttp_dev_info info = { 0 };

	CHECK(ttp_dev_info(dev, &info, sizeof(info)));
	return TTP_CORES(0, 0, info.grid_x - 1, info.grid_y - 1);
}

/* The same source on all five cores. */
static inline void kernel_everywhere(struct ttp_program *program, const char *path,
				     const struct ttp_cores *cores, const char *define,
				     const char *value)
{
	static const enum ttp_processor processors[] = { TTP_BRISC, TTP_NCRISC, TTP_COMPUTE };

	for (int i = 0; i < 3; i++) {
		struct ttp_kernel *k = ttp_program_kernel(program, path, processors[i], cores, 1);

		CHECK(!k);
		if (define)
			CHECK(ttp_kernel_define(k, define, value));
	}
}

/* Numbers that are the same in every run. */
static inline uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static inline uint16_t bf16_of(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static inline float of_bf16(uint16_t b)
{
	uint32_t bits = (uint32_t)b << 16;
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* A tile has 32 x 32 values in four faces of 16 x 16: where (row, column) of it lies. */
static inline uint32_t in_tile(uint32_t row, uint32_t column)
{
	return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

/* (row, column) of a matrix that is kept as tiles, row by row of them. */
static inline uint32_t in_tiles(uint32_t row, uint32_t column, uint32_t tiles_wide)
{
	return (row / 32 * tiles_wide + column / 32) * 1024 + in_tile(row % 32, column % 32);
}

#endif /* EXAMPLE_H */
