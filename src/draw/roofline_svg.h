// SPDX-License-Identifier: Apache-2.0
/* Ops below the chip's limits: arithmetic per byte of DRAM against arithmetic per second, both logarithmic, as a picture. */
#ifndef TTP_DRAW_ROOFLINE_SVG_H
#define TTP_DRAW_ROOFLINE_SVG_H

#include "base/out.h"
#include "report/calls.h"

void roofline_svg(const struct calls *c, struct str source, struct out *out);

#endif /* TTP_DRAW_ROOFLINE_SVG_H */
