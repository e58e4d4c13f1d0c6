// SPDX-License-Identifier: Apache-2.0
/* What takes most of the time: ops, gaps between them, zones; as bars. */
#ifndef TTP_DRAW_TOP_H
#define TTP_DRAW_TOP_H

#include "base/arena.h"
#include "base/out.h"
#include "base/term.h"
#include "report/report.h"
#include "runs/run.h"
#include "runs/zone_sums.h"

typedef VEC(uint32_t) top_numbers;

enum top_what { TOP_OPS = 1, TOP_GAPS = 2, TOP_ZONES = 4 };
enum top_sort { TOP_BY_TOTAL, TOP_BY_SELF, TOP_BY_CALLS, TOP_BY_MEAN, TOP_BY_MAX };
extern const char *const top_sort_names[];

/* Gaps before ops that look alike. */
struct top_gap {
	uint32_t call; /* of ops->calls.all: the longest */
	uint32_t count;
	double total_ns;
	double own_ns; /* of total_ns: neither building, nor the profiler, nor a pause */
	bool building; /* programs were being built */
	bool pause;    /* apart from all other gaps */
	/* where there is a trace (ops/host_gaps.h), of all of them: */
	struct str cover;         /* the zone that the host was in; empty: not known */
	double cover_ns, host_ns; /* of so much of the host's time */
};

struct top {
	struct str source;
	const struct report *ops;      /* NULL: there is no report */
	const struct zone_sums *zones; /* NULL: there is neither trace nor log */
	unsigned what;                 /* enum top_what */
	size_t most;                   /* lines of each; 0: all */
	enum top_sort sort;            /* of zones */
	struct str filter;             /* part of a name */
	/* filled by top_make() */
	top_numbers lines;                    /* of ops->lines */
	VEC(struct top_gap) gaps;             /* most time first */
	top_numbers rows;                     /* of zones->all */
	size_t all_lines, all_gaps, all_rows; /* before they were cut to `most` */
	struct arena texts;
	double all_gap_ns; /* of gaps that are shown or not, but for those of building programs */
};

/* What zones are sorted by. */
double zone_rank(const struct zone_sum *z, enum top_sort by);

void top_make(struct top *t);
void top_release(struct top *t);
void top_text(const struct top *t, struct term term, struct out *out);
void top_json(const struct top *t, const struct run *run, struct out *out);

/* Ops below the chip's limits: arithmetic per byte of DRAM against arithmetic per second, both logarithmic, as a picture. */
void roofline_svg(const struct calls *c, struct str source, struct out *out);

#endif /* TTP_DRAW_TOP_H */
