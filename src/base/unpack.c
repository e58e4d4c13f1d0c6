// SPDX-License-Identifier: Apache-2.0
#include "base/input.h"

#include <stdlib.h>

#include "base/str.h"

/* "4G", "512M", "64K", "1000". */
static bool parse_size(struct str s, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	uint64_t n = 0;
	unsigned shift = 0;

	if (s.len && s.at[s.len - 1] > '9') {
		const char *unit = strchr(units, s.at[s.len - 1] & ~0x20);

		if (!unit || !*unit)
			return false;
		shift = 10 * (unsigned)(unit - units + 1);
		s.len--;
	}
	for (size_t i = 0; i < s.len; i++)
		if (s.at[i] < '0' || s.at[i] > '9' || __builtin_mul_overflow(n, 10u, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(s.at[i] - '0'), &n))
			return false;
	*bytes = n << shift;
	return s.len && *bytes >> shift == n;
}

enum ttp_rc unpack_begin(struct unpack *u, uint64_t packed_bytes, bool is_kept, struct ttp_err *e)
{
	const char *asked = getenv("TTP_UNPACK_LIMIT"); /* NOLINT(concurrency-mt-unsafe) */

	*u = (struct unpack){ 0 };
	if (asked && *asked) {
		if (!parse_size(str_of(asked), &u->most_bytes))
			return ttp_fail(e, TTP_USAGE,
					"TTP_UNPACK_LIMIT: \"%.40s\" is no size such as 4G", asked);
		return TTP_OK;
	}
	if (__builtin_mul_overflow(packed_bytes, UNPACK_RATIO, &u->most_bytes))
		u->most_bytes = UINT64_MAX;
	if (u->most_bytes < UNPACK_FREE_BYTES)
		u->most_bytes = UNPACK_FREE_BYTES;
	if (is_kept && u->most_bytes > UNPACK_MOST_BYTES)
		u->most_bytes = UNPACK_MOST_BYTES;
	return TTP_OK;
}

enum ttp_rc unpack_more(struct unpack *u, uint64_t bytes, struct ttp_err *e)
{
	static const char units[] = " KMGT";
	uint64_t shown = u->most_bytes;
	size_t unit = 0;

	if (bytes <= u->most_bytes - u->bytes) {
		u->bytes += bytes;
		return TTP_OK;
	}
	for (; shown >= 1024 && !(shown & 1023) && unit + 2 < sizeof(units); unit++)
		shown >>= 10;
	return ttp_fail(
		e, TTP_LIMIT,
		"unpacks to more than %llu%.*s bytes: a small file that becomes a large one may be meant to do harm; if you "
		"trust it, set TTP_UNPACK_LIMIT, such as %lluG",
		(unsigned long long)shown, unit ? 1 : 0, units + unit,
		(unsigned long long)((u->most_bytes >> 30) * 4 + 4));
}
