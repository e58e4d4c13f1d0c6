// SPDX-License-Identifier: Apache-2.0
/* One client: connecting, the handshake with each protocol in turn, frames, questions, the end. */
#ifndef TTP_CAPTURE_CAPTURE_SESSION_H
#define TTP_CAPTURE_CAPTURE_SESSION_H

#include <netdb.h>
#include <poll.h>

#include "capture/capture.h"
#include "capture/questions.h"
#include "capture/spool_file.h"

enum session_state {
	SESSION_WAITING,
	SESSION_CONNECTING,
	SESSION_STATUS,
	SESSION_WELCOME,
	SESSION_FRAMES,
	SESSION_OVER
};

struct session {
	struct capture_client account;
	enum session_state state;
	int fd;
	struct addrinfo *addresses, *trying; /* all of a name, one after the other */
	uint16_t stream;
	enum capture_flavor flavor;
	bool once; /* don't try again when it refuses */

	size_t probe; /* of the list of protocols */
	int64_t retry_ns, since_ns, first_ns;
	bool any_mismatch, answers;

	uint8_t *in; /* received, not yet handled */
	size_t in_len, in_cap;
	uint8_t *raw; /* history and frame */
	size_t raw_filled;
	size_t sent;
	struct questions q;
	uint64_t session_at; /* offset of its record in the spool */
	uint8_t session[SPOOL_SESSION_MAX];
	size_t session_len;
	double ns_per_tick;
	int64_t init_begin, init_end;
	int64_t terminated_ns, heard_ns;
};

/* "host:port"; a port of its own where none is given. */
enum ttp_rc session_open(struct session *s, const char *address, uint16_t stream,
			 enum capture_flavor flavor, struct ttp_err *e) TTP_CHECKED;
/* What it waits for; false when it only waits for time. */
bool session_wants(const struct session *s, struct pollfd *p);
/* Does what can be done now; welcomed is set when that happened. */
void session_step(struct session *s, short revents, struct spool_file *spool, int64_t now_ns,
		  bool *welcomed);
/* Says goodbye. */
void session_stop(struct session *s, struct spool_file *spool);
void session_release(struct session *s);

#endif /* TTP_CAPTURE_CAPTURE_SESSION_H */
