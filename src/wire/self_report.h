// SPDX-License-Identifier: Apache-2.0
/*
 * What a client of ours reports of its own recording: messages in Tracy's stream, so that any server shows them as text,
 * and our readers find the numbers in them.
 *
 *	ttp: dropped: zones=1 texts=0 ...    at the end, if anything was
 *	ttp: window: steps=9 recorded=3      at the end, if only some steps were to be recorded
 *	ttp: recording: step=3               from here on
 *	ttp: not recording: step=6
 */
#ifndef TTP_WIRE_SELF_REPORT_H
#define TTP_WIRE_SELF_REPORT_H

#include "base/str.h"

enum self_report_kind {
	SELF_REPORT_DROPPED,
	SELF_REPORT_WINDOW,
	SELF_REPORT_RECORDING,
	SELF_REPORT_NOT_RECORDING,
	SELF_REPORT_KINDS
};

enum { SELF_REPORT_VALUES = 9, SELF_REPORT_MAX = 320 };

struct self_report {
	enum self_report_kind kind;
	/* DROPPED: zones, texts, messages, plots, frames, memory, device, in signals, locks; WINDOW: steps, recorded;
	 * the others: step. */
	uint64_t values[SELF_REPORT_VALUES];
};

/* Writes the text, of less than SELF_REPORT_MAX bytes; its length. */
size_t self_report_put(char text[SELF_REPORT_MAX], const struct self_report *r);
/* False if it is another text; values that are missing are 0. */
bool self_report_get(struct str text, struct self_report *r);

#endif /* TTP_WIRE_SELF_REPORT_H */
