// SPDX-License-Identifier: Apache-2.0
/*
 * What a client of ours reports of its own recording: messages in Tracy's stream, so that any server shows them as text,
 * and our readers find the numbers in them.
 *
 *	ttp: dropped: zones=1 texts=0 ...    at the end, if anything was
 *	ttp: dropping: zones=1 texts=0 ...   the same so far, about once a second while it goes on: who leaves before the end knows as much
 *	ttp: window: steps=9 recorded=3      at the end, if only some steps were to be recorded
 *	ttp: recording: step=3               from here on
 *	ttp: not recording: step=6
 */
#ifndef TTP_WIRE_SELF_REPORT_H
#define TTP_WIRE_SELF_REPORT_H

#include "base/str.h"

enum self_report_kind {
	SELF_REPORT_DROPPED,
	SELF_REPORT_DROPPING,
	SELF_REPORT_WINDOW,
	SELF_REPORT_RECORDING,
	SELF_REPORT_NOT_RECORDING,
	SELF_REPORT_KINDS
};

enum { SELF_REPORT_DROPS = 9, SELF_REPORT_VALUES = SELF_REPORT_DROPS + 2, SELF_REPORT_MAX = 400 };

struct self_report {
	enum self_report_kind kind;
	/* DROPPED and DROPPING: zones, texts, messages, plots, frames, memory, device, in signals, locks, all since the program began; then how many µs before
	 * the message the first and the last of them was.  WINDOW: steps, recorded; the others: step. */
	uint64_t values[SELF_REPORT_VALUES];
};

/* Writes the text, of less than SELF_REPORT_MAX bytes; its length. */
size_t self_report_put(char text[SELF_REPORT_MAX], const struct self_report *r);
/* False if it is another text; values that are missing are 0. */
bool self_report_get(struct str text, struct self_report *r);
/* True for both of those that count what was dropped: of several in one session the last holds. */
bool self_report_counts_drops(const struct self_report *r);

#endif /* TTP_WIRE_SELF_REPORT_H */
