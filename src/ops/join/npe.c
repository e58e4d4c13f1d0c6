// SPDX-License-Identifier: Apache-2.0
#include "ops/join/npe.h"

const struct perf_row *npe_find(const struct npe_results *n, uint64_t id, int64_t trace_id,
				int64_t session)
{
	vec_each (r, &n->table.rows)
		if (r->id == id && r->trace_id == trace_id && r->session == session)
			return r;
	return NULL;
}
