// SPDX-License-Identifier: Apache-2.0
/*
 * The memory behind a DRAM group: address space that costs nothing until it is written.  What was written is
 * noted in grains, so that looking at all of it, or reading what nobody wrote, touches no page.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/machine.h"

bool dram_init(struct dram *d, uint64_t bytes)
{
	size_t words = (size_t)(bytes / DRAM_GRAIN + 63) / 64;

	d->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (d->memory == MAP_FAILED) {
		d->memory = NULL;
		return false;
	}
	madvise(d->memory, bytes, MADV_NOHUGEPAGE); /* a page written must not cost 2 MiB */
	d->bytes = bytes;
	d->touched = calloc(words, sizeof(*d->touched));
	return d->touched != NULL;
}

void dram_release(struct dram *d)
{
	if (d->memory)
		munmap(d->memory, d->bytes);
	free(d->touched);
}

static bool touched(const struct dram *d, uint64_t addr)
{
	return d->touched[addr / DRAM_GRAIN / 64] >> (addr / DRAM_GRAIN % 64) & 1;
}

void dram_read(struct dram *d, uint64_t addr, void *to, size_t len)
{
	uint8_t *out = to;

	while (len) {
		size_t part = DRAM_GRAIN - (size_t)(addr % DRAM_GRAIN);

		part = part < len ? part : len;
		if (touched(d, addr))
			memcpy(out, d->memory + addr, part);
		else
			memset(out, 0, part);
		out += part;
		addr += part;
		len -= part;
	}
}

void dram_write(struct dram *d, uint64_t addr, const void *from, size_t len)
{
	if (!len)
		return;
	for (uint64_t at = addr / DRAM_GRAIN; at <= (addr + len - 1) / DRAM_GRAIN; at++)
		if (!(d->touched[at / 64] >> (at % 64) & 1)) {
			d->touched[at / 64] |= 1ull << (at % 64);
#ifdef MADV_POPULATE_WRITE
			/* One call for what would be a fault for each page; it may fail. */
			madvise(d->memory + at * DRAM_GRAIN, DRAM_GRAIN, MADV_POPULATE_WRITE);
#endif
		}
	memcpy(d->memory + addr, from, len);
}
