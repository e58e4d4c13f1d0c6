// SPDX-License-Identifier: Apache-2.0
#include "record/capture_job.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static char line[4096];
static size_t line_len;

static void end(int signal_number)
{
	(void)!write(STDERR_FILENO, line, line_len);
	(void)raise(signal_number); /* SA_RESETHAND: now it ends us */
}

/* What was ignored when we were started (nohup) stays so. */
static void handle(int signal_number, const struct sigaction *act)
{
	struct sigaction was;

	if (!sigaction(signal_number, NULL, &was) && was.sa_handler != SIG_IGN)
		(void)sigaction(signal_number, act, NULL);
}

void stop_signals_allow(const char *fmt, ...)
{
	struct sigaction act = { .sa_handler = end, .sa_flags = (int)SA_RESETHAND };
	const struct timespec now = { 0 };
	sigset_t set;
	va_list ap;
	int n;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		sigaddset(&set, stops[i]);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL); /* not while the line changes */
	while (!line_len && sigtimedwait(&set, NULL, &now) > 0)
		;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	line_len = n < 0 ? 0 : (size_t)n < sizeof(line) - 1 ? (size_t)n : sizeof(line) - 2;
	line[line_len++] = '\n';
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		handle(stops[i], &act);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void stop_signals_done(void)
{
	const struct sigaction act = { .sa_handler = SIG_DFL };

	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		handle(stops[i], &act);
}
