// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/series.h"

/* Merges runs that are in order already: logs are made of such. */
void series_sort(marker_series *s, const struct marker *all)
{
	VEC(size_t) runs = { 0 };
	uint32_t *from = s->at, *to, *swap;

	if (s->len < 2)
		return;
	for (size_t i = 0; i < s->len; i++)
		if (!i || all[from[i]].time_cycles < all[from[i - 1]].time_cycles)
			*vec_push(&runs) = i;
	*vec_push(&runs) = s->len;
	to = mem_alloc(s->len, sizeof(*to));
	while (runs.len > 2) {
		size_t kept = 0;

		for (size_t r = 0; r + 1 < runs.len; r += 2) {
			size_t l = runs.at[r], mid = runs.at[r + 1];
			size_t end = r + 2 < runs.len ? runs.at[r + 2] : mid, right = mid;

			runs.at[kept++] = l;
			for (size_t k = l; k < end; k++)
				if (l < mid &&
				    (right >= end ||
				     all[from[l]].time_cycles <= all[from[right]].time_cycles))
					to[k] = from[l++];
				else
					to[k] = from[right++];
		}
		runs.at[kept++] = s->len;
		runs.len = kept;
		swap = from;
		from = to;
		to = swap;
	}
	if (from != s->at) {
		memcpy(s->at, from, s->len * sizeof(*from));
		to = from;
	}
	free(to);
	vec_release(&runs);
}
