// SPDX-License-Identifier: Apache-2.0
/* What recording costs in this process, for the welcome: measured by the sender, once, in some 20 µs. */
#ifndef TTP_CLIENT_SEND_EVENT_COST_H
#define TTP_CLIENT_SEND_EVENT_COST_H

#include <stdint.h>

struct cost {
	uint64_t event_ticks; /* of one event; 0 when time is not the machine's */
	uint64_t step_ticks;  /* smallest step of the clock that is seen */
};

/* Only for a thread that records nothing, when there is a clock. */
struct cost cost_measured(void);

#endif /* TTP_CLIENT_SEND_EVENT_COST_H */
