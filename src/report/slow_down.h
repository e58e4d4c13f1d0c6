// SPDX-License-Identifier: Apache-2.0
/* A run that gets slower and slower: like ops take longer in its middle than at its beginning, and longer still at its end. */
#ifndef TTP_REPORT_SLOW_DOWN_H
#define TTP_REPORT_SLOW_DOWN_H

#include "report/findings.h"

/* True: there is such a finding. */
bool slow_down_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_SLOW_DOWN_H */
