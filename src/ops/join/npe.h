// SPDX-License-Identifier: Apache-2.0
/*
 * Network-on-chip figures of ops, where tt-npe has worked them out: a CSV with a row per op,
 *
 *	GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,NOC UTIL (%),…
 *
 * whose other columns are named as in the report (docs/formats/npe-results.md).
 */
#ifndef TTP_OPS_JOIN_NPE_H
#define TTP_OPS_JOIN_NPE_H

#include "ops/join/perf_report.h"

struct npe_results {
	struct perf_report table;
};

/* Cells of an op; -1 for no trace, no session.  NULL when there are none. */
const struct perf_row *npe_find(const struct npe_results *n, uint64_t id, int64_t trace_id,
				int64_t session);

#endif /* TTP_OPS_JOIN_NPE_H */
