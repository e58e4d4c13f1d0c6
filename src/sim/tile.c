// SPDX-License-Identifier: Apache-2.0
/* A worker tile: its cores take turns, slice by slice; see machine.h. */
#include <string.h>

#include "sim/machine.h"

/* Rounds of its loop that a parked core has begun before `t`. */
static uint64_t rounds_until(const struct hart *h, uint64_t t)
{
	return h->t < t ? (t - h->t + h->period - 1) / h->period : 0;
}

uint64_t hart_instructions(const struct hart *h, uint64_t now, uint64_t *skipped)
{
	uint64_t asleep = 0;

	if (h->state == HART_PARKED)
		asleep = rounds_until(h, now) * (h->period - h->period_stalled);
	*skipped = h->skipped + asleep;
	if (h->state == HART_RESET)
		return h->retired;
	return h->retired + (h->t - h->started - h->stalled) + asleep;
}

/*
 * The slice that the code at hand belongs to: that of the last check, but not before the one in which the
 * core got its turn, as time stands still for a core that is blocked.
 */
static uint64_t slice_at_hand(const struct hart *h)
{
	return slice_of(h->check > h->node->slice ? h->check : h->node->slice);
}

uint64_t hart_turn(const struct hart *h)
{
	const struct hart *now = h->node->turn;

	if (!now)
		return h->node->slice;
	return slice_at_hand(now) + (h->id < now->id ? SLICE : 0);
}

/* Leaves reset: registers are 0, histories and queues empty. */
void hart_reset(struct hart *h, uint64_t t, uint32_t pc)
{
	memset(h->x, 0, sizeof(h->x));
	memset(h->taken, 0, sizeof(h->taken));
	memset(h->target, 0, sizeof(h->target));
	memset(h->load_slot, 0, sizeof(h->load_slot));
	h->load_at = 0;
	h->early = h->early_until = 0;
	h->store_free = 0;
	h->pc = pc;
	h->t = h->started = h->check = t;
	h->stalled = 0;
	h->state = HART_RUN;
	h->dirty = true;
	h->polls = false;
	h->wake = false;
	h->waited = false;
	h->loop = NULL;
}

static void watch_bits(struct node *n)
{
	n->watch_bits = 0;
	for (int r = 0; r < RISCS; r++)
		for (int i = 0; n->hart[r].state == HART_PARKED && i < n->hart[r].watches; i++)
			if (n->hart[r].watch[i] < n->l1_bytes)
				n->watch_bits |= 1ull << (n->hart[r].watch[i] >> 4 & 63);
}

/* Goes on with the first round that would have begun at or after `slice`. */
static void unpark(struct hart *h, uint64_t slice)
{
	if (h->t < slice) {
		uint64_t rounds = rounds_until(h, slice);
		uint64_t passed = rounds * h->period;

		h->t += passed;
		h->stalled += rounds * h->period_stalled;
		h->skipped += passed - rounds * h->period_stalled;
		for (int i = 0; i < LOAD_SLOTS; i++)
			h->load_slot[i] += passed;
		h->early_until += passed;
	}
	h->check = h->t;
	h->state = HART_RUN;
	h->wake = false;
	h->loop_skip = 0;
	watch_bits(h->node);
}

void node_touch(struct node *n, uint32_t addr, uint32_t len)
{
	uint32_t first = addr & ~3u;

	for (int r = 0; r < RISCS; r++) {
		struct hart *h = &n->hart[r];

		if (h->state != HART_PARKED)
			continue;
		for (int i = 0; i < h->watches; i++)
			if (h->watch[i] - first < len + (addr - first))
				h->wake = n->kick = true;
	}
}

void node_kick(struct node *n)
{
	n->kick = true;
	*n->next = n->sim->now;
}

void hart_end_slice(struct hart *h)
{
	uint64_t end = slice_at_hand(h) + SLICE;

	if (h->until > end)
		h->until = end;
}

/* Who writes or reads what it waits for has made a slice for it. */
static bool unblocks(struct hart *h)
{
	struct node *n = h->node;

	switch ((enum hart_block)h->block) {
	case BLOCK_MAILBOX_EMPTY:
	case BLOCK_MAILBOX_FULL:
		return mailbox_unblocks(h);
	case BLOCK_TENSIX_FULL:
	case BLOCK_TENSIX_BUSY:
		return n->tensix && tensix_unblocks(h);
	}
	return true;
}

/*
 * How far a core may run in one go.  When no other core runs, nothing arrives and compute has nothing to
 * do, slices need not be kept apart; what would end this (a store to a register, or to where a parked
 * core looks) ends the run at the end of its slice, hart_end_slice().  Cores that had their turn in this
 * slice may have brought such a thing about before they went to sleep, and those whose turn comes may be
 * about to go on: both must be asked for, as a polling core that is not parked would keep slices apart.
 */
static uint64_t run_limit(struct node *n, const struct hart *h, uint64_t end, uint64_t quiet)
{
	uint64_t limit = min_u64(quiet, slice_after(packet_heap_time(&n->inbox)));

	if (n->kick || n->outbox)
		return end;
	for (int r = 0; r < RISCS; r++) {
		struct hart *o = &n->hart[r];

		if (o == h)
			continue;
		if (o->state == HART_RUN)
			limit = min_u64(limit, slice_of(o->t));
		else if (o->state == HART_PARKED ? o->wake
						 : o->state == HART_BLOCKED && unblocks(o))
			return end;
	}
	return limit > end ? limit : end;
}

/*
 * Runs the tile to `to`, a multiple of SLICE; with `alone` only to the end of the slice in which it
 * first sends something, which is returned.  Afterwards nothing happens here before n->next.
 */
uint64_t node_run(struct node *n, uint64_t to, bool alone)
{
	uint64_t s = slice_of(*n->next), ended = to;

	while (s < to) {
		uint64_t end = s + SLICE, quiet = to, next = NEVER, compute = NEVER;

		n->slice = s;
		while (packet_heap_time(&n->inbox) <= s)
			niu_deliver(n, packet_heap_pop(&n->inbox), s);
		if (n->tensix)
			compute = tensix_advance(n, s);
		n->kick = false;
		quiet = min_u64(quiet, slice_after(packet_heap_time(&n->inbox)));
		quiet = min_u64(quiet, slice_after(compute));
		for (int r = 0; r < RISCS; r++) {
			struct hart *h = &n->hart[r];

			if (h->state == HART_PARKED && h->wake)
				unpark(h, s);
			else if (h->state == HART_BLOCKED && unblocks(h))
				h->state = HART_RUN;
			if (h->state != HART_RUN || h->t >= end)
				continue;
			h->until = run_limit(n, h, end, quiet);
			h->check = h->t;
			n->slice = s;
			n->turn = h;
			hart_run(h);
			n->turn = NULL;
			/* The slice that it stopped in is the one that the others are in now. */
			end = h->until;
			s = end - SLICE;
		}
		if (n->has_fault) {
			ended = end;
			break;
		}
		for (int r = 0; r < RISCS; r++)
			if (n->hart[r].state == HART_RUN)
				next = min_u64(next, slice_of(n->hart[r].t));
		next = min_u64(next, slice_after(packet_heap_time(&n->inbox)));
		next = min_u64(next, slice_after(compute));
		s = n->kick || next < end ? end : next;
		if (alone && n->outbox) {
			ended = end;
			break;
		}
	}
	*n->next = s;
	return ended;
}
