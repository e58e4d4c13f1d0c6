// SPDX-License-Identifier: Apache-2.0
/*
 * Programs that treat the client roughly, one per first argument: they leave, fork, execute and set up in ways that
 * few do.  run_client starts them and ends what does not end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
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

/* one: and no more */
static int one(void)
{
	one_zone();
	printf("euid=%d\n", (int)geteuid());
	return 0;
}

/* file PATH: asked for, used and left at once */
static int file_at_once(const char *path)
{
	printf("file=%d\n", ttp_start_file(path));
	one_zone();
	return 0;
}

/* flush: at once, then there is no exit that could do it */
static int flush_at_once(void)
{
	one_zone();
	_exit(ttp_flush(20000) ? 0 : 1);
}

/* exec: what was flushed, then another program in the same process */
static int replaced(char **argv)
{
	static char next[] = "one";

	{
		TTP_ZONE("before");
	}
	ttp_flush(20000);
	argv[1] = next;
	execv(argv[0], argv);
	return 2;
}

/* big: little room for a thread beside what it must have */
static _Thread_local char big[600000];

static int big_threads(void)
{
	big[5] = 1;
	one_zone();
	return ttp_flush(20000) ? 0 : 1;
}

/* problem: what the library says about itself, once there is something */
static int problem(int ms)
{
	struct ttp_stats s;

	one_zone();
	while (!ttp_problem() && ms-- > 0)
		sleep_ms(1);
	ttp_stats(&s, sizeof(s));
	printf("%s: zones=%d\n", ttp_problem() ? ttp_problem() : "none", (int)s.zones_dropped);
	return 0;
}

/* cancel: threads that wait for room are cancelled, and not inside of an event */
static void *record_until_cancelled(void *unused)
{
	for (;;) {
		for (int i = 0; i < 5000; i++)
			one_zone();
		pthread_testcancel();
	}
	return unused;
}

static int cancel(void)
{
	struct ttp_stats s;

	ttp_start();
	while (!ttp_connected())
		sleep_ms(1);
	for (int i = 0; i < 20; i++) {
		pthread_t t[2];

		for (int k = 0; k < 2; k++)
			pthread_create(&t[k], NULL, record_until_cancelled, NULL);
		sleep_ms(5);
		for (int k = 0; k < 2; k++)
			pthread_cancel(t[k]);
		for (int k = 0; k < 2; k++)
			pthread_join(t[k], NULL);
	}
	ttp_stats(&s, sizeof(s));
	printf("zones=%llu in_signal=%llu\n", (unsigned long long)s.zones_dropped,
	       (unsigned long long)s.in_signal_dropped);
	return 0;
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

/* crowd THREADS ZONES: all of them have recorded before any goes on, and none ends before all are done */
static pthread_barrier_t crowd_all;
static long crowd_zones;

static void *crowd_thread(void *unused)
{
	one_zone();
	pthread_barrier_wait(&crowd_all);
	for (long i = 1; i < crowd_zones; i++)
		one_zone();
	pthread_barrier_wait(&crowd_all);
	/* What was read is room again, for everyone, while all of them live. */
	ttp_flush(10000);
	{
		TTP_ZONE("later");
	}
	pthread_barrier_wait(&crowd_all);
	return unused;
}

static int crowd(unsigned threads, long zones)
{
	pthread_t t[64];
	struct ttp_stats s;

	if (threads > 64 || pthread_barrier_init(&crowd_all, NULL, threads))
		return 2;
	ttp_start();
	while (!ttp_connected())
		sleep_ms(1);
	crowd_zones = zones;
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, crowd_thread, NULL))
			return 2;
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	ttp_stats(&s, sizeof(s));
	printf("emitted=%ld zones=%llu\n", (long)threads * (zones + 1),
	       (unsigned long long)s.zones_dropped);
	return 0;
}

/* race N: a fork while another thread records its first event, a bit later each time; the child records */
static _Atomic int race_go;

static void *race_thread(void *unused)
{
	atomic_fetch_add(&race_go, 1);
	while (atomic_load(&race_go) < 2)
		;
	one_zone();
	return unused;
}

static int race(int spin)
{
	pthread_t t;
	pid_t child;
	int status;

	pthread_create(&t, NULL, race_thread, NULL);
	while (!atomic_load(&race_go))
		;
	atomic_fetch_add(&race_go, 1);
	for (volatile int i = 0; i < spin; i++)
		;
	child = fork();
	if (!child) {
		alarm(20); /* a child that hangs */
		one_zone();
		_exit(0);
	}
	waitpid(child, &status, 0);
	pthread_join(t, NULL);
	return status != 0;
}

/* register: a fork while another thread tells exit of itself, which the C library does with a lock that is then
 * taken for ever in the child.  In place of its function ours, which takes a while. */
static _Atomic int registering, registered;

typedef int cxa_atexit_function(void (*)(void *), void *, void *);
__attribute__((visibility("default"))) cxa_atexit_function __cxa_atexit; // NOLINT(bugprone-reserved-identifier)

int __cxa_atexit(void (*function)(void *), void *argument, void *library) // NOLINT(bugprone-reserved-identifier)
{
	cxa_atexit_function *next;
	void *found = dlsym(RTLD_NEXT, "__cxa_atexit");
	int result;

	memcpy(&next, &found, sizeof(next));
	atomic_store(&registering, 1);
	sleep_ms(atomic_load(&race_go) ? 50 : 0);
	result = next(function, argument, library);
	atomic_store(&registering, 0);
	atomic_fetch_add(&registered, 1);
	return result;
}

static int fork_while_registering(void)
{
	pthread_t t;
	pid_t child;
	int status;

	atomic_store(&race_go, 2);
	pthread_create(&t, NULL, race_thread, NULL);
	while (!atomic_load(&registering) && !atomic_load(&registered))
		;
	child = fork();
	if (!child)
		_exit(atomic_load(&registering));
	waitpid(child, &status, 0);
	pthread_join(t, NULL);
	printf("in child=%d\n", status);
	return 0;
}

/* socket: one of the program's own, under the number that TTP_LISTEN_FD may name */
static int own_socket(void)
{
	int fd = dup2(socket(AF_INET, SOCK_STREAM, 0), 20), listens = -1;
	socklen_t len = sizeof(listens);

	for (int i = 0; i < 20000 && !ttp_connected(); i++)
		sleep_ms(1);
	getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len);
	printf("fd=%d listens=%d told=%d\n", fd, listens, getenv("TTP_LISTEN_FD") != NULL);
	return 0;
}

/* handler: one that forks, again and again, whatever it interrupts; all go on recording */
static volatile sig_atomic_t is_child, forked;

static void fork_in_handler(int number)
{
	int kept = errno;

	(void)number;
	if (!is_child && forked < 100) {
		forked++;
		is_child = !fork();
		if (is_child)
			alarm(60);
	}
	errno = kept;
}

static int handlers_fork(void)
{
	struct sigaction act = { .sa_handler = fork_in_handler, .sa_flags = SA_RESTART };
	struct itimerval every = { { 0, 3000 }, { 0, 3000 } };
	static char text[3000];
	int status, bad = 0;

	ttp_start();
	sigaction(SIGPROF, &act, NULL);
	setitimer(ITIMER_PROF, &every, NULL);
	for (unsigned n = 0; !is_child && forked < 100; n++) {
		char name[16];
		int len = snprintf(name, sizeof(name), "n%u", n % 20000);

		ttp_zone_begin_text(name, (size_t)len, "f", 1, "x", 1, 1, 0);
		ttp_message(text, n % sizeof(text));
		ttp_zone_end();
	}
	if (is_child) {
		struct ttp_stats s;

		for (int i = 0; i < 100; i++)
			one_zone();
		ttp_stats(&s, sizeof(s));
		_exit(s.zones_dropped || s.messages_dropped || s.in_signal_dropped ? 1 : 0);
	}
	memset(&every, 0, sizeof(every));
	setitimer(ITIMER_PROF, &every, NULL);
	while (wait(&status) > 0)
		bad += status != 0;
	printf("bad=%d\n", bad);
	return 0;
}

/* loader: forks inside of a callback that has the loader's lock */
static int fork_in_callback(struct dl_phdr_info *info, size_t size, void *unused)
{
	pid_t child;

	(void)info;
	(void)size;
	(void)unused;
	sleep_ms(60); /* the sender comes, and waits */
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return 1;
}

static int loader(void)
{
	for (int i = 0; i < 5; i++) {
		one_zone();
		dl_iterate_phdr(fork_in_callback, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "gone"))
		return main_goes();
	if (!strcmp(what, "problem"))
		return problem((int)strtol(argv[2], NULL, 10));
	if (!strcmp(what, "cancel"))
		return cancel();
	if (!strcmp(what, "register"))
		return fork_while_registering();
	if (!strcmp(what, "handler"))
		return handlers_fork();
	if (!strcmp(what, "loader"))
		return loader();
	if (!strcmp(what, "file"))
		return file_at_once(argv[2]);
	if (!strcmp(what, "flush"))
		return flush_at_once();
	if (!strcmp(what, "exec"))
		return replaced(argv);
	if (!strcmp(what, "big"))
		return big_threads();
	if (!strcmp(what, "one"))
		return one();
	if (!strcmp(what, "socket"))
		return own_socket();
	if (!strcmp(what, "race"))
		return race((int)strtol(argv[2], NULL, 10));
	if (!strcmp(what, "crowd"))
		return crowd((unsigned)strtoul(argv[2], NULL, 10), strtol(argv[3], NULL, 10));
	return 2;
}
