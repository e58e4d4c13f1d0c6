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
