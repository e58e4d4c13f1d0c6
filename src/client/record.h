// SPDX-License-Identifier: Apache-2.0
/*
 * Events as they lie in a thread's chunks: records of 64-bit words.  The first word is a kind in the low
 * byte and an argument in the other 56 bits: a pointer, a time (of which 56 bits are enough beside the one
 * before it), or a length.  This never leaves the process.
 *
 *	X(kind, words, what)     words without text
 */
#ifndef TTP_CLIENT_RECORD_H
#define TTP_CLIENT_RECORD_H

#include <stdint.h>

#define RECORD_LIST(X)                                                                        \
	X(ZONE_BEGIN, 2)       /* location | time */                                          \
	X(ZONE_END, 1)         /* time */                                                     \
	X(ZONE_TEXT, 1)        /* length, text */                                             \
	X(ZONE_NAME, 1)        /* length, text */                                             \
	X(ZONE_COLOR, 1)       /* rgb */                                                      \
	X(ZONE_VALUE, 2)       /* - | value */                                                \
	X(MESSAGE, 2)          /* length, rgb << 24, RECORD_COLORED | time, text */           \
	X(LITERAL, 3)          /* text | time | rgb, RECORD_COLORED */                        \
	X(APP_INFO, 2)         /* length | time, text */                                      \
	X(THREAD_NAME, 1)      /* length, text */                                             \
	X(FRAME, 2)            /* name | time */                                              \
	X(FRAME_START, 2)      /* name | time */                                              \
	X(FRAME_END, 2)        /* name | time */                                              \
	X(PLOT_INT, 3)         /* name | time | value */                                      \
	X(PLOT_FLOAT, 3)       /* name | time | bits */                                       \
	X(PLOT_DOUBLE, 3)      /* name | time | bits */                                       \
	X(PLOT_CONFIG, 2)      /* name | format, step << 8, fill << 16, rgb << 32 */          \
	X(ALLOC, 4)            /* pool | time | address | size */                             \
	X(FREE, 3)             /* pool | time | address */                                    \
	X(DISCARD, 2)          /* pool | time */                                              \
	X(DEVICE_START, 1)     /* device */                                                   \
	X(DEVICE_CALIBRATE, 4) /* device | host ticks | device ns | step of the host in ns */ \
	X(DEVICE_BEGIN, 4)     /* location | time | lane, device << 32 | device ns */         \
	X(DEVICE_END, 3)       /* time | lane, device << 32 | device ns */                    \
	X(DEVICE_ZONE, 5)      /* location | time | lane, device << 32 | device ns, twice */  \
	X(THREAD, 3)           /* tid | name in 16 bytes: what follows is of this thread */   \
	X(THREAD_GONE, 1)      /* - */                                                        \
	X(PART, 1)             /* length, text: the beginning of the next record's text */

enum record_kind {
#define X(kind, words) RECORD_##kind,
	RECORD_LIST(X)
#undef X
		RECORD_KINDS
};

#define RECORD_COLORED   (UINT64_C(1) << 48) /* of an argument */
#define RECORD_TEXT_MASK 0xFFFFU
#define RECORD_FIRST_PART \
	(UINT64_C(1) << 16) /* what was before belongs to an event that was dropped */
enum {
	RECORD_TEXT_MAX = 65534,
	RECORD_INLINE_MAX = 4096, /* longer text goes into PARTs first */
};

static inline uint64_t record_head(enum record_kind kind, uint64_t argument)
{
	return argument << 8 | (uint64_t)kind;
}

static inline enum record_kind record_kind(uint64_t head)
{
	return (enum record_kind)(head & 0xFF);
}

static inline uint64_t record_argument(uint64_t head)
{
	return head >> 8;
}

#endif /* TTP_CLIENT_RECORD_H */
