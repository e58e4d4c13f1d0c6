// SPDX-License-Identifier: Apache-2.0
#include "client/send/sender.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/life/lifecycle.h"

static int bell = -1;

/*
 * Daemons and workers close whatever descriptors they find, and what they open next has these numbers: nothing of theirs
 * is read, written or closed.  A counter of events is no kind of file.
 */
int wake_fd(void)
{
	struct stat st;

	return bell >= 0 && !fstat(bell, &st) && !(st.st_mode & S_IFMT) ? bell : -1;
}

void wake_open(void)
{
	bell = fd_apart(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), 0);
}

void wake_close(void)
{
	if (wake_fd() >= 0)
		close(bell);
	bell = -1;
}

void wake_ring(void)
{
	const uint64_t one = 1;

	if (write(wake_fd(), &one, sizeof(one)) < 0) {
		/* full: it is awake; closed by the program: it looks by itself */
	}
}

void wake_heard(void)
{
	uint64_t count;

	if (read(wake_fd(), &count, sizeof(count)) < 0) {
		/* somebody else has read it: fine */
	}
}
