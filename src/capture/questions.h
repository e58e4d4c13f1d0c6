// SPDX-License-Identifier: Apache-2.0
/*
 * What a capture must ask: names of source locations, strings, threads, plots, frame sets, fibers, code, each once, at first sight.
 * Looks through the items of a frame, and through nothing else: nothing is kept of zones but counts.
 */
#ifndef TTP_CAPTURE_QUESTIONS_H
#define TTP_CAPTURE_QUESTIONS_H

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "wire/tracy.h"

enum { QUESTIONS_CACHE_BITS = 10, QUESTIONS_CACHE = 1 << QUESTIONS_CACHE_BITS };

struct questions {
	struct wire_proto proto;
	bool either;  /* Tenstorrent's layout or upstream's: the first device context tells */
	bool decided; /* it did just now: proto is another one */
	struct buf to_send;
	uint64_t pending; /* answers that are to come */
	bool terminated, crashed;
	uint64_t events[WIRE_EVENTS]; /* by their kind */
	uint64_t frames;              /* of the set without a name */
	uint64_t ops;                 /* messages of tt-metal that tell of one */
	uint64_t drops;               /* as a client of ours says at its end */
	int64_t open_zones;
	int64_t ref_thread, last_ticks;
	/* ours: */
	struct u64map asked; /* kind and pointer */
	uint64_t recent[QUESTIONS_CACHE];
	bool other_numbers; /* upstream's numbers of items are not Tenstorrent's */
	/* of what is rarer: */
	uint64_t recent_addresses[QUESTIONS_CACHE];
	uint32_t recent_thread;
};

/* `either`: `key` is Tenstorrent's, and upstream has the same number. */
void questions_init(struct questions *q, enum wire_key key, bool either);
/* Items of one frame; TTP_FORMAT where one is unknown or cut. */
enum ttp_rc questions_frame(struct questions *q, const uint8_t *items, size_t len,
			    struct ttp_err *e) TTP_CHECKED;
void questions_release(struct questions *q);

#endif /* TTP_CAPTURE_QUESTIONS_H */
