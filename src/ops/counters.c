// SPDX-License-Identifier: Apache-2.0
#include "ops/counters.h"

struct counter_table *counter_table_new(const struct op_times *t, enum counter_way way,
					int64_t compute_cores, struct str arch)
{
	(void)t;
	(void)way;
	(void)compute_cores;
	(void)arch;
	return NULL;
}

void counter_table_free(struct counter_table *t)
{
	(void)t;
}

size_t counter_columns(const struct counter_table *t)
{
	(void)t;
	return 0;
}

struct str counter_column(const struct counter_table *t, size_t i)
{
	(void)t;
	(void)i;
	return STR("");
}

void counter_cell(const struct counter_table *t, size_t column, uint32_t device, uint64_t run_id,
		  int64_t session, int64_t kernel_cycles, struct buf *to)
{
	(void)t;
	(void)column;
	(void)device;
	(void)run_id;
	(void)session;
	(void)kernel_cycles;
	(void)to;
}

void counter_print(const struct counter_table *t, uint32_t device, size_t ops, struct out *to)
{
	(void)t;
	(void)device;
	(void)ops;
	(void)to;
}

size_t counter_ops_of(const struct op_times *t, uint32_t device)
{
	size_t n = 0;

	vec_each (r, &t->runs)
		n += r->device == device;
	return n;
}
