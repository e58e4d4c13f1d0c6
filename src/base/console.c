// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"

int console_fail(const struct console *c, const struct ttp_err *e)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s: error: %s\n", c->prog, e->msg);
	c->print(&b);
	buf_release(&b);
	return 1;
}

int console_misused(const struct console *c, const struct ttp_err *e)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s: error: %s\nsee %s --help\n", c->prog, e->msg, c->prog);
	c->print(&b);
	buf_release(&b);
	return 2;
}

void console_vwarn(const struct console *c, const char *fmt, va_list ap)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s: warning: ", c->prog);
	buf_vprintf(&b, fmt, ap);
	buf_char(&b, '\n');
	c->print(&b);
	buf_release(&b);
}

void console_warn(const struct console *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	console_vwarn(c, fmt, ap);
	va_end(ap);
}
