// SPDX-License-Identifier: Apache-2.0
/*
 * Events as they lie in a thread's chunks: records of 64-bit words.  The first word is a kind in the low
 * byte and an argument in the other 56 bits: a pointer, a time (of which 56 bits are enough beside the one
 * before it), or a length.  This never leaves the process.
 *
 *	X(kind, words, points)   words without text; what the argument points to, if anything:
 *	                         PLACE a struct ttp_location, TEXT a literal
 */
#ifndef TTP_CLIENT_RECORD_RECORD_H
#define TTP_CLIENT_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_LIST(X)                                                                             \
	X(ZONE_BEGIN, 2, PLACE)         /* location | time */                                      \
	X(ZONE_END, 1, NOTHING)         /* time */                                                 \
	X(ZONE_TEXT, 1, NOTHING)        /* length, text */                                         \
	X(ZONE_NAME, 1, NOTHING)        /* length, text */                                         \
	X(ZONE_COLOR, 1, NOTHING)       /* rgb */                                                  \
	X(ZONE_VALUE, 2, NOTHING)       /* - | value */                                            \
	X(MESSAGE, 2, NOTHING)          /* length, rgb << 24, COLORED, ALWAYS | time, text */      \
	X(LITERAL, 3, TEXT)             /* text | time | rgb, RECORD_COLORED */                    \
	X(APP_INFO, 2, NOTHING)         /* length | time, text */                                  \
	X(THREAD_NAME, 1, NOTHING)      /* length, text */                                         \
	X(FRAME, 2, TEXT)               /* name | time */                                          \
	X(FRAME_START, 2, TEXT)         /* name | time */                                          \
	X(FRAME_END, 2, TEXT)           /* name | time */                                          \
	X(PLOT_INT, 3, TEXT)            /* name | time | value */                                  \
	X(PLOT_FLOAT, 3, TEXT)          /* name | time | bits */                                   \
	X(PLOT_DOUBLE, 3, TEXT)         /* name | time | bits */                                   \
	X(PLOT_CONFIG, 2, TEXT)         /* name | format, step << 8, fill << 16, rgb << 32 */      \
	X(ALLOC, 4, TEXT)               /* pool | time | address | size */                         \
	X(FREE, 3, TEXT)                /* pool | time | address */                                \
	X(DISCARD, 2, TEXT)             /* pool | time */                                          \
	X(DEVICE_START, 1, NOTHING)     /* device */                                               \
	X(DEVICE_CALIBRATE, 4, NOTHING) /* device | host ticks | device ns | another frequency? */ \
	X(DEVICE_BEGIN, 4, PLACE)       /* location | time | lane, device << 32 | device ns */     \
	X(DEVICE_END, 3, NOTHING)       /* time | lane, device << 32 | device ns */                \
	X(DEVICE_ZONE, 5, PLACE)   /* location | time | lane, device << 32 | device ns, twice */   \
	X(LOCK_NEW, 3, PLACE)      /* location | time | lock, shared << 32 */                      \
	X(LOCK_EVENT, 3, NOTHING)  /* enum lock_event | time | lock */                             \
	X(LOCK_MARK, 3, PLACE)     /* location | time | lock */                                    \
	X(FIBER_ENTER, 4, TEXT)    /* name | time | fiber, group << 32 | which of its runs */      \
	X(FIBER_LEAVE, 1, NOTHING) /* time */                                                      \
	X(THREAD, 3, NOTHING)      /* tid | name in 16 bytes: what follows is of this thread */    \
	X(THREAD_GONE, 1, NOTHING) /* time */                                                      \
	X(PART, 1, NOTHING)        /* length, text: the beginning of the next record's text */

enum record_kind {
#define X(kind, words, points) RECORD_##kind,
	RECORD_LIST(X)
#undef X
		RECORD_KINDS
};

#define RECORD_COLORED   (UINT64_C(1) << 48) /* of an argument */
#define RECORD_ALWAYS    (UINT64_C(1) << 49) /* of a message: also outside of what is recorded */
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

enum record_points { RECORD_NOTHING, RECORD_PLACE, RECORD_TEXT };

static inline enum record_kind record_kind(uint64_t head)
{
	return (enum record_kind)(head & 0xFF);
}

static inline uint64_t record_argument(uint64_t head)
{
	return head >> 8;
}

static inline enum record_points record_points(enum record_kind kind)
{
	static const uint8_t points[RECORD_KINDS] = {
#define X(kind, words, points) RECORD_##points,
		RECORD_LIST(X)
#undef X
	};

	return (enum record_points)points[kind];
}

/* What follows a record, its text included. */
static inline const uint64_t *record_next(const uint64_t *w)
{
	static const uint8_t words[RECORD_KINDS] = {
#define X(kind, words, points) words,
		RECORD_LIST(X)
#undef X
	};
	enum record_kind kind = record_kind(w[0]);
	bool has_text = kind == RECORD_ZONE_TEXT || kind == RECORD_ZONE_NAME ||
			kind == RECORD_MESSAGE || kind == RECORD_APP_INFO ||
			kind == RECORD_THREAD_NAME || kind == RECORD_PART;

	return w + words[kind] +
	       (has_text ? ((record_argument(w[0]) & RECORD_TEXT_MASK) + 7) / 8 : 0);
}

#endif /* TTP_CLIENT_RECORD_RECORD_H */
