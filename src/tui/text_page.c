// SPDX-License-Identifier: Apache-2.0
#include "tui/text_page.h"

static size_t last_top(const struct text_page *p, size_t rows)
{
	return p->lines.len > rows ? p->lines.len - rows : 0;
}

void text_page_set(struct text_page *p, size_t rows)
{
	struct str rest, line;

	while (p->text.len && p->text.at[p->text.len - 1] == '\n')
		p->text.at[--p->text.len] = 0;
	rest = buf_view(&p->text);
	p->lines.len = 0;
	while (str_split(&rest, '\n', &line))
		*vec_push(&p->lines) = line;
	if (p->top > last_top(p, rows))
		p->top = last_top(p, rows);
}

bool scroll_key(struct key key, size_t n, size_t rows, size_t *at)
{
	size_t step = rows > 1 ? rows - 1 : 1, last = n ? n - 1 : 0;

	if (key.name == KEY_UP || (key.name == KEY_CHAR && key.code_point == 'k'))
		*at -= *at > 0;
	else if (key.name == KEY_DOWN || (key.name == KEY_CHAR && key.code_point == 'j'))
		++*at;
	else if (key.name == KEY_PAGE_UP)
		*at -= *at < step ? *at : step;
	else if (key.name == KEY_PAGE_DOWN || (key.name == KEY_CHAR && key.code_point == ' '))
		*at += step;
	else if (key.name == KEY_HOME || (key.name == KEY_CHAR && key.code_point == 'g'))
		*at = 0;
	else if (key.name == KEY_END || (key.name == KEY_CHAR && key.code_point == 'G'))
		*at = last;
	else
		return false;
	*at = *at < last ? *at : last;
	return true;
}

bool text_page_key(struct text_page *p, struct key key, size_t rows)
{
	return scroll_key(key, last_top(p, rows) + 1, rows, &p->top);
}

void text_page_paint(const struct text_page *p, size_t rows, struct buf *to)
{
	for (size_t i = 0; i < rows; i++) {
		if (p->top + i < p->lines.len)
			buf_str(to, p->lines.at[p->top + i]);
		buf_char(to, '\n');
	}
}

void text_page_where(const struct text_page *p, size_t rows, struct buf *to)
{
	if (p->lines.len > rows)
		buf_printf(to, "lines %zu to %zu of %zu", p->top + 1,
			   p->top + rows < p->lines.len ? p->top + rows : p->lines.len,
			   p->lines.len);
}

void text_page_release(struct text_page *p)
{
	buf_release(&p->text);
	vec_release(&p->lines);
}
