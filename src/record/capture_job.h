// SPDX-License-Identifier: Apache-2.0
/* A capture from beginning to end: the spool, the clients, signals, the .tracy file. */
#ifndef TTP_RECORD_CAPTURE_JOB_H
#define TTP_RECORD_CAPTURE_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/console.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "capture/capture.h"
#include "trace/trace.h"

struct capture_job {
	const struct console *console; /* for warnings */
	const char *output;            /* the .tracy file; the spool is beside it */
	bool keep_spool, spool_only;
	uint32_t version;               /* 0: that of the client */
	struct capture_request request; /* stop_fd is ours */
};

struct capture_outcome {
	struct capture_result result;
	bool saved;
	bool spool_kept;
	char spool[4096], file[4096]; /* where they are */
	uint64_t file_bytes, raw_bytes, zones;
	struct ttp_err save_error;
};

/* Records; TTP_OK also when clients failed: `out` says all.  `saving` is called before the file is made. */
enum ttp_rc capture_record(const struct capture_job *job, struct capture_outcome *out,
			   void (*saving)(void *ctx, const struct capture_outcome *out), void *ctx,
			   struct ttp_err *e);
/* Makes a .tracy file of a spool, whole or cut, which messages call `shown`. */
enum ttp_rc capture_save(const struct console *console, const char *spool, const char *shown,
			 const char *output, uint32_t version, struct capture_outcome *out,
			 struct ttp_err *e);
void capture_outcome_release(struct capture_outcome *out);

/* How a session ended. */
const char *capture_end_text(enum capture_end end);
/* Each client and the file, which is `output` where it was not saved: an object of JSON, or lines. */
void capture_outcome_json(const struct capture_outcome *o, const char *output, struct buf *b);
void capture_warn_refused(const struct console *console, const struct capture_result *r);
/* Events that clients dropped. */
void capture_warn_drops(const struct console *console, const struct capture_result *r);
void capture_outcome_text(const struct capture_outcome *o, struct buf *b);
/* One client as an object of JSON; `end` NULL: not said. */
void capture_client_json(struct json_writer *w, const struct capture_client *c, const char *end);

/* ---- spool_rescue.c ---- */

/* What was recorded outlives the folder that it was recorded into: it is copied while its descriptor is open. */

/* Folders for what has lost its own, best first; NULL after the last. */
const char *rescue_folder(size_t n);
/* Is the folder there that `path` is in? */
bool rescue_has_folder(const char *path);
/* Copies the spool that had the name `lost`, beside that name or to one of the folders; `saved` gets the path of the copy.
 * False: there is no space for it anywhere. */
bool spool_rescue(int fd, const char *lost, struct buf *saved);
/* Has the spool a name still? */
bool spool_has_name(int fd);

/* ---- stop_signals.c ---- */

/* Ctrl-C while files are made of what was recorded: the process ends at once, and says what is kept. */

/*
 * From here on SIGINT, SIGTERM, SIGHUP and SIGQUIT end the process as if nobody handled them, after a line on stderr.
 * Signals that came before are over: they have stopped the recording.  One thread calls it, as often as the line changes.
 */
void stop_signals_allow(const char *fmt, ...) TTP_PRINTF(1, 2);
/* All is made: they end the process without a line. */
void stop_signals_done(void);

#endif /* TTP_RECORD_CAPTURE_JOB_H */
