// SPDX-License-Identifier: Apache-2.0
/*
 * Begins and ends of zones without anything else: they come by the million, one after the other.  All of it is also in
 * client_events.c, which takes what this does not like.
 */
#include "trace/client_events.h"

enum zone_kind { NO_ZONE, BEGIN, BEGIN_32, BEGIN_16, END, END_32, END_16 };
enum { ZONE_ITEM_MAX = 17 };

void client_zones_init(struct client_events *c)
{
	static const struct {
		enum wire_item item;
		enum zone_kind kind;
	} kinds[] = { { WIRE_ZoneBegin, BEGIN },      { WIRE_ZoneBegin32, BEGIN_32 },
		      { WIRE_ZoneBegin16, BEGIN_16 }, { WIRE_ZoneEnd, END },
		      { WIRE_ZoneEnd32, END_32 },     { WIRE_ZoneEnd16, END_16 } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (c->proto.id[kinds[i].item] != WIRE_NONE)
			c->zone_kind[c->proto.id[kinds[i].item]] = (uint8_t)kinds[i].kind;
}

/* A known place without a call; client_loc() makes the others. */
static inline uint32_t place(struct client_events *c, uint64_t ptr)
{
	const struct loc_cache *cache =
		&c->cache[ptr * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOC_CACHE_BITS)];

	return cache->ptr == ptr && cache->loc ? cache->loc - 1 : client_loc(c, ptr);
}

/* Reads an end at `at` if there is one: its bytes, or 0. */
static inline size_t end_at(const struct client_events *c, const uint8_t *at, int64_t far,
			    int64_t *ref)
{
	int64_t step;

	switch ((enum zone_kind)c->zone_kind[*at]) {
	case END:
		step = i64_at(at + 1);
		*ref = ns_plus(*ref, step >= 0 ? step + far : step);
		return 9;
	case END_32:
		*ref = ns_plus(*ref, (int64_t)u32_at(at + 1) + 65536);
		return 5;
	case END_16:
		*ref = ns_plus(*ref, u16_at(at + 1));
		return 3;
	default:
		return 0;
	}
}

const uint8_t *client_zones(struct client_events *c, const struct trace_sink *sink,
			    const uint8_t *at, const uint8_t *end)
{
	const int64_t far = c->proto.compact_zones ? 65536 + (INT64_C(1) << 32) : 0;
	struct client_thread *th = client_current(c);
	int64_t ref = c->ref_thread, last = c->t->last_ns;
	uint64_t began = 0;

	/* Two items at a time: a begin, and what follows it. */
	while (end - at >= 2 * ZONE_ITEM_MAX) {
		uint32_t loc;
		int64_t ns, step;
		size_t n;

		switch ((enum zone_kind)c->zone_kind[*at]) {
		case BEGIN:
			step = i64_at(at + 1);
			ref = ns_plus(ref, step >= 0 ? step + far : step);
			loc = place(c, u64_at(at + 9));
			at += 17;
			break;
		case BEGIN_32:
			ref = ns_plus(ref, (int64_t)u32_at(at + 1) + 65536);
			loc = place(c, u64_at(at + 5));
			at += 13;
			break;
		case BEGIN_16:
			ref = ns_plus(ref, u16_at(at + 1));
			loc = place(c, u64_at(at + 3));
			at += 11;
			break;
		case NO_ZONE:
			goto out;
		default:
			if (!th->depth || th->extras_used)
				goto out;
			at += end_at(c, at, far, &ref);
			ns = client_ns(c, ref);
			if (ns > last)
				last = ns;
			th->depth--;
			if (sink->zone_end)
				sink->zone_end(sink->ctx, th->track, ns, NULL);
			continue;
		}
		began++;
		ns = client_ns(c, ref);
		if (ns > last)
			last = ns;
		n = sink->zone_leaf && !th->extras_used ? end_at(c, at, far, &ref) : 0;
		if (n) {
			int64_t ends = client_ns(c, ref);

			at += n;
			if (ends > last)
				last = ends;
			sink->zone_leaf(sink->ctx, th->track, ns, ends, loc);
			continue;
		}
		th->depth++;
		if (sink->zone_begin)
			sink->zone_begin(sink->ctx, th->track, ns, loc);
	}
out:
	c->ref_thread = ref;
	c->t->last_ns = last;
	c->t->zones += began;
	return at;
}
