// SPDX-License-Identifier: Apache-2.0
#include "client/send/sender.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "client/life/client_settings.h"
#include "client/life/lifecycle.h"
#include "client/record/recording_window.h"
#include "client/record/ticks.h"
#include "client/send/client_session.h"
#include "client/send/drain.h"
#include "client/send/listen.h"
#include "ttp/client.h"
#include "wire/welcome.h"

enum {
	CALIBRATE_NS = SENDER_CALIBRATE_NS,
	CLOCK_WAIT_MS =
		500, /* that a server may be kept waiting for the program's first event, or its clock */
	KEEP_ALIVE_S = 5,
	WARM_CHUNKS = 16,
	CALM_S = 1, /* without events, after which memory of a burst is given back */
	BUSY_MS = 5,
	IDLE_MS = 40,   /* between passes; a file is at most 100 ms behind */
	ALONE_MS = 100, /* without a reader */
};

static struct {
	_Atomic bool stop, done;
	_Atomic int64_t stopped_at;  /* ticks: what is open ends there */
	_Atomic int64_t deadline_ns; /* 0: none yet */
	_Atomic int file_fd;         /* from ttp_start_file, + 1 */
	_Atomic uint64_t sessions;
	_Atomic uint64_t flush_asked, flush_done;
	_Atomic uint64_t scale_bits; /* ns per tick, once it is known */
	_Atomic bool talking;        /* somebody is on the line: exit waits */
	_Atomic bool counting;       /* what a full disk has no room for: exit waits, too */
	sem_t ended;
	sigset_t mask; /* of the thread that started us */
	bool running;
	_Atomic bool failed; /* there is no thread */
} me;

/* Of all that this thread owns; held by it unless it waits.  Outside of intern's, never around the loader's. */
static pthread_mutex_t owned = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned wanted;

static struct session session;
static struct listener listener = { .fd = -1, .announce_fd = -1 };
static struct wire_welcome welcome;
static uint8_t asked[WIRE_QUERY_BYTES * 64];
static size_t asked_len;
static bool said_last;   /* Terminate was sent */
static bool over;        /* the server has said so */
static int full_fd = -1; /* of a file that has no more room */

void sender_hold(void)
{
	atomic_fetch_add(&wanted, 1);
	pthread_mutex_lock(&owned);
	atomic_fetch_sub(&wanted, 1);
}

void sender_rest(void)
{
	pthread_mutex_unlock(&owned);
}

void sender_resume(void)
{
	pthread_mutex_lock(&owned);
}

bool sender_is_late(void)
{
	int64_t deadline = atomic_load_explicit(&me.deadline_ns, memory_order_relaxed);

	return deadline && mono_ns() > deadline;
}

int64_t sender_stopped_at(void)
{
	return atomic_load(&me.stopped_at);
}

uint64_t sender_sessions(void)
{
	return atomic_load_explicit(&me.sessions, memory_order_relaxed);
}

void sender_look(void)
{
	if (!atomic_load(&me.stop))
		life_look(mono_ns(), &me.mask);
}

double sender_ns_per_tick(void)
{
	uint64_t bits = atomic_load_explicit(&me.scale_bits, memory_order_acquire), mine;
	double scale;

	if (!bits) {
		while (ticks_age_ns() < CALIBRATE_NS && !window_scale(CALIBRATE_NS, &scale)) {
			const struct timespec moment = { .tv_nsec = 1000000 };

			nanosleep(&moment, NULL);
		}
		if (!window_scale(CALIBRATE_NS, &scale))
			scale = ticks_ns_per_tick();
		memcpy(&mine, &scale, sizeof(mine));
		/* Whoever was first is right. */
		if (atomic_compare_exchange_strong(&me.scale_bits, &bits, mine))
			bits = mine;
	}
	memcpy(&scale, &bits, sizeof(scale));
	return scale;
}

/* Waits for `fd` or to be woken. */
static bool wait_for(int fd, short events, int timeout_ms)
{
	struct pollfd p[2] = { { .fd = wake_fd(), .events = POLLIN },
			       { .fd = fd, .events = events } };
	int ready;

	sender_rest();
	ready = poll(p, 2, timeout_ms);
	sender_resume();
	if (ready <= 0)
		return false;
	if (p[0].revents)
		wake_heard();
	return p[1].revents;
}

/* Questions that are here; at most `most` of them, so that a flood does not keep us from sending. */
static void answer(struct session *s, unsigned most)
{
	while (most && !s->lost && !over) {
		ssize_t n = recv(s->fd, asked + asked_len, sizeof(asked) - asked_len, MSG_DONTWAIT);
		size_t at = 0;

		if (!n || (n < 0 && errno != EAGAIN && errno != EINTR)) {
			s->lost = true;
			return;
		}
		if (n < 0)
			break;
		asked_len += (size_t)n;
		for (; asked_len - at >= WIRE_QUERY_BYTES && !over && !s->lost;
		     at += WIRE_QUERY_BYTES) {
			over = !session_answer(s, asked + at);
			most -= most > 0;
		}
		memmove(asked, asked + at, asked_len - at);
		asked_len -= at;
	}
}

void sender_between(struct session *s)
{
	if (s && !s->is_file)
		answer(s, 64);
	pool_warm(2);
	while (atomic_load(&wanted)) {
		sender_rest();
		sched_yield();
		sender_resume();
	}
}

static void describe(uint8_t flags, double ns_per_tick)
{
	struct cost cost = cost_measured();

	memset(&welcome, 0, sizeof(welcome));
	host_describe(&welcome);
	welcome.ns_per_tick = ns_per_tick;
	welcome.init_begin = welcome.init_end = ticks_base()->ticks;
	welcome.event_ticks = cost.event_ticks;
	welcome.resolution_ticks = cost.step_ticks;
	welcome.epoch_s = (uint64_t)(ticks_base()->wall_ns / 1000000000);
	welcome.flags = flags;
}

static void begin_session(enum wire_key key, int fd, bool is_file)
{
	session_begin(&session, key, fd, is_file, (uint32_t)atomic_load(&me.sessions) + 1,
		      welcome.ns_per_tick);
	asked_len = 0;
	said_last = over = false;
}

static void session_is_on(void)
{
	atomic_fetch_add_explicit(&me.sessions, 1, memory_order_relaxed);
	drain_begin(&session);
	life_set_reader(true);
}

/* Some storage is always ready; when a burst is long over, not more than that. */
static void keep_ready(bool found, int64_t now)
{
	static int64_t last_found_ns;

	if (found)
		last_found_ns = now;
	if (now - last_found_ns > CALM_S * INT64_C(1000000000))
		pool_trim(2 * WARM_CHUNKS);
	else
		pool_warm(WARM_CHUNKS);
}

/* A file that is full: where nobody else can come for what it has no room for, that is counted, and there may be room
 * for the counts at the end. */
static void file_is_full(void)
{
	life_problem("the file cannot be written any more: is the disk full?");
	session_flush(&session);
	if (listener.fd >= 0)
		return;
	session.lost = false;
	file_note(&session);
	session.lost = false;
	session.counts = true;
	atomic_store(&me.counting, true);
	full_fd = session.fd;
	session.fd = -1;
}

/* Until the end, or another file. */
static void count_losses(bool last)
{
	bool found = drain_pass(&session, last);

	session_flush(&session);
	while (last && found) {
		found = drain_pass(&session, true);
		session_flush(&session);
	}
	if (last) {
		session.counts = false;
		atomic_store(&me.counting, false);
		session.fd = full_fd;
		full_fd = -1;
		file_note(&session);
		close(session.fd);
		session.fd = -1;
	} else {
		keep_ready(found, mono_ns());
		wait_for(-1, 0, found ? BUSY_MS : IDLE_MS);
	}
}

static void end_session(void)
{
	life_set_reader(false);
	if (session.is_file && session.lost)
		file_is_full();
	if (session.fd >= 0)
		close(session.fd);
	session.fd = -1;
	atomic_store(&me.talking, false);
}

/* For what a server says first; false when there is no more time for it. */
static bool wait_for_hello(int fd)
{
	wait_for(fd, POLLIN, 50);
	return !sender_is_late();
}

/* A server that is there before main should not keep that from choosing a clock. */
static void await_clock(void)
{
	int64_t until = mono_ns() + (int64_t)CLOCK_WAIT_MS * 1000000;

	while (!life_has_clock() && !atomic_load(&me.stop) && mono_ns() < until)
		wait_for(-1, 0, 5);
	life_clock();
}

static void greet(int fd)
{
	uint8_t hello[12], bytes[1 + WIRE_WELCOME_MAX + 16];
	uint64_t on_demand[2];
	enum wire_key key;
	uint32_t number;
	size_t n = 1;

	/* Not talking yet: exit does not wait for one who says nothing. */
	if (!listener_hello(fd, hello, wait_for_hello)) {
		close(fd);
		return;
	}
	atomic_store(&me.talking, true);
	memcpy(&number, hello + 8, sizeof(number));
	if (!session_choose(number, &key)) {
		bytes[0] = WIRE_MISMATCH;
		send(fd, bytes, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
		close(fd);
		atomic_store(&me.talking, false);
		return;
	}
	await_clock();
	describe(settings.on_demand ? WIRE_FLAG_ON_DEMAND : 0, sender_ns_per_tick());
	begin_session(key, fd, false);
	listener.awaited = false;
	bytes[0] = WIRE_WELCOME;
	wire_welcome_put(&session.proto, &welcome, bytes + 1);
	n += session.proto.welcome_bytes;
	if (settings.on_demand) {
		on_demand[0] = atomic_load(&events_frames);
		on_demand[1] = (uint64_t)ticks_peek();
		memcpy(bytes + n, on_demand, sizeof(on_demand));
		n += sizeof(on_demand);
	}
	if (!session_send(&session, bytes, n)) {
		end_session();
		return;
	}
	listener_broadcast(&listener, number, -1, welcome.program);
	if (settings.on_demand)
		drain_pass(NULL, false);
	session_is_on();
}

static void open_file(int fd)
{
	enum wire_key key = WIRE_KEY_TT66;

	if (!wire_key_parse(settings.protocol, strlen(settings.protocol), &key))
		key = WIRE_KEY_TT66;
	atomic_store(&me.talking, true);
	pool_warm(WARM_CHUNKS);
	describe(0, rough_scale());
	begin_session(key, fd, true);
	if (file_begin(&session, &welcome)) {
		life_problem(NULL);
		session_is_on();
	} else {
		drain_begin(&session);
		end_session();
	}
}

/* Everything that is left, then the end that the protocol wants. */
static void finish(void)
{
	while (drain_pass(&session, true) && !session.lost && !sender_is_late())
		;
	tell_steps(&session);
	if (session.is_file) {
		session_flush(&session);
		rough_settle(&session, &welcome, true);
		file_end(&session);
		end_session();
		return;
	}
	tell_drops(&session);
	session_flush(&session);
	put_item(session_out(&session, 0), WIRE_Terminate);
	session_flush(&session);
	said_last = true;
	while (!session.lost && !over && !sender_is_late()) {
		wait_for(session.fd, POLLIN, 20);
		answer(&session, 4096);
		session_flush(&session);
	}
	end_session();
}

static void serve(void)
{
	uint64_t flush = atomic_load(&me.flush_asked);
	static int64_t last_note_ns;
	bool found;
	int64_t now;

	/* With a scripted clock a file must not depend on when we look: all of it is written at the end, or when asked,
	 * unless there is no room left. */
	if (session.is_file && ticks_kind() == 2 && flush == atomic_load(&me.flush_done) &&
	    pool_taken_bytes() < (size_t)pool_capacity() * CHUNK_BYTES / 2) {
		pool_warm(WARM_CHUNKS);
		wait_for(-1, 0, IDLE_MS);
		return;
	}
	found = drain_pass(&session, false);

	if (!session.is_file)
		answer(&session, 1024);
	now = mono_ns();
	if (!session.is_file)
		tell_dropping(&session, now);
	if (!session.is_file && now - session.last_sent_ns > KEEP_ALIVE_S * INT64_C(1000000000))
		put_item(session_out(&session, 0), WIRE_KeepAlive);
	session_flush(&session);
	rough_settle(&session, &welcome, false);
	tell_clock_jumps(&session);
	if (session.is_file && ticks_kind() != 2 && now - last_note_ns > 1000000000) {
		last_note_ns = now;
		file_note(&session);
	}
	atomic_store(&me.flush_done, flush);
	if (session.lost || over) {
		end_session();
		return;
	}
	keep_ready(found, now);
	if (session.is_file)
		wait_for(-1, 0, found || rough_is_young() ? BUSY_MS : IDLE_MS);
	else
		wait_for(session.fd, POLLIN, found ? BUSY_MS : IDLE_MS);
	if (!session.is_file && listener.fd >= 0) {
		struct pollfd p = { .fd = listener.fd, .events = POLLIN };

		if (poll(&p, 1, 0) > 0) {
			if (session_peer_left(&session))
				end_session(); /* who comes now may have it */
			else
				listener_refuse(&listener);
		}
	}
}

/* Whoever comes. */
static void meet(int timeout_ms)
{
	int fd;

	if (!wait_for(listener.fd, POLLIN, timeout_ms))
		return;
	fd = fd_apart(accept4(listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), S_IFSOCK);
	if (fd >= 0 && listener_admits(fd))
		greet(fd);
	else if (fd >= 0)
		close(fd);
}

/* What ttp_start_file has promised, unless a server was faster: then when that is gone. */
static void begin_asked_file(void)
{
	if (session.fd >= 0 || !atomic_load(&me.file_fd))
		return;
	if (full_fd >= 0)
		count_losses(true);
	atomic_store(&me.talking, true);
	open_file(atomic_exchange(&me.file_fd, 0) - 1);
}

static void *run(void *unused)
{
	int64_t started_ns = mono_ns();
	int fd = -1, error = 0;

	(void)unused;
	pthread_setname_np(pthread_self(), "ttp sender");
	sender_resume();
	if (!names_init() || !session_init(&session)) {
		life_nothing_recorded("no memory or files to send events");
		goto out;
	}
	drain_init();
	host_describe(&welcome);
	session_thread_names = (struct names_map){ 0 };
	if (*settings.file) {
		sender_rest();
		fd = file_create(settings.file);
		error = errno;
		sender_resume();
	}
	if (fd >= 0) {
		atomic_store(&me.file_fd, fd + 1); /* begun when there is a clock */
	} else {
		atomic_store(&me.talking, false);
		listener_open(&listener);
		if (*settings.file)
			life_file_failed(error, listener.fd >= 0 ? listener.port : 0);
		else if (listener.fd < 0)
			life_nothing_recorded(
				errno == EMFILE || errno == ENFILE
					? "too many files are open (ulimit -n)"
					: "no port to listen at is free (TRACY_PORT, TTP_LISTEN)");
	}
	if (session.fd < 0)
		listener_be_found(&listener, started_ns, welcome.program);
	while (!atomic_load(&me.stop)) {
		sender_look();
		if (atomic_load(&me.file_fd) && !life_has_clock()) {
			wait_for(-1, 0, BUSY_MS);
			continue;
		}
		begin_asked_file();
		if (session.fd >= 0) {
			serve();
			continue;
		}
		if (session.counts) {
			count_losses(false);
			continue;
		}
		if (settings.on_demand && life_has_clock())
			drain_pass(NULL, false);
		pool_warm(WARM_CHUNKS);
		listener_be_found(&listener, started_ns, welcome.program);
		meet(ALONE_MS);
	}
	if (atomic_load(&me.file_fd)) {
		life_clock();
		begin_asked_file();
	}
	/* Who is announced at a session waits for that one, and not when there is none any more. */
	while (session.fd < 0 && (*settings.session ? listener.awaited : settings.no_exit) &&
	       listener.fd >= 0 && !sender_is_late()) {
		listener_be_found(
			&listener, started_ns,
			welcome.program); /* again, where there was no room for it before */
		meet(20);
	}
	if (session.fd >= 0)
		finish();
	begin_asked_file();
	if (session.fd >= 0)
		finish();
	if (session.counts)
		count_losses(true);
	listener_broadcast(&listener, 66, -1, welcome.program);
	listener_close(&listener);
out:
	sender_rest();
	atomic_store(&me.done, true);
	sem_post(&me.ended);
	return NULL;
}

void sender_start(void)
{
	sigset_t all;
	pthread_attr_t attr;
	pthread_t thread;

	/* A file is as good as there, for those who flush or leave at once. */
	atomic_store(&me.talking, *settings.file != 0);
	wake_open();
	sem_init(&me.ended, 0, 0);
	/* Signals are for the program's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &me.mask);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* The usual size, as the program's thread-local variables may take any part of it; where there is no room
	 * for that, what we need ourselves. */
	me.running = !pthread_create(&thread, &attr, run, NULL);
	if (!me.running) {
		pthread_attr_setstacksize(&attr, (size_t)256 * 1024);
		me.running = !pthread_create(&thread, &attr, run, NULL);
	}
	atomic_store(&me.failed, !me.running);
	if (!me.running)
		life_nothing_recorded("no thread can be started to send events");
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &me.mask, NULL);
}

void sender_stop(void)
{
	int64_t wait_ms = settings.exit_wait_ms;
	struct timespec until;

	if (!me.running)
		return;
	if (!atomic_load(&me.talking) && !atomic_load(&me.file_fd) && !settings.no_exit &&
	    !atomic_load(&me.counting) && !*settings.session)
		wait_ms = 0;
	atomic_store(&me.deadline_ns, mono_ns() + wait_ms * 1000000 + 1);
	life_clock(); /* the sender may be choosing it */
	atomic_store(&me.stopped_at, ticks_peek());
	atomic_store(&me.stop, true);
	wake_ring();
	/* A moment more than the sender itself takes: it must not be cut while it writes. */
	wait_ms += wait_ms ? 200 : 20;
	until = realtime_in(wait_ms * 1000000);
	while (sem_timedwait(&me.ended, &until) < 0 && errno == EINTR)
		;
}

void sender_forget(void)
{
	if (session.fd >= 0)
		close(session.fd);
	session.fd = -1;
	if (full_fd >= 0)
		close(full_fd);
	full_fd = -1;
	session.counts = false;
	atomic_store(&me.counting, false);
	listener_close(&listener);
	wake_close();
	me.running = false;
	atomic_store(&me.stop, false);
	atomic_store(&me.done, false);
	atomic_store(&me.talking, false);
	atomic_store(&me.deadline_ns, 0);
	atomic_store(&me.file_fd, 0);
	settings.listen_fd = -1;
	pthread_mutex_init(&owned, NULL); /* whoever held it is not here */
	atomic_store(&wanted, 0);
}

bool ttp_start_file(const char *path)
{
	KEEP_ERRNO;
	int fd, none = 0;

	if (!path || !life_enter() || life_has_reader() || atomic_load(&me.failed) ||
	    (*settings.file && atomic_load(&me.talking)))
		return false;
	fd = file_create(path);
	if (fd < 0) {
		life_problem("the file cannot be written, or is a pipe, socket or terminal");
		return false;
	}
	atomic_store(&me.talking, true);
	if (!atomic_compare_exchange_strong(&me.file_fd, &none, fd + 1)) {
		close(fd);
		return false;
	}
	wake_ring();
	return true;
}

bool ttp_flush(int timeout_ms)
{
	int64_t until = mono_ns() + (int64_t)timeout_ms * 1000000;
	KEEP_ERRNO;
	uint64_t mine;

	if (!me.running || (!atomic_load(&me.talking) && !atomic_load(&me.file_fd)))
		return false;
	life_clock(); /* a file waits for it */
	mine = atomic_fetch_add(&me.flush_asked, 1) + 1;
	wake_ring();
	while (atomic_load(&me.flush_done) < mine && mono_ns() < until && !atomic_load(&me.done) &&
	       (atomic_load(&me.talking) || atomic_load(&me.file_fd))) {
		const struct timespec moment = { .tv_nsec = 500000 };

		nanosleep(&moment, NULL);
	}
	return atomic_load(&me.flush_done) >= mine;
}
