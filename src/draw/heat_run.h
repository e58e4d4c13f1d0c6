// SPDX-License-Identifier: Apache-2.0
/* The cores of a run: its device log read for one question, with the names of its ops. */
#ifndef TTP_DRAW_HEAT_RUN_H
#define TTP_DRAW_HEAT_RUN_H

#include "draw/heat.h"

struct heat_run {
	struct core_times times;
	struct op_names names;
	struct heat heat;
	bool has_heat;
};

/* Fails with what is missing and what would make it.  Close it also then. */
enum ttp_rc heat_run_open(struct heat_run *c, struct run *run, const struct heat_ask *ask,
			  struct ttp_err *e) TTP_CHECKED;
void heat_run_close(struct heat_run *c);

#endif /* TTP_DRAW_HEAT_RUN_H */
