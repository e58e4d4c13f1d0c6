// SPDX-License-Identifier: Apache-2.0
/* What a session is told of the recording itself. */
#ifndef TTP_CLIENT_TELL_H
#define TTP_CLIENT_TELL_H

struct session;

/* Says so when suspend, or a bad counter, made the clocks part. */
void tell_clock_jumps(struct session *s);
/* Servers learn of drops by a message at the end; files have notes. */
void tell_drops(struct session *s);

#endif /* TTP_CLIENT_TELL_H */
