// SPDX-License-Identifier: Apache-2.0
/*
 * `ttprof tui`: a run on the whole screen of a terminal, with keys.
 *
 *	keys.h        bytes of the terminal to keys
 *	fullscreen.h  the terminal as a screen
 *	text_page.h   text that scrolls
 *	op_list.h     ops in lines, one of them chosen
 *	tui.c         which of these is shown, and what keys do
 */
#ifndef TTP_TUI_TUI_H
#define TTP_TUI_TUI_H

#include "base/term.h"
#include "ops/host_gaps.h"
#include "runs/run.h"

struct tui_source {
	struct run *run;
	const struct ops_table *ops;  /* with calls_timed_want; NULL: there are none */
	const struct host_gaps *host; /* what the trace says of gaps; NULL */
	const char *clock_note;       /* what the device's times are; NULL: a card's own */
};

/* Until the user leaves.  `term`: colours and UTF-8; the size is the screen's. */
enum ttp_rc tui_browse(const struct tui_source *source, struct term term,
		       struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_TUI_TUI_H */
