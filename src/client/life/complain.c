// SPDX-License-Identifier: Apache-2.0
#include "client/life/client_settings.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VALUE_MAX = 200 };

/* Whoever reads stderr may go while we write: that must not end the program. */
static void print(const char *line, size_t len)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
	const struct timespec none = { 0 };
	sigset_t pipe_only, before, pending;

	if (poll(&p, 1, 0) != 1 || p.revents != POLLOUT)
		return;
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	if (write(STDERR_FILENO, line, len) < 0 && errno == EPIPE &&
	    !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe_only, NULL, &none);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void complain(const char *name, const char *value, const char *fault, const char *instead)
{
	char shown[VALUE_MAX + 4], line[512];
	size_t len = strnlen(value, VALUE_MAX + 1);
	int kept = errno, n;

	if (len > VALUE_MAX)
		memcpy(shown + VALUE_MAX, "...", 4);
	for (size_t i = 0; i < len && i < VALUE_MAX; i++)
		shown[i] = (unsigned char)value[i] < ' ' || value[i] == 127 ? '?' : value[i];
	if (len <= VALUE_MAX)
		shown[len] = 0;
	n = snprintf(line, sizeof(line), "ttp: %s=\"%s\": %s; %s\n", name, shown, fault, instead);
	if (n >= (int)sizeof(line))
		n = (int)sizeof(line) - 1;
	if (n > 0)
		print(line, (size_t)n);
	errno = kept;
}

void complain_of_file(const char *path, int error, unsigned port)
{
	char fault[160], instead[80], room[100];
	const char *why = error == ESPIPE ? "a pipe, socket or terminal"
					  : strerror_r(error, room, sizeof(room));

	snprintf(fault, sizeof(fault), "cannot be written (%s)", why);
	if (port)
		snprintf(instead, sizeof(instead), "events are kept for a server at port %u", port);
	else
		snprintf(instead, sizeof(instead), "nothing is recorded");
	complain("TTP_FILE", path, fault, instead);
}
