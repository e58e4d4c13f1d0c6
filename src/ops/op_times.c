// SPDX-License-Identifier: Apache-2.0
#include "ops/op_times.h"

#include <stdlib.h>

#include "base/number.h"

/* What a zone's name says; the low bits are its owner, the high ones flags. */
enum zone_owner {
	OWNER_NONE,
	OWNER_BRISC,
	OWNER_NCRISC,
	OWNER_TRISC,
	OWNER_ERISC,
	OWNER_DM,
	OWNER_DM0,
	OWNER_TRACE,
};
enum {
	ZONE_OWNER = 0x07,
	ZONE_IS_KERNEL = 0x08,
	ZONE_HOLDS_FW = 0x10,
	ZONE_IS_DISPATCH = 0x20,
	ZONE_CB_WAIT = 0x40,
	ZONE_CB_RESERVE = 0x80,
};

static uint8_t classify_zone(struct str name)
{
	static const struct {
		const char *name;
		enum zone_owner owner;
	} owners[] = {
		{ "BRISC", OWNER_BRISC }, { "NCRISC", OWNER_NCRISC }, { "TRISC", OWNER_TRISC },
		{ "ERISC", OWNER_ERISC }, { "DM", OWNER_DM },         { "DM0", OWNER_DM0 },
		{ "TRACE", OWNER_TRACE },
	};
	bool kernel = str_ends(name, STR("-KERNEL")), fw = str_ends(name, STR("-FW"));
	struct str owner = str_head(name, name.len - (kernel ? 7 : fw ? 3 : 0));
	unsigned c = 0;

	if (str_has(name, STR("FW")))
		c |= ZONE_HOLDS_FW;
	if (str_has(name, STR("CQ-DISPATCH")) || str_has(name, STR("CQ-PREFETCH")))
		c |= ZONE_IS_DISPATCH;
	if (str_eq(name, STR("CB-COMPUTE-WAIT-FRONT")))
		c |= ZONE_CB_WAIT;
	if (str_eq(name, STR("CB-COMPUTE-RESERVE-BACK")))
		c |= ZONE_CB_RESERVE;
	for (size_t i = 0; (kernel || fw) && i < sizeof(owners) / sizeof(*owners); i++)
		if (str_eq(owner, str_of(owners[i].name)))
			c |= owners[i].owner | (kernel ? ZONE_IS_KERNEL : 0);
	return (uint8_t)c;
}

/* The lane of a RISC that writes zones of its own name. */
static uint8_t classify_risc(struct str name, uint32_t id)
{
	if (id < RISC_ERISC)
		return (uint8_t)(LANE_BRISC + id);
	if (id == RISC_ERISC)
		return LANE_ERISC;
	if (id == RISC_AGG)
		return LANE_AGG;
	if (str_eq(name, STR("QUASAR_DM0")))
		return LANE_DM0;
	if (str_starts(name, STR("QUASAR_DM")))
		return LANE_DM;
	if (str_starts(name, STR("QUASAR_NEO")))
		return LANE_NEO;
	return LANE_OTHER;
}

/* Where a zone of this owner on this RISC counts. */
static enum op_lane lane_of(enum op_lane risc, enum zone_owner owner)
{
	switch (owner) {
	case OWNER_BRISC:
		return risc == LANE_BRISC ? LANE_BRISC : LANE_OTHER;
	case OWNER_NCRISC:
		return risc == LANE_NCRISC ? LANE_NCRISC : LANE_OTHER;
	case OWNER_TRISC:
		return risc == LANE_NEO || (risc >= LANE_TRISC0 && risc <= LANE_TRISC2)
			       ? risc
			       : LANE_OTHER;
	case OWNER_ERISC:
		return risc == LANE_ERISC ? LANE_ERISC : LANE_OTHER;
	case OWNER_DM:
		return risc == LANE_DM || risc == LANE_DM0 ? LANE_DM : LANE_OTHER;
	case OWNER_DM0:
		return LANE_DM0;
	case OWNER_TRACE:
		return risc == LANE_AGG ? LANE_AGG : LANE_OTHER;
	case OWNER_NONE:
		break;
	}
	return LANE_OTHER;
}

static bool is_master(enum op_lane lane)
{
	return lane == LANE_BRISC || lane == LANE_ERISC || lane == LANE_AGG || lane == LANE_DM0;
}

static bool is_mover(enum op_lane lane)
{
	return lane == LANE_BRISC || lane == LANE_NCRISC;
}

static uint8_t class_of_zone(struct op_times *t, const struct marker_names *names, uint32_t zone)
{
	while (t->zone_class.len <= zone) {
		uint32_t id = (uint32_t)t->zone_class.len;

		*vec_push(&t->zone_class) = classify_zone(intern_get(&names->zones, id));
	}
	return t->zone_class.at[zone];
}

static enum op_lane class_of_risc(struct op_times *t, const struct marker_names *names,
				  uint32_t risc)
{
	while (t->risc_class.len <= risc) {
		uint32_t id = (uint32_t)t->risc_class.len;

		*vec_push(&t->risc_class) = classify_risc(intern_get(&names->riscs, id), id);
	}
	return (enum op_lane)t->risc_class.at[risc];
}

static uint32_t place_of(struct op_times *t, const struct marker *m)
{
	uint64_t key = (uint64_t)m->device << 32 | (uint64_t)m->x << 16 | m->y;
	bool added;
	uint32_t i = u64map_get_or_put(&t->place_index, key, (uint32_t)t->places.len, &added);

	if (added) {
		bool first;

		*vec_push(&t->places) =
			(struct device_core){ .device = m->device, .x = m->x, .y = m->y };
		u64map_get_or_put(&t->device_index, m->device, 0, &first);
		if (first)
			*vec_push(&t->devices) = m->device;
	}
	return i;
}

/* Which RISC of which core; the same as for the marker before, mostly. */
static void find_place(struct op_times *t, const struct marker *m)
{
	bool added;
	uint64_t key;

	if (t->started && m->device == t->last_device && m->x == t->last_x && m->y == t->last_y &&
	    m->risc == t->last_risc)
		return;
	t->last_device = m->device;
	t->last_x = m->x;
	t->last_y = m->y;
	t->last_risc = m->risc;
	t->last_place = place_of(t, m);
	key = (uint64_t)t->last_place << 16 | m->risc;
	t->last_balance =
		u64map_get_or_put(&t->balance_index, key, (uint32_t)t->balance.len, &added);
	if (added)
		*vec_push(&t->balance) =
			(struct risc_balance){ .core = t->last_place, .risc = m->risc };
}

struct run_key {
	uint64_t run_id;
	int64_t trace_id, session;
	uint64_t device;
};

static bool is_run_of(const struct op_run *r, const struct marker *m)
{
	return r->run_id == m->run_id && r->device == m->device && r->session == m->session &&
	       r->trace_id == m->trace_id;
}

static uint32_t new_run(struct op_times *t, const struct marker *m, uint32_t repeat)
{
	struct op_run *r = vec_push(&t->runs);

	*r = (struct op_run){ .run_id = m->run_id,
			      .trace_id = m->trace_id,
			      .session = m->session,
			      .device = m->device,
			      .repeat = repeat,
			      .next_repeat = OP_NONE,
			      .first_cycles = m->time_cycles,
			      .last_cycles = m->time_cycles,
			      .sub_device = -1 };
	memset(r->lane, 0xff, sizeof(r->lane));
	*vec_push(&t->follower) = OP_NONE;
	return (uint32_t)(t->runs.len - 1);
}

static uint32_t first_run_of(struct op_times *t, const struct marker *m)
{
	struct run_key key = { m->run_id, m->trace_id, m->session, m->device };
	uint32_t id = intern_copy(&t->keys, str_n((const char *)&key, sizeof(key)));

	if (id == t->run_of_key.len)
		*vec_push(&t->run_of_key) = new_run(t, m, 0);
	return t->run_of_key.at[id];
}

uint32_t op_times_find(const struct op_times *t, uint32_t device, uint64_t run_id, int64_t trace_id,
		       int64_t session)
{
	struct run_key key = { run_id, trace_id, session, device };
	uint32_t id = intern_find(&t->keys, str_n((const char *)&key, sizeof(key)));

	return id == INTERN_NONE ? OP_NONE : t->run_of_key.at[id];
}

static uint32_t find_entry(struct op_times *t, uint32_t run, bool make, const struct marker *m)
{
	uint32_t next = t->last_entry + 1, i = (uint32_t)t->cores.len;
	uint64_t key = (uint64_t)run << 32 | t->last_place;

	if (next < t->cores.len && t->cores.at[next].run == run &&
	    t->cores.at[next].core == t->last_place)
		return next;
	if (!make)
		return u64map_get(&t->core_index, key, &i) ? i : OP_NONE;
	i = u64map_get_or_put(&t->core_index, key, i, NULL);
	if (i == t->cores.len)
		*vec_push(&t->cores) = (struct op_core){ .run = run,
							 .core = t->last_place,
							 .first = m->time_cycles };
	return i;
}

/*
 * The run among repeats that a marker of this core belongs to: an FW start opens the first one in which its
 * RISC has not started yet; other markers follow the last one in which it has.
 */
static uint32_t choose_repeat(struct op_times *t, uint32_t run, const struct marker *m,
			      enum op_lane lane, bool fw_start)
{
	for (;;) {
		uint32_t next = t->runs.at[run].next_repeat;
		uint32_t entry = find_entry(t, run, false, m);
		bool seen = entry != OP_NONE && (t->cores.at[entry].fw_seen >> lane & 1);

		if (!fw_start) {
			uint32_t there = next == OP_NONE ? OP_NONE : find_entry(t, next, false, m);

			if (there == OP_NONE || !(t->cores.at[there].fw_seen >> lane & 1))
				return run;
		} else if (!seen) {
			return run;
		} else if (next == OP_NONE) {
			next = new_run(t, m, t->runs.at[run].repeat + 1);
			t->runs.at[run].next_repeat = next;
		}
		run = next;
	}
}

/* Sets last_run and last_entry for a marker with a run id. */
static void find_run(struct op_times *t, const struct marker *m, enum op_lane lane, bool fw_start,
		     bool moved)
{
	uint32_t run = t->last_run;

	if (moved || run == OP_NONE || !is_run_of(&t->runs.at[run], m)) {
		uint32_t guess = run == OP_NONE ? OP_NONE : t->follower.at[run];

		if (guess != OP_NONE && is_run_of(&t->runs.at[guess], m) &&
		    !t->runs.at[guess].repeat) {
			run = guess;
		} else {
			guess = first_run_of(t, m);
			if (run != OP_NONE)
				t->follower.at[run] = guess;
			run = guess;
		}
		if (t->runs.at[run].next_repeat != OP_NONE || fw_start)
			run = choose_repeat(t, run, m, lane, fw_start);
	} else if (fw_start && (t->cores.at[t->last_entry].fw_seen >> lane & 1)) {
		run = choose_repeat(t, run, m, lane, fw_start);
	} else {
		return;
	}
	t->last_entry = find_entry(t, run, true, m);
	t->last_run = run;
}

static inline void span_add(struct span *s, uint64_t time)
{
	if (!s->count || time < s->first)
		s->first = time;
	if (!s->count || time > s->last)
		s->last = time;
	s->count++;
}

static struct lane_spans *spans_of(struct op_times *t, struct op_run *r, enum op_lane lane)
{
	if (r->lane[lane] == OP_NONE) {
		r->lane[lane] = (uint32_t)t->lanes.len;
		*vec_push(&t->lanes) = (struct lane_spans){ 0 };
	}
	return &t->lanes.at[r->lane[lane]];
}

/* An FW or KERNEL zone of the runtime starts or ends. */
static void add_zone(struct op_times *t, const struct marker *m, enum op_lane lane, bool kernel)
{
	struct op_run *r = &t->runs.at[t->last_run];
	struct op_core *c = &t->cores.at[t->last_entry];
	bool start = m->type == MARKER_ZONE_START;
	uint64_t time = m->time_cycles;

	span_add(&spans_of(t, r, lane)->at[kernel][start ? OP_START : OP_END], time);
	if (!kernel) {
		c->has_fw_zone = true;
		if (start)
			c->fw_seen |= 1u << lane;
		if (is_master(lane)) {
			if (start) {
				c->master_starts++;
				c->master_start = time;
			} else {
				c->master_ends++;
			}
		}
		return;
	}
	if (lane == LANE_AGG)
		return; /* TRACE-KERNEL is not one of the kernels of an op */
	if (!c->kernels || time < c->kernel_first)
		c->kernel_first = time;
	if (!c->kernels || time > c->kernel_last)
		c->kernel_last = time;
	c->kernels++;
	if (!start && time > c->kernel_end)
		c->kernel_end = time;
	if (start && is_mover(lane) && (!c->mover_start || time < c->mover_start))
		c->mover_start = time;
}

static void add_counter(struct op_times *t, const struct marker *m)
{
	struct counter_sample s = { .core = t->last_place,
				    .run_id = m->run_id,
				    .time_cycles = m->time_cycles,
				    .session = m->session };
	struct str name;
	int64_t type = 0;
	char text[32];

	if (marker_meta_text(m->meta, STR("counter type"), &name)) {
		s.name = intern_copy(&t->counter_names, name);
	} else {
		(void)marker_meta_i64(m->meta, STR("counter type"), &type);
		s.name = intern_copy(&t->counter_names,
				     str_n(text, (size_t)snprintf(text, sizeof(text), "#%lld",
								  (long long)type)));
	}
	if (!marker_meta_i64(m->meta, STR("value"), &s.value))
		s.value = (int64_t)(m->data & UINT32_MAX);
	(void)marker_meta_i64(m->meta, STR("ref cnt"), &s.reference);
	*vec_push(&t->counters) = s;
}

void op_times_add(struct op_times *t, const struct marker *m, const struct marker_names *names)
{
	uint8_t zone = m->zone < t->zone_class.len ? t->zone_class.at[m->zone]
						   : class_of_zone(t, names, m->zone);
	enum op_lane risc = m->risc < t->risc_class.len ? (enum op_lane)t->risc_class.at[m->risc]
							: class_of_risc(t, names, m->risc);
	enum zone_owner owner = (enum zone_owner)(zone & ZONE_OWNER);
	enum op_lane lane = owner ? lane_of(risc, owner) : LANE_OTHER;
	bool kernel = zone & ZONE_IS_KERNEL, start = m->type == MARKER_ZONE_START;
	uint32_t place = t->last_place;
	struct op_core *c;
	struct op_run *r;

	t->markers++;
	find_place(t, m);
	if (start)
		t->balance.at[t->last_balance].starts++;
	else if (m->type == MARKER_ZONE_END)
		t->balance.at[t->last_balance].ends++;
	if ((zone & ZONE_IS_DISPATCH) && risc != LANE_ERISC)
		t->places.at[t->last_place].dispatch = t->any_dispatch = true;
	if (m->timer_id == MARKER_PERF_COUNTER_ID && m->risc == RISC_BRISC &&
	    (m->type == MARKER_TS_DATA || m->type == MARKER_TS_EVENT))
		add_counter(t, m);
	if (!m->run_id || !m->timer_id) {
		t->without_run++;
		return;
	}
	if (!t->started) {
		t->started = true;
		t->last_run = OP_NONE;
		t->last_entry = OP_NONE - 1;
	}
	find_run(t, m, lane, owner && !kernel && start, place != t->last_place);
	c = &t->cores.at[t->last_entry];
	r = &t->runs.at[t->last_run];
	if (m->time_cycles < r->first_cycles)
		r->first_cycles = m->time_cycles;
	if (m->time_cycles > r->last_cycles)
		r->last_cycles = m->time_cycles;
	if (m->time_cycles < c->first)
		c->first = m->time_cycles;
	if (zone & ZONE_HOLDS_FW)
		c->has_fw = true;
	if (owner && m->type <= MARKER_ZONE_END) {
		add_zone(t, m, lane, kernel);
	} else if (zone & (ZONE_CB_WAIT | ZONE_CB_RESERVE)) {
		if ((zone & ZONE_CB_WAIT) && risc == LANE_TRISC0) {
			r->cb_wait += m->data;
			r->cb_wait_cores++;
		} else if ((zone & ZONE_CB_RESERVE) && risc == LANE_TRISC2) {
			r->cb_reserve += m->data;
			r->cb_reserve_cores++;
		}
	}
	if (m->meta.len && marker_sub_device(m->meta, &r->sub_device))
		r->has_sub_device = true;
}

void op_times_read(struct op_times *t, struct marker_source *from)
{
	enum { BATCH = 256 };
	struct marker batch[BATCH];
	size_t n;

	while ((n = from->next(from->self, batch, BATCH)) > 0)
		for (size_t i = 0; i < n; i++)
			op_times_add(t, &batch[i], from->names);
	op_times_finish(t);
}

static int by_run_and_time(const void *a, const void *b)
{
	const struct op_core *l = a, *r = b;

	if (l->run != r->run)
		return l->run < r->run ? -1 : 1;
	if (l->first != r->first)
		return l->first < r->first ? -1 : 1;
	return l->core < r->core ? -1 : l->core > r->core;
}

void op_times_finish(struct op_times *t)
{
	if (t->cores.len)
		qsort(t->cores.at, t->cores.len, sizeof(*t->cores.at), by_run_and_time);
	for (size_t i = 0; i < t->cores.len; i++) {
		struct op_run *r = &t->runs.at[t->cores.at[i].run];

		if (!r->cores++)
			r->first_core = (uint32_t)i;
	}
	u64map_release(&t->core_index); /* numbers of entries have changed */
	t->core_index = (struct u64map){ 0 };
	t->last_run = OP_NONE;
}

static void span_merge(struct span *into, const struct span *from)
{
	if (!from->count)
		return;
	if (!into->count || from->first < into->first)
		into->first = from->first;
	if (!into->count || from->last > into->last)
		into->last = from->last;
	into->count += from->count;
}

void op_times_merge(struct op_times *t, uint32_t into, uint32_t from)
{
	for (int l = 0; l < LANES; l++) {
		uint32_t source = t->runs.at[from].lane[l];
		struct lane_spans *to;

		if (source == OP_NONE)
			continue;
		to = spans_of(t, &t->runs.at[into], (enum op_lane)l);
		for (int z = 0; z < OP_ZONES; z++)
			for (int p = 0; p < OP_PHASES; p++)
				span_merge(&to->at[z][p], &t->lanes.at[source].at[z][p]);
	}
	t->runs.at[into].cb_wait += t->runs.at[from].cb_wait;
	t->runs.at[into].cb_reserve += t->runs.at[from].cb_reserve;
	t->runs.at[into].cb_wait_cores += t->runs.at[from].cb_wait_cores;
	t->runs.at[into].cb_reserve_cores += t->runs.at[from].cb_reserve_cores;
}

void op_times_release(struct op_times *t)
{
	vec_release(&t->runs);
	vec_release(&t->lanes);
	vec_release(&t->cores);
	vec_release(&t->places);
	vec_release(&t->devices);
	vec_release(&t->balance);
	vec_release(&t->counters);
	vec_release(&t->run_of_key);
	vec_release(&t->follower);
	vec_release(&t->zone_class);
	vec_release(&t->risc_class);
	intern_release(&t->counter_names);
	intern_release(&t->keys);
	u64map_release(&t->core_index);
	u64map_release(&t->place_index);
	u64map_release(&t->device_index);
	u64map_release(&t->balance_index);
	*t = (struct op_times){ 0 };
}
