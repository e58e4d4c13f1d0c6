// SPDX-License-Identifier: Apache-2.0
/*
 * Whose is the other end of a TCP connection on the loopback?  The kernel's table of connections has the user of each
 * socket.  For both sides of a recording: other users of the machine neither read it nor add to it.
 */
#ifndef TTP_WIRE_PEER_USER_H
#define TTP_WIRE_PEER_USER_H

#include <sys/types.h>

enum peer {
	PEER_KNOWN,   /* *user is it */
	PEER_REMOTE,  /* not on this machine's loopback */
	PEER_NONE,    /* not connected */
	PEER_GONE,    /* it is, and the other end is not: it is being closed */
	PEER_NO_TABLE /* no /proc to ask */
};

/* Allocates nothing, and keeps no descriptor. */
enum peer peer_user(int fd, uid_t *user);

#endif /* TTP_WIRE_PEER_USER_H */
