// SPDX-License-Identifier: Apache-2.0
/* One client: connecting, the handshake with each protocol in turn, frames, questions, the end. */
#ifndef TTP_CAPTURE_CAPTURE_SESSION_H
#define TTP_CAPTURE_CAPTURE_SESSION_H

#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "capture/capture.h"
#include "wire/spool.h"
#include "wire/tracy.h"

/* ---- questions.c ---- */

/*
 * What a capture must ask: names of source locations, strings, threads, plots, frame sets, fibers, code, each once, at first sight.
 * Looks through the items of a frame, and through nothing else: nothing is kept of zones but counts.
 */

enum { QUESTIONS_CACHE_BITS = 10, QUESTIONS_CACHE = 1 << QUESTIONS_CACHE_BITS };

struct questions {
	struct wire_proto proto;
	bool either;  /* Tenstorrent's layout or upstream's: the first device context tells */
	bool decided; /* it did just now: proto is another one */
	struct buf to_send;
	uint64_t pending; /* answers that are to come */
	bool terminated, crashed;
	uint64_t events[WIRE_EVENTS]; /* by their kind */
	uint64_t frames;              /* of the set without a name */
	uint64_t ops;                 /* messages of tt-metal that tell of one */
	uint64_t drops;               /* as a client of ours says at its end */
	int64_t open_zones;
	int64_t ref_thread, last_ticks;
	/* ours: */
	struct u64map asked; /* kind and pointer */
	uint64_t recent[QUESTIONS_CACHE];
	bool other_numbers; /* upstream's numbers of items are not Tenstorrent's */
	/* of what is rarer: */
	uint64_t recent_addresses[QUESTIONS_CACHE];
	uint32_t recent_thread;
};

/* `either`: `key` is Tenstorrent's, and upstream has the same number. */
void questions_init(struct questions *q, enum wire_key key, bool either);
/* Items of one frame; TTP_FORMAT where one is unknown or cut. */
enum ttp_rc questions_frame(struct questions *q, const uint8_t *items, size_t len,
			    struct ttp_err *e) TTP_CHECKED;
void questions_release(struct questions *q);

/* ---- spool_sync.c ---- */

/*
 * What the spool has goes to the disk about once a second, on a thread of its own: a slow disk does not hold up the clients.  After
 * a power loss everything is there that was written SPOOL_SYNC_S before, or the time that the disk needs if that is longer.
 */

enum { SPOOL_SYNC_S = 1 };

struct spool_sync {
	int fd;
	_Atomic int failed; /* errno of the disk */
	/* ours: */
	bool on, stop;
	pthread_t thread;
	pthread_mutex_t lock; /* of `stop` */
	pthread_cond_t wake;
};

/* Without a thread to be had, the disk is left to the system. */
void spool_sync_begin(struct spool_sync *s, int fd);
/* When nothing more is written. */
void spool_sync_end(struct spool_sync *s);

/* ---- spool_file.c ---- */

/* A spool that is being written: each record by one system call, and never half of one after an error. */

struct spool_file {
	int fd;
	uint64_t bytes; /* whole records */
	bool failed;    /* nothing more is written */
	struct ttp_err error;
};

void spool_file_begin(struct spool_file *f, int fd);
/* The disk refused what had been written: recording ends. */
void spool_file_fail(struct spool_file *f, int error);
void spool_file_add(struct spool_file *f, enum spool_type type, uint8_t flags, uint16_t stream,
		    const void *payload, size_t len);
/* Writes a record of the same length over the one at `offset`. */
void spool_file_replace(struct spool_file *f, uint64_t offset, enum spool_type type, uint8_t flags,
			uint16_t stream, const void *payload, size_t len);

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
	bool once;      /* don't try again when it refuses */
	bool last;      /* all programs have ended: who says nothing now will not */
	bool announced; /* by `owner`, who also has to be the one that answers */
	uid_t owner;
	bool refused; /* somebody else did */

	size_t probe; /* of the list of protocols */
	int64_t retry_ns, since_ns, first_ns;
	int64_t closed_ns; /* since when it only accepts and closes; 0: it does not */
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
