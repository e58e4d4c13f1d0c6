// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/log_records.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "markers/analyses/marker_log.h"
#include "markers/zone_class.h"

enum { SETUP_ANALYSES_MAX = 32, TYPE_BITS = 3 };

/* ---- kinds ---- */

void records_begin(struct records *s)
{
	*s = (struct records){ 0 };
	setup_analyses(setup_find(STR("default_setup")), &s->list);
	for (uint32_t i = 0; i < s->list.len && i < SETUP_ANALYSES_MAX; i++) {
		const struct analysis *a = &s->list.at[i];
		uint32_t bit = 1u << i;

		switch (a->type) {
		case ANALYSIS_SESSION_FIRST_LAST:
		case ANALYSIS_FIRST_LAST:
			s->first_last |= a->across == ACROSS_OPS ? bit : 0;
			break;
		case ANALYSIS_CORE_FIRST_LAST:
			s->per_core |= bit;
			break;
		case ANALYSIS_SUM:
			s->sum |= bit;
			break;
		case ANALYSIS_ADJACENT:
			s->adjacent_of_core |= a->across == ACROSS_CORE ? bit : 0;
			s->adjacent_of_device |= a->across == ACROSS_DEVICE ? bit : 0;
			break;
		case ANALYSIS_EVENT:
		case ANALYSIS_TYPES:
			break;
		}
	}
}

static void match(struct records *s, struct record_kind *k, const struct marker_names *names)
{
	for (uint32_t i = 0; i < s->list.len && i < SETUP_ANALYSES_MAX; i++) {
		const struct analysis *a = &s->list.at[i];
		/* as marker_analysis.c: a * counts for ops alone */
		bool exact = a->type == ANALYSIS_ADJACENT || a->type == ANALYSIS_SUM;
		struct marker like = { .zone = k->zone, .risc = k->risc, .type = k->type };

		if (analysis_side_fits(&a->start, &like, names, !exact))
			k->starts |= 1u << i;
		if (analysis_side_fits(&a->end, &like, names, !exact))
			k->ends |= 1u << i;
	}
}

static uint32_t op_slot_of(struct records *s, const struct record_kind *k)
{
	struct record_slot want = { k->starts & s->first_last, k->ends & s->first_last };

	if (!want.starts && !want.ends)
		return RECORD_NONE;
	for (uint32_t i = 0; i < s->slots.len; i++)
		if (s->slots.at[i].starts == want.starts && s->slots.at[i].ends == want.ends)
			return i;
	*vec_push(&s->slots) = want;
	return (uint32_t)s->slots.len - 1;
}

static uint32_t new_kind(struct records *s, const struct marker *m,
			 const struct marker_names *names)
{
	struct record_kind k = { .zone = m->zone,
				 .risc = m->risc,
				 .type = m->type,
				 .timed = m->timer_id,
				 .zone_number = RECORD_NONE };

	match(s, &k, names);
	k.slot = k.timed ? op_slot_of(s, &k) : RECORD_NONE;
	k.leads = k.timed && k.type <= MARKER_ZONE_END &&
		  zone_leads_core(names, k.risc, classify_zone(intern_get(&names->zones, k.zone)));
	*vec_push(&s->kinds) = k;
	return (uint32_t)s->kinds.len - 1;
}

static bool is_kind(const struct record_kind *k, const struct marker *m)
{
	return k->zone == m->zone && k->risc == m->risc && k->type == m->type &&
	       k->timed == !!m->timer_id;
}

static uint32_t kind_of(struct records *s, const struct marker *m, const struct marker_names *names)
{
	uint32_t at = (uint32_t)m->zone << TYPE_BITS | m->type, kind;
	uint64_t key = (uint64_t)m->risc << 32 | (uint64_t)m->zone << 16 | (uint64_t)m->type << 1 |
		       !!m->timer_id;
	bool added;

	vec_reach(&s->last_kind, at, 0);
	if (s->last_kind.at[at] && is_kind(&s->kinds.at[s->last_kind.at[at] - 1], m))
		return s->last_kind.at[at] - 1;
	kind = u64map_get_or_put(&s->kind_index, key, (uint32_t)s->kinds.len, &added);
	if (added)
		kind = new_kind(s, m, names);
	s->last_kind.at[at] = kind + 1;
	return kind;
}

/* ---- reading ---- */

static uint32_t device_of(struct records *s, uint32_t id)
{
	return keyed_at(&s->device_index, id, &s->devices, (struct record_device){ .id = id });
}

/* Mostly the group that came after this one on the RISC that was read before. */
static uint32_t group_of(struct records *s, const struct record_risc *r, uint64_t run_id)
{
	uint32_t *guess = r->all.len ? &s->groups.at[r->group].follower : NULL;
	uint32_t found;
	bool added;

	if (guess && *guess != RECORD_NONE && s->groups.at[*guess].run_id == run_id)
		return *guess;
	found = u64map_get_or_put(&s->devices.at[r->device].groups, run_id, (uint32_t)s->groups.len,
				  &added);
	if (guess)
		*guess = found;
	if (added)
		*vec_push(&s->groups) = (struct record_group){ .run_id = run_id,
							       .first_cycles = UINT64_MAX,
							       .first_ordinal = UINT32_MAX,
							       .device = r->device,
							       .follower = RECORD_NONE };
	return found;
}

void records_take(void *ctx, const struct marker_fold *f, const struct fold_moment *at)
{
	struct records *s = ctx;
	const struct marker *m = at->marker;
	uint32_t kind = kind_of(s, m, f->names);
	struct record_risc *r;

	vec_reach(&s->riscs, at->risc_at,
		  (struct record_risc){
			  .device = device_of(s, m->device) }); /* new ones come one by one */
	r = &s->riscs.at[at->risc_at];
	if (!r->all.len || r->run_id != m->run_id)
		r->group = group_of(s, r, m->run_id);
	r->run_id = m->run_id;
	*vec_push(&r->all) = (struct record){ m->time_cycles, r->group, kind };
	if (s->kinds.at[kind].timed && (s->kinds.at[kind].starts & s->sum))
		*vec_push(&s->sums) =
			(struct record_sum){ m->time_cycles, m->data, r->group, kind, at->risc_at };
}

/* ---- in order ---- */

static void sort_risc(struct record_risc *r)
{
	struct record *sorted;
	struct timed *timed;
	size_t n = r->all.len, i = 1;

	while (i < n && r->all.at[i - 1].time_cycles <= r->all.at[i].time_cycles)
		i++;
	if (i >= n)
		return;
	timed = mem_alloc(n, sizeof(*timed));
	sorted = mem_alloc(n, sizeof(*sorted));
	for (i = 0; i < n; i++)
		timed[i] = (struct timed){ r->all.at[i].time_cycles, (uint32_t)i };
	timed_sort(timed, n);
	for (i = 0; i < n; i++)
		sorted[i] = r->all.at[timed[i].marker];
	RELEASE(mem, &timed, &r->all.at);
	r->all.at = sorted;
	r->all.cap = n;
}

/* RISCs core by core; cores have the order of the log, and so do the RISCs of each. */
static void order_riscs(struct records *s, const struct marker_fold *f)
{
	SCOPED(mem) uint32_t *first = mem_zero(f->cores.len + 2, sizeof(*first));

	for (uint32_t i = 0; i < s->riscs.len; i++)
		first[f->riscs.at[i].core + 1]++;
	for (size_t c = 0; c < f->cores.len; c++)
		first[c + 1] += first[c];
	vec_reserve(&s->walk, s->riscs.len);
	s->walk.len = s->riscs.len;
	for (uint32_t i = 0; i < s->riscs.len; i++)
		s->walk.at[first[f->riscs.at[i].core]++] = i;
}

static void add_to_groups(struct records *s, const struct record_risc *r, uint32_t core)
{
	uint32_t ordinal = r->first_ordinal;

	vec_each (k, &r->all) {
		struct record_group *g = &s->groups.at[k->group];
		const struct record_kind *kind = &s->kinds.at[k->kind];

		if (k->time_cycles < g->first_cycles || g->first_ordinal == UINT32_MAX) {
			g->first_cycles = k->time_cycles;
			g->first_ordinal = ordinal;
		}
		g->cores += g->last_core_1 != core + 1;
		g->last_core_1 = core + 1;
		if (kind->leads)
			*vec_push(&g->leads) =
				(struct record_lead){ k->time_cycles, ordinal, core,
						      kind->type == MARKER_ZONE_START };
		ordinal++;
	}
}

/* ---- ops ---- */

ORDER_IN(by_first, uint32_t, struct record_group, in[*it].device, in[*it].first_cycles,
	 in[*it].first_ordinal)

ORDER_BY(by_time, struct record_lead, time_cycles, ordinal)

/* What the cores of a group are at; what was said of an op before this one does not count. */
struct core_states {
	uint8_t *state;
	uint32_t *op_1, op; /* by core: the op that the state is of */
};

static uint8_t *state_of(struct core_states *c, uint32_t core)
{
	if (c->op_1[core] != c->op) {
		c->op_1[core] = c->op;
		c->state[core] = 0;
	}
	return &c->state[core];
}

static void find_ops(struct records *s, struct record_group *g, struct core_states *cores)
{
	struct op_progress p = { .cores = g->cores };

	g->first_op = (uint32_t)s->ops.len;
	if (g->run_id)
		vec_sort(&g->leads, by_time);
	cores->op++;
	for (size_t i = 0; i < g->leads.len && g->run_id; i++) {
		const struct record_lead *k = &g->leads.at[i];

		if (!op_progress_step(&p, state_of(cores, k->core), k->starts))
			continue;
		*vec_push(&s->ops) = (struct record_op){ k->time_cycles, k->ordinal, g->device };
		p.done = 0;
		cores->op++;
	}
	g->ops = (uint32_t)s->ops.len - g->first_op;
	vec_release(&g->leads);
}

static void order_groups(struct records *s, size_t cores)
{
	SCOPED(mem) uint32_t *order = order_numbers(s->groups.len, by_first, s->groups.at);
	struct core_states c = { mem_zero(cores + 1, 1), mem_zero(cores + 1, sizeof(*c.op_1)), 0 };

	for (uint32_t i = 0; i < s->groups.len; i++) {
		struct record_group *g = &s->groups.at[order[i]];

		g->order = i;
		find_ops(s, g, &c);
		s->devices.at[g->device].ops += g->ops;
	}
	for (size_t i = 1; i < s->devices.len; i++)
		s->devices.at[i].first_op =
			s->devices.at[i - 1].first_op + s->devices.at[i - 1].ops;
	RELEASE(mem, &c.state, &c.op_1);
}

void records_find_ops(struct records *s, const struct marker_fold *f)
{
	uint32_t ordinal = 1;

	order_riscs(s, f);
	vec_each (i, &s->walk) {
		struct record_risc *r = &s->riscs.at[*i];

		sort_risc(r);
		r->first_ordinal = ordinal;
		add_to_groups(s, r, f->riscs.at[*i].core);
		ordinal += (uint32_t)r->all.len;
	}
	order_groups(s, f->cores.len);
}

void records_release(struct records *s)
{
	vec_release_with(&s->riscs, all);
	vec_release_with(&s->groups, leads);
	vec_each (d, &s->devices)
		u64map_release(&d->groups);
	RELEASE(vec, &s->list, &s->kinds);
	u64map_release(&s->kind_index);
	RELEASE(vec, &s->last_kind, &s->slots, &s->sums, &s->devices);
	u64map_release(&s->device_index);
	RELEASE(vec, &s->ops, &s->walk);
}
