// SPDX-License-Identifier: Apache-2.0
/*
 * The order in which NumPy's sort (its portable one, without SIMD) leaves equal keys.  It is no
 * stable sort, so groups of equal time change places in a way that only the same steps give: a
 * quicksort with the median of three as pivot, that leaves short pieces to insertion sort and
 * goes on with the shorter half first.
 */
#include "report/compat/stacked.h"

enum { SHORT_PIECE = 16 };

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t x = *a;

	*a = *b;
	*b = x;
}

static void insertion_sort(const double *key, uint32_t *order, size_t first, size_t last)
{
	for (size_t i = first + 1; i <= last; i++) {
		uint32_t moved = order[i];
		size_t at = i;

		for (; at > first && key[moved] < key[order[at - 1]]; at--)
			order[at] = order[at - 1];
		order[at] = moved;
	}
}

/* Splits [first, last] around a pivot and returns where the pivot ends up. */
static size_t split(const double *key, uint32_t *order, size_t first, size_t last)
{
	size_t middle = first + (last - first) / 2, up = first, down = last - 1;
	double pivot;

	if (key[order[middle]] < key[order[first]])
		swap(&order[middle], &order[first]);
	if (key[order[last]] < key[order[middle]])
		swap(&order[last], &order[middle]);
	if (key[order[middle]] < key[order[first]])
		swap(&order[middle], &order[first]);
	pivot = key[order[middle]];
	swap(&order[middle], &order[last - 1]);
	for (;;) {
		do
			up++;
		while (key[order[up]] < pivot);
		do
			down--;
		while (pivot < key[order[down]]);
		if (up >= down)
			break;
		swap(&order[up], &order[down]);
	}
	swap(&order[up], &order[last - 1]);
	return up;
}

void numpy_argsort(const double *key, uint32_t *order, size_t n)
{
	struct {
		size_t first, last;
	} waiting[64]; /* the shorter half goes first, so each level halves */
	size_t depth = 0, first = 0, last = n - 1;

	if (n < 2)
		return;
	for (;;) {
		while (last - first >= SHORT_PIECE) {
			size_t at = split(key, order, first, last);

			if (at - first < last - at) {
				waiting[depth].first = at + 1;
				waiting[depth++].last = last;
				last = at - 1;
			} else {
				waiting[depth].first = first;
				waiting[depth++].last = at - 1;
				first = at + 1;
			}
		}
		insertion_sort(key, order, first, last);
		if (!depth)
			return;
		depth--;
		first = waiting[depth].first;
		last = waiting[depth].last;
	}
}
