// SPDX-License-Identifier: Apache-2.0
/* The source line of an address, from .debug_line, by libdw; without it, no line is known. */
#include "device/loader.h"

void loader_lines_release(void *lines);

#ifdef TTP_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <libelf.h>

struct lines {
	Elf *elf;
	Dwarf *dwarf;
};

void loader_lines_release(void *lines)
{
	struct lines *l = lines;

	if (!l)
		return;
	dwarf_end(l->dwarf);
	elf_end(l->elf);
	free(l);
}

static struct lines *lines_of(struct elf_image *img)
{
	struct lines *l = img->lines;

	if (!l) {
		l = img->lines = mem_zero(1, sizeof(*l));
		elf_version(EV_CURRENT);
		l->elf = elf_memory((char *)img->bytes, img->len);
		l->dwarf = l->elf ? dwarf_begin_elf(l->elf, DWARF_C_READ, NULL) : NULL;
	}
	return l;
}

bool elf_line_at(struct elf_image *img, uint32_t addr, struct str *file, uint32_t *line)
{
	struct lines *l = lines_of(img);
	Dwarf_Off at = 0, next;
	size_t head;

	if (!l->dwarf)
		return false;
	/* Every unit is asked: they are two or three, and .debug_aranges may be missing. */
	while (!dwarf_nextcu(l->dwarf, at, &next, &head, NULL, NULL, NULL)) {
		Dwarf_Die unit;
		Dwarf_Line *found;
		const char *name;
		int n;

		if (dwarf_offdie(l->dwarf, at + head, &unit) && dwarf_haspc(&unit, addr) == 1 &&
		    (found = dwarf_getsrc_die(&unit, addr)) &&
		    (name = dwarf_linesrc(found, NULL, NULL)) && !dwarf_lineno(found, &n)) {
			*file = str_of(name);
			*line = (uint32_t)n;
			return true;
		}
		at = next;
	}
	return false;
}
#else
void loader_lines_release(void *lines)
{
	(void)lines;
}

bool elf_line_at(struct elf_image *img, uint32_t addr, struct str *file, uint32_t *line)
{
	(void)img;
	(void)addr;
	(void)file;
	(void)line;
	return false;
}
#endif
