// SPDX-License-Identifier: Apache-2.0
#include "client/life/last_thread.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_NS = 100000000, STATE = 3, THREADS = 20 }; /* fields of /proc/self/stat, from 1 */

static int64_t looked_ns;
static sigset_t program_mask;

/* Has the main thread ended, and every other one but ours? */
static bool is_last(void)
{
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	unsigned field = STATE;
	char text[512];
	const char *p;
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	p = strrchr(text, ')'); /* behind the name, which may hold anything */
	if (!p || p[1] != ' ' || p[2] != 'Z')
		return false;
	for (p += 2; *p && field < THREADS; p++)
		field += *p == ' ';
	return !strncmp(p, "2 ", 2); /* the main thread counts until the process ends */
}

static void *leave(void *unused)
{
	(void)unused;
	/* Signals that wait for somebody who takes them come first. */
	pthread_sigmask(SIG_SETMASK, &program_mask, NULL);
	exit(0); // NOLINT(concurrency-mt-unsafe): no thread of the program is left
}

void last_look(int64_t now_ns, const sigset_t *mask)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (now_ns - looked_ns < LOOK_NS)
		return;
	looked_ns = now_ns;
	if (!is_last())
		return;
	/* Not by ourselves: exit waits for the sender. */
	program_mask = *mask;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread, &attr, leave, NULL);
	pthread_attr_destroy(&attr);
}
