// SPDX-License-Identifier: Apache-2.0
#include "compare/op_pairs.h"

#include "compare/diff.h"

static uint32_t *keys_of(const struct op_sequence *s, enum op_sameness how, size_t from, size_t to)
{
	uint32_t *keys = mem_alloc(to - from + 1, sizeof(*keys));

	for (size_t i = from; i < to; i++)
		keys[i - from] = s->at.at[i].key[how];
	return keys;
}

/* Pairs what lies between two pairs: a[from..to) and b[..). */
static void pair_between(const struct op_sequence *a, size_t a0, size_t a1,
			 const struct op_sequence *b, size_t b0, size_t b1, enum op_sameness how,
			 uint32_t *pair)
{
	SCOPED(mem) uint32_t *x = keys_of(a, how, a0, a1), *y = keys_of(b, how, b0, b1);

	diff_pair(x, a1 - a0, y, b1 - b0, pair + a0);
	for (size_t i = a0; i < a1; i++)
		if (pair[i] != DIFF_NONE)
			pair[i] += (uint32_t)b0;
}

uint32_t *op_sequence_pair(const struct op_sequence *a, const struct op_sequence *b)
{
	uint32_t *pair = mem_alloc(a->at.len + 1, sizeof(*pair));

	pair_between(a, 0, a->at.len, b, 0, b->at.len, SAME_KIND, pair);
	for (int how = SAME_SHAPE; how < SAMENESSES; how++) {
		size_t a0 = 0, b0 = 0;

		for (size_t i = 0; i <= a->at.len; i++) {
			size_t b1 = i < a->at.len ? pair[i] : b->at.len;

			if (i < a->at.len && pair[i] == DIFF_NONE)
				continue;
			if (i > a0 && b1 > b0)
				pair_between(a, a0, i, b, b0, b1, (enum op_sameness)how, pair);
			a0 = i + 1;
			b0 = b1 + 1;
		}
	}
	return pair;
}
