// SPDX-License-Identifier: Apache-2.0
/*
 * "did you mean": the nearest of some names to a word that somebody mistyped.
 *
 *	struct suggest s = { .word = str_of("--tpo") };
 *	suggest_offer(&s, "top"); suggest_offer(&s, "sort");
 *	if (s.best) ...
 */
#ifndef TTP_BASE_SUGGEST_H
#define TTP_BASE_SUGGEST_H

#include "base/str.h"

struct suggest {
	struct str word;
	const char *best; /* NULL while nothing is near enough */
	size_t distance;  /* of best */
};

/* Keeps `name` (borrowed) when it is nearer than what was offered before; the first wins a tie. */
void suggest_offer(struct suggest *s, const char *name);

/* Insertions, deletions, changes and swaps of neighbours that turn a into b.  Words of more than 63
 * bytes are taken as infinitely far. */
size_t suggest_distance(struct str a, struct str b);

#endif /* TTP_BASE_SUGGEST_H */
