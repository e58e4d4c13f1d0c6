// SPDX-License-Identifier: Apache-2.0
/*
 * How wide text is on a screen.  The locale is not asked (it is often "C"): text is UTF-8.
 *
 * Combining marks and format characters take no column, East Asian wide characters and emoji two,
 * ambiguous ones one.  Escape sequences of the form ESC [ … letter take none.  Other control
 * characters take none either (print untrusted text through width_clean()); each byte that is not
 * UTF-8 takes one, as U+FFFD would.  Sequences of emoji joined by U+200D count as their parts, as most
 * terminals draw them.
 */
#ifndef TTP_BASE_WIDTH_H
#define TTP_BASE_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

int width_char(uint32_t code_point); /* 0, 1 or 2 */
size_t width_text(struct str s);

enum width_align { WIDTH_LEFT, WIDTH_RIGHT };

/*
 * Appends `s` in at most `max` columns; what is cut away is shown by "…" ("." without utf8), which
 * counts as one.  Escape sequences are all kept, so colours end where they should.
 */
void width_cut(struct buf *b, struct str s, size_t max, bool utf8);
/* The same, but what is cut away is in the middle, so that a shape after a long name stays.  Escape sequences
 * are not kept: for text of one colour. */
void width_cut_middle(struct buf *b, struct str s, size_t max, bool utf8);
/* For names with a shape after them: the middle of the longest word is cut away, where that leaves enough of it to
 * know it by ("MorehLayer…BetaGrad 256 x 128"); else the end of all. */
void width_cut_name(struct buf *b, struct str s, size_t max, bool utf8);
/* Appends `s`; of words that are wider than `most` the middle is cut away. */
void width_cut_words(struct buf *b, struct str s, size_t most, bool utf8);
/* Appends `s` and blanks after or before it up to `width` columns; longer text stays whole. */
void width_pad(struct buf *b, struct str s, size_t width, enum width_align align);
/* Appends `s` with what is not harmless (base/harmless.h: line breaks and escapes too) as "?" or, for tabs, a blank, and
 * bytes that are not UTF-8 as U+FFFD: one line, and nothing in it can steer the terminal. */
void width_clean(struct buf *b, struct str s);
/* The same; line breaks stay, for messages of several lines. */
void width_clean_lines(struct buf *b, struct str s);
/* Appends `s` for a terminal that shows ASCII only: "µ" as "u", "×" as "x", "…" as ".", "█" as "#"
 * and so on, one column each; what has no likeness becomes "?" for each of its columns. */
void width_ascii(struct buf *b, struct str s);

#endif /* TTP_BASE_WIDTH_H */
