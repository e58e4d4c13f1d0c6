// SPDX-License-Identifier: Apache-2.0
/*
 * Messages of a Tracy export with back-ticks for quotes: `text over lines`;time.  A text that was cut lacks
 * its closing quote and would swallow what follows: the reader goes on at the next line that opens one.
 */
#ifndef TTP_OPS_HOST_MESSAGES_H
#define TTP_OPS_HOST_MESSAGES_H

#include "ops/host/host_events.h"

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

/* The op with this id, made when it is new. */
struct host_op *host_op_add(struct host_events *h, uint64_t id);
/* The number of such a program in `programs`. */
uint32_t host_program_add(struct host_events *h, const struct host_program *p);
void host_op_set_times(struct host_events *h, struct host_op *op, int64_t start_ns, int64_t exec_ns,
		       int64_t message_ns);

#endif /* TTP_OPS_HOST_MESSAGES_H */
