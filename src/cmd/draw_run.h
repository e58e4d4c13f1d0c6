// SPDX-License-Identifier: Apache-2.0
/* What `top`, `heat`, `timeline` and `view --svg` share: the argument RUN, colours, and what they say when something is missing. */
#ifndef TTP_CMD_DRAW_RUN_H
#define TTP_CMD_DRAW_RUN_H

#include "cmd/cmd.h"
#include "report/calls.h"
#include "runs/run.h"

#define DRAW_DEVICE_OPTION OPTION_INT('d', "device", device, "N", 0, UINT32_MAX, "one device")

/* `starts` ends with what the time counts from. */
#define DRAW_TIME_OPTIONS(heading, starts)                                \
	OPTION_STRING(0, "from", from, "TIME",                            \
		      "from this time after " starts                      \
		      ": 250us, 1.5ms, 2s, 40%; a number alone is of ms", \
		      .section = heading),                                \
		OPTION_STRING(0, "to", to, "TIME", "up to this time")

#define DRAW_STRICT_OPTION               \
	OPTION_FLAG(0, "strict", strict, \
		    "status 1 if anything of the run is damaged or can't be read")

#define DRAW_SVG_OPTION OPTION_STRING(0, "svg", svg, "FILE", "a picture for documents")

extern const struct opt_arg draw_args[];

/* The argument, else the profiler's folder. */
const char *draw_run(const struct opt_found *found);
/* The same for several: found->n of them, or one. */
char **draw_runs(const struct opt_found *found);
struct term draw_term(int colour);

/* Opens a run for `show`, and reports what went wrong, damaged files included; the exit status, as of run_finish(). */
typedef enum ttp_rc draw_show(struct run *run, void *ctx, struct ttp_err *e);
int draw_command(const char *prog, const char *run, bool strict, draw_show *show, void *ctx);

/* A picture to `path` (or NULL) is no JSON: one of them at a time. */
enum ttp_rc draw_one_form(bool json, const char *path, const char *option,
			  struct ttp_err *e) TTP_CHECKED;

/* `--svg`: pictures of a run for documents. */
enum draw_svg { DRAW_SVG_NONE, DRAW_SVG_HEAT, DRAW_SVG_TIMELINE, DRAW_SVG_ROOFLINE };
/* "none", "heat", "timeline", "roofline", NULL: choices of an option. */
extern const char *const draw_svg_names[];

struct draw_svg_ask {
	const char *prog, *run;
	enum draw_svg what;
	const char *from, *to;     /* times, or NULL */
	struct call_options calls; /* which ops a roofline has */
	const char *path;          /* "-": standard output; NULL: <what>.svg */
	bool strict;               /* status 1 if anything of the run is damaged */
};

/* Reads the run, writes the picture, tells errors; returns the exit status. */
int draw_svg(const struct draw_svg_ask *ask);

#endif /* TTP_CMD_DRAW_RUN_H */
