// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_session.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/paths.h"
#include "wire/peer_user.h"
#include "wire/tracy.h"
#include "wire/welcome.h"

enum {
	HISTORY = 65536,
	IN_BYTES = 512
		   << 10, /* with what is unpacked, less than a megabyte for each of many clients */
	BLOCK_MAX = WIRE_FRAME_MAX + 1028 + 16, /* of a frame, compressed */
	RETRY_MS = 10,
	OPEN_ZONES_WAIT_MS = 1000, /* after the client's last word */
	ANSWERS_WAIT_MS = 5000,    /* the same, for answers of a client that is silent */
	/*
	 * Who accepts and says nothing may be stopped, and is waited for: until we are stopped, if a user named it; else not longer
	 * than this, and when all programs have ended only for a moment.
	 */
	SILENT_MS = 60000,
	SILENT_LAST_MS = 2500,
	CLOSES_MS =
		5000, /* who accepts and closes: a tunnel whose other end is to come, or no client */
	ANNOUNCED_MS = 2000, /* for one that announced itself and is not there any more */
};

/* In this order: what Tenstorrent's users have first. */
static const struct {
	enum wire_key tt, plain; /* one may be WIRE_KEYS: there is none */
	uint32_t number;
} probes[] = {
	{ WIRE_KEY_TT66, WIRE_KEY_66, 66 }, { WIRE_KEYS, WIRE_KEY_82, 82 },
	{ WIRE_KEY_TT76, WIRE_KEY_76, 76 }, { WIRE_KEY_TT83, WIRE_KEYS, 83 },
	{ WIRE_KEY_TT77, WIRE_KEY_77, 77 }, { WIRE_KEY_TT78, WIRE_KEY_78, 78 },
	{ WIRE_KEY_TT79, WIRE_KEY_79, 79 }, { WIRE_KEYS, WIRE_KEY_81, 81 },
	{ WIRE_KEYS, WIRE_KEY_80, 80 },     { WIRE_KEYS, WIRE_KEY_74, 74 },
	{ WIRE_KEYS, WIRE_KEY_69, 69 },     { WIRE_KEYS, WIRE_KEY_64, 64 },
	{ WIRE_KEYS, WIRE_KEY_63, 63 },
};
enum { PROBES = sizeof(probes) / sizeof(*probes) };

static void over(struct session *s, enum capture_end end)
{
	fd_release(&s->fd);
	s->state = SESSION_OVER;
	s->account.end = end;
	/* Of programs that come and go for hours, only their accounts stay. */
	RELEASE(mem, &s->in, &s->raw);
	s->in = s->raw = NULL;
	s->in_len = s->raw_filled = 0;
	questions_release(&s->q);
}

enum ttp_rc session_open(struct session *s, const char *address, uint16_t stream,
			 enum capture_flavor flavor, struct ttp_err *e)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	const char *first = strchr(address, ':'), *colon = strrchr(address, ':'), *start = address;
	char host[256] = "", port[16] = "8086";
	size_t host_len = strlen(address);
	int rc;

	memset(s, 0, sizeof(*s));
	s->fd = -1;
	if (*address == '[' && strchr(address, ']')) { /* [::1]:8086 */
		start++;
		host_len = (size_t)(strchr(address, ']') - start);
		colon = start[host_len + 1] == ':' ? start + host_len + 1 : NULL;
	} else if (colon && colon == first) {
		host_len = (size_t)(colon - address);
	} else { /* an address of IPv6 without a port */
		colon = NULL;
	}
	if (colon)
		(void)snprintf(port, sizeof(port), "%s", colon + 1);
	if (host_len >= sizeof(host) || !*port || strlen(port) > 5)
		return ttp_fail(e, TTP_USAGE, "\"%s\" is no address", address);
	memcpy(host, start, host_len);
	rc = getaddrinfo(*host ? host : "127.0.0.1", port, &hints, &s->addresses);
	if (rc)
		return ttp_fail(e, TTP_USAGE, "%s: %s", address, gai_strerror(rc));
	s->stream = stream;
	s->flavor = flavor;
	s->account.address = str_of(address);
	s->in = mem_alloc(IN_BYTES, 1);
	s->in_cap = IN_BYTES;
	return TTP_OK;
}

static void hang_up(struct session *s, int64_t now_ns)
{
	fd_release(&s->fd);
	s->state = SESSION_WAITING;
	s->retry_ns = now_ns + RETRY_MS * INT64_C(1000000);
	s->in_len = 0;
}

static void next_probe(struct session *s)
{
	do
		s->probe++;
	while (s->probe < PROBES &&
	       ((s->flavor == CAPTURE_TT && probes[s->probe].tt == WIRE_KEYS) ||
		(s->flavor == CAPTURE_UPSTREAM && probes[s->probe].plain == WIRE_KEYS)));
}

static void connect_now(struct session *s, int64_t now_ns)
{
	int size = 4 << 20, one = 1;

	if (!s->trying || !s->answers)
		s->trying = s->trying && s->trying->ai_next ? s->trying->ai_next : s->addresses;
	if (!s->first_ns)
		s->first_ns = now_ns;
	if (s->once && now_ns - s->first_ns > ANNOUNCED_MS * INT64_C(1000000)) {
		over(s, CAPTURE_DROPPED);
		return;
	}
	s->fd = socket(s->trying->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0) {
		s->retry_ns = now_ns + RETRY_MS * INT64_C(1000000);
		return;
	}
	(void)setsockopt(s->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	(void)setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	s->since_ns = now_ns;
	if (connect(s->fd, s->trying->ai_addr, s->trying->ai_addrlen) && errno != EINPROGRESS) {
		s->closed_ns = 0; /* nobody is there */
		hang_up(s, now_ns);
	} else {
		s->state = SESSION_CONNECTING;
	}
}

static void greet(struct session *s, int64_t now_ns)
{
	uint8_t hello[12] = WIRE_SHIBBOLETH;
	socklen_t n = sizeof(int);
	int error = 0;

	(void)getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &error, &n);
	memcpy(hello + 8, &probes[s->probe].number, 4);
	if (error)
		s->closed_ns = 0;
	if (error || send(s->fd, hello, sizeof(hello), MSG_NOSIGNAL) != sizeof(hello)) {
		hang_up(s, now_ns);
		return;
	}
	s->state = SESSION_STATUS;
	s->since_ns = now_ns;
	s->in_len = 0;
}

static enum wire_key probe_key(const struct session *s, bool *either)
{
	enum wire_key tt = probes[s->probe].tt, plain = probes[s->probe].plain;

	*either = s->flavor == CAPTURE_AUTO && tt != WIRE_KEYS && plain != WIRE_KEYS;
	if (s->flavor == CAPTURE_UPSTREAM && plain != WIRE_KEYS)
		return plain;
	return tt != WIRE_KEYS ? tt : plain;
}

/* The moment on the client's clock and ours, if its ticks are of a clock that we have. */
static int64_t same_moment_ticks(const struct wire_welcome *w)
{
	struct timespec ts;
	int64_t now;
	double age_ns;

	if (w->ns_per_tick == 1.0) {
		clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
		now = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
	} else {
#if defined(__x86_64__)
		now = (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
#else
		return 0;
#endif
	}
	age_ns = ((double)now - (double)w->init_begin) * w->ns_per_tick;
	/* Started before us, and not in another machine's past: the second since 1970 must fit, too. */
	if (age_ns < 0 || age_ns > 3e16)
		return 0;
	if ((double)clock_wall_ns() - age_ns - (double)w->epoch_s * 1e9 > 3e9 ||
	    (double)clock_wall_ns() - age_ns - (double)w->epoch_s * 1e9 < -3e9)
		return 0;
	return now;
}

static void boot_id(char out[37])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memset(out, 0, 37);
	if (fd >= 0) {
		if (read(fd, out, 36) != 36)
			memset(out, 0, 37);
		close(fd);
	}
}

/* `on_demand`: what a client on demand sends behind its welcome, or NULL. */
static void put_session(struct session *s, struct spool_file *spool, const uint8_t *welcome,
			const uint8_t *on_demand)
{
	struct spool_session record = { .welcome = welcome,
					.welcome_len = s->q.proto.welcome_bytes,
					.on_demand = on_demand };
	struct timespec raw;
	struct wire_welcome w;

	wire_welcome_get(&s->q.proto, welcome, &w);
	memcpy(record.key, s->q.proto.key, strlen(s->q.proto.key));
	record.pid = w.pid;
	clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
	record.ticks = same_moment_ticks(&w);
	record.mono_ns = (int64_t)raw.tv_sec * 1000000000 + raw.tv_nsec;
	record.wall_ns = clock_wall_ns();
	boot_id(record.boot_id);
	s->session_len = spool_session_put(s->session, &record);
	s->session_at = spool->bytes;
	spool_file_add(spool, SPOOL_SESSION, 0, s->stream, s->session, s->session_len);

	s->ns_per_tick = w.ns_per_tick;
	s->init_begin = w.init_begin;
	s->init_end = w.init_end;
	s->account.has_delay = s->q.proto.welcome_bytes == WIRE_WELCOME_MAX;
	s->account.recorded = true;
	s->account.pid = w.pid;
	memcpy(s->account.program, w.program, sizeof(s->account.program));
	(void)snprintf(s->account.key, sizeof(s->account.key), "%s", s->q.proto.key);
	if (w.ns_per_tick > 0 && w.ns_per_tick < 1e6) {
		s->account.resolution_ns =
			(int64_t)((double)(w.resolution_ticks & 0xFFFFFFFF) * w.ns_per_tick);
		if (s->q.proto.welcome_bytes == WIRE_WELCOME_MAX) {
			uint64_t delay;

			memcpy(&delay, welcome + 24, sizeof(delay));
			s->account.delay_ns =
				(int64_t)((double)(delay & 0xFFFFFFFF) * w.ns_per_tick);
		}
	}
}

/* Sniffed: it is upstream's after all.  Nothing that was decoded so far differs. */
static void correct_key(struct session *s, struct spool_file *spool)
{
	s->q.decided = false;
	memset(s->session + 2, 0, 8);
	memcpy(s->session + 2, s->q.proto.key, strlen(s->q.proto.key));
	(void)snprintf(s->account.key, sizeof(s->account.key), "%s", s->q.proto.key);
	spool_file_replace(spool, s->session_at, SPOOL_SESSION, 0, s->stream, s->session,
			   s->session_len);
}

static void send_queries(struct session *s)
{
	while (s->sent < s->q.to_send.len) {
		ssize_t n = send(s->fd, s->q.to_send.at + s->sent, s->q.to_send.len - s->sent,
				 MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n <= 0)
			return; /* later; when it is gone, reading says so */
		s->sent += (size_t)n;
	}
	buf_clear(&s->q.to_send);
	s->sent = 0;
}

static void goodbye(struct session *s, struct spool_file *spool, enum capture_end end)
{
	uint8_t packet[WIRE_QUERY_BYTES] = { WIRE_ASK_TERMINATE };

	if (s->fd >= 0) {
		send_queries(s);
		/* A client that does not read any more loses nothing by it. */
		if (send(s->fd, packet, sizeof(packet), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			s->sent = 0;
	}
	if (s->account.recorded)
		spool_file_add(spool, SPOOL_END, 0, s->stream, NULL, 0);
	over(s, end);
}

/* One frame that is there as a whole. */
static bool frame(struct session *s, struct spool_file *spool, const uint8_t *block, size_t len)
{
	const uint64_t *events = s->q.events;
	long n;

	spool_file_add(spool, SPOOL_FRAME, SPOOL_CHAINED, s->stream, block, len);
	if (spool->failed) {
		s->account.why = spool->error;
		over(s, CAPTURE_DISK);
		return false;
	}
	s->account.wire_bytes += len + 4;
	s->account.frames_of_bytes++;
	if (s->raw_filled > HISTORY) {
		memmove(s->raw, s->raw + s->raw_filled - HISTORY, HISTORY);
		s->raw_filled = HISTORY;
	}
	n = frame_unpack(block, len, s->raw + s->raw_filled, WIRE_FRAME_MAX,
			 s->raw_filled < HISTORY ? s->raw_filled : (size_t)HISTORY);
	if (n < 0) {
		(void)ttp_fail(&s->account.why, TTP_FORMAT,
			       "a frame of %zu bytes can't be decompressed", len);
		goodbye(s, spool, CAPTURE_BROKEN);
		return false;
	}
	s->raw_filled += (size_t)n;
	s->account.raw_bytes += (uint64_t)n;
	if (questions_frame(&s->q, s->raw + s->raw_filled - n, (size_t)n, &s->account.why)) {
		goodbye(s, spool, CAPTURE_BROKEN);
		return false;
	}
	if (s->q.decided)
		correct_key(s, spool);
	s->account.zones = events[WIRE_EVENT_ZONE];
	s->account.device_zones = events[WIRE_EVENT_DEVICE];
	s->account.messages = events[WIRE_EVENT_MESSAGE];
	s->account.frames = s->q.frames;
	s->account.events = s->account.zones + s->account.device_zones + s->account.messages +
			    s->account.frames + events[WIRE_EVENT_PLOT];
	s->account.ops = s->q.ops;
	s->account.drops = s->q.drops;
	{
		double span = ((double)s->q.last_ticks - (double)s->init_begin) * s->ns_per_tick;

		s->account.span_ns = span > 0 && span < 4e18 ? (int64_t)span : 0;
	}
	return true;
}

/* Everything that was received; false when the session is over. */
static bool handle(struct session *s, struct spool_file *spool, int64_t now_ns, bool *welcomed)
{
	size_t at = 0;
	bool either;
	enum wire_key key;

	for (;;) {
		size_t left = s->in_len - at;
		uint32_t len;

		switch (s->state) {
		case SESSION_STATUS:
			if (!left)
				goto out;
			at++;
			if (s->in[at - 1] == WIRE_NOT_AVAILABLE) {
				over(s, CAPTURE_NOT_AVAILABLE);
				return false;
			}
			if (s->in[at - 1] != WIRE_WELCOME) {
				s->any_mismatch = true;
				s->first_ns = now_ns;
				s->closed_ns = 0;
				s->answers = true; /* go on with the address that did */
				hang_up(s, now_ns);
				s->retry_ns = now_ns;
				next_probe(s);
				if (s->probe >= PROBES)
					over(s, CAPTURE_MISMATCH);
				return false;
			}
			key = probe_key(s, &either);
			questions_init(&s->q, key, either);
			s->raw = mem_alloc(HISTORY + (size_t)WIRE_FRAME_MAX + 1, 1);
			s->state = SESSION_WELCOME;
			break;
		case SESSION_WELCOME: {
			size_t need = s->q.proto.welcome_bytes;
			const uint8_t *on_demand = NULL;
			struct wire_welcome w;

			if (left < need)
				goto out;
			wire_welcome_get(&s->q.proto, s->in + at, &w);
			if (w.flags & WIRE_FLAG_ON_DEMAND) {
				on_demand = s->in + at + need;
				need += WIRE_ON_DEMAND_BYTES;
			}
			if (left < need)
				goto out;
			put_session(s, spool, s->in + at, on_demand);
			at += need;
			s->state = SESSION_FRAMES;
			*welcomed = true;
			break;
		}
		case SESSION_FRAMES:
			if (left < sizeof(len))
				goto out;
			memcpy(&len, s->in + at, sizeof(len));
			if (len > BLOCK_MAX) {
				(void)ttp_fail(&s->account.why, TTP_LIMIT,
					       "a frame of %u bytes, at most %d", len, BLOCK_MAX);
				goodbye(s, spool, CAPTURE_BROKEN);
				return false;
			}
			if (left < sizeof(len) + len)
				goto out;
			at += sizeof(len) + len;
			if (!frame(s, spool, s->in + at - len, len))
				return false;
			break;
		default:
			return false;
		}
	}
out:
	memmove(s->in, s->in + at, s->in_len - at);
	s->in_len -= at;
	return true;
}

/* The client has said its last word and nothing is to be asked: it waits for us to go. */
static void end_if_done(struct session *s, struct spool_file *spool, int64_t now_ns)
{
	if (s->state != SESSION_FRAMES || !s->q.terminated)
		return;
	if (!s->terminated_ns)
		s->terminated_ns = now_ns;
	if ((s->q.pending || s->q.to_send.len) &&
	    now_ns - s->heard_ns < ANSWERS_WAIT_MS * INT64_C(1000000))
		return;
	/* Other threads may still close their zones; one that never does must not keep us for ever. */
	if (s->q.open_zones > 0 && !s->q.crashed &&
	    now_ns - s->terminated_ns < OPEN_ZONES_WAIT_MS * INT64_C(1000000))
		return;
	goodbye(s, spool, CAPTURE_DONE);
}

bool session_wants(const struct session *s, struct pollfd *p)
{
	if (s->fd < 0)
		return false;
	p->fd = s->fd;
	p->events = s->state == SESSION_CONNECTING ? POLLOUT : POLLIN;
	if (s->q.to_send.len)
		p->events |= POLLOUT;
	return true;
}

static void receive(struct session *s, struct spool_file *spool, int64_t now_ns, bool *welcomed)
{
	/* One look per turn, so that many clients get theirs. */
	ssize_t n = recv(s->fd, s->in + s->in_len, s->in_cap - s->in_len, MSG_DONTWAIT);

	if (n > 0) {
		s->heard_ns = now_ns;
		s->in_len += (size_t)n;
		(void)handle(s, spool, now_ns, welcomed);
		return;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (s->state == SESSION_FRAMES) {
		if (s->q.terminated && !s->q.pending) {
			goodbye(s, spool, CAPTURE_DONE);
			return;
		}
		(void)ttp_fail(&s->account.why, TTP_GONE,
			       s->in_len ? "the client is gone in the middle of a frame"
					 : "the client is gone");
		over(s, CAPTURE_GONE);
	} else if (s->state == SESSION_WELCOME) {
		over(s, CAPTURE_DROPPED);
	} else if (s->once) {
		over(s, CAPTURE_DROPPED);
	} else {
		if (!s->closed_ns)
			s->closed_ns = now_ns;
		if (now_ns - s->closed_ns > CLOSES_MS * INT64_C(1000000))
			over(s, CAPTURE_DROPPED);
		else
			hang_up(s, now_ns);
	}
}

/* A port that was announced may have been taken by somebody else since; or the program has ended, and nobody knows whose it was. */
static void connected(struct session *s, int64_t now_ns)
{
	uid_t user = s->owner;
	enum peer peer = s->announced ? peer_user(s->fd, &user) : PEER_NONE;

	s->refused = peer == PEER_KNOWN && user != s->owner;
	if (s->refused || peer == PEER_GONE)
		over(s, CAPTURE_DROPPED);
	else
		greet(s, now_ns);
}

static bool is_silent(const struct session *s, int64_t now_ns)
{
	int64_t limit_ms = s->last ? SILENT_LAST_MS : SILENT_MS;

	return s->state != SESSION_FRAMES && (s->once || s->last) &&
	       now_ns - s->since_ns > limit_ms * 1000000;
}

void session_step(struct session *s, short revents, struct spool_file *spool, int64_t now_ns,
		  bool *welcomed)
{
	*welcomed = false;
	switch (s->state) {
	case SESSION_OVER:
		return;
	case SESSION_WAITING:
		if (now_ns >= s->retry_ns)
			connect_now(s, now_ns);
		return;
	case SESSION_CONNECTING:
		if (revents)
			connected(s, now_ns);
		return;
	default:
		break;
	}
	if (revents & (POLLIN | POLLHUP | POLLERR))
		receive(s, spool, now_ns, welcomed);
	else if (is_silent(s, now_ns))
		over(s, CAPTURE_DROPPED);
	if (s->fd >= 0 && s->state == SESSION_FRAMES) {
		send_queries(s);
		end_if_done(s, spool, now_ns);
	}
}

void session_stop(struct session *s, struct spool_file *spool)
{
	if (s->state != SESSION_OVER)
		goodbye(s, spool, CAPTURE_STOPPED);
}

void session_release(struct session *s)
{
	fd_release(&s->fd);
	if (s->addresses)
		freeaddrinfo(s->addresses);
	questions_release(&s->q);
	RELEASE(mem, &s->in, &s->raw);
}
