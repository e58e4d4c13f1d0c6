// SPDX-License-Identifier: Apache-2.0
/*
 * A session: one server, or one file, that is sent frames of items.  Holds what a receiver knows so far:
 * references of the time steps, the thread in context, which source locations and strings it has.
 *
 * A file asks nothing, so it gets everything before its first use.
 */
#ifndef TTP_CLIENT_SEND_CLIENT_SESSION_H
#define TTP_CLIENT_SEND_CLIENT_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "client/life/system_memory.h"
#include "client/record/program_lock.h"
#include "client/send/pointer_names.h"
#include "wire/put.h"
#include "wire/welcome.h"

/* ---- device_context.c ---- */

/* Device contexts: what was said about each, for the drain to tell a server when it first needs it. */

/* Cycles → ns: from a point on with one frequency, before it with another. */
struct device_clock {
	_Atomic uint64_t cycles;
	_Atomic int64_t ns;
	_Atomic uint64_t ghz_bits, before_bits; /* of doubles */
};

struct device {
	/* Written once by ttp_device_start, then `started` with release. */
	int64_t host_ticks, device_ns;
	_Atomic uint32_t started;
	uint32_t chip;
	/* clock[turn % 2] is in use; the other one is written, then `turn` with release. */
	struct device_clock clock[2];
	_Atomic uint32_t turn;
	_Atomic bool calibrating;
	_Atomic(const char *) name;
	/* The drain's; the first three are set by ttp_device_start. */
	int64_t anchor_ticks, anchor_ns; /* of the last calibration */
	double host_per_device;          /* ns of the host in one of the device, since then */
	int64_t last_ns;                 /* what went out last in this context */
	uint32_t session;                /* in which it was announced */
	uint16_t query, context;
	uint32_t first; /* the device for which the context was announced */
	uint8_t type;   /* of Tracy's, if the program says; 0: a core's */
};

/* Handle → context; NULL for 0 and for what was never made. */
struct device *device_of(uint32_t handle);
/* Before it starts: what Tracy calls its kind. */
void device_set_type(uint32_t handle, uint8_t type);

struct session {
	struct wire_proto proto;
	struct wire_out out;
	uint8_t *items;  /* WIRE_FRAME_MAX */
	uint8_t *packed; /* a record's header, a frame's prefix, a block */
	void *lz4;
	int fd;
	uint64_t device, inode; /* what it was when the session began */
	bool is_file;
	bool lost;   /* nothing more can be sent */
	bool counts; /* instead of sending: what a full disk has no room for */
	uint32_t number;
	int64_t ref_thread, ref_serial, ref_device;
	uint32_t thread;
	double ns_per_tick;
	OWN_LIST(uint32_t) locations; /* cookie - 1 → location */
	struct names_map texts;       /* those that are sent as texts: name, line and file → 1 */
	uint32_t chip_first[256]; /* where contexts are few: chip → device with its first one */
	uint16_t contexts;        /* so many are used */
	uint32_t last_first;      /* device with the last of them */
	uint64_t frames, bytes_sent;
	int64_t last_sent_ns;
	uint64_t told_drops; /* how many the last report of drops counted, and when it was sent */
	int64_t told_drops_ns;
};

/* Storage, once for all sessions; false without memory. */
bool session_init(struct session *s);
/* Begins anew on `fd`: 0 as every reference, nothing sent. */
void session_begin(struct session *s, enum wire_key key, int fd, bool is_file, uint32_t number,
		   double ns_per_tick);
/* Which protocol to speak to a server that speaks `number`; false if none. */
bool session_choose(uint32_t number, enum wire_key *key);
/* The one that is announced, and that files have: its key, and number. */
const char *session_spoken(uint32_t *number);
/* A peer that has closed its side: nothing more can come of it. */
bool session_peer_left(const struct session *s);
/* Packs and sends what is there. */
void session_flush(struct session *s);
/* Sends as it is, for the handshake; false when the peer is gone. */
bool session_send(struct session *s, const void *bytes, size_t n);
/* A record of a spool. */
void session_record(struct session *s, uint8_t type, uint8_t flags, const void *payload, size_t n);

/* Before items are put: room for them, and for `text` bytes. */
static inline struct wire_out *session_out(struct session *s, size_t text)
{
	if (__builtin_expect(
		    (size_t)(s->items + WIRE_FRAME_MAX - s->out.at) < 4 * WIRE_ITEM_MAX + text, 0))
		session_flush(s);
	return &s->out;
}

/* The same with a text for the item that follows. */
static inline struct wire_out *session_text(struct session *s, const char *text, size_t len)
{
	put_single_string(session_out(s, len), text, len);
	return &s->out;
}

/* Items of a thread follow. */
void session_thread(struct session *s, uint32_t tid);
/* What a location, string, plot, frame or thread is called in this session. */
uint64_t session_location(struct session *s, uint32_t location);
/* Before the begin of a device zone whose source location was one too many: its name, file and line; false: it was not. */
bool session_location_text(struct session *s, uint32_t location);
/* Behind the begin of a zone whose source location was one too many: at least its name. */
void session_zone_named(struct session *s, uint32_t location);
uint64_t session_string(struct session *s, uint32_t string, enum names_role role);
void session_thread_named(struct session *s, uint32_t tid, uint32_t string);
void session_fiber_named(struct session *s, uint32_t fiber, uint32_t string);
/* The context of a device, announced when it is new to the session. */
uint16_t session_device(struct session *s, uint32_t handle, struct device *d);
/* The device for which that context was announced: another one where a chip has one context. */
struct device *session_device_first(const struct session *s, struct device *d);
/* Tells the anchor of a context's first device, `host_step_ns` after the one before. */
void session_calibrate(struct session *s, const struct device *d, int64_t host_step_ns);
/* Announces a lock that is new to the session. */
void session_lock(struct session *s, uint32_t handle, struct lock *l);
/* A lock's own name, if it has one. */
void session_lock_named(struct session *s, uint32_t handle, struct lock *l);
/* Answers one query; false when it is the last. */
bool session_answer(struct session *s, const uint8_t query[WIRE_QUERY_BYTES]);

extern struct names_map session_thread_names; /* tid → string */

/* Spools that the client writes itself. */
/*
 * Creates the file, or empties it.  %p in the path is the process's number; a file that another process is
 * writing, or that this one wrote before it executed another program, is left alone, and ours gets our number behind the
 * name.  -1 if it cannot be, or is neither a regular file nor a device such as /dev/null.
 */
int file_create(const char *path);
/* SESSION, after session_begin; false if nothing can be written. */
bool file_begin(struct session *s, const struct wire_welcome *w);
/* The same once more, at the same offset, with what is known better now. */
void file_begin_again(const struct session *s, const struct wire_welcome *w);
/* What was dropped so far, if that changed, and the clocks. */
void file_note(struct session *s);
void file_note_jump(struct session *s, int64_t ticks, int64_t ns);
void file_end(struct session *s);

/* What a session is sent about the recording itself. */
struct session;

/* Says so when suspend, or a bad counter, made the clocks part. */
void tell_clock_jumps(struct session *s);
/* Servers learn of drops by a message at the end; files have notes. */
void tell_drops(struct session *s);
/* And by one about once a second while more are dropped, for those who leave before. */
void tell_dropping(struct session *s, int64_t now_ns);

/* From `ticks` on it is recorded, or not; so many steps were over. */
void tell_window(struct session *s, int64_t ticks, bool on, uint64_t steps);
/* How many there were in all, if only some were to be recorded. */
void tell_steps(struct session *s);

/* What a server shows about program and machine. */
/* Everything but the times and flags. */
void host_describe(struct wire_welcome *w);
/* 36 characters and NUL; empty where it is not known. */
void host_boot_id(char out[37]);
/* The process's, and its main thread's; 1 with a scripted clock. */
uint32_t host_pid(void);

#endif /* TTP_CLIENT_SEND_CLIENT_SESSION_H */
