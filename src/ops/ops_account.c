// SPDX-License-Identifier: Apache-2.0
#include "ops/ops_logs.h"

void ops_logs_account(const struct ops_logs *l, const struct ops_report *r, struct account *a)
{
	(void)l;
	(void)r;
	(void)a;
}
