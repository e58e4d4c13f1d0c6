// SPDX-License-Identifier: Apache-2.0
#include "compare/diff.h"

#include <stdbool.h>

#include "base/vec.h"

/*
 * Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section 4b.  A point (x, y) is x items of `a` and y of `b`; its
 * diagonal is x - y.  The furthest points that d edits reach are searched from both ends at once; where they meet, the halves before and
 * behind are searched by themselves.
 */
struct search {
	const uint32_t *a, *b;
	uint32_t *pair;
	ptrdiff_t *from_start,
		*from_end; /* x by diagonal; they point to diagonal 0 of their blocks */
};

/* Edits of one search before it takes the best split so far: it bounds the cost of sequences that are unlike. */
enum { EDITS_MAX = 1024 };
#define DEAD (PTRDIFF_MIN / 2) /* no point of this diagonal is inside */

struct box {
	ptrdiff_t x, y, n, m; /* items x..x+n of `a`, y..y+m of `b` */
};

/* Item `i` of the box, counted from its start, or from its end. */
static uint32_t item(const uint32_t *of, ptrdiff_t first, ptrdiff_t len, ptrdiff_t i, bool back)
{
	return of[first + (back ? len - 1 - i : i)];
}

/* The furthest x on diagonal k after one more edit. */
static ptrdiff_t advance(const struct search *s, const struct box *box, const ptrdiff_t *v,
			 ptrdiff_t k, bool back)
{
	ptrdiff_t right = v[k - 1] + 1, down = v[k + 1], x = DEAD;

	if (right <= box->n && right - k <= box->m && right >= 0)
		x = right;
	if (down <= box->n && down - k <= box->m && down >= 0 && down > x)
		x = down;
	if (x == DEAD)
		return x;
	while (x < box->n && x - k < box->m &&
	       item(s->a, box->x, box->n, x, back) == item(s->b, box->y, box->m, x - k, back))
		x++;
	return x;
}

/* One more edit from one side; true if it meets the other side, at the split. */
static bool step(const struct search *s, const struct box *box, ptrdiff_t d, bool back,
		 struct box *split)
{
	ptrdiff_t *v = back ? s->from_end : s->from_start;
	const ptrdiff_t *other = back ? s->from_start : s->from_end;
	ptrdiff_t delta = box->n - box->m, other_d = back ? d : d - 1;

	v[-d - 1] = v[d + 1] = DEAD;
	for (ptrdiff_t k = -d; k <= d; k += 2) {
		ptrdiff_t across = delta - k, x = advance(s, box, v, k, back);

		v[k] = x;
		if (x == DEAD || across < -other_d || across > other_d || (across + other_d) % 2 ||
		    other[across] == DEAD || x + other[across] < box->n)
			continue;
		split->x = back ? box->n - x : x;
		split->y = back ? box->m - (x - k) : x - k;
		return true;
	}
	return false;
}

/* The point that is furthest from the start. */
static void furthest(const struct search *s, ptrdiff_t d, struct box *split)
{
	ptrdiff_t best = -1;

	for (ptrdiff_t k = -d; k <= d; k += 2)
		if (s->from_start[k] != DEAD && 2 * s->from_start[k] - k > best) {
			best = 2 * s->from_start[k] - k;
			split->x = s->from_start[k];
			split->y = s->from_start[k] - k;
		}
}

/* Where the box is divided; its ends are unlike, and neither side is empty. */
static void find_split(const struct search *s, const struct box *box, struct box *split)
{
	s->from_start[0] = s->from_end[0] = 0;
	s->from_start[-1] = s->from_start[1] = s->from_end[-1] = s->from_end[1] = DEAD;
	for (ptrdiff_t d = 1;; d++) {
		if (step(s, box, d, false, split) || step(s, box, d, true, split))
			return;
		if (d == EDITS_MAX) {
			furthest(s, d, split);
			return;
		}
	}
}

static void pair_box(const struct search *s, struct box box)
{
	for (;;) {
		struct box split = { 0 };

		for (; box.n && box.m && s->a[box.x] == s->b[box.y]; box.n--, box.m--)
			s->pair[box.x++] = (uint32_t)box.y++;
		for (; box.n && box.m && s->a[box.x + box.n - 1] == s->b[box.y + box.m - 1];
		     box.n--, box.m--)
			s->pair[box.x + box.n - 1] = (uint32_t)(box.y + box.m - 1);
		if (!box.n || !box.m)
			return;
		find_split(s, &box, &split);
		/* at most EDITS_MAX edits lie before the split: this does not go deep */
		pair_box(s, (struct box){ box.x, box.y, split.x, split.y });
		box = (struct box){ box.x + split.x, box.y + split.y, box.n - split.x,
				    box.m - split.y };
	}
}

void diff_pair(const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t *pair_of_a)
{
	enum { DIAGONALS = 2 * (EDITS_MAX + 2) + 1 };
	SCOPED(mem) ptrdiff_t *blocks = mem_alloc(2 * DIAGONALS, sizeof(*blocks));
	struct search s = { a, b, pair_of_a, blocks + EDITS_MAX + 2,
			    blocks + DIAGONALS + EDITS_MAX + 2 };

	for (size_t i = 0; i < n; i++)
		pair_of_a[i] = DIFF_NONE;
	pair_box(&s, (struct box){ 0, 0, (ptrdiff_t)n, (ptrdiff_t)m });
}
