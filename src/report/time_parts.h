// SPDX-License-Identifier: Apache-2.0
/*
 * Where the time of a part of a run went: each nanosecond of a device's ops and of the gaps between them is in one part, so that shares are
 * of one whole.  Categories of ops add up to the device time of findings.h, launch, host work and gaps inside of replays to its gaps.
 *
 * And the same for each step: steps of a training by its markers, repeats of the steady part, replays of a trace, else parts between signposts.
 */
#ifndef TTP_REPORT_TIME_PARTS_H
#define TTP_REPORT_TIME_PARTS_H

#include "report/calls.h"

#define TIME_PART_LIST(X)             \
	X(COMPUTE, "compute")         \
	X(TM, "shape changes")        \
	X(DM, "data movement")        \
	X(COLLECTIVE, "collectives")  \
	X(OTHER, "other ops")         \
	X(HOST_WORK, "host work")     \
	X(LAUNCH, "launch")           \
	X(GAPS, "gaps")               \
	X(REPLAY_GAPS, "replay gaps") \
	X(BUILD, "building programs") \
	X(PROFILER, "profiler")       \
	X(PAUSES, "pauses")

enum time_part {
#define X(id, text) PART_##id,
	TIME_PART_LIST(X)
#undef X
		TIME_PARTS
};

struct time_share {
	double ns;
	uint32_t id; /* the call that has most of it; 0: none */
	double most_ns;
};

struct time_parts {
	struct time_share of[TIME_PARTS];
};

/* Calls [from, to). */
void time_parts_sum(struct time_parts *p, const struct calls *c, size_t from, size_t to);
double time_parts_all(const struct time_parts *p);

struct json_writer;
/* A member "time_parts": those that took any time, with their percentage of all. */
void time_parts_json(const struct calls *c, struct json_writer *w);
/* An array of steps: "steps".  Of the whole run, `c`; `part`: of what the report shows by itself. */
void time_steps_json(const struct calls *c, const struct calls *part, struct json_writer *w);

#endif /* TTP_REPORT_TIME_PARTS_H */
