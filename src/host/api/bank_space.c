// SPDX-License-Identifier: Apache-2.0
#include "host/api/bank_space.h"

#include <string.h>

void room_init(struct room *r, uint64_t first, uint64_t end, bool from_end)
{
	memset(r, 0, sizeof(*r));
	r->first = first;
	r->end = end;
	r->from_end = from_end;
}

static void insert(struct room *r, size_t index, uint64_t at, uint64_t bytes)
{
	uint64_t used = r->from_end ? r->end - at : at + bytes - r->first;

	(void)vec_push(&r->taken);
	memmove(&r->taken.at[index + 1], &r->taken.at[index],
		(r->taken.len - 1 - index) * sizeof(*r->taken.at));
	r->taken.at[index] = (struct room_piece){ at, bytes };
	if (used > r->most_used)
		r->most_used = used;
}

bool room_take(struct room *r, uint64_t bytes, uint64_t align, uint64_t *at)
{
	size_t n = r->taken.len;

	if (!bytes)
		bytes = align;
	/* The gaps lie before each piece, and behind the last. */
	for (size_t k = 0; k <= n; k++) {
		size_t i = r->from_end ? n - k : k;
		uint64_t low = i ? r->taken.at[i - 1].at + r->taken.at[i - 1].bytes : r->first;
		uint64_t high = i < n ? r->taken.at[i].at : r->end;
		uint64_t place;

		low = (low + align - 1) & ~(align - 1);
		if (low > high || high - low < bytes)
			continue;
		place = r->from_end ? (high - bytes) & ~(align - 1) : low;
		if (place < low)
			continue;
		insert(r, i, place, bytes);
		*at = place;
		return true;
	}
	return false;
}

void room_give(struct room *r, uint64_t at)
{
	for (size_t i = 0; i < r->taken.len; i++)
		if (r->taken.at[i].at == at) {
			memmove(&r->taken.at[i], &r->taken.at[i + 1],
				(r->taken.len - 1 - i) * sizeof(*r->taken.at));
			r->taken.len--;
			return;
		}
}

uint64_t room_lowest(const struct room *r)
{
	return r->taken.len ? r->taken.at[0].at : r->end;
}

void room_release(struct room *r)
{
	vec_release(&r->taken);
}
