// SPDX-License-Identifier: Apache-2.0
/*
 * The steady part of a run without signposts, or whose last one opens next to nothing: what comes again and again, without its first time.
 *
 * Replays of traces are such a part; else ops that repeat (name and tensors) with the period that covers most of the run.  It is chosen only
 * where it matters: gaps of 1 ms and more take a tenth of the device time, and nearly all of them lie before or behind it.
 */
#ifndef TTP_REPORT_STEADY_H
#define TTP_REPORT_STEADY_H

#include "report/row_kinds.h"
#include "report/row_times.h"

struct steady {
	size_t from, to;   /* of the rows in their order */
	uint32_t repeats;  /* in this part; 0: replays */
	uint32_t period;   /* ops of each */
	double warm_up_ns; /* device time and gaps before it, on one device */
};

/* `rows`: all of the table in time order.  False: the run as a whole is as good. */
bool steady_find(struct steady *s, const struct row_times *times, const struct row_kinds *kinds,
		 const uint32_t *rows);

#endif /* TTP_REPORT_STEADY_H */
