// SPDX-License-Identifier: Apache-2.0
/* The verdict as a sentence, the same on the terminal, on the page and in JSON. */
#ifndef TTP_REPORT_HEADLINE_H
#define TTP_REPORT_HEADLINE_H

#include "report/report.h"

/* Without full stop. */
void headline_add(struct buf *b, const struct report *r);
/* What is in none of its figures: "4.67 s of the profiler, 321 ms in one pause"; nothing without any. */
void headline_aside(struct buf *b, const struct totals *t);

#endif /* TTP_REPORT_HEADLINE_H */
