// SPDX-License-Identifier: Apache-2.0
/* Who writes markers, and of what kinds they are: the same for a device's words, for the log's writer and for its reader. */
#ifndef TTP_BASE_MARKER_KINDS_H
#define TTP_BASE_MARKER_KINDS_H

#include "base/each_arg.h"

/* X(id, name in logs): cores of a worker in the profiler's order, then others. */
#define RISC_LIST(X)         \
	X(BRISC, "BRISC")    \
	X(NCRISC, "NCRISC")  \
	X(TRISC0, "TRISC_0") \
	X(TRISC1, "TRISC_1") \
	X(TRISC2, "TRISC_2") \
	X(ERISC, "ERISC")    \
	X(AGG, "TENSIX_RISC_AGG")

enum risc {
#define X(id, name) RISC_##id,
	RISC_LIST(X)
#undef X
		RISC_KNOWN
};

/* X(id, word in today's logs), in the order of the words' types (ttp/kernel/layout.h).  NONE stands for anything else. */
#define MARKER_TYPE_LIST(X)         \
	X(ZONE_START, "ZONE_START") \
	X(ZONE_END, "ZONE_END")     \
	X(ZONE_TOTAL, "ZONE_TOTAL") \
	X(DATA, "TS_DATA")          \
	X(EVENT, "TS_EVENT")        \
	X(DATA_16B, "TS_DATA_16B")  \
	X(NONE, "")

enum marker_type {
#define X(id, name) MARKER_##id,
	MARKER_TYPE_LIST(X)
#undef X
		MARKER_TYPES
};

static inline const char *risc_log_name(enum risc r)
{
	static const char *const names[] = { RISC_LIST(LIST_2ND) };

	return r < RISC_KNOWN ? names[r] : "?";
}

static inline const char *marker_type_name(enum marker_type t)
{
	static const char *const names[] = { MARKER_TYPE_LIST(LIST_2ND) };

	return t < MARKER_TYPES ? names[t] : "?";
}

#endif /* TTP_BASE_MARKER_KINDS_H */
