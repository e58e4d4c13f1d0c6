// SPDX-License-Identifier: Apache-2.0
#include "markers/op_times.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "markers/counters/counter_values.h"
#include "markers/zone_class.h"

static uint16_t class_of_zone(struct op_times *t, const struct marker_names *names, uint32_t zone)
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

static uint32_t place_of(struct op_times *t, uint32_t device, uint16_t x, uint16_t y)
{
	uint64_t key = (uint64_t)device << 32 | (uint64_t)x << 16 | y;
	bool added;
	uint32_t i = u64map_get_or_put(&t->place_index, key, (uint32_t)t->places.len, &added);

	if (added) {
		bool first;

		*vec_push(&t->places) = (struct device_core){ .device = device, .x = x, .y = y };
		u64map_get_or_put(&t->device_index, device, 0, &first);
		if (first)
			*vec_push(&t->devices) = device;
	}
	return i;
}

void op_times_add_place(struct op_times *t, uint32_t device, uint16_t x, uint16_t y)
{
	(void)place_of(t, device, x, y);
}

/* Which RISC of which core; the same as for the marker before, mostly. */
static void find_place(struct op_times *t, const struct marker *m)
{
	uint64_t key;

	if (t->riscs.len && m->device == t->last_device && m->x == t->last_x && m->y == t->last_y &&
	    m->risc == t->last_risc)
		return;
	t->last_device = m->device;
	t->last_x = m->x;
	t->last_y = m->y;
	t->last_risc = m->risc;
	t->last_place = place_of(t, m->device, m->x, m->y);
	key = (uint64_t)t->last_place << 16 | m->risc;
	t->last_state = keyed_at(
		&t->risc_index, key, &t->riscs,
		(struct risc_state){ .core = t->last_place, .risc = m->risc, .run = OP_NONE });
}

/* Ids that have nothing to do with each other may share a bucket; they are distinguished there. */
static uint64_t hash_of_replay(uint32_t device, int64_t trace_id, int64_t session)
{
	return ((uint64_t)trace_id ^ (uint64_t)device << 40) * 0x9e3779b97f4a7c15u +
	       (uint64_t)session;
}

static bool is_replay(const struct op_replay *p, uint32_t device, int64_t trace_id, int64_t session)
{
	return p->session == session && p->trace_id == trace_id && p->device == device;
}

static uint32_t replay_of(struct op_times *t, uint32_t device, int64_t trace_id, int64_t session)
{
	uint64_t key = hash_of_replay(device, trace_id, session);
	uint32_t i;

	for (;; key++) {
		i = keyed_at(&t->replay_index, key, &t->replays,
			     (struct op_replay){ trace_id, session, device });
		if (is_replay(&t->replays.at[i], device, trace_id, session))
			return i;
	}
}

static inline uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (a >> 31)) * 0x9e3779b97f4a7c15u + b;

	h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
	return h ^ (h >> 32);
}

typedef uint64_t hash_at_fn(const struct op_times *t, uint32_t number);

static uint64_t hash_at_run(const struct op_times *t, uint32_t number)
{
	return mix(t->runs.at[number].run_id, t->runs.at[number].replay);
}

static uint64_t hash_at_core(const struct op_times *t, uint32_t number)
{
	return mix(t->cores.at[number].run, t->cores.at[number].core);
}

/* Room for one more: at most three of four slots are taken. */
static void index_reserve(struct op_index *x, const struct op_times *t, hash_at_fn *hash)
{
	uint32_t *old = x->slot;
	size_t slots = x->slots;

	if ((x->used + 1) * 4 <= slots * 3)
		return;
	x->slots = slots ? slots * 2 : 64;
	x->slot = mem_zero(x->slots, sizeof(*x->slot));
	for (size_t i = 0; i < slots; i++) {
		size_t at;

		if (!old[i])
			continue;
		at = hash(t, old[i] - 1) & (x->slots - 1);
		while (x->slot[at])
			at = (at + 1) & (x->slots - 1);
		x->slot[at] = old[i];
	}
	free(old);
}

/* The slot of a run: taken by it, or free. */
static size_t run_slot(const struct op_times *t, uint64_t run_id, uint32_t replay)
{
	const struct op_index *x = &t->run_index;
	size_t at = mix(run_id, replay) & (x->slots - 1);

	for (; x->slot[at]; at = (at + 1) & (x->slots - 1)) {
		const struct op_run *r = &t->runs.at[x->slot[at] - 1];

		if (r->run_id == run_id && r->replay == replay)
			break;
	}
	return at;
}

static size_t core_slot(const struct op_times *t, uint32_t run, uint32_t core)
{
	const struct op_index *x = &t->core_index;
	size_t at = mix(run, core) & (x->slots - 1);

	for (; x->slot[at]; at = (at + 1) & (x->slots - 1)) {
		const struct op_core *c = &t->cores.at[x->slot[at] - 1];

		if (c->run == run && c->core == core)
			break;
	}
	return at;
}

static uint32_t new_run(struct op_times *t, const struct marker *m, uint32_t replay)
{
	*vec_push(&t->runs) = (struct op_run){ .run_id = m->run_id,
					       .base = m->time_cycles,
					       .replay = replay,
					       .follower = OP_NONE,
					       .rare = OP_NONE };
	return (uint32_t)(t->runs.len - 1);
}

static uint32_t first_run_of(struct op_times *t, const struct marker *m)
{
	uint32_t replay = replay_of(t, m->device, m->trace_id, m->session), run;
	size_t at;

	index_reserve(&t->run_index, t, hash_at_run);
	at = run_slot(t, m->run_id, replay);
	if (t->run_index.slot[at])
		return t->run_index.slot[at] - 1;
	run = new_run(t, m, replay);
	t->run_index.slot[at] = run + 1;
	t->run_index.used++;
	return run;
}

uint32_t op_times_find(const struct op_times *t, uint32_t device, uint64_t run_id, int64_t trace_id,
		       int64_t session)
{
	uint64_t key = hash_of_replay(device, trace_id, session);
	uint32_t replay;
	size_t at;

	for (; u64map_get(&t->replay_index, key, &replay); key++) {
		if (!is_replay(&t->replays.at[replay], device, trace_id, session))
			continue;
		if (!t->run_index.slots)
			return OP_NONE;
		at = run_slot(t, run_id, replay);
		return t->run_index.slot[at] ? t->run_index.slot[at] - 1 : OP_NONE;
	}
	return OP_NONE;
}

static struct op_rare *make_rare(struct op_times *t, struct op_run *r)
{
	if (r->rare == OP_NONE) {
		r->rare = (uint32_t)t->rare.len;
		*vec_push(&t->rare) = (struct op_rare){ .more = OP_NONE, .next_repeat = OP_NONE };
	}
	return &t->rare.at[r->rare];
}

struct op_more *op_run_make_more(struct op_times *t, struct op_run *r)
{
	struct op_rare *rare = make_rare(t, r);

	if (rare->more == OP_NONE) {
		rare->more = (uint32_t)t->more.len;
		*vec_push(&t->more) = (struct op_more){ .sub_device = -1 };
	}
	return &t->more.at[rare->more];
}

static uint32_t find_entry(struct op_times *t, uint32_t run, bool make)
{
	uint32_t next = t->last_entry + 1;
	size_t at;

	if (next < t->cores.len && t->cores.at[next].run == run &&
	    t->cores.at[next].core == t->last_place)
		return next;
	if (make)
		index_reserve(&t->core_index, t, hash_at_core);
	else if (!t->core_index.slots)
		return OP_NONE;
	at = core_slot(t, run, t->last_place);
	if (!t->core_index.slot[at] && make) {
		*vec_push(&t->cores) = (struct op_core){ .run = run, .core = t->last_place };
		if (t->wants_core_ends)
			*vec_push(&t->core_ends) = (struct op_core_ends){ 0 };
		t->core_index.slot[at] = (uint32_t)t->cores.len;
		t->core_index.used++;
	}
	return t->core_index.slot[at] ? t->core_index.slot[at] - 1 : OP_NONE;
}

static uint32_t fw_bit(const struct marker *m)
{
	return m->risc < 32 ? 1u << m->risc : 0;
}

/*
 * The run among repeats that a marker of this core belongs to: an FW start opens the first one in which its
 * RISC has not started yet; other markers follow the last one in which it has.
 */
static uint32_t choose_repeat(struct op_times *t, uint32_t run, const struct marker *m,
			      bool fw_start)
{
	for (;;) {
		uint32_t next = op_run_next_repeat(t, &t->runs.at[run]);
		uint32_t entry = find_entry(t, run, false);
		bool seen = entry != OP_NONE && (t->cores.at[entry].fw_seen & fw_bit(m));

		if (!fw_start) {
			uint32_t there = next == OP_NONE ? OP_NONE : find_entry(t, next, false);

			if (there == OP_NONE || !(t->cores.at[there].fw_seen & fw_bit(m)))
				return run;
		} else if (!seen) {
			return run;
		} else if (next == OP_NONE) {
			next = new_run(t, m, t->runs.at[run].replay);
			make_rare(t, &t->runs.at[next])->repeat =
				op_run_repeat(t, &t->runs.at[run]) + 1;
			make_rare(t, &t->runs.at[run])->next_repeat = next;
		}
		run = next;
	}
}

static bool is_run_of(const struct op_times *t, uint32_t run, const struct marker *m)
{
	const struct op_run *r = &t->runs.at[run];

	return r->run_id == m->run_id &&
	       is_replay(&t->replays.at[r->replay], m->device, m->trace_id, m->session);
}

/* Another core than that of the last marker with a run id; or, where the run has repeats, another RISC. */
static inline bool has_moved(const struct op_times *t)
{
	if (t->last_state == t->named_state || t->last_run == OP_NONE)
		return false;
	return t->riscs.at[t->named_state].core != t->last_place ||
	       t->runs.at[t->last_run].rare != OP_NONE;
}

/* Sets last_run and last_entry for a marker with a run id.  `moved`: to another core, or among repeats to another RISC, which is in its own. */
static void find_run(struct op_times *t, const struct marker *m, bool fw_start, bool moved)
{
	uint32_t run = t->last_run;

	if (moved || run == OP_NONE || t->last_run_id != m->run_id ||
	    t->last_replay.session != m->session || t->last_replay.trace_id != m->trace_id) {
		uint32_t guess = run == OP_NONE ? OP_NONE : t->runs.at[run].follower;

		if (guess != OP_NONE && !op_run_repeat(t, &t->runs.at[guess]) &&
		    is_run_of(t, guess, m)) {
			run = guess;
		} else {
			guess = first_run_of(t, m);
			if (run != OP_NONE)
				t->runs.at[run].follower = guess;
			run = guess;
		}
		if (op_run_next_repeat(t, &t->runs.at[run]) != OP_NONE || fw_start)
			run = choose_repeat(t, run, m, fw_start);
		t->last_run_id = m->run_id;
		t->last_replay = (struct op_replay){ m->trace_id, m->session, m->device };
	} else if (fw_start && (t->cores.at[t->last_entry].fw_seen & fw_bit(m))) {
		run = choose_repeat(t, run, m, fw_start);
	} else {
		return;
	}
	t->last_entry = find_entry(t, run, true);
	t->last_run = run;
}

/* ---- a time is kept as a distance of three bytes from the base of its run, or in full ---- */

static inline bool is_near(uint64_t time, uint64_t base)
{
	/* not by a difference that wraps: 2^64 - 1 is far from 100 */
	return (time > base ? time - base : base - time) < OP_NEAR;
}

/* Sets a distance if there is none yet, or if this one is earlier (or later). */
static inline void put_distance(uint16_t *low, int8_t *high, int32_t d, bool has, bool later)
{
	int32_t was = op_distance(*low, *high);

	if (!has || (later ? d > was : d < was)) {
		*low = (uint16_t)d;
		*high = (int8_t)(d >> 16);
	}
}

static inline void put_wide(uint64_t *at, uint64_t time, bool has, bool later)
{
	if (!has || (later ? time > *at : time < *at))
		*at = time;
}

static void set_wide_number(uint16_t low[2], size_t number)
{
	low[0] = (uint16_t)number;
	low[1] = (uint16_t)(number >> 16);
}

/* Times that are too far apart for 24 bits are kept in full from then on. */
static void widen_run(struct op_times *t, struct op_run *r)
{
	struct wide_run w;

	for (unsigned i = 0; i < OP_TIMES; i++)
		w.time[i] = op_run_time(t, r, i);
	r->wide = true;
	set_wide_number(r->low, t->wide_runs.len);
	*vec_push(&t->wide_runs) = w;
}

static void widen_core(struct op_times *t, struct op_core *c)
{
	struct wide_core w = { 0 };

	for (unsigned i = 0; i < (t->wants_core_ends ? CORE_TIMES : CORE_TIMES_COMMON); i++)
		w.time[i] = op_core_time(t, c, (enum core_time)i);
	c->has |= CORE_IS_WIDE;
	set_wide_number(c->low, t->wide_cores.len);
	*vec_push(&t->wide_cores) = w;
}

static inline void run_put(struct op_times *t, struct op_run *r, unsigned what, uint64_t time,
			   bool has, bool later)
{
	uint32_t wide;

	if (!r->wide && is_near(time, r->base)) {
		put_distance(&r->low[what], &r->high[what], (int32_t)(int64_t)(time - r->base), has,
			     later);
		return;
	}
	if (!r->wide)
		widen_run(t, r);
	wide = op_wide_number(r->low);
	put_wide(&t->wide_runs.at[wide].time[what], time, has, later);
}

static inline void core_put(struct op_times *t, struct op_core *c, enum core_time what,
			    uint64_t time, bool has, bool later)
{
	uint64_t base = t->runs.at[c->run].base, wide;

	if (what >= CORE_TIMES_COMMON && !t->wants_core_ends)
		return;
	if (!(c->has & CORE_IS_WIDE) && is_near(time, base)) {
		int32_t d = (int32_t)(int64_t)(time - base);
		struct op_core_ends *ends;

		if (what < CORE_TIMES_COMMON) {
			put_distance(&c->low[what], &c->high[what], d, has, later);
			return;
		}
		ends = &t->core_ends.at[c - t->cores.at];
		what -= CORE_TIMES_COMMON;
		put_distance(&ends->low[what], &ends->high[what], d, has, later);
		return;
	}
	if (!(c->has & CORE_IS_WIDE))
		widen_core(t, c);
	wide = op_wide_number(c->low);
	put_wide(&t->wide_cores.at[wide].time[what], time, has, later);
}

static void put_slot(struct op_times *t, struct op_run *r, enum op_slot slot, uint64_t time,
		     bool start)
{
	uint16_t *mask = start ? &r->has_start : &r->has_end;
	uint16_t bit = (uint16_t)(1u << slot);
	bool has = *mask & bit;

	if (slot < SLOTS_COMMON) {
		run_put(t, r, TIME_START + 2u * slot + !start, time, has, !start);
	} else {
		struct op_more *more = op_run_make_more(t, r);
		uint64_t *at = &(start ? more->start : more->end)[slot - SLOTS_COMMON];

		if (!has || (start ? time < *at : time > *at))
			*at = time;
	}
	*mask |= bit;
}

/* Where in its firmware a RISC is; anything but FW(KERNEL()) … over and over is irregular. */
static inline void step_risc(struct op_times *t, struct risc_state *s, bool kernel, bool start)
{
	if (start) {
		t->irregular |= s->depth != kernel;
		s->depth = kernel ? 2 : 1;
		if (!kernel)
			s->run = t->last_run;
	} else {
		t->irregular |= s->depth != (kernel ? 2 : 1);
		s->depth = kernel ? 1 : 0;
	}
	t->irregular |= s->run != t->last_run;
}

static void add_core_kernel(struct op_times *t, struct op_core *c, uint64_t time, enum op_lane lane,
			    bool start, bool end)
{
	core_put(t, c, CORE_KERNEL_FIRST, time, c->kernels, false);
	core_put(t, c, CORE_KERNEL_LAST, time, c->kernels, true);
	if (c->kernels < 2)
		c->kernels++;
	if (end) {
		core_put(t, c, CORE_KERNEL_END, time, c->has & CORE_HAS_END, true);
		core_put(t, c, CORE_KERNEL_FIRST_END, time, c->has & CORE_HAS_END, false);
		c->has |= CORE_HAS_END;
	}
	if (start && is_mover(lane)) {
		core_put(t, c, CORE_MOVER_START, time, c->has & CORE_HAS_MOVER, false);
		c->has |= CORE_HAS_MOVER;
	}
}

/* An FW or KERNEL zone of the runtime starts or ends. */
static void add_zone(struct op_times *t, const struct marker *m, enum op_lane lane, bool kernel)
{
	struct op_run *r = &t->runs.at[t->last_run];
	struct op_core *c = &t->cores.at[t->last_entry];
	bool start = m->type == MARKER_ZONE_START, end = m->type == MARKER_ZONE_END;
	enum op_slot slot = slot_of(lane, kernel);
	uint64_t time = m->time_cycles;

	if (slot == SLOTS)
		return;
	if (t->any_phase && (r->has_start >> slot & 1))
		make_rare(t, r)->twice |= (uint16_t)(1u << slot);
	if (start || t->any_phase)
		put_slot(t, r, slot, time, true);
	if (end || t->any_phase)
		put_slot(t, r, slot, time, false);
	if (!kernel) {
		c->has |= CORE_HAS_FW_ZONE;
		if (start)
			c->fw_seen |= fw_bit(m);
		if (is_master(lane) && start) {
			if (c->master_starts < UINT8_MAX)
				c->master_starts++;
			core_put(t, c, CORE_MASTER_START, time, false, false);
			c->has |= CORE_HAS_MASTER;
		} else if (is_master(lane) && end) {
			if (c->master_ends < UINT8_MAX)
				c->master_ends++;
		}
		return;
	}
	if (lane == LANE_AGG)
		return; /* TRACE-KERNEL is not one of the kernels of an op */
	if (start) {
		run_put(t, r, TIME_FIRST_START, time, r->kernel_starts, false);
		run_put(t, r, TIME_LAST_START, time, r->kernel_starts, true);
		if (r->kernel_starts < 2)
			r->kernel_starts++;
	}
	add_core_kernel(t, c, time, lane, start, end);
}

static void add_counter(struct op_times *t, const struct marker *m)
{
	uint32_t replay = replay_of(t, m->device, m->trace_id, m->session);
	struct counter_span *s = t->counters.len ? &t->counters.at[t->counters.len - 1] : NULL;
	struct str meta = str_trim(m->meta); /* a sample begins with its bracket */

	if (s && s->core == t->last_place && s->run_id == m->run_id && s->replay == replay &&
	    counter_span_goes_on(s, meta)) {
		s->len = (uint32_t)(meta.at + meta.len - s->at);
		return;
	}
	if (meta.len && meta.len < UINT32_MAX)
		*vec_push(&t->counters) = (struct counter_span){ .run_id = m->run_id,
								 .first_cycles = m->time_cycles,
								 .at = meta.at,
								 .len = (uint32_t)meta.len,
								 .core = t->last_place,
								 .replay = replay };
}

/* First and last marker of the run, and of its part on this core; `closes`: the end of a master's firmware. */
static inline void add_extent(struct op_times *t, struct op_run *r, struct op_core *c,
			      uint64_t time, bool closes)
{
	uint64_t last = op_run_time(t, r, TIME_LAST);

	run_put(t, r, TIME_FIRST, time, true, false);
	if (time > last || !r->has_start) {
		r->last_is_end = closes;
		r->last_is_shared = !closes;
		run_put(t, r, TIME_LAST, time, true, true);
	} else if (time == last) {
		r->last_is_end |= closes;
		r->last_is_shared |= !closes;
	}
	core_put(t, c, CORE_FIRST, time, c->has & CORE_HAS_MARKER, false);
	core_put(t, c, CORE_LAST, time, c->has & CORE_HAS_MARKER, true);
	c->has |= CORE_HAS_MARKER;
}

static void add_sums(struct op_times *t, struct op_run *r, const struct marker *m, unsigned zone,
		     enum op_lane risc)
{
	struct op_more *more;

	if ((zone & ZONE_CB_WAIT) && risc == LANE_TRISC0) {
		more = op_run_make_more(t, r);
		more->cb_wait += m->data;
		more->cb_wait_cores++;
	} else if ((zone & ZONE_CB_RESERVE) && risc == LANE_TRISC2) {
		more = op_run_make_more(t, r);
		more->cb_reserve += m->data;
		more->cb_reserve_cores++;
	}
}

/* Counts a marker for the run and the core that were found. */
static void count_marker(struct op_times *t, const struct marker *m, unsigned zone,
			 enum op_lane risc, enum op_lane lane)
{
	struct op_core *c = &t->cores.at[t->last_entry];
	struct op_run *r = &t->runs.at[t->last_run];
	bool owned = zone & ZONE_OWNER;
	int64_t sub_device;

	add_extent(t, r, c, m->time_cycles,
		   owned && !(zone & ZONE_IS_KERNEL) && m->type == MARKER_ZONE_END &&
			   is_master(lane));
	if (zone & ZONE_HOLDS_FW)
		c->has |= CORE_HAS_FW;
	if (owned && (m->type <= MARKER_ZONE_END || t->any_phase))
		add_zone(t, m, lane, zone & ZONE_IS_KERNEL);
	else if (zone & (ZONE_CB_WAIT | ZONE_CB_RESERVE))
		add_sums(t, r, m, zone, risc);
	else if (m->type == MARKER_DATA && (m->timer_id & 0xFFFF) == NOC_EVENT_ID)
		op_run_add_noc(t, r, m);
	if (m->meta.len && marker_sub_device(m->meta, &sub_device)) {
		struct op_more *more = op_run_make_more(t, r);

		more->sub_device = sub_device;
		more->has_sub_device = true;
	}
}

/* Zones of a kernel's own cost time; those of the kernel that ends last are what the op pays. */
static inline void count_zones(struct op_times *t, struct risc_state *s, const struct marker *m,
			       bool owned, bool kernel)
{
	struct op_run *r = &t->runs.at[t->last_run];

	if (m->type == MARKER_ZONE_START) {
		s->zones = owned ? 0 : s->zones + 1;
	} else if (owned && kernel && m->type == MARKER_ZONE_END) {
		unsigned zones = s->zones < OP_MANY_ZONES ? s->zones : OP_MANY_ZONES;

		if ((zones == r->zones && zones < OP_MANY_ZONES) ||
		    op_run_ended_later(t, r, m->time_cycles))
			return;
		r->zones = (uint8_t)zones;
		if (zones == OP_MANY_ZONES)
			make_rare(t, r)->zones = s->zones;
	}
}

static void start_up(struct op_times *t)
{
	if (!t->started) {
		t->started = true;
		t->last_run = OP_NONE;
		t->last_entry = OP_NONE - 1;
	}
}

void op_times_add(struct op_times *t, const struct marker *m, const struct marker_names *names)
{
	unsigned zone = m->zone < t->zone_class.len ? t->zone_class.at[m->zone]
						    : class_of_zone(t, names, m->zone);
	enum op_lane risc = m->risc < t->risc_class.len ? (enum op_lane)t->risc_class.at[m->risc]
							: class_of_risc(t, names, m->risc);
	enum zone_owner owner = (enum zone_owner)(zone & ZONE_OWNER);
	enum op_lane lane = owner ? lane_of(risc, owner) : LANE_OTHER;
	bool kernel = zone & ZONE_IS_KERNEL, start = m->type == MARKER_ZONE_START;
	struct risc_state *state;

	t->markers++;
	find_place(t, m);
	state = &t->riscs.at[t->last_state];
	state->starts += start;
	state->ends += m->type == MARKER_ZONE_END;
	t->irregular |= m->time_cycles < state->last_cycles;
	state->last_cycles = m->time_cycles;
	if ((zone & ZONE_IS_DISPATCH) && risc != LANE_ERISC)
		t->places.at[t->last_place].dispatch = t->any_dispatch = true;
	if (m->timer_id == MARKER_PERF_COUNTER_ID && m->risc == RISC_BRISC &&
	    (m->type == MARKER_DATA || m->type == MARKER_EVENT))
		add_counter(t, m);
	if (!m->run_id || !m->timer_id) {
		t->irregular |= m->run_id || owner;
		t->without_run++;
		return;
	}
	start_up(t);
	find_run(t, m, marker_starts_launch(m, zone), has_moved(t));
	t->named_state = t->last_state;
	if (owner) {
		t->irregular |= lane >= LANE_OTHER || m->type > MARKER_ZONE_END || m->risc >= 32;
		step_risc(t, state, kernel, start);
	}
	count_zones(t, state, m, owner, kernel);
	count_marker(t, m, zone, risc, lane);
}

void op_times_begin_run(struct op_times *t, const struct marker *first)
{
	start_up(t);
	t->last_run = new_run(t, first, replay_of(t, first->device, -1, -1));
}

void op_times_add_to_run(struct op_times *t, const struct marker *m,
			 const struct marker_names *names)
{
	unsigned zone = class_of_zone(t, names, m->zone);
	enum op_lane risc = class_of_risc(t, names, m->risc);
	enum zone_owner owner = (enum zone_owner)(zone & ZONE_OWNER);

	find_place(t, m);
	t->last_entry = OP_NONE - 1;
	t->last_entry = find_entry(t, t->last_run, true);
	count_marker(t, m, zone, risc, owner ? lane_of(risc, owner) : LANE_OTHER);
}
