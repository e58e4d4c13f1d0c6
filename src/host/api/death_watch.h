/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that is ended by a signal keeps what its devices recorded: they are read before the signal ends it.  Signals that the program handles or
 * ignores are its own.
 *
 * A handler can't read a device: it wakes a thread, which waits until nobody is in a call of the API, keeps everybody out from then on, reads, and sends the
 * signal again.  A thread that crashed waits for that in its handler, unless it crashed in a call.
 */
#ifndef TTP_HOST_API_DEATH_WATCH_H
#define TTP_HOST_API_DEATH_WATCH_H

#include <stdbool.h>

/* From now on; `read` reads all devices. */
void death_watch(void (*read)(void));
/* The program exits by itself, maybe while it is being ended: false if the devices were read meanwhile. */
bool death_is_mine(void);

/* Around each call of the API. */
void calls_enter(void);
void calls_leave(void);

#endif /* TTP_HOST_API_DEATH_WATCH_H */
