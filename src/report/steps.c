// SPDX-License-Identifier: Apache-2.0
#include "report/steps.h"

#include "base/number.h"

bool row_is_marker(const struct ops_table *t, size_t row, struct str *identifier)
{
	*identifier = STR("");
	if (!str_eq(ops_text(t, OPS_OP_CODE, row), STR("ProfilerNoopOperation")))
		return false;
	(void)attribute(ops_text(t, OPS_ATTRIBUTES, row), STR("identifier"), identifier);
	return true;
}

bool step_of_row(const struct ops_table *t, size_t row, int64_t *number)
{
	static const struct str before = STR_INIT("iteration_");
	struct str identifier;

	return row_is_marker(t, row, &identifier) && str_starts(identifier, before) &&
	       number_i64(str_from(identifier, before.len), number);
}

uint32_t steps_count(const struct calls *c)
{
	struct u64map numbers = { 0 };
	uint32_t steps = 0;
	int64_t number;
	bool added;

	/* calls with other attributes are of another kind */
	vec_each (k, &c->kinds)
		if (step_of_row(c->table, k->row, &number)) {
			u64map_get_or_put(&numbers, (uint64_t)number, 0, &added);
			steps += added;
		}
	u64map_release(&numbers);
	return steps;
}
