// SPDX-License-Identifier: Apache-2.0
/* How long programs took, for the caller: what perf_data.c worked out. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/api/guarded_calls.h"
#include "host/host_device.h"

/* By the firmware's time; two with the same times are one, as in tt-metal. */
ORDER_BY(by_time, struct ttp_program_perf, times[TTP_PERF_FW].start_cycles,
	 times[TTP_PERF_FW].end_cycles)

long ttp_dev_perf_data(struct ttp_dev *d, bool latest, struct ttp_program_perf *programs, size_t n,
		       size_t size)
{
	SCOPED(vec) VEC(struct ttp_program_perf) found = { 0 };
	long count = 0;

	if (!d)
		return -1;
	if (!latest)
		vec_each (p, &d->perf.all.programs)
			perf_data_get(&d->perf, p, vec_push(&found));
	vec_each (p, &d->perf.latest.programs)
		perf_data_get(&d->perf, p, vec_push(&found));
	vec_sort(&found, by_time);
	for (size_t i = 0; i < found.len; i++) {
		char *to = (char *)programs + (size_t)count * size;

		if (i && !by_time(&found.at[i - 1], &found.at[i]))
			continue;
		if ((size_t)count < n) {
			memset(to, 0, size);
			memcpy(to, &found.at[i],
			       size < sizeof(*found.at) ? size : sizeof(*found.at));
		}
		count++;
	}
	return count;
}

int call_dev_name_program(struct ttp_dev *d, uint32_t id, const char *name)
{
	if (!d)
		return -1;
	if (!name || id > PROGRAM_ID_MAX)
		return host_failed("a name for program %u: ids are 0 to %d", id, PROGRAM_ID_MAX);
	perf_data_name(&d->perf, ttp_encode_program_id(id, (uint32_t)d->id, false), str_of(name));
	return 0;
}
