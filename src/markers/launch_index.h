// SPDX-License-Identifier: Apache-2.0
/*
 * What identifies a launch, a run of an op on a device: device, run id, trace and replay; and, where those come again, which repeat it is.  Markers of a
 * log and rows of an ops report are joined by this key, and by nothing else.
 *
 * An index numbers launches in the order of first sight.  Keys are compared in full: two that share a hash stay apart.
 */
#ifndef TTP_MARKERS_LAUNCH_INDEX_H
#define TTP_MARKERS_LAUNCH_INDEX_H

#include "base/map.h"

struct launch_key {
	uint64_t run_id;           /* the op's global call count; 0: none */
	int64_t trace_id, session; /* -1: none */
	uint32_t device;           /* its id */
	uint32_t repeat;           /* 0, 1, … of the same run id, trace and replay */
};

struct launch_entry {
	struct launch_key key;
	uint32_t repeats; /* of the first with this key: how many more there are */
	uint32_t
		follower; /* the caller's: what came after it the last time; LAUNCH_NONE at first */
};

struct launch_index {
	VEC(struct launch_entry) all; /* by number */
	struct u64map numbers;
};

#define LAUNCH_NONE UINT32_MAX

static inline bool launch_key_is(const struct launch_key *a, const struct launch_key *b)
{
	return a->run_id == b->run_id && a->device == b->device && a->trace_id == b->trace_id &&
	       a->session == b->session && a->repeat == b->repeat;
}

/* Its number, or LAUNCH_NONE. */
uint32_t launch_find(const struct launch_index *x, const struct launch_key *key);
/* Its number, made if it is missing. */
uint32_t launch_put(struct launch_index *x, const struct launch_key *key);
/* The n-th repeat of a launch that is there, made if it is missing. */
uint32_t launch_put_repeat(struct launch_index *x, uint32_t first, uint32_t n);
void launch_index_release(struct launch_index *x);

/* Rows of an ops report by the launch that they are of. */
struct launch_rows {
	struct launch_index exact, any; /* any: by device and run id alone */
	VEC(uint32_t) exact_row, any_row;
};

/* The n-th row with the same key is the n-th repeat. */
void launch_rows_add(struct launch_rows *x, const struct launch_key *key, uint32_t row);
/*
 * The launch's own row (an ops report has repeats as replays without a trace, from 1); else that of its first repeat; else the first with its
 * device and run id; else LAUNCH_NONE.
 */
uint32_t launch_rows_find(const struct launch_rows *x, struct launch_key key);
void launch_rows_release(struct launch_rows *x);

#endif /* TTP_MARKERS_LAUNCH_INDEX_H */
