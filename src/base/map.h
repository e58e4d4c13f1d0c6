// SPDX-License-Identifier: Apache-2.0
/*
 * Two dictionaries that are walked in the order things were first added, never in hash order, so that
 * output cannot depend on it.
 *
 *	struct intern	text -> 0, 1, 2 ... and back
 *	struct u64map	64-bit key -> 32-bit value
 *
 * Both are open-addressing tables at most half full, of 8 bytes per slot (32 bits of hash, 32 bits of
 * number), so most lookups touch one cache line of the table and one of the entries.  All zeros is an
 * empty one.  Nothing can be removed.  One thread at a time; many may read once nobody adds.
 * The 2^31st entry is exhaustion, too (base/exhausted.h).
 */
#ifndef TTP_BASE_MAP_H
#define TTP_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct map_slot {
	uint32_t hash, number; /* number is one more than the entry's index; 0 is a free slot */
};

struct map_table {
	struct map_slot *slot;
	size_t slots; /* 0 or a power of two */
};

#define INTERN_NONE UINT32_MAX

struct intern {
	struct map_table table;
	VEC(struct str) names; /* by id */
	struct arena copies;   /* bytes of intern_copy */
};

/*
 * The id of `s`: the same for the same bytes, else the next free one.  intern_add borrows the bytes of a
 * new text, which must stay where they are as long as the dictionary; intern_copy keeps its own copy
 * (NUL-terminated).  The empty text is a text like any other.
 */
uint32_t intern_add(struct intern *in, struct str s);
uint32_t intern_copy(struct intern *in, struct str s);
/* The id of `s`, or INTERN_NONE. */
uint32_t intern_find(const struct intern *in, struct str s);
/* The text of an id that intern_add gave out; borrowed. */
struct str intern_get(const struct intern *in, uint32_t id);
/* Ids by their texts, for qsort_r(). */
int intern_order(const void *a, const void *b, void *in);
void intern_release(struct intern *in);

static inline uint32_t intern_count(const struct intern *in)
{
	return (uint32_t)in->names.len;
}

struct u64map_entry {
	uint64_t key;
	uint32_t value;
};

struct u64map {
	struct map_table table;
	VEC(struct u64map_entry) entries; /* in the order of first put: vec_each(e, &map.entries) */
};

/* Sets the value of `key`; a key that was there keeps its position in the order. */
void u64map_put(struct u64map *m, uint64_t key, uint32_t value);
bool u64map_get(const struct u64map *m, uint64_t key, uint32_t *value);
/* The value of `key`, put there as `value` if it was missing; `*added` (may be NULL) says which. */
uint32_t u64map_get_or_put(struct u64map *m, uint64_t key, uint32_t value, bool *added);
void u64map_release(struct u64map *m);

#endif /* TTP_BASE_MAP_H */
