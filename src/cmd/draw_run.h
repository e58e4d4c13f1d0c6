// SPDX-License-Identifier: Apache-2.0
/* What `top`, `heat` and `timeline` share: the argument RUN, colours, and what they say when something is missing. */
#ifndef TTP_CMD_DRAW_RUN_H
#define TTP_CMD_DRAW_RUN_H

#include "cmd/cmd.h"
#include "draw/heat.h"
#include "runs/run.h"

#define DRAW_DEVICE_OPTION OPTION_INT('d', "device", device, "N", 0, UINT32_MAX, "one device")

/* `starts` ends with what the time counts from. */
#define DRAW_TIME_OPTIONS(heading, starts)                                \
	OPTION_STRING(0, "from", from, "TIME",                            \
		      "from this time after " starts                      \
		      ": 250us, 1.5ms, 2s, 40%; a number alone is of ms", \
		      .section = heading),                                \
		OPTION_STRING(0, "to", to, "TIME", "up to this time")

#define DRAW_SVG_OPTION OPTION_STRING(0, "svg", svg, "FILE", "a picture for documents")

extern const struct opt_arg draw_args[];

/* The argument, else the profiler's folder. */
const char *draw_run(const struct opt_found *found);
struct term draw_term(int colour);

/* A picture to `path` (or NULL) is no JSON: one of them at a time. */
enum ttp_rc draw_one_form(bool json, const char *path, const char *option,
			  struct ttp_err *e) TTP_CHECKED;

/* What draw() makes of `what` to a file, whole or not at all; "-" is standard output. */
typedef void draw_fn(const void *what, struct out *out);
enum ttp_rc draw_picture(const char *path, draw_fn *draw, const void *what,
			 struct ttp_err *e) TTP_CHECKED;

/* The cores of a run.  Close it also when it could not be opened. */
struct draw_cores {
	struct core_times times;
	struct op_names names;
	struct heat heat;
	bool has_heat;
};
enum ttp_rc draw_cores_open(struct draw_cores *c, struct run *run, const struct heat_ask *ask,
			    const char *prog, struct ttp_err *e) TTP_CHECKED;
void draw_cores_close(struct draw_cores *c);

/* Files that were skipped, as warnings; not the one that is the error `e` (or NULL) anyway. */
void draw_tell_left_out(const char *prog, const struct ttp_err *all, size_t n,
			const struct ttp_err *e);
/* Rows that could not be read, as warnings. */
void draw_tell_log(const char *prog, const struct device_log *log, const char *path);

#endif /* TTP_CMD_DRAW_RUN_H */
