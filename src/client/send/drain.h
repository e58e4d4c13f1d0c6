// SPDX-License-Identifier: Apache-2.0
/*
 * From records to items: empties the threads' chunks, thread by thread, into a session.
 *
 * Zones, messages and plots go out in the order of their thread.  Memory and frames must be in the order of
 * time over all threads: they are kept until a pass has seen every thread after their time, and sorted.
 */
#ifndef TTP_CLIENT_SEND_DRAIN_H
#define TTP_CLIENT_SEND_DRAIN_H

#include "client/record/record.h"
#include "client/record/stream.h"
#include "client/send/client_session.h"

void drain_init(void);
/* A session begins: zones that are open now are not its own. */
void drain_begin(struct session *s);
/*
 * One pass; true if anything was found.  `session` NULL: forget it all.  `last`: nothing comes after, so
 * nothing is held back, and open zones are closed.
 */
bool drain_pass(struct session *s, bool last);

/* ---- for drain_window.c and drain_fiber.c ---- */

/* Ends the zones of a thread that are open in this session. */
void drain_close_zones(struct session *s, struct stream *st, int64_t ticks);
/* 56 bits of a time near now. */
int64_t drain_widen(uint64_t low);
/* Ticks since the last event of the thread in context, never back. */
int64_t drain_step(struct session *s, struct stream *st, int64_t ticks);

/* ---- drain_window.c ---- */

/* What the drain skips, because it happened outside of what is recorded (recording_window.h). */

/* Is anything skipped, in this pass? */
extern bool drain_window_filters;

/* Of a session. */
void drain_window_begin(void);
/* Of a pass: looks where parts begin and end, and says so. */
void drain_window_pass(struct session *s);
bool drain_window_inside(struct session *s, struct stream *st, int64_t ticks);
bool drain_window_leaves_out(struct session *s, struct stream *st, enum record_kind kind,
			     const uint64_t *w);

/* ---- drain_fiber.c ---- */

/* A session begins: it gets the fibers that run now. */
void drain_fiber_begin(struct session *s);
/* Behind each pass over all streams. */
void drain_fiber_count_waiting(void);
/* `s` may be NULL.  False: it is not its turn, later. */
bool drain_fiber_in(struct session *s, struct stream *st, const uint64_t *w);
void drain_fiber_out(struct session *s, struct stream *st, int64_t ticks);

/* ---- drain_device.c ---- */

/* Records of devices on their way to a session. */

void drain_device_init(void);
/* A session begins: no zone is open in it. */
void drain_device_begin(void);
/* `s` may be NULL: calibrations are kept for later sessions, the rest is gone. */
void drain_device(struct session *s, enum record_kind kind, const uint64_t *w, int64_t ticks);

#endif /* TTP_CLIENT_SEND_DRAIN_H */
