// SPDX-License-Identifier: Apache-2.0
/*
 * The page that `ttprof run` shares with its programs (TTP_CONTROL): whether they record.  ttprof writes, programs only
 * read.  A command is a moment of CLOCK_MONOTONIC_RAW in ns, shifted by one, and whether it is recorded from then on.
 */
#ifndef TTP_WIRE_CONTROL_H
#define TTP_WIRE_CONTROL_H

#include <stdatomic.h>
#include <stdint.h>

#define CONTROL_MAGIC UINT64_C(0x314C525443505454) /* "TTPCTRL1" */

enum { CONTROL_COMMANDS = 508 };

struct control {
	uint64_t magic;
	/* A moment before the programs began, on both clocks: who counts with the processor's counter need not wait until it
	 * knows how fast that is.  0: not known. */
	int64_t ticks, raw_ns;
	_Atomic uint64_t n; /* commands so far; release: the command is there */
	_Atomic uint64_t commands[CONTROL_COMMANDS];
};

#endif /* TTP_WIRE_CONTROL_H */
