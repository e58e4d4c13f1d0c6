// SPDX-License-Identifier: Apache-2.0
/*
 * bench_byte_loop FILE: commas and line ends of a file, one byte after another.  The floor that bench/report measures
 * against: as little as a program can do that looks at every byte without tricks (compiled without vectors, see
 * cmake/bench.cmake).  The file is mapped, as ttprof maps it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	uint64_t commas = 0, lines = 0;
	struct stat st;
	const char *p;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: bench_byte_loop FILE\n");
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		perror(argv[1]);
		return 1;
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	for (off_t i = 0; i < st.st_size; i++) {
		commas += p[i] == ',';
		lines += p[i] == '\n';
	}
	printf("%llu commas, %llu lines\n", (unsigned long long)commas, (unsigned long long)lines);
	return 0;
}
