// SPDX-License-Identifier: Apache-2.0
/* A set of (pool, address), open addressing; removal moves those behind it forward. */
#include "client/send/known_memory.h"

#include <string.h>

#include "client/life/system_memory.h"

struct live {
	uint64_t address;
	uint32_t pool;
	bool used;
};

static struct live *set;
static uint32_t cap, len;

static uint32_t home(uint32_t pool, uint64_t address)
{
	uint64_t h = (address ^ (uint64_t)pool << 48) * UINT64_C(0x9E3779B97F4A7C15);

	return (uint32_t)(h >> 32) & (cap - 1);
}

void memory_init(void)
{
	set = NULL;
	cap = len = 0;
}

void memory_begin(void)
{
	if (set)
		memset(set, 0, cap * sizeof(*set));
	len = 0;
}

static bool grow(void)
{
	struct live *old = set, *more;
	uint32_t old_cap = cap;

	more = own_grow(NULL, 0, (cap ? cap * 2 : 1024) * sizeof(*more));
	if (!more)
		return false;
	set = more;
	cap = cap ? cap * 2 : 1024;
	for (uint32_t i = 0; i < old_cap; i++) {
		uint32_t to;

		if (!old[i].used)
			continue;
		to = home(old[i].pool, old[i].address);
		while (set[to].used)
			to = (to + 1) & (cap - 1);
		set[to] = old[i];
	}
	own_free(old, old_cap * sizeof(*old));
	return true;
}

bool memory_add(uint32_t pool, uint64_t address)
{
	uint32_t i;

	if (len * 2 >= cap && !grow())
		return true; /* no memory to remember: believe the program */
	for (i = home(pool, address); set[i].used; i = (i + 1) & (cap - 1))
		if (set[i].address == address && set[i].pool == pool)
			return false;
	set[i] = (struct live){ address, pool, true };
	len++;
	return true;
}

static void remove_at(uint32_t i)
{
	uint32_t hole = i;

	for (;;) {
		i = (i + 1) & (cap - 1);
		if (!set[i].used)
			break;
		/* May it move to the hole?  Not if its home lies behind the hole. */
		if (((i - home(set[i].pool, set[i].address)) & (cap - 1)) >=
		    ((i - hole) & (cap - 1))) {
			set[hole] = set[i];
			hole = i;
		}
	}
	set[hole].used = false;
	len--;
}

bool memory_remove(uint32_t pool, uint64_t address)
{
	if (!cap)
		return false;
	for (uint32_t i = home(pool, address); set[i].used; i = (i + 1) & (cap - 1)) {
		if (set[i].address == address && set[i].pool == pool) {
			remove_at(i);
			return true;
		}
	}
	return false;
}

void memory_discard(uint32_t pool)
{
	for (uint32_t i = 0; i < cap;) {
		if (set[i].used && set[i].pool == pool)
			remove_at(i); /* another one may be here now */
		else
			i++;
	}
}
