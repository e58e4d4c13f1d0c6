// SPDX-License-Identifier: Apache-2.0
#include "ops/dispatch.h"

#include <stdlib.h>

typedef VEC(struct marker) marker_vec;

/* glibc's qsort merges and is stable as long as memory lasts; this one always is. */
void mergesort_markers(struct marker *m, size_t n, int (*order)(const void *, const void *))
{
	struct marker *to = mem_alloc(n ? n : 1, sizeof(*to)), *from = m, *swap;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t at = 0; at < n; at += 2 * width) {
			size_t mid = at + width < n ? at + width : n;
			size_t end = at + 2 * width < n ? at + 2 * width : n;
			size_t l = at, r = mid;

			for (size_t k = at; k < end; k++)
				to[k] = l < mid && (r >= end || order(&from[l], &from[r]) <= 0) ?
						from[l++] :
						from[r++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	if (from != m) {
		memcpy(m, from, n * sizeof(*m));
		to = from;
	}
	free(to);
}

void dispatch_times_add(struct op_times *t, struct device_log *log)
{
	enum { BATCH = 256 };
	struct marker batch[BATCH];
	struct marker_source source = device_log_source(log);
	marker_vec *cores = mem_zero(t->places.len, sizeof(*cores));
	uint64_t rows = log->rows, bad = log->bad_rows;
	size_t n;

	device_log_rewind(log);
	while ((n = source.next(source.self, batch, BATCH)) > 0)
		for (size_t i = 0; i < n; i++) {
			const struct marker *m = &batch[i];
			uint64_t key = (uint64_t)m->device << 32 | (uint64_t)m->x << 16 | m->y;
			uint32_t at;

			if (u64map_get(&t->place_index, key, &at) && t->places.at[at].dispatch)
				*vec_push(&cores[at]) = *m;
		}
	log->rows = rows;
	log->bad_rows = bad;
	for (size_t i = 0; i < t->places.len; i++) {
		if (cores[i].len)
			dispatch_core_add(t, t->places.at[i].device, cores[i].at, cores[i].len);
		vec_release(&cores[i]);
	}
	free(cores);
}
