// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/marker_log.h"

#include <stdlib.h>

#include "base/order.h"
#include "markers/zone_class.h"

struct group {
	uint64_t run_id, first_cycles;
	uint32_t order;
	marker_series series;
};

typedef VEC(struct group) group_vec;

ORDER_BY(by_first, struct group, first_cycles, order)

static void make_groups(const struct marker_log *m, const struct core_log *c, group_vec *groups)
{
	SCOPED(u64map) struct u64map index = { 0 };
	uint64_t last_id = 0;
	uint32_t at = 0;

	vec_each (i, &c->series) {
		const struct marker *k = &m->all.at[*i];
		bool added = false;

		if (!groups->len || k->run_id != last_id)
			at = u64map_get_or_put(&index, k->run_id, (uint32_t)groups->len, &added);
		last_id = k->run_id;
		if (added)
			*vec_push(groups) = (struct group){ .run_id = k->run_id,
							    .first_cycles = k->time_cycles,
							    .order = at };
		*vec_push(&groups->at[at].series) = *i;
	}
	vec_sort(groups, by_first);
}

bool zone_leads_core(const struct marker_names *names, uint16_t risc, unsigned class)
{
	switch (class & ZONE_IS_KERNEL ? OWNER_NONE : class & ZONE_OWNER) {
	case OWNER_BRISC:
		return risc == RISC_BRISC;
	case OWNER_ERISC:
		return risc == RISC_ERISC;
	case OWNER_TRACE:
		return risc == RISC_AGG;
	case OWNER_DM0:
		return str_eq(intern_get(&names->riscs, risc), STR("QUASAR_DM0"));
	default:
		return false;
	}
}

/* By zone. */
static uint16_t *zone_classes(const struct marker_names *names)
{
	uint32_t n = intern_count(&names->zones);
	uint16_t *class = mem_zero(n + 1, sizeof(*class));

	for (uint32_t i = 0; i < n; i++)
		class[i] = classify_zone(intern_get(&names->zones, i));
	return class;
}

enum core_state { IDLE, OPEN, DONE };

bool op_progress_step(struct op_progress *p, uint8_t *state, bool starts)
{
	if (starts) {
		/* the original gives up on a second start; here the core starts anew */
		p->broken |= *state != IDLE;
		p->done -= *state == DONE;
		*state = OPEN;
		return false;
	}
	if (*state == OPEN) {
		*state = DONE;
		p->done++;
		return p->done == p->cores;
	}
	p->broken |= *state == DONE;
	return false;
}

struct cores {
	struct u64map index;
	VEC(uint8_t) state;
	struct op_progress progress;
	/* the one before: often the same */
	uint64_t last_key;
	uint32_t last;
};

static uint8_t *state_of(struct cores *c, const struct marker *k)
{
	uint64_t key = (uint64_t)k->x << 16 | k->y;
	bool added = false;

	if (!c->state.len || key != c->last_key)
		c->last = u64map_get_or_put(&c->index, key, (uint32_t)c->state.len, &added);
	c->last_key = key;
	if (added)
		*vec_push(&c->state) = IDLE;
	return &c->state.at[c->last];
}

/* True when the op closes with this marker. */
static bool step(struct marker_log *m, struct cores *c, const struct marker *k, unsigned class,
		 bool device)
{
	bool closes;

	if (k->type > MARKER_ZONE_END || !(class & ZONE_OWNER) ||
	    !zone_leads_core(m->names, k->risc, class))
		return false;
	if (!device)
		return k->type == MARKER_ZONE_END;
	c->progress.cores = c->state.len;
	closes = op_progress_step(&c->progress, state_of(c, k), k->type == MARKER_ZONE_START);
	m->broken |= c->progress.broken;
	return closes;
}

/* Of a log of six columns a launch is one op: firmware of other RISCs may run on where BRISC's has ended. */
void marker_ops_detect(struct marker_log *m, struct core_log *c, bool device)
{
	SCOPED(vec) group_vec groups = { 0 };
	bool launches = m->log->numbered_marks;
	struct log_op open = { 0 };
	SCOPED(mem) uint16_t *class = zone_classes(m->names);

	make_groups(m, c, &groups);
	vec_each (g, &groups) {
		struct cores cores = { 0 };

		if (!g->run_id)
			continue;
		for (size_t i = 0; device && i < g->series.len; i++)
			(void)state_of(&cores, &m->all.at[g->series.at[i]]);
		vec_each (i, &g->series) {
			const struct marker *k = &m->all.at[*i];

			if (!k->timer_id)
				continue;
			*vec_push(&open.series) = *i;
			if (launches || !step(m, &cores, k, class[k->zone], device))
				continue;
			*vec_push(&c->ops) = open;
			open = (struct log_op){ 0 };
			if (cores.state.len)
				memset(cores.state.at, IDLE, cores.state.len);
			cores.progress.done = 0;
		}
		if (launches && open.series.len) {
			*vec_push(&c->ops) = open;
			open = (struct log_op){ 0 };
		}
		u64map_release(&cores.index);
		vec_release(&cores.state);
	}
	vec_release(&open.series);
	vec_each (g, &groups)
		vec_release(&g->series);
}
