// SPDX-License-Identifier: Apache-2.0
/* Ops below the chip's limits: arithmetic per byte of DRAM against arithmetic per second, both logarithmic, as a picture. */
#ifndef TTP_DRAW_ROOFLINE_SVG_H
#define TTP_DRAW_ROOFLINE_SVG_H

#include "base/out.h"
#include "report/calls.h"

/* How many kinds of ops have what it takes: arithmetic, bytes and a time. */
size_t roofline_points(const struct calls *c);
void roofline_svg(const struct calls *c, struct str source, struct out *out);

#endif /* TTP_DRAW_ROOFLINE_SVG_H */
