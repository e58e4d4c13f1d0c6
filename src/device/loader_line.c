// SPDX-License-Identifier: Apache-2.0
/*
 * The source line of an address, from the debug information, by libdw; where that can't be loaded, no line is known.
 *
 * Most of what a kernel calls is inlined, so the line of an address is mostly one of our headers.  What its
 * author wants to know is his own line: of the functions that are inlined into each other at the address,
 * the innermost one that is not ours.
 */
#include "device/loader.h"

void loader_lines_release(void *lines);

#ifdef TTP_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include "base/late.h"

/* Loaded for the first fault of a kernel: who has none needs neither. */
#define DW_LIST(X)             \
	X(dwarf_, attr)        \
	X(dwarf_, begin_elf)   \
	X(dwarf_, child)       \
	X(dwarf_, diename)     \
	X(dwarf_, end)         \
	X(dwarf_, filesrc)     \
	X(dwarf_, formudata)   \
	X(dwarf_, getsrc_die)  \
	X(dwarf_, getsrcfiles) \
	X(dwarf_, haspc)       \
	X(dwarf_, lineno)      \
	X(dwarf_, linesrc)     \
	X(dwarf_, nextcu)      \
	X(dwarf_, offdie)      \
	X(dwarf_, siblingof)   \
	X(dwarf_, tag)
#define ELF_LIST(X) X(elf_, end) X(elf_, memory) X(elf_, version)
LATE_LIBRARY(dw, DW_LIST)
LATE_LIBRARY(elf, ELF_LIST)

static bool load_libraries(void)
{
	struct ttp_err e;

	return !LATE_LOAD(elf, "libelf.so.1", "libelf1", &e) &&
	       !LATE_LOAD(dw, "libdw.so.1", "libdw1", &e);
}

enum { FRAMES_MAX = 32 };

struct lines {
	Elf *elf;
	Dwarf *dwarf;
};

/* Functions at an address, from the outside to the inside: the first one is there in the code. */
struct frames {
	Dwarf_Die die[FRAMES_MAX];
	int n;
};

void loader_lines_release(void *lines)
{
	struct lines *l = lines;

	if (!l)
		return;
	if (l->elf) {
		dw.end(l->dwarf);
		elf.end(l->elf);
	}
	free(l);
}

static struct lines *lines_of(struct elf_image *img)
{
	struct lines *l = img->lines;

	if (!l) {
		l = img->lines = mem_zero(1, sizeof(*l));
		if (!load_libraries())
			return l;
		elf.version(EV_CURRENT);
		l->elf = elf.memory((char *)img->bytes, img->len);
		l->dwarf = l->elf ? dw.begin_elf(l->elf, DWARF_C_READ, NULL) : NULL;
	}
	return l;
}

/* Unpacked beside the compiled kernels, or installed. */
static bool is_ours(const char *file)
{
	return strstr(file, "/include/ttp/kernel") || strstr(file, "/include/ttp/tensix") ||
	       strstr(file, "/compat/") || strstr(file, "/fw/");
}

static void find_frames(Dwarf_Die *in, Dwarf_Addr addr, struct frames *f, int depth)
{
	Dwarf_Die child;

	if (depth > 2 * FRAMES_MAX || dw.child(in, &child))
		return;
	do {
		int tag = dw.tag(&child);

		if (tag == DW_TAG_namespace) {
			find_frames(&child, addr, f, depth + 1);
			continue;
		}
		if ((tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
		     tag != DW_TAG_lexical_block) ||
		    dw.haspc(&child, addr) != 1)
			continue;
		if (tag != DW_TAG_lexical_block) {
			if (f->n == FRAMES_MAX)
				return;
			f->die[f->n++] = child;
		}
		find_frames(&child, addr, f, depth + 1);
		return;
	} while (!dw.siblingof(&child, &child));
}

/* Where the inlined function was called. */
static bool call_site(Dwarf_Die *unit, Dwarf_Die *inlined, const char **file, uint32_t *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number, at;
	Dwarf_Files *files;
	size_t n;

	if (dw.formudata(dw.attr(inlined, DW_AT_call_file, &attribute), &number) ||
	    dw.formudata(dw.attr(inlined, DW_AT_call_line, &attribute), &at) ||
	    dw.getsrcfiles(unit, &files, &n) || number >= n)
		return false;
	*file = dw.filesrc(files, number, NULL, NULL);
	*line = (uint32_t)at;
	return *file != NULL;
}

static bool in_unit(Dwarf_Die *unit, uint32_t addr, struct elf_line *at)
{
	struct frames f = { .n = 0 };
	Dwarf_Line *found = dw.getsrc_die(unit, addr);
	const char *file = found ? dw.linesrc(found, NULL, NULL) : NULL;
	uint32_t line;
	int n;

	if (!file || dw.lineno(found, &n))
		return false;
	line = (uint32_t)n;
	*at = (struct elf_line){ .file = str_of(file), .line = line, .ours = is_ours(file) };
	find_frames(unit, addr, &f, 0);
	for (int i = f.n - 1; i > 0 && is_ours(file); i--) {
		const char *name = dw.diename(&f.die[i]);

		if (!call_site(unit, &f.die[i], &file, &line))
			break;
		if (is_ours(file))
			continue;
		*at = (struct elf_line){ .file = str_of(file),
					 .line = line,
					 .inlined = str_of(name ? name : "") };
	}
	return true;
}

bool elf_line_at(struct elf_image *img, uint32_t addr, struct elf_line *line)
{
	struct lines *l = lines_of(img);
	Dwarf_Off at = 0, next;
	size_t head;

	if (!l->dwarf)
		return false;
	/* Every unit is asked: they are two or three, and .debug_aranges may be missing. */
	while (!dw.nextcu(l->dwarf, at, &next, &head, NULL, NULL, NULL)) {
		Dwarf_Die unit;

		if (dw.offdie(l->dwarf, at + head, &unit) && dw.haspc(&unit, addr) == 1 &&
		    in_unit(&unit, addr, line))
			return true;
		at = next;
	}
	return false;
}
#else
void loader_lines_release(void *lines)
{
	(void)lines;
}

bool elf_line_at(struct elf_image *img, uint32_t addr, struct elf_line *line)
{
	(void)img;
	(void)addr;
	(void)line;
	return false;
}
#endif
