// SPDX-License-Identifier: Apache-2.0
/* Frames of clients to events: the one decoder of Tracy's items, for all protocols. */
#ifndef TTP_TRACE_SPOOL_SPOOL_EVENTS_H
#define TTP_TRACE_SPOOL_SPOOL_EVENTS_H

#include "trace/trace.h"
#include "wire/spool.h"

/* Finds all sessions of t->in, and puts their processes on one clock. */
enum ttp_rc spool_events_open(struct trace *t, struct ttp_err *e) TTP_CHECKED;
/* All records from the start; tables of `t` grow.  Damage goes to t->damage. */
void spool_events_read(struct trace *t, const struct trace_sink *sink);
void spool_events_free(struct trace *t);

/* For tests and fuzzers: one client whose frames are given as they are. */
struct client_events;
struct client_events *client_events_new(struct trace *t, const struct spool_session *s,
					struct ttp_err *e);
/* One frame; false, with t->damage, where it can't be understood: nothing more is taken. */
bool client_events_frame(struct client_events *c, const struct trace_sink *sink,
			 const uint8_t *block, size_t len, bool chained);
/* Frames are missing: what comes is understood from where that is possible without them. */
void client_events_gap(struct client_events *c, const struct trace_sink *sink);
/* Closes what is open. */
void client_events_end(struct client_events *c, const struct trace_sink *sink);
void client_events_free(struct client_events *c);

#endif /* TTP_TRACE_SPOOL_SPOOL_EVENTS_H */
