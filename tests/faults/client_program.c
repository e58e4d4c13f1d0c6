// SPDX-License-Identifier: Apache-2.0
/*
 * client_program: 100 zones, messages and plots on each of two threads, then what libttp counted as lost, for
 * tests/faults/run.  It allocates nothing itself and has to end with 0 whatever fails inside of libttp.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include <ttp/client.h>

enum { TURNS = 100 };

static void *work(void *arg)
{
	static const struct ttp_location place = { "work", "work", __FILE__, __LINE__, 0 };

	(void)arg;
	for (int i = 0; i < TURNS; i++) {
		char text[24];
		int n = snprintf(text, sizeof(text), "turn %d", i);

		ttp_zone_begin(&place);
		ttp_zone_begin_text(text, (size_t)n, "work", 4, "x.c", 3, 1, 0);
		ttp_message(text, (size_t)n);
		ttp_plot_int("turns", i);
		ttp_zone_end();
		ttp_zone_end();
	}
	return NULL;
}

int main(void)
{
	struct ttp_stats s;
	pthread_t other;
	char line[200];
	bool threaded;
	int n;

	errno = 77;
	threaded = !pthread_create(&other, NULL, work, NULL);
	work(NULL);
	if (!threaded)
		work(NULL);
	else if (pthread_join(other, NULL))
		return 1;
	if (errno != 77 && threaded)
		return 2;
	ttp_stats(&s, sizeof(s));
	n = snprintf(line, sizeof(line), "dropped %llu zones %llu messages %llu plots\n",
		     (unsigned long long)s.zones_dropped, (unsigned long long)s.messages_dropped,
		     (unsigned long long)s.plots_dropped);
	return write(STDERR_FILENO, line, (size_t)n) == n ? 0 : 3;
}
