// SPDX-License-Identifier: Apache-2.0
/* Windows: tiles run on their own, then what they sent is routed; see machine.h. */

#include "sim/machine.h"

static void gather_faults(struct sim *s)
{
	for (int i = 0; i < s->nodes; i++) {
		const struct node *n = &s->node[i];

		if (n->has_fault && (!s->has_fault || n->fault.cycle < s->fault.cycle)) {
			s->has_fault = true;
			s->fault = n->fault;
		}
	}
}

/* One window, at most to `end`; returns where it ended.  `first` is the first thing that happens. */
static uint64_t window(struct sim *s, uint64_t end)
{
	uint64_t first = NEVER, second = NEVER, packets = packet_heap_time(&s->under_way), from;
	struct node *one = NULL;
	bool fault = false;
	int active = 0;

	for (int i = 0; i < s->nodes; i++) {
		uint64_t next = s->next[i];

		if (next < first) {
			second = first;
			first = next;
			one = &s->node[i];
		} else if (next < second) {
			second = next;
		}
	}
	from = first < slice_of(packets) ? first : slice_of(packets);
	if (from >= end)
		return end;
	from = slice_of(from);
	/* A tile that nobody else can reach before `quiet` may run until it sends something. */
	if (one && packets >= end && slice_of(second) >= from + s->window) {
		uint64_t quiet = second == NEVER ? end : slice_of(second);

		quiet = quiet < end ? quiet : end;
		/* Not beyond what it sent: that may wake others before the host's next look. */
		quiet = node_run(one, quiet, true);
		fault = one->has_fault;
		noc_route(s, &one, 1, quiet);
		if (fault)
			gather_faults(s);
		return quiet;
	}
	if (from + s->window < end)
		end = from + s->window;
	for (int i = 0; i < s->nodes; i++)
		if (s->next[i] < end)
			s->active[active++] = &s->node[i];
	crew_run(s->crew, s->active, active, end);
	for (int i = 0; i < active; i++)
		fault |= s->active[i]->has_fault;
	noc_route(s, s->active, active, end);
	if (fault)
		gather_faults(s);
	return end;
}

static bool holds(struct sim *s, const struct watch *w)
{
	uint32_t value;

	return sim_word(s, w->tile, w->addr, &value) && (value & w->mask) == w->value;
}

static bool all_hold(struct sim *s, const struct watch *w, size_t n, size_t *hint)
{
	if (!n)
		return false;
	if (!holds(s, &w[*hint]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!holds(s, &w[i])) {
			*hint = i;
			return false;
		}
	return true;
}

bool sim_idle(const struct sim *s)
{
	if (s->under_way.len)
		return false;
	for (int i = 0; i < s->nodes; i++)
		if (s->next[i] != NEVER)
			return false;
	return true;
}

void sim_pass(struct sim *s, uint64_t cycles)
{
	uint64_t stop = cycles > NEVER / 2 - s->now ? NEVER / 2 : slice_after(s->now + cycles);

	while (s->now < stop && !s->has_fault)
		s->now = window(s, stop);
}

enum wait_result sim_wait(struct port *p, const struct watch *w, size_t n, uint64_t cycles)
{
	struct sim *s = sim_of(p);
	uint64_t stop = cycles > NEVER / 2 - s->now ? NEVER / 2 : slice_after(s->now + cycles);
	size_t hint = 0;

	for (;;) {
		uint64_t poll;

		if (s->has_fault)
			return WAIT_FAULT;
		if (all_hold(s, w, n, &hint))
			return WAIT_ALL;
		if (s->now >= stop)
			return WAIT_TIMEOUT;
		if (sim_idle(s))
			return WAIT_IDLE;
		poll = (s->now / HOST_POLL + 1) * HOST_POLL;
		poll = poll < stop ? poll : stop;
		while (s->now < poll && !s->has_fault)
			s->now = window(s, poll);
	}
}
