// SPDX-License-Identifier: Apache-2.0
#include "markers/marker_fold.h"

#include "base/keyed.h"
#include "base/order.h"
#include "markers/log/device_log.h"

#define NONE UINT32_MAX

/* ---- where ---- */

static uint32_t device_of(struct marker_fold *f, uint32_t id)
{
	return keyed_at(&f->device_index, id, &f->devices,
			(struct fold_device){ .id = id, .first_cycles = UINT64_MAX });
}

static uint32_t core_of(struct marker_fold *f, const struct marker *m, uint32_t device)
{
	uint64_t key = (uint64_t)device << 32 | (uint64_t)m->x << 16 | m->y;
	return keyed_at(&f->core_index, key, &f->cores, (struct fold_core){ device, m->x, m->y });
}

/* Which RISC of which core; the same as for the marker before, mostly. */
static uint32_t risc_of(struct marker_fold *f, const struct marker *m)
{
	uint64_t place = (uint64_t)m->x << 32 | (uint64_t)m->y << 16 | m->risc;
	uint32_t core;

	if (f->last_risc != NONE && place == f->last_place &&
	    f->devices.at[f->cores.at[f->riscs.at[f->last_risc].core].device].id == m->device)
		return f->last_risc;
	core = core_of(f, m, device_of(f, m->device));
	f->last_place = place;
	f->last_risc =
		keyed_at(&f->risc_index, (uint64_t)core << 16 | m->risc, &f->riscs,
			 (struct fold_risc){ .core = core, .risc = m->risc, .first = LAUNCH_NONE });
	return f->last_risc;
}

static struct fold_name *name_of(struct marker_fold *f, uint16_t zone)
{
	while (f->zones.len <= zone) {
		struct str name = intern_get(&f->names->zones, (uint32_t)f->zones.len);

		*vec_push(&f->zones) = (struct fold_name){ .class = classify_zone(name) };
	}
	return &f->zones.at[zone];
}

/* ---- which launch ---- */

static struct fold_start *start_of(const struct fold_risc *r, uint32_t first)
{
	size_t from = order_first(i, r->starts.len, r->starts.at[i].first < first);

	return from < r->starts.len && r->starts.at[from].first == first ? &r->starts.at[from]
									 : NULL;
}

/* A RISC's firmware starts a launch once more: which repeat that is. */
static uint32_t count_start(struct marker_fold *f, uint32_t risc, uint32_t first)
{
	struct fold_risc *r = &f->riscs.at[risc];
	uint64_t of = (uint64_t)risc << 32 | first;
	struct fold_start *start;
	bool added;
	uint32_t n;

	if (!r->starts.len || r->starts.at[r->starts.len - 1].first < first) {
		*vec_push(&r->starts) = (struct fold_start){ first, 0 };
		return 0;
	}
	start = start_of(r, first);
	if (start)
		return ++start->repeat;
	n = u64map_get_or_put(&f->late_starts, of, 0, &added);
	if (!added)
		u64map_put(&f->late_starts, of, ++n);
	return n;
}

/* The last repeat that this RISC started, of those with the key of `first`. */
static uint32_t last_started(struct marker_fold *f, uint32_t risc, uint32_t first)
{
	const struct fold_start *start;
	uint32_t n = 0;

	if (!f->launches.all.at[first].repeats)
		return first;
	start = start_of(&f->riscs.at[risc], first);
	if (start)
		n = start->repeat;
	else
		(void)u64map_get(&f->late_starts, (uint64_t)risc << 32 | first, &n);
	return launch_put_repeat(&f->launches, first, n);
}

/* The first with this key; mostly the one that came after `before` on the RISC that was read before this one. */
static uint32_t first_launch(struct marker_fold *f, const struct launch_key *key, uint32_t before)
{
	uint32_t guess = before == LAUNCH_NONE ? LAUNCH_NONE : f->launches.all.at[before].follower;
	uint32_t found;

	if (guess != LAUNCH_NONE && launch_key_is(key, &f->launches.all.at[guess].key))
		return guess;
	found = launch_put(&f->launches, key);
	if (before != LAUNCH_NONE)
		f->launches.all.at[before].follower = found;
	return found;
}

static uint32_t launch_of(struct marker_fold *f, uint32_t risc, const struct marker *m,
			  unsigned class)
{
	struct fold_risc *r = &f->riscs.at[risc];
	struct launch_key key = { .run_id = m->timer_id ? m->run_id : 0,
				  .trace_id = m->trace_id,
				  .session = m->session,
				  .device = m->device };

	if (r->first == LAUNCH_NONE || !launch_key_is(&key, &f->launches.all.at[r->first].key)) {
		r->first = first_launch(f, &key, r->first);
		r->launch = last_started(f, risc, r->first);
	}
	if (marker_starts_launch(m, class) && key.run_id)
		r->launch =
			launch_put_repeat(&f->launches, r->first, count_start(f, risc, r->first));
	return r->launch;
}

static void add_to_kernels(struct marker_fold *f, uint32_t launch, const struct marker *m)
{
	struct fold_kernels *k;

	vec_reach(&f->kernels, launch, (struct fold_kernels){ .first_start = UINT64_MAX });
	k = &f->kernels.at[launch];
	if (m->type == MARKER_ZONE_START && m->time_cycles < k->first_start)
		k->first_start = m->time_cycles;
	if (m->type == MARKER_ZONE_END && m->time_cycles > k->last_end)
		k->last_end = m->time_cycles;
}

/* ---- which zone ---- */

static bool same_launch(const struct marker_fold *f, uint32_t a, uint32_t b)
{
	return a == b || !f->launches.all.at[a].key.run_id || !f->launches.all.at[b].key.run_id;
}

static void drop_open(struct marker_fold *f, struct fold_risc *r, size_t down_to)
{
	f->unpaired += r->open.len - down_to;
	r->open.len = down_to;
}

/* A zone that starts tells that what is open has lost its end. */
static bool begins_anew(const struct marker_fold *f, const struct fold_moment *at, uint32_t open)
{
	bool firmware = (at->class & ZONE_OWNER) && !(at->class & ZONE_IS_KERNEL);

	if (firmware)
		return open != at->launch || !f->launches.all.at[open].key.run_id;
	return !same_launch(f, open, at->launch);
}

static void open_zone(struct marker_fold *f, const struct fold_moment *at,
		      const struct marker_sink *sinks, size_t n)
{
	struct fold_risc *r = &f->riscs.at[at->risc_at];
	const struct marker *m = at->marker;

	f->zones.at[m->zone].starts++;
	if (r->open.len && begins_anew(f, at, r->open.at[r->open.len - 1].launch)) {
		drop_open(f, r, 0);
		r->too_deep = 0;
	}
	if (r->open.len == FOLD_DEPTH_MAX) {
		f->unpaired++;
		r->too_deep++;
		return;
	}
	for (size_t i = 0; i < n && !r->open.len; i++)
		if (sinks[i].outermost)
			sinks[i].outermost(sinks[i].ctx, f, at);
	*vec_push(&r->open) = (struct fold_open){ m->time_cycles, 0, at->launch, m->zone };
}

static void close_zone(struct marker_fold *f, const struct fold_moment *at,
		       const struct marker_sink *sinks, size_t n)
{
	struct fold_risc *r = &f->riscs.at[at->risc_at];
	const struct marker *m = at->marker;
	struct fold_zone z = { .core = at->core,
			       .risc_at = at->risc_at,
			       .risc = m->risc,
			       .zone = m->zone,
			       .class = at->class,
			       .end_cycles = m->time_cycles };
	size_t d = r->open.len;
	struct fold_open o;
	uint64_t took;

	if (r->too_deep) {
		r->too_deep--;
		return;
	}
	while (d && (r->open.at[d - 1].zone != m->zone ||
		     !same_launch(f, r->open.at[d - 1].launch, at->launch)))
		d--;
	if (!d) {
		f->unpaired++;
		return;
	}
	drop_open(f, r, d);
	r->open.len = z.depth = d - 1;
	z.around = r->open.at;
	o = r->open.at[d - 1];
	z.launch = o.launch;
	z.start_cycles = o.start_cycles;
	if (z.end_cycles < z.start_cycles) {
		f->unpaired++;
		return;
	}
	took = z.end_cycles - z.start_cycles;
	z.self_cycles = took > o.inside_cycles ? took - o.inside_cycles : 0;
	if (z.depth)
		r->open.at[z.depth - 1].inside_cycles += took;
	for (size_t i = 0; i < n; i++)
		if (sinks[i].zone)
			sinks[i].zone(sinks[i].ctx, f, &z);
}

static void take(struct marker_fold *f, const struct marker *m, const struct marker_sink *sinks,
		 size_t n)
{
	struct fold_moment at = { .marker = m,
				  .risc_at = risc_of(f, m),
				  .class = name_of(f, m->zone)->class };
	struct fold_device *d;

	at.core = f->riscs.at[at.risc_at].core;
	at.depth = f->riscs.at[at.risc_at].open.len;
	at.launch = launch_of(f, at.risc_at, m, at.class);
	d = &f->devices.at[f->cores.at[at.core].device];
	if (m->time_cycles < d->first_cycles)
		d->first_cycles = m->time_cycles;
	if (m->time_cycles > d->last_cycles)
		d->last_cycles = m->time_cycles;
	if (zone_is_op_kernel(at.class))
		add_to_kernels(f, at.launch, m);
	for (size_t i = 0; f->tells_all && i < n; i++)
		if (sinks[i].marker)
			sinks[i].marker(sinks[i].ctx, f, &at);
	switch ((enum marker_type)m->type) {
	case MARKER_ZONE_START:
		open_zone(f, &at, sinks, n);
		return;
	case MARKER_ZONE_END:
		close_zone(f, &at, sinks, n);
		return;
	case MARKER_ZONE_TOTAL:
	case MARKER_DATA:
	case MARKER_EVENT:
		for (size_t i = 0; i < n; i++)
			if (sinks[i].value)
				sinks[i].value(sinks[i].ctx, f, &at);
		return;
	case MARKER_DATA_16B:
	case MARKER_NONE:
	case MARKER_TYPES:
		return;
	}
}

/* ---- all ---- */

ORDER_BY(by_id, struct fold_device, id)

static void sort_devices(struct marker_fold *f)
{
	SCOPED(mem) uint32_t *id = mem_zero(f->devices.len + 1, sizeof(*id));

	for (size_t i = 0; i < f->devices.len; i++)
		id[i] = f->devices.at[i].id;
	vec_sort(&f->devices, by_id);
	for (uint32_t i = 0; i < f->devices.len; i++)
		u64map_put(&f->device_index, f->devices.at[i].id, i);
	vec_each (c, &f->cores)
		c->device = device_of(f, id[c->device]);
}

void marker_fold_read(struct marker_fold *f, struct device_log *log,
		      const struct marker_sink *sinks, size_t n)
{
	struct marker_batch batch = { 0 };
	const struct marker *m;

	if (log->numbered_marks)
		launches_number(log);
	*f = (struct marker_fold){ .names = &log->names, .last_risc = NONE };
	for (size_t i = 0; i < n; i++)
		f->tells_all |= !!sinks[i].marker;
	while ((m = marker_batch_next(&batch, log))) {
		take(f, m, sinks, n);
		f->markers++;
	}
	vec_each (r, &f->riscs)
		drop_open(f, r, 0);
	sort_devices(f);
}

void marker_fold_release(struct marker_fold *f)
{
	vec_each (r, &f->riscs)
		RELEASE(vec, &r->starts, &r->open);
	RELEASE(vec, &f->devices, &f->cores, &f->riscs, &f->zones, &f->kernels);
	launch_index_release(&f->launches);
	RELEASE(u64map, &f->device_index, &f->core_index, &f->risc_index, &f->late_starts);
}
