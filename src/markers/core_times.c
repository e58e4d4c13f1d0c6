// SPDX-License-Identifier: Apache-2.0
#include "markers/core_times.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"

#define NONE UINT32_MAX

/* What is asked of a name, found out when it is first seen. */
enum { UNKNOWN, OTHER, CHOSEN, CHOSEN_SUMS };

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

/* "trisc1", "TRISC_1" and "trisc" name what they look like. */
static bool risc_is_named(struct str name, struct str list)
{
	struct str rest = list, piece;

	while (str_split(&rest, ',', &piece))
		if (str_trim(piece).len && risc_starts(name, str_trim(piece)))
			return true;
	return false;
}

static bool zone_is_chosen(struct core_times_reading *r, const struct marker_fold *f, uint16_t zone)
{
	uint8_t *kind;

	vec_reach(&r->zone_kind, zone, UNKNOWN);
	kind = &r->zone_kind.at[zone];
	if (*kind == UNKNOWN)
		*kind = r->want->zone.len
				? str_has_nocase(intern_get(&f->names->zones, zone), r->want->zone)
					  ? CHOSEN
					  : OTHER
			: f->zones.at[zone].class & ZONE_IS_KERNEL ? CHOSEN
								   : OTHER;
	return *kind == CHOSEN;
}

static unsigned risc_kind(struct core_times_reading *r, const struct marker_fold *f, uint16_t risc)
{
	uint8_t *kind;

	vec_reach(&r->risc_kind, risc, UNKNOWN);
	kind = &r->risc_kind.at[risc];
	if (*kind == UNKNOWN && r->want->riscs.len)
		*kind = risc_is_named(intern_get(&f->names->riscs, risc), r->want->riscs) ? CHOSEN
											  : OTHER;
	else if (*kind == UNKNOWN)
		*kind = risc == RISC_AGG ? CHOSEN_SUMS : CHOSEN; /* a replay's sums are no RISC's */
	return *kind;
}

static bool is_part(const struct core_times *t, uint32_t part, uint32_t op, uint32_t core)
{
	return part != NONE && t->parts.at[part].op == op && t->parts.at[part].core == core;
}

/* Valid until the next one is made.  RISCs of a core run the same ops one after the other: mostly the part that came next before comes next. */
static struct core_part *part_of(struct core_times_reading *r, uint32_t op, uint32_t core)
{
	struct core_times *t = r->t;
	uint32_t before = r->last_part;

	if (is_part(t, before, op, core))
		return &t->parts.at[before];
	if (before != NONE && is_part(t, t->parts.at[before].follower, op, core)) {
		r->last_part = t->parts.at[before].follower;
		return &t->parts.at[r->last_part];
	}
	r->last_part = keyed_at(&r->part_index, (uint64_t)op << 32 | core, &t->parts,
				(struct core_part){ .op = op, .core = core, .follower = NONE });
	if (before != NONE)
		t->parts.at[before].follower = r->last_part;
	return &t->parts.at[r->last_part];
}

static void add_wait(struct core_times_reading *r, const struct marker_fold *f, uint32_t launch,
		     uint32_t core, uint16_t risc, uint64_t cycles)
{
	struct core_part *p;

	if (risc_kind(r, f, risc) != CHOSEN)
		return;
	p = part_of(r, launch, core);
	p->wait_cycles += cycles;
	p->tells_wait = true;
}

static void take_zone(void *ctx, const struct marker_fold *f, const struct fold_zone *z)
{
	struct core_times_reading *r = ctx;
	struct core_span span = { .start_cycles = z->start_cycles,
				  .end_cycles = z->end_cycles,
				  .risc = z->risc };
	unsigned risc;

	if (z->class & (ZONE_CB_WAIT | ZONE_CB_RESERVE))
		add_wait(r, f, z->launch, z->core, z->risc, z->end_cycles - z->start_cycles);
	if (!zone_is_chosen(r, f, z->zone))
		return;
	risc = risc_kind(r, f, z->risc);
	for (size_t i = 0; i < z->depth; i++)
		if (zone_is_chosen(r, f, z->around[i].zone))
			return; /* within another chosen one */
	if (risc == OTHER)
		return;
	part_of(r, z->launch, z->core)->count += risc == CHOSEN;
	span.part = r->last_part;
	if (risc == CHOSEN)
		*vec_push(&r->t->spans) = span;
	else
		*vec_push(&r->sums) = span;
}

static void take_value(void *ctx, const struct marker_fold *f, const struct fold_moment *m)
{
	if (m->class & (ZONE_CB_WAIT | ZONE_CB_RESERVE) && m->marker->type == MARKER_ZONE_TOTAL)
		add_wait(ctx, f, m->launch, m->core, m->marker->risc, m->marker->data);
}

/* ---- after the last marker ---- */

/* A device's cores together, so that those who draw it need not look at all others'. */
static void list_cores(struct core_times *t, const struct marker_fold *f)
{
	uint32_t at = 0;

	vec_each (d, &f->devices)
		*vec_push(&t->devices) = (struct core_device){ .id = d->id,
							       .first_cycles = d->first_cycles,
							       .last_cycles = d->last_cycles };
	vec_each (c, &f->cores) {
		*vec_push(&t->cores) = *c;
		*vec_push(&t->device_cores) = 0;
		t->devices.at[c->device].cores++;
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

static void list_ops(struct core_times *t, const struct marker_fold *f, bool kernels)
{
	vec_each (l, &f->launches.all) {
		uint32_t device = 0;

		(void)u64map_get(&f->device_index, l->key.device, &device);
		*vec_push(&t->ops) = (struct core_op){ .key = l->key,
						       .device = device,
						       .first_cycles = UINT64_MAX };
	}
	vec_each (s, &t->spans) {
		struct core_op *o = &t->ops.at[t->parts.at[s->part].op];

		if (s->start_cycles < o->first_cycles)
			o->first_cycles = s->start_cycles;
		if (s->end_cycles > o->last_cycles)
			o->last_cycles = s->end_cycles;
	}
	for (size_t i = 0; kernels && i < f->kernels.len; i++) {
		const struct fold_kernels *k = &f->kernels.at[i];
		struct core_op *o = &t->ops.at[i];

		if (o->first_cycles > o->last_cycles)
			continue;
		o->first_cycles =
			k->first_start < o->first_cycles ? k->first_start : o->first_cycles;
		o->last_cycles = k->last_end > o->last_cycles ? k->last_end : o->last_cycles;
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

ORDER_BY(by_start, struct core_span, start_cycles, risc)

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

struct marker_sink core_times_begin(struct core_times_reading *r, struct core_times *t,
				    const struct core_want *want)
{
	*t = (struct core_times){ 0 };
	*r = (struct core_times_reading){ .t = t, .want = want, .last_part = NONE };
	return (struct marker_sink){ .ctx = r, .zone = take_zone, .value = take_value };
}

void core_times_end(struct core_times_reading *r, const struct marker_fold *f,
		    const struct device_log *log)
{
	struct core_times *t = r->t;
	SCOPED(mem) uint32_t *moved = mem_zero(t->parts.len + 1, sizeof(*moved));

	bool sums = !t->spans.len;

	for (size_t i = 0; sums && i < r->sums.len; i++)
		t->parts.at[r->sums.at[i].part].count++;
	if (sums) {
		t->spans.at = r->sums.at;
		t->spans.len = r->sums.len;
		t->spans.cap = r->sums.cap;
		r->sums.at = NULL;
	}
	t->freq_known = log->freq_mhz > 0;
	t->freq_mhz = log->freq_mhz > 0 ? log->freq_mhz : 1000;
	t->arch = log->arch;
	t->compute_cores = log->compute_cores;
	t->markers = f->markers;
	t->unpaired = f->unpaired;
	list_cores(t, f);
	list_ops(t, f, !r->want->zone.len && !r->want->riscs.len && !sums);
	sort_parts(t, moved);
	sort_spans(t, moved);
	for (uint32_t i = 0; i < intern_count(&f->names->riscs); i++)
		*vec_push(&t->riscs) = STR("");
	vec_each (s, &t->spans)
		t->riscs.at[s->risc] = intern_get(&f->names->riscs, s->risc);
	vec_each (z, &f->zones)
		*vec_push(&t->zone_count) = z->starts;
	RELEASE(vec, &r->zone_kind, &r->risc_kind, &r->sums);
	u64map_release(&r->part_index);
}

void core_times_read(struct core_times *t, struct device_log *log, const struct core_want *want)
{
	struct core_times_reading r;
	struct marker_sink sink = core_times_begin(&r, t, want);
	struct marker_fold f;

	marker_fold_read(&f, log, &sink, 1);
	core_times_end(&r, &f, log);
	marker_fold_release(&f);
}

void core_times_release(struct core_times *t)
{
	RELEASE(vec, &t->devices, &t->cores, &t->device_cores, &t->ops, &t->parts, &t->spans,
		&t->riscs, &t->zone_count);
}

struct core_sum core_part_sum(const struct core_times *t, const struct core_part *p, uint64_t from,
			      uint64_t to)
{
	struct core_sum s = { .first = UINT64_MAX };
	uint64_t covered = 0; /* up to here */

	for (uint32_t i = 0; i < p->count; i++) {
		const struct core_span *span = &t->spans.at[p->first + i];
		uint64_t a = span->start_cycles > from ? span->start_cycles : from;
		uint64_t b = span->end_cycles < to ? span->end_cycles : to;

		if (a > b || (a == b && span->end_cycles > span->start_cycles))
			continue;
		s.first = !s.any || a < s.first ? a : s.first;
		s.last = b > s.last ? b : s.last;
		s.sum += b - a;
		if (!s.any || a >= covered)
			s.busy += b - a;
		else if (b > covered)
			s.busy += b - covered;
		covered = !s.any || b > covered ? b : covered;
		s.any = true;
	}
	return s;
}

struct core_balance core_op_balance(const struct core_times *t, const struct core_op *o,
				    uint64_t from, uint64_t to)
{
	struct core_balance b = { .first = o->first_cycles > from ? o->first_cycles : from,
				  .last = o->last_cycles < to ? o->last_cycles : to };

	for (uint32_t i = 0; i < o->parts; i++) {
		struct core_sum s = core_part_sum(t, &t->parts.at[o->first_part + i], from, to);

		if (!s.any)
			continue;
		b.max = s.busy > b.max ? s.busy : b.max;
		b.busy += s.busy;
		b.cores++;
	}
	return b;
}
