// SPDX-License-Identifier: Apache-2.0
/*
 * Begins and ends of zones without anything else: they come by the million, one after the other.  All of it is also in
 * client_events.c, which takes what this does not like.
 */
#include "trace/spool/client_events.h"

const uint8_t *client_zones(struct client_events *c, const uint8_t *at, const uint8_t *end)
{
	const struct trace_sink *sink = c->sink;
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
			TRACE_TELL(sink, zone_end, th->track, ns, NULL);
			continue;
		}
		at = next;
		loc = client_loc(c, srcloc);
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
		TRACE_TELL(sink, zone_begin, th->track, ns, loc);
	}
	c->ref_thread = ref;
	c->t->last_ns = last;
	c->t->zones += began;
	return at;
}
