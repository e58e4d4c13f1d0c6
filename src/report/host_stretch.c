// SPDX-License-Identifier: Apache-2.0
#include "report/host_stretch.h"

static bool host_end(const struct ops_table *t, uint32_t row, double *end_ns)
{
	double start, took;

	if (!ops_real(t, OPS_HOST_START, row, &start) ||
	    !ops_real(t, OPS_HOST_DURATION, row, &took))
		return false;
	*end_ns = start + took;
	return true;
}

bool call_host_stretch(const struct calls *c, uint32_t call, double *from_ns, double *to_ns)
{
	return call && call < c->all.len && host_end(c->table, c->all.at[call].row, to_ns) &&
	       host_end(c->table, c->all.at[call - 1].row, from_ns) && *from_ns < *to_ns;
}
