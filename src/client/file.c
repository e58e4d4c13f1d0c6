// SPDX-License-Identifier: Apache-2.0
#include "client/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "client/host.h"
#include "client/stream.h"
#include "client/ticks.h"
#include "wire/spool.h"

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

int file_create(const char *path)
{
	char name[1100];
	int fd;

	if (!expand(path, name, sizeof(name) - 16))
		return -1;
	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		size_t len = strlen(name);

		close(fd);
		snprintf(name + len, sizeof(name) - len, ".%d", (int)getpid());
		fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0)
			return -1;
		flock(fd, LOCK_EX | LOCK_NB);
	}
	if (ftruncate(fd, 0) < 0) {
		/* A pipe or a device: then it is only written. */
	}
	return fd;
}

bool file_begin(struct session *s, const struct wire_welcome *w)
{
	uint8_t welcome[WIRE_WELCOME_MAX], payload[SPOOL_SESSION_MAX];
	struct spool_session session = { .flags = SPOOL_UNASKED,
					 .time_kind = (uint8_t)ticks_kind() };
	struct ticks_pair now;

	memset(noted, 0, sizeof(noted));
	if (write(s->fd, SPOOL_MAGIC, SPOOL_MAGIC_BYTES) != SPOOL_MAGIC_BYTES)
		return false;
	wire_welcome_put(&s->proto, w, welcome);
	ticks_pair_take(&now);
	memcpy(session.key, s->proto.key, strlen(s->proto.key));
	session.pid = w->pid;
	session.ppid = (uint64_t)getppid();
	session.ticks = now.ticks;
	session.mono_ns = now.mono_ns;
	session.wall_ns = now.wall_ns;
	host_boot_id(session.boot_id);
	session.welcome = welcome;
	session.welcome_len = s->proto.welcome_bytes;
	session_record(s, SPOOL_SESSION, 0, payload, spool_session_put(payload, &session));
	return !s->lost;
}

void file_note(struct session *s)
{
	uint64_t drops[DROP_LOCK + 1];
	uint8_t payload[132];
	struct ticks_pair now;

	for (unsigned i = 0; i <= DROP_LOCK; i++)
		drops[i] = stream_dropped(i);
	if (memcmp(drops, noted, sizeof(drops)) != 0) {
		memcpy(noted, drops, sizeof(drops));
		session_record(s, SPOOL_NOTE, 0, payload,
			       spool_note_put(payload, SPOOL_NOTE_DROPS, drops, DROP_LOCK + 1));
	}
	ticks_pair_take(&now);
	session_record(s, SPOOL_NOTE, 0, payload,
		       spool_note_put(payload, SPOOL_NOTE_CLOCK,
				      (uint64_t[]){ (uint64_t)now.ticks, (uint64_t)now.mono_ns,
						    (uint64_t)now.wall_ns },
				      3));
}

void file_note_jump(struct session *s, int64_t ticks, int64_t ns)
{
	uint8_t payload[132];

	session_record(s, SPOOL_NOTE, 0, payload,
		       spool_note_put(payload, SPOOL_NOTE_JUMP,
				      (uint64_t[]){ (uint64_t)ticks, (uint64_t)ns }, 2));
}

void file_end(struct session *s)
{
	file_note(s);
	session_record(s, SPOOL_END, 0, "", 0);
}
