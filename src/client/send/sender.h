// SPDX-License-Identifier: Apache-2.0
/*
 * The one thread of ours: waits for a server or writes a file, drains the threads, answers queries.
 */
#ifndef TTP_CLIENT_SEND_SENDER_H
#define TTP_CLIENT_SEND_SENDER_H

#include <stdbool.h>
#include <stdint.h>

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
 * Everything that the sender's thread owns may be touched by another one between these two.  The sender lets go
 * of it only where it waits, in between sender_rest and sender_resume.
 */
void sender_hold(void);
void sender_release(void);
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

#endif /* TTP_CLIENT_SEND_SENDER_H */
