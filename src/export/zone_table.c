// SPDX-License-Identifier: Apache-2.0
#include "export/zone_table.h"

#include <stdlib.h>

#define NO_SLOT UINT32_MAX
enum { VARINTS = 32 };

void zone_table_init(struct zone_table *z, const struct trace *t, struct zone_want want)
{
	memset(z, 0, sizeof(*z));
	z->t = t;
	z->want = want;
	spill_init(&z->store, ZONE_TABLE_MEMORY);
}

static struct zone_place *place_of(struct zone_table *z, uint32_t loc)
{
	vec_reach(&z->places, loc,
		  (struct zone_place){
			  .stats = { .min_ns = INT64_MAX,
				     .self_min_ns = INT64_MAX,
				     .max_ns = INT64_MIN,
				     .self_max_ns = INT64_MIN },
			  .device = { .min_ns = INT64_MAX, .max_ns = INT64_MIN },
			  .last_track = TRACE_NONE,
		  });
	return &z->places.at[loc];
}

static bool in_list(struct str list, struct str name)
{
	struct str rest = list, piece;

	while (str_split(&rest, ',', &piece))
		if (str_eq(piece, name))
			return true;
	return false;
}

static uint32_t group_of(struct zone_table *z, uint32_t loc, uint32_t track)
{
	struct zone_place *p = place_of(z, loc);

	if (p->last_track == track)
		return p->last_group;
	p->last_track = track;
	for (size_t i = p->groups.len; i-- > 0;) {
		if (z->groups.at[p->groups.at[i]].track == track) {
			p->last_group = p->groups.at[i];
			return p->last_group;
		}
	}
	p->last_group = (uint32_t)z->groups.len;
	*vec_push(&p->groups) = p->last_group;
	*vec_push(&z->groups) = (struct zone_group){ .track = track, .loc = loc };
	if (z->want.parent.len && !p->named) {
		struct str name = trace_loc_name(z->t, loc);

		p->special = in_list(z->want.specials, name);
		p->parent = str_has(name, z->want.parent);
		p->named = true;
	}
	return p->last_group;
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct zone_table *z = ctx;
	struct zone_open o = { .start_ns = ns, .slot = NO_SLOT, .parent = TRACE_NONE };
	struct zone_track *k;
	struct zone_group *g;

	if (loc == TRACE_NONE)
		loc = 0;
	vec_reach(&z->tracks, track, (struct zone_track){ 0 });
	k = &z->tracks.at[track];
	o.loc = loc;
	o.group = group_of(z, loc, track);
	g = &z->groups.at[o.group];
	if (g->open && z->want.rows) {
		/* Recursion: rows go by begin, but are known at their end, so they wait for the outermost. */
		if (!g->pending.len) {
			for (size_t i = k->open.len; i-- > 0;) {
				if (k->open.at[i].group == o.group) {
					k->open.at[i].slot = 0;
					*vec_push(&g->pending) = (struct zone_pending){ 0 };
					break;
				}
			}
		}
		o.slot = (uint32_t)g->pending.len;
		*vec_push(&g->pending) = (struct zone_pending){ 0 };
	}
	g->open++;
	*vec_push(&k->open) = o;
}

static void add_stats(struct zone_stats *s, int64_t ns, int64_t self_ns)
{
	s->count++;
	s->total_ns = (int64_t)((uint64_t)s->total_ns + (uint64_t)ns);
	s->sum_squares += (double)ns * (double)ns;
	s->self_total_ns = (int64_t)((uint64_t)s->self_total_ns + (uint64_t)self_ns);
	if (ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	if (self_ns < s->self_min_ns)
		s->self_min_ns = self_ns;
	if (self_ns > s->self_max_ns)
		s->self_max_ns = self_ns;
}

/* The number under which the text of the nearest parent that fits will stand. */
static uint32_t parent_text(struct zone_table *z, struct zone_track *k)
{
	for (size_t i = k->open.len; i-- > 0;) {
		struct zone_open *o = &k->open.at[i];

		if (!z->places.at[o->loc].parent)
			continue;
		if (o->parent == TRACE_NONE) {
			o->parent = (uint32_t)z->parent_texts.len;
			*vec_push(&z->parent_texts) = str_n(NULL, 0);
		}
		return o->parent;
	}
	return TRACE_NONE;
}

static void add_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)v);
}

static void put_row(struct zone_table *z, struct zone_group *g, int64_t start_ns, int64_t exec_ns,
		    struct str tail)
{
	spill_room(&z->store, &g->rows, VARINTS);
	spill_varint(&g->rows, zigzag((int64_t)((uint64_t)start_ns - (uint64_t)g->last_start_ns)));
	spill_varint(&g->rows, zigzag(exec_ns));
	g->last_start_ns = start_ns;
	if (tail.len)
		spill_add(&z->store, &g->rows, tail.at, tail.len);
	else
		*g->rows.at++ = 0;
}

static void row(struct zone_table *z, struct zone_track *k, const struct zone_open *o,
		int64_t exec_ns, const struct trace_extra *x)
{
	struct zone_group *g = &z->groups.at[o->group];
	uint32_t parent = z->places.at[o->loc].special ? parent_text(z, k) : TRACE_NONE;
	struct buf tail = { 0 };

	if ((x && (x->text.at || x->name.at)) || parent != TRACE_NONE) {
		buf_char(&tail, (char)((x && x->text.at ? ZONE_ROW_TEXT : 0) |
				       (x && x->name.at ? ZONE_ROW_NAME : 0) |
				       (parent != TRACE_NONE ? ZONE_ROW_PARENT : 0)));
		if (x && x->text.at) {
			add_varint(&tail, x->text.len);
			buf_str(&tail, x->text);
		}
		if (x && x->name.at) {
			add_varint(&tail, x->name.len);
			buf_str(&tail, x->name);
		}
		if (parent != TRACE_NONE)
			add_varint(&tail, parent);
	}
	if (o->slot == NO_SLOT) {
		put_row(z, g, o->start_ns, exec_ns, buf_view(&tail));
		buf_release(&tail);
	} else {
		g->pending.at[o->slot] = (struct zone_pending){ .start_ns = o->start_ns,
								.exec_ns = exec_ns,
								.done = true,
								.tail = tail.at,
								.tail_len = tail.len };
	}
}

static void flush_pending(struct zone_table *z, struct zone_group *g)
{
	vec_each (p, &g->pending) {
		if (p->done)
			put_row(z, g, p->start_ns, p->exec_ns, str_n(p->tail, p->tail_len));
		free(p->tail);
	}
	vec_clear(&g->pending);
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct zone_table *z = ctx;
	struct zone_track *k = &z->tracks.at[track];
	struct zone_group *g;
	struct zone_open o;

	if (!k->open.len)
		return;
	o = k->open.at[--k->open.len];
	g = &z->groups.at[o.group];
	if (o.parent != TRACE_NONE && x && x->text.at)
		z->parent_texts.at[o.parent] =
			str_n(arena_dup(&z->texts, x->text.at, x->text.len), x->text.len);
	if (ns == TRACE_OPEN) {
		z->unended++;
	} else if (ns > o.start_ns || !z->want.over_0_ns) {
		/* Counters of two processors may differ by a step, and a thread may change from one to the other. */
		int64_t took = ns > o.start_ns ? ns_minus(ns, o.start_ns) : 0;
		int64_t self = ns_minus(took, o.children_ns);

		add_stats(&z->places.at[o.loc].stats, took, self);
		if (g->open == 1)
			z->places.at[o.loc].stats.once_ns =
				ns_plus(z->places.at[o.loc].stats.once_ns, took);
		if (k->open.len)
			k->open.at[k->open.len - 1].children_ns =
				ns_plus(k->open.at[k->open.len - 1].children_ns, took);
		if (z->want.rows)
			row(z, k, &o, z->want.self ? self : took, x);
	}
	if (--g->open == 0 && g->pending.len)
		flush_pending(z, g);
}

static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *at, size_t n)
{
	struct zone_table *z = ctx;

	for (size_t i = 0; i < n; i++) {
		int64_t took = ns_minus(at[i].gpu_end_ns, at[i].gpu_start_ns);
		struct zone_place *p;

		/* of no length: data that a kernel recorded with a time, not a zone */
		if (at[i].gpu_end_ns < 0 || at[i].gpu_start_ns < 0 || took <= 0 ||
		    at[i].loc == TRACE_NONE)
			continue;
		p = place_of(z, at[i].loc);
		add_stats(&p->device, took, took);
		if (!z->want.device_rows)
			continue;
		spill_room(&z->store, &p->device_rows, VARINTS);
		spill_varint(&p->device_rows, zigzag((int64_t)((uint64_t)at[i].gpu_start_ns -
							       (uint64_t)p->device_last_ns)));
		spill_varint(&p->device_rows, zigzag(took));
		spill_varint(&p->device_rows, lane);
		p->device_last_ns = at[i].gpu_start_ns;
	}
}

void zone_table_sink(struct zone_table *z, struct trace_sink *sink)
{
	sink->ctx = z;
	sink->zone_begin = zone_begin;
	sink->zone_end = zone_end;
	sink->device_tree = device_tree;
}

void zone_table_release(struct zone_table *z)
{
	vec_each (g, &z->groups) {
		vec_each (p, &g->pending)
			free(p->tail);
		vec_release(&g->pending);
		spill_log_release(&z->store, &g->rows);
	}
	vec_each (p, &z->places) {
		vec_release(&p->groups);
		spill_log_release(&z->store, &p->device_rows);
	}
	vec_release_with(&z->tracks, open);
	RELEASE(vec, &z->places, &z->groups, &z->parent_texts);
	arena_release(&z->texts);
	spill_release(&z->store);
}

void zone_rows_of(struct zone_rows *i, struct zone_table *z, const struct zone_group *g)
{
	memset(i, 0, sizeof(*i));
	i->z = z;
	i->r = spill_read(&z->store, &g->rows);
}

static struct str take_text(struct zone_rows *i, struct buf *keep)
{
	size_t n = (size_t)spill_get_varint(&i->r);
	const uint8_t *at = spill_take(&i->r, n);

	buf_clear(keep);
	if (at)
		buf_add(keep, (const char *)at, n);
	return buf_view(keep);
}

bool zone_rows_next(struct zone_rows *i, struct zone_row *row)
{
	if (!spill_more_to_read(&i->r))
		return false;
	i->last_ns = (int64_t)((uint64_t)i->last_ns + (uint64_t)unzigzag(spill_get_varint(&i->r)));
	row->start_ns = i->last_ns;
	row->exec_ns = unzigzag(spill_get_varint(&i->r));
	row->flags = (unsigned)spill_get_varint(&i->r);
	if (row->flags) {
		row->text = row->name = row->parent = str_n(NULL, 0);
		if (row->flags & ZONE_ROW_TEXT)
			row->text = take_text(i, &i->text);
		if (row->flags & ZONE_ROW_NAME) {
			size_t n = (size_t)spill_get_varint(&i->r);
			const uint8_t *at = spill_take(&i->r, n);

			row->name = at ? str_n((const char *)at, n) : STR("");
		}
		if (row->flags & ZONE_ROW_PARENT) {
			uint64_t n;

			if (row->flags &
			    ZONE_ROW_NAME) { /* the number may lie behind a chunk's end */
				buf_add(&i->text, row->name.at, row->name.len);
				row->name = str_n(i->text.at + i->text.len - row->name.len,
						  row->name.len);
				row->text = row->flags & ZONE_ROW_TEXT
						    ? str_n(i->text.at, i->text.len - row->name.len)
						    : row->text;
			}
			n = spill_get_varint(&i->r);
			if (n < i->z->parent_texts.len)
				row->parent = i->z->parent_texts.at[n];
		}
	}
	return !i->r.bad;
}

void zone_rows_of_device(struct zone_rows *i, struct zone_table *z, const struct zone_place *p)
{
	memset(i, 0, sizeof(*i));
	i->z = z;
	i->device = true;
	i->r = spill_read(&z->store, &p->device_rows);
}

bool zone_rows_next_device(struct zone_rows *i, struct zone_row *row)
{
	if (!spill_more_to_read(&i->r))
		return false;
	i->last_ns = (int64_t)((uint64_t)i->last_ns + (uint64_t)unzigzag(spill_get_varint(&i->r)));
	row->start_ns = i->last_ns;
	row->exec_ns = unzigzag(spill_get_varint(&i->r));
	row->flags = 0;
	i->lane = (uint32_t)spill_get_varint(&i->r);
	return !i->r.bad;
}

void zone_rows_end(struct zone_rows *i)
{
	spill_reader_release(&i->r);
	buf_release(&i->text);
}
