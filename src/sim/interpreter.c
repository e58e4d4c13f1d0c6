// SPDX-License-Identifier: Apache-2.0
/*
 * RV32IM with a light model of time.
 *
 * Every instruction takes a cycle.  To this come: the latency of a load beyond the instructions that hide
 * it (known from decoding), at most four loads under way, one store to L1 per five cycles behind a queue of
 * four, products, quotients, mispredicted branches.  So t - started = instructions + stalled, always.
 *
 * Time is looked at in few cases only (a check): at jumps backward, out of the page or indirect, and at the
 * end of a page.  Straight code runs on past the end of a slice, by 255 instructions at most; this is the
 * same in every run.  A loop inside a page has exactly one check.
 *
 * A polling loop is a stretch between two checks at the same backward jump that stored nothing, read
 * nothing that changes by itself, and left registers and pending loads as they were.  Such a core is
 * parked: it sleeps until something that it looks at is written, and then goes on with the first round
 * that would have begun by then.  The loop is interpreted in two forms from one text: the second notes
 * addresses of loads, and is used for the one round that decides about parking.
 */
#include <string.h>

#include "sim/machine.h"

#pragma GCC diagnostic ignored "-Wpedantic" /* labels as values */

static uint32_t divide_cycles(const struct soc *soc, uint32_t magnitude, uint32_t divisor,
			      bool overflow)
{
	uint32_t bits = magnitude ? 32 - (uint32_t)__builtin_clz(magnitude) : 0;

	if (divisor <= 1 || overflow)
		return (uint32_t)soc->divide_trivial;
	return (uint32_t)soc->divide_min +
	       bits * (uint32_t)(soc->divide_max - soc->divide_min) / 32;
}

static uint32_t signed_magnitude(uint32_t v)
{
	return (int32_t)v < 0 ? 0u - v : v;
}

static uint32_t divide(uint32_t a, uint32_t b)
{
	if (!b)
		return UINT32_MAX;
	if (a == 0x80000000u && b == UINT32_MAX)
		return a;
	return (uint32_t)((int32_t)a / (int32_t)b);
}

static uint32_t remainder_of(uint32_t a, uint32_t b)
{
	if (!b)
		return a;
	if (a == 0x80000000u && b == UINT32_MAX)
		return 0;
	return (uint32_t)((int32_t)a % (int32_t)b);
}

/* The code page of pc; NULL after a fault. */
static struct code_page *page_of(struct hart *h, uint32_t pc)
{
	struct node *n = h->node;
	struct code_page **slot;
	uint32_t words[PAGE_WORDS], offset = pc & ~(PAGE_BYTES - 1);
	const uint8_t *from;

	if (pc & 3) {
		hart_fault(h, "jump to 0x%08x: not a multiple of 4", pc);
		return NULL;
	}
	if (pc < n->l1_bytes) {
		slot = &n->page[pc / PAGE_BYTES];
		from = n->l1 + offset;
	} else if (h->id == RISC_NC && pc - IRAM_BASE < n->sim->soc->iram_bytes) {
		slot = &n->iram_page[(pc - IRAM_BASE) / PAGE_BYTES];
		from = n->iram + (offset - IRAM_BASE);
	} else {
		hart_fault(h, "jump to 0x%08x: no code can be there", pc);
		return NULL;
	}
	if (*slot)
		return *slot;
	memcpy(words, from, PAGE_BYTES);
	*slot = code_store_get(n->sim->code, offset, words);
	if (!*slot)
		hart_fault(h, "out of memory for decoded code");
	return *slot;
}

/*
 * Loads under way, seen from `t`: 0 for what no later load can find.  A load may count as begun before `t`
 * by what was paid too early, so slots are over only if they were then; no load counts as begun before
 * an earlier one.
 */
static void pending(const struct hart *h, uint64_t t, uint64_t out[LOAD_SLOTS + 2])
{
	uint64_t credit = h->early_until > t ? h->early : 0;

	for (uint32_t i = 0; i < LOAD_SLOTS; i++) {
		uint64_t at = h->load_slot[(h->load_at + i) % LOAD_SLOTS] + credit;

		out[i] = at > t ? at - t : 0;
	}
	out[LOAD_SLOTS] = h->early_until > t ? h->early_until - t : 0;
	out[LOAD_SLOTS + 1] = credit;
}

/*
 * At a backward jump that was the last check, too, and nothing was stored since: is it a loop that will
 * go round until somebody else writes?  One round is run for this, and noted.  If it leaves everything as
 * it was, mispredicted nothing and read nothing that changes by itself, all rounds to come are like it,
 * and the core is parked.  `h` is complete, pc at the head.
 */
static void consider_parking(struct hart *h)
{
	uint64_t before[LOAD_SLOTS + 2], after[LOAD_SLOTS + 2], t = h->t, stalled = h->stalled;
	uint32_t pc = h->pc, x[32];

	if (h->loop_skip) {
		h->loop_skip--;
		return;
	}
	memcpy(x, h->x, sizeof(x));
	pending(h, t, before);
	h->watches = 0;
	h->mispredicted = false;
	hart_run_recording(h);
	if (h->state != HART_RUN)
		return;
	pending(h, h->t, after);
	if (h->pc != pc || h->dirty || memcmp(x, h->x, sizeof(x)) != 0) {
		/* It computes something: look again later. */
		h->loop_backoff = h->loop_backoff < 32 ? h->loop_backoff * 2 + 1 : 63;
		h->loop_skip = h->loop_backoff;
		return;
	}
	if (h->watches > WATCHES_MAX || h->mispredicted ||
	    memcmp(before, after, sizeof(before)) != 0)
		return;
	h->state = HART_PARKED;
	h->wake = false;
	h->period = h->t - t;
	h->period_stalled = h->stalled - stalled;
	h->parked++;
	for (int i = 0; i < h->watches; i++)
		if (h->watch[i] < h->node->l1_bytes)
			h->node->watch_bits |= 1ull << (h->watch[i] >> 4 & 63);
}

static void note_load(struct hart *h, uint32_t addr)
{
	addr &= ~3u;
	for (int i = 0; i < h->watches && i < WATCHES_MAX; i++)
		if (h->watch[i] == addr)
			return;
	if (h->watches < WATCHES_MAX)
		h->watch[h->watches] = addr;
	h->watches++; /* one too many says that it cannot be parked */
}

#define RUN_NAME  hart_run
#define RUN_NOTES 0
#include "sim/interpreter_loop.h"
#undef RUN_NAME
#undef RUN_NOTES

#define RUN_NAME  hart_run_recording
#define RUN_NOTES 1
#include "sim/interpreter_loop.h"
