// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "ops/table.h"

int main(int argc, char **argv)
{
	static const enum ops_col cols[] = {
		OPS_OP_CODE,       OPS_OP_TYPE,     OPS_GLOBAL_CALL_COUNT,
		OPS_DEVICE_ID,     OPS_DEVICE_ARCH, OPS_ATTRIBUTES,
		OPS_MATH_FIDELITY, OPS_CORE_COUNT,  OPS_WORKER_CORES,
		OPS_HOST_START,    OPS_GAP,         OPS_DURATION
	};
	struct ops_want want = { cols, sizeof(cols) / sizeof(cols[0]), 2, 1 };
	struct ops_table t;
	struct ttp_err e;
	const char *paths[] = { argv[1] };
	(void)argc;
	if (ops_table_read(&t, paths, 1, &want, &ops_rules, &e)) {
		printf("%s\n", e.msg);
		return 1;
	}
	printf("%zu rows %zu strings %zu tensors\n", t.rows, t.strings.names.len,
	       t.tensors.all.len);
	ops_table_release(&t);
	return 0;
}
