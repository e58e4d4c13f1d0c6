// SPDX-License-Identifier: Apache-2.0
/*
 * From records to items: empties the threads' chunks, thread by thread, into a session.
 *
 * Zones, messages and plots go out in the order of their thread.  Memory and frames must be in the order of
 * time over all threads: they are kept until a pass has seen every thread after their time, and sorted.
 */
#ifndef TTP_CLIENT_SEND_DRAIN_H
#define TTP_CLIENT_SEND_DRAIN_H

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

/* ---- for drain_window.c ---- */

/* Ends the zones of a thread that are open in this session. */
void drain_close_zones(struct session *s, struct stream *st, int64_t ticks);
/* 56 bits of a time near now. */
int64_t drain_widen(uint64_t low);

#endif /* TTP_CLIENT_SEND_DRAIN_H */
