// SPDX-License-Identifier: Apache-2.0
/* `ttprof compare --zones`: host zones of the traces of all runs, in the part whose ops are compared. */
#ifndef TTP_CMD_COMPARE_ZONES_H
#define TTP_CMD_COMPARE_ZONES_H

#include "cmd/compare_inputs.h"
#include "compare/host_zones.h"
#include "runs/zone_stacks.h"

struct compare_zones {
	VEC(struct zone_stacks) stacks; /* of all runs: they own the texts */
	struct host_zones *runs[SIDES];
	size_t n[SIDES];
	struct zone_lines lines;
};

/* False, with a reason: a run has no trace, or its ops no times of the host.  Release it in any case. */
bool compare_zones_make(struct compare_zones *z, const struct compare_inputs *in,
			const struct compare *c, struct ttp_err *why) TTP_CHECKED;
void compare_zones_release(struct compare_zones *z);

#endif /* TTP_CMD_COMPARE_ZONES_H */
