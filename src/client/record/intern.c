// SPDX-License-Identifier: Apache-2.0
#include "client/record/intern.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "client/record/signal_guard.h"

enum {
	SLOTS = 65536,
	LOCATIONS_MAX =
		30000, /* servers number locations with 15 bits, and the program's own need some */
	PLAIN_MAX =
		56000, /* of all: beyond the former they are made without their function, which keeps the names apart */
	BLOCK_BYTES = 65536,
};

struct entry {
	struct ttp_location location; /* first: what callers get */
	uint64_t hash;
	uint32_t name_len, function_len, file_len;
};

const struct ttp_location intern_full = { .name = "(too many places)", .function = "", .file = "" };

static _Atomic(struct entry *) slots[SLOTS];
struct guard intern_guard; /* over what follows */
static unsigned entries;
static char *block;
static size_t block_left;

/* Memory for ever, not from malloc: that may be recording itself. */
static void *take(size_t n)
{
	int kept = errno;
	void *p;

	n = (n + 7) & ~(size_t)7;
	if (n > block_left) {
		size_t bytes = n > BLOCK_BYTES ? (n + 4095) & ~(size_t)4095 : BLOCK_BYTES;

		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		errno = kept; /* the program's */
		if (p == MAP_FAILED)
			return NULL;
		block = p;
		block_left = bytes;
	}
	p = block;
	block += n;
	block_left -= n;
	return p;
}

static char *copy(const char *text, size_t len)
{
	char *p = take(len + 1);

	if (p) {
		if (len)
			memcpy(p, text, len);
		p[len] = 0;
	}
	return p;
}

const char *intern_copy(const char *text, size_t len)
{
	char *p;

	if (!text)
		len = 0;
	if (!guard_take(&intern_guard))
		return NULL; /* a handler */
	p = copy(text, len);
	guard_give(&intern_guard);
	return p;
}

/* Eight bytes per step. */
static uint64_t hash_text(uint64_t h, struct intern_text t)
{
	const uint64_t k = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t word;

	h ^= t.len;
	for (; t.len >= 8; t.at += 8, t.len -= 8) {
		memcpy(&word, t.at, 8);
		h = (h ^ word) * k;
		h ^= h >> 29;
	}
	word = 0;
	memcpy(&word, t.at, t.len);
	h = (h ^ word) * k;
	return h ^ h >> 32;
}

static bool same(const struct entry *e, struct intern_text name, struct intern_text function,
		 struct intern_text file, uint32_t line, uint32_t color)
{
	return e->location.line == line && e->location.color == color && e->name_len == name.len &&
	       e->function_len == function.len && e->file_len == file.len &&
	       !memcmp(e->location.name, name.at, name.len) &&
	       !memcmp(e->location.function, function.at, function.len) &&
	       !memcmp(e->location.file, file.at, file.len);
}

const struct ttp_location *intern_location(struct intern_text name, struct intern_text function,
					   struct intern_text file, uint32_t line, uint32_t color)
{
	uint64_t hash =
		hash_text(hash_text(hash_text((uint64_t)line << 32 | color, name), function), file);
	struct entry *e;
	unsigned at;

	for (at = (unsigned)hash % SLOTS;; at = (at + 1) % SLOTS) {
		/* Acquire pairs with the release below: an entry that is seen is complete. */
		e = atomic_load_explicit(&slots[at], memory_order_acquire);
		if (!e)
			break;
		if (e->hash == hash && same(e, name, function, file, line, color))
			return &e->location;
	}
	if (!guard_take(&intern_guard))
		return &intern_full; /* a handler that interrupted this very function */
	/* Somebody may have made it, or taken this slot, since. */
	for (;; at = (at + 1) % SLOTS) {
		e = atomic_load_explicit(&slots[at], memory_order_relaxed);
		if (!e || (e->hash == hash && same(e, name, function, file, line, color)))
			break;
	}
	if (!e && entries < (name.len && function.len ? LOCATIONS_MAX : PLAIN_MAX)) {
		e = take(sizeof(*e));
		if (e) {
			*e = (struct entry){
				.location = { copy(name.at, name.len),
					      copy(function.at, function.len),
					      copy(file.at, file.len), line, color },
				.hash = hash,
				.name_len = (uint32_t)name.len,
				.function_len = (uint32_t)function.len,
				.file_len = (uint32_t)file.len,
			};
			if (!e->location.name || !e->location.function || !e->location.file)
				e = NULL;
		}
		if (e) {
			entries++;
			atomic_store_explicit(&slots[at], e, memory_order_release);
		}
	}
	guard_give(&intern_guard);
	if (!e && name.len && function.len)
		return intern_location(name, (struct intern_text){ "", 0 }, file, line, color);
	return e ? &e->location : &intern_full;
}

/* Strings travel with 16-bit lengths. */
static struct intern_text text_of(const char *at, size_t len)
{
	return (struct intern_text){ at ? at : "",
				     at ? (len < INTERN_TEXT_MAX ? len : INTERN_TEXT_MAX) : 0 };
}

const struct ttp_location *ttp_location_intern(const char *name, size_t name_len,
					       const char *function, size_t function_len,
					       const char *file, size_t file_len, uint32_t line,
					       uint32_t color)
{
	return intern_location(text_of(name, name_len), text_of(function, function_len),
			       text_of(file, file_len), line, color);
}

void ttp_zone_begin_text(const char *name, size_t name_len, const char *function,
			 size_t function_len, const char *file, size_t file_len, uint32_t line,
			 uint32_t color)
{
	const struct ttp_location *l = ttp_location_intern(name, name_len, function, function_len,
							   file, file_len, line, color);

	ttp_zone_begin(l);
	if (l == &intern_full) {
		/* The source location is lost, the name is not. */
		if (name_len)
			ttp_zone_name(name, name_len);
		else
			ttp_zone_name(function, function_len);
	}
}
