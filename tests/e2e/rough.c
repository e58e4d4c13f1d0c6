// SPDX-License-Identifier: Apache-2.0
/*
 * Programs that treat the client roughly, one per first argument: they leave, fork, execute and set up in ways that
 * few do.  run_client starts them and ends what does not end.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ttp/client.h>
#include <unistd.h>

static void sleep_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

static void one_zone(void)
{
	TTP_ZONE("a");
}

/* gone: main leaves, another thread ends later */
static void say_gone(void)
{
	TTP_ZONE("at exit");
	puts("exit was called");
}

static void *outlive(void *unused)
{
	sleep_ms(50);
	one_zone();
	return unused;
}

static int main_goes(void)
{
	pthread_t t;

	atexit(say_gone);
	one_zone();
	pthread_create(&t, NULL, outlive, NULL);
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "gone"))
		return main_goes();
	return 2;
}
