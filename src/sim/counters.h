// SPDX-License-Identifier: Apache-2.0
/* Counters of a tile's compute engine; the registers of <ttp/tensix_macros.h>. */
#ifndef TTP_SIM_COUNTERS_H
#define TTP_SIM_COUNTERS_H

#include <stdint.h>

#include "ttp/tensix_macros.h"

struct counters {
	uint64_t value[TTP_COUNTERS_N];
	uint64_t start, stop; /* cycles; stop 0: not yet */
};

#define COUNT(n, name, by) ((n)->counters.value[TTP_COUNT_##name] += (by))

#endif /* TTP_SIM_COUNTERS_H */
