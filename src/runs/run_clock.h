// SPDX-License-Identifier: Apache-2.0
#ifndef TTP_RUNS_RUN_CLOCK_H
#define TTP_RUNS_RUN_CLOCK_H

#include "base/str.h"

/* What times of a run's devices are, by its profiler_overhead.json: "modelled time", which only a simulated chip has.  NULL: a card's own, or not known. */
const char *run_clock_note(struct str overhead);
const char *run_clock_note_of_file(const char *overhead_path);

#endif /* TTP_RUNS_RUN_CLOCK_H */
