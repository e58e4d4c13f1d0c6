// SPDX-License-Identifier: Apache-2.0
/* A picture for documents: SVG that needs nothing from elsewhere, light or dark as the reader's page. */
#ifndef TTP_DRAW_SVG_H
#define TTP_DRAW_SVG_H

#include "base/out.h"
#include "base/str.h"

struct svg {
	struct buf b;
	struct out *out;
};

/* Title and description are for those who can't see it. */
void svg_open(struct svg *s, struct out *out, double width, double height, struct str title,
	      struct str description);
void svg_close(struct svg *s);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
/* `class`: t text, s small text, g grey text, b bold, or with a colour of its own: fill. */
/* Units that a bold line of this text takes at most, in the fonts that browsers have. */
double svg_room(struct str text);
void svg_text(struct svg *s, double x, double y, enum svg_anchor anchor, const char *class,
	      struct str text);
void svg_text_on(struct svg *s, double x, double y, uint32_t background, struct str text);
void svg_rect(struct svg *s, double x, double y, double w, double h, uint32_t rgb, double opacity,
	      struct str title);
/* A line in the text's colour, faint. */
void svg_rule(struct svg *s, double x1, double y1, double x2, double y2);
/* The same, strong. */
void svg_line(struct svg *s, double x1, double y1, double x2, double y2);
void svg_circle(struct svg *s, double x, double y, double r, uint32_t rgb, struct str title);

#endif /* TTP_DRAW_SVG_H */
