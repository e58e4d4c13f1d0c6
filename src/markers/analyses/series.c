// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/series.h"

/* A marker and its time beside it: markers are large, and lie far apart. */
struct timed {
	uint64_t time_cycles;
	uint32_t marker;
};

static void merge(struct timed *to, const struct timed *l, const struct timed *mid,
		  const struct timed *end)
{
	const struct timed *r = mid;

	while (l < mid && r < end)
		*to++ = l->time_cycles <= r->time_cycles ? *l++ : *r++;
	while (l < mid)
		*to++ = *l++;
	while (r < end)
		*to++ = *r++;
}

/* Merges runs that are in order already: logs are made of such. */
void series_sort(marker_series *s, const struct marker *all)
{
	VEC(size_t) runs = { 0 };
	struct timed *from, *to, *swap;

	for (size_t i = 0; i < s->len; i++)
		if (!i || all[s->at[i]].time_cycles < all[s->at[i - 1]].time_cycles)
			*vec_push(&runs) = i;
	*vec_push(&runs) = s->len;
	if (runs.len <= 2) { /* in order, as those of one RISC are */
		vec_release(&runs);
		return;
	}
	from = mem_alloc(s->len, sizeof(*from));
	to = mem_alloc(s->len, sizeof(*to));
	for (size_t i = 0; i < s->len; i++)
		from[i] = (struct timed){ all[s->at[i]].time_cycles, s->at[i] };
	while (runs.len > 2) {
		size_t kept = 0;

		for (size_t r = 0; r + 1 < runs.len; r += 2) {
			size_t l = runs.at[r], mid = runs.at[r + 1];
			size_t end = r + 2 < runs.len ? runs.at[r + 2] : mid;

			runs.at[kept++] = l;
			merge(to + l, from + l, from + mid, from + end);
		}
		runs.at[kept++] = s->len;
		runs.len = kept;
		swap = from;
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < s->len; i++)
		s->at[i] = from[i].marker;
	free(from);
	free(to);
	vec_release(&runs);
}
