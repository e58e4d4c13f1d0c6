// SPDX-License-Identifier: Apache-2.0
#include "host/api/bank_space.h"

#include <string.h>

void bank_space_init(struct bank_space *r, uint64_t first, uint64_t end, bool from_end)
{
	memset(r, 0, sizeof(*r));
	r->first = first;
	r->end = end;
	r->from_end = from_end;
}

static void insert(struct bank_space *r, size_t index, uint64_t at, uint64_t bytes)
{
	uint64_t used = r->from_end ? r->end - at : at + bytes - r->first;

	(void)vec_push(&r->taken);
	memmove(&r->taken.at[index + 1], &r->taken.at[index],
		(r->taken.len - 1 - index) * sizeof(*r->taken.at));
	r->taken.at[index] = (struct bank_piece){ at, bytes };
	if (used > r->most_used)
		r->most_used = used;
}

bool bank_space_take(struct bank_space *r, uint64_t bytes, uint64_t align, uint64_t *at)
{
	size_t n = r->taken.len;

	if (!bytes)
		bytes = align;
	/* The gaps lie before each piece, and behind the last. */
	for (size_t k = 0; k <= n; k++) {
		size_t i = r->from_end ? n - k : k;
		uint64_t low = i ? r->taken.at[i - 1].at + r->taken.at[i - 1].bytes : r->first;
		uint64_t high = i < n ? r->taken.at[i].at : r->end;
		uint64_t start;

		low = (low + align - 1) & ~(align - 1);
		if (low > high || high - low < bytes)
			continue;
		start = r->from_end ? (high - bytes) & ~(align - 1) : low;
		if (start < low)
			continue;
		insert(r, i, start, bytes);
		*at = start;
		return true;
	}
	return false;
}

void bank_space_give(struct bank_space *r, uint64_t at)
{
	for (size_t i = 0; i < r->taken.len; i++)
		if (r->taken.at[i].at == at) {
			memmove(&r->taken.at[i], &r->taken.at[i + 1],
				(r->taken.len - 1 - i) * sizeof(*r->taken.at));
			r->taken.len--;
			return;
		}
}

uint64_t bank_space_lowest(const struct bank_space *r)
{
	return r->taken.len ? r->taken.at[0].at : r->end;
}

void bank_space_release(struct bank_space *r)
{
	vec_release(&r->taken);
}
