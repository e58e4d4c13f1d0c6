// SPDX-License-Identifier: Apache-2.0
/*
 * Steps of a training: tt-train leaves marker ops, ProfilerNoopOperation with an attribute "identifier", several of the same
 * one after the other; "iteration_7" ends step 7.
 */
#ifndef TTP_REPORT_STEPS_H
#define TTP_REPORT_STEPS_H

#include "report/calls.h"

/* Is it such a marker?  What it is called, if it says so: nothing is to be gained with it. */
bool row_is_marker(const struct ops_table *t, size_t row, struct str *identifier);

/* Does it end a step, and which? */
bool step_of_row(const struct ops_table *t, size_t row, int64_t *number);

/* Different steps that end in the part that is reported; 0 where there are no such markers. */
uint32_t steps_count(const struct calls *c);

#endif /* TTP_REPORT_STEPS_H */
