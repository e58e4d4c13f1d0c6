// SPDX-License-Identifier: Apache-2.0
/*
 * device_perf.html: what the dashboards of 2023 showed of a device log, as one file that needs nothing from elsewhere: per chip a timeline by core with a
 * row per RISC, launches, where time 0 is, and the statistics of every analysis.
 */
#ifndef TTP_DRAW_DEVICE_PAGE_H
#define TTP_DRAW_DEVICE_PAGE_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

/* More segments than this are omitted, and the page says so: a browser should still like to open it. */
enum { DEVICE_PAGE_SEGMENTS = 2000000 };

struct device_page {
	const struct marker_log *m; /* analysed */
	const struct analysis *list;
	size_t n;
	struct str source;  /* name of the log */
	struct str version; /* of the program */
};

void device_page_write(const struct device_page *p, struct out *out);

#endif /* TTP_DRAW_DEVICE_PAGE_H */
