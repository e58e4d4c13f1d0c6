// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_table.h"

enum { DEVICES_MAX = 1 << 16 };

bool ops_row_launch(const struct ops_table *t, size_t row, struct launch_key *key)
{
	int64_t device, run;

	if (!ops_i64(t, OPS_DEVICE_ID, row, &device) || device < 0 || device >= DEVICES_MAX ||
	    !ops_i64(t, OPS_GLOBAL_CALL_COUNT, row, &run) || run <= 0)
		return false;
	*key = (struct launch_key){
		.run_id = (uint64_t)run, .device = (uint32_t)device, .trace_id = -1, .session = -1
	};
	(void)ops_i64(t, OPS_TRACE_ID, row, &key->trace_id);
	(void)ops_i64(t, OPS_SESSION_ID, row, &key->session);
	return true;
}

void ops_launch_rows(const struct ops_table *t, struct launch_rows *rows)
{
	struct launch_key key;

	*rows = (struct launch_rows){ 0 };
	for (uint32_t row = 0; row < t->rows; row++)
		if (ops_row_launch(t, row, &key))
			launch_rows_add(rows, &key, row);
}
