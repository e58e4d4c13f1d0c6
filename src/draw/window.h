// SPDX-License-Identifier: Apache-2.0
/* A part of a run's time, as users write it: --from 1.5ms --to 40%. */
#ifndef TTP_DRAW_WINDOW_H
#define TTP_DRAW_WINDOW_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* One end: a time from the start of the run, or a part of it in percent. */
struct moment {
	double value; /* ns, or percent */
	bool given, percent;
};

/* "250us", "1.5 ms", "2s", "900ns", "40%"; a number alone is of ms.  `option` is for the message. */
enum ttp_rc moment_parse(const char *text, const char *option, struct moment *out,
			 struct ttp_err *e) TTP_CHECKED;

struct window_ask {
	struct moment from, to;
};

struct window {
	int64_t from_ns, to_ns; /* from < to, from the start of the run */
};

/* Both options; NULL: not given. */
enum ttp_rc window_ask_parse(const char *from, const char *to, struct window_ask *out,
			     struct ttp_err *e) TTP_CHECKED;
/* Of a run of this length; TTP_USAGE when nothing is left of it. */
enum ttp_rc window_of(const struct window_ask *ask, int64_t span_ns, struct window *out,
		      struct ttp_err *e) TTP_CHECKED;

/* A moment with its unit, to a thousandth of the window that it is in: "0", "2.5 ms", "11.3824 s". */
void add_moment(struct buf *b, double ns, double window_ns);

/*
 * Round ticks for an axis over [from, to] with at most `most` of them: the first one and the step, in ns.  `unit_ns` and `unit` are
 * what their numbers are best written in.
 */
struct axis {
	double first_ns, step_ns, unit_ns;
	const char *unit;
	int decimals;
};
struct axis axis_of(double from_ns, double to_ns, int most);
/* The number of a tick on it, without unit. */
void axis_number(struct buf *b, const struct axis *a, double ns);
/* The `i`th tick on it, from 0; false when it is beyond `to_ns`. */
bool axis_at(const struct axis *a, int i, double to_ns, double *ns);

#endif /* TTP_DRAW_WINDOW_H */
