// SPDX-License-Identifier: Apache-2.0
/*
 * From the logs of a run to its ops: the one way, for files (`ttprof ops`), for what is shown without a file (runs/), and for the tools that
 * we replace (struct ops_tool).
 *
 *	ops_make_read()      logs of one folder, joined
 *	ops_make_rows()      its ops, to a CSV file or into a table
 *	ops_make_account()   what they cover, and why not more
 */
#ifndef TTP_OPS_OPS_MAKE_H
#define TTP_OPS_OPS_MAKE_H

#include "base/account.h"
#include "ops/join/device_only.h"
#include "ops/ops_logs.h"

struct ops_make {
	const struct ops_tool *tool;
	uint64_t analyses; /* as in struct ops_report */
	struct ops_logs logs;
	struct counter_table *counters; /* NULL: none */
	/* with logs.has_host, else all zeros */
	struct ops_report report;
	/* without: a row per run of a device */
	struct device_only devices;
};

/* ttprof's own. */
extern const struct ops_tool ops_tool;

/* `analyses`: UINT64_MAX for all.  Of logs that have no op, rows are none.  On failure only logs.skipped is held. */
enum ttp_rc ops_make_read(struct ops_make *m, const char *folder, const struct ops_logs_options *o,
			  uint64_t analyses, struct ttp_err *e) TTP_CHECKED;
void ops_make_release(struct ops_make *m);

/* The logs have ops at all. */
static inline bool ops_make_any(const struct ops_make *m)
{
	return m->logs.has_host || m->logs.has_log;
}

void ops_make_rows(struct ops_make *m, struct ops_rows *to);
void ops_make_account(const struct ops_make *m, struct account *a);

#endif /* TTP_OPS_OPS_MAKE_H */
