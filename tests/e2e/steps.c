// SPDX-License-Identifier: Apache-2.0
/*
 * steps N [WHAT]: N steps, each with a zone on two threads, a message, a plot, an allocation, a lock, a signpost, and a frame mark
 * at its end, inside of a zone around them all.  WHAT: "pause" pauses in steps 3 and 4, "slow" takes 50 ms a step, "fork" is
 * done by two children as well, "clock" tells what the kernel's clock shows, "nobody" gives up all rights first, "dies" ends by
 * SIGKILL in the middle of the last step, "deaf" ignores what asks it to end.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ttp/client.h>

static atomic_int turn; /* of the worker: odd */
static atomic_bool over;

static void zone_of(const char *who, int step)
{
	char name[32];
	int n = snprintf(name, sizeof(name), "%s %d", who, step);

	ttp_zone_begin_text(name, (size_t)n, "step", 4, __FILE__, sizeof(__FILE__) - 1, __LINE__, 0);
}

static void *work(void *unused)
{
	(void)unused;
	zone_of("worker", -1);
	while (!over) {
		int now = turn;

		if (now % 2) {
			zone_of("worker", now / 2);
			ttp_zone_end();
			turn = now + 1;
		}
	}
	ttp_zone_end();
	return NULL;
}

static void step(int i, bool slow, ttp_lock lock)
{
	static char blocks[1000];
	char text[32];
	int n = snprintf(text, sizeof(text), "step %d", i);

	ttp_signpost(text, NULL);
	zone_of("step", i);
	ttp_zone_text(text, (size_t)n);
	ttp_message(text, (size_t)n);
	ttp_plot_int("steps", i);
	ttp_memory_alloc(&blocks[i % 1000], 1, "pool");
	ttp_lock_wait(lock, false);
	ttp_lock_obtain(lock, false);
	turn = 2 * i + 1;
	while (turn % 2)
		;
	if (slow)
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	ttp_lock_release(lock, false);
	if (i)
		ttp_memory_free(&blocks[(i - 1) % 1000], "pool");
	ttp_zone_end();
	ttp_frame(NULL);
}

static void tell_clock(void)
{
	struct timespec t;
	char text[64];
	int n;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	n = snprintf(text, sizeof(text), "clock %lld",
		     (long long)t.tv_sec * 1000000000 + t.tv_nsec);
	ttp_message(text, (size_t)n);
}

int main(int argc, char **argv)
{
	static const struct ttp_location place = { "lock", "main", __FILE__, __LINE__, 0 };
	int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 10;
	const char *what = argc > 2 ? argv[2] : "";
	pthread_t worker;
	ttp_lock lock;

	if (!strcmp(what, "fork")) {
		zone_of("parent", 0);
		ttp_zone_end();
		for (int i = 0; i < 2; i++)
			if (!fork()) {
				what = "";
				break;
			}
		if (*what)
			while (wait(NULL) > 0)
				;
	}
	if (!strcmp(what, "nobody") && (setgid(65534) || setuid(65534)))
		return 2;
	if (!strcmp(what, "deaf")) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
	}
	lock = ttp_lock_new(&place, false);
	zone_of("all", 0);
	if (pthread_create(&worker, NULL, work, NULL))
		return 1;
	for (int i = 0; i < n; i++) {
		if (!strcmp(what, "pause") && i == 3)
			ttp_pause();
		if (!strcmp(what, "pause") && i == 5)
			ttp_resume();
		if (!strcmp(what, "clock"))
			tell_clock();
		if (!strcmp(what, "dies") && i == n - 1) {
			ttp_message("the last word", 13);
			nanosleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
			(void)raise(SIGKILL);
		}
		step(i, !strcmp(what, "slow") || !strcmp(what, "deaf"), lock);
	}
	over = true;
	pthread_join(worker, NULL);
	ttp_zone_end();
	return 0;
}
