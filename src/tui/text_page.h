// SPDX-License-Identifier: Apache-2.0
/* Text that is longer than the screen. */
#ifndef TTP_TUI_TEXT_PAGE_H
#define TTP_TUI_TEXT_PAGE_H

#include "base/str.h"
#include "base/vec.h"
#include "tui/keys.h"

struct text_page {
	struct buf text;
	VEC(struct str) lines; /* of it */
	size_t top;            /* the first that is shown */
};

/* The text was written anew; `rows` of it fit. */
void text_page_set(struct text_page *p, size_t rows);
/* True if the key moved through the text. */
bool text_page_key(struct text_page *p, struct key key, size_t rows);
void text_page_paint(const struct text_page *p, size_t rows, struct buf *to);
/* "lines 1 to 20 of 57"; nothing if all is seen */
void text_page_where(const struct text_page *p, size_t rows, struct buf *to);
void text_page_release(struct text_page *p);

/*
 * What keys do in anything that scrolls: arrows, pages, ends, and j k g G as in less.  Moves `at` among `n` lines of which `rows` are seen; false:
 * another key.
 */
bool scroll_key(struct key key, size_t n, size_t rows, size_t *at);

#endif /* TTP_TUI_TEXT_PAGE_H */
