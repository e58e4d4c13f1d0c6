// SPDX-License-Identifier: Apache-2.0
/*
 * What a client says of itself: the welcome of the handshake and the datagram of discovery.
 *
 *	server → client   "TracyPrf", u32 protocol
 *	client → server   u8 status, and with WIRE_WELCOME the welcome; then frames
 *	server → client   queries of 13 bytes: u8 kind, u64 pointer, u32 extra
 */
#ifndef TTP_WIRE_WELCOME_H
#define TTP_WIRE_WELCOME_H

#include "wire/tracy.h"

#define WIRE_SHIBBOLETH "TracyPrf"

enum wire_status { WIRE_WELCOME = 1, WIRE_MISMATCH = 2, WIRE_NOT_AVAILABLE = 3 };

/* Numbers from 66 on. */
enum wire_query {
	WIRE_ASK_TERMINATE,
	WIRE_ASK_STRING,
	WIRE_ASK_THREAD,
	WIRE_ASK_LOCATION,
	WIRE_ASK_PLOT,
	WIRE_ASK_FRAME,
	WIRE_ASK_PARAMETER,
	WIRE_ASK_FIBER,
	WIRE_ASK_EXTERNAL,
	WIRE_ASK_DISCONNECT,
	WIRE_ASK_CALLSTACK_FRAME,
	WIRE_ASK_SYMBOL,
	WIRE_ASK_SYMBOL_CODE,
	WIRE_ASK_SOURCE_CODE,
	WIRE_ASK_DATA,
	WIRE_ASK_DATA_PART,
};

enum { WIRE_FLAG_ON_DEMAND = 1 };

struct wire_welcome {
	double ns_per_tick;
	int64_t init_begin, init_end; /* ticks; the server's time zero and the start of frame 1 */
	uint64_t event_ticks;         /* what recording one costs; protocols before 75 have it */
	uint64_t resolution_ticks;
	uint64_t epoch_s;    /* of the start, since 1970 */
	uint64_t exe_time_s; /* of the program's file; 0: source files are not asked for */
	uint64_t pid;
	int64_t sampling_period; /* ns; 0: none */
	uint8_t flags, cpu_arch;
	char cpu_maker[12];
	uint32_t cpu_id;
	char program[64];
	char host[1024];
};

/* Writes proto->welcome_bytes bytes. */
void wire_welcome_put(const struct wire_proto *p, const struct wire_welcome *w, uint8_t *out);
/* Reads as many; they must be there. */
void wire_welcome_get(const struct wire_proto *p, const uint8_t *in, struct wire_welcome *w);
/* Returns the length of the datagram; `active_s` is -1 when the client leaves. */
size_t wire_broadcast_put(uint8_t out[WIRE_BROADCAST_MAX], uint16_t port, uint32_t protocol,
			  uint64_t pid, int32_t active_s, const char *program);

#endif /* TTP_WIRE_WELCOME_H */
