// SPDX-License-Identifier: Apache-2.0
/*
 * Being found: a listening socket, datagrams for those who search, a line to a parent who waits.
 */
#ifndef TTP_CLIENT_SEND_LISTEN_H
#define TTP_CLIENT_SEND_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

struct listener {
	int fd; /* -1: nobody can come */
	uint16_t port;
	bool loopback;
	int announce_fd; /* for datagrams */
	bool announced;  /* TTP_SESSION knows */
	bool awaited;    /* and who listens there is to come */
};

/* Makes a socket that somebody else has bound to a port ours; false if it is none.  At once, before the program
 * has anything else under that number. */
bool listener_take(int fd);
/* By settings: TTP_LISTEN_FD, TRACY_PORT, or a search from 8086 on. */
void listener_open(struct listener *l);
/* Without telling anyone: after fork. */
void listener_close(struct listener *l);
/* active_s seconds after the start; -1: not waiting any more. */
void listener_broadcast(struct listener *l, uint32_t protocol, int32_t active_s,
			const char *program);
/* Both, as often as it takes; `started_ns` of mono_ns. */
void listener_be_found(struct listener *l, int64_t started_ns, const char *program);
/* Connections on the loopback have an owner: ourselves, or root, unless TTP_LISTEN_ANYONE is set. */
bool listener_admits(int fd);
/* The first bytes of a server; `wait` waits for more of them, false to give up. */
bool listener_hello(int fd, uint8_t hello[12], bool (*wait)(int fd));
/* Tells who comes while another is served that there is no room. */
void listener_refuse(const struct listener *l);

#endif /* TTP_CLIENT_SEND_LISTEN_H */
