// SPDX-License-Identifier: Apache-2.0
/* Lanes of a trace: threads with what they do at each moment, RISCs of devices with how many of them run. */
#include <stdlib.h>

#include "base/number.h"
#include "draw/lanes.h"
#include "runs/trace_cores.h"

static uint32_t device_of_lane(struct trace_cores *cores, const struct trace *t, uint32_t lane)
{
	struct trace_core core = trace_cores_lane(cores, t, lane);

	return core.device < 0 ? 0 : (uint32_t)core.device;
}

/* ---- first look ---- */

struct look {
	struct trace_span *s;
	/* names of contexts and zones are complete only when all was read */
	VEC(struct trace_device_zone) outermost;
	VEC(uint32_t) lanes; /* of these */
};

static void see(struct trace_span *s, int64_t ns)
{
	s->first_ns = ns < s->first_ns ? ns : s->first_ns;
	s->last_ns = ns > s->last_ns ? ns : s->last_ns;
}

static void look_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct look *l = ctx;

	(void)track, (void)loc;
	l->s->has_host = true;
	see(l->s, ns);
}

static void look_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	(void)track, (void)x;
	if (ns != TRACE_OPEN)
		see(((struct look *)ctx)->s, ns);
}

static void look_device(void *ctx, uint32_t lane, const struct trace_device_zone *at, size_t n)
{
	struct look *l = ctx;

	for (size_t i = 0; i < n; i++) {
		if (at[i].gpu_start_ns < 0 || at[i].gpu_end_ns < at[i].gpu_start_ns)
			continue;
		l->s->has_device = true;
		see(l->s, at[i].gpu_start_ns);
		see(l->s, at[i].gpu_end_ns);
		if (!at[i].depth) {
			*vec_push(&l->outermost) = at[i];
			*vec_push(&l->lanes) = lane;
		}
	}
}

static void add_sights(const struct look *l, const struct trace *t, struct clock_map *to)
{
	struct trace_cores cores = { .processes = to->processes };

	for (size_t i = 0; i < l->lanes.len; i++)
		trace_cores_sights(&cores, t, l->lanes.at[i], &l->outermost.at[i], 1, to);
	trace_cores_release(&cores);
}

enum ttp_rc trace_span_read(struct trace_span *s, struct trace *t, struct clock_map *clocks,
			    struct ttp_err *e)
{
	struct look look = { .s = s };
	enum ttp_rc rc;
	struct trace_sink sink = { .ctx = &look,
				   .zone_begin = look_begin,
				   .zone_end = look_end,
				   .device_tree = look_device };

	memset(s, 0, sizeof(*s));
	s->first_ns = INT64_MAX;
	s->last_ns = INT64_MIN;
	rc = trace_read(t, &sink, e);
	if (!rc)
		add_sights(&look, t, clocks);
	RELEASE(vec, &look.outermost, &look.lanes);
	return rc;
}

/* ---- second look ---- */

struct thread {
	uint32_t lane;      /* TRACE_NONE: none yet */
	int64_t since;      /* what is open now is so since then */
	VEC(uint32_t) open; /* source locations, innermost last */
};

struct filling {
	struct lanes *l;
	struct trace *t;
	int64_t zero_ns, device;
	bool host_only;
	VEC(struct thread) threads;
	VEC(uint32_t) name_of;   /* by source location: number of a name + 1 */
	VEC(uint8_t) is_kernel;  /* by source location: 0 not known, 1 no, 2 yes */
	VEC(uint32_t) risc_lane; /* by track: lane + 1, 0: none yet */
	struct u64map risc_index;
	struct intern risc_names;
	struct trace_cores cores;
};

static uint32_t name_of(struct filling *f, uint32_t loc)
{
	if (loc == TRACE_NONE)
		return UINT32_MAX;
	vec_reach(&f->name_of, loc, 0);
	if (!f->name_of.at[loc])
		f->name_of.at[loc] = lanes_name(f->l, trace_loc_name(f->t, loc)) + 1;
	return f->name_of.at[loc] - 1;
}

static struct thread *thread_of(struct filling *f, uint32_t track)
{
	struct thread *k;

	vec_reach(&f->threads, track, (struct thread){ .lane = TRACE_NONE });
	k = &f->threads.at[track];
	if (k->lane == TRACE_NONE && f->l->kinds & 1u << LANE_HOST) {
		SCOPED(buf) struct buf name = { 0 };

		trace_track_name(f->t, track, &name);
		k->lane = lanes_add(f->l, LANE_HOST, buf_view(&name), true, 0);
		if (k->lane != TRACE_NONE)
			f->l->all.at[k->lane].track = track;
	}
	return k;
}

/* The innermost zone had the thread since the last event. */
static void passes(struct filling *f, struct thread *k, int64_t ns)
{
	if (k->open.len && ns > k->since)
		lanes_busy(f->l, k->lane, (double)ns_minus(k->since, f->zero_ns),
			   (double)ns_minus(ns, f->zero_ns),
			   name_of(f, k->open.at[k->open.len - 1]));
	k->since = ns;
}

static void fill_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct thread *k = thread_of(ctx, track);

	passes(ctx, k, ns);
	*vec_push(&k->open) = loc;
}

static void fill_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct thread *k = thread_of(ctx, track);

	(void)x;
	if (ns == TRACE_OPEN)
		((struct filling *)ctx)->l->unpaired++;
	else
		passes(ctx, k, ns);
	k->open.len -= k->open.len > 0;
}

static bool is_kernel(struct filling *f, uint32_t loc)
{
	if (loc == TRACE_NONE)
		return false;
	vec_reach(&f->is_kernel, loc, 0);
	if (!f->is_kernel.at[loc])
		f->is_kernel.at[loc] = str_has(trace_loc_name(f->t, loc), STR("-KERNEL")) ? 2 : 1;
	return f->is_kernel.at[loc] == 2;
}

/* Runtimes give contexts of cores such names, and number their lanes by the RISC in the lowest three bits. */
static void add_risc_name(const struct trace *t, uint32_t track, struct buf *to)
{
	static const char *const riscs[8] = {
#define X(id, name) [RISC_##id] = name,
		RISC_LIST(X)
#undef X
	};
	const struct trace_track *k = track < t->tracks.len ? &t->tracks.at[track] : NULL;
	bool core = k && k->context < t->contexts.len &&
		    str_has(trace_str(t, t->contexts.at[k->context].name), STR("Device: "));

	if (k && k->name != TRACE_NONE)
		buf_str(to, trace_str(t, k->name));
	else if (core && riscs[k->tid & 7])
		buf_text(to, riscs[k->tid & 7]);
	else
		buf_text(to, "zones");
}

/* RISCs of one name on one device are a lane together. */
static uint32_t risc_lane(struct filling *f, uint32_t track)
{
	uint32_t device = device_of_lane(&f->cores, f->t, track), lane;
	SCOPED(buf) struct buf name = { 0 };
	uint64_t key;

	vec_reach(&f->risc_lane, track, 0);
	if (f->risc_lane.at[track])
		return f->risc_lane.at[track] - 1;
	add_risc_name(f->t, track, &name);
	key = (uint64_t)device << 32 | intern_copy(&f->risc_names, buf_view(&name));
	if (!u64map_get(&f->risc_index, key, &lane)) {
		lane = lanes_add(f->l, LANE_RISC_SUM, buf_view(&name), false, device);
		if (lane != UINT32_MAX)
			f->l->all.at[lane].weight = 0;
		u64map_put(&f->risc_index, key, lane);
	}
	if (lane != UINT32_MAX)
		f->l->all.at[lane].weight++;
	f->risc_lane.at[track] = lane + 1;
	return lane;
}

static void fill_device(void *ctx, uint32_t track, const struct trace_device_zone *at, size_t n)
{
	struct filling *f = ctx;
	bool kernels = false;
	uint32_t lane;

	if (f->host_only || !(f->l->kinds & 1u << LANE_RISC_SUM) ||
	    (f->device >= 0 && device_of_lane(&f->cores, f->t, track) != f->device))
		return;
	lane = risc_lane(f, track);
	for (size_t i = 0; i < n && !kernels; i++)
		kernels = is_kernel(f, at[i].loc);
	for (size_t i = 0; i < n; i++)
		if (at[i].gpu_start_ns >= 0 && at[i].gpu_end_ns > at[i].gpu_start_ns &&
		    (kernels ? is_kernel(f, at[i].loc) : !at[i].depth))
			lanes_busy(f->l, lane, (double)ns_minus(at[i].gpu_start_ns, f->zero_ns),
				   (double)ns_minus(at[i].gpu_end_ns, f->zero_ns), UINT32_MAX);
}

enum ttp_rc lanes_of_trace(struct lanes *l, struct trace *t, int64_t zero_ns, bool host_only,
			   int64_t device, struct ttp_err *e)
{
	struct filling f = {
		.l = l, .t = t, .zero_ns = zero_ns, .host_only = host_only, .device = device
	};
	struct trace_sink sink = { .ctx = &f,
				   .zone_begin = fill_begin,
				   .zone_end = fill_end,
				   .device_tree = fill_device };
	enum ttp_rc rc = trace_names(t, e);

	if (!rc)
		rc = trace_read(t, &sink, e);
	vec_release_with(&f.threads, open);
	RELEASE(vec, &f.name_of, &f.is_kernel, &f.risc_lane);
	u64map_release(&f.risc_index);
	intern_release(&f.risc_names);
	trace_cores_release(&f.cores);
	return rc;
}
