// SPDX-License-Identifier: Apache-2.0
#include "markers/log/device_log.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/order.h"

/* Firmware of one RISC, from start to end. */
struct stretch {
	uint32_t device;
	uint64_t start, end;
};

typedef VEC(struct stretch) stretch_vec;

ORDER_BY(by_device_and_start, struct stretch, device, start, end)

/* A firmware that never ends lasts until the last mark of its RISC before the next start. */
static void find_stretches(struct device_log *log, stretch_vec *out)
{
	struct marker_batch batch = { 0 };
	const struct marker *m;
	SCOPED(intern) struct intern riscs = { 0 };
	SCOPED(vec)
	VEC(uint32_t) open = { 0 }; /* per RISC: one more than the number of its last stretch */

	while ((m = marker_batch_next(&batch, log))) {
		uint32_t key[4] = { m->device, m->x, m->y, m->risc };
		uint32_t risc = intern_copy(&riscs, str_n((const char *)key, sizeof(key)));
		struct stretch *s;

		if (risc == open.len)
			*vec_push(&open) = 0;
		if (m->timer_id == 1) {
			*vec_push(out) =
				(struct stretch){ m->device, m->time_cycles, m->time_cycles };
			open.at[risc] = (uint32_t)out->len;
		}
		s = open.at[risc] ? &out->at[open.at[risc] - 1] : NULL;
		if (s && m->time_cycles > s->end)
			s->end = m->time_cycles;
	}
}

void launches_number(struct device_log *log)
{
	struct launches *l;
	SCOPED(vec) stretch_vec all = { 0 };
	uint64_t end = 0;

	if (log->launches)
		return;
	l = mem_zero(1, sizeof(*l));
	find_stretches(log, &all);
	device_log_rewind(log);
	vec_sort(&all, by_device_and_start);
	vec_each (s, &all) {
		const struct launch *last = l->all.len ? &l->all.at[l->all.len - 1] : NULL;
		bool other = !last || last->device != s->device;

		if (other || s->start > end) {
			uint32_t number = other ? 1 : last->number + 1;

			*vec_push(&l->all) = (struct launch){ s->start, s->device, number };
			end = s->end;
		} else if (s->end > end) {
			end = s->end;
		}
	}
	vec_trim(&l->all);
	log->launches = l;
}

static bool is_before(const struct launch *l, uint32_t device, uint64_t cycles)
{
	return l->device != device ? l->device < device : l->start_cycles <= cycles;
}

uint32_t launch_at(struct launches *l, uint32_t device, uint64_t cycles)
{
	size_t n = l->all.len, lo;

	/* mostly the one of the marker before */
	if (l->last < n && is_before(&l->all.at[l->last], device, cycles) &&
	    (l->last + 1 == n || !is_before(&l->all.at[l->last + 1], device, cycles)))
		lo = l->last + 1;
	else
		lo = order_first(i, n, is_before(&l->all.at[i], device, cycles));
	/* a mark before the first start belongs to the first */
	if ((!lo || l->all.at[lo - 1].device != device) && lo < l->all.len)
		lo++;
	l->last = lo ? lo - 1 : 0;
	return lo && l->all.at[lo - 1].device == device ? l->all.at[lo - 1].number : 0;
}

void launches_free(struct launches *l)
{
	if (l)
		vec_release(&l->all);
	free(l);
}
