// SPDX-License-Identifier: Apache-2.0
/*
 * The terminal as a screen of our own: what was on it comes back at the end, whichever way that is (an end that was asked for, an error, a signal that
 * can be caught).
 */
#ifndef TTP_TUI_FULLSCREEN_H
#define TTP_TUI_FULLSCREEN_H

#include <termios.h>

#include "base/err.h"
#include "tui/keys.h"

struct fullscreen {
	int rows, columns;
	/* ours: */
	struct termios before;
	struct buf input;
	char text[4]; /* of the last key */
	bool open, ended;
};

/* Standard input and output must be a terminal that can be drawn on; one screen at a time. */
enum ttp_rc fullscreen_open(struct fullscreen *f, struct ttp_err *e) TTP_CHECKED;
/* Ends the program if a signal asked for that. */
void fullscreen_close(struct fullscreen *f);
/* Lines, at most `rows`; each is cut at the right edge by the terminal. */
void fullscreen_paint(struct fullscreen *f, struct str lines);
/* Waits for it. */
struct key fullscreen_key(struct fullscreen *f);
/* As Ctrl-Z does: until the shell brings us back. */
void fullscreen_suspend(struct fullscreen *f);

#endif /* TTP_TUI_FULLSCREEN_H */
