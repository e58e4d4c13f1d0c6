// SPDX-License-Identifier: Apache-2.0
/*
 * Beginning and end: what is set up by the first event, what fork leaves, what exit waits for.
 */
#ifndef TTP_CLIENT_LIFE_LIFECYCLE_H
#define TTP_CLIENT_LIFE_LIFECYCLE_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "client/record/stream.h"
#include "client/record/ticks.h"

/* Sets everything up if nobody did, and starts the sender; false if events go nowhere. */
bool life_enter(void);
/* Was anything ever recorded here? */
bool life_has_storage(void);
/* May storage still be taken, for what is said `once` or for anything? */
bool life_accepts(bool once);
/* Is there a server or a file that empties the storage? */
bool life_has_reader(void);
void life_set_reader(bool there);
/* What ttp_problem says: a text that stays, or NULL when it is over. */
void life_problem(const char *text);
/* One that no server will ever hear of: under `ttprof run` it is also printed. */
void life_nothing_recorded(const char *text);
/* TTP_FILE cannot be made: that is reported, too. */
void life_file_failed(int error, unsigned port);
/* Calls stream_leave when the calling thread ends. */
void life_thread_has(struct stream *s);
/* The clock is chosen; without storage or a sender. */
void life_clock(void);
bool life_has_clock(void);
void life_stop(void);
/* Called by the sender again and again; `mask` is the program's, for the thread that calls exit. */
void life_look(int64_t now_ns, const sigset_t *mask);
/* unload.c: from here on the process ends, and no memory goes away any more. */
void unload_is_over(void);

/* What runs inside of the program leaves errno as it was: KEEP_ERRNO among a function's variables, whichever way it returns. */
static inline void keep_errno(const int *kept)
{
	errno = *kept;
}

#define KEEP_ERRNO const int errno_before __attribute__((cleanup(keep_errno), unused)) = errno

/*
 * Descriptors of ours, apart from the program's.  Daemons and workers close every descriptor that they find, and what they open next gets
 * the lowest free numbers: under a number of ours they would lose it again, or we would write into it.  No program comes as far
 * as FD_FLOOR by counting.  Descriptors that were closed under our hands fail, and everybody here expects that.
 */
enum { FD_FLOOR = 512 };

/*
 * A descriptor that was just opened, closed on exec, with a number from FD_FLOOR on; or as it is, where the process may not have so many.
 * -1: `fd` is negative, or the program has something else under its number by now (`type`: S_IFSOCK, S_IFREG ...; 0 for an eventfd).
 */
int fd_apart(int fd, mode_t type);

#endif /* TTP_CLIENT_LIFE_LIFECYCLE_H */
