// SPDX-License-Identifier: Apache-2.0
#include "draw/lanes.h"

#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "base/width.h"

const char *const lane_kind_names[] = { "host", "ops", "riscs", "cores", NULL };

void lanes_init(struct lanes *l, struct window window, size_t buckets, unsigned kinds)
{
	memset(l, 0, sizeof(*l));
	l->window = window;
	l->buckets = buckets;
	l->kinds = kinds;
	l->bucket_ns = (double)(window.to_ns - window.from_ns) / (double)buckets;
}

void lanes_release(struct lanes *l)
{
	vec_each (lane, &l->all)
		RELEASE(mem, &lane->busy, &lane->more, &lane->with);
	RELEASE(vec, &l->all, &l->names, &l->ranked);
	intern_release(&l->texts);
	u64map_release(&l->name_index);
	arena_release(&l->arena);
}

uint32_t lanes_add(struct lanes *l, enum lane_kind kind, struct str name, bool keeps_kinds,
		   uint32_t device)
{
	SCOPED(buf) struct buf clean = { 0 };
	struct draw_lane *lane;

	if (l->all.len >= LANES_MAX) {
		l->left_out++;
		return UINT32_MAX;
	}
	width_clean(&clean, str_head(name, 200));
	lane = vec_push(&l->all);
	*lane = (struct draw_lane){
		.kind = kind,
		.name = str_n(arena_dup(&l->arena, clean.at ? clean.at : "", clean.len), clean.len),
		.device = device,
		.weight = 1,
		.busy = mem_zero(l->buckets + 1, sizeof(*lane->busy)),
		.more = mem_zero(l->buckets + 1, sizeof(*lane->more))
	};
	if (keeps_kinds)
		lane->with = mem_zero(l->buckets * KINDS_KEPT + 1, sizeof(*lane->with));
	return (uint32_t)l->all.len - 1;
}

static uint32_t text_of(struct lanes *l, struct str name)
{
	struct buf clean = { 0 };
	uint32_t text = intern_find(&l->texts, name);

	if (text == INTERN_NONE) {
		width_clean(&clean, str_head(name, 200));
		text = intern_copy(&l->texts, clean.len ? buf_view(&clean) : STR("(no name)"));
		buf_release(&clean);
	}
	return text;
}

uint32_t lanes_name(struct lanes *l, struct str name)
{
	uint32_t text = text_of(l, name);

	return keyed_at(&l->name_index, (uint64_t)text << 1, &l->names,
			(struct lane_name){ .text = text });
}

uint32_t lanes_op(struct lanes *l, const struct op_name *op)
{
	return keyed_at(&l->name_index, (uint64_t)op->like << 1 | 1, &l->names,
			(struct lane_name){ .text = text_of(l, op->label),
					    .full = text_of(l, op->full),
					    .op = true,
					    .id = op->id });
}

static void add_kind(struct draw_lane *lane, size_t bucket, uint32_t name, double ns)
{
	struct bucket_kind *k = &lane->with[bucket * KINDS_KEPT], *least = k;

	for (int i = 0; i < KINDS_KEPT; i++) {
		if (k[i].kind == name + 1 || !k[i].kind) {
			k[i].kind = name + 1;
			k[i].ns += (float)ns;
			return;
		}
		least = k[i].ns < least->ns ? &k[i] : least;
	}
	if ((float)ns > least->ns)
		*least = (struct bucket_kind){ name + 1, (float)ns };
}

void lanes_busy(struct lanes *l, uint32_t number, double from_ns, double to_ns, uint32_t name)
{
	double a = (from_ns - (double)l->window.from_ns) / l->bucket_ns;
	double b = (to_ns - (double)l->window.from_ns) / l->bucket_ns, most = (double)l->buckets;
	double within =
		number_min(to_ns, (double)l->window.to_ns) - number_max(from_ns, (double)l->window.from_ns);
	struct draw_lane *lane;
	size_t first, last;

	if (number == UINT32_MAX || !(a < most) || !(b > 0) || !(b > a))
		return;
	lane = &l->all.at[number];
	a = a > 0 ? a : 0;
	b = b < most ? b : most;
	first = (size_t)a;
	last = (size_t)b; /* may be l->buckets, which has room */
	lane->count++;
	lane->sum_ns += within;
	if (first == last) {
		lane->busy[first] += (b - a) * l->bucket_ns;
	} else {
		lane->busy[first] += ((double)(first + 1) - a) * l->bucket_ns;
		lane->busy[last] += (b - (double)last) * l->bucket_ns;
		lane->more[first + 1] += 1;
		lane->more[last] -= 1;
	}
	if (name == UINT32_MAX)
		return;
	l->names.at[name].ns += within;
	l->names.at[name].calls++;
	for (size_t i = first; lane->with && i <= last && i < l->buckets; i++) {
		double begin = i == first ? a : (double)i;
		double end = i == last ? b : (double)(i + 1);

		if (end > begin)
			add_kind(lane, i, name, (end - begin) * l->bucket_ns);
	}
}

/* Ops get capitals, host zones small letters, as far as they go. */
static void give_letters(struct lanes *l)
{
	SCOPED(mem) struct ranked *order = mem_zero(l->names.len + 1, sizeof(*order));
	char op = 'A', zone = 'a';

	for (uint32_t i = 0; i < l->names.len; i++)
		order[i] = (struct ranked){ l->names.at[i].ns, i };
	qsort(order, l->names.len, sizeof(*order), order_ranked);
	for (uint32_t i = 0; i < l->names.len; i++) {
		struct lane_name *n = &l->names.at[order[i].number];
		char *next = n->op ? &op : &zone;

		*vec_push(&l->ranked) = order[i].number;
		if (n->ns > 0 && *next && *next <= (n->op ? 'Z' : 'z'))
			n->letter = (*next)++;
	}
}

/* Ops that are not alike, and have one label, are named in full. */
static void tell_ops_apart(struct lanes *l)
{
	SCOPED(u64map) struct u64map first = { 0 };
	SCOPED(mem) bool *shared = mem_zero(l->names.len + 1, sizeof(*shared));

	for (uint32_t i = 0; i < l->names.len; i++) {
		uint32_t other = i;
		bool added = true;

		if (l->names.at[i].op)
			other = u64map_get_or_put(&first, l->names.at[i].text, i, &added);
		shared[i] |= !added;
		shared[other] |= !added;
	}
	for (uint32_t i = 0; i < l->names.len; i++)
		if (shared[i])
			l->names.at[i].text = l->names.at[i].full;
}

void lanes_finish(struct lanes *l)
{
	tell_ops_apart(l);
	vec_each (lane, &l->all) {
		double whole = 0;
		bool clipped = false;

		for (size_t i = 0; i < l->buckets; i++) {
			whole += lane->more[i];
			lane->busy[i] += whole * l->bucket_ns;
			/* what overlaps is not more than busy */
			clipped |= lane->busy[i] > l->bucket_ns * lane->weight * (1 + 1e-9);
			if (lane->busy[i] > l->bucket_ns * lane->weight)
				lane->busy[i] = l->bucket_ns * lane->weight;
			lane->busy_ns += lane->busy[i];
		}
		/* without what buckets round */
		if (!clipped)
			lane->busy_ns = lane->sum_ns;
	}
	give_letters(l);
}

double lane_part(const struct lanes *l, const struct draw_lane *lane, size_t bucket)
{
	double part = lane->busy[bucket] / (l->bucket_ns * lane->weight);

	return part > 0 ? part < 1 ? part : 1 : 0;
}

uint32_t lane_with(const struct draw_lane *lane, size_t from, size_t to)
{
	struct bucket_kind best = { 0 };

	if (!lane->with)
		return UINT32_MAX;
	for (size_t i = from * KINDS_KEPT; i < to * KINDS_KEPT; i++) {
		float ns = 0;

		if (!lane->with[i].kind)
			continue;
		for (size_t k = from * KINDS_KEPT; k < to * KINDS_KEPT; k++)
			ns += lane->with[k].kind == lane->with[i].kind ? lane->with[k].ns : 0;
		if (ns > best.ns)
			best = (struct bucket_kind){ lane->with[i].kind, ns };
	}
	return best.kind ? best.kind - 1 : UINT32_MAX;
}
