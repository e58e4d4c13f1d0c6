// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"

#include "base/width.h"

/* Messages quote names of files, ops and zones, which are anybody's text. */
static void add_error(struct buf *b, const struct console *c, const struct ttp_err *e)
{
	buf_printf(b, "%s: error: ", c->prog);
	width_clean_lines(b, str_of(e->msg));
	buf_char(b, '\n');
}

int console_fail(const struct console *c, const struct ttp_err *e)
{
	SCOPED(buf) struct buf b = { 0 };

	add_error(&b, c, e);
	c->print(&b);
	return 1;
}

int console_misused(const struct console *c, const struct ttp_err *e)
{
	SCOPED(buf) struct buf b = { 0 };

	add_error(&b, c, e);
	buf_printf(&b, "see %s --help\n", c->prog);
	c->print(&b);
	return 2;
}

void console_vwarn(const struct console *c, const char *fmt, va_list ap)
{
	SCOPED(buf) struct buf b = { 0 }, text = { 0 };

	buf_vprintf(&text, fmt, ap);
	buf_printf(&b, "%s: warning: ", c->prog);
	width_clean_lines(&b, buf_view(&text));
	buf_char(&b, '\n');
	c->print(&b);
}

void console_warn(const struct console *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	console_vwarn(c, fmt, ap);
	va_end(ap);
}
