// SPDX-License-Identifier: Apache-2.0
/*
 * Messages by which tt-metal, and libttpdev as it does, report ops and traces to a profiler:
 *
 *	TT_DNN_DEVICE_OP: "code", hash, device, hit, id ->\n{JSON}	all about an op
 *	TT_DNN_DEVICE_OP: "code", hash, device, hit, id			as the op with that hash before
 *	TT_DNN_FALL_BACK_OP:"code" ->\n{JSON}				an op without a device
 *	TT_METAL_TRACE_BEGIN: device, trace				also END, REPLAY
 *	TT_METAL_TRACE_ENQUEUE_PROGRAM: device, trace, id
 *	TT_SIGNPOST: header\nmessage
 *
 * Clients put them into back-ticks, which quote them in exports.  Zones of ops have the names in front of the colon.
 */
#ifndef TTP_WIRE_TT_MESSAGE_H
#define TTP_WIRE_TT_MESSAGE_H

#include "base/str.h"

#define TT_DEVICE_OP     "TT_DNN_DEVICE_OP"
#define TT_HOST_OP       "TT_DNN_HOST_OP"
#define TT_FALL_BACK_OP  "TT_DNN_FALL_BACK_OP"
#define TT_OP_ARROW      " ->\n"
#define TT_TRACE         "TT_METAL_TRACE_"
#define TT_TRACE_BEGIN   "BEGIN"
#define TT_TRACE_END     "END"
#define TT_TRACE_REPLAY  "REPLAY"
#define TT_TRACE_ENQUEUE "ENQUEUE_PROGRAM"
#define TT_SIGNPOST      "TT_SIGNPOST"

enum tt_kind {
	TT_KIND_OTHER,
	TT_KIND_OP,        /* with JSON */
	TT_KIND_CACHED_OP, /* without */
	TT_KIND_TRACE_BEGIN,
	TT_KIND_TRACE_END,
	TT_KIND_TRACE_REPLAY,
	TT_KIND_TRACE_OTHER,
};

/* Which texts count: those that begin as above, or, to the tools that we replace, those that have it anywhere. */
enum tt_match { TT_AT_START, TT_ANYWHERE };

/* Texts are parts of what was read. */
struct tt_message {
	enum tt_kind kind;
	bool complete; /* every number of its first line could be read */
	/* of ops: */
	struct str code; /* "" without one */
	struct str json;
	uint64_t hash, id;
	bool hit;
	/* of ops and traces: */
	int64_t device; /* -1: none */
	int64_t trace;
};

/* `text` without back-ticks around it. */
void tt_message_read(struct tt_message *m, struct str text, enum tt_match match);
/* With TT_ANYWHERE, an op whose name has it is one, too. */
bool tt_is_signpost(struct str text, enum tt_match match);
/* Zones of ops, by name. */
bool tt_is_op_zone(struct str name);
/* "id:1024", the text of an op's zone; "1024" will do. */
bool tt_zone_id(struct str text, uint64_t *id);
/* The same of the zone around a call, which may be any zone: only "id:" makes it an op's. */
bool tt_parent_id(struct str text, uint64_t *id);

#endif /* TTP_WIRE_TT_MESSAGE_H */
