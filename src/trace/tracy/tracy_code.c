// SPDX-License-Identifier: Apache-2.0
/* Sections of a .tracy file about locks, call stacks and samples, images, processors and symbols. */
#include "trace/tracy/tracy_container.h"
#include "trace/tracy/tracy_sections.h"

static int64_t i48(struct tracy_bytes *b)
{
	uint64_t v = 0;

	memcpy(&v, tracy_take(b, 6), 6);
	return (int64_t)(v << 16) >> 16;
}

static int64_t end_of(int64_t ns)
{
	return ns < 0 ? TRACE_OPEN : ns;
}

/* Parts of the run, whose texts stand behind them. */
void tracy_sections(struct trace *t)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;

	if (t->version < V(0, 13, 4))
		return;
	EACH(t->version == V(0, 13, 4) ? 1 : tracy_u64(b))
	{
		struct file_section s = { 0 };

		if (t->version > V(0, 13, 4))
			s.category = tracy_u16(b);
		EACH(tracy_u64(b))
		{
			s.start_ns = i48(b);
			s.end_ns = end_of(i48(b));
			s.text = tracy_u24(b);
			if (!b->ended)
				*vec_push(&f->sections) = s;
		}
	}
	if (t->version == V(0, 13, 4))
		return;
	EACH(tracy_u64(b))
	{
		struct trace_category c = { .category = tracy_u16(b) };

		c.name = tracy_u24(b);
		if (!b->ended)
			*vec_push(&f->categories) = c;
	}
}

void tracy_tell_sections(struct trace *t)
{
	struct tracy_in *f = t->tracy;

	vec_each (c, &f->categories) {
		if (c->name) {
			struct trace_category named = { .category = c->category,
							.name = tracy_name(t, c->name - 1) };

			*vec_push(&t->categories) = named;
		}
	}
	vec_each (s, &f->sections) {
		struct trace_section out = { .category = s->category,
					     .text = STR(""),
					     .start_ns = s->start_ns,
					     .end_ns = s->end_ns };

		t->sections++;
		if (s->text)
			out.text = tracy_text(t, &f->text_reader, s->text - 1);
		TRACE_TELL(t->tracy->sink, section, &out);
	}
}

void tracy_locks(struct trace *t)
{
	struct tracy_bytes *b = &t->tracy->b;
	SCOPED(vec) VEC(uint32_t) tracks = { 0 };

	EACH(tracy_u64(b))
	{
		struct trace_lock l = { .id = tracy_u32(b) };
		struct trace_lock_event e = { .lock = (uint32_t)t->locks.len };
		uint64_t ref;
		int16_t srcloc;

		l.name = tracy_idx(t, b);
		l.loc = tracy_loc_of(t, tracy_i16(b));
		l.shared = tracy_u8(b);
		(void)tracy_u8(b); /* whether it is shown */
		l.announced_ns = tracy_i64(b);
		l.ended_ns = tracy_i64(b);
		vec_clear(&tracks);
		EACH(tracy_u64(b))
		{
			uint64_t tid = tracy_u64(b);

			if (!b->ended && tracks.len < 256)
				*vec_push(&tracks) = tracy_track_of(t, tid);
		}
		if (b->ended)
			break;
		l.name = processes_strip(t, l.name, &l.process);
		if (tracks.len)
			l.process = t->tracks.at[tracks.at[0]].process;
		*vec_push(&t->locks) = l;
		ref = (uint64_t)l.announced_ns;
		EACH(tracy_u64(b))
		{
			uint8_t thread;

			e.time_ns = tracy_step(b, &ref);
			srcloc = tracy_i16(b);
			thread = tracy_u8(b);
			e.what = tracy_u8(b);
			if (b->ended)
				break;
			e.loc = srcloc ? tracy_loc_of(t, srcloc) : TRACE_NONE;
			if (thread >= tracks.len || e.what > TRACE_LOCK_RELEASE_SHARED) {
				t->odd++;
				continue;
			}
			e.track = tracks.at[thread];
			t->lock_events++;
			TRACE_TELL(t->tracy->sink, lock_event, &e);
		}
	}
}

/* Of a thread: those of moments when it left its processor, then all. */
void tracy_samples(struct trace *t, uint32_t track)
{
	struct tracy_bytes *b = &t->tracy->b;

	for (int i = 0; i < 2; i++) {
		struct trace_sample s = { .track = track, .at_switch = !i };
		uint64_t ref = 0;

		EACH(tracy_u64(b))
		{
			s.time_ns = tracy_step(b, &ref);
			s.stack = tracy_u24(b);
			if (b->ended)
				break;
			t->samples += !s.at_switch; /* all are in the second list */
			TRACE_TELL(t->tracy->sink, sample, &s);
		}
	}
}

static void stacks(struct trace *t, struct tracy_bytes *b)
{
	EACH(tracy_u64(b))
	{
		struct str s = tracy_piece_of(t, "a piece", 8 * (uint64_t)tracy_u16(b));

		if (!b->ended)
			*vec_push(&t->stacks) = trace_keep(t, s);
	}
	EACH(tracy_u64(b))
	{
		struct trace_address a = { .address = tracy_u64(b) };

		a.count = tracy_u8(b);
		a.image = tracy_idx(t, b);
		a.first = (uint32_t)t->lines.len;
		EACH(a.count)
		{
			struct trace_line it;

			TRACY_LINE(GET_FIELD, GET_NAME)
			*vec_push(&t->lines) = it;
		}
		if (!b->ended)
			*vec_push(&t->addresses) = a;
	}
}

static void images(struct trace *t)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;
	uint32_t n = 0, where;

	tracy_pieces(b, tracy_u32(b), UINT64_MAX, "", NULL,
		     NULL); /* helps to compress them, which is not done here */
	EACH(tracy_u64(b))
	{
		struct trace_image i = { .width = tracy_u16(b), .set = TRACE_NONE };

		i.height = tracy_u16(b);
		i.flipped = tracy_u8(b);
		i.bytes = tracy_piece_of(t, "a piece", (uint64_t)i.width * i.height / 2);
		if (b->ended)
			break;
		if (u64map_get(&f->images, n++, &where)) {
			i.set = f->image_frames.at[where].set;
			i.frame = f->image_frames.at[where].frame;
		}
		t->images++;
		TRACE_TELL(t->tracy->sink, image, &i);
	}
}

static uint64_t tid_in(const struct trace *t, uint64_t tid, uint32_t *process)
{
	*process = 0;
	if (t->processes.len < 2 || tid >> PROCESS_SHIFT >= t->processes.len)
		return tid;
	*process = (uint32_t)(tid >> PROCESS_SHIFT);
	return tid & ((UINT64_C(1) << PROCESS_SHIFT) - 1);
}

static void processors(struct trace *t)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;

	EACH(tracy_u64(b))
	{
		struct trace_run r = { 0 };
		uint64_t ref = 0;
		uint32_t whose;

		r.tid = tid_in(t, tracy_u64(b), &r.process);
		EACH(tracy_u64(b))
		{
			r.wakeup_ns = tracy_step(b, &ref);
			r.start_ns = tracy_step(b, &ref);
			r.end_ns = end_of(tracy_step(b, &ref));
			r.cpu = tracy_u8(b);
			r.reason = (int8_t)tracy_u8(b);
			r.state = (int8_t)tracy_u8(b);
			r.other = tid_in(t, tracy_u64(b), &whose);
			if (t->version >= V(0, 11, 3))
				r.wakeup_cpu = tracy_u8(b);
			if (b->ended)
				break;
			t->runs++;
			TRACE_TELL(t->tracy->sink, run, &r);
		}
	}
	(void)tracy_u64(b);
	for (unsigned cpu = 0; cpu < 256; cpu++) {
		struct trace_cpu_run r = { .cpu = (uint8_t)cpu };
		uint64_t ref = 0;

		EACH(tracy_u64(b))
		{
			uint16_t thread;

			r.start_ns = tracy_step(b, &ref);
			r.end_ns = end_of(tracy_step(b, &ref));
			thread = tracy_u16(b);
			if (b->ended)
				break;
			r.tid = thread < f->external_tids.len ? f->external_tids.at[thread] : 0;
			TRACE_TELL(t->tracy->sink, cpu_run, &r);
		}
	}
	EACH(tracy_u64(b))
	{
		struct u64map_entry x = { .key = tracy_u64(b) };

		x.value = (uint32_t)tracy_u64(b);
		if (!b->ended)
			*vec_push(&t->programs_of) = x;
	}
	EACH(tracy_u64(b))
	{
		struct trace_thread_time it;

		TRACY_THREAD_TIME(GET_FIELD, )
		if (!b->ended)
			*vec_push(&t->thread_times) = it;
	}
}

static void symbols(struct trace *t)
{
	struct tracy_bytes *b = &t->tracy->b;

	(void)tracy_take(b, 16);
	EACH(tracy_u64(b))
	{
		struct trace_symbol it;

		TRACY_SYMBOL(GET_FIELD, GET_NAME)
		if (!b->ended)
			*vec_push(&t->symbols) = it;
	}
	EACH(tracy_u64(b))
	{
		uint64_t symbol = tracy_u64(b);
		struct str code = tracy_piece_of(t, "a piece", tracy_u32(b));

		if (b->ended)
			break;
		t->codes++;
		TRACE_TELL(t->tracy->sink, symbol_code, symbol, code);
	}
	EACH(tracy_u64(b))
	{
		uint64_t address = tracy_u64(b), symbol = tracy_u64(b);

		if (!b->ended)
			TRACE_TELL(t->tracy->sink, code_symbol, address, symbol);
	}
	EACH(tracy_u64(b))
	{
		struct trace_hw_sample s = { .address = tracy_u64(b) };

		for (s.counter = 0; s.counter < 6; s.counter++) {
			uint64_t ref = 0;

			EACH(tracy_u64(b))
			{
				s.time_ns = tracy_step(b, &ref);
				if (b->ended)
					break;
				t->hw_samples++;
				TRACE_TELL(t->tracy->sink, hw_sample, &s);
			}
		}
	}
}

void tracy_rest(struct trace *t)
{
	struct tracy_bytes *b = &t->tracy->b;

	stacks(t, b);
	EACH(tracy_u64(b))
	{
		uint32_t text = tracy_read_ref(t, b);

		if (!b->ended)
			TRACE_TELL(t->tracy->sink, app_info, 0, trace_str(t, text));
	}
	images(t);
	processors(t);
	symbols(t);
	EACH(tracy_u64(b))
	{
		struct str name = tracy_piece_of(t, "a piece", tracy_u32(b)), kept, text;

		if (b->ended)
			break;
		kept = trace_keep(t, name);
		text = tracy_piece_of(t, "a piece", tracy_u32(b));
		if (b->ended)
			break;
		t->sources++;
		TRACE_TELL(t->tracy->sink, source_file, kept, text);
	}
}
