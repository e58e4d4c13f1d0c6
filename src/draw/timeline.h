// SPDX-License-Identifier: Apache-2.0
/* A run over time: from files to lanes, and lanes as text, JSON and SVG. */
#ifndef TTP_DRAW_TIMELINE_H
#define TTP_DRAW_TIMELINE_H

#include "base/out.h"
#include "base/term.h"
#include "draw/lanes.h"
#include "runs/run.h"

struct timeline_ask {
	struct window_ask when;
	unsigned kinds;    /* 1 << lane_kind; 0: host, ops and RISCs */
	int64_t device;    /* -1: all */
	struct str filter; /* part of a lane's name */
	struct str zone;   /* of devices, instead of kernels */
	size_t buckets;
	bool whole; /* not only when devices ran, also where that is a small part */
};

/* One axis of time: a run whose clocks were not brought together has two. */
struct timeline_axis {
	struct lanes lanes;
	int64_t span_ns;
	VEC(uint32_t) shown; /* numbers of lanes */
	uint32_t hidden;     /* lanes without anything in the window, or beyond what is shown */
	const char *what;    /* "host", "devices", or "" when it is the only one */
};

struct timeline {
	struct timeline_ask ask;
	struct buf source;
	struct timeline_axis axis[2];
	int axes;
	bool fitted;      /* only the part in which devices ran is shown */
	struct buf notes; /* lines: what is missing, and what to do */
};

/* A part is small below one of so many. */
enum { TIMELINE_HOST_SHOWN = 12, TIMELINE_DEVICES_IN_FULL = 2, TIMELINE_SMALL = 4 };

/* Parts that can't be read, and what is wrong with others, are added to run->parts.left_out. */
enum ttp_rc timeline_make(struct timeline *t, struct run *run, const struct timeline_ask *ask,
			  struct ttp_err *e) TTP_CHECKED;
void timeline_release(struct timeline *t);

/* Columns that a screen of this width has for time. */
size_t timeline_columns(int width);
void timeline_text(const struct timeline *t, struct term term, struct out *out);
void timeline_json(const struct timeline *t, const struct run *run, struct out *out);
void timeline_svg(const struct timeline *t, struct out *out);

#endif /* TTP_DRAW_TIMELINE_H */
