// SPDX-License-Identifier: Apache-2.0
/* Text for people in lines of a key and what it says, with headings: doctor, info. */
#ifndef TTP_CMD_KEYED_TEXT_H
#define TTP_CMD_KEYED_TEXT_H

#include <stddef.h>

#include "base/str.h"
#include "base/term.h"

/* How wide lines may be: as the screen; to a file or pipe as long as they are, unless COLUMNS is set. 0: any width. */
size_t keyed_text_width(const struct term *term);
/*
 * Prints lines to stdout; none of their text steers the terminal.  "# Heading" stands in bold after an empty line, "= Verdict"
 * in bold; others have a key, or blanks, of `key` columns, and their text is wrapped at words behind it.
 */
void keyed_text_print(const struct buf *b, size_t key);
/* "1 thread", "2 threads" */
void keyed_text_count(struct buf *b, uint64_t n, const char *one);

#endif /* TTP_CMD_KEYED_TEXT_H */
