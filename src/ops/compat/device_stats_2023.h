// SPDX-License-Identifier: Apache-2.0
/* Frozen: the statistics that process_device_log.py of 2023 made of logs of six columns. */
#ifndef TTP_OPS_COMPAT_DEVICE_STATS_2023_H
#define TTP_OPS_COMPAT_DEVICE_STATS_2023_H

#include "ops/marker_log.h"

void device_stats_2023_print(const struct marker_log *m, struct buf *to);

/* The times that it looks for. */
enum time_kind_2023 { ADJACENT, PER_LAUNCH, SESSION };

struct time_2023 {
	const char *name;
	enum time_kind_2023 kind;
	int start_risc, end_risc; /* -1: any */
	uint32_t start, end;      /* marks; 0 is T0 */
	bool device;
};

enum { TIMES_2023 = 11 };
extern const struct time_2023 times_2023[TIMES_2023];

typedef VEC(int64_t) times_vec;

/* Those of one series, in its order. */
void times_2023_find(const struct marker_log *m, const marker_series *s, const struct time_2023 *t,
		     uint64_t t0, times_vec *out);
/* Of sorted times. */
double times_2023_median(const times_vec *v);

#endif /* TTP_OPS_COMPAT_DEVICE_STATS_2023_H */
