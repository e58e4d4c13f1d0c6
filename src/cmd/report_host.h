// SPDX-License-Identifier: Apache-2.0
/* `ttprof report` of a run that has no ops: what the host did. */
#ifndef TTP_CMD_REPORT_HOST_H
#define TTP_CMD_REPORT_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What the user asked for; options are read straight into it. */
struct report_ask {
	const char *start, *end, *id_range, *filter, *columns, *sort, *chip, *csv;
	bool each, whole_file, apart, no_host_ops, no_findings, json, ascending, strict;
	int group, order, colour;
	int64_t top, id, process;
	double min_percent;
};

/* There is something of the host to show, and no ops. */
bool report_host_can(const char *run);
/* Returns the exit status.  Options for ops are refused, or reported as ignored. */
int report_host(const char *prog, const char *run, const struct report_ask *u);

/* Of a run whose devices were not profiled: what the host did, behind what is known of its ops. */
void report_host_behind(const char *run);
/* The same as JSON, into `to`; nothing where there is no trace. */
void report_host_behind_json(const char *run, struct buf *to);

/* Where it has not even a trace, an earlier one is shown, and this is said. */
void report_warn_later(const char *prog, const char *later, const char *shown);
/* A program that ran by itself left logs, and maybe the runtime's own report among them: that is the latest one then. */
void report_take_later(const char *prog, const char *logs, struct buf *ops);

#endif /* TTP_CMD_REPORT_HOST_H */
