// SPDX-License-Identifier: Apache-2.0
/* The loop over all clients, and finding them. */
#include "base/paths.h"
#include "capture/capture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "capture/capture_session.h"

enum {
	CLIENTS_MAX = 16384,
	TELL_NS = 100000000,
	QUIET_NS = 1500000000,
	HEAR_MAX = 100,
	NAMES_NS = 1000000000
};

struct capture {
	const struct capture_request *q;
	struct spool_file spool;
	struct spool_sync sync;
	VEC(struct session *) sessions;
	VEC(char *) found; /* addresses of our own */
	int udp, unix_fd;
	int udp_any; /* for those who announce themselves to the whole network, as Tracy's own clients do */
	int abstract_fd; /* the session's name for processes that can't reach its path */
	VEC(struct pollfd) fds;
	VEC(size_t) whose; /* session of each of the first */
	int64_t began_ns, first_ns, last_change_ns;
	uint64_t missed; /* announced, and not to be had: too many */
	uint64_t refused;
	bool last; /* nobody new is waited for */
};

static enum ttp_rc add(struct capture *c, const char *address, bool announced, struct ttp_err *e)
{
	struct session *s;
	enum ttp_rc rc;

	if (c->sessions.len >= CLIENTS_MAX)
		return ttp_fail(e, TTP_LIMIT, "%d clients are as many as can be recorded",
				CLIENTS_MAX);
	s = mem_zero(1, sizeof(*s));
	rc = session_open(s, address, (uint16_t)c->sessions.len, c->q->flavor, e);
	if (rc) {
		session_release(s);
		free(s);
		return rc;
	}
	s->once = announced;
	*vec_push(&c->sessions) = s;
	return TTP_OK;
}

static bool known(const struct capture *c, const char *address)
{
	for (size_t i = 0; i < c->sessions.len; i++)
		if (c->sessions.at[i]->state != SESSION_OVER &&
		    str_eq(c->sessions.at[i]->account.address, str_of(address)))
			return true;
	return false;
}

/* A port of this machine; `owner`: whose it is, if that is known. */
static void add_port(struct capture *c, uint64_t port, const uid_t *owner)
{
	char address[32];
	struct ttp_err e;
	struct session *s;

	(void)snprintf(address, sizeof(address), "127.0.0.1:%llu", (unsigned long long)port);
	if (known(c, address))
		return;
	if (c->sessions.len >= CLIENTS_MAX) {
		c->missed++;
		return;
	}
	*vec_push(&c->found) = mem_text(address);
	if (!c->found.at[c->found.len - 1] || add(c, c->found.at[c->found.len - 1], true, &e))
		return;
	s = c->sessions.at[c->sessions.len - 1];
	s->announced = owner;
	s->owner = owner ? *owner : 0;
	c->last_change_ns = clock_mono_ns();
}

/* Broadcasts of version 3 and 2: u16 version, u16 port, u32 protocol, [u64 pid,] i32 active, program. */
static void heard_broadcast(struct capture *c, const uint8_t *packet, size_t n)
{
	uint16_t version, port;
	int32_t active;

	if (n < 12)
		return;
	memcpy(&version, packet, 2);
	memcpy(&port, packet + 2, 2);
	if (version == 3 && n >= 20)
		memcpy(&active, packet + 16, 4);
	else if (version == 2)
		memcpy(&active, packet + 8, 4);
	else
		return;
	if (active >= 0 && port) {
		uid_t own = geteuid();

		/* Anybody can announce anything; root asks for all programs of the machine. */
		add_port(c, port, own ? &own : NULL);
	}
}

/* "TTP1 pid=1 ppid=1 port=8086 protocol=66 program=x" */
static void heard_announcement(struct capture *c, const char *text, size_t n, uid_t owner)
{
	struct str rest = str_n(text, n), word;
	uint64_t port;

	if (!str_starts(rest, STR("TTP1 ")))
		return;
	while (str_split(&rest, ' ', &word))
		if (str_starts(word, STR("port=")) && number_u64(str_from(word, 5), &port) &&
		    port && port < 65536)
			add_port(c, port, &owner);
}

/* Messages of the session, of those who may send them. */
static void hear_session(struct capture *c, int fd)
{
	char packet[512];
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
	} control;

	for (int i = 0; i < HEAR_MAX && fd >= 0; i++) {
		struct iovec v = { packet, sizeof(packet) };
		struct msghdr m = { .msg_iov = &v,
				    .msg_iovlen = 1,
				    .msg_control = control.bytes,
				    .msg_controllen = sizeof(control.bytes) };
		ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		const struct cmsghdr *h = n < 0 ? NULL : CMSG_FIRSTHDR(&m);
		struct ucred who;

		if (n < 0)
			break;
		if (!h || h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_CREDENTIALS ||
		    h->cmsg_len < CMSG_LEN(sizeof(who)))
			continue;
		memcpy(&who, CMSG_DATA(h), sizeof(who));
		if (who.uid == geteuid() || (c->q->knows && c->q->knows(c->q->ctx, who.pid)))
			heard_announcement(c, packet, (size_t)n, who.uid);
		else
			c->refused++;
	}
}

/* An address of this machine: programs of others are not asked. */
static bool is_ours(const struct sockaddr_in *who)
{
	struct ifaddrs *all, *at;
	bool found = ntohl(who->sin_addr.s_addr) >> 24 == 127;

	if (found || getifaddrs(&all))
		return found;
	for (at = all; at && !found; at = at->ifa_next) {
		struct sockaddr_in own;

		if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET)
			continue;
		memcpy(&own, at->ifa_addr, sizeof(own));
		found = own.sin_addr.s_addr == who->sin_addr.s_addr;
	}
	freeifaddrs(all);
	return found;
}

static void hear_udp(struct capture *c, int fd)
{
	uint8_t packet[512];

	for (int i = 0; i < HEAR_MAX && fd >= 0; i++) {
		struct sockaddr_in who = { 0 };
		socklen_t len = sizeof(who);
		ssize_t n = recvfrom(fd, packet, sizeof(packet), MSG_DONTWAIT,
				     (struct sockaddr *)&who, &len);

		if (n < 0)
			break;
		if (is_ours(&who))
			heard_broadcast(c, packet, (size_t)n);
	}
}

/*
 * Everybody who has announced himself by now.  The kernel keeps ten datagrams of a session's socket, so this is done
 * between any two pieces of work.
 */
static void hear(struct capture *c)
{
	hear_udp(c, c->udp);
	hear_udp(c, c->udp_any);
	hear_session(c, c->unix_fd);
	hear_session(c, c->abstract_fd);
}

static int udp_at(uint32_t address)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(8086) };
	int one = 1, room = 1 << 20, fd;

	to.sin_addr.s_addr = htonl(address);
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (bind(fd, (struct sockaddr *)&to, sizeof(to))) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

static enum ttp_rc listen_udp(struct capture *c, struct ttp_err *e)
{
	/* Ours use the broadcast address of the loopback, Tracy's that of all networks. */
	c->udp = udp_at(0x7FFFFFFF);
	if (c->udp < 0)
		return ttp_fail_errno(
			e, "UDP port 8086 on loopback, where clients announce themselves");
	c->udp_any = udp_at(INADDR_BROADCAST);
	return TTP_OK;
}

/* The path of the session as a name without a file: the folder is closed to processes that became another user. */
static void listen_abstract(struct capture *c, const struct sockaddr_un *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(path->sun_path);
	const int on = 1;

	if (len + 1 > sizeof(to.sun_path))
		return;
	memcpy(to.sun_path + 1, path->sun_path, len);
	c->abstract_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->abstract_fd < 0)
		return;
	(void)setsockopt(c->abstract_fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	if (bind(c->abstract_fd, (struct sockaddr *)&to,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len))) {
		close(c->abstract_fd);
		c->abstract_fd = -1;
	}
}

static enum ttp_rc listen_unix(struct capture *c, struct ttp_err *e)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const int on = 1;

	if (strlen(c->q->session) >= sizeof(to.sun_path))
		return ttp_fail(e, TTP_USAGE, "%s: the path of a socket has at most %zu bytes",
				c->q->session, sizeof(to.sun_path) - 1);
	memcpy(to.sun_path, c->q->session, strlen(c->q->session));
	c->unix_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->unix_fd < 0)
		return ttp_fail_errno(e, "a socket for %s", c->q->session);
	/* Before there is a name: a program may send at once, and what it sends has its user only where we ask for it then. */
	(void)setsockopt(c->unix_fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	(void)fchmod(c->unix_fd, 0600); /* the mode that the name gets */
	if (bind(c->unix_fd, (struct sockaddr *)&to, sizeof(to))) {
		enum ttp_rc rc = ttp_fail_errno(e, "%s", c->q->session);

		close(c->unix_fd);
		c->unix_fd = -1; /* what is there is not ours to remove */
		return rc;
	}
	if (c->q->knows)
		listen_abstract(c, &to);
	return TTP_OK;
}

/* The next client at the address of one that is over. */
static void next_at(struct capture *c, const struct session *s)
{
	struct ttp_err e;

	if (s->state != SESSION_OVER || !s->account.recorded || c->last)
		return;
	for (size_t i = 0; i < c->q->n_addresses; i++)
		if (str_eq(s->account.address, str_of(c->q->addresses[i])) &&
		    !known(c, c->q->addresses[i]))
			(void)add(c, c->q->addresses[i], false, &e);
}

/* Nothing runs any more, and nobody new is to be waited for. */
static bool all_over(const struct capture *c, int64_t now_ns)
{
	size_t running = 0, recorded = 0;

	for (size_t i = 0; i < c->sessions.len; i++) {
		const struct session *s = c->sessions.at[i];

		/* Who is not there when all programs have ended will not come. */
		running += s->state != SESSION_OVER && !(c->last && s->state == SESSION_WAITING);
		recorded += s->account.recorded;
	}
	if (running)
		return false;
	if (c->last)
		return true;
	if (c->q->last_fd > 0)
		return false; /* it will be said */
	if (!c->q->discover && !c->q->session)
		return true;
	return recorded && now_ns - c->last_change_ns > QUIET_NS;
}

static void tell(struct capture *c, bool welcomed, size_t which)
{
	if (c->q->progress && c->sessions.len)
		c->q->progress(c->q->ctx, &c->sessions.at[which]->account, c->sessions.len,
			       welcomed);
}

static void add_up(struct capture *c)
{
	struct capture_client all = { 0 };
	uint64_t clients = 0;

	if (!c->q->sum)
		return;
	for (size_t i = 0; i < c->sessions.len; i++) {
		const struct capture_client *one = &c->sessions.at[i]->account;

		clients += one->recorded;
		all.events += one->events;
		all.ops += one->ops;
		all.drops += one->drops;
		all.raw_bytes += one->raw_bytes;
	}
	c->q->sum->clients = clients;
	c->q->sum->events = all.events;
	c->q->sum->ops = all.ops;
	c->q->sum->drops = all.drops;
	c->q->sum->raw_bytes = all.raw_bytes;
	c->q->sum->stored_bytes = c->spool.bytes;
}

/* Names that were asked for and are still to come. */
static bool names_are_due(const struct capture *c)
{
	for (size_t i = 0; i < c->sessions.len; i++)
		if (c->sessions.at[i]->state == SESSION_FRAMES && c->sessions.at[i]->q.pending)
			return true;
	return false;
}

/* Behind the sessions' descriptors. */
enum { WAIT_STOP, WAIT_LAST, WAIT_UDP, WAIT_UDP_ANY, WAIT_SESSION, WAIT_ABSTRACT };

static int what_to_wait_for(struct capture *c)
{
	int wait_ms = 100;

	vec_clear(&c->fds);
	vec_clear(&c->whose);
	for (size_t i = 0; i < c->sessions.len; i++) {
		const struct session *s = c->sessions.at[i];
		struct pollfd p = { 0 };

		if (session_wants(s, &p)) {
			*vec_push(&c->fds) = p;
			*vec_push(&c->whose) = i;
		} else if (s->state == SESSION_WAITING) {
			wait_ms = 10;
		}
		if (s->state != SESSION_OVER && s->q.terminated)
			wait_ms = 10;
	}
	const int others[] = {
		[WAIT_STOP] = c->q->stop_fd,
		/* Once: from then on it would never let us sleep. */
		[WAIT_LAST] = c->q->last_fd > 0 && !c->last ? c->q->last_fd : -1,
		[WAIT_UDP] = c->udp,
		[WAIT_UDP_ANY] = c->udp_any,
		[WAIT_SESSION] = c->unix_fd,
		[WAIT_ABSTRACT] = c->abstract_fd,
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		*vec_push(&c->fds) = (struct pollfd){ .fd = others[i], .events = POLLIN };
	return wait_ms;
}

static void step_all(struct capture *c)
{
	int64_t now = clock_mono_ns();

	for (size_t i = 0, k = 0; i < c->sessions.len; i++) {
		short revents = 0;
		bool welcomed;
		enum session_state before = c->sessions.at[i]->state;

		c->sessions.at[i]->last = c->last;
		if (k < c->whose.len && c->whose.at[k] == i)
			revents = c->fds.at[k++].revents;
		session_step(c->sessions.at[i], revents, &c->spool, now, &welcomed);
		if (revents)
			hear(c);
		if (welcomed) {
			if (!c->first_ns)
				c->first_ns = now;
			if (c->q->sum)
				c->q->sum->clients++;
			tell(c, true, i);
		}
		if (c->sessions.at[i]->state != before)
			c->last_change_ns = now;
		if (c->q->again && before != SESSION_OVER)
			next_at(c, c->sessions.at[i]);
	}
}

/* Time is up, as far as `seconds` say. */
static bool time_is_up(const struct capture *c, int64_t now)
{
	int64_t since = c->first_ns || !c->q->limit_wait ? c->first_ns : c->began_ns;

	return c->q->seconds && since && now - since >= c->q->seconds * INT64_C(1000000000);
}

static void loop(struct capture *c)
{
	int64_t reported_ns = 0, stopped_ns = 0;

	c->began_ns = clock_mono_ns();
	for (;;) {
		int64_t now = clock_mono_ns();
		int wait_ms;

		if (!stopped_ns && time_is_up(c, now))
			stopped_ns = now;
		/* A moment more for names that were asked for: without them zones are of little use. */
		if (stopped_ns && (!names_are_due(c) || now - stopped_ns > NAMES_NS))
			break;
		if (c->sync.failed && !c->spool.failed)
			spool_file_fail(&c->spool, c->sync.failed);
		if (c->spool.failed || all_over(c, now))
			break;
		wait_ms = what_to_wait_for(c);
		if (poll(c->fds.at, c->fds.len, wait_ms) < 0 && errno != EINTR)
			break;
		if (c->fds.at[c->whose.len + WAIT_STOP].revents) {
			char signal[512];

			if (stopped_ns || read(c->q->stop_fd, signal, sizeof(signal)) <= 0)
				break; /* asked twice */
			stopped_ns = now;
		}
		hear(c);
		c->last |= c->fds.at[c->whose.len + WAIT_LAST].revents != 0;
		step_all(c);
		if (now - reported_ns >= TELL_NS) {
			reported_ns = now;
			tell(c, false, 0);
			add_up(c);
		}
	}
	for (size_t i = 0; i < c->sessions.len; i++)
		session_stop(c->sessions.at[i], &c->spool);
	add_up(c);
}

enum ttp_rc capture_run(const struct capture_request *q, int spool_fd, struct capture_result *r,
			struct ttp_err *e)
{
	struct capture c = { .q = q, .udp = -1, .udp_any = -1, .unix_fd = -1, .abstract_fd = -1 };
	enum ttp_rc rc = TTP_OK;

	memset(r, 0, sizeof(*r));
	spool_file_begin(&c.spool, spool_fd);
	spool_sync_begin(&c.sync, spool_fd);
	for (size_t i = 0; i < q->n_addresses && !rc; i++)
		rc = add(&c, q->addresses[i], !q->again && (q->discover || q->session), e);
	if (!rc && q->discover)
		rc = listen_udp(&c, e);
	if (!rc && q->session)
		rc = listen_unix(&c, e);
	if (!rc)
		loop(&c);
	spool_sync_end(&c.sync);
	r->elapsed_ns = c.first_ns ? clock_mono_ns() - c.first_ns : 0;
	r->spool_bytes = c.spool.bytes;
	r->missed = c.missed;
	r->refused = c.refused;
	r->disk_failed = c.spool.failed;
	r->error = c.spool.error;
	for (size_t i = 0; i < c.sessions.len; i++) {
		r->refused += c.sessions.at[i]->refused;
		*vec_push(&r->clients) = c.sessions.at[i]->account;
		/* Found addresses live as long as this call. */
		r->clients.at[i].address = str_n(NULL, 0);
		session_release(c.sessions.at[i]);
		free(c.sessions.at[i]);
	}
	vec_each (text, &c.found)
		free(*text);
	RELEASE(vec, &c.sessions, &c.fds, &c.whose, &c.found);
	RELEASE(fd, &c.udp, &c.udp_any, &c.abstract_fd);
	if (c.unix_fd >= 0) {
		close(c.unix_fd);
		unlink(q->session);
	}
	return rc;
}

void capture_result_release(struct capture_result *r)
{
	vec_release(&r->clients);
}
