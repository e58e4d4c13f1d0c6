// SPDX-License-Identifier: Apache-2.0
/* The loop over all clients, and finding them. */
#include "capture/capture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "capture/session.h"

enum { CLIENTS_MAX = 1024, TELL_NS = 100000000, QUIET_NS = 1500000000 };

struct capture {
	const struct capture_request *q;
	struct spool_file spool;
	VEC(struct session *) sessions;
	VEC(char *) found; /* addresses of our own */
	int udp, unix_fd;
	int64_t first_ns, last_change_ns;
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
		    str_eq(c->sessions.at[i]->told.address, str_of(address)))
			return true;
	return false;
}

static void add_port(struct capture *c, uint64_t port)
{
	char address[32];
	struct ttp_err e;

	(void)snprintf(address, sizeof(address), "127.0.0.1:%llu", (unsigned long long)port);
	if (known(c, address))
		return;
	*vec_push(&c->found) = strdup(address);
	if (!c->found.at[c->found.len - 1] || add(c, c->found.at[c->found.len - 1], true, &e))
		return;
	c->last_change_ns = clock_mono_ns();
}

/* Broadcasts of version 3 and 2: u16 version, u16 port, u32 protocol, [u64 pid,] i32 active, program. */
static void heard_broadcast(struct capture *c)
{
	uint8_t packet[512];
	uint16_t version, port;
	int32_t active;
	ssize_t n = recv(c->udp, packet, sizeof(packet), MSG_DONTWAIT);

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
	if (active >= 0 && port)
		add_port(c, port);
}

/* "TTP1 pid=1 ppid=1 port=8086 protocol=66 program=x" */
static void heard_announcement(struct capture *c)
{
	char text[512];
	ssize_t n = recv(c->unix_fd, text, sizeof(text), MSG_DONTWAIT);
	struct str rest, word;
	uint64_t port;

	if (n <= 0)
		return;
	rest = str_n(text, (size_t)n);
	if (!str_starts(rest, STR("TTP1 ")))
		return;
	while (str_split(&rest, ' ', &word))
		if (str_starts(word, STR("port=")) && number_u64(str_from(word, 5), &port) &&
		    port && port < 65536)
			add_port(c, port);
}

static enum ttp_rc listen_udp(struct capture *c, struct ttp_err *e)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(8086) };
	int one = 1;

	c->udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->udp < 0)
		return ttp_fail_errno(e, "UDP");
	(void)setsockopt(c->udp, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	(void)setsockopt(c->udp, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
	/* Broadcasts on loopback go to its own broadcast address; other interfaces are not listened to. */
	to.sin_addr.s_addr = htonl(0x7FFFFFFF);
	if (bind(c->udp, (struct sockaddr *)&to, sizeof(to)))
		return ttp_fail_errno(
			e, "UDP port 8086 on loopback, where clients announce themselves");
	return TTP_OK;
}

static enum ttp_rc listen_unix(struct capture *c, struct ttp_err *e)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	if (strlen(c->q->session) >= sizeof(to.sun_path))
		return ttp_fail(e, TTP_USAGE, "%s: the path of a socket has at most %zu bytes",
				c->q->session, sizeof(to.sun_path) - 1);
	memcpy(to.sun_path, c->q->session, strlen(c->q->session));
	c->unix_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->unix_fd < 0)
		return ttp_fail_errno(e, "a socket for %s", c->q->session);
	if (bind(c->unix_fd, (struct sockaddr *)&to, sizeof(to))) {
		enum ttp_rc rc = ttp_fail_errno(e, "%s", c->q->session);

		close(c->unix_fd);
		c->unix_fd = -1; /* what is there is not ours to remove */
		return rc;
	}
	return TTP_OK;
}

/* The next client at the address of one that is over. */
static void next_at(struct capture *c, const struct session *s)
{
	struct ttp_err e;

	if (s->state != SESSION_OVER || !s->told.recorded || c->last)
		return;
	for (size_t i = 0; i < c->q->n_addresses; i++)
		if (str_eq(s->told.address, str_of(c->q->addresses[i])) &&
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
		recorded += s->told.recorded;
	}
	if (running)
		return false;
	if (c->last)
		return true;
	if (!c->q->discover && !c->q->session)
		return true;
	return recorded && now_ns - c->last_change_ns > QUIET_NS;
}

static void tell(struct capture *c, bool welcomed, size_t which)
{
	if (c->q->progress && c->sessions.len)
		c->q->progress(c->q->ctx, &c->sessions.at[which]->told, c->sessions.len, welcomed);
}

static void loop(struct capture *c)
{
	VEC(struct pollfd) fds = { 0 };
	VEC(size_t) whose = { 0 };
	int64_t told_ns = 0;

	for (;;) {
		int64_t now = clock_mono_ns();
		int wait_ms = 100;
		bool stop = false;

		if (c->q->seconds && c->first_ns &&
		    now - c->first_ns >= c->q->seconds * INT64_C(1000000000))
			stop = true;
		if (stop || c->spool.failed || all_over(c, now))
			break;
		vec_clear(&fds);
		vec_clear(&whose);
		for (size_t i = 0; i < c->sessions.len; i++) {
			struct pollfd p = { 0 };

			if (session_wants(c->sessions.at[i], &p)) {
				*vec_push(&fds) = p;
				*vec_push(&whose) = i;
			} else if (c->sessions.at[i]->state == SESSION_WAITING) {
				wait_ms = 10;
			}
			if (c->sessions.at[i]->q.terminated)
				wait_ms = 10;
		}
		*vec_push(&fds) = (struct pollfd){ .fd = c->q->stop_fd, .events = POLLIN };
		*vec_push(&fds) = (struct pollfd){ .fd = c->udp, .events = POLLIN };
		*vec_push(&fds) = (struct pollfd){ .fd = c->unix_fd, .events = POLLIN };
		*vec_push(&fds) =
			(struct pollfd){ .fd = c->q->last_fd > 0 && !c->last ? c->q->last_fd : -1,
					 .events = POLLIN };
		if (poll(fds.at, fds.len, wait_ms) < 0 && errno != EINTR)
			break;
		if (fds.at[whose.len].revents)
			break;
		/* Once: from then on it would never let us sleep. */
		if (c->q->last_fd > 0 && !c->last)
			c->last = fds.at[whose.len + 3].revents;
		if (fds.at[whose.len + 1].revents)
			heard_broadcast(c);
		if (fds.at[whose.len + 2].revents)
			heard_announcement(c);
		now = clock_mono_ns();
		for (size_t i = 0, k = 0; i < c->sessions.len; i++) {
			short revents = 0;
			bool welcomed;
			enum session_state before = c->sessions.at[i]->state;

			if (k < whose.len && whose.at[k] == i)
				revents = fds.at[k++].revents;
			session_step(c->sessions.at[i], revents, &c->spool, now, &welcomed);
			if (welcomed) {
				if (!c->first_ns)
					c->first_ns = now;
				tell(c, true, i);
			}
			if (c->sessions.at[i]->state != before)
				c->last_change_ns = now;
			if (c->q->again && before != SESSION_OVER)
				next_at(c, c->sessions.at[i]);
		}
		if (now - told_ns >= TELL_NS) {
			told_ns = now;
			tell(c, false, 0);
		}
	}
	for (size_t i = 0; i < c->sessions.len; i++)
		session_stop(c->sessions.at[i], &c->spool);
	vec_release(&fds);
	vec_release(&whose);
}

enum ttp_rc capture_run(const struct capture_request *q, int spool_fd, struct capture_result *r,
			struct ttp_err *e)
{
	struct capture c = { .q = q, .udp = -1, .unix_fd = -1 };
	enum ttp_rc rc = TTP_OK;

	memset(r, 0, sizeof(*r));
	spool_file_begin(&c.spool, spool_fd);
	for (size_t i = 0; i < q->n_addresses && !rc; i++)
		rc = add(&c, q->addresses[i], !q->again && (q->discover || q->session), e);
	if (!rc && q->discover)
		rc = listen_udp(&c, e);
	if (!rc && q->session)
		rc = listen_unix(&c, e);
	if (!rc)
		loop(&c);
	r->elapsed_ns = c.first_ns ? clock_mono_ns() - c.first_ns : 0;
	r->spool_bytes = c.spool.bytes;
	r->disk_failed = c.spool.failed;
	r->error = c.spool.error;
	for (size_t i = 0; i < c.sessions.len; i++) {
		*vec_push(&r->clients) = c.sessions.at[i]->told;
		/* Found addresses live as long as this call. */
		r->clients.at[i].address = str_n(NULL, 0);
		session_release(c.sessions.at[i]);
		free(c.sessions.at[i]);
	}
	vec_each (text, &c.found)
		free(*text);
	vec_release(&c.sessions);
	vec_release(&c.found);
	if (c.udp >= 0)
		close(c.udp);
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
