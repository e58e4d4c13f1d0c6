// SPDX-License-Identifier: Apache-2.0
#include "client/life/lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/life/client_settings.h"
#include "client/life/complain.h"
#include "client/life/unload.h"
#include "client/record/intern.h"
#include "client/record/recording_window.h"
#include "client/record/tracy_gpu.h"
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
	int kept = errno;

	stream_leave(stream);
	errno = kept;
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
	intern_lock();
	names_lock();
	gpu_lock();
	/* A handler that interrupted the set-up and forks would wait for itself. */
	if (!inside)
		register_lock();
}

static void in_parent(void)
{
	if (!inside)
		atomic_store(&registering, false);
	gpu_unlock();
	names_unlock();
	intern_unlock();
}

static void in_child(void)
{
	atomic_store(&stopper, 0);
	names_unlock_in_child();
	intern_unlock();
	gpu_unlock();
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
		life_problem("no memory for events (TTP_BUFFER)");
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

/* After all other constructors' needs are met by the first event, this is only for who is asked for. */
__attribute__((constructor)) static void at_load(void)
{
	int kept = errno;

	follow_forks();
	/* Not the clock: main may still give us another. */
	if (settings_ask_for_start())
		begin();
	errno = kept;
}

/* 101: after the destructors of everyone else. */
__attribute__((destructor(101))) static void at_exit(void)
{
	int kept = errno;

	life_stop();
	errno = kept;
}

void ttp_start(void)
{
	int kept = errno;

	life_enter();
	errno = kept;
}

void ttp_stop(void)
{
	int kept = errno;

	life_stop();
	errno = kept;
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
