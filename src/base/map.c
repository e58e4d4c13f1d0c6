// SPDX-License-Identifier: Apache-2.0
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>

#include "base/exhausted.h"

enum { SLOTS_MIN = 16 };
#define ENTRIES_MAX ((size_t)INT32_MAX)

/* Makes room for one more entry after `used`. */
static void table_room(struct map_table *t, size_t used)
{
	struct map_table bigger = { .slots = t->slots ? t->slots * 2 : SLOTS_MIN };

	if (used < t->slots / 2)
		return;
	if (used >= ENTRIES_MAX)
		exhausted(0);
	bigger.slot = mem_zero(bigger.slots, sizeof(*bigger.slot));
	for (size_t i = 0; i < t->slots; i++) {
		size_t at = t->slot[i].hash;

		if (!t->slot[i].number)
			continue;
		while (bigger.slot[at & (bigger.slots - 1)].number)
			at++;
		bigger.slot[at & (bigger.slots - 1)] = t->slot[i];
	}
	free(t->slot);
	*t = bigger;
}

static inline uint32_t hash_of(struct str s)
{
	return (uint32_t)(str_hash(s) >> 32);
}

/* The slot that holds `s`, or the free one where it belongs. */
static inline struct map_slot *text_slot(const struct intern *in, struct str s, uint32_t hash)
{
	size_t mask = in->table.slots - 1;

	for (size_t i = hash;; i++) {
		struct map_slot *slot = &in->table.slot[i & mask];

		if (!slot->number ||
		    (slot->hash == hash && str_eq(in->names.at[slot->number - 1], s)))
			return slot;
	}
}

static inline uint32_t intern_any(struct intern *in, struct str s, bool copy)
{
	uint32_t hash = hash_of(s);
	struct map_slot *slot;

	table_room(&in->table, in->names.len);
	slot = text_slot(in, s, hash);
	if (!slot->number) {
		if (copy)
			s.at = arena_dup(&in->copies, s.len ? s.at : "", s.len);
		*vec_push(&in->names) = s;
		*slot = (struct map_slot){ hash, (uint32_t)in->names.len };
	}
	return slot->number - 1;
}

uint32_t intern_add(struct intern *in, struct str s)
{
	return intern_any(in, s, false);
}

uint32_t intern_copy(struct intern *in, struct str s)
{
	return intern_any(in, s, true);
}

uint32_t intern_find(const struct intern *in, struct str s)
{
	/* A free slot holds number 0, so one less is INTERN_NONE. */
	return in->table.slots ? text_slot(in, s, hash_of(s))->number - 1 : INTERN_NONE;
}

struct str intern_get(const struct intern *in, uint32_t id)
{
	assert(id < in->names.len);
	return in->names.at[id];
}

int intern_order(const void *a, const void *b, void *in)
{
	return str_cmp(intern_get(in, *(const uint32_t *)a), intern_get(in, *(const uint32_t *)b));
}

void intern_release(struct intern *in)
{
	free(in->table.slot);
	vec_release(&in->names);
	arena_release(&in->copies);
	*in = (struct intern){ 0 };
}

static inline uint32_t hash_u64(uint64_t key)
{
	key ^= key >>
	       32; /* the product's upper half depends on every bit below it, so fold first */
	return (uint32_t)(key * 0x9E3779B97F4A7C15ull >> 32);
}

static inline struct map_slot *key_slot(const struct u64map *m, uint64_t key, uint32_t hash)
{
	size_t mask = m->table.slots - 1;

	for (size_t i = hash;; i++) {
		struct map_slot *slot = &m->table.slot[i & mask];

		if (!slot->number ||
		    (slot->hash == hash && m->entries.at[slot->number - 1].key == key))
			return slot;
	}
}

/* The entry of `key`, made with `value` if it is new. */
static struct u64map_entry *u64map_entry(struct u64map *m, uint64_t key, uint32_t value,
					 bool *added)
{
	uint32_t hash = hash_u64(key);
	struct map_slot *slot;

	table_room(&m->table, m->entries.len);
	slot = key_slot(m, key, hash);
	*added = !slot->number;
	if (*added) {
		*vec_push(&m->entries) = (struct u64map_entry){ key, value };
		*slot = (struct map_slot){ hash, (uint32_t)m->entries.len };
	}
	return &m->entries.at[slot->number - 1];
}

void u64map_put(struct u64map *m, uint64_t key, uint32_t value)
{
	bool added;

	u64map_entry(m, key, value, &added)->value = value;
}

uint32_t u64map_get_or_put(struct u64map *m, uint64_t key, uint32_t value, bool *added)
{
	bool ignored;

	return u64map_entry(m, key, value, added ? added : &ignored)->value;
}

bool u64map_get(const struct u64map *m, uint64_t key, uint32_t *value)
{
	const struct map_slot *slot;

	if (!m->table.slots)
		return false;
	slot = key_slot(m, key, hash_u64(key));
	if (!slot->number)
		return false;
	*value = m->entries.at[slot->number - 1].value;
	return true;
}

void u64map_release(struct u64map *m)
{
	free(m->table.slot);
	vec_release(&m->entries);
	*m = (struct u64map){ 0 };
}
