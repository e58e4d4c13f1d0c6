// SPDX-License-Identifier: Apache-2.0
#include "report/programs.h"

#include <stdlib.h>

#include "report/align.h"
#include "report/calls.h"

static bool says(const struct ops_table *t, size_t row, const char *value)
{
	return str_eq(ops_text(t, OPS_CACHE_HIT, row), str_of(value));
}

static bool both_values(const struct ops_table *t)
{
	bool hit = false, miss = false;

	for (size_t row = 0; row < t->rows && !(hit && miss); row++) {
		if (ops_row_is(t, row, OPS_ROW_REPLAY))
			continue;
		hit |= says(t, row, "True");
		miss |= says(t, row, "False");
	}
	return hit && miss;
}

/* Each device of each host has programs of its own.  0: not known. */
static uint64_t program_of(const struct row_kinds *k, const struct ops_table *t, size_t row)
{
	const uint32_t *hashes = t->column[OPS_PROGRAM_HASH].text;
	bool has_hash = hashes && !ops_string_missing(t, hashes[row]);
	/* numbers of texts and of kinds in one map */
	uint64_t key = has_hash ? (uint64_t)hashes[row] << 1 : (uint64_t)k->of_row[row] << 1 | 1;
	int64_t device = -1;
	uint64_t where;

	/* rows of devices alone: nothing tells which call is which */
	if (!has_hash && !ops_text(t, OPS_OP_CODE, row).len)
		return 0;
	(void)row_device(t, row, &device);
	where = ((uint64_t)device + 1) << 20 | (uint64_t)(ops_file_of(t, row) - t->files.at);
	return (key * 0xD6E8FEB86659FD93u ^ where * 0x9E3779B97F4A7C15u) | 1;
}

void programs_find(struct programs *p, const struct ops_table *t, const struct row_kinds *kinds,
		   const uint32_t *rows)
{
	struct u64map known = { 0 };

	*p = (struct programs){ .flags = mem_zero(t->rows + 1, sizeof(*p->flags)),
				.tells_cache = both_values(t) };
	for (size_t i = 0; i < t->rows; i++) {
		uint32_t row = rows[i];
		uint64_t program;
		bool added = false;

		if (!ops_row_is(t, row, OPS_ROW_DEVICE_OP))
			continue;
		if (ops_row_is(t, row, OPS_ROW_REPLAY)) {
			p->flags[row] = CALL_REPLAY;
			continue;
		}
		program = program_of(kinds, t, row);
		if (program)
			(void)u64map_get_or_put(&known, program, 0, &added);
		if (p->tells_cache && says(t, row, "False"))
			p->flags[row] = CALL_CACHE_MISS;
		if (says(t, row, "True"))
			p->flags[row] |= CALL_CACHE_HIT;
		else if (added)
			p->flags[row] |= CALL_OPENS;
	}
	u64map_release(&known);
}

void programs_release(struct programs *p)
{
	free(p->flags);
}
