// SPDX-License-Identifier: Apache-2.0
/* What runs inside of the program leaves errno as it was: KEEP_ERRNO among a function's variables, whichever way it returns. */
#ifndef TTP_CLIENT_LIFE_KEEP_ERRNO_H
#define TTP_CLIENT_LIFE_KEEP_ERRNO_H

#include <errno.h>

static inline void keep_errno(const int *kept)
{
	errno = *kept;
}

#define KEEP_ERRNO const int errno_before __attribute__((cleanup(keep_errno), unused)) = errno

#endif /* TTP_CLIENT_LIFE_KEEP_ERRNO_H */
