// SPDX-License-Identifier: Apache-2.0
/* Colours that say how much: dark blue to yellow (cividis), which also colour-blind readers can order. */
#ifndef TTP_DRAW_PALETTE_H
#define TTP_DRAW_PALETTE_H

#include <stdint.h>

#include "base/str.h"

/* 0xRRGGBB of a part (0..1, else clipped). */
uint32_t palette_rgb(double part);
/* Black or white, whichever can be read on it. */
uint32_t palette_text_rgb(uint32_t background);
/* Appends `s` on the background of a part, in one of a terminal's 256 colours. */
void palette_cell(struct buf *b, struct str s, double part);
/* One of twelve colours for kinds of things, by number. */
uint32_t palette_kind(uint32_t n);

#endif /* TTP_DRAW_PALETTE_H */
