// SPDX-License-Identifier: Apache-2.0
/* Frozen: marks of logs of 2023 in the order of time, with T0 in front of those of every RISC. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_MARKS_2023_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_MARKS_2023_H

#include "markers/analyses/marker_log.h"

/* The earliest mark of a device and of those before it: the first that has that time. */
struct t0_2023 {
	uint64_t cycles;
	const struct core_log *core;
	uint16_t risc;
};
/* Moves it on to this device. */
void t0_2023_find(const struct marker_log *m, const struct device_markers *d, struct t0_2023 *t0);

struct mark_2023 {
	uint64_t cycles;
	uint32_t order; /* of cores, RISCs and marks in the log */
	uint32_t id;    /* 0: T0, which belongs to the core that set it */
	const struct core_log *core;
	uint16_t risc;
};

typedef VEC(struct mark_2023) marks_2023;

enum { MARKS_OF_ALL = -1 };
/* Of `n` cores, of one RISC or of all. */
void marks_2023_take(const struct marker_log *m, const struct core_log *cores, size_t n, int risc,
		     const struct t0_2023 *t0, marks_2023 *out);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_MARKS_2023_H */
