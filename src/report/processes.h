// SPDX-License-Identifier: Apache-2.0
/* A report of each process, where a run is of programs that are no ranks of each other. */
#ifndef TTP_REPORT_PROCESSES_H
#define TTP_REPORT_PROCESSES_H

#include "report/report.h"

struct report_process {
	int64_t pid;
	struct str program; /* empty: not known */
	const struct report *report;
};

/* In the order of their first ops, `most` of them at most. */
void processes_each(const struct report *r, size_t most,
		    void (*fn)(void *ctx, const struct report_process *p), void *ctx);

#endif /* TTP_REPORT_PROCESSES_H */
