// SPDX-License-Identifier: Apache-2.0
/*
 * Begins and ends of zones without anything else: they come by the million, one after the other.  All of it is also in
 * client_events.c, which takes what this does not like.
 */
#include "trace/spool/client_events.h"

/* A known source location without a call; client_loc() makes the others. */
static inline uint32_t location(struct client_events *c, uint64_t ptr)
{
	const struct loc_cache *cache =
		&c->cache[ptr * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOC_CACHE_BITS)];

	return cache->ptr == ptr && cache->loc ? cache->loc - 1 : client_loc(c, ptr);
}

const uint8_t *client_zones(struct client_events *c, const struct trace_sink *sink,
			    const uint8_t *at, const uint8_t *end)
{
	const struct wire_proto *p = &c->proto;
	struct client_thread *th = client_current(c);
	int64_t ref = c->ref_thread, last = c->t->last_ns;
	uint64_t began = 0;

	/* Two items at a time: a begin, and what follows it. */
	while (end - at >= 2 * WIRE_MAX_zone_begin) {
		int64_t ns, step;
		uint64_t srcloc;
		uint32_t loc;
		const uint8_t *next = wire_begin(p, p->zones[*at], at, &step, &srcloc);

		if (!next) {
			if (!th->depth || th->extras_used)
				break;
			next = wire_end(p, p->zones[*at], at, &step);
			if (!next)
				break;
			at = next;
			ns = client_ns(c, client_step(&ref, step));
			if (ns > last)
				last = ns;
			th->depth--;
			if (sink->zone_end)
				sink->zone_end(sink->ctx, th->track, ns, NULL);
			continue;
		}
		at = next;
		loc = location(c, srcloc);
		began++;
		ns = client_ns(c, client_step(&ref, step));
		if (ns > last)
			last = ns;
		next = sink->zone_leaf && !th->extras_used ? wire_end(p, p->zones[*at], at, &step)
							   : NULL;
		if (next) {
			int64_t ends = client_ns(c, client_step(&ref, step));

			at = next;
			if (ends > last)
				last = ends;
			sink->zone_leaf(sink->ctx, th->track, ns, ends, loc);
			continue;
		}
		th->depth++;
		if (sink->zone_begin)
			sink->zone_begin(sink->ctx, th->track, ns, loc);
	}
	c->ref_thread = ref;
	c->t->last_ns = last;
	c->t->zones += began;
	return at;
}
