// SPDX-License-Identifier: Apache-2.0
/* Host time beside a simulated chip, and the chip's clock beside the host's (chip_pace.c). */
#ifndef TTP_HOST_CLOCK_HOST_CLOCK_H
#define TTP_HOST_CLOCK_HOST_CLOCK_H

#include <stdbool.h>

struct ttp_dev;

/* Around time spent inside of a simulator, which host time does not have. */
void clock_enter(void);
void clock_leave(void);
/* Time of the device that the host waited for. */
void clock_pass(double ns);
bool clock_is_scripted(void);

void pace_begin(struct ttp_dev *d);
/* The chip is taken to where the host is; nothing if its clock stands still. */
void pace_device(struct ttp_dev *d);
/* The host is taken to where the chip is, because it waited for it. */
void pace_host(struct ttp_dev *d);

#endif /* TTP_HOST_CLOCK_HOST_CLOCK_H */
