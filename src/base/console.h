// SPDX-License-Identifier: Apache-2.0
/*
 * Where an engine reports to: results, and lines for whoever watches.  Libraries print nothing by themselves; the program gives them one of
 * these (cmd.h), signed with the name of the command that was called.
 */
#ifndef TTP_BASE_CONSOLE_H
#define TTP_BASE_CONSOLE_H

#include "base/err.h"
#include "base/out.h"

struct console {
	const char *prog;                /* "ttprof run": warnings and errors begin with it */
	struct out *out;                 /* results */
	void (*print)(struct buf *text); /* whole lines, at once; empties it */
};

/* "<prog>: error: <message>"; returns 1, the exit status. */
int console_fail(const struct console *c, const struct ttp_err *e);
/* The same, then where to read more; returns 2. */
int console_misused(const struct console *c, const struct ttp_err *e);
/* "<prog>: warning: ..." */
void console_warn(const struct console *c, const char *fmt, ...) TTP_PRINTF(2, 3);
void console_vwarn(const struct console *c, const char *fmt, va_list ap) TTP_PRINTF(2, 0);

#endif /* TTP_BASE_CONSOLE_H */
