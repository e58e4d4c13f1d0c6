// SPDX-License-Identifier: Apache-2.0
#include "host/api/guarded_calls.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include <ttp/client.h>

#define LOG_AREA "device"
#include "base/log.h"

enum { STEP_MS = 5, QUIET_MS = 2000, CRASH_MS = 4000, FLUSH_MS = 500, TOGETHER_MS = 1000 };

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
static const int crashing[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void (*read_devices)(void);
static atomic_int inside;            /* threads in a call */
static atomic_int caught;            /* the signal that ends us; 0: none */
static atomic_llong caught_ms;       /* when */
static atomic_bool closed, read_out; /* no call begins any more; devices were read, or can't be */
static _Thread_local int depth;
static sem_t wake; /* not a pipe: programs close descriptors that they don't know */
static pid_t owner;

static void wait_a_step(void)
{
	const struct timespec t = { .tv_nsec = STEP_MS * 1000000L };

	(void)nanosleep(&t, NULL);
}

void calls_enter(void)
{
	if (depth++)
		return;
	for (;;) {
		atomic_fetch_add(&inside, 1);
		if (!atomic_load(&closed))
			return;
		atomic_fetch_sub(&inside, 1);
		while (atomic_load(&closed))
			wait_a_step();
	}
}

void calls_leave(void)
{
	if (!--depth)
		atomic_fetch_sub(&inside, 1);
}

static bool is_one(int sig, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == sig)
			return true;
	return false;
}

static void end_by(int sig)
{
	sigset_t one;

	(void)signal(sig, SIG_DFL);
	(void)sigemptyset(&one);
	(void)sigaddset(&one, sig);
	(void)pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	(void)raise(sig);
}

static long long now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void on_signal(int sig)
{
	bool crash = is_one(sig, crashing, COUNT(crashing));
	int saved = errno, none = 0;
	long long never = 0;

	/* a child that was forked has no devices of its own */
	if (getpid() != owner) {
		end_by(sig);
		return;
	}
	/* A second signal means it, but for one that comes together with the first: to our group, and passed on by who started us. */
	(void)atomic_compare_exchange_strong(&caught_ms, &never, now_ms());
	if (!atomic_compare_exchange_strong(&caught, &none, sig)) {
		if (crash || now_ms() - atomic_load(&caught_ms) >= TOGETHER_MS)
			end_by(sig);
		errno = saved;
		return;
	}
	(void)sem_post(&wake);
	for (int ms = 0; crash && !depth && ms < CRASH_MS && !atomic_load(&read_out); ms += STEP_MS)
		wait_a_step();
	if (crash)
		end_by(sig);
	errno = saved;
}

static void *watch(void *unused)
{
	int sig, ms = 0;

	(void)unused;
	do
		(void)sem_wait(&wake);
	while (!(sig = atomic_load(&caught)));
	depth = 1; /* calls of ours go on */
	atomic_store(&closed, true);
	for (; ms < QUIET_MS && atomic_load(&inside); ms += STEP_MS)
		wait_a_step();
	if (atomic_load(&inside))
		log_warn("a device was in use when signal %d came: what was not read of it is lost",
			 sig);
	else
		read_devices();
	(void)ttp_flush(FLUSH_MS);
	atomic_store(&read_out, true);
	if (!is_one(sig, crashing, COUNT(crashing)))
		end_by(sig);
	return NULL;
}

static void handle(const int *list, size_t n)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK },
			 was;

	(void)sigfillset(&act.sa_mask);
	for (size_t i = 0; i < n; i++)
		if (!sigaction(list[i], NULL, &was) && was.sa_handler == SIG_DFL)
			(void)sigaction(list[i], &act, NULL);
}

/* In a child there is no thread of ours, and nobody else in a call. */
static void forget(void)
{
	atomic_store(&inside, depth ? 1 : 0);
	atomic_store(&closed, false);
}

static void start(void)
{
	sigset_t all, was;
	pthread_t thread;

	owner = getpid();
	(void)pthread_atfork(NULL, NULL, forget);
	if (sem_init(&wake, 0, 0))
		return;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &was);
	if (!pthread_create(&thread, NULL, watch, NULL)) {
		(void)pthread_detach(thread);
		handle(ending, COUNT(ending));
		handle(crashing, COUNT(crashing));
	}
	(void)pthread_sigmask(SIG_SETMASK, &was, NULL);
}

void death_watch(void (*read)(void))
{
	read_devices = read;
	(void)pthread_once(&once, start);
}

bool death_is_mine(void)
{
	if (!atomic_load(&caught) || getpid() != owner)
		return true;
	for (int ms = 0; ms < CRASH_MS && !atomic_load(&read_out); ms += STEP_MS)
		wait_a_step();
	return false;
}
