// SPDX-License-Identifier: Apache-2.0
/*
 * What to fix first: everything that costs time and could cost less, with the time it could save.  What
 * makes the rest doubtful (report/doubts.h) comes first; then, where the verdict is of it, the building of programs; then the largest
 * saving.  Where programs were built and the verdict is of something else, that is set-up and comes last.
 * Every output has this list, in this order.  A saving is what would be gone if the op came to ATTAINABLE_PERCENT of its roof on
 * all cores, or a gap to LAUNCH_NS; it is an estimate from above, and says so in docs/explain/report.md.
 */
#ifndef TTP_REPORT_FINDINGS_H
#define TTP_REPORT_FINDINGS_H

#include "report/calls.h"
#include "report/cause.h"

enum {
	ATTAINABLE_PERCENT = 80, /* of a roof: well-tuned kernels reach it, few reach more */
	LAUNCH_NS = 6000,        /* between two ops of a captured trace */
	LONG_GAP_NS = 6500,      /* what is called a long gap */
};

struct totals {
	double device_ns, host_ns;
	double gap_ns;       /* all gaps; of them (report/gap_parts.h): */
	double build_gap_ns; /* before programs that were being built */
	double profiler_gap_ns;
	double pause_ns;      /* apart from all others */
	double long_gap_ns;   /* of the rest: what exceeds LAUNCH_NS */
	double replay_gap_ns; /* of the rest: inside of replays, where the host has no part */
	uint64_t build_gaps, long_gaps, cache_misses, pauses;
	double marker_ns; /* device time of ops of the profiler, which is not in device_ns */
	uint64_t markers;
	uint64_t first_gaps;          /* of build_gaps: known from the gap alone, */
	uint64_t again_gaps;          /* or from the host's time in a later call */
	double wait_ns;               /* in collectives, for the last device */
	double tensor_ns, figured_ns; /* device time of ops with tensors; of those with a figure */
	uint64_t over_roof; /* calls faster than their roof: wrong chip, or a wrong model */
};

#define FINDING_LIST(X)                  \
	X(OP, "slow-op")                 \
	X(GAPS, "host-gaps")             \
	X(REPLAY_GAPS, "replay-gaps")    \
	X(PAUSE, "pause")                \
	X(BUILD, "program-cache-misses") \
	X(REBUILD, "recompilation")      \
	X(FALLBACK, "host-fallback")     \
	X(WAIT, "collective-wait")       \
	X(SLOW_DEVICE, "slow-device")    \
	X(SLOW_DEVICES, "slow-devices")  \
	X(STRETCH, "slow-stretch")       \
	X(CALL, "slow-call")             \
	X(CALLS, "slow-calls")           \
	X(SLOW_DOWN, "slow-down")        \
	X(OTHER_PART, "other-part")      \
	X(SET_UP, "set-up")              \
	X(LOST, "lost-data")             \
	X(GONE, "stopped-device")        \
	X(CHIP, "wrong-chip")            \
	X(PROFILER, "profiler")

enum finding_what {
#define X(id, name) FINDING_##id,
	FINDING_LIST(X)
#undef X
};

struct finding {
	enum finding_what what;
	int rank; /* the smaller comes first, then the larger saving */
	double saves_ns;
	uint32_t kind; /* FINDING_OP: of kinds that look alike, the one with most time */
	uint32_t calls;
	double time_ns;   /* that the calls took */
	uint32_t id;      /* an example: the slowest */
	enum cause cause; /* FINDING_OP: of the example */
	char *text;       /* a sentence without full stop */
	char *advice;     /* what to do */
};

struct findings {
	struct totals totals;
	VEC(struct finding) all; /* in the order of the list above */
};

const char *finding_name(enum finding_what w);
void findings_make(struct findings *f, const struct calls *c);
void findings_release(struct findings *f);

/* Gaps that are the model's: what verdicts, shares and tables count. */
static inline double totals_gap(const struct totals *t)
{
	double ns = t->gap_ns - t->build_gap_ns - t->profiler_gap_ns - t->pause_ns;

	return ns > 0 ? ns : 0;
}

/* What the profiler took for itself, on the device and between ops. */
static inline double totals_profiler(const struct totals *t)
{
	return t->marker_ns + t->profiler_gap_ns;
}

enum verdict { VERDICT_NOTHING, VERDICT_DEVICE, VERDICT_HOST, VERDICT_BUILD, VERDICT_DISPATCH };
/* Host-bound when gaps that are the model's take more than HOST_BOUND_PERCENT of the time; dispatch-bound if most of them lie inside of replays. */
enum { HOST_BOUND_PERCENT = 33 };
enum verdict verdict_of(const struct totals *t);

/* Time that a call could save, ns. */
double call_saving(const struct calls *c, const struct call *call);
/* What to do about one op: appends "a; b; c", or nothing. */
void advise_op(struct buf *b, const struct calls *c, const struct call *call, const char *between);

#endif /* TTP_REPORT_FINDINGS_H */
