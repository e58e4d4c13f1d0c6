// SPDX-License-Identifier: Apache-2.0
/*
 * The host's side of a run from two exports of its trace:
 *
 *	tracy_ops_data.csv	messages: MessageName;total_ns, texts in back-ticks, over several lines
 *	tracy_ops_times.csv	zones: name, zone_text "id:1024", ns_since_start, exec_time_ns, …
 *
 * A text in back-ticks that was cut lacks its closing quote and would swallow what follows: the reader goes on at the next line that
 * opens one.
 */
#ifndef TTP_OPS_HOST_HOST_CSV_H
#define TTP_OPS_HOST_HOST_CSV_H

#include "ops/host/host_events.h"

/*
 * Reads both files; `processes` stay, or NULL.  A file that is missing (ENOENT) leaves its part empty; `*complete` says whether both
 * were there.
 */
enum ttp_rc host_events_read(struct host_events *h, const char *messages_path,
			     const char *zones_path, bool hash_is_name,
			     const struct run_processes *processes, bool *complete,
			     struct ttp_err *e) TTP_CHECKED;
/* The same from texts that the caller keeps. */
void host_events_add_messages(struct host_events *h, struct str text);
void host_events_add_zones(struct host_events *h, struct str text);

struct message {
	struct str text;
	struct str time; /* as it stands there; empty when it is missing */
	bool cut;        /* the closing quote is missing */
	uint64_t line;
};

struct message_reader {
	struct str rest;
	uint64_t line;
	struct arena *texts; /* of messages that held doubled quotes */
};

bool message_next(struct message_reader *r, struct message *m);
/* A text without doubled back-ticks. */
struct str message_undouble(struct arena *texts, struct str s);

#endif /* TTP_OPS_HOST_HOST_CSV_H */
