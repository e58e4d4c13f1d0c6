// SPDX-License-Identifier: Apache-2.0
#include "compat/process_device_log/marks_2023.h"

#include "base/order.h"

#include <stdlib.h>

void t0_2023_find(const struct marker_log *m, const struct device_markers *d, struct t0_2023 *t0)
{
	vec_each (c, &d->cores)
		vec_each (r, &c->riscs)
			if (r->series.len && m->all.at[r->series.at[0]].time_cycles < t0->cycles)
				*t0 = (struct t0_2023){ m->all.at[r->series.at[0]].time_cycles, c,
							r->risc };
}

ORDER_BY(by_time, struct mark_2023, cycles, order)

void marks_2023_take(const struct marker_log *m, const struct core_log *cores, size_t n, int risc,
		     const struct t0_2023 *t0, marks_2023 *out)
{
	for (const struct core_log *c = cores; c < cores + n; c++)
		vec_each (r, &c->riscs) {
			if (risc != MARKS_OF_ALL && r->risc != risc)
				continue;
			*vec_push(out) = (struct mark_2023){ t0->cycles, (uint32_t)out->len, 0,
							     t0->core, r->risc };
			vec_each (i, &r->series)
				*vec_push(out) =
					(struct mark_2023){ m->all.at[*i].time_cycles,
							    (uint32_t)out->len,
							    m->all.at[*i].timer_id, c, r->risc };
		}
	vec_sort(out, by_time);
}
