// SPDX-License-Identifier: Apache-2.0
#include "client/life/system_memory.h"

#include <sys/mman.h>

void *own_grow(void *old, size_t old_bytes, size_t bytes)
{
	void *at;

	if (old)
		at = mremap(old, old_bytes, bytes, MREMAP_MAYMOVE);
	else
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

void own_free(void *at, size_t bytes)
{
	if (at)
		munmap(at, bytes);
}

void *own_space(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

void *own_double(void *at, uint32_t *cap, size_t size)
{
	uint32_t twice = *cap ? *cap * 2 : 256;
	void *more = own_grow(at, *cap * size, twice * size);

	if (more)
		*cap = twice;
	return more ? more : at;
}
