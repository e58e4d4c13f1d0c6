// SPDX-License-Identifier: Apache-2.0
/*
 * Findings that say how far the others can be believed: data were lost, the ops are faster than the chip,
 * the profiler took more time than what it measured.  They save nothing, and come first.
 */
#ifndef TTP_REPORT_DOUBTS_H
#define TTP_REPORT_DOUBTS_H

#include "report/findings.h"

void doubts_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_DOUBTS_H */
