// SPDX-License-Identifier: Apache-2.0
/*
 * Times in ns, as signed 64-bit numbers (292 years).  All may be called from any thread, take no lock
 * and cannot fail.
 */
#ifndef TTP_BASE_CLOCK_H
#define TTP_BASE_CLOCK_H

#include <stdint.h>

/* Never goes back; counts from some moment before the process, such as boot. */
int64_t clock_mono_ns(void);
/* Since 1970-01-01 UTC; may jump when somebody sets the clock. */
int64_t clock_wall_ns(void);
/* Processor time used so far, by all threads. */
int64_t clock_process_cpu_ns(void);

#endif /* TTP_BASE_CLOCK_H */
