// SPDX-License-Identifier: Apache-2.0
/*
 * reader PORT KEY PAUSE_US: a server that counts zones fast and reads as slowly as one likes: it waits PAUSE_US
 * after each frame.  Prints begins, ends and the deepest nesting; fails when nesting or times are broken.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/tracy.h"
#include "wire/tracy_fields.h"
#include "wire/welcome.h"

enum { THREADS = 4096 };

static struct {
	uint32_t tid;
	uint32_t depth;
	int64_t last;
} threads[THREADS];
static unsigned thread_count, at_thread;
static unsigned long long begins, ends, texts;
static uint32_t deepest;
static int64_t ref;
static bool terminated;
static int fd;

_Noreturn static void fail(const char *why)
{
	fprintf(stderr, "reader: %s\n", why);
	exit(1);
}

static void read_all(void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t did = recv(fd, p, n, 0);

		if (did <= 0)
			fail("the client is gone");
		p += did;
		n -= (size_t)did;
	}
}

static void to_thread(uint32_t tid)
{
	for (at_thread = 0; at_thread < thread_count; at_thread++)
		if (threads[at_thread].tid == tid)
			break;
	if (at_thread == THREADS)
		fail("too many threads");
	if (at_thread == thread_count)
		threads[thread_count++].tid = tid;
	ref = 0;
}

static void step(int64_t by)
{
	ref += by;
	if (ref < threads[at_thread].last)
		fail("time goes back");
	threads[at_thread].last = ref;
}

static void take(const struct wire_proto *p, const struct wire_got *got)
{
	uint32_t *depth = &threads[at_thread].depth;
	uint64_t srcloc;
	int64_t by;

	if (wire_begin(p, wire_traits[got->item].shape, got->at, &by, &srcloc)) {
		begins++;
		step(by);
		if (++*depth > deepest)
			deepest = *depth;
	} else if (wire_end(p, wire_traits[got->item].shape, got->at, &by)) {
		ends++;
		step(by);
		if (!(*depth)--)
			fail("an end without begin");
	}
	switch (got->item) {
	case WIRE_ThreadContext:
		to_thread(wire_get_thread_context(p, got->at).thread);
		break;
	case WIRE_ZoneText:
		texts++;
		if (!*depth)
			fail("a text without zone");
		break;
	case WIRE_Terminate:
		terminated = true;
		break;
	default:
		break;
	}
}

int main(int argc, char **argv)
{
	static uint8_t block[FRAME_BLOCK_MAX], items[WIRE_FRAME_MAX], welcome[1 + WIRE_WELCOME_MAX];
	struct sockaddr_in to = { .sin_family = AF_INET };
	struct wire_proto p;
	enum wire_key key = WIRE_KEY_TT66;
	useconds_t pause_us;

	if (argc != 4 || !wire_key_parse(argv[2], strlen(argv[2]), &key))
		fail("reader PORT KEY PAUSE_US");
	wire_proto_init(&p, key);
	pause_us = (useconds_t)strtoul(argv[3], NULL, 10);
	to.sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10));
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (int tries = 0;; tries++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		if (!connect(fd, (struct sockaddr *)&to, sizeof(to)))
			break;
		close(fd);
		if (tries == 500)
			fail("nobody listens");
		usleep(10000);
	}
	if (send(fd, WIRE_SHIBBOLETH, 8, 0) != 8 || send(fd, &p.number, 4, 0) != 4)
		fail("cannot greet");
	read_all(welcome, 1U + p.welcome_bytes);
	while (!terminated) {
		struct cursor c;
		struct wire_got got;
		uint32_t n;
		long len;

		read_all(&n, sizeof(n));
		if (n > sizeof(block))
			fail("a frame is too large");
		read_all(block, n);
		len = frame_unpack(block, n, items, sizeof(items), 0);
		if (len < 0)
			fail("a frame is damaged");
		c = cursor_of(items, (size_t)len);
		while (wire_next(&p, &c, &got))
			take(&p, &got);
		if (c.bad)
			fail("an item is cut or unknown");
		if (pause_us)
			usleep(pause_us);
	}
	for (unsigned i = 0; i < thread_count; i++)
		if (threads[i].depth)
			fail("a zone is open at the end");
	if (send(fd, "\0\0\0\0\0\0\0\0\0\0\0\0", WIRE_QUERY_BYTES, 0) != WIRE_QUERY_BYTES)
		fail("cannot say goodbye");
	printf("begins=%llu ends=%llu texts=%llu deepest=%u\n", begins, ends, texts, deepest);
	return 0;
}
