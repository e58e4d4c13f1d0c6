// SPDX-License-Identifier: Apache-2.0
/* What a session is sent about the recording itself. */
#ifndef TTP_CLIENT_SEND_RECORDING_REPORT_H
#define TTP_CLIENT_SEND_RECORDING_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Says so when suspend, or a bad counter, made the clocks part. */
void tell_clock_jumps(struct session *s);
/* Servers learn of drops by a message at the end; files have notes. */
void tell_drops(struct session *s);
/* And by one about once a second while more are dropped, for those who leave before. */
void tell_dropping(struct session *s, int64_t now_ns);

/* From `ticks` on it is recorded, or not; so many steps were over. */
void tell_window(struct session *s, int64_t ticks, bool on, uint64_t steps);
/* How many there were in all, if only some were to be recorded. */
void tell_steps(struct session *s);

#endif /* TTP_CLIENT_SEND_RECORDING_REPORT_H */
