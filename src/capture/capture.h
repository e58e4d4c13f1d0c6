// SPDX-License-Identifier: Apache-2.0
/*
 * Recording clients into a spool, one or many at the same time, from one thread.
 *
 * A client listens, we connect: "TracyPrf" and a protocol's number, until it takes one.  Frames are appended to the
 * spool whole, as they come; of what is in them only names are looked at, to ask what they mean.
 */
#ifndef TTP_CAPTURE_CAPTURE_H
#define TTP_CAPTURE_CAPTURE_H

#include <stdatomic.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum capture_flavor { CAPTURE_AUTO, CAPTURE_TT, CAPTURE_UPSTREAM };

enum capture_end {
	CAPTURE_RUNNING,
	CAPTURE_DONE,          /* the client ended in order */
	CAPTURE_STOPPED,       /* we did: a signal, or time is up */
	CAPTURE_GONE,          /* the client vanished; all that it sent is kept */
	CAPTURE_BROKEN,        /* it sent what we don't understand; all before is kept */
	CAPTURE_MISMATCH,      /* it speaks no protocol of ours */
	CAPTURE_NOT_AVAILABLE, /* another server has been there */
	CAPTURE_DROPPED,       /* it hung up in the handshake */
	CAPTURE_DISK,          /* the spool can't be written */
};

struct capture_client {
	struct str address; /* as given or found */
	enum capture_end end;
	struct ttp_err why; /* of BROKEN, GONE, DISK */
	char key[9], program[64];
	uint64_t pid;
	uint64_t wire_bytes, raw_bytes; /* received; decompressed */
	uint64_t zones, device_zones, messages, frames, frames_of_bytes;
	uint64_t events, ops,
		drops; /* all that counts as one; ops of tt-metal; as it says itself */
	int64_t resolution_ns, delay_ns, span_ns;
	bool has_delay; /* its protocol tells how long an event takes */
	bool recorded;  /* it has a session in the spool */
};

/* All clients together, kept up to date about ten times a second: for another thread, while it runs. */
struct capture_sum {
	_Atomic uint64_t clients, events, ops, drops, raw_bytes, stored_bytes;
};

struct capture_request {
	const char *const *addresses; /* "host:port" or "host" */
	size_t n_addresses;
	bool discover;       /* and whoever announces itself on UDP 8086 */
	const char *session; /* and at this socket (TTP_SESSION); NULL none */
	/* ... of our own processes, and of those of other users that this knows: root's programs may become somebody else's. */
	bool (*knows)(void *ctx, pid_t pid);
	bool one; /* classic: the first address decides how it ends */
	enum capture_flavor flavor;
	int64_t seconds; /* after the first welcome; 0: until clients end */
	bool limit_wait; /* `seconds` also limit the waiting for that */
	int stop_fd;     /* readable: stop and save; -1 none */
	int last_fd; /* readable: who is there ends by itself, nobody new is waited for; 0 or less: none */
	bool again; /* an address may have one client after the other */
	/* Called about ten times a second, and once when a client was welcomed. */
	void (*progress)(void *ctx, const struct capture_client *c, size_t n, bool welcomed);
	void *ctx;               /* of both */
	struct capture_sum *sum; /* NULL: nobody looks */
};

struct capture_result {
	VEC(struct capture_client) clients;
	int64_t elapsed_ns; /* since the first welcome */
	uint64_t spool_bytes;
	uint64_t missed; /* clients that announced themselves beyond what can be recorded at once */
	uint64_t refused;     /* messages and connections of other users */
	struct ttp_err error; /* of the whole: the spool */
	bool disk_failed;
};

/* Records into `spool_fd`, an empty file that can be written, until all is over.  TTP_SYS only if nothing could begin. */
enum ttp_rc capture_run(const struct capture_request *q, int spool_fd, struct capture_result *r,
			struct ttp_err *e) TTP_CHECKED;
void capture_result_release(struct capture_result *r);

#endif /* TTP_CAPTURE_CAPTURE_H */
