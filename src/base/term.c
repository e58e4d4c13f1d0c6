// SPDX-License-Identifier: Apache-2.0
#include "base/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"

enum { WIDTH_DEFAULT = 80, WIDTH_MAX = 10000 };

static bool is_set(const char *v)
{
	return v && *v;
}

static bool colour_of(const struct term_facts *f, enum term_colour wish)
{
	if (wish != TERM_COLOUR_AUTO)
		return wish == TERM_COLOUR_ON;
	if (is_set(f->no_color))
		return false;
	if (is_set(f->clicolor_force) && strcmp(f->clicolor_force, "0") != 0)
		return true;
	return f->is_tty && is_set(f->term) && strcmp(f->term, "dumb") != 0;
}

static int width_of(const struct term_facts *f)
{
	int w = 0;

	for (const char *p = f->columns; p && *p; p++) {
		if (*p < '0' || *p > '9' || w > WIDTH_MAX) {
			w = 0;
			break;
		}
		w = w * 10 + (*p - '0');
	}
	if (w > 0)
		return w < WIDTH_MAX ? w : WIDTH_MAX;
	return f->tty_width > 0 ? f->tty_width : WIDTH_DEFAULT;
}

static bool utf8_of(const struct term_facts *f)
{
	const char *v = is_set(f->lc_all) ? f->lc_all : is_set(f->lc_ctype) ? f->lc_ctype : f->lang;
	struct str code;

	if (!f->is_tty)
		return true;
	if (!is_set(v) || !strchr(v, '.'))
		return false;
	code = str_of(strchr(v, '.') + 1);
	code = str_head(code, strcspn(code.at, "@"));
	return str_eq_nocase(code, STR("utf-8")) || str_eq_nocase(code, STR("utf8"));
}

struct term term_decide(const struct term_facts *f, enum term_colour wish)
{
	return (struct term){
		.is_tty = f->is_tty,
		.colour = colour_of(f, wish),
		.utf8 = utf8_of(f),
		.width = width_of(f),
	};
}

/* Nobody in this program changes the environment. */
static const char *variable(const char *name)
{
	return getenv(name); /* NOLINT(concurrency-mt-unsafe) */
}

struct term term_of(int fd, enum term_colour wish)
{
	struct winsize size = { 0 };
	struct term_facts f = {
		.no_color = variable("NO_COLOR"),
		.clicolor_force = variable("CLICOLOR_FORCE"),
		.term = variable("TERM"),
		.columns = variable("COLUMNS"),
		.lc_all = variable("LC_ALL"),
		.lc_ctype = variable("LC_CTYPE"),
		.lang = variable("LANG"),
		.is_tty = isatty(fd) == 1,
	};

	if (f.is_tty && !ioctl(fd, TIOCGWINSZ, &size))
		f.tty_width = size.ws_col;
	return term_decide(&f, wish);
}
