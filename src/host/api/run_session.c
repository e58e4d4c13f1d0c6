// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/paths.h"
#include "host/host_device.h"
#include "wire/run_names.h"

#define LOG_AREA "device"
#include "base/log.h"

/* A process takes few numbers at first, so that there are enough for thousands of processes; then twice as many. */
enum { TAKE_FIRST = 256, TAKE_MOST = 1 << 14, LAST_DIGITS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t last_id, last_taken; /* given; taken from the file, 0: none */
static uint32_t take = TAKE_FIRST;
static bool alone;

static void lock_for_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/* What is left of the parent's numbers is not ours. */
static void forget_in_child(void)
{
	if (last_taken)
		last_id = last_taken;
	take = TAKE_FIRST;
	pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
	(void)pthread_atfork(lock_for_fork, unlock_in_parent, forget_in_child);
}

/* The file that processes of the run share, locked; -1 without one. */
static int hold(void)
{
	const char *session = getenv("TTP_SESSION"); // NOLINT(concurrency-mt-unsafe)
	char path[256];
	int n, fd;

	if (!session || !*session)
		return -1;
	n = snprintf(path, sizeof(path), "%s.ops", session);
	fd = n > 0 && (size_t)n < sizeof(path) ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (fd >= 0 && flock(fd, LOCK_EX)) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/* More numbers for this process; false if it has to count by itself. */
static bool take_ids(void)
{
	char text[64] = "";
	int fd = hold(), n;
	unsigned long first;
	uint32_t count = take;
	bool taken = false;

	if (fd < 0)
		return false;
	if (pread(fd, text, LAST_DIGITS, 0) >= 0) {
		first = strtoul(text, NULL, 10) + 1;
		if (first + count - 1 > PROGRAM_ID_MAX)
			count = first > PROGRAM_ID_MAX ? 0 : (uint32_t)(PROGRAM_ID_MAX - first + 1);
		last_id = (uint32_t)first - 1;
		last_taken = last_id + count;
		n = snprintf(text, sizeof(text), "%0*u\n", LAST_DIGITS, (unsigned)last_taken);
		if (count && pwrite(fd, text, (size_t)n, 0) == (ssize_t)n) {
			const char *rank = run_rank();

			n = snprintf(text, sizeof(text), "ops %ld %u %u %s\n", (long)getpid(),
				     (unsigned)last_id + 1, (unsigned)last_taken,
				     rank ? rank : "-");
			(void)lseek(fd, 0, SEEK_END);
			taken = write(fd, text, (size_t)n) == (ssize_t)n;
		}
	}
	(void)close(fd);
	take = take < TAKE_MOST ? take * 2 : take;
	return taken;
}

void session_opens(int device)
{
	char text[64];
	int fd = hold(), n;

	if (fd < 0)
		return;
	n = snprintf(text, sizeof(text), "device %ld %d\n", (long)getpid(), device);
	(void)lseek(fd, 0, SEEK_END);
	(void)!write(fd, text, (size_t)n);
	(void)close(fd);
}

uint32_t session_next_id(void)
{
	uint32_t id;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	if (!alone && last_id == last_taken && !take_ids()) {
		alone = true;
		if (last_taken)
			log_warn(
				"the session has no more numbers of programs: from now on they are counted by each "
				"process, and rows of a report may be of two programs");
		last_id = last_taken = 0;
	}
	if (last_id == PROGRAM_ID_MAX) {
		log_warn("more than %d programs: their ids begin again at 1", PROGRAM_ID_MAX);
		last_id = 0;
	}
	id = ++last_id;
	pthread_mutex_unlock(&lock);
	return id;
}

bool session_begins(const char *folder, int *held)
{
	SCOPED(mem) char *real = realpath(folder, NULL);
	SCOPED(buf) struct buf all = { 0 }, line = { 0 };
	bool begun = false;
	char part[4096];
	ssize_t n;

	*held = hold();
	if (*held >= 0) {
		held_fd(*held);
		buf_printf(&line, "\nlog %s\n", real ? real : folder);
		while ((n = read(*held, part, sizeof(part))) > 0)
			buf_add(&all, part, (size_t)n);
		begun = str_has(buf_view(&all), buf_view(&line));
		if (!begun)
			(void)!write(*held, line.at + 1, line.len - 1);
	}
	return !begun;
}

void session_begun(int held)
{
	if (held >= 0)
		(void)held_close(held);
}
