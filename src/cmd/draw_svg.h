// SPDX-License-Identifier: Apache-2.0
/* `--svg`: pictures of a run for documents. */
#ifndef TTP_CMD_DRAW_SVG_H
#define TTP_CMD_DRAW_SVG_H

#include "report/calls.h"

enum draw_svg { DRAW_SVG_NONE, DRAW_SVG_HEAT, DRAW_SVG_TIMELINE, DRAW_SVG_ROOFLINE };
/* "none", "heat", "timeline", "roofline", NULL: choices of an option. */
extern const char *const draw_svg_names[];

struct draw_svg_ask {
	const char *prog, *run;
	enum draw_svg what;
	const char *from, *to;     /* times, or NULL */
	struct call_options calls; /* which ops a roofline has */
	const char *path;          /* "-": standard output; NULL: <what>.svg */
};

/* Reads the run, writes the picture, tells errors; returns the exit status. */
int draw_svg(const struct draw_svg_ask *ask);

#endif /* TTP_CMD_DRAW_SVG_H */
