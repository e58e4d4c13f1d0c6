// SPDX-License-Identifier: Apache-2.0
/*
 * A library that goes.  Its texts and source locations are read by address, later; what nobody has read yet is pointed to
 * copies before the library's memory is gone.  So recording costs nothing for it, whatever comes and goes.
 *
 * Every file that includes ttp/client.h has a destructor that calls ttp_library_goes, as the last of its library.
 */
#include <link.h>
#include <string.h>

#include "client/life/lifecycle.h"
#include "client/record/intern.h"
#include "client/record/stream.h"
#include "client/send/pointer_names.h"
#include "client/send/sender.h"

struct library {
	uint64_t anchor;   /* an address inside */
	uint64_t from, to; /* all of it; 0: not found */
	unsigned seen;
};

static _Atomic bool is_over;

void unload_is_over(void)
{
	atomic_store_explicit(&is_over, true, memory_order_relaxed);
}

/* The loader's tables may lie where our own memory was before it grew, which a race detector does not see. */
__attribute__((no_sanitize("thread"))) static int find(struct dl_phdr_info *info, size_t size,
						       void *out)
{
	struct library *l = out;
	uint64_t from = UINT64_MAX, to = 0;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD)
			continue;
		if (info->dlpi_addr + p->p_vaddr < from)
			from = info->dlpi_addr + p->p_vaddr;
		if (info->dlpi_addr + p->p_vaddr + p->p_memsz > to)
			to = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	if (l->anchor >= from && l->anchor < to) {
		/* The first one is the program itself, which never goes. */
		if (l->seen) {
			l->from = from;
			l->to = to;
		}
		return 1;
	}
	l->seen++;
	return 0;
}

static struct intern_text text_at(const char *text)
{
	return (struct intern_text){ text ? text : "", text ? strnlen(text, INTERN_TEXT_MAX) : 0 };
}

/* The same source location or text in memory that stays; NULL when there is none. */
static const void *copy_of(enum record_points points, uint64_t address)
{
	const void *at = (const void *)(uintptr_t)address;
	const struct intern_text none = { "", 0 };
	const struct ttp_location *l = at;

	if (points == RECORD_TEXT) {
		/* Kept as the name of a source location that no zone has, so that equal ones are one. */
		l = intern_location(text_at(at), none, none, 0, 0);
		return l == &intern_full ? NULL : l->name;
	}
	l = intern_location(text_at(l->name), text_at(l->function), text_at(l->file), l->line,
			    l->color);
	return l;
}

/*
 * The sender waits, and threads only add behind `at`, so what lies before it is ours.  Most records of a
 * burst are of a few source locations: the last copy is remembered.
 */
static void move_span(const struct library *l, uint64_t *w, const uint64_t *end)
{
	uint64_t last = 0, copy = 0;

	while (w < end) {
		enum record_kind kind = record_kind(w[0]);
		enum record_points points = record_points(kind);
		uint64_t address = record_argument(w[0]);

		if (points != RECORD_NOTHING && address >= l->from && address < l->to) {
			if (address != last) {
				last = address;
				copy = (uint64_t)(uintptr_t)copy_of(points, address);
			}
			if (copy)
				w[0] = record_head(kind, copy);
		}
		w = (uint64_t *)(uintptr_t)record_next(w);
	}
}

static void move_stream(const struct library *l, struct stream *s)
{
	/* As in drain_stream. */
	uintptr_t at = stream_readable(s);
	struct chunk *c = s->rd_chunk;
	uint64_t *w = (uint64_t *)s->rd_at;

	while (at) {
		bool last = stream_is_in(c, at);

		move_span(l, w, (const uint64_t *)(last ? at : c->filled));
		if (last)
			break;
		c = atomic_load_explicit(&c->next, memory_order_acquire);
		w = c->words;
	}
}

void ttp_library_goes(const void *inside)
{
	struct library l = { .anchor = (uint64_t)(uintptr_t)inside };
	KEEP_ERRNO;

	if (atomic_load_explicit(&is_over, memory_order_relaxed) || !life_has_storage())
		return;
	/* Before the sender is held: it asks the loader, too. */
	dl_iterate_phdr(find, &l);
	if (l.to) {
		sender_hold();
		for (uint32_t i = 0; i < stream_count(); i++)
			move_stream(&l, stream_at(i));
		names_forget(l.from, l.to);
		sender_rest();
	}
}
