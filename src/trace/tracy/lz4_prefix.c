// SPDX-License-Identifier: Apache-2.0
#include "trace/tracy/lz4_prefix.h"

#include <stdbool.h>
#include <string.h>

/* Lengths of 15 and more go on in bytes of up to 255. */
static bool length(const uint8_t **at, const uint8_t *end, size_t *n)
{
	uint8_t more = 255;

	if (*n < 15)
		return true;
	while (more == 255) {
		if (*at == end)
			return false;
		more = *(*at)++;
		*n += more;
	}
	return true;
}

size_t lz4_prefix(const uint8_t *from, size_t n, uint8_t *to, size_t cap, const uint8_t *dict,
		  size_t dict_len)
{
	const uint8_t *at = from, *end = from + n;
	size_t made = 0;

	while (at < end) {
		uint8_t token = *at++;
		size_t literals = token >> 4, match = token & 15, back, left;

		if (!length(&at, end, &literals))
			return made;
		left = (size_t)(end - at);
		if (literals > left || literals > cap - made) { /* as many as there are */
			size_t some = left < cap - made ? left : cap - made;

			memcpy(to + made, at, some < literals ? some : literals);
			return made + (some < literals ? some : literals);
		}
		memcpy(to + made, at, literals);
		at += literals;
		made += literals;
		if (end - at < 2)
			return made;
		back = (size_t)(at[0] | at[1] << 8);
		at += 2;
		if (!back || back > made + dict_len || !length(&at, end, &match))
			return made;
		for (match += 4; match && made < cap; match--, made++)
			to[made] = back <= made ? to[made - back] : dict[dict_len + made - back];
		if (match)
			return made;
	}
	return made;
}
