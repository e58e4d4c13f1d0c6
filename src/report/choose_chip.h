// SPDX-License-Identifier: Apache-2.0
/*
 * Which chip a report is of: DEVICE ARCH and AVAILABLE WORKER CORE COUNT say it.  Reports without them (before v2.1, and those that
 * somebody cut) are recognised by what else they have: cycles and nanoseconds of ops make a clock, and an op that runs on 110 cores
 * ran on no chip of 72.
 */
#ifndef TTP_REPORT_CHOOSE_CHIP_H
#define TTP_REPORT_CHOOSE_CHIP_H

#include "report/calls.h"

/* Sets `on`, `arch` and what is said of the chip. */
void choose_chip(struct calls *c, const struct call_options *o);

#endif /* TTP_REPORT_CHOOSE_CHIP_H */
