// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels and firmware as the compiler left them: ELF, 32 bits, RISC-V.
 *
 * What is used of one: where its bytes go, where it begins, its symbols, the line of an address, and the
 * source locations of its zones, from the section .ttp.zones:
 *
 *	name NUL file NUL line (u32)		one after the other; the same location may be there twice
 *
 * A marker carries 16 bits of a hash of the location; so each image has its own dictionary, and only two
 * locations of one image can be mistaken for each other.  Such an image is refused, with what to do.
 *
 * Bytes come from files: nothing in them is believed.
 */
#ifndef TTP_DEVICE_LOADER_H
#define TTP_DEVICE_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

enum { ELF_BYTES_MAX = 16 << 20, ELF_TEXT_MAX = 4096 };

/* Bytes for the device's memory. */
struct elf_segment {
	uint32_t addr; /* physical: in L1 */
	uint32_t len;
	const uint8_t *bytes;
};

struct elf_symbol {
	uint32_t addr, size;
	struct str name;
};

struct elf_zone {
	uint16_t id;
	struct str name, file;
	uint32_t line;
};

struct elf_image {
	/* ours: everything below points into it */
	uint8_t *bytes;
	size_t len;
	uint32_t entry;
	uint64_t hash; /* of the bytes: equal images are equal */
	VEC(struct elf_segment) segments;
	VEC(struct elf_symbol) symbols; /* functions, by address */
	VEC(struct elf_zone) zones;     /* in order of the file, each location once */
	struct u64map zone_of;          /* id -> index */
	void *lines;                    /* of loader_line.c */
};

/* Takes a copy of the bytes.  On failure nothing is held. */
enum ttp_rc elf_read(struct elf_image *img, const void *bytes, size_t len,
		     struct ttp_err *e) TTP_CHECKED;
enum ttp_rc elf_read_file(struct elf_image *img, const char *path, struct ttp_err *e) TTP_CHECKED;
void elf_release(struct elf_image *img);

/* NULL if no zone of this image has that id. */
const struct elf_zone *elf_zone(const struct elf_image *img, uint16_t id);
/* The function that an address is in; NULL if none.  *offset is how far in it. */
const struct elf_symbol *elf_symbol_at(const struct elf_image *img, uint32_t addr,
				       uint32_t *offset);
/* A line of source: of the kernel itself, wherever one is known, not of what is inlined there. */
struct elf_line {
	struct str file;
	uint32_t line;
	struct str inlined; /* the function of ours that this line calls; empty if it calls none */
	bool ours; /* there is no line of the kernel: this one is of our headers, or firmware */
};
/* If there is debug information, and libdw was there when we were built. */
bool elf_line_at(struct elf_image *img, uint32_t addr, struct elf_line *line);
/*
 * "kernel_main+0x12 (copy.c:17, in ttp_cb_wait_front)", as much of it as is known.  `back` (or 0) is where the
 * function will return to, perhaps: it is shown if the address itself has no line of the kernel.
 */
void elf_describe(struct elf_image *img, uint32_t addr, uint32_t back, struct buf *to);

/* The 16 bits of a source location: tt-metal's, with unsigned bytes. */
uint16_t zone_hash(struct str name, struct str file, uint32_t line);
uint16_t zone_hash_text(struct str location);

#endif /* TTP_DEVICE_LOADER_H */
