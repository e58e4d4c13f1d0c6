// SPDX-License-Identifier: Apache-2.0
#include "ops/dispatch.h"

void dispatch_times_add(struct op_times *t, struct device_log *log)
{
	(void)t;
	(void)log;
}
