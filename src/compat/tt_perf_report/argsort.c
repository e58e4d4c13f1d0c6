// SPDX-License-Identifier: Apache-2.0
/*
 * The order in which NumPy's sort (its portable one, without SIMD) leaves equal keys.  It is no
 * stable sort, so groups of equal time are reordered in a way that only the same steps give: a
 * quicksort with the median of three as pivot, that leaves short pieces to insertion sort and
 * goes on with the shorter half first.  A longer half that waited behind more than 2 log2(n) splits
 * is heap-sorted: keys that make every split lopsided would cost n * n steps else.
 */
#include "compat/tt_perf_report/stacked.h"

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

/* Puts `moved` into the heap of n, where `at` is free and all below it is in order. */
static void sift(const double *key, uint32_t *heap, size_t n, size_t at, uint32_t moved)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && key[heap[child]] < key[heap[child + 1]])
			child++;
		if (!(key[moved] < key[heap[child]]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

static void heap_sort(const double *key, uint32_t *order, size_t n)
{
	for (size_t at = n / 2; at-- > 0;)
		sift(key, order, n, at, order[at]);
	while (n-- > 1) {
		uint32_t moved = order[n];

		order[n] = order[0];
		sift(key, order, n, 0, moved);
	}
}

static int log2_of(size_t n)
{
	int log = 0;

	while (n >>= 1)
		log++;
	return log;
}

uint64_t numpy_argsort(const double *key, uint32_t *order, size_t n)
{
	struct {
		size_t first, last;
		int splits_left;
	} waiting[64]; /* the shorter half goes first, so each level halves */
	size_t depth = 0, first = 0, last = n - 1;
	int splits_left = 2 * log2_of(n);
	uint64_t work = 0;

	if (n < 2)
		return 0;
	for (;;) {
		if (splits_left < 0) {
			heap_sort(key, order + first, last - first + 1);
			first = last;
		}
		/* not asked for again on the way down: halves that are the shorter end soon */
		while (last - first >= SHORT_PIECE) {
			size_t at = split(key, order, first, last);

			work += last - first + 1;
			splits_left--;
			waiting[depth].splits_left = splits_left;
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
			return work;
		depth--;
		first = waiting[depth].first;
		last = waiting[depth].last;
		splits_left = waiting[depth].splits_left;
	}
}
