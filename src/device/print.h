// SPDX-License-Identifier: Apache-2.0
/*
 * What kernels print (DPRINT), taken from the rings of all workers and put together into lines:
 *
 *	0:(x=1,y=2):NC: line 299
 *
 * A core whose ring is full waits, so rings are to be read while a program runs: let launch_wait() return
 * now and then (it says TTP_LIMIT, or TTP_GONE when all cores wait), read, and wait again.
 * The rings lie where the profiler's buffers are: use one or the other.
 */
#ifndef TTP_DEVICE_PRINT_H
#define TTP_DEVICE_PRINT_H

#include "device/launch.h"

struct print_core {
	struct buf line; /* not ended yet */
	uint32_t read;
	uint8_t base, width;
};

struct print_reader {
	struct device *device;    /* borrowed */
	struct print_core *cores; /* [y][x][risc] */
	uint64_t damaged;         /* pieces that made no sense: the rest of that ring was skipped */
};

/* Empties the rings of all workers and switches them on. */
enum ttp_rc print_start(struct print_reader *r, struct device *d, struct ttp_err *e) TTP_CHECKED;
/* Appends whole lines; those that are not ended stay. */
enum ttp_rc print_read(struct print_reader *r, struct buf *to, struct ttp_err *e) TTP_CHECKED;
/* Appends the rest, each ended with a newline. */
void print_rest(struct print_reader *r, struct buf *to);
void print_release(struct print_reader *r);

#endif /* TTP_DEVICE_PRINT_H */
