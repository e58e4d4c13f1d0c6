// SPDX-License-Identifier: Apache-2.0
/*
 * The spool: what a capture is, a tee of a client's frames.  docs/reference/formats/spool.md is its reference.
 *
 *	file    "TTPR1\0\0\0", then records until the end
 *	record  u32 len | u32 crc32c | u8 type | u8 flags | u16 stream | len bytes
 *
 * The checksum covers everything behind it: type, flags, stream and payload.  `stream` tells sessions
 * apart that are written into one file at the same time.  Records are appended whole, so a file that was
 * cut anywhere is readable up to the cut.
 */
#ifndef TTP_WIRE_SPOOL_H
#define TTP_WIRE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/tracy.h"

#define SPOOL_MAGIC "TTPR1\0\0" /* with its NUL: 8 bytes */

enum {
	SPOOL_MAGIC_BYTES = 8,
	SPOOL_HEADER_BYTES = 12,
	SPOOL_RECORD_MAX = 1 << 20, /* of a payload; a larger one is taken for damage */
	SPOOL_SESSION_FIXED = 98,   /* of a SESSION before the welcome */
	SPOOL_SESSION_MAX = SPOOL_SESSION_FIXED + WIRE_WELCOME_MAX + WIRE_ON_DEMAND_BYTES,
};

enum spool_type { SPOOL_SESSION = 1, SPOOL_FRAME = 2, SPOOL_NOTE = 3, SPOOL_END = 4 };
enum spool_frame_flag { SPOOL_CHAINED = 0, SPOOL_INDEPENDENT = 1 };
enum spool_session_flag { SPOOL_UNASKED = 1 }; /* answers stand before first use, nobody asked */
enum spool_time { SPOOL_TIME_REAL, SPOOL_TIME_MODELLED, SPOOL_TIME_SCRIPTED };
enum spool_note { SPOOL_NOTE_DROPS = 1, SPOOL_NOTE_CLOCK = 2, SPOOL_NOTE_JUMP = 3 };

struct spool_session {
	char key[9]; /* of the protocol, such as "TT66" */
	uint16_t flags;
	uint8_t time_kind;
	uint64_t pid, ppid;
	int64_t ticks, mono_ns, wall_ns; /* the same moment on three clocks */
	char boot_id[37];
	const uint8_t *welcome; /* borrowed */
	size_t welcome_len;
	const uint8_t *on_demand; /* WIRE_ON_DEMAND_BYTES behind the welcome; NULL: none */
};

/* The 12 bytes before a payload. */
void spool_header_put(uint8_t out[SPOOL_HEADER_BYTES], enum spool_type type, uint8_t flags,
		      uint16_t stream, const void *payload, size_t len);
/* Payload of a SESSION; returns its length.  The welcome must not be longer than WIRE_WELCOME_MAX. */
size_t spool_session_put(uint8_t out[SPOOL_SESSION_MAX], const struct spool_session *s);
/* Payload of a NOTE: kind and up to 16 numbers; returns its length. */
size_t spool_note_put(uint8_t out[132], enum spool_note kind, const uint64_t *numbers, size_t n);

struct spool_record {
	enum spool_type type;
	uint8_t flags;
	uint16_t stream;
	size_t offset;          /* of its header in the file */
	const uint8_t *payload; /* borrowed */
	size_t len;
};

/* Reads a spool that is in memory. */
struct spool_reader {
	const uint8_t *bytes;
	size_t len, offset;
};

TTP_CHECKED enum ttp_rc spool_open(struct spool_reader *r, const void *bytes, size_t len,
				   struct ttp_err *e);
/*
 * The next record; *more is false, with TTP_OK, at the end.  TTP_FORMAT where the file is cut or
 * damaged: the error says where, and everything before is good.
 */
TTP_CHECKED enum ttp_rc spool_next(struct spool_reader *r, struct spool_record *rec, bool *more,
				   struct ttp_err *e);
/*
 * After such an error: goes to the next record that is whole, by its checksum; false, and the end, if there is none.
 * What lies between is lost.
 */
bool spool_resync(struct spool_reader *r);
TTP_CHECKED enum ttp_rc spool_session_get(const struct spool_record *rec, struct spool_session *s,
					  struct ttp_err *e);
/* *n is how many numbers fit on entry, and how many there are on return. */
TTP_CHECKED enum ttp_rc spool_note_get(const struct spool_record *rec, enum spool_note *kind,
				       uint64_t *numbers, size_t *n, struct ttp_err *e);

/* ---- crc32c.c ---- */

/* CRC-32C (Castagnoli), as in iSCSI and ext4: 0 to start, the result to continue. */

uint32_t crc32c(uint32_t crc, const void *bytes, size_t n);

#endif /* TTP_WIRE_SPOOL_H */
