// SPDX-License-Identifier: Apache-2.0
#include "client/send/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/life/client_settings.h"
#include "client/life/lifecycle.h"
#include "client/record/ticks.h"
#include "client/send/client_session.h"
#include "wire/peer_user.h"
#include "wire/welcome.h"

enum { PORT_FIRST = 8086, PORTS = 20, WAITING = 64, HANDSHAKE_MS = 2000, BROADCAST_S = 3 };

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static uint16_t port_of(const union address *a)
{
	return ntohs(a->any.sa_family == AF_INET6 ? a->v6.sin6_port : a->v4.sin_port);
}

static bool is_loopback(const union address *a)
{
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
	return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
}

/* A socket that listens at `text`:`port`; -1 if that cannot be. */
static int open_at(const char *text, uint16_t port, union address *a)
{
	const int on = 1;
	socklen_t len;
	int fd;

	memset(a, 0, sizeof(*a));
	if (inet_pton(AF_INET, text, &a->v4.sin_addr) == 1) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons(port);
		len = sizeof(a->v4);
	} else if (inet_pton(AF_INET6, text, &a->v6.sin6_addr) == 1) {
		a->v6.sin6_family = AF_INET6;
		a->v6.sin6_port = htons(port);
		len = sizeof(a->v6);
	} else {
		return -1;
	}
	fd = fd_apart(socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
		      S_IFSOCK);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, &a->any, len) < 0 || listen(fd, WAITING) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

bool listener_take(int fd)
{
	union address a = { 0 };
	socklen_t len = sizeof(a);
	int type = 0;
	socklen_t type_len = sizeof(type);

	if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_len) < 0 ||
	    type != SOCK_STREAM || getsockname(fd, &a.any, &len) < 0 ||
	    (a.any.sa_family != AF_INET && a.any.sa_family != AF_INET6) || !port_of(&a))
		return false;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return true;
}

void listener_open(struct listener *l)
{
	const struct settings *s = &settings;
	union address a = { 0 };
	socklen_t len = sizeof(a);

	*l = (struct listener){ .fd = -1, .announce_fd = -1 };
	/* Asked again: programs close what they don't know. */
	if (listener_take(s->listen_fd) && listen(s->listen_fd, WAITING) == 0)
		l->fd = s->listen_fd;
	if (l->fd < 0 && s->port)
		l->fd = open_at(s->listen, s->port, &a);
	else if (
		!*s->session) /* who is given the port leaves these to Tracy's own clients, which have no others */
		for (uint16_t i = 0; l->fd < 0 && i < PORTS; i++)
			l->fd = open_at(s->listen, (uint16_t)(PORT_FIRST + i), &a);
	/* Someone who is given the port does not mind which: the 21st program of a machine is found, too. */
	if (l->fd < 0 && (*s->session || (s->broadcast && !s->port)))
		l->fd = open_at(s->listen, 0, &a);
	if (l->fd < 0)
		return;
	if (!port_of(&a))
		getsockname(l->fd, &a.any, &len);
	l->port = port_of(&a);
	l->loopback = is_loopback(&a);
}

void listener_close(struct listener *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->announce_fd >= 0)
		close(l->announce_fd);
	l->fd = l->announce_fd = -1;
}

void listener_broadcast(struct listener *l, uint32_t protocol, int32_t active_s,
			const char *program)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT_FIRST) };
	uint8_t datagram[WIRE_BROADCAST_MAX];
	size_t n;

	if (!settings.broadcast || l->fd < 0)
		return;
	if (l->announce_fd < 0) {
		const int on = 1;

		l->announce_fd = fd_apart(
			socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), S_IFSOCK);
		if (l->announce_fd < 0)
			return;
		setsockopt(l->announce_fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
	}
	to.sin_addr.s_addr = htonl(l->loopback ? 0x7FFFFFFF : 0xFFFFFFFF);
	n = wire_broadcast_put(datagram, l->port, protocol, (uint64_t)getpid(), active_s, program);
	sendto(l->announce_fd, datagram, n, MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof(to));
}

/* A datagram to the session, or, where its folder is closed to us because we became another user, to its name without a
 * file; nothing only asks whether anybody is there.  False with errno. */
static bool session_hears(const char *line, size_t n)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(settings.session);
	int fd = fd_apart(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), S_IFSOCK);
	int error;
	bool done;

	if (fd < 0)
		return false;
	memcpy(to.sun_path, settings.session, len + 1);
	done = !connect(fd, (struct sockaddr *)&to, sizeof(to));
	if (!done && errno == EACCES && len + 1 <= sizeof(to.sun_path)) {
		memmove(to.sun_path + 1, settings.session, len);
		to.sun_path[0] = 0;
		done = !connect(fd, (struct sockaddr *)&to,
				(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len));
	}
	if (done && n)
		done = send(fd, line, n, MSG_NOSIGNAL) == (ssize_t)n;
	error = errno;
	close(fd);
	errno = error;
	return done;
}

/* To TTP_SESSION, until it has arrived. */
static void listener_tell(struct listener *l, const char *protocol, const char *program)
{
	char line[256];
	int n;

	if (l->announced && l->awaited && access(settings.session, F_OK) &&
	    (errno != EACCES || !session_hears(NULL, 0)))
		l->awaited = false; /* it has gone without us */
	if (l->announced || !*settings.session)
		return;
	n = snprintf(line, sizeof(line), "TTP1 pid=%d ppid=%d port=%u protocol=%s program=%s\n",
		     (int)getpid(), (int)getppid(), l->port, protocol, program);
	l->announced = session_hears(line, (size_t)n);
	l->awaited = l->announced || errno == EAGAIN; /* full: many start at once */
}

bool listener_admits(int fd)
{
	static bool complained;
	char who[24];
	uid_t user;
	/* Under a session the recorder is there at once, and programs close descriptors that are open for a moment. */
	enum peer peer =
		settings.listen_anyone || *settings.session ? PEER_REMOTE : peer_user(fd, &user);

	if (peer == PEER_REMOTE || peer == PEER_NO_TABLE)
		return true;
	if (peer != PEER_KNOWN)
		return false;
	if (!user || user == geteuid() || user == getuid())
		return true;
	if (!complained) {
		complained = true;
		(void)snprintf(who, sizeof(who), "%u", (unsigned)user);
		complain("user", who, "wanted to read what is recorded, and was refused",
			 "TTP_LISTEN_ANYONE=1 admits all users of this machine");
	}
	return false;
}

void listener_refuse(const struct listener *l)
{
	int fd = fd_apart(accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), S_IFSOCK);
	uint8_t hello[12], status = WIRE_NOT_AVAILABLE;
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (fd < 0)
		return;
	/* Reading first: closing with something unread takes our answer away. */
	if (poll(&p, 1, 20) > 0 && recv(fd, hello, sizeof(hello), MSG_DONTWAIT) > 0)
		send(fd, &status, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fd);
}

void listener_be_found(struct listener *l, int64_t started_ns, const char *program)
{
	static int64_t last_ns;
	int64_t now = mono_ns();
	uint32_t number;

	listener_tell(l, session_spoken(&number), program);
	if (!last_ns || now - last_ns >= BROADCAST_S * INT64_C(1000000000)) {
		last_ns = now;
		listener_broadcast(l, number, (int32_t)((now - started_ns) / 1000000000), program);
	}
}

bool listener_hello(int fd, uint8_t hello[12], bool (*wait)(int fd))
{
	int64_t until = mono_ns() + (int64_t)HANDSHAKE_MS * 1000000;
	size_t have = 0;

	while (have < 12) {
		ssize_t n = recv(fd, hello + have, 12 - have, MSG_DONTWAIT);

		if (n > 0)
			have += (size_t)n;
		else if (!n || (errno != EAGAIN && errno != EINTR) || mono_ns() > until ||
			 !wait(fd))
			return false;
	}
	return !memcmp(hello, WIRE_SHIBBOLETH, 8);
}
