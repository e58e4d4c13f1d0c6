// SPDX-License-Identifier: Apache-2.0
#include "wire/peer_user.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Tries: the table is read in pieces, between which it changes. */
enum { ESTABLISHED = 1, LINE_MAX_BYTES = 512, TRIES = 3 };

/* An end of a connection; IPv4 addresses that are written as IPv6 count as the former. */
struct end {
	bool v6;
	uint32_t words[4];
	unsigned port;
};

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static bool end_of(const union address *a, struct end *e)
{
	memset(e, 0, sizeof(*e));
	if (a->any.sa_family == AF_INET) {
		e->words[0] = a->v4.sin_addr.s_addr;
		e->port = ntohs(a->v4.sin_port);
		return true;
	}
	if (a->any.sa_family != AF_INET6)
		return false;
	e->port = ntohs(a->v6.sin6_port);
	memcpy(e->words, &a->v6.sin6_addr, sizeof(e->words));
	e->v6 = !IN6_IS_ADDR_V4MAPPED(&a->v6.sin6_addr);
	if (!e->v6)
		memcpy(e->words, e->words + 3, sizeof(e->words[0]));
	return true;
}

static bool is_loopback(const struct end *e)
{
	static const struct in6_addr loopback = IN6ADDR_LOOPBACK_INIT;

	if (e->v6)
		return !memcmp(e->words, &loopback, sizeof(loopback));
	return ntohl(e->words[0]) >> 24 == 127;
}

/* As the kernel prints it: words of the host's order, then the port. */
static void print_end(const struct end *e, bool v6, char *text, size_t size)
{
	uint32_t w[4] = { 0 };

	if (!v6) {
		(void)snprintf(text, size, "%08X:%04X", (unsigned)e->words[0], e->port);
		return;
	}
	memcpy(w, e->words, sizeof(w));
	if (!e->v6) { /* ::ffff:a.b.c.d */
		w[0] = w[1] = 0;
		w[2] = htonl(0xFFFF);
		w[3] = e->words[0];
	}
	(void)snprintf(text, size, "%08X%08X%08X%08X:%04X", (unsigned)w[0], (unsigned)w[1],
		       (unsigned)w[2], (unsigned)w[3], e->port);
}

/* " 0: LOCAL REMOTE 01 queues tr:when retransmits USER ..." */
static bool is_its_line(const char *line, const char *ends, uid_t *user)
{
	const char *at = strstr(line, ends);
	unsigned state, found;

	/* NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers */
	if (!at || sscanf(at + strlen(ends), " %x %*s %*s %*s %u", &state, &found) != 2 ||
	    state != ESTABLISHED)
		return false;
	*user = (uid_t)found;
	return true;
}

/* A program may close what it did not open, and have a file of its own under the number then. */
static bool is_same_file(int fd, const struct stat *opened)
{
	struct stat now;

	return !fstat(fd, &now) && now.st_dev == opened->st_dev && now.st_ino == opened->st_ino;
}

static enum peer search(const char *table, const char *ends, uid_t *user)
{
	int fd = open(table, O_RDONLY | O_CLOEXEC);
	char line[LINE_MAX_BYTES], chunk[4096];
	enum peer found = PEER_GONE;
	struct statfs system;
	struct stat opened;
	off_t at = 0;
	size_t len = 0;
	ssize_t n;

	if (fd < 0) /* a kernel without IPv6 has no table of it */
		return strchr(table, '6') ? PEER_GONE : PEER_NO_TABLE;
	if (fstat(fd, &opened) || fstatfs(fd, &system) ||
	    system.f_type != PROC_SUPER_MAGIC) /* closed under our hands */
		return PEER_GONE;
	while (found == PEER_GONE && is_same_file(fd, &opened)) {
		n = pread(fd, chunk, sizeof(chunk), at); /* moves nobody's offset */
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		at += n;
		for (ssize_t i = 0; i < n && found == PEER_GONE; i++) {
			if (chunk[i] != '\n') {
				if (len < sizeof(line) - 1)
					line[len++] = chunk[i];
				continue;
			}
			line[len] = 0;
			len = 0;
			if (is_its_line(line, ends, user))
				found = PEER_KNOWN;
		}
	}
	if (is_same_file(fd, &opened))
		close(fd);
	return found;
}

enum peer peer_user(int fd, uid_t *user)
{
	union address here_address = { 0 }, there_address = { 0 };
	socklen_t here_len = sizeof(here_address), there_len = sizeof(there_address);
	char here_text[48], there_text[48], ends[100];
	struct end here, there;
	enum peer found = PEER_GONE;

	if (getsockname(fd, &here_address.any, &here_len) ||
	    getpeername(fd, &there_address.any, &there_len) || !end_of(&here_address, &here) ||
	    !end_of(&there_address, &there))
		return PEER_NONE;
	if (!is_loopback(&there))
		return PEER_REMOTE;
	/* The row of the other end: there, it is the local one.  A socket for IPv6 may have an address of IPv4. */
	for (int i = 0; i < TRIES * 2 && found == PEER_GONE; i++) {
		bool v6 = there.v6 || i % 2;

		print_end(&there, v6, there_text, sizeof(there_text));
		print_end(&here, v6, here_text, sizeof(here_text));
		(void)snprintf(ends, sizeof(ends), "%s %s", there_text, here_text);
		found = search(v6 ? "/proc/self/net/tcp6" : "/proc/self/net/tcp", ends, user);
	}
	return found;
}
