// SPDX-License-Identifier: Apache-2.0
/*
 * Runs of a program over time, kept in a database, and what changed when.
 *
 *	history_run_make()	what is kept of a run
 *	history_open(), history_add(), history_read()	the database
 *	history_trends_make()	ops followed from run to run, change points (history/trends.h)
 *
 * What is kept of a run is one step of it, as `ttprof compare` sees it: the ops in their order with means of their times, and what was known
 * of the run.  Which op of one run is which of the next one is decided by compare's pairing.
 */
#ifndef TTP_HISTORY_HISTORY_H
#define TTP_HISTORY_HISTORY_H

#include "compare/op_sequence.h"
#include "history/store.h"

enum { HISTORY_SCHEMA = 1 };

/* Columns of a run, in the order of the table. */
#define HISTORY_TEXT_LIST(X)                                                      \
	X(identity)  /* of content and commit: the same run is not added twice */ \
	X(name)      /* what was run, as runs that are to be compared have it */  \
	X(commit_id) /* empty: not known, as for all texts */                     \
	X(branch)                                                                 \
	X(machine)                                                                \
	X(chip)                                                                   \
	X(versions) /* a JSON object */                                           \
	X(command)                                                                \
	X(part)   /* of the run: "steady part", "from \"a\" to \"b\"", "all" */   \
	X(source) /* what was named as RUN */

#define HISTORY_WHOLE_LIST(X)                                                 \
	X(time_s)   /* when it was recorded, since 1970 */                    \
	X(added_s)  /* when it came into the history */                       \
	X(commit_s) /* when the commit was made; 0: not known */              \
	X(dirty)    /* 1: files of the commit were changed */                 \
	X(devices)                                                            \
	X(ops) /* of a step */                                                \
	X(steps)                                                              \
	X(before)  /* ops before the first complete step */                   \
	X(untimed) /* ops without a time, in all steps */                     \
	X(seen)    /* the account: rows */                                    \
	X(timed)                                                              \
	X(partial)                                                            \
	X(dropped)                                                            \
	X(lost_rows)      /* 1: ops are missing from the report as a whole */ \
	X(firmware_times) /* 1: times of the firmware, not of kernels */      \
	X(has_gaps)       /* 1: gaps between ops were measured */

#define HISTORY_REAL_LIST(X)                                  \
	X(mhz)                             /* 0: not known */ \
	X(total_ns) X(device_ns) X(gap_ns) /* of a step */

struct history_run {
	int64_t id;
#define X(member) struct str member;
	HISTORY_TEXT_LIST(X)
#undef X
#define X(member) int64_t member;
	HISTORY_WHOLE_LIST(X)
#undef X
#define X(member) double member;
	HISTORY_REAL_LIST(X)
#undef X
	bool commit_given;       /* of a run to add: by the user, not what is checked out */
	int64_t without_time;    /* of the ops of `step` as it was read */
	struct op_sequence step; /* of one repeat; empty unless ops were asked for */
};

/* Runs with the dictionaries that they share. */
struct history {
	struct op_keys keys;
	VEC(struct str) labels; /* per number of keys.texts[SAME_KIND] */
	VEC(struct history_run) runs;
	struct intern texts; /* what they point to */
	struct store store;
	uint64_t left_out; /* runs that can't be used, since what is stored of them is incomplete */
};

/* What is known of a run besides its ops; what is empty is filled in from the ops, where they say it. */
struct history_facts {
	struct str name, commit_id, branch, machine, versions, command, source;
	int64_t time_s, commit_s;
	bool dirty, commit_given;
};

void history_release(struct history *h);

/* ---- history_run.c ---- */

/* Adds a run to h->runs. */
void history_run_make(struct history *h, const struct calls *c, const struct history_facts *f);

/* ---- history_store.c ---- */

/* Opens a database; to write, it is made where there is none.  Release `h` in any case. */
enum ttp_rc history_open(struct history *h, const struct store_ask *ask,
			 struct ttp_err *e) TTP_CHECKED;
/* Stores a run of h->runs, all of it or nothing.  If it is there already, *there has its id (else 0), commit and time. */
enum ttp_rc history_add(struct history *h, const struct history_run *run, struct history_run *there,
			struct ttp_err *e) TTP_CHECKED;
/* Reads all runs, in the order of their commits and times; with their ops those that `wants` likes (NULL: none). */
enum ttp_rc history_read(struct history *h,
			 bool (*wants)(const void *ctx, const struct history_run *r),
			 const void *ctx, bool with_ops, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HISTORY_HISTORY_H */
