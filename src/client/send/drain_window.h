// SPDX-License-Identifier: Apache-2.0
/* What the drain skips, because it happened outside of what is recorded (recording_window.h). */
#ifndef TTP_CLIENT_SEND_DRAIN_WINDOW_H
#define TTP_CLIENT_SEND_DRAIN_WINDOW_H

#include "client/record/stream.h"
#include "client/send/client_session.h"

/* Is anything skipped, in this pass? */
extern bool drain_window_filters;

/* Of a session. */
void drain_window_begin(void);
/* Of a pass: looks where parts begin and end, and says so. */
void drain_window_pass(struct session *s);
bool drain_window_inside(struct session *s, struct stream *st, int64_t ticks);
bool drain_window_leaves_out(struct session *s, struct stream *st, enum record_kind kind,
			     const uint64_t *w);

#endif /* TTP_CLIENT_SEND_DRAIN_WINDOW_H */
