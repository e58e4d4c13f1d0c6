// SPDX-License-Identifier: Apache-2.0
/*
 * The device profiler from outside: its memory is set up, read and made empty here.
 *
 * Each worker's five buffers have a part of DRAM, sized for `programs` programs that record nothing but
 * FW and KERNEL (tt-metal's formula, buffers of TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT).  A read takes only
 * what was written.
 */
#ifndef TTP_DEVICE_PROFILER_H
#define TTP_DEVICE_PROFILER_H

#include "device/launch.h"
#include "device/markers.h"

enum {
	PROFILER_PROGRAMS_DEFAULT = 1000,
	PROFILER_PROGRAM_BYTES = 48,     /* ids, FW, KERNEL */
	PROFILER_PROGRAM_BYTES_SUM = 64, /* and two sums */
};

struct profiler {
	struct device *device; /* borrowed */
	uint32_t programs;     /* that fit; what was asked for, or the least possible */
	uint32_t cap_words;    /* of one core */
	uint32_t cores_per_bank;
	uint64_t dram_base, bank_bytes;  /* in each bank */
	struct marker_decoder *decoders; /* [flat id][risc] */
	int flat_ids;
	uint64_t read_at; /* the device's cycle at the last read */
};

/* Bytes of each bank that a profiler for so many programs takes; *programs becomes what really fits. */
uint64_t profiler_bank_bytes(const struct device *d, uint32_t *programs, bool sum);

/*
 * Writes the control vector of every worker.  `dram_base` is where the profiler's part of each bank
 * begins; a multiple of 32, not 0.
 */
enum ttp_rc profiler_start(struct profiler *p, struct device *d, uint64_t dram_base,
			   uint32_t programs, bool sum, struct ttp_err *e) TTP_CHECKED;
void profiler_release(struct profiler *p);

/* What one core lost since the last read. */
struct profiler_loss {
	struct tile tile;
	int risc;
	bool dram_full;
	uint32_t words_in_dram;                 /* what tt-metal calls bufferEndIndex */
	uint32_t l1_lost, saturated, sums_lost; /* markers; sums */
	uint32_t dram_lost;                     /* markers */
	bool overwritten; /* the words that say so were a kernel's: none of the above is known */
};
typedef void profiler_loss_fn(void *ctx, const struct profiler_loss *loss);

/*
 * All markers since the last read, by tile (x, then y) and core, and the device is empty again.  `loss`
 * and `account` may be NULL.
 */
enum ttp_rc profiler_read(struct profiler *p, marker_fn *fn, profiler_loss_fn *loss, void *ctx,
			  struct account *account, struct ttp_err *e) TTP_CHECKED;

/* Words that the fullest core of a tile has in DRAM; its program has ended. */
enum ttp_rc profiler_fill(struct profiler *p, struct tile t, uint32_t *words,
			  struct ttp_err *e) TTP_CHECKED;

/* From now on a core whose part of DRAM is full in the middle of a kernel waits for profiler_drain(). */
enum ttp_rc profiler_let_wait(struct profiler *p, struct ttp_err *e) TTP_CHECKED;
/* Whether a core of a tile waits for it. */
enum ttp_rc profiler_waits(struct profiler *p, struct tile t, bool *waits,
			   struct ttp_err *e) TTP_CHECKED;
/* Reads those cores of a tile that wait, and lets them go on; *some says whether there were any. */
enum ttp_rc profiler_drain(struct profiler *p, struct tile t, marker_fn *fn, void *ctx,
			   struct account *account, bool *some, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_PROFILER_H */
