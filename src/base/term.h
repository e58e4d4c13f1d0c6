// SPDX-License-Identifier: Apache-2.0
/*
 * What the other end of a file descriptor can show: width, colour, UTF-8.
 *
 *	colour   --color and --no-color decide; else off if NO_COLOR is set and not empty; else on if
 *	         CLICOLOR_FORCE is set and not "0"; else off if TERM=dumb or nothing; else on for a terminal
 *	width    COLUMNS, else what the terminal says, else 80
 *	UTF-8    to a file or pipe always; to a terminal if LC_ALL, LC_CTYPE or LANG (the first that is set
 *	         and not empty) names UTF-8
 */
#ifndef TTP_BASE_TERM_H
#define TTP_BASE_TERM_H

#include <stdbool.h>

enum term_colour { TERM_COLOUR_AUTO, TERM_COLOUR_ON, TERM_COLOUR_OFF };

struct term {
	bool is_tty, colour, utf8;
	int width; /* columns, at least 1 */
};

/* Everything that the decision looks at; variables are NULL when not set. */
struct term_facts {
	const char *no_color, *clicolor_force, *term, *columns, *lc_all, *lc_ctype, *lang;
	bool is_tty;
	int tty_width; /* 0: the terminal doesn't say */
};

struct term term_decide(const struct term_facts *f, enum term_colour wish);
/* The same for a descriptor such as STDOUT_FILENO, with this process's environment. */
struct term term_of(int fd, enum term_colour wish);

#endif /* TTP_BASE_TERM_H */
