// SPDX-License-Identifier: Apache-2.0
/* Ops that are faster than their chip allows: was it another one? */
#ifndef TTP_REPORT_CHIP_FIT_H
#define TTP_REPORT_CHIP_FIT_H

#include "report/calls.h"

/*
 * The chip of the report's architecture (of any, where it names none) on which fewest calls are impossible; *over: how many those are.
 * NULL if none halves them.
 */
const struct chip *chip_that_fits(const struct calls *c, uint64_t *over);

/* One that has so many cores, of the report's architecture if there is one; NULL: none has. */
const struct chip *chip_with_cores(const struct calls *c, double cores);

#endif /* TTP_REPORT_CHIP_FIT_H */
