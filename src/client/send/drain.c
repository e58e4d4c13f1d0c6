// SPDX-License-Identifier: Apache-2.0
#include "client/send/drain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/order.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "client/send/client_session.h"
#include "client/send/sender.h"

/* An event that waits for its turn among those of all threads. */
struct waiting {
	int64_t ticks;
	uint64_t order; /* of arrival, for equal times */
	uint64_t address, size;
	uint32_t name; /* a string's number, 0: none; a lock's event; a mark's source location */
	uint32_t tid;
	uint8_t kind;
};

/* Said once, and again to every later session. */
struct kept {
	uint64_t bits; /* of a plot's configuration */
	int64_t ticks; /* of an application info */
	uint32_t text; /* a string's number: the plot's name, or the info */
	bool is_info;
};

static OWN_LIST(struct waiting) waiting;
static uint64_t arrivals;
static int64_t last_serial; /* what went out last */
static int64_t pass_started;
static OWN_LIST(struct kept) kept;
static struct names_map kept_at; /* what, text → index + 1 */
static struct names_map frames;  /* name → what a server has of it, in this session */
/*
 * Address, and pool beside it → 1 where this session believes that it is allocated.  Servers give up at a free of
 * something that they never saw, or at a second allocation at the same address; both happen when events were dropped, or
 * came before the session.
 */
static struct names_map allocated;
static uint32_t main_tid;

void drain_init(void)
{
	memset(&waiting, 0, sizeof(waiting));
	memset(&kept, 0, sizeof(kept));
	drain_device_init();
	allocated = frames = kept_at = (struct names_map){ 0 };
	main_tid = host_pid();
}

static void put_kept(struct session *s, const struct kept *k)
{
	if (k->is_info) {
		const struct names_string *n = names_string_at(k->text);

		PUT(session_text(s, n->text, n->len), WIRE_MessageAppInfo, app_info, k->ticks);
	} else {
		uint64_t name = session_string(s, k->text, NAMES_PLOT);

		PUT(session_out(s, 0), WIRE_PlotConfig, plot_config, .name = name,
		    .type = (uint8_t)k->bits, .step = k->bits >> 8 & 1, .fill = k->bits >> 16 & 1,
		    .color = (uint32_t)(k->bits >> 32));
	}
}

/* One of each text; a plot's last configuration. */
static void keep(struct session *s, const struct kept *new)
{
	uint64_t key = (uint64_t) new->is_info << 32 | new->text;
	uint32_t at = names_map_get(&kept_at, key);

	if (!new->text)
		return;
	if (at) {
		if (new->is_info || kept.at[at - 1].bits == new->bits)
			return;
		kept.at[at - 1] = *new;
	} else {
		if (!own_has_room(&kept) || !names_map_put(&kept_at, key, kept.len + 1))
			return;
		kept.at[kept.len++] = *new;
	}
	if (s)
		put_kept(s, new);
}

void drain_begin(struct session *s)
{
	for (uint32_t i = 0; i < stream_count(); i++)
		stream_at(i)->open = stream_at(i)->own_open = 0;
	names_map_clear(&allocated);
	drain_device_begin();
	names_map_clear(&frames);
	last_serial = INT64_MIN;
	drain_window_begin();
	for (uint32_t i = 0; i < kept.len; i++)
		put_kept(s, &kept.at[i]);
	drain_fiber_begin(s);
}

/* What stays when the pointer does not. */
static uint32_t what_of(enum record_kind kind, uint64_t argument)
{
	if (kind == RECORD_LOCK_EVENT)
		return (uint32_t)argument;
	if (kind == RECORD_LOCK_MARK)
		return names_location(argument);
	return argument ? names_literal(argument) : 0;
}

static void wait_turn(const struct stream *st, enum record_kind kind, const uint64_t *w)
{
	struct waiting *n;

	if (!own_has_room(&waiting))
		return;
	n = &waiting.at[waiting.len++];
	*n = (struct waiting){ .ticks = (int64_t)w[1],
			       .order = arrivals++,
			       .name = what_of(kind, record_argument(w[0])),
			       .tid = st->tid,
			       .kind = (uint8_t)kind };
	if (kind == RECORD_ALLOC || kind == RECORD_FREE || kind == RECORD_LOCK_EVENT ||
	    kind == RECORD_LOCK_MARK)
		n->address = w[2];
	if (kind == RECORD_ALLOC)
		n->size = w[3];
}

ORDER_BY(by_time, struct waiting, ticks, order)

/* Ticks since the last event of those that all threads share. */
static int64_t serial_step(struct session *s, const struct waiting *m)
{
	int64_t step = m->ticks - s->ref_serial;

	s->ref_serial = m->ticks;
	return step;
}

static void put_memory(struct session *s, uint64_t pool, const struct waiting *m, bool alloc)
{
	struct wire_out *o = session_out(s, 0);
	int64_t step = serial_step(s, m);

	if (pool)
		PUT(o, WIRE_MemNamePayload, mem_name, pool);
	if (alloc)
		PUT(o, pool ? WIRE_MemAllocNamed : WIRE_MemAlloc, mem_alloc, step, m->tid,
		    m->address, m->size);
	else
		PUT(o, pool ? WIRE_MemFreeNamed : WIRE_MemFree, mem_free, step, m->tid, m->address);
}

static void put_allocation(struct session *s, uint64_t pool, const struct waiting *m)
{
	struct names_pair *p = names_map_at(&allocated, m->address, (uint32_t)pool);
	bool alloc = m->kind == RECORD_ALLOC;

	/* Without memory to remember an allocation, the program is believed. */
	if (p && p->value) {
		put_memory(s, pool, m, false);
		if (!alloc)
			names_map_remove(&allocated, p);
	} else if (p && alloc) {
		p->value = 1;
		allocated.len++;
	}
	if (alloc)
		put_memory(s, pool, m, true);
}

/* Its source location has a number, also in a child of the process that made it. */
static bool lock_is_known(struct lock *l)
{
	if (!l || !atomic_load_explicit(&l->known, memory_order_acquire))
		return false;
	if (l->process != main_tid) {
		l->number = names_location((uint64_t)(uintptr_t)l->location);
		l->process = main_tid;
	}
	return l->number;
}

static void put_lock_event(struct session *s, const struct waiting *m)
{
	static const enum wire_item items[] = {
		[LOCK_WAIT] = WIRE_LockWait,
		[LOCK_OBTAIN] = WIRE_LockObtain,
		[LOCK_RELEASE] = WIRE_LockRelease,
		[LOCK_SHARED_WAIT] = WIRE_LockSharedWait,
		[LOCK_SHARED_OBTAIN] = WIRE_LockSharedObtain,
		[LOCK_SHARED_RELEASE] = WIRE_LockSharedRelease,
		[LOCK_GONE] = WIRE_LockTerminate,
	};
	uint32_t handle = (uint32_t)m->address;
	enum lock_event event = (enum lock_event)m->name;
	struct lock *l = lock_of(handle);
	bool releases = event == LOCK_RELEASE || event == LOCK_SHARED_RELEASE;
	struct wire_out *o;

	if (!lock_is_known(l) || l->gone)
		return;
	if (event == LOCK_NAMED) {
		/* With the announcement, unless that was before. */
		if (l->session == s->number)
			session_lock_named(s, handle, l);
		return;
	}
	session_lock(s, handle, l);
	if (releases && !l->held)
		return; /* it was obtained before the session, or that was dropped */
	l->held -= releases;
	l->held += event == LOCK_OBTAIN || event == LOCK_SHARED_OBTAIN;
	o = session_out(s, 0);
	l->gone = event == LOCK_GONE;
	if (event == LOCK_GONE)
		PUT(o, items[event], lock_terminate, handle, m->ticks);
	else if (event == LOCK_RELEASE)
		PUT(o, items[event], lock_release, handle, serial_step(s, m));
	else if (event == LOCK_SHARED_RELEASE)
		PUT(o, items[event], lock_shared_release, handle, serial_step(s, m), m->tid);
	else
		PUT(o, items[event], lock_take, m->tid, handle, serial_step(s, m));
}

static void put_lock_mark(struct session *s, const struct waiting *m)
{
	struct lock *l = lock_of((uint32_t)m->address);
	uint64_t srcloc;

	/* A server looks for what its thread did last to the lock. */
	if (!l || l->session != s->number || !l->held)
		return;
	srcloc = session_location(s, m->name);
	PUT(session_out(s, 0), WIRE_LockMark, lock_mark, m->tid, (uint32_t)m->address, srcloc);
}

/* Servers take a name either for frames that follow each other or for those with pauses, and of these each start has one end. */
static bool frame_fits(const struct waiting *m)
{
	enum { MARKS = 1, CLOSED, OPEN };
	uint32_t was = m->name ? names_map_get(&frames, m->name) : MARKS;
	enum record_kind kind = (enum record_kind)m->kind;

	if (kind == RECORD_FRAME)
		return was == MARKS || (!was && names_map_put(&frames, m->name, MARKS));
	if (kind == RECORD_FRAME_START)
		return (!was || was == CLOSED) && names_map_put(&frames, m->name, OPEN);
	return was == OPEN && names_map_put(&frames, m->name, CLOSED);
}

static void put_waiting(struct session *s, struct waiting *m)
{
	uint64_t name;
	struct wire_out *o;

	/* A thread may have been interrupted between reading the clock and showing the event. */
	if (m->ticks < last_serial)
		m->ticks = last_serial;
	last_serial = m->ticks;
	switch ((enum record_kind)m->kind) {
	case RECORD_ALLOC:
	case RECORD_FREE:
		put_allocation(s, session_string(s, m->name, NAMES_STRING), m);
		break;
	case RECORD_DISCARD:
		name = session_string(s, m->name, NAMES_STRING);
		if (s->proto.id[WIRE_MemDiscard] == WIRE_NONE)
			break;
		for (uint32_t i = 0; i < allocated.cap;)
			if (allocated.at[i].value && allocated.at[i].beside == name)
				names_map_remove(&allocated, &allocated.at[i]);
			else
				i++;
		o = session_out(s, 0);
		PUT(o, WIRE_MemDiscard, mem_discard, serial_step(s, m), m->tid, name);
		break;
	case RECORD_LOCK_EVENT:
		put_lock_event(s, m);
		break;
	case RECORD_LOCK_MARK:
		put_lock_mark(s, m);
		break;
	default:
		if (!frame_fits(m))
			break;
		name = session_string(s, m->name, NAMES_FRAME);
		PUT(session_out(s, 0),
		    m->kind == RECORD_FRAME         ? WIRE_FrameMarkMsg
		    : m->kind == RECORD_FRAME_START ? WIRE_FrameMarkMsgStart
						    : WIRE_FrameMarkMsgEnd,
		    frame_mark, m->ticks, name);
		break;
	}
}

/* Sends those before `ticks`: every thread was looked at since, so none before them can be missing. */
static void put_turns(struct session *s, int64_t ticks)
{
	uint32_t n = 0;

	if (!waiting.len)
		return;
	qsort(waiting.at, waiting.len, sizeof(*waiting.at), by_time);
	while (n < waiting.len && waiting.at[n].ticks < ticks) {
		if (s)
			put_waiting(s, &waiting.at[n]);
		n++;
	}
	waiting.len -= n;
	memmove(waiting.at, waiting.at + n, waiting.len * sizeof(*waiting.at));
}

int64_t drain_step(struct session *s, struct stream *st, int64_t ticks)
{
	int64_t step;

	if (ticks < st->last_ticks)
		ticks = st->last_ticks;
	st->last_ticks = ticks;
	step = ticks - s->ref_thread;
	s->ref_thread = ticks;
	return step;
}

void drain_close_zones(struct session *s, struct stream *st, int64_t ticks)
{
	if (!st->open)
		return;
	session_thread(s, st->tid);
	for (; st->open; st->open--)
		put_zone_end(session_out(s, 0), drain_step(s, st, ticks));
}

/* 56 bits of a time near now. */
int64_t drain_widen(uint64_t low)
{
	return pass_started + ((int64_t)((low - (uint64_t)pass_started) << 8) >> 8);
}

/* A text of this record, with the pieces that came before it. */
static const char *whole_text(struct stream *st, const uint64_t *w, size_t words, size_t *len)
{
	const char *text = (const char *)(w + words);

	if (st->part_len && st->part_len + *len <= RECORD_TEXT_MAX) {
		memcpy(st->part + st->part_len, text, *len);
		*len += st->part_len;
		text = st->part;
	}
	return text;
}

/* A piece of a long text; a stream that has any gets a buffer for them. */
static void put_part(struct stream *st, uint64_t argument, const uint64_t *text)
{
	size_t len = (size_t)(argument & RECORD_TEXT_MASK);

	if (!st->part)
		st->part = own_grow(NULL, 0, RECORD_TEXT_MAX);
	if (argument & RECORD_FIRST_PART)
		st->part_len = 0;
	if (!st->part || st->part_len + len > RECORD_TEXT_MAX)
		return;
	memcpy(st->part + st->part_len, text, len);
	st->part_len += (uint32_t)len;
}

static void put_texts(struct session *s, struct stream *st, enum record_kind kind,
		      const uint64_t *w, size_t len)
{
	size_t words = kind == RECORD_MESSAGE || kind == RECORD_APP_INFO ? 2 : 1;
	const char *text = whole_text(st, w, words, &len);
	uint64_t argument = record_argument(w[0]);
	uint32_t name;

	switch (kind) {
	case RECORD_THREAD_NAME:
		name = names_string(text, len);
		names_map_put(&session_thread_names, st->tid, name);
		if (s)
			session_thread_named(s, st->tid, name);
		break;
	case RECORD_APP_INFO:
		if (len)
			keep(s, &(struct kept){ .text = names_string(text, len),
						.ticks = (int64_t)w[1],
						.is_info = true });
		break;
	case RECORD_MESSAGE:
		if (!s)
			break;
		session_thread(s, st->tid);
		put_message(session_text(s, text, len), (int64_t)w[1], argument & RECORD_COLORED,
			    argument >> 24 & 0xFFFFFF, PUT_META_USER);
		break;
	default: /* of a zone; not if that began before the session */
		if (!s || !st->open)
			break;
		session_thread(s, st->tid);
		put_item(session_text(s, text, len),
			 kind == RECORD_ZONE_NAME ? WIRE_ZoneName : WIRE_ZoneText);
		break;
	}
}

static void put_plot(struct session *s, struct stream *st, enum record_kind kind, const uint64_t *w)
{
	uint64_t name = session_string(s, names_literal(record_argument(w[0])), NAMES_PLOT);
	struct wire_out *o;

	session_thread(s, st->tid);
	o = session_out(s, 0);
	put_item(o, kind == RECORD_PLOT_INT     ? WIRE_PlotDataInt
		    : kind == RECORD_PLOT_FLOAT ? WIRE_PlotDataFloat
						: WIRE_PlotDataDouble);
	put_u64(o, name);
	put_u64(o, (uint64_t)drain_step(s, st, (int64_t)w[1]));
	if (kind == RECORD_PLOT_FLOAT)
		put_u32(o, w[2]);
	else
		put_u64(o, w[2]);
}

static void meet_lock(struct session *s, const uint64_t *w)
{
	struct lock *l = lock_of((uint32_t)w[2]);

	/* Its library may be gone since, and the record says where the source location is now. */
	if (l)
		l->location = (const void *)(uintptr_t)record_argument(w[0]);
	if (lock_is_known(l) && s)
		session_lock(s, (uint32_t)w[2], l);
}

static void meet_thread(struct session *s, struct stream *st, const uint64_t *w)
{
	char name[17] = { 0 };
	uint32_t string;

	if (s)
		drain_close_zones(s, st, st->last_ticks);
	st->open = 0;
	st->last_ticks = 0;
	st->tid = (uint32_t)record_argument(w[0]);
	memcpy(name, w + 1, 16);
	string = st->tid == main_tid ? names_string("Main thread", 11)
				     : names_string(name, strlen(name));
	names_map_put(&session_thread_names, st->tid, string);
	if (s)
		session_thread_named(s, st->tid, string);
}

/* One record; returns what follows it, or NULL if it is not its turn. */
static const uint64_t *put_record(struct session *s, struct stream *st, const uint64_t *w)
{
	enum record_kind kind = record_kind(w[0]);
	const uint64_t *next = record_next(w);
	uint64_t argument = record_argument(w[0]);
	uint32_t location;
	uint64_t srcloc;

	if (drain_window_filters && drain_window_leaves_out(s, st, kind, w)) {
		st->part_len = 0;
		return next;
	}
	switch (kind) {
	case RECORD_ZONE_BEGIN:
		st->part_len = 0;
		if (!s)
			return next;
		location = names_location(argument);
		srcloc = session_location(s, location);
		session_thread(s, st->tid);
		put_zone_begin(session_out(s, 0), drain_step(s, st, (int64_t)w[1]), srcloc);
		st->open++;
		session_zone_named(s, location);
		return next;
	case RECORD_ZONE_END:
		st->part_len = 0;
		if (s && st->open) {
			session_thread(s, st->tid);
			put_zone_end(session_out(s, 0), drain_step(s, st, drain_widen(argument)));
			st->open--;
		}
		return next;
	case RECORD_PART:
		put_part(st, argument, w + 1);
		return next;
	case RECORD_ZONE_TEXT:
	case RECORD_ZONE_NAME:
	case RECORD_MESSAGE:
	case RECORD_APP_INFO:
	case RECORD_THREAD_NAME:
		put_texts(s, st, kind, w, (size_t)(argument & RECORD_TEXT_MASK));
		break;
	case RECORD_ZONE_COLOR:
	case RECORD_ZONE_VALUE:
		if (s && st->open) {
			struct wire_out *o;

			session_thread(s, st->tid);
			o = session_out(s, 0);
			if (kind == RECORD_ZONE_COLOR)
				PUT(o, WIRE_ZoneColor, zone_color, (uint32_t)argument);
			else
				PUT(o, WIRE_ZoneValue, zone_value, w[1]);
		}
		break;
	case RECORD_LITERAL:
		if (s) {
			uint64_t text = session_string(s, names_literal(argument), NAMES_STRING);

			session_thread(s, st->tid);
			put_message_literal(session_out(s, 0), (int64_t)w[1], w[2] & RECORD_COLORED,
					    (uint32_t)w[2] & 0xFFFFFF, text);
		}
		break;
	case RECORD_FRAME:
	case RECORD_FRAME_START:
	case RECORD_FRAME_END:
	case RECORD_ALLOC:
	case RECORD_FREE:
	case RECORD_DISCARD:
	case RECORD_LOCK_EVENT:
	case RECORD_LOCK_MARK:
		if (s)
			wait_turn(st, kind, w);
		break;
	case RECORD_LOCK_NEW:
		meet_lock(s, w);
		break;
	case RECORD_PLOT_INT:
	case RECORD_PLOT_FLOAT:
	case RECORD_PLOT_DOUBLE:
		if (s)
			put_plot(s, st, kind, w);
		break;
	case RECORD_PLOT_CONFIG:
		keep(s, &(struct kept){ .text = names_literal(argument), .bits = w[1] });
		break;
	case RECORD_DEVICE_START:
	case RECORD_DEVICE_CALIBRATE:
		drain_device(s, kind, w, 0);
		break;
	case RECORD_DEVICE_BEGIN:
	case RECORD_DEVICE_ZONE:
		drain_device(s, kind, w, (int64_t)w[1]);
		break;
	case RECORD_DEVICE_END:
		drain_device(s, kind, w, drain_widen(argument));
		break;
	case RECORD_FIBER_ENTER:
		if (!drain_fiber_in(s, st, w))
			return NULL;
		break;
	case RECORD_FIBER_LEAVE:
		drain_fiber_out(s, st, drain_widen(argument));
		break;
	case RECORD_THREAD:
		drain_fiber_out(s, st, st->last_ticks);
		meet_thread(s, st, w);
		break;
	case RECORD_THREAD_GONE:
		if (s)
			drain_close_zones(s, st, drain_widen(argument));
		break;
	case RECORD_KINDS:
		break;
	}
	st->part_len = 0;
	return next;
}

static void put_span(struct session *s, struct stream *st, uintptr_t end)
{
	const uint64_t *w = (const uint64_t *)st->rd_at;

	st->waits_ticks = 0;
	while ((uintptr_t)w < end) {
		const uint64_t *next = put_record(s, st, w);

		if (__builtin_expect(!next, 0)) {
			st->waits_ticks = (int64_t)w[1];
			end = (uintptr_t)w;
			break;
		}
		w = next;
	}
	st->rd_at = end;
	/* Acquired by begin_anew. */
	atomic_store_explicit(&st->read, end, memory_order_release);
}

static bool drain_stream(struct session *s, struct stream *st)
{
	uintptr_t at = stream_readable(st);
	bool found = false;

	while (at) {
		struct chunk *c = st->rd_chunk;
		bool last = stream_is_in(c, at); /* what comes later is for the next pass */
		/* Acquire pairs with the release of the recording thread. */
		struct chunk *next =
			last ? NULL : atomic_load_explicit(&c->next, memory_order_acquire);
		uintptr_t end = last ? at : c->filled;

		if (st->rd_at != end) {
			put_span(s, st, end);
			found = true;
		}
		if (last || st->rd_at != end)
			break;
		st->rd_chunk = next;
		st->rd_at = (uintptr_t)next->words;
		/* The thread may get it again, and must not take its old end for a new one. */
		atomic_store_explicit(&st->read, 0, memory_order_relaxed);
		pool_give(c);
		if (s && s->lost)
			break;
		sender_between(s);
	}
	return found;
}

bool drain_pass(struct session *s, bool last)
{
	bool found = false;

	pass_started = ticks_peek();
	drain_window_pass(s);
	names_check_libraries();
	for (uint32_t i = 0; i < stream_count(); i++) {
		found |= drain_stream(s, stream_at(i));
		if (s && s->lost)
			return found;
	}
	drain_fiber_count_waiting();
	put_turns(s, last ? INT64_MAX : pass_started);
	if (last && s && !found)
		for (uint32_t i = 0; i < stream_count(); i++) {
			(void)drain_window_inside(s, stream_at(i), sender_stopped_at());
			drain_close_zones(s, stream_at(i), sender_stopped_at());
		}
	return found;
}
