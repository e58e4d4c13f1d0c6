// SPDX-License-Identifier: Apache-2.0
#include "client/send/client_session.h"

#include "client/life/client_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "wire/spool.h"

enum { NAMES_MAX = 100 }; /* programs that one process executes and that write */

static uint64_t noted[DROP_LOCK + 1];

/* `path` with its %p replaced; false if that is too long. */
static bool expand(const char *path, char *out, size_t room)
{
	const char *p = strstr(path, "%p");
	int n;

	if (p)
		n = snprintf(out, room, "%.*s%d%s", (int)(p - path), path, (int)getpid(), p + 2);
	else
		n = snprintf(out, room, "%s", path);
	return n > 0 && (size_t)n < room;
}

/* A regular file, or a device that takes all, such as /dev/null.  Opening a pipe might wait for ever, and so might
 * writing; a terminal is not for bytes; a link that somebody else made leads to where he wants.  What is recorded is its user's own. */
static int open_plain(const char *name)
{
	struct stat st;
	bool own = lstat(name, &st) || !S_ISLNK(st.st_mode) || st.st_uid == geteuid() || !st.st_uid;
	int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (own ? 0 : O_NOFOLLOW);
	int fd = open(name, flags | O_RDWR | O_CREAT, 0600);

	if (fd < 0 && errno == EACCES)
		fd = open(name, flags | O_WRONLY);
	if (fd >= 0 && (fstat(fd, &st) < 0 ||
			!(S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && !isatty(fd))))) {
		close(fd);
		fd = -1;
		errno = ESPIPE;
	}
	if (fd < 0 && errno == ENXIO)
		errno = ESPIPE; /* a socket, or a pipe that nobody reads */
	return fd;
}

/* Does another process write it now, or did this one, before it executed what runs now? */
static bool is_taken(int fd)
{
	uint8_t start[SPOOL_MAGIC_BYTES + SPOOL_HEADER_BYTES + 22];
	struct stat st;
	uint64_t pid;

	/* A device, such as /dev/null, is for everybody. */
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		return false;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return true;
	if (pread(fd, start, sizeof(start), 0) != sizeof(start) ||
	    memcmp(start, SPOOL_MAGIC, SPOOL_MAGIC_BYTES) != 0)
		return false;
	memcpy(&pid, start + sizeof(start) - sizeof(pid), sizeof(pid));
	return !settings.scripted && pid == (uint64_t)getpid();
}

int file_create(const char *path)
{
	char name[1100];
	size_t len;
	int fd;

	if (!expand(path, name, sizeof(name) - 32)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	len = strlen(name);
	fd = open_plain(name);
	for (int i = 0; fd >= 0 && is_taken(fd); i++) {
		close(fd);
		if (i == NAMES_MAX) {
			errno = EBUSY;
			return -1;
		}
		if (!i)
			snprintf(name + len, sizeof(name) - len, ".%d", (int)getpid());
		else
			snprintf(name + len, sizeof(name) - len, ".%d.%d", (int)getpid(), i);
		fd = open_plain(name);
	}
	if (fd >= 0 && ftruncate(fd, 0) < 0) {
		/* A device: then it is only written. */
	}
	return fd;
}

static size_t put_session(const struct session *s, const struct wire_welcome *w,
			  uint8_t payload[SPOOL_SESSION_MAX])
{
	uint8_t welcome[WIRE_WELCOME_MAX];
	struct spool_session session = { .flags = SPOOL_UNASKED,
					 .time_kind = (uint8_t)ticks_kind() };
	struct ticks_pair now;

	wire_welcome_put(&s->proto, w, welcome);
	/* A scripted clock is where the script is, which this thread does not know. */
	if (ticks_kind() == 2)
		now = *ticks_base();
	else
		ticks_pair_take(&now);
	memcpy(session.key, s->proto.key, strlen(s->proto.key));
	session.pid = w->pid;
	session.ppid = ticks_kind() == 2 ? 0 : (uint64_t)getppid();
	session.ticks = now.ticks;
	session.mono_ns = now.mono_ns;
	session.wall_ns = now.wall_ns;
	host_boot_id(session.boot_id);
	session.welcome = welcome;
	session.welcome_len = s->proto.welcome_bytes;
	return spool_session_put(payload, &session);
}

bool file_begin(struct session *s, const struct wire_welcome *w)
{
	uint8_t payload[SPOOL_SESSION_MAX];

	memset(noted, 0, sizeof(noted));
	if (write(s->fd, SPOOL_MAGIC, SPOOL_MAGIC_BYTES) != SPOOL_MAGIC_BYTES) {
		s->lost = true;
		return false;
	}
	session_record(s, SPOOL_SESSION, 0, payload, put_session(s, w, payload));
	return !s->lost;
}

/* In one call, within the first page of the file: a program that is killed has the one or the other. */
void file_begin_again(const struct session *s, const struct wire_welcome *w)
{
	uint8_t record[SPOOL_HEADER_BYTES + SPOOL_SESSION_MAX];
	size_t n = put_session(s, w, record + SPOOL_HEADER_BYTES);

	if (s->lost)
		return;
	spool_header_put(record, SPOOL_SESSION, 0, 0, record + SPOOL_HEADER_BYTES, n);
	if (pwrite(s->fd, record, SPOOL_HEADER_BYTES + n, SPOOL_MAGIC_BYTES) < 0) {
		/* Then it stays as it is. */
	}
}

static void put_note(struct session *s, enum spool_note kind, const uint64_t *numbers, size_t n)
{
	uint8_t payload[132];

	session_record(s, SPOOL_NOTE, 0, payload, spool_note_put(payload, kind, numbers, n));
}

void file_note(struct session *s)
{
	uint64_t drops[DROP_LOCK + 1];
	struct ticks_pair now;

	for (unsigned i = 0; i <= DROP_LOCK; i++)
		drops[i] = stream_dropped(i);
	if (memcmp(drops, noted, sizeof(drops)) != 0) {
		memcpy(noted, drops, sizeof(drops));
		put_note(s, SPOOL_NOTE_DROPS, drops, DROP_LOCK + 1);
	}
	ticks_pair_take(&now);
	put_note(s, SPOOL_NOTE_CLOCK,
		 (uint64_t[]){ (uint64_t)now.ticks, (uint64_t)now.mono_ns, (uint64_t)now.wall_ns },
		 3);
}

void file_note_jump(struct session *s, int64_t ticks, int64_t ns)
{
	put_note(s, SPOOL_NOTE_JUMP, (uint64_t[]){ (uint64_t)ticks, (uint64_t)ns }, 2);
}

void file_end(struct session *s)
{
	file_note(s);
	session_record(s, SPOOL_END, 0, "", 0);
}
