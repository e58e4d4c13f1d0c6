// SPDX-License-Identifier: Apache-2.0
/*
 * Meta data of markers: {"sub_device_id":0;"value":17}, JSON whose commas became semicolons, or a Python
 * dict with '…'.  It is small and written by machines, so values are found by their quoted key.
 */
#include "base/number.h"
#include "markers/op_times.h"

/* What follows "key": in either kind of quotes. */
static bool value_of(struct str meta, struct str key, struct str *out)
{
	struct str rest = meta;

	for (;;) {
		size_t at = str_find(rest, key);
		struct str after;

		if (at == STR_NONE)
			return false;
		after = str_from(rest, at + key.len);
		if (at > 0 && (rest.at[at - 1] == '"' || rest.at[at - 1] == '\'') && after.len &&
		    after.at[0] == rest.at[at - 1]) {
			after = str_trim(str_from(after, 1));
			if (after.len && after.at[0] == ':') {
				*out = str_trim(str_from(after, 1));
				return true;
			}
		}
		rest = str_from(rest, at + key.len);
	}
}

bool marker_meta_i64(struct str meta, struct str key, int64_t *out)
{
	struct str v;
	size_t n = 0;

	if (!meta.len || !value_of(meta, key, &v))
		return false;
	while (n < v.len && (v.at[n] == '-' || (v.at[n] >= '0' && v.at[n] <= '9')))
		n++;
	return number_i64(str_head(v, n), out);
}

bool marker_meta_text(struct str meta, struct str key, struct str *out)
{
	struct str v;
	size_t n;

	if (!meta.len || !value_of(meta, key, &v) || !v.len || (v.at[0] != '"' && v.at[0] != '\''))
		return false;
	n = str_find_char(str_from(v, 1), v.at[0]);
	if (n == STR_NONE)
		return false;
	*out = str_n(v.at + 1, n);
	return true;
}

bool marker_sub_device(struct str meta, int64_t *id)
{
	return meta.len && marker_meta_i64(meta, STR("sub_device_id"), id);
}
