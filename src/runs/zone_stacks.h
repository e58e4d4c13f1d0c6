// SPDX-License-Identifier: Apache-2.0
/* Host zones of a stretch of a trace by what they are inside of: "read in forward in step". */
#ifndef TTP_RUNS_ZONE_STACKS_H
#define TTP_RUNS_ZONE_STACKS_H

#include "base/map.h"
#include "trace/trace.h"

struct zone_stack {
	uint32_t text; /* of `texts`; the innermost first, clean for a terminal */
	uint64_t calls;
	double total_ns, self_ns; /* within the stretch */
};

struct zone_stacks {
	struct intern texts;
	VEC(struct zone_stack) all;
};

/* Reads all of `t`, which was opened just now; zones of all threads, as far as they lie within from_ns..to_ns. */
enum ttp_rc zone_stacks_read(struct zone_stacks *z, struct trace *t, double from_ns, double to_ns,
			     struct ttp_err *e) TTP_CHECKED;
void zone_stacks_release(struct zone_stacks *z);

#endif /* TTP_RUNS_ZONE_STACKS_H */
