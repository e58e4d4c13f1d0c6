// SPDX-License-Identifier: Apache-2.0
/* What `top`, `heat` and `timeline` share: the argument RUN, colours, and what they say when something is missing. */
#ifndef TTP_CMD_DRAW_RUN_H
#define TTP_CMD_DRAW_RUN_H

#include "cmd/cmd.h"
#include "draw/core_times.h"
#include "report/run_parts.h"

#define DRAW_COLOUR_OPTIONS                                                \
	{ .name = "color",                                                 \
	  .kind = OPT_SET,                                                 \
	  AT(colour),                                                      \
	  .set = TERM_COLOUR_ON,                                           \
	  .help = "use colours, also when output is not a terminal" },     \
	{                                                                  \
		.name = "no-color", .kind = OPT_SET, AT(colour),           \
		.set = TERM_COLOUR_OFF, .help = "use no colours"           \
	}

extern const struct opt_arg draw_args[];

/* The argument, else the profiler's folder. */
const char *draw_run(const struct opt_found *found);
struct term draw_term(int colour);

/* There is no device log: what the run has, and what to do. */
enum ttp_rc draw_no_log(const struct run_parts *p, struct ttp_err *e);
/* There is one, but none of its zones were chosen. */
enum ttp_rc draw_no_zones(const struct core_times *t, const struct device_log *log,
			  const struct core_want *want, const char *path, struct ttp_err *e);
/* Rows that could not be read, as warnings. */
void draw_tell_log(const char *prog, const struct device_log *log, const char *path);

#endif /* TTP_CMD_DRAW_RUN_H */
