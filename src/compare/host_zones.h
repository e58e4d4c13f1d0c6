// SPDX-License-Identifier: Apache-2.0
/*
 * Zones of the host on both sides, matched by name and by what they are inside of.  They are beside the comparison of ops, not part of its
 * totals: the host's time goes on while devices work.
 */
#ifndef TTP_COMPARE_HOST_ZONES_H
#define TTP_COMPARE_HOST_ZONES_H

#include "compare/compare.h"

/* Of one run, in ns of a step. */
struct host_zone {
	struct str stack; /* borrowed; the innermost first */
	double calls, total_ns, self_ns;
};

struct host_zones {
	VEC(struct host_zone) all; /* each stack once */
};

struct zone_line {
	struct str stack; /* borrowed from a run's zones */
	bool is_in[SIDES];
	double calls[SIDES], total_ns[SIDES], self_ns[SIDES]; /* means over the runs of a side */
	struct estimate self; /* over runs, as of ops; too few: no interval */
};

struct zone_lines {
	VEC(struct zone_line) all; /* the largest change of time of its own first */
};

void zone_lines_make(struct zone_lines *to, const struct host_zones *const *runs, const size_t *n,
		     const struct compare_ask *ask);
void zone_lines_release(struct zone_lines *z);
void zone_lines_text(const struct zone_lines *z, size_t most, struct term term, struct out *out);
struct json_writer;
/* The member "zones" of the object that is open. */
void zone_lines_json(const struct zone_lines *z, struct json_writer *w);

#endif /* TTP_COMPARE_HOST_ZONES_H */
