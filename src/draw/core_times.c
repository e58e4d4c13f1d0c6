// SPDX-License-Identifier: Apache-2.0
#include "draw/core_times.h"

#include <stdlib.h>

#include "draw/op_names.h"
#include "markers/log/launches.h"
#include "markers/zone_class.h"

#define NONE UINT32_MAX
enum { BATCH = 4096 };

/* One RISC of one core, and where it is. */
struct risc_now {
	uint32_t core;
	uint16_t risc;
	bool wanted;
	uint32_t depth; /* of chosen zones that are open */
	uint32_t open_part;
	uint64_t start_cycles;
	uint32_t fw_op, fw_run; /* the op that its firmware names, and which run of it that is */
};

struct reader {
	struct core_times *t;
	const struct core_want *want;
	const struct marker_names *names;
	VEC(struct risc_now) riscs;
	VEC(uint8_t) zone_kind;
	struct u64map risc_index, core_index, op_index, part_index, start_count, repeat_index,
		device_index;
	uint32_t last_risc, last_device;
	uint64_t last_place;
	uint32_t last_op;
	uint32_t last_part;
};

enum {
	ZONE_UNKNOWN,
	ZONE_OTHER,
	ZONE_CHOSEN = 2,
	ZONE_FIRMWARE = 4,
	ZONE_WAITS = 8,
	ZONE_SEEN = 16
};

static char plain(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Without case and underscores. */
static bool risc_starts(struct str name, struct str with)
{
	size_t i = 0;

	for (size_t k = 0; k < with.len; k++) {
		if (with.at[k] == '_')
			continue;
		while (i < name.len && name.at[i] == '_')
			i++;
		if (i == name.len || plain(name.at[i++]) != plain(with.at[k]))
			return false;
	}
	return true;
}

bool risc_is_named(struct str name, struct str list)
{
	struct str rest = list, piece;

	while (str_split(&rest, ',', &piece))
		if (str_trim(piece).len && risc_starts(name, str_trim(piece)))
			return true;
	return false;
}

static unsigned zone_kind(struct reader *r, uint16_t zone)
{
	struct str name;
	unsigned c, kind = ZONE_SEEN;

	while (r->zone_kind.len <= zone) {
		*vec_push(&r->zone_kind) = ZONE_UNKNOWN;
		*vec_push(&r->t->zone_count) = 0;
	}
	if (r->zone_kind.at[zone] != ZONE_UNKNOWN)
		return r->zone_kind.at[zone];
	name = intern_get(&r->names->zones, zone);
	c = classify_zone(name);
	if (r->want->zone.len ? name_has(name, r->want->zone) : (c & ZONE_IS_KERNEL) != 0)
		kind |= ZONE_CHOSEN;
	if ((c & ZONE_OWNER) && !(c & ZONE_IS_KERNEL))
		kind |= ZONE_FIRMWARE;
	if (c & (ZONE_CB_WAIT | ZONE_CB_RESERVE))
		kind |= ZONE_WAITS;
	r->zone_kind.at[zone] = (uint8_t)kind;
	return kind;
}

static uint32_t device_of(struct reader *r, uint32_t id)
{
	bool added;

	if (r->last_device != NONE && r->t->devices.at[r->last_device].id == id)
		return r->last_device;
	r->last_device =
		u64map_get_or_put(&r->device_index, id, (uint32_t)r->t->devices.len, &added);
	if (added)
		*vec_push(&r->t->devices) =
			(struct core_device){ .id = id, .first_cycles = UINT64_MAX };
	return r->last_device;
}

static struct risc_now *risc_of(struct reader *r, const struct marker *m)
{
	uint64_t place = (uint64_t)device_of(r, m->device) << 48 ^ (uint64_t)m->x << 32 ^
			 (uint64_t)m->y << 16 ^ m->risc;
	bool added;

	if (place == r->last_place && r->last_risc != NONE)
		return &r->riscs.at[r->last_risc];
	r->last_place = place;
	r->last_risc = u64map_get_or_put(&r->risc_index, place, (uint32_t)r->riscs.len, &added);
	if (added) {
		struct str name = intern_get(&r->names->riscs, m->risc);
		bool core_added;
		uint32_t core = u64map_get_or_put(&r->core_index, place >> 16,
						  (uint32_t)r->t->cores.len, &core_added);

		if (core_added)
			*vec_push(&r->t->cores) = (struct core_place){
				.device = device_of(r, m->device), .x = m->x, .y = m->y
			};
		*vec_push(&r->riscs) = (struct risc_now){
			.core = core,
			.risc = m->risc,
			/* a replay's sums stand for no RISC */
			.wanted = r->want->riscs.len ? risc_is_named(name, r->want->riscs)
						     : m->risc != RISC_AGG,
			.fw_op = NONE,
		};
	}
	return &r->riscs.at[r->last_risc];
}

static bool same_op(const struct core_op *o, const struct marker *m, uint32_t device)
{
	return o->run_id == m->run_id && o->device == device && o->trace_id == m->trace_id &&
	       o->session == m->session;
}

/* So that one part of a key can't undo another. */
static uint64_t mixed(uint64_t v)
{
	v = (v ^ v >> 31) * 0x9e3779b97f4a7c15ull;
	return v ^ v >> 29;
}

/* The first run with this key. */
static uint32_t op_of(struct reader *r, const struct marker *m, uint32_t device)
{
	struct core_times *t = r->t;
	uint64_t hash;
	uint32_t first, at;
	bool added;

	if (r->last_op != NONE && same_op(&t->ops.at[r->last_op], m, device))
		return r->last_op;
	hash = mixed(mixed(mixed(m->run_id) ^ device) ^ (uint64_t)m->trace_id) ^
	       (uint64_t)m->session;
	first = u64map_get_or_put(&r->op_index, hash, (uint32_t)t->ops.len, &added);
	for (at = first; !added; at = t->ops.at[at].next) {
		if (same_op(&t->ops.at[at], m, device)) {
			r->last_op = at;
			return at;
		}
		if (t->ops.at[at].next == NONE)
			break;
	}
	if (!added)
		t->ops.at[at].next = (uint32_t)t->ops.len;
	r->last_op = (uint32_t)t->ops.len;
	*vec_push(&t->ops) = (struct core_op){ .run_id = m->run_id,
					       .trace_id = m->trace_id,
					       .session = m->session,
					       .device = device,
					       .next = NONE,
					       .first_cycles = UINT64_MAX };
	return r->last_op;
}

/* The n-th run with the key of `op`. */
static uint32_t repeat_of(struct reader *r, uint32_t op, uint32_t n)
{
	struct core_times *t = r->t;
	struct core_op key = t->ops.at[op];
	bool added;
	uint32_t at = u64map_get_or_put(&r->repeat_index, (uint64_t)op << 32 | n,
					(uint32_t)t->ops.len, &added);

	if (!added)
		return at;
	key.next = NONE;
	key.repeat = n;
	key.first_cycles = UINT64_MAX;
	key.last_cycles = 0;
	*vec_push(&t->ops) = key;
	return at;
}

/* The run that a marker belongs to; a firmware's start begins the next one with its id. */
static uint32_t run_of(struct reader *r, struct risc_now *now, const struct marker *m,
		       unsigned kind)
{
	uint32_t op = op_of(r, m, r->t->cores.at[now->core].device);

	if (kind & ZONE_FIRMWARE && m->type == MARKER_ZONE_START && m->run_id) {
		uint64_t key = (uint64_t)r->last_risc << 32 | op;
		bool added;
		uint32_t n = u64map_get_or_put(&r->start_count, key, 0, &added);

		now->fw_op = op;
		now->fw_run = op;
		if (!added) {
			u64map_put(&r->start_count, key, ++n);
			now->fw_run = repeat_of(r, op, n);
		}
	}
	return now->fw_op == op ? now->fw_run : op;
}

static uint32_t part_of(struct reader *r, uint32_t op, uint32_t core)
{
	struct core_times *t = r->t;
	bool added;

	if (r->last_part != NONE && t->parts.at[r->last_part].op == op &&
	    t->parts.at[r->last_part].core == core)
		return r->last_part;
	r->last_part = u64map_get_or_put(&r->part_index, (uint64_t)op << 32 | core,
					 (uint32_t)t->parts.len, &added);
	if (added)
		*vec_push(&t->parts) = (struct core_part){ .op = op, .core = core };
	return r->last_part;
}

static void add_span(struct reader *r, struct risc_now *now, uint64_t end)
{
	struct core_times *t = r->t;
	struct core_op *op = &t->ops.at[t->parts.at[now->open_part].op];

	if (end < now->start_cycles) {
		t->unpaired++;
		return;
	}
	*vec_push(&t->spans) =
		(struct core_span){ now->start_cycles, end, now->open_part, now->risc };
	t->parts.at[now->open_part].count++;
	if (now->start_cycles < op->first_cycles)
		op->first_cycles = now->start_cycles;
	if (end > op->last_cycles)
		op->last_cycles = end;
}

static void add_marker(struct reader *r, const struct marker *m)
{
	struct risc_now *now = risc_of(r, m);
	unsigned kind = zone_kind(r, m->zone);
	struct core_device *d = &r->t->devices.at[r->t->cores.at[now->core].device];
	uint32_t op;

	if (m->time_cycles < d->first_cycles)
		d->first_cycles = m->time_cycles;
	if (m->time_cycles > d->last_cycles)
		d->last_cycles = m->time_cycles;
	if (m->type == MARKER_ZONE_START)
		r->t->zone_count.at[m->zone]++;
	if (kind == ZONE_SEEN || (!(kind & ZONE_FIRMWARE) && !now->wanted))
		return;
	op = run_of(r, now, m, kind);
	if (!now->wanted)
		return;
	if (kind & ZONE_WAITS && m->type == MARKER_ZONE_TOTAL) {
		struct core_part *p = &r->t->parts.at[part_of(r, op, now->core)];

		p->wait_cycles += m->data;
		p->tells_wait = true;
	}
	if (!(kind & ZONE_CHOSEN))
		return;
	if (m->type == MARKER_ZONE_START) {
		uint32_t part = part_of(r, op, now->core);

		if (now->depth && now->open_part != part) { /* its end was lost */
			r->t->unpaired++;
			now->depth = 0;
		}
		if (!now->depth++) {
			now->start_cycles = m->time_cycles;
			now->open_part = part;
		}
	} else if (m->type == MARKER_ZONE_END) {
		if (!now->depth)
			r->t->unpaired++;
		else if (!--now->depth)
			add_span(r, now, m->time_cycles);
	}
}

static int by_id(const void *a, const void *b)
{
	const struct core_device *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void sort_devices(struct core_times *t)
{
	uint32_t *to = mem_zero(t->devices.len + 1, sizeof(*to));
	struct core_device *before = mem_zero(t->devices.len + 1, sizeof(*before));

	if (t->devices.len) {
		memcpy(before, t->devices.at, t->devices.len * sizeof(*before));
		qsort(t->devices.at, t->devices.len, sizeof(*before), by_id);
	}
	for (size_t i = 0; i < t->devices.len; i++)
		to[i] = (uint32_t)((struct core_device *)bsearch(&before[i], t->devices.at,
								 t->devices.len, sizeof(*before),
								 by_id) -
				   t->devices.at);
	vec_each (c, &t->cores)
		c->device = to[c->device];
	vec_each (o, &t->ops)
		o->device = to[o->device];
	free(to);
	free(before);
}

/* A device's cores together, so that those who draw it need not look at all others'. */
static void list_cores(struct core_times *t)
{
	uint32_t at = 0;

	vec_each (c, &t->cores) {
		t->devices.at[c->device].cores++;
		*vec_push(&t->device_cores) = 0;
	}
	vec_each (d, &t->devices) {
		d->first_core = at;
		at += d->cores;
		d->cores = 0;
	}
	for (uint32_t i = 0; i < t->cores.len; i++) {
		struct core_device *d = &t->devices.at[t->cores.at[i].device];

		t->device_cores.at[d->first_core + d->cores++] = i;
	}
}

/* Parts by op; within one in the order of the log. */
static void sort_parts(struct core_times *t, uint32_t *moved)
{
	struct core_part *sorted = mem_zero(t->parts.len + 1, sizeof(*sorted));
	uint32_t at = 0;

	vec_each (p, &t->parts)
		t->ops.at[p->op].parts++;
	vec_each (o, &t->ops) {
		o->first_part = at;
		at += o->parts;
		o->parts = 0;
	}
	for (size_t i = 0; i < t->parts.len; i++) {
		struct core_op *o = &t->ops.at[t->parts.at[i].op];

		moved[i] = o->first_part + o->parts++;
		sorted[moved[i]] = t->parts.at[i];
	}
	free(t->parts.at);
	t->parts.at = sorted;
	t->parts.cap = t->parts.len + 1;
}

static int by_start(const void *a, const void *b)
{
	const struct core_span *x = a, *y = b;

	if (x->start_cycles != y->start_cycles)
		return x->start_cycles < y->start_cycles ? -1 : 1;
	return (x->risc > y->risc) - (x->risc < y->risc);
}

/* Spans by part, then start: a core has few in one op, and those of a RISC come in order. */
static void sort_spans(struct core_times *t, const uint32_t *moved)
{
	struct core_span *sorted = mem_zero(t->spans.len + 1, sizeof(*sorted));
	uint32_t at = 0;

	vec_each (p, &t->parts) {
		p->first = at;
		at += p->count;
		p->count = 0;
	}
	vec_each (s, &t->spans) {
		struct core_part *p = &t->parts.at[moved[s->part]];

		s->part = moved[s->part];
		sorted[p->first + p->count++] = *s;
	}
	vec_each (p, &t->parts) {
		struct core_span *first = sorted + p->first;
		uint32_t k = 1;

		while (k < p->count && first[k - 1].start_cycles <= first[k].start_cycles)
			k++;
		if (k < p->count)
			qsort(first, p->count, sizeof(*first), by_start);
	}
	free(t->spans.at);
	t->spans.at = sorted;
	t->spans.cap = t->spans.len + 1;
}

static void read_once(struct core_times *t, struct device_log *log, const struct core_want *want)
{
	struct marker_source from;
	struct marker *batch = mem_alloc(BATCH, sizeof(*batch));
	struct reader r = { .t = t,
			    .want = want,
			    .last_risc = NONE,
			    .last_device = NONE,
			    .last_op = NONE,
			    .last_part = NONE };
	uint32_t *moved;
	size_t n;

	memset(t, 0, sizeof(*t));
	from = device_log_source(log);
	r.names = from.names;
	while ((n = from.next(from.self, batch, BATCH)) > 0) {
		for (size_t i = 0; i < n; i++)
			add_marker(&r, &batch[i]);
		t->markers += n;
	}
	vec_each (now, &r.riscs)
		t->unpaired += now->depth > 0;
	t->freq_known = log->freq_mhz > 0;
	t->freq_mhz = log->freq_mhz > 0 ? log->freq_mhz : 1000;
	t->arch = log->arch;
	t->compute_cores = log->compute_cores;
	sort_devices(t);
	list_cores(t);
	moved = mem_zero(t->parts.len + 1, sizeof(*moved));
	sort_parts(t, moved);
	sort_spans(t, moved);
	free(moved);
	for (uint32_t i = 0; i < intern_count(&r.names->riscs); i++)
		*vec_push(&t->riscs) = STR("");
	vec_each (s, &t->spans)
		t->riscs.at[s->risc] = intern_get(&r.names->riscs, s->risc);
	free(batch);
	vec_release(&r.riscs);
	vec_release(&r.zone_kind);
	u64map_release(&r.risc_index);
	u64map_release(&r.core_index);
	u64map_release(&r.op_index);
	u64map_release(&r.part_index);
	u64map_release(&r.start_count);
	u64map_release(&r.repeat_index);
	u64map_release(&r.device_index);
}

void core_times_read(struct core_times *t, struct device_log *log, const struct core_want *want)
{
	struct core_want sums = { .zone = want->zone, .riscs = STR("TENSIX_RISC_AGG") };

	if (log->numbered_marks)
		launches_number(log);
	read_once(t, log, want);
	/* replays of traces that were recorded as a whole have nothing else */
	if (t->spans.len || want->riscs.len || intern_count(&log->names.riscs) <= RISC_AGG)
		return;
	core_times_release(t);
	device_log_rewind(log);
	read_once(t, log, &sums);
}

void core_times_release(struct core_times *t)
{
	vec_release(&t->devices);
	vec_release(&t->cores);
	vec_release(&t->device_cores);
	vec_release(&t->ops);
	vec_release(&t->parts);
	vec_release(&t->spans);
	vec_release(&t->riscs);
	vec_release(&t->zone_count);
}
