// SPDX-License-Identifier: Apache-2.0
/*
 * A hostile client against a session of the capture: the input is a script of what it sends and when it leaves, time is the
 * script's own.  The first byte has the flavor (bits 0-1) and whether the client announced itself (bit 2); then follow:
 *
 *	W key flags		greets: a welcome of that protocol, on demand or not
 *	S status		greets with this status only
 *	R len16 bytes		bytes as they are
 *	F len16 bytes		items, as a frame
 *	H part len16 bytes	the first part/256 of such a frame
 *	T n			n * 50 ms pass
 *	X			hangs up
 *
 * Whatever it sends: the spool can be read to its end, has the frames that were counted, and is a trace.
 */
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "capture/capture_session.h"
#include "trace_sinks.h"
#include "wire/peer_user.h"
#include "wire/put.h"
#include "wire/spool.h"
#include "wire/tracy.h"
#include "wire/welcome.h"

enum { MS = 1000000, STEPS_MAX = 400, ROUNDS = 6, PARTS = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

struct client {
	int listener, fd;
	struct session s;
	struct spool_file spool;
	int64_t now_ns;
	unsigned welcomes;
};

/* One of the abstract name space: connecting and sending take effect at once, and no port is used up. */
static int listen_somewhere(struct sockaddr_un *at, socklen_t *len)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	memset(at, 0, sizeof(*at));
	at->sun_family = AF_UNIX;
	must(fd >= 0 && !bind(fd, (struct sockaddr *)at, sizeof(sa_family_t)) && !listen(fd, 64));
	*len = sizeof(*at);
	must(!getsockname(fd, (struct sockaddr *)at, len));
	return fd;
}

static void hang_up(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* What the session asks is read and forgotten, so that it never waits for us. */
static void drain(struct client *c)
{
	char bytes[4096];

	while (c->fd >= 0 && recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
}

static void let_run(struct client *c, int rounds)
{
	for (int i = 0; i < rounds && c->s.state != SESSION_OVER; i++) {
		struct pollfd p = { .fd = -1 };
		bool welcomed, waits = session_wants(&c->s, &p);
		int fd;

		if (waits && poll(&p, 1, 0) < 0)
			p.revents = 0;
		session_step(&c->s, waits ? p.revents : 0, &c->spool, c->now_ns, &welcomed);
		c->welcomes += welcomed;
		fd = accept4(c->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			hang_up(c);
			c->fd = fd;
		}
		drain(c);
		c->now_ns += 3 * MS;
	}
}

static void send_bytes(struct client *c, const uint8_t *at, size_t len)
{
	while (len && c->fd >= 0 && c->s.state != SESSION_OVER) {
		ssize_t n = send(c->fd, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
		let_run(c, 1);
		if (n <= 0 && c->s.state == SESSION_WAITING)
			return;
	}
	let_run(c, ROUNDS);
}

static void send_frame(struct client *c, const uint8_t *items, size_t len, unsigned part)
{
	static uint8_t packed[FRAME_PREFIX + FRAME_BLOCK_MAX];
	static uint64_t state[FRAME_STATE_BYTES / 8 + 1];
	size_t n = frame_pack(state, items, len, packed);

	send_bytes(c, packed, n * part / PARTS);
}

static void greet(struct client *c, enum wire_key key, uint8_t flags)
{
	struct wire_welcome w = { .ns_per_tick = flags & 2 ? 0.4 : 1.0,
				  .init_begin = 1000,
				  .init_end = 2000,
				  .resolution_ticks = 10,
				  .pid = 77,
				  .flags = flags & 1 ? WIRE_FLAG_ON_DEMAND : 0,
				  .program = "fuzz" };
	uint8_t bytes[1 + WIRE_WELCOME_MAX + 16] = { WIRE_WELCOME };
	struct wire_proto p;

	wire_proto_init(&p, key);
	wire_welcome_put(&p, &w, bytes + 1);
	send_bytes(c, bytes, 1 + p.welcome_bytes + (flags & 1 ? 16 : 0));
}

static void play(struct client *c, struct cursor *in)
{
	for (int i = 0; i < STEPS_MAX && in->at < in->end && !in->bad; i++) {
		uint8_t what = cursor_u8(in), part = what == 'H' ? cursor_u8(in) : 0;
		const uint8_t *at;
		size_t len;

		switch (what) {
		case 'W':
			len = cursor_u8(in);
			greet(c, len % WIRE_KEYS, cursor_u8(in));
			break;
		case 'S':
			part = cursor_u8(in);
			send_bytes(c, &part, 1);
			break;
		case 'T':
			c->now_ns += cursor_u8(in) * INT64_C(50) * MS;
			let_run(c, ROUNDS);
			break;
		case 'X':
			hang_up(c);
			let_run(c, ROUNDS);
			break;
		default:
			len = cursor_u16(in);
			if (len > (size_t)(in->end - in->at))
				len = (size_t)(in->end - in->at);
			at = cursor_take(in, len);
			if (what == 'R')
				send_bytes(c, at, len);
			else
				send_frame(c, at, len, what == 'H' ? part : PARTS);
		}
	}
}

/* Frames and ends of the spool, all of which are whole. */
static void check_spool(const struct client *c, int fd)
{
	uint64_t frames = 0, sessions = 0, bytes = c->spool.bytes;
	void *at = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	struct spool_reader r;
	bool more = true;

	must(at != MAP_FAILED && !spool_open(&r, at, bytes, NULL));
	for (;;) {
		struct spool_record rec;

		must(!spool_next(&r, &rec, &more, NULL));
		if (!more)
			break;
		frames += rec.type == SPOOL_FRAME;
		sessions += rec.type == SPOOL_SESSION;
	}
	must(frames == c->s.account.frames_of_bytes && sessions == c->s.account.recorded);
	must(c->welcomes == sessions);
	munmap(at, bytes);
}

/* The user at the other end of a connection to ourselves is us, by either kind of address; one that is closed has none. */
static void know_ourselves(void)
{
	static bool done;

	for (int v6 = 0; v6 < 2 && !done; v6++) {
		struct sockaddr_in6 at = { .sin6_family = AF_INET6,
					   .sin6_addr = IN6ADDR_LOOPBACK_INIT };
		struct sockaddr_in at4 = { .sin_family = AF_INET,
					   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
		struct sockaddr *name = v6 ? (struct sockaddr *)&at : (struct sockaddr *)&at4;
		socklen_t len = v6 ? sizeof(at) : sizeof(at4);
		int listener = socket(name->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		int from = socket(name->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), to = -1;
		uid_t user = 1;

		if (!bind(listener, name, len) && !listen(listener, 1) &&
		    !getsockname(listener, name, &len) && !connect(from, name, len))
			to = accept(listener, NULL, NULL);
		if (to >= 0) { /* a sandbox may have no loopback */
			must(peer_user(to, &user) == PEER_KNOWN && user == geteuid());
			must(peer_user(listener, &user) == PEER_NONE);
			close(from);
			must(peer_user(to, &user) != PEER_KNOWN);
			close(to);
		} else {
			close(from);
		}
		close(listener);
	}
	done = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor in = cursor_of(data, size);
	struct client c = { .fd = -1, .now_ns = 1000 * INT64_C(1000000000) };
	struct sockaddr_un at;
	struct addrinfo one = { .ai_family = AF_UNIX, .ai_addr = (struct sockaddr *)&at };
	struct addrinfo *found;
	struct ttp_err e;
	char path[40];
	uint8_t how;
	int fd;

	if (size < 2 || size > 60000)
		return 0;
	know_ourselves();
	how = cursor_u8(&in);
	must(!session_open(&c.s, "127.0.0.1:1", 0, how % 3, &e));
	found = c.s.addresses;
	c.s.addresses = &one;
	c.s.once = how & 4;
	c.listener = listen_somewhere(&at, &one.ai_addrlen);
	fd = memfd_create("spool", MFD_CLOEXEC);
	must(fd >= 0);
	spool_file_begin(&c.spool, fd);
	let_run(&c, ROUNDS);
	play(&c, &in);
	hang_up(&c);
	session_stop(&c.s, &c.spool);
	must(!c.spool.failed && c.s.account.end != CAPTURE_RUNNING);
	check_spool(&c, fd);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	trace_through(path, how >> 3);
	c.s.addresses = found;
	session_release(&c.s);
	close(fd);
	close(c.listener);
	return 0;
}
