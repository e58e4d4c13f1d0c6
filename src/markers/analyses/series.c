// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/marker_log.h"

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
void timed_sort(struct timed *at, size_t n)
{
	SCOPED(vec) VEC(size_t) runs = { 0 };
	struct timed *from = at, *to, *swap;

	for (size_t i = 0; i < n; i++)
		if (!i || at[i].time_cycles < at[i - 1].time_cycles)
			*vec_push(&runs) = i;
	*vec_push(&runs) = n;
	to = runs.len > 2 ? mem_alloc(n, sizeof(*to)) : NULL;
	while (runs.len > 2) {
		size_t kept = 0;

		for (size_t r = 0; r + 1 < runs.len; r += 2) {
			size_t l = runs.at[r], mid = runs.at[r + 1];
			size_t end = r + 2 < runs.len ? runs.at[r + 2] : mid;

			runs.at[kept++] = l;
			merge(to + l, from + l, from + mid, from + end);
		}
		runs.at[kept++] = n;
		runs.len = kept;
		swap = from;
		from = to;
		to = swap;
	}
	if (from != at) {
		memcpy(at, from, n * sizeof(*at));
		to = from;
	}
	free(to);
}

void series_sort(marker_series *s, const struct marker *all)
{
	struct timed *timed;
	size_t ordered = 1;

	while (ordered < s->len &&
	       all[s->at[ordered]].time_cycles >= all[s->at[ordered - 1]].time_cycles)
		ordered++;
	if (ordered >= s->len) /* as those of one RISC are */
		return;
	timed = mem_alloc(s->len, sizeof(*timed));
	for (size_t i = 0; i < s->len; i++)
		timed[i] = (struct timed){ all[s->at[i]].time_cycles, s->at[i] };
	timed_sort(timed, s->len);
	for (size_t i = 0; i < s->len; i++)
		s->at[i] = timed[i].marker;
	free(timed);
}
