// SPDX-License-Identifier: Apache-2.0
#include "client/life/lifecycle.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "client/life/client_settings.h"
#include "client/record/recording_window.h"
#include "client/record/signal_guard.h"
#include "client/send/listen.h"
#include "client/send/pointer_names.h"
#include "client/send/sender.h"
#include "ttp/client.h"

/* NEW → SETTING_UP → READY; STOPPED when it is over, DEAD when it cannot be. */
enum { NEW, SETTING_UP, READY, STOPPED, DEAD };

enum { UNREAD, READING, READ }; /* stages of the settings */

static _Atomic int state;
static _Atomic bool clock_chosen;
static _Atomic int choosing;
static _Atomic int settings_stage;
static _Atomic bool reader;
static _Atomic bool sender_runs;
static _Atomic(const char *) problem;
static pthread_key_t thread_end;
static bool key_made;
/* The C library's list of what exit calls has a lock that fork does not free in the child: no fork while it is taken. */
static _Atomic bool registering;
/* This thread is inside of the set-up: what it allocates there may be recorded, and comes back here. */
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

static void at_thread_end(void *stream)
{
	KEEP_ERRNO;

	stream_leave(stream);
}

static void register_lock(void)
{
	while (atomic_exchange(&registering, true))
		sched_yield();
}

/* Who is in life_stop, or 0; and how long others wait for that. */
static _Atomic pthread_t stopper;
enum { STOP_WAIT_MS = 5000 };

static void before_fork(void)
{
	guard_before_fork(&intern_guard);
	names_lock();
	guard_before_fork(&gpu_guard);
	/* A handler that interrupted the set-up and forks would wait for itself. */
	if (!inside)
		register_lock();
}

static void in_parent(void)
{
	if (!inside)
		atomic_store(&registering, false);
	guard_after_fork(&gpu_guard);
	names_unlock();
	guard_after_fork(&intern_guard);
}

static void in_child(void)
{
	atomic_store(&stopper, 0);
	names_unlock_in_child();
	guard_after_fork(&intern_guard);
	guard_after_fork(&gpu_guard);
	atomic_store(&registering, false);
	/* Whoever was choosing or setting up is not here: it is begun anew. */
	if (!atomic_load(&clock_chosen))
		atomic_store(&choosing, 0);
	if (atomic_load(&settings_stage) == READING)
		atomic_store(&settings_stage, UNREAD);
	inside = false;
	window_in_child();
	if (atomic_load(&state) == SETTING_UP)
		atomic_store(&state, NEW);
	if (atomic_load(&state) == NEW || atomic_load(&state) == DEAD)
		return;
	/* Threads, server and file stay with the parent; we begin anew with the next event. */
	sender_forget();
	life_problem(NULL);
	if (key_made)
		pthread_setspecific(thread_end, NULL);
	if (stream_is_interrupted()) {
		/* By a handler that forked: the event is finished where it was begun, and nobody reads it. */
		if (!pool_init(settings.pool_bytes) || !stream_init()) {
			atomic_store(&state, DEAD);
			stream_detach();
			return;
		}
		stream_detach();
	} else {
		stream_reset();
		pool_reset();
	}
	atomic_store(&reader, false);
	atomic_store(&sender_runs, false);
	atomic_store(&state, READY);
}

/* The environment: at load, or with the clock. */
static void settings_once(void)
{
	int unread = UNREAD;

	if (atomic_load_explicit(&settings_stage, memory_order_acquire) == READ)
		return;
	if (atomic_compare_exchange_strong(&settings_stage, &unread, READING)) {
		settings_load();
		atomic_store_explicit(&settings_stage, READ, memory_order_release);
	}
	while (atomic_load_explicit(&settings_stage, memory_order_acquire) != READ)
		sched_yield();
}

bool life_has_clock(void)
{
	return atomic_load_explicit(&clock_chosen, memory_order_acquire);
}

void life_clock(void)
{
	int none = 0;

	while (!atomic_load_explicit(&clock_chosen, memory_order_acquire)) {
		if (atomic_compare_exchange_strong(&choosing, &none, 1)) {
			settings_once();
			ticks_init(settings.scripted);
			atomic_store_explicit(&clock_chosen, true, memory_order_release);
		} else {
			none = 0;
			sched_yield();
		}
	}
}

/* At load, if nobody is before that: a fork may come while another thread sets up. */
static void follow_forks(void)
{
	static _Atomic bool done;

	if (!atomic_exchange(&done, true))
		pthread_atfork(before_fork, in_parent, in_child);
}

static bool set_up(void)
{
	settings_once();
	follow_forks();
	if (settings.off) {
		life_problem("TTP_OFF is set");
		return false;
	}
	if (!pool_init(settings.pool_bytes) || !stream_init()) {
		life_nothing_recorded("no memory for events (TTP_BUFFER)");
		return false;
	}
	if (!listener_take(settings.listen_fd))
		settings.listen_fd = -1;
	if (!key_made)
		key_made = !pthread_key_create(&thread_end, at_thread_end);
	/* exit calls this before any library's destructors. */
	register_lock();
	atexit(unload_is_over);
	at_quick_exit(life_stop);
	atomic_store(&registering, false);
	return true;
}

/* Sets up, and starts the sender; the clock stays as it is. */
static bool begin(void)
{
	int was = atomic_load_explicit(&state, memory_order_acquire);

	if (inside)
		return false;
	while (was == NEW || was == SETTING_UP) {
		if (was == NEW && atomic_compare_exchange_strong(&state, &was, SETTING_UP)) {
			inside = true;
			was = set_up() ? READY : DEAD;
			inside = false;
			atomic_store_explicit(&state, was, memory_order_release);
		} else {
			sched_yield();
			was = atomic_load_explicit(&state, memory_order_acquire);
		}
	}
	if (was != READY)
		return false;
	if (!atomic_load_explicit(&sender_runs, memory_order_relaxed) &&
	    !atomic_exchange(&sender_runs, true)) {
		inside = true;
		sender_start();
		inside = false;
	}
	return true;
}

bool life_enter(void)
{
	if (!begin())
		return false;
	if (!life_has_clock()) {
		inside = true;
		life_clock();
		inside = false;
	}
	return true;
}

bool life_has_storage(void)
{
	int now = atomic_load_explicit(&state, memory_order_acquire);

	return now == READY || now == STOPPED;
}

bool life_accepts(bool once)
{
	return atomic_load_explicit(&state, memory_order_relaxed) == READY &&
	       (once || !settings.on_demand || life_has_reader());
}

bool life_has_reader(void)
{
	return atomic_load_explicit(&reader, memory_order_relaxed);
}

void life_set_reader(bool there)
{
	atomic_store_explicit(&reader, there, memory_order_relaxed);
}

void life_problem(const char *text)
{
	atomic_store_explicit(&problem, text, memory_order_release);
}

void life_nothing_recorded(const char *text)
{
	life_problem(text);
	/* Whoever waits at the session can't know that we are here. */
	if (*settings.session)
		complain("TTP_SESSION", settings.session, text,
			 "nothing of this process is recorded");
}

void life_file_failed(int error, unsigned port)
{
	life_problem("TTP_FILE cannot be written, or is a pipe, socket or terminal");
	if (strcmp(settings.file, SETTINGS_NO_FILE) != 0)
		complain_of_file(settings.file, error, port);
}

const char *ttp_problem(void)
{
	return atomic_load_explicit(&problem, memory_order_acquire);
}

void life_thread_has(struct stream *s)
{
	if (key_made)
		pthread_setspecific(thread_end, s);
}

void life_stop(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	pthread_t nobody = 0;
	int ready = READY;

	/* Another thread does, as when a process is left by two ways at once: whoever goes on now would end it before all is sent. */
	if (!atomic_compare_exchange_strong(&stopper, &nobody, pthread_self())) {
		for (int ms = 0; ms < STOP_WAIT_MS && atomic_load(&stopper) &&
				 atomic_load(&stopper) != pthread_self();
		     ms++)
			(void)nanosleep(&moment, NULL);
		return;
	}
	if (atomic_compare_exchange_strong(&state, &ready, STOPPED) && atomic_load(&sender_runs))
		sender_stop();
	atomic_store(&stopper, 0);
}

/*
 * A process ends when its last thread does, unless ours is there beside it: main that leaves by pthread_exit
 * would leave a process that never ends, and takes no signal, as the sender blocks all of them.  So the sender
 * looks, and then does as libc would.
 */
enum { LOOK_NS = 100000000, STATE = 3, THREADS = 20 }; /* fields of /proc/self/stat, from 1 */

static int64_t looked_ns;
static sigset_t program_mask;

/* Has the main thread ended, and every other one but ours? */
static bool is_last(void)
{
	int fd = fd_apart(open("/proc/self/stat", O_RDONLY | O_CLOEXEC), S_IFREG);
	unsigned field = STATE;
	char text[512];
	const char *p;
	ssize_t n;

	if (fd < 0)
		return false;
	n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	p = strrchr(text, ')'); /* behind the name, which may hold anything */
	if (!p || p[1] != ' ' || p[2] != 'Z')
		return false;
	for (p += 2; *p && field < THREADS; p++)
		field += *p == ' ';
	return !strncmp(p, "2 ", 2); /* the main thread counts until the process ends */
}

static void *leave_process(void *unused)
{
	(void)unused;
	/* Signals that wait for somebody who takes them come first. */
	pthread_sigmask(SIG_SETMASK, &program_mask, NULL);
	exit(0); // NOLINT(concurrency-mt-unsafe): no thread of the program is left
}

void life_look(int64_t now_ns, const sigset_t *mask)
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
	pthread_create(&thread, &attr, leave_process, NULL);
	pthread_attr_destroy(&attr);
}

/* After all other constructors' needs are met by the first event, this is only for who is asked for. */
__attribute__((constructor)) static void at_load(void)
{
	KEEP_ERRNO;

	follow_forks();
	/* Not the clock: main may still give us another. */
	if (settings_ask_for_start())
		begin();
}

/* 101: after the destructors of everyone else. */
__attribute__((destructor(101))) static void at_exit(void)
{
	KEEP_ERRNO;

	life_stop();
}

void ttp_start(void)
{
	KEEP_ERRNO;

	life_enter();
}

void ttp_stop(void)
{
	KEEP_ERRNO;

	life_stop();
}

bool ttp_connected(void)
{
	return life_has_reader();
}

int64_t ttp_now(void)
{
	if (!atomic_load_explicit(&clock_chosen, memory_order_acquire))
		life_clock();
	return ticks_now();
}

double ttp_ns_per_tick(void)
{
	life_clock();
	return sender_ns_per_tick();
}

int64_t ttp_base_ticks(void)
{
	life_clock();
	return ticks_base()->ticks;
}

bool ttp_clock(int64_t (*now_ns)(void))
{
	return ticks_set_hook(now_ns);
}

void ttp_stats(struct ttp_stats *stats, size_t size)
{
	struct ttp_stats s = { 0 };

	if (!stats)
		return;
	/* Also when nothing could be set up: then everything is dropped. */
	if (atomic_load_explicit(&state, memory_order_acquire) >= READY && !settings.off) {
		s = (struct ttp_stats){
			.zones_dropped = stream_dropped(DROP_ZONE),
			.texts_dropped = stream_dropped(DROP_TEXT),
			.messages_dropped = stream_dropped(DROP_MESSAGE),
			.plots_dropped = stream_dropped(DROP_PLOT),
			.frames_dropped = stream_dropped(DROP_FRAME),
			.memory_dropped = stream_dropped(DROP_MEMORY),
			.device_dropped = stream_dropped(DROP_DEVICE),
			.in_signal_dropped = stream_dropped(DROP_IN_SIGNAL),
			.unmatched_ends = stream_dropped(DROP_UNMATCHED),
			.bytes_pooled = pool_taken_bytes(),
			.sessions = sender_sessions(),
			.locks_dropped = stream_dropped(DROP_LOCK),
		};
	}
	memcpy(stats, &s, size < sizeof(s) ? size : sizeof(s));
	if (size > sizeof(s))
		memset((char *)stats + sizeof(s), 0, size - sizeof(s));
}
