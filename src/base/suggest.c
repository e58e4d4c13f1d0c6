// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

enum { LONGEST = 63 };

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

size_t suggest_distance(struct str a, struct str b)
{
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	if (a.len > LONGEST || b.len > LONGEST)
		return (size_t)-1;
	for (size_t j = 0; j <= b.len; j++)
		last[j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t *spare = before;

		now[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			now[j] = min3(last[j] + 1, now[j - 1] + 1,
				      last[j - 1] + (a.at[i - 1] != b.at[j - 1]));
			if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] &&
			    a.at[i - 2] == b.at[j - 1] && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[b.len];
}

void suggest_offer(struct suggest *s, const char *name)
{
	struct str n = str_of(name);
	size_t d = suggest_distance(s->word, n);
	size_t near = s->word.len < 3 ? 1 : s->word.len < 7 ? 2 : 3;

	/* The start of a longer name is as good as one slip: "comp" for "compare". */
	if (s->word.len >= 2 && str_starts(n, s->word) && d > 1)
		d = 1;
	if (d > near || d >= n.len || (s->best && d >= s->distance))
		return;
	s->best = name;
	s->distance = d;
}
