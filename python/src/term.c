// SPDX-License-Identifier: Apache-2.0
/*
 * multiprocessing ends its workers by SIGTERM: a pool does so when its block ends.  By then they may have recorded all that they ever
 * will, and nobody has heard of it.  So a thread of ours sends what is left, which takes some milliseconds, and then the signal does
 * what it would have done.  Only where the program leaves SIGTERM alone, and only in processes that another one of Python started.
 */
#include "term.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include <ttp/client.h>

enum { WAIT_MS = 1500 }; /* less than `ttprof run` gives to those that it ends */

/* The process that the thread is of; a child of fork has the handler, but not the thread. */
static _Atomic pid_t ours;
/* No descriptors: a worker may close all that it finds, and open others instead. */
static sem_t asked, sent;

static void die(void)
{
	sigset_t term;

	(void)signal(SIGTERM, SIG_DFL);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	(void)pthread_sigmask(SIG_UNBLOCK, &term, NULL);
	(void)kill(getpid(), SIGTERM);
}

static void on_term(int sig)
{
	int kept = errno;

	(void)sig;
	if (atomic_load(&ours) != getpid() || sem_post(&asked))
		die();
	errno = kept;
}

static void *send_all(void *unused)
{
	ttp_stop();
	(void)sem_post(&sent);
	return unused;
}

/* Whoever records may be gone, or stuck: that is no reason to stay. */
static void *wait_for_term(void *unused)
{
	struct timespec until;
	pthread_t sender;

	while (sem_wait(&asked) && errno == EINTR)
		;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += WAIT_MS % 1000 * 1000000L;
	until.tv_sec += WAIT_MS / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (!pthread_create(&sender, NULL, send_all, NULL))
		while (sem_timedwait(&sent, &until) && errno == EINTR)
			;
	die();
	return unused;
}

/* After fork: until it is asked for again, nothing of it is left. */
static void forked(void)
{
	struct sigaction now;

	if (!atomic_load(&ours))
		return;
	atomic_store(&ours, 0);
	if (!sigaction(SIGTERM, NULL, &now) && now.sa_handler == on_term)
		(void)signal(SIGTERM, SIG_DFL);
}

static bool keep(void)
{
	struct sigaction now, wanted = { .sa_handler = on_term, .sa_flags = SA_RESTART };
	sigset_t all, before;
	static bool told_of_forks;
	pthread_t thread;
	bool made;

	if (atomic_load(&ours) == getpid())
		return true;
	if (sigaction(SIGTERM, NULL, &now) || now.sa_handler != SIG_DFL)
		return false;
	if (!told_of_forks && pthread_atfork(NULL, NULL, forked))
		return false;
	told_of_forks = true;
	if (sem_init(&asked, 0, 0) || sem_init(&sent, 0, 0))
		return false;
	/* Signals are for the program's threads. */
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	made = !pthread_create(&thread, NULL, wait_for_term, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!made)
		return false;
	(void)pthread_detach(thread);
	atomic_store(&ours, getpid());
	sigemptyset(&wanted.sa_mask);
	return !sigaction(SIGTERM, &wanted, NULL);
}

static PyObject *keep_at_term(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyBool_FromLong(keep());
}

PyMethodDef term_methods[] = {
	{ "keep_at_term", keep_at_term, METH_NOARGS,
	  "keep_at_term() -> bool: SIGTERM ends this process when what it recorded was sent" },
	{ NULL, NULL, 0, NULL },
};
