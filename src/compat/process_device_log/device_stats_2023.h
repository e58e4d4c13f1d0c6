// SPDX-License-Identifier: Apache-2.0
/* Frozen: the statistics that process_device_log.py of 2023 made of logs of six columns. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_STATS_2023_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_STATS_2023_H

#include "markers/analyses/marker_log.h"

/* `setup` names which times are looked for. */
void device_stats_2023_print(const struct marker_log *m, const char *setup, struct buf *to);

/* The times that it looks for. */
enum time_kind_2023 { ADJACENT, PER_LAUNCH, SESSION };

struct time_2023 {
	const char *name;
	enum time_kind_2023 kind;
	int start_risc, end_risc; /* -1: any */
	uint32_t start, end;      /* marks; 0 is T0 */
	bool device;
};

/* Those of a setup: its own, then the eleven that all have. */
enum { TIMES_2023_MOST = 15 };
struct times_2023 {
	const struct time_2023 *at[TIMES_2023_MOST];
	size_t len;
};
void times_2023_of(const char *setup, struct times_2023 *out);
/* Names of setups of that time, one after the other; NULL after the last. */
const char *setup_2023_name(size_t i);
bool setup_2023_is_known(const char *setup);

typedef VEC(int64_t) times_vec;

/* Those of one series, in its order. */
void times_2023_find(const struct marker_log *m, const marker_series *s, const struct time_2023 *t,
		     uint64_t t0, times_vec *out);
/* Of sorted times. */
double times_2023_median(const times_vec *v);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_STATS_2023_H */
