// SPDX-License-Identifier: Apache-2.0
/* How long programs took, for the caller: what perf_data.c worked out. */
#include <stdlib.h>
#include <string.h>

#include "host/api/api_error.h"
#include "host/host_device.h"

/* By the firmware's time; two with the same times are one, as in tt-metal. */
static int by_time(const void *a, const void *b)
{
	const struct ttp_perf_time *x = &((const struct ttp_program_perf *)a)->times[TTP_PERF_FW];
	const struct ttp_perf_time *y = &((const struct ttp_program_perf *)b)->times[TTP_PERF_FW];

	if (x->start_cycles != y->start_cycles)
		return x->start_cycles < y->start_cycles ? -1 : 1;
	return x->end_cycles < y->end_cycles ? -1 : x->end_cycles > y->end_cycles;
}

long ttp_dev_perf_data(struct ttp_dev *d, bool latest, struct ttp_program_perf *programs, size_t n,
		       size_t size)
{
	VEC(struct ttp_program_perf) found = { 0 };
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
	vec_release(&found);
	return count;
}

int ttp_dev_name_program(struct ttp_dev *d, uint32_t id, const char *name)
{
	if (!d)
		return -1;
	if (!name || id > PROGRAM_ID_MAX)
		return host_failed(TTP_USAGE, "a name for program %u: ids are 0 to %d", id,
				   PROGRAM_ID_MAX);
	perf_data_name(&d->perf, ttp_encode_program_id(id, (uint32_t)d->id, false), str_of(name));
	return 0;
}
