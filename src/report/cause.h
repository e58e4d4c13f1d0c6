// SPDX-License-Identifier: Apache-2.0
/*
 * Why an op takes its time, where the report has what tells it:
 *
 *	times per core			work that is not divided evenly
 *	waits of the compute kernels	(TT_METAL_PROFILER_SUM=1) math that never waits, or waits for data; from DRAM if that is where
 *					the tensors are
 *	NoC events			(TT_METAL_DEVICE_PROFILER_NOC_EVENTS=1) one core that the others read from or write to; a bank of
 *					DRAM that answers late
 *
 * Nothing is guessed: without any of these there is no cause, and the nearest roof is all that is known.
 */
#ifndef TTP_REPORT_CAUSE_H
#define TTP_REPORT_CAUSE_H

#include "report/calls.h"

#define CAUSE_LIST(X)                  \
	X(NONE, "")                    \
	X(IMBALANCE, "core-imbalance") \
	X(COMPUTE, "compute-bound")    \
	X(DRAM, "dram-bound")          \
	X(NOC, "slow-noc-neighbour")   \
	X(BANK, "slow-dram-bank")      \
	X(DATA, "waits-for-data")

enum cause {
#define X(id, name) CAUSE_##id,
	CAUSE_LIST(X)
#undef X
};

const char *cause_name(enum cause c);
enum cause cause_of(const struct calls *c, const struct call *call);
/* What it is, and what to do: "it is compute-bound: …"; nothing for CAUSE_NONE. */
void cause_tell(struct buf *b, const struct calls *c, const struct call *call, enum cause cause);
/* What an even division of the work would save, ns; 0 where that is not known. */
double imbalance_ns(const struct calls *c, const struct call *call);

#endif /* TTP_REPORT_CAUSE_H */
