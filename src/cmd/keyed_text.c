// SPDX-License-Identifier: Apache-2.0
#include "cmd/keyed_text.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/opt.h"
#include "base/table.h"
#include "base/width.h"
#include "cmd/cmd.h"

enum { NARROWEST = 20, WIDEST = INT_MAX / 2 };

size_t keyed_text_width(const struct term *term)
{
	const char *columns = getenv("COLUMNS"); // NOLINT(concurrency-mt-unsafe)
	bool known = term->is_tty || (columns && *columns);

	if (!known)
		return 0;
	return term->width < NARROWEST ? NARROWEST : (size_t)term->width;
}

/* Lines of `text` in bold. */
static void add_bold(struct buf *b, struct str text, int width, bool colour)
{
	SCOPED(buf) struct buf whole = { 0 }, lines = { 0 };
	struct str rest, line;

	buf_str(&whole, text);
	opt_wrap(&lines, whole.at ? whole.at : "", 0, 0, width);
	rest = buf_view(&lines);
	while (str_split(&rest, '\n', &line) && line.len) {
		colour_text(b, line, COLOUR_BOLD, colour);
		buf_char(b, '\n');
	}
}

static void add_keyed(struct buf *b, struct str line, size_t key, int width)
{
	SCOPED(buf) struct buf text = { 0 };
	struct str rest = str_from(line, key);
	int indent = (int)key;

	if (width_text(line) <= (size_t)width || line.len <= key) {
		buf_str(b, line);
		buf_char(b, '\n');
		return;
	}
	buf_str(b, str_head(line, key));
	if (str_starts(rest, STR("-> "))) {
		buf_text(b, "-> ");
		rest = str_from(rest, 3);
		indent += 3;
	}
	buf_str(&text, rest);
	opt_wrap(b, text.at, indent, indent, width);
}

void keyed_text_print(const struct buf *b, size_t key)
{
	struct term term = term_of(STDOUT_FILENO, TERM_COLOUR_AUTO);
	int width = (int)keyed_text_width(&term);
	struct str rest = buf_view(b), one;
	SCOPED(buf) struct buf clean = { 0 }, all = { 0 }, plain = { 0 };

	width = width ? width : WIDEST;
	while (rest.len && str_split(&rest, '\n', &one)) {
		struct str line;

		buf_clear(&clean);
		width_clean(&clean, one);
		line = buf_view(&clean);
		if (str_starts(line, STR("# ")))
			buf_char(&all, '\n');
		if (str_starts(line, STR("# ")) || str_starts(line, STR("= ")))
			add_bold(&all, str_from(line, 2), width, term.colour);
		else
			add_keyed(&all, line, key, width);
	}
	if (!term.utf8)
		width_ascii(&plain, buf_view(&all));
	out_buf(cmd_stdout(), term.utf8 ? &all : &plain);
}

void keyed_text_count(struct buf *b, uint64_t n, const char *one)
{
	buf_printf(b, "%llu %s%s", (unsigned long long)n, one, n == 1 ? "" : "s");
}
