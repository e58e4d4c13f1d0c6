// SPDX-License-Identifier: Apache-2.0
/*
 * What may go to a terminal.
 *
 * Names in logs, traces and reports are anybody's text.  Where one is printed, width_clean() (base/width.h) makes it harmless.  The
 * gate below is behind that, in base/out.h: it sees all that is written to a terminal, whichever command writes it, so that a name that was
 * not cleaned can't steer the terminal either.
 *
 * Not harmless are control characters (C0, DEL, C1), characters that change the direction of text (U+061C, U+200E, U+200F, U+202A to
 * U+202E, U+2066 to U+2069), separators that end a line (U+2028, U+2029), and U+FEFF, which is not seen.  JSON has them as \uXXXX.
 */
#ifndef TTP_BASE_HARMLESS_H
#define TTP_BASE_HARMLESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

bool harmless_char(uint32_t code_point);
/* The first character of `s` (not empty): its bytes; U+FFFD and 1 for what is no UTF-8. */
size_t harmless_decode(struct str s, uint32_t *code_point);

/* Escape sequences of ours that pass the gate: none; colours; and those that erase a line of progress, too. */
enum harmless_escapes { HARMLESS_NO_ESCAPES, HARMLESS_COLOURS, HARMLESS_PROGRESS };

/*
 * The gate: appends `s` with everything but line ends, tabs and such escape sequences made harmless, a "?" each, or U+FFFD for a byte that is no
 * UTF-8.  Returns how much of `s` it took: a sequence that is not whole at the end waits for the rest, unless this is the last.
 */
size_t harmless_gate(struct buf *to, struct str s, enum harmless_escapes escapes, bool last);

#endif /* TTP_BASE_HARMLESS_H */
