// SPDX-License-Identifier: Apache-2.0
/*
 * A part of the run in which like ops take longer than elsewhere, such as its last step: means over the run hide it.  And parts between
 * other signposts that wait where this one does not.
 */
#ifndef TTP_REPORT_SLOW_STRETCH_H
#define TTP_REPORT_SLOW_STRETCH_H

#include "report/findings.h"

void slow_stretch_add(struct findings *f, const struct calls *c);
/* Another part of the run, which is not reported, waited. */
void other_part_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_SLOW_STRETCH_H */
