// SPDX-License-Identifier: Apache-2.0
/*
 * A process ends when its last thread does, unless ours is there beside it: main that leaves by pthread_exit
 * would leave a process that never ends, and takes no signal, as the sender blocks all of them.  So the sender
 * looks, and then does as libc would.
 */
#ifndef TTP_CLIENT_LIFE_LAST_THREAD_H
#define TTP_CLIENT_LIFE_LAST_THREAD_H

#include <signal.h>
#include <stdint.h>

/* Called by the sender again and again; `mask` is the program's, for the thread that calls exit. */
void last_look(int64_t now_ns, const sigset_t *mask);

#endif /* TTP_CLIENT_LIFE_LAST_THREAD_H */
