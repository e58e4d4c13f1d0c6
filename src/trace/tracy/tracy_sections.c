// SPDX-License-Identifier: Apache-2.0
/* Sections of a .tracy file behind the zones of threads: devices, plots, memory. */
#include "trace/tracy/tracy_sections.h"

#include "trace/trace_readers.h"
#include "trace/tracy/tracy_container.h"

/* Who recorded a device zone: a thread, or the lane itself, whose number is then that of a thread, too. */
static uint32_t recorder(struct trace *t, const struct device_lane *l, uint16_t thread)
{
	if (!thread || thread >= t->thread_ids.len)
		return TRACE_NONE;
	if (t->thread_ids.at[thread] == (t->tracks.at[l->track].tid |
					 (uint64_t)t->tracks.at[l->track].process << PROCESS_SHIFT))
		return l->track;
	return tracy_track_of(t, t->thread_ids.at[thread]);
}

/* Zones of a lane; all of a tree is kept until its root ends. */
static void device_timeline(struct trace *t, struct device_lane *l)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;
	SCOPED(vec) VEC(uint64_t) left = { 0 };
	uint64_t cpu = 0, gpu = 0;

	*vec_push(&left) = tracy_u64(b);
	while (!b->ended) {
		uint64_t *mine = &left.at[left.len - 1];
		uint32_t zone, loc, stack;
		uint16_t thread;
		int16_t id;

		if (!*mine) {
			if (--left.len == 0)
				break;
			cpu += tracy_u64(b);
			gpu += tracy_u64(b);
			if (b->ended)
				break;
			zone = lane_end(l, (int64_t)cpu);
			l->tree.at[zone].gpu_end_ns = (int64_t)gpu;
			if (t->version >= V(0, 12, 4))
				l->tree.at[zone].query = tracy_u16(b);
			if (left.len == 1) {
				l->untimed = 0;
				lane_report(l, f->sink, false);
			}
			continue;
		}
		--*mine;
		cpu += tracy_u64(b);
		gpu += tracy_u64(b);
		id = tracy_i16(b);
		stack = tracy_u24(b);
		thread = tracy_u16(b);
		*vec_push(&left) = tracy_u64(b);
		if (b->ended)
			break;
		loc = tracy_loc_of(t, id);
		t->odd += loc == TRACE_NONE;
		if (loc != TRACE_NONE && t->tracks.at[l->track].process)
			t->locs.at[loc].process = t->tracks.at[l->track].process;
		zone = lane_begin(l, (int64_t)cpu, loc, recorder(t, l, thread));
		l->tree.at[zone].gpu_start_ns = (int64_t)gpu;
		l->tree.at[zone].stack = stack;
		t->device_zones++;
	}
	lane_report(l, f->sink, true);
}

void tracy_devices(struct trace *t)
{
	struct tracy_bytes *b = &t->tracy->b;

	(void)tracy_u64(b);
	(void)tracy_u64(b);
	EACH(tracy_u64(b))
	{
		struct trace_context c = { .thread = tracy_u64(b) };
		uint32_t context = (uint32_t)t->contexts.len, name;

		c.calibrated = tracy_u8(b);
		(void)tracy_u64(b);
		c.period = tracy_f32(b);
		c.type = tracy_u8(b);
		name = tracy_u24(b);
		c.name =
			processes_strip(t, name ? tracy_name(t, name - 1) : TRACE_NONE, &c.process);
		c.overflow = tracy_u64(b);
		if (t->version >= V(0, 12, 4)) {
			EACH(tracy_u64(b))
			{
				struct trace_note_name it = { .context = context };

				TRACY_NOTE_NAME(GET_FIELD, GET_NAME)
				if (!b->ended)
					*vec_push(&t->note_names) = it;
			}
		}
		if (b->ended)
			break;
		*vec_push(&t->contexts) = c;
		EACH(tracy_u64(b))
		{
			SCOPED(lane) struct device_lane lane = { .track = (uint32_t)t->tracks.len };
			uint64_t tid = tracy_u64(b);
			uint32_t index = 0;

			for (size_t i = 0; i < t->thread_ids.len; i++)
				if (t->thread_ids.at[i] == tid)
					index = (uint32_t)i;
			if (b->ended)
				break;
			if (t->processes.len > 1 && tid >> PROCESS_SHIFT < t->processes.len) {
				t->contexts.at[context].process = (uint32_t)(tid >> PROCESS_SHIFT);
				tid &= (UINT64_C(1) << PROCESS_SHIFT) - 1;
			}
			*vec_push(&t->tracks) =
				(struct trace_track){ .process = t->contexts.at[context].process,
						      .name = TRACE_NONE,
						      .tid = tid,
						      .context = context,
						      .index = index };
			device_timeline(t, &lane);
		}
		if (t->version >= V(0, 12, 4)) {
			EACH(tracy_u64(b))
			{
				struct trace_note it = { .context = context,
							 .query = tracy_u16(b) };

				EACH(tracy_u64(b))
				{
					TRACY_NOTE(GET_FIELD, )
					if (b->ended)
						break;
					t->notes++;
					TRACE_TELL(t->tracy->sink, note, &it);
				}
			}
		}
	}
}

void tracy_plots(struct trace *t)
{
	struct tracy_bytes *b = &t->tracy->b;

	EACH(tracy_u64(b))
	{
		uint32_t plot = (uint32_t)t->plots.len;
		struct trace_plot it = { 0 };
		uint64_t ref = 0;

		TRACY_PLOT(GET_FIELD, )
		it.name = processes_strip(t, tracy_string_ref(t, tracy_u64(b), 2), &it.process);
		if (it.type ==
		    2) /* of the processors: its pointer is 0, which is also that of "Frame" */
			it.name = TRACE_NONE;
		(void)tracy_take(b, 24);
		if (b->ended)
			break;
		*vec_push(&t->plots) = it;
		EACH(tracy_u64(b))
		{
			int64_t ns = tracy_step(b, &ref);
			double v = tracy_f64(b);

			if (b->ended)
				break;
			t->plot_points++;
			TRACE_TELL(t->tracy->sink, plot, plot, ns, v);
		}
	}
}

static uint32_t track_by_index(struct trace *t, uint16_t n)
{
	return n < t->thread_ids.len ? tracy_track_of(t, t->thread_ids.at[n]) : TRACE_NONE;
}

void tracy_memory(struct trace *t)
{
	struct tracy_bytes *b = &t->tracy->b;
	uint64_t pools = tracy_u64(b);

	(void)tracy_u64(b);
	EACH(pools)
	{
		uint64_t ref = 0, name = tracy_u64(b), n = tracy_u64(b);
		uint32_t process = 0, pool = name ? tracy_string_ref(t, name, 2) : TRACE_NONE;

		pool = processes_strip(t, pool, &process);
		(void)tracy_take(b, 16);
		EACH(n)
		{
			struct trace_memory it = { .pool = pool, .process = process };
			int64_t freed;

			TRACY_MEMORY(GET_FIELD, )
			it.alloc_ns = tracy_step(b, &ref);
			freed = tracy_i64(b);
			it.free_ns = freed < 0 ? TRACE_OPEN : (int64_t)(ref + (uint64_t)freed);
			it.alloc_track = track_by_index(t, tracy_u16(b));
			it.free_track = track_by_index(t, tracy_u16(b));
			if (b->ended)
				break;
			t->memory_events++;
			TRACE_TELL(t->tracy->sink, memory, &it);
		}
		(void)tracy_take(b, 32);
	}
}
