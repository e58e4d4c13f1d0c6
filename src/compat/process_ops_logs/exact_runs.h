// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: runs of ops as process_device_log.py detects them, for logs where they differ from ours.
 *
 * The original groups markers by run id; groups follow each other by their first marker; an op closes with the
 * marker at which every core of its group has seen the end of its master's firmware, and what comes
 * after it belongs to the next op, whoever wrote it.  In a log where firmware writes its zones whole and
 * in order these ops are our runs (markers/op_times.h), and nothing more needs to be done.  In any other log all
 * markers are read again and kept, and the ops made of them.
 */
#ifndef TTP_COMPAT_PROCESS_OPS_LOGS_EXACT_RUNS_H
#define TTP_COMPAT_PROCESS_OPS_LOGS_EXACT_RUNS_H

#include "ops/ops_logs.h"

/* Whether the runs are what the original would detect. */
bool runs_are_exact(const struct op_times *t);
/* Makes them; false when the original would give up on the log. */
bool exact_runs_read(struct detected_runs *x, struct device_log *log, const struct op_times *like);
/*
 * Whether every op ends with a marker of the id that it starts with.  Where one does not, the original shows the
 * op of one id with the host's text of another, and loses the latter: there we don't follow it.
 */
bool exact_runs_keep_ids(const struct detected_runs *x);
/* Numbers of all runs in the order in which the original detects them; the caller frees them. */
uint32_t *runs_in_detection_order(const struct op_times *t);

/*
 * Numbers replays as the original: by counting how often an op of a trace came, whatever the log says; runs
 * outside of traces have none.  One per run, for the caller to free.  False when the original would give up: ops that
 * don't match the host's, or more replays than messages.
 */
bool count_replays(const struct op_times *t, const struct host_events *h, struct op_replay **found);

#endif /* TTP_COMPAT_PROCESS_OPS_LOGS_EXACT_RUNS_H */
