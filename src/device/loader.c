// SPDX-License-Identifier: Apache-2.0
#include "device/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cursor.h"
#include "base/input.h"
#include "base/order.h"

enum {
	EM_RISCV = 243,
	PT_LOAD = 1,
	SHT_SYMTAB = 2,
	SHT_NOBITS = 8,
	STT_FUNC = 2,
	EHDR_BYTES = 52,
	PHDR_BYTES = 32,
	SHDR_BYTES = 40,
	SYM_BYTES = 16,
	ZONES_MAX = 1 << 16,
};

void loader_lines_release(void *lines);

struct section {
	uint32_t name, type, offset, size, link, entry_size;
};

static uint32_t fnv1a(uint32_t h, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (uint8_t)s.at[i]) * 16777619u;
	return h;
}

uint16_t zone_hash_text(struct str location)
{
	uint32_t h = fnv1a(2166136261u, location);

	return (uint16_t)((h & 0xFFFF) ^ (h >> 16));
}

uint16_t zone_hash(struct str name, struct str file, uint32_t line)
{
	char tail[48];
	uint32_t h = fnv1a(2166136261u, name);
	int n = snprintf(tail, sizeof(tail), ",%u,KERNEL_PROFILER", line);

	h = fnv1a(h, str_n(",", 1));
	h = fnv1a(h, file);
	h = fnv1a(h, str_n(tail, (size_t)n));
	return (uint16_t)((h & 0xFFFF) ^ (h >> 16));
}

/* `n` bytes at `offset`, if they are there. */
static struct cursor part(const struct elf_image *img, uint64_t offset, uint64_t n)
{
	struct cursor c = cursor_of(img->bytes, 0);

	if (offset > img->len || n > img->len - offset)
		c.bad = true;
	else
		c = cursor_of(img->bytes + offset, (size_t)n);
	return c;
}

static bool section_at(const struct elf_image *img, uint32_t table, uint32_t i, struct section *s)
{
	struct cursor c = part(img, table + (uint64_t)i * SHDR_BYTES, SHDR_BYTES);

	s->name = cursor_u32(&c);
	s->type = cursor_u32(&c);
	cursor_take(&c, 8); /* flags, address */
	s->offset = cursor_u32(&c);
	s->size = cursor_u32(&c);
	s->link = cursor_u32(&c);
	cursor_take(&c, 8); /* info, alignment */
	s->entry_size = cursor_u32(&c);
	return !c.bad;
}

/* Text that ends with a NUL inside the part; empty if it does not. */
static struct str text_at(const struct elf_image *img, const struct section *s, uint32_t at)
{
	struct cursor c = part(img, s->offset, s->size);
	const char *from;
	size_t n;

	if (c.bad || at >= s->size)
		return str_n("", 0);
	from = (const char *)c.at + at;
	n = strnlen(from, s->size - at);
	return n == s->size - at ? str_n("", 0) : str_n(from, n);
}

static int by_address(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : str_cmp(x->name, y->name);
}

static void read_symbols(struct elf_image *img, const struct section *s,
			 const struct section *names)
{
	struct cursor c = part(img, s->offset, s->size);

	while (!c.bad && cursor_left(&c) >= SYM_BYTES) {
		uint32_t name = cursor_u32(&c), addr = cursor_u32(&c), size = cursor_u32(&c);
		uint8_t info = cursor_u8(&c);

		cursor_take(&c, 3);
		if ((info & 15) == STT_FUNC)
			*vec_push(&img->symbols) =
				(struct elf_symbol){ addr, size, text_at(img, names, name) };
	}
	vec_sort(&img->symbols, by_address);
}

static struct str cursor_text(struct cursor *c)
{
	size_t n = strnlen((const char *)c->at, cursor_left(c));
	struct str s;

	if (c->bad || n == cursor_left(c) || n > ELF_TEXT_MAX) {
		c->bad = true;
		return str_n("", 0);
	}
	s = cursor_str(c, n);
	cursor_take(c, 1);
	return s;
}

static enum ttp_rc read_zones(struct elf_image *img, const struct section *s, struct ttp_err *e)
{
	struct cursor c = part(img, s->offset, s->size);

	while (!c.bad && cursor_left(&c)) {
		struct elf_zone z = { 0 };
		uint32_t at;
		bool added;

		z.name = cursor_text(&c);
		z.file = cursor_text(&c);
		z.line = cursor_u32(&c);
		if (c.bad)
			break;
		z.id = zone_hash(z.name, z.file, z.line);
		at = u64map_get_or_put(&img->zone_of, z.id, (uint32_t)img->zones.len, &added);
		if (added) {
			*vec_push(&img->zones) = z;
			continue;
		}
		const struct elf_zone *other = &img->zones.at[at];

		if (!str_eq(other->name, z.name) || !str_eq(other->file, z.file) ||
		    other->line != z.line)
			return ttp_fail(
				e, TTP_FORMAT,
				"zones \"%.*s\" (%.*s:%u) and \"%.*s\" (%.*s:%u) have the same id %u; "
				"rename one, or move it to another line",
				(int)(other->name.len > 60 ? 60 : other->name.len), other->name.at,
				(int)(other->file.len > 100 ? 100 : other->file.len),
				other->file.at, other->line,
				(int)(z.name.len > 60 ? 60 : z.name.len), z.name.at,
				(int)(z.file.len > 100 ? 100 : z.file.len), z.file.at, z.line,
				z.id);
	}
	return c.bad ? ttp_fail(e, TTP_FORMAT, "section .ttp.zones is damaged") : TTP_OK;
}

static enum ttp_rc read_segments(struct elf_image *img, uint32_t table, unsigned n,
				 struct ttp_err *e)
{
	for (unsigned i = 0; i < n; i++) {
		struct cursor c = part(img, table + (uint64_t)i * PHDR_BYTES, PHDR_BYTES);
		uint32_t type = cursor_u32(&c), offset = cursor_u32(&c), physical, bytes;

		cursor_take(&c, 4); /* virtual address */
		physical = cursor_u32(&c);
		bytes = cursor_u32(&c);
		if (c.bad)
			return ttp_fail(e, TTP_FORMAT, "program header %u is missing", i);
		if (type != PT_LOAD || !bytes)
			continue;
		struct cursor data = part(img, offset, bytes);

		if (data.bad || physical + bytes < physical)
			return ttp_fail(e, TTP_FORMAT, "the bytes of segment %u are missing", i);
		*vec_push(&img->segments) = (struct elf_segment){ physical, bytes, data.at };
	}
	return TTP_OK;
}

static enum ttp_rc read_sections(struct elf_image *img, uint32_t table, unsigned n,
				 unsigned names_at, struct ttp_err *e)
{
	struct section s, names = { 0 };
	enum ttp_rc rc = TTP_OK;

	if (!n)
		return TTP_OK;
	if (!section_at(img, table, names_at, &names))
		return ttp_fail(e, TTP_FORMAT, "the table of sections is missing");
	for (unsigned i = 0; !rc && i < n; i++) {
		struct section texts;

		if (!section_at(img, table, i, &s))
			return ttp_fail(e, TTP_FORMAT, "section header %u is missing", i);
		if (s.type == SHT_SYMTAB && section_at(img, table, s.link, &texts))
			read_symbols(img, &s, &texts);
		if (s.type != SHT_NOBITS && str_eq(text_at(img, &names, s.name), STR(".ttp.zones")))
			rc = read_zones(img, &s, e);
	}
	return rc;
}

enum ttp_rc elf_read(struct elf_image *img, const void *bytes, size_t len, struct ttp_err *e)
{
	static const uint8_t magic[7] = { 0x7F, 'E', 'L', 'F', 1, 1, 1 };
	struct cursor c;
	uint32_t segments, sections;
	unsigned segment_n, section_n, names;
	enum ttp_rc rc;

	memset(img, 0, sizeof(*img));
	if (len > ELF_BYTES_MAX)
		return ttp_fail(e, TTP_LIMIT, "%zu bytes, at most %d", len, ELF_BYTES_MAX);
	if (len < EHDR_BYTES || memcmp(bytes, magic, sizeof(magic)))
		return ttp_fail(e, TTP_FORMAT, "not an ELF of 32 bits, little endian");
	img->bytes = mem_alloc(len, 1);
	memcpy(img->bytes, bytes, len);
	img->len = len;
	img->hash = str_hash(str_n((const char *)img->bytes, len));
	c = cursor_of(img->bytes + 16, EHDR_BYTES - 16);
	cursor_u16(&c); /* type */
	if (cursor_u16(&c) != EM_RISCV) {
		rc = ttp_fail(e, TTP_FORMAT, "not for RISC-V");
		goto fail;
	}
	cursor_u32(&c); /* version */
	img->entry = cursor_u32(&c);
	segments = cursor_u32(&c);
	sections = cursor_u32(&c);
	cursor_take(&c, 4 + 2 + 2); /* flags, sizes */
	segment_n = cursor_u16(&c);
	cursor_u16(&c);
	section_n = cursor_u16(&c);
	names = cursor_u16(&c);
	rc = read_segments(img, segments, segment_n, e);
	if (!rc)
		rc = read_sections(img, sections, section_n, names, e);
	if (!rc)
		return TTP_OK;
fail:
	elf_release(img);
	return rc;
}

enum ttp_rc elf_read_file(struct elf_image *img, const char *path, struct ttp_err *e)
{
	struct input in;
	struct stat st;
	enum ttp_rc rc;

	/* A pipe or a device may never end. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return ttp_fail(e, TTP_USAGE, "%s is no regular file", path);
	TTP_TRY(input_open(&in, path, e));
	rc = elf_read(img, in.data.at, in.data.len, e);
	input_close(&in);
	return rc ? ttp_wrap(e, rc, "%s", path) : TTP_OK;
}

void elf_release(struct elf_image *img)
{
	loader_lines_release(img->lines);
	RELEASE(vec, &img->segments, &img->symbols, &img->zones);
	u64map_release(&img->zone_of);
	free(img->bytes);
	memset(img, 0, sizeof(*img));
}

const struct elf_zone *elf_zone(const struct elf_image *img, uint16_t id)
{
	uint32_t at;

	return u64map_get(&img->zone_of, id, &at) ? &img->zones.at[at] : NULL;
}

const struct elf_symbol *elf_symbol_at(const struct elf_image *img, uint32_t addr, uint32_t *offset)
{
	size_t low = order_first(i, img->symbols.len, img->symbols.at[i].addr <= addr);

	if (!low)
		return NULL;
	const struct elf_symbol *s = &img->symbols.at[low - 1];

	if (s->size && addr - s->addr >= s->size)
		return NULL;
	if (offset)
		*offset = addr - s->addr;
	return s;
}

/* The end of a long path says most. */
static void add_file(struct buf *to, struct str file)
{
	enum { SHOWN = 80 };
	size_t slash;

	if (file.len > SHOWN) {
		file = str_from(file, file.len - SHOWN);
		slash = str_find_char(file, '/');
		file = str_from(file, slash == STR_NONE ? 0 : slash);
		buf_text(to, "...");
	}
	buf_str(to, file);
}

void elf_describe(struct elf_image *img, uint32_t addr, uint32_t back, struct buf *to)
{
	const struct elf_symbol *s, *caller;
	struct elf_line at = { 0 };
	uint32_t offset = 0;
	bool found = elf_line_at(img, addr, &at);

	s = elf_symbol_at(img, addr, &offset);
	if (s)
		buf_printf(to, "%.*s+0x%x", STR_ARG(s->name), offset);
	if (found) {
		buf_text(to, s ? " (" : "(");
		add_file(to, at.file);
		buf_printf(to, ":%u", at.line);
		if (at.inlined.len)
			buf_printf(to, ", in %.*s", STR_ARG(at.inlined));
		buf_char(to, ')');
	}
	/* In a function of ours, or the compiler's: who called it?  Not itself: then it has called another. */
	if ((found && !at.ours) || !back)
		return;
	caller = elf_symbol_at(img, back - 4, &offset);
	if (!caller || caller == s || !elf_line_at(img, back - 4, &at) || at.ours)
		return;
	buf_text(to, " called at ");
	add_file(to, at.file);
	buf_printf(to, ":%u", at.line);
}
