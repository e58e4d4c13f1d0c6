// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes are read as a kernel; what is found is looked at: segments, symbols, zones, the lines of the first symbols (by
 * libdw, which has fuzzers of its own).
 */
#include <stdint.h>
#include <stdlib.h>

#include "device/loader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { LINES = 8 };
	struct elf_image img;
	struct elf_line line;
	uint32_t offset;

	if (elf_read(&img, data, size, NULL))
		return 0;
	vec_each (s, &img.segments)
		if (s->len)
			sink += s->bytes[0] + s->bytes[s->len - 1];
	vec_each (z, &img.zones) {
		if (elf_zone(&img, z->id) != z)
			abort();
		if (zone_hash(z->name, z->file, z->line) != z->id)
			abort();
	}
	vec_each (s, &img.symbols)
		if (elf_symbol_at(&img, s->addr, &offset) && s->name.len)
			sink += (uint8_t)s->name.at[s->name.len - 1];
	for (size_t i = 0; i < img.symbols.len && i < LINES; i++)
		for (uint32_t at = 0; at < 64; at += 4)
			if (elf_line_at(&img, img.symbols.at[i].addr + at, &line))
				sink += line.line;
	elf_release(&img);
	return 0;
}
