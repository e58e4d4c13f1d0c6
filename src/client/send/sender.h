// SPDX-License-Identifier: Apache-2.0
/*
 * The one thread of ours: waits for a server or writes a file, drains the threads, answers queries.
 */
#ifndef TTP_CLIENT_SEND_SENDER_H
#define TTP_CLIENT_SEND_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "client/send/client_session.h"
#include "wire/welcome.h"

struct session;

void sender_start(void);
/* Asks it to send the rest and end, and waits as long as settings allow. */
void sender_stop(void);
/* After fork, in the child: sockets and file stay with the parent. */
void sender_forget(void);
/* Is the time that exit may take over? */
bool sender_is_late(void);
/* Called wherever it waits: ends the process when no thread of the program is left. */
void sender_look(void);
/* Called now and then during long work: answers what was asked. */
void sender_between(struct session *s);
/*
 * Everything that the sender's thread owns may be touched by another one between sender_hold and sender_rest.  The sender lets go
 * of it only where it waits, in between sender_rest and sender_resume.
 */
void sender_hold(void);
void sender_rest(void);
void sender_resume(void);
/* The same number for everyone, from the first time it is needed. */
double sender_ns_per_tick(void);
enum {
	SENDER_CALIBRATE_NS = 20000000
}; /* between two readings of the clocks, for 3 in a million */
/* When exit, or ttp_stop, came: a session may go on after it for a while. */
int64_t sender_stopped_at(void);
uint64_t sender_sessions(void);

/* ---- first_scale.c ---- */

/*
 * A file begins when the first event is a millisecond old, with a scale that is good for some 30 in a million, so that a program
 * that is killed at once leaves what it did; the record that says it is written again when the exact one is known.
 */

/* ns per tick for a file that begins now. */
double rough_scale(void);
/* Makes it exact, when that does not mean to wait, or at the end. */
void rough_settle(struct session *s, struct wire_welcome *w, bool last);
/* Is the program so young that a file should not be behind? */
bool rough_is_young(void);

/* ---- wake.c ---- */

/* SPDX-License-Identifier: Apache-2.0 */

void wake_open(void);
void wake_close(void);
void wake_ring(void);
/* To be waited for by poll(); -1 when there is none any more: then look by the clock. */
int wake_fd(void);
void wake_heard(void);

/* ---- zone_cost.c ---- */

/* What recording costs in this process, for the welcome: measured by the sender, once, in some 20 µs. */

struct cost {
	uint64_t event_ticks; /* of one event; 0 when time is not the machine's */
	uint64_t step_ticks;  /* smallest step of the clock that is seen */
};

/* Only for a thread that records nothing, when there is a clock. */
struct cost cost_measured(void);

#endif /* TTP_CLIENT_SEND_SENDER_H */
