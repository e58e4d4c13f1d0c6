// SPDX-License-Identifier: Apache-2.0
/*
 * The profiler's words, from one core's buffer (in DRAM or L1), as markers.
 *
 * A buffer is a row of parts; each begins with two zero words and two words of identity, then come the
 * four slots of FW and KERNEL, then markers (docs/reference/formats/device-layout.md).  Decoding is a state machine that
 * believes nothing: a word without its valid bit, an unknown type, an identity of another core is
 * damage; it is counted, and decoding goes on at the next slot, or the next part, that makes sense.
 *
 * Markers are given out in the order in which they nest: FW start, KERNEL start, the kernel's own, KERNEL
 * end, FW end.
 */
#ifndef TTP_DEVICE_MARKERS_H
#define TTP_DEVICE_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/account.h"
#include "device/port.h"

const char *risc_label(int risc); /* "BRISC", "NCRISC", "TRISC_0" ...; RISCS: all of them */

struct device_marker {
	struct tile tile;
	uint8_t risc; /* enum risc */
	uint8_t type; /* enum marker_type */
	uint16_t id;  /* hash of the source location; an event's number */
	uint32_t
		replay; /* replays of traces so far, extended past its 16 bits; 0: there was none */
	uint32_t host_id; /* of the program, as the host gave it */
	uint64_t
		cycles; /* of the device's clock, extended past its 44 bits; a sum has the program's start */
	uint64_t data[2]; /* ZONE_TOTAL: the sum in [0]; DATA: [0]; DATA_16B: both */
};

typedef void marker_fn(void *ctx, const struct device_marker *m);

/* Of one core; keep it between two reads, so that a clock of 44 bits can wrap. */
struct marker_decoder {
	int device; /* for the account */
	struct tile tile;
	uint8_t risc, flat; /* what its words must say: flat id modulo 256 */
	uint64_t last; /* newest time seen; to begin with: near the device's clock, 0 will do */
	uint32_t fw_start[2], kernel_start[2]; /* of the part before: not given out twice */
	uint32_t host_id, replay;
	/* what was skipped, since the beginning */
	uint64_t damaged_slots, lost_parts;
};

/*
 * All of `words`.  `account` (may be NULL) gets the damage.  A slot is two words.
 */
void markers_decode(struct marker_decoder *d, const uint32_t *words, size_t n, marker_fn *fn,
		    void *ctx, struct account *account);

/*
 * How many of `words` are of programs since the last read, if nobody knows: parts from the first word on, as
 * long as their times rise.  What lies behind them is older.
 */
size_t markers_find_end(const struct marker_decoder *d, const uint32_t *words, size_t n);

#endif /* TTP_DEVICE_MARKERS_H */
