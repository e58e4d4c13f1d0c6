// SPDX-License-Identifier: Apache-2.0
/*
 * Descriptors of ours, apart from the program's.  Daemons and workers close every descriptor that they find, and what they open next gets
 * the lowest free numbers: under a number of ours they would lose it again, or we would write into it.  No program comes as far
 * as FD_FLOOR by counting.  Descriptors that were closed under our hands fail, and everybody here expects that.
 */
#ifndef TTP_CLIENT_LIFE_FD_APART_H
#define TTP_CLIENT_LIFE_FD_APART_H

#include <sys/types.h>

enum { FD_FLOOR = 512 };

/*
 * A descriptor that was just opened, closed on exec, with a number from FD_FLOOR on; or as it is, where the process may not have so many.
 * -1: `fd` is negative, or the program has something else under its number by now (`type`: S_IFSOCK, S_IFREG ...; 0 for an eventfd).
 */
int fd_apart(int fd, mode_t type);

#endif /* TTP_CLIENT_LIFE_FD_APART_H */
