// SPDX-License-Identifier: Apache-2.0
/*
 * Which parts of a run are recorded: some of its steps, what lies between two signposts, whatever is not paused.
 *
 * Recording itself knows nothing of it.  A part begins and ends at an edge, a moment; all edges so far are in a list,
 * and the drain skips what happened outside.  So a part has the same ends on all threads, and zones cost nothing more.
 */
#ifndef TTP_CLIENT_RECORD_RECORDING_WINDOW_H
#define TTP_CLIENT_RECORD_RECORDING_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is anything skipped at all, by variables, or because somebody paused? */
extern _Atomic bool window_in_use;
/* Are signposts looked at? */
extern bool window_reads_signposts;

/* Before the mark of a main frame is recorded; true: window_settle is called after it. */
bool window_step(void);
/* The same of a message; true only for signposts that mean something. */
bool window_message(const char *text, size_t len);
/* What was recorded last still belongs to the part that ends. */
void window_settle(void);

/* ---- for the drain ---- */

/* What other processes said since the last look; how many edges there are. */
uint32_t window_look(void);
/* The moment of an edge, and steps that were over by then. */
int64_t window_edge(uint32_t i, uint64_t *steps);
/* Is it recorded behind so many edges? */
bool window_is_on(uint32_t edges);
/* Steps so far, and how many of them were recorded; false: nobody asked for anything less than all. */
bool window_count(uint64_t *steps, uint64_t *recorded);
/* How long a tick is, if whoever started us has looked at the clocks long enough ago. */
bool window_scale(int64_t age_ns, double *ns_per_tick);
/* After fork, in the child: it counts from 0. */
void window_in_child(void);

#endif /* TTP_CLIENT_RECORD_RECORDING_WINDOW_H */
