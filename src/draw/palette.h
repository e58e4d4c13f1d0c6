// SPDX-License-Identifier: Apache-2.0
/* Colours, of colours.def.  Those that say how much go from dark blue to yellow (cividis), which also colour-blind readers can order. */
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
enum palette_mark {
#define HUE(rgb)
#define FIDELITY(name, rgb)
#define RAMP(rgb, terminal)
#define MARK(name, rgb) MARK_##name,
#include "draw/colours.def"
#undef HUE
#undef FIDELITY
#undef RAMP
#undef MARK
};
uint32_t palette_mark(enum palette_mark m);

#endif /* TTP_DRAW_PALETTE_H */
