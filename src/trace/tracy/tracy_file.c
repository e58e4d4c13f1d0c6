// SPDX-License-Identifier: Apache-2.0
/*
 * Sections of a .tracy file, in their order.  Counts that the file gives are never trusted with memory: lists grow as
 * their elements are read, and every loop ends with the file.
 */
#include <stdlib.h>

#include "trace/trace_readers.h"
#include "trace/tracy/tracy_container.h"
#include "trace/tracy/tracy_sections.h"

static struct str text64(struct trace *t, struct tracy_bytes *b)
{
	struct str text = tracy_piece_of(t, "a text", tracy_u64(b));

	return b->ended ? STR("") : trace_keep(t, text);
}

uint32_t tracy_track_of(struct trace *t, uint64_t tid)
{
	struct tracy_in *f = t->tracy;
	uint32_t id, name = TRACE_NONE, index = TRACE_NONE, process;
	bool added;

	id = u64map_get_or_put(&f->tid_to_track, tid, (uint32_t)t->tracks.len, &added);
	if (!added)
		return id;
	if (u64map_get(&f->names, tid, &name))
		name = tracy_name(t, name);
	for (size_t i = 0; i < t->thread_ids.len; i++)
		if (t->thread_ids.at[i] == tid)
			index = (uint32_t)i;
	if (index == TRACE_NONE)
		index = f->next_index++;
	name = processes_strip(t, name, &process);
	if (t->processes.len > 1 && tid >> PROCESS_SHIFT < t->processes.len)
		process = (uint32_t)(tid >> PROCESS_SHIFT);
	*vec_push(&t->tracks) = (struct trace_track){
		.process = process,
		.name = name,
		.tid = t->processes.len > 1 ? tid & ((UINT64_C(1) << PROCESS_SHIFT) - 1) : tid,
		.context = TRACE_NONE,
		.index = index,
	};
	return id;
}

static void location(struct trace *t, struct tracy_bytes *b, bool dynamic)
{
	uint32_t name = tracy_read_ref(t, b), function = tracy_read_ref(t, b),
		 file = tracy_read_ref(t, b);
	uint32_t line = tracy_u32(b), color = tracy_u32(b);

	*vec_push(&t->locs) = (struct trace_loc){ .name = name,
						  .function = function,
						  .file = file,
						  .line = line,
						  .color = color,
						  .dynamic = dynamic };
}

uint32_t tracy_loc_of(const struct trace *t, int16_t id)
{
	const struct tracy_in *f = t->tracy;
	size_t n = id >= 0 ? (size_t)id : (size_t)(-(id + 1));

	if (id >= 0)
		return n < f->static_locs.len ? f->static_locs.at[n] : TRACE_NONE;
	return n < f->payload_locs.len ? f->payload_locs.at[n] : TRACE_NONE;
}

static void cores(struct trace *t, struct tracy_bytes *b, uint32_t package, uint32_t die)
{
	EACH(tracy_u64(b))
	{
		uint32_t core = tracy_u32(b);

		EACH(tracy_u64(b))
		{
			uint32_t thread = tracy_u32(b);

			if (!b->ended)
				*vec_push(&t->cpus) =
					(struct trace_cpu){ package, die, core, thread };
		}
	}
}

static void topology(struct trace *t, struct tracy_bytes *b)
{
	EACH(tracy_u64(b))
	{
		uint32_t package = tracy_u32(b);

		if (t->version < V(0, 11, 2)) {
			cores(t, b, package, 0);
			continue;
		}
		EACH(tracy_u64(b))
		{
			uint32_t die = tracy_u32(b);

			cores(t, b, package, die);
		}
	}
}

static void base(struct trace *t, struct tracy_bytes *b)
{
	struct trace_process it = { .ended = true };

	if (t->version < V(0, 12, 3))
		it.delay_ns = tracy_i64(b);
	TRACY_CLOCK(GET_FIELD, )
	t->last_ns = tracy_i64(b);
	it.frame_offset = tracy_u64(b);
	TRACY_PROCESS(GET_FIELD, )
	memcpy(it.cpu_maker, tracy_take(b, 12), 12);
	it.on_demand = t->version >= V(0, 9, 2) ? tracy_u8(b) : it.frame_offset != 0;
	t->capture_name = text64(t, b);
	it.program = text64(t, b);
	it.epoch_s = t->capture_time_s = tracy_u64(b);
	it.exe_time_s = tracy_u64(b);
	it.host = text64(t, b);
	*vec_push(&t->processes) = it;
	topology(t, b);
	t->tracy->crash_thread = tracy_u64(b);
	t->crash.time_ns = tracy_i64(b);
	t->tracy->crash_message = tracy_u64(b);
	t->crash.stack = tracy_u32(b);
	t->crashed = t->tracy->crash_thread != 0;
	/* 48 bits are all that the format has for a time. */
	t->odd += t->last_ns < 0 || t->last_ns >> 47;
}

struct file_frame {
	uint32_t set;
	int64_t start_ns, end_ns;
};
typedef VEC(struct file_frame) frame_vec;

/* Frames stand before the names of their sets; they are few beside zones, and kept. */
static void frames(struct trace *t, struct tracy_bytes *b, frame_vec *kept)
{
	struct tracy_in *f = t->tracy;

	EACH(tracy_u64(b))
	{
		uint64_t name = tracy_u64(b);
		bool continuous = tracy_u8(b);
		uint32_t set = (uint32_t)t->frame_sets.len, n = 0;
		uint64_t ref = 0;

		*vec_push(&t->frame_sets) = (struct trace_frames){ .continuous = continuous };
		/* the name for now is a pointer's low half; resolved below */
		*vec_push(kept) = (struct file_frame){ UINT32_MAX, (int64_t)name, 0 };
		EACH(tracy_u64(b))
		{
			struct file_frame x = { .set = set, .end_ns = TRACE_OPEN };
			uint32_t image;

			x.start_ns = tracy_step(b, &ref);
			if (!continuous)
				x.end_ns = tracy_step(b, &ref);
			image = tracy_u32(b);
			if (b->ended)
				break;
			if (image != UINT32_MAX) {
				u64map_put(&f->images, image, (uint32_t)f->image_frames.len);
				*vec_push(&f->image_frames) = (struct file_image){ set, n };
			}
			if (f->sink->frame)
				*vec_push(kept) = x;
			t->frames++;
			n++;
		}
	}
	tracy_sections(t);
}

static void names(struct trace *t, struct tracy_bytes *b)
{
	struct tracy_in *f = t->tracy;

	tracy_names(t);
	EACH(tracy_u64(b))
	{
		uint64_t tid = tracy_u64(b);

		if (t->thread_ids.len < 65536)
			*vec_push(&t->thread_ids) = tid;
	}
	f->next_index = (uint32_t)t->thread_ids.len;
	EACH(tracy_u64(b))
	{
		uint64_t tid = tracy_u64(b);

		if (f->external_tids.len < 65536)
			*vec_push(&f->external_tids) = tid;
	}
	if (t->crashed) {
		uint32_t track = tracy_track_of(t, f->crash_thread);

		t->crash.track = track;
		t->crash.message = tracy_string_ref(t, f->crash_message, 2);
	}
}

static void locations(struct trace *t, struct tracy_bytes *b)
{
	struct tracy_in *f = t->tracy;

	EACH(tracy_u64(b))
	{
		uint64_t ptr = tracy_u64(b);

		u64map_put(&f->ptr_to_loc, ptr, (uint32_t)t->locs.len);
		location(t, b, false);
	}
	EACH(tracy_u64(b))
	{
		uint64_t ptr = tracy_u64(b);
		uint32_t id = TRACE_NONE;

		(void)u64map_get(&f->ptr_to_loc, ptr, &id);
		if (f->static_locs.len < SRCLOC_IDS)
			*vec_push(&f->static_locs) = id;
	}
	EACH(tracy_u64(b))
	{
		if (f->payload_locs.len < SRCLOC_IDS)
			*vec_push(&f->payload_locs) = (uint32_t)t->locs.len;
		location(t, b, true);
	}
	for (int i = 0; i < 2; i++) /* counts of zones by source location: we count ourselves */
		tracy_pieces(b, 10 * (tracy_u64(b) & UINT32_MAX), UINT64_MAX, "", NULL, NULL);
}

enum ttp_rc tracy_file_open(struct trace *t, struct ttp_err *e)
{
	struct tracy_in *f = t->tracy = mem_zero(1, sizeof(*f));
	struct tracy_bytes *b = &f->b;
	enum ttp_rc rc = tracy_bytes_open(b, t, e);
	const uint8_t *head;

	spill_init(&f->store, READ_MEMORY);
	if (rc)
		return rc;
	head = tracy_take(b, 8);
	if (b->ended || memcmp(head, "tracy", 5) != 0)
		return b->damaged ? ttp_fail(e, b->damage.rc, "%s", b->damage.msg)
				  : ttp_fail(e, TTP_FORMAT, "not a trace of Tracy");
	t->version = V(head[5], head[6], head[7]);
	if (t->version < V(0, 9, 0) || t->version > V(0, 14, 255))
		return ttp_fail(
			e, TTP_VERSION,
			"a trace of version %u.%u.%u, of %s Tracy: 0.9.0 to 0.14 can be read",
			head[5], head[6], head[7],
			t->version < V(0, 9, 0) ? "an older" : "a newer");
	base(t, b);
	processes_get(t);
	t->names_known = true;
	return TTP_OK;
}

/* What zones carry; the first one is that of all that carry nothing. */
static void extras(struct trace *t, struct tracy_bytes *b)
{
	struct tracy_in *f = t->tracy;

	EACH(tracy_u64(b))
	{
		const uint8_t *at = tracy_take(b, FILE_EXTRA_BYTES);

		if (b->ended)
			break;
		spill_add(&f->store, &f->extras, at, FILE_EXTRA_BYTES);
		f->n_extras++;
	}
	f->extra_reader = spill_read(&f->store, &f->extras);
}

static uint32_t u24_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static void end_zone(struct trace *t, uint32_t track, uint32_t extra, int64_t ns)
{
	struct tracy_in *f = t->tracy;
	struct trace_extra x = { 0 }, *given = NULL;

	if (extra && extra < f->n_extras && f->sink->zone_end &&
	    spill_seek(&f->extra_reader, (uint64_t)extra * FILE_EXTRA_BYTES)) {
		const uint8_t *at = spill_take(&f->extra_reader, FILE_EXTRA_BYTES);

		if (at && u24_at(at + 3))
			x.text = tracy_text(t, &f->text_reader, u24_at(at + 3) - 1);
		if (at && u24_at(at + 6))
			x.name = tracy_text(t, &f->name_reader, u24_at(at + 6) - 1);
		x.color = at ? u24_at(at + 9) : 0;
		x.stack = at ? u24_at(at) : 0;
		given = &x;
	}
	TRACE_TELL(f->sink, zone_end, track, ns, given);
}

/* One thread: zones inside of each other, parents first, each with its number of children before them. */
static void timeline(struct trace *t, uint32_t track)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;
	uint32_t left = tracy_u32(b), extra = 0, n_extras = f->n_extras ? (uint32_t)f->n_extras : 1;
	uint32_t process = t->tracks.at[track].process; /* source locations are each of one */
	int64_t last_ns = t->last_ns;
	uint64_t ref = 0;

	vec_clear(&f->stack);
	for (;;) {
		const uint8_t *p;
		uint32_t children, loc;
		int16_t id;
		uint64_t step;

		while (!left) { /* all children are there: their parent ends */
			if (!f->stack.len)
				return;
			step = tracy_u64(b);
			ref += step;
			if (b->ended)
				goto cut;
			t->odd +=
				(int64_t)ref != -1 && ((int64_t)step < 0 || (int64_t)ref > last_ns);
			end_zone(t, track, extra, (int64_t)ref == -1 ? TRACE_OPEN : (int64_t)ref);
			f->stack.len--;
			left = f->stack.at[f->stack.len].left;
			extra = f->stack.at[f->stack.len].extra;
		}
		p = tracy_take(b, 18);
		if (b->ended)
			goto cut;
		memcpy(&id, p, 2);
		memcpy(&step, p + 2, 8);
		*vec_push(&f->stack) = (struct open_zone){ .left = left - 1, .extra = extra };
		memcpy(&extra, p + 10, 4);
		memcpy(&children, p + 14, 4);
		ref += step;
		left = children;
		t->zones++;
		loc = tracy_loc_of(t, id);
		if (process && loc != TRACE_NONE)
			t->locs.at[loc].process = process;
		/* Zones of a thread follow each other, and nothing is later than the file's last moment. */
		t->odd += (int64_t)step < 0 || (int64_t)ref > last_ns || loc == TRACE_NONE ||
			  extra >= n_extras;
		TRACE_TELL(f->sink, zone_begin, track, (int64_t)ref, loc);
	}
cut:
	while (f->stack.len) {
		end_zone(t, track, extra, TRACE_OPEN);
		extra = f->stack.at[--f->stack.len].extra;
	}
}

static void threads(struct trace *t)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;

	t->told_zones = tracy_u64(b);
	(void)tracy_u64(b);
	EACH(tracy_u64(b))
	{
		uint64_t tid = tracy_u64(b);
		uint32_t track;

		(void)tracy_u64(b);
		(void)tracy_u64(b);
		if (b->ended)
			break;
		track = tracy_track_of(t, tid);
		t->tracks.at[track].fiber = tracy_u8(b);
		if (t->version >= V(0, 11, 1))
			t->tracks.at[track].group = (int32_t)tracy_u32(b);
		timeline(t, track);
		tracy_message_keys(t, track);
		tracy_samples(t, track);
	}
	tracy_tell_messages(t);
}

enum ttp_rc tracy_file_read(struct trace *t, const struct trace_sink *sink, struct ttp_err *e)
{
	struct tracy_in *f = t->tracy;
	struct tracy_bytes *b = &f->b;
	SCOPED(vec) frame_vec kept = { 0 };
	uint32_t set = 0;

	f->sink = sink;
	frames(t, b, &kept);
	names(t, b);
	/* Now the names of frame sets are known. */
	vec_each (x, &kept) {
		if (x->set != UINT32_MAX) {
			TRACE_TELL(f->sink, frame, x->set, x->start_ns, x->end_ns);
			continue;
		}
		t->frame_sets.at[set].name = processes_strip(
			t, x->start_ns ? tracy_string_ref(t, (uint64_t)x->start_ns, 2) : TRACE_NONE,
			&t->frame_sets.at[set].process);
		set++;
	}
	locations(t, b);
	tracy_tell_sections(t);
	tracy_locks(t);
	tracy_messages(t);
	extras(t, b);
	threads(t);
	tracy_devices(t);
	tracy_plots(t);
	tracy_memory(t);
	tracy_rest(t);
	if (t->processes.len == 1)
		t->processes.at[0].zones = t->zones;
	if (!b->damaged && (b->at != b->end || b->next != b->file_end)) {
		b->damaged = true;
		(void)ttp_fail(&b->damage, TTP_FORMAT,
			       "after %llu bytes there is more than a file of its version has",
			       (unsigned long long)tracy_at(b));
	}
	if (b->damaged) {
		t->damaged = true;
		t->damage = b->damage;
	}
	return spill_check(&f->store, e);
}

void tracy_file_free(struct trace *t)
{
	struct tracy_in *f = t->tracy;

	if (!f)
		return;
	tracy_bytes_close(&f->b);
	spill_log_release(&f->store, &f->texts);
	spill_log_release(&f->store, &f->text_at);
	spill_log_release(&f->store, &f->extras);
	spill_log_release(&f->store, &f->messages);
	RELEASE(spill_reader, &f->at_reader, &f->text_reader, &f->name_reader, &f->extra_reader,
		&f->message_reader);
	spill_release(&f->store);
	RELEASE(u64map, &f->kept, &f->ptr_to_text, &f->tid_to_track, &f->ptr_to_loc, &f->names);
	RELEASE(vec, &f->static_locs, &f->payload_locs, &f->message_keys, &f->message_track,
		&f->drop_messages, &f->stack, &f->sections, &f->categories, &f->image_frames,
		&f->external_tids);
	u64map_release(&f->images);
	buf_release(&f->bytes);
	free(f);
	t->tracy = NULL;
}
