/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What processes of one `ttprof run` share.  It leaves a file beside its socket ($TTP_SESSION.ops); from there each
 * process takes the numbers of its programs, so that none has another's, and learns which logs another one has begun.
 * Its first line is the last number that was taken, then come
 *
 *	ops PID FIRST LAST RANK	numbers that a process took; RANK is "-" without one
 *	device PID NUMBER	a device that a process opened
 *	log FOLDER		a folder whose log was begun
 */
#ifndef TTP_HOST_API_RUN_SESSION_H
#define TTP_HOST_API_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

/* The next number of a program, 1 to PROGRAM_ID_MAX; of this process alone where no `ttprof run` records it. */
uint32_t session_next_id(void);
/* This process records a device: it is its own, whatever number others gave theirs (wire/run_processes.h). */
void session_opens(int device);
/*
 * Whether the log of this folder is to be begun anew: not if another process of the run did.  Others wait until
 * session_begun(), and find it begun then.
 */
bool session_begins(const char *folder, int *held);
void session_begun(int held);

#endif /* TTP_HOST_API_RUN_SESSION_H */
