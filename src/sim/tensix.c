// SPDX-License-Identifier: Apache-2.0
/*
 * When compute does what.  A unit takes the operations of its core in order; one begins when the unit is
 * free and what it needs is there: a free bank, full banks, a half of Dst.  All that is known exactly, to
 * the cycle, however late the tile comes to look at it; only L1 is read and written at the next slice.
 */
#include "sim/tensix.h"

#include <stdlib.h>
#include <string.h>

#include "sim/machine.h"

struct operation {
	uint32_t code, arg[TENSIX_ARGS];
	uint64_t issued;
};

struct unit {
	uint32_t arg[TENSIX_ARGS]; /* registers of the core */
	struct operation queue[TTP_TENSIX_QUEUE];
	int head, len;
	struct operation now; /* under way */
	bool busy;
	uint64_t free_at; /* end of the operation under way, or of the last one */
	uint64_t room_at; /* when a full queue had room again */
};

struct bank {
	struct values values;
	bool full;
	uint64_t since;
};

struct source {
	struct bank bank[2];
	int fill, take;
};

enum half_owner { HALF_FREE, HALF_MATH, HALF_READY, HALF_PACK };

struct half {
	struct values tile[TTP_TENSIX_DST_TILES];
	enum half_owner owner;
	uint64_t since;
};

struct tensix {
	struct unit unit[UNITS];
	struct source a, b;
	struct half half[2];
	int math_half, pack_half; /* at hand, or next to be taken */
	bool changed;
	uint64_t next;
};

static struct unit *unit_of(struct hart *h)
{
	return &h->node->tensix->unit[h->id - RISC_T0];
}

static bool make(struct hart *h)
{
	if (!h->node->tensix)
		h->node->tensix = calloc(1, sizeof(struct tensix));
	return h->node->tensix || hart_fault(h, "out of memory for compute");
}

void tensix_free(struct tensix *x)
{
	free(x);
}

static bool tile_in_l1(const struct hart *h, uint32_t addr, uint32_t format)
{
	uint32_t bytes = format <= TTP_TILE_FP32 ? tile_bytes(format) : 0;

	return bytes && !(addr & 15) && addr < h->node->l1_bytes &&
	       bytes <= h->node->l1_bytes - addr;
}

static bool takes_fidelity(uint32_t op)
{
	return op == TTP_TENSIX_MATMUL || op == TTP_TENSIX_MUL ||
	       (op >= TTP_TENSIX_BCAST_MUL_ROW && op <= TTP_TENSIX_BCAST_MUL_SCALAR);
}

static bool arguments_are_good(const struct hart *h, uint32_t op, const uint32_t *arg)
{
	switch (op) {
	case TTP_TENSIX_UNPACK_AB:
		return tile_in_l1(h, arg[0], arg[1]) && tile_in_l1(h, arg[2], arg[3]);
	case TTP_TENSIX_UNPACK_A:
	case TTP_TENSIX_UNPACK_B:
		return tile_in_l1(h, arg[0], arg[1]);
	case TTP_TENSIX_PACK:
		return arg[0] < TTP_TENSIX_DST_TILES && tile_in_l1(h, arg[1], arg[2]);
	case TTP_TENSIX_SFPU:
		return arg[0] < TTP_TENSIX_DST_TILES && arg[1] <= TTP_SFPU_CLAMP_MIN;
	case TTP_TENSIX_SFPU_BINARY:
		return arg[0] < TTP_TENSIX_DST_TILES && arg[1] < TTP_TENSIX_DST_TILES &&
		       arg[2] <= TTP_SFPU_BINARY_MAX;
	default:
		if (takes_fidelity(op) && (arg[1] < 1 || arg[1] > 4))
			return false;
		if (op == TTP_TENSIX_MATMUL && arg[2] > 1)
			return false;
		return !math_is_op(op) || arg[0] < TTP_TENSIX_DST_TILES;
	}
}

static bool belongs_to(uint32_t op, int unit)
{
	switch (op) {
	case TTP_TENSIX_UNPACK_A:
	case TTP_TENSIX_UNPACK_B:
	case TTP_TENSIX_UNPACK_AB:
		return unit == UNIT_UNPACK;
	case TTP_TENSIX_PACK:
	case TTP_TENSIX_DST_WAIT:
	case TTP_TENSIX_DST_RELEASE:
		return unit == UNIT_PACK;
	case TTP_TENSIX_DST_ACQUIRE:
	case TTP_TENSIX_DST_COMMIT:
		return unit == UNIT_MATH;
	case TTP_TENSIX_DELAY:
		return true;
	default:
		return math_is_op(op) && unit == UNIT_MATH;
	}
}

enum access tensix_store(struct hart *h, uint32_t offset, uint32_t value)
{
	struct unit *u;
	struct operation *o;

	if (!make(h))
		return ACCESS_FAULT;
	u = unit_of(h);
	if (offset < TENSIX_ARGS * 4) {
		u->arg[offset / 4] = value;
		return ACCESS_OK;
	}
	if (offset != TTP_TENSIX_ISSUE - TTP_TENSIX_BASE)
		return ACCESS_FAULT;
	if (!belongs_to(value, h->id - RISC_T0)) {
		hart_fault(h, "compute operation %u: %s has no such", value, risc_name(h->id));
		return ACCESS_FAULT;
	}
	if (!arguments_are_good(h, value, u->arg)) {
		hart_fault(h, "compute operation %u: arguments 0x%x 0x%x 0x%x 0x%x make no sense",
			   value, u->arg[0], u->arg[1], u->arg[2], u->arg[3]);
		return ACCESS_FAULT;
	}
	if (u->len == TTP_TENSIX_QUEUE) {
		h->state = HART_BLOCKED;
		h->block = BLOCK_TENSIX_FULL;
		return ACCESS_BLOCKED;
	}
	hart_stall(h, u->room_at);
	o = &u->queue[(u->head + u->len++) % TTP_TENSIX_QUEUE];
	o->code = value;
	memcpy(o->arg, u->arg, sizeof(o->arg));
	o->issued = h->t + 1;
	h->node->tensix->changed = true;
	h->node->kick = true;
	return ACCESS_OK;
}

enum access tensix_load(struct hart *h, uint32_t offset, uint32_t *value)
{
	struct unit *u;

	if (!make(h))
		return ACCESS_FAULT;
	u = unit_of(h);
	if (offset < TENSIX_ARGS * 4) {
		*value = u->arg[offset / 4];
		return ACCESS_OK;
	}
	if (offset != TTP_TENSIX_IDLE - TTP_TENSIX_BASE)
		return ACCESS_FAULT;
	h->dirty = true;
	if (u->len || u->busy) {
		h->state = HART_BLOCKED;
		h->block = BLOCK_TENSIX_BUSY;
		return ACCESS_BLOCKED;
	}
	if (u->free_at > h->t) {
		uint64_t waits = u->free_at - h->t;

		if (h->id == RISC_T0)
			COUNT(h->node, WAITING_FOR_UNPACK_IDLE_0, waits);
		else if (h->id == RISC_T1)
			COUNT(h->node, WAITING_FOR_MATH_IDLE_1, waits);
		else
			COUNT(h->node, WAITING_FOR_PACK_IDLE_2, waits);
	}
	hart_stall(h, u->free_at);
	*value = 0;
	return ACCESS_OK;
}

bool tensix_unblocks(struct hart *h)
{
	const struct unit *u = unit_of(h);

	if (h->block == BLOCK_TENSIX_FULL)
		return u->len < TTP_TENSIX_QUEUE;
	return !u->len && !u->busy;
}

static uint64_t cost(const struct soc *soc, const struct operation *o)
{
	static const uint8_t sfpu[] = {
#define X(name, code, instructions) [code] = (instructions),
		TTP_SFPU_OPS(X)
#undef X
	};
	static const uint8_t sfpu_binary[] = {
#define X(name, code, instructions) [code] = (instructions),
		TTP_SFPU_BINARY_OPS(X)
#undef X
	};
	uint32_t passes = takes_fidelity(o->code) ? o->arg[1] : 1, bytes;
	int once = soc->tile_eltwise;

	switch (o->code) {
	case TTP_TENSIX_UNPACK_A:
	case TTP_TENSIX_UNPACK_B:
		return (uint64_t)soc->unpack_setup +
		       tile_bytes(o->arg[1]) * 1000ull / (uint32_t)soc->unpack_rate;
	case TTP_TENSIX_UNPACK_AB: /* half the rate for each */
		bytes = tile_bytes(o->arg[1]) > tile_bytes(o->arg[3]) ? tile_bytes(o->arg[1])
								      : tile_bytes(o->arg[3]);
		return (uint64_t)soc->unpack_setup + bytes * 2000ull / (uint32_t)soc->unpack_rate;
	case TTP_TENSIX_PACK:
		return tile_bytes(o->arg[2]) * 1000ull / (uint32_t)soc->pack_rate;
	case TTP_TENSIX_MATMUL:
		once = soc->tile_matmul_pass;
		break;
	case TTP_TENSIX_REDUCE_SUM_ROW:
	case TTP_TENSIX_REDUCE_MAX_ROW:
	case TTP_TENSIX_REDUCE_SUM_COL:
		once = soc->tile_reduce;
		break;
	case TTP_TENSIX_COPY:
	case TTP_TENSIX_TRANSPOSE:
		once = soc->tile_copy;
		break;
	case TTP_TENSIX_SFPU:
		return (uint64_t)soc->sfpu_passes *
		       (uint64_t)(soc->sfpu_load_store + sfpu[o->arg[1]]);
	case TTP_TENSIX_SFPU_BINARY: /* one load more */
		return (uint64_t)soc->sfpu_passes *
		       (uint64_t)(soc->sfpu_load_store + 1 + sfpu_binary[o->arg[2]]);
	case TTP_TENSIX_DELAY:
		return o->arg[0];
	case TTP_TENSIX_ZERO:
	case TTP_TENSIX_DST_ACQUIRE:
	case TTP_TENSIX_DST_COMMIT:
	case TTP_TENSIX_DST_WAIT:
	case TTP_TENSIX_DST_RELEASE:
		return 1;
	default:
		break;
	}
	return (uint64_t)once * passes;
}

/* Since when a bank is free or full, as wanted; NEVER if it isn't. */
static uint64_t bank_since(const struct bank *b, bool full)
{
	return b->full == full ? b->since : NEVER;
}

static uint64_t half_since(const struct half *f, enum half_owner owner)
{
	return f->owner == owner ? f->since : NEVER;
}

/* When the first operation of a unit's queue can begin, by what is known now. */
static uint64_t begins(const struct tensix *x, int unit)
{
	const struct unit *u = &x->unit[unit];
	const struct operation *o = &u->queue[u->head];
	uint64_t t;

	if (u->busy || !u->len)
		return NEVER;
	t = max_u64(u->free_at, o->issued);
	if (o->code == TTP_TENSIX_UNPACK_A || o->code == TTP_TENSIX_UNPACK_AB)
		t = max_u64(t, bank_since(&x->a.bank[x->a.fill], false));
	if (o->code == TTP_TENSIX_UNPACK_B || o->code == TTP_TENSIX_UNPACK_AB)
		t = max_u64(t, bank_since(&x->b.bank[x->b.fill], false));
	if (math_takes_a(o->code))
		t = max_u64(t, bank_since(&x->a.bank[x->a.take], true));
	if (math_takes_b(o->code))
		t = max_u64(t, bank_since(&x->b.bank[x->b.take], true));
	if (o->code == TTP_TENSIX_DST_ACQUIRE)
		t = max_u64(t, half_since(&x->half[x->math_half], HALF_FREE));
	if (o->code == TTP_TENSIX_DST_WAIT)
		t = max_u64(t, half_since(&x->half[x->pack_half], HALF_READY));
	return t;
}

static void misuse(struct node *n, int unit, uint64_t t, uint32_t code, const char *what)
{
	const struct hart *h = &n->hart[RISC_T0 + unit];

	node_fault(n, h->id, h->pc, t, "compute operation %u: %s", code, what);
}

/* How long something had to be waited for that was there at `since`, from `ready` on. */
static uint64_t waited(uint64_t since, uint64_t ready)
{
	return since != NEVER && since > ready ? since - ready : 0;
}

static void count_unpack(struct node *n, const struct operation *o, uint64_t busy, uint64_t ready)
{
	const struct tensix *x = n->tensix;
	bool a = o->code != TTP_TENSIX_UNPACK_B, b = o->code != TTP_TENSIX_UNPACK_A;
	uint64_t setup = (uint64_t)n->sim->soc->unpack_setup, moves = busy - setup;

	COUNT(n, L1_0_UNPACKER_0, moves);
	COUNT(n, L1_0_UNPACKER_0_GRANT, moves);
	if (a) {
		COUNT(n, UNPACK0_BUSY_THREAD0, busy);
		COUNT(n, SRCA_WRITE_ACTUAL, moves);
		COUNT(n, WAITING_FOR_SRCA_CLEAR,
		      waited(bank_since(&x->a.bank[x->a.fill], false), ready));
	}
	if (b) {
		COUNT(n, UNPACK1_BUSY_THREAD0, busy);
		COUNT(n, SRCB_WRITE_NOT_BLOCKED_PORT, moves);
		COUNT(n, SRCB_WRITE_ACTUAL, moves);
		COUNT(n, WAITING_FOR_SRCB_CLEAR,
		      waited(bank_since(&x->b.bank[x->b.fill], false), ready));
	}
}

static void count_math(struct node *n, const struct operation *o, uint64_t busy, uint64_t ready,
		       uint64_t t)
{
	const struct tensix *x = n->tensix;
	uint64_t passes = takes_fidelity(o->code) ? o->arg[1] : 1;

	if (math_takes_a(o->code))
		COUNT(n, WAITING_FOR_SRCA_VALID,
		      waited(bank_since(&x->a.bank[x->a.take], true), ready));
	if (math_takes_b(o->code))
		COUNT(n, WAITING_FOR_SRCB_VALID,
		      waited(bank_since(&x->b.bank[x->b.take], true), ready));
	COUNT(n, MATH_COUNTER, busy);
	COUNT(n, MATH_INSTRN_STARTED, busy);
	COUNT(n, MATH_INSTRN_AVAILABLE, t - ready + busy);
	COUNT(n, MATH_FIDELITY_STALL, busy - busy / passes);
	if (o->code == TTP_TENSIX_SFPU || o->code == TTP_TENSIX_SFPU_BINARY) {
		COUNT(n, SFPU_COUNTER, busy);
	} else {
		COUNT(n, FPU_COUNTER, busy);
		COUNT(n, FPU_INSTRN_AVAILABLE_1, t - ready + busy);
	}
}

/* What an operation that begins at t, and could have begun at `ready` but for others, is to the counters. */
static void count(struct node *n, int unit, const struct operation *o, uint64_t busy,
		  uint64_t ready, uint64_t t)
{
	const struct tensix *x = n->tensix;

	n->counters.value[TTP_COUNT_THREAD_INSTRUCTIONS_0 + unit]++;
	n->counters.value[TTP_COUNT_THREAD_STALLS_0 + unit] += t - ready;
	if (unit == UNIT_UNPACK && o->code != TTP_TENSIX_DELAY) {
		COUNT(n, UNPACK_INSTRN_AVAILABLE_0, t - ready + busy);
		count_unpack(n, o, busy, ready);
	} else if (math_is_op(o->code)) {
		count_math(n, o, busy, ready, t);
	} else if (o->code == TTP_TENSIX_DST_ACQUIRE) {
		COUNT(n, WAITING_FOR_NONFULL_SEM_1,
		      waited(half_since(&x->half[x->math_half], HALF_FREE), ready));
	} else if (o->code == TTP_TENSIX_DST_WAIT) {
		COUNT(n, WAITING_FOR_NONZERO_SEM_2,
		      waited(half_since(&x->half[x->pack_half], HALF_READY), ready));
	} else if (o->code == TTP_TENSIX_PACK) {
		COUNT(n, PACKER_BUSY, busy);
		COUNT(n, PACKER_BUSY_0, busy);
		COUNT(n, PACKER_DEST_READ_AVAILABLE, busy);
		COUNT(n, PACK_INSTRN_AVAILABLE_2, t - ready + busy);
		COUNT(n, L1_0_UNPACKER_1_ECC_PACK1, busy);
		COUNT(n, L1_0_PORT1_GRANT, busy);
	}
}

static void begin(struct node *n, int unit, uint64_t t)
{
	struct tensix *x = n->tensix;
	struct unit *u = &x->unit[unit];
	struct operation *o = &u->now;
	uint64_t ready;
	bool a, b;

	*o = u->queue[u->head];
	u->head = (u->head + 1) % TTP_TENSIX_QUEUE;
	if (u->len-- == TTP_TENSIX_QUEUE)
		u->room_at = t;
	u->busy = true;
	ready = max_u64(u->free_at, o->issued);
	u->free_at = t + cost(n->sim->soc, o);
	count(n, unit, o, u->free_at - t, ready, t);
	a = o->code == TTP_TENSIX_UNPACK_A || o->code == TTP_TENSIX_UNPACK_AB;
	b = o->code == TTP_TENSIX_UNPACK_B || o->code == TTP_TENSIX_UNPACK_AB;
	if (a)
		tile_from_memory(&x->a.bank[x->a.fill].values, n->l1 + o->arg[0], o->arg[1]);
	if (b)
		tile_from_memory(&x->b.bank[x->b.fill].values, n->l1 + o->arg[a ? 2 : 0],
				 o->arg[a ? 3 : 1]);
	if (o->code == TTP_TENSIX_DST_ACQUIRE) {
		x->half[x->math_half].owner = HALF_MATH;
		memset(x->half[x->math_half].tile, 0, sizeof(x->half[0].tile));
	}
	if (o->code == TTP_TENSIX_DST_WAIT)
		x->half[x->pack_half].owner = HALF_PACK;
	if ((math_is_op(o->code) || o->code == TTP_TENSIX_DST_COMMIT) &&
	    x->half[x->math_half].owner != HALF_MATH)
		misuse(n, unit, t, o->code, "math has no half of Dst, DST_ACQUIRE comes first");
	if ((o->code == TTP_TENSIX_PACK || o->code == TTP_TENSIX_DST_RELEASE) &&
	    x->half[x->pack_half].owner != HALF_PACK)
		misuse(n, unit, t, o->code, "pack has no half of Dst, DST_WAIT comes first");
}

static void fill(struct source *s, uint64_t t)
{
	s->bank[s->fill].full = true;
	s->bank[s->fill].since = t;
	s->fill ^= 1;
}

static void empty(struct source *s, uint64_t t)
{
	s->bank[s->take].full = false;
	s->bank[s->take].since = t;
	s->take ^= 1;
}

static void hand_on(struct half *f, enum half_owner to, int *at, uint64_t t)
{
	f->owner = to;
	f->since = t;
	*at ^= 1;
}

static void finish(struct node *n, int unit)
{
	struct tensix *x = n->tensix;
	struct unit *u = &x->unit[unit];
	const struct operation *o = &u->now;
	uint64_t t = u->free_at;

	u->busy = false;
	switch (o->code) {
	case TTP_TENSIX_UNPACK_A:
		fill(&x->a, t);
		break;
	case TTP_TENSIX_UNPACK_B:
		fill(&x->b, t);
		break;
	case TTP_TENSIX_UNPACK_AB:
		fill(&x->a, t);
		fill(&x->b, t);
		break;
	case TTP_TENSIX_PACK:
		tile_to_memory(n->l1 + o->arg[1], &x->half[x->pack_half].tile[o->arg[0]],
			       o->arg[2]);
		node_drop_code(n, o->arg[1], tile_bytes(o->arg[2]));
		node_touch(n, o->arg[1], tile_bytes(o->arg[2]));
		break;
	case TTP_TENSIX_DST_COMMIT:
		hand_on(&x->half[x->math_half], HALF_READY, &x->math_half, t);
		break;
	case TTP_TENSIX_DST_RELEASE:
		hand_on(&x->half[x->pack_half], HALF_FREE, &x->pack_half, t);
		break;
	case TTP_TENSIX_DST_ACQUIRE:
	case TTP_TENSIX_DST_WAIT:
	case TTP_TENSIX_DELAY:
		break;
	default:
		math_do(o->code, o->arg, x->half[x->math_half].tile, &x->a.bank[x->a.take].values,
			&x->b.bank[x->b.take].values);
		if (math_takes_a(o->code))
			empty(&x->a, t);
		if (math_takes_b(o->code))
			empty(&x->b, t);
		break;
	}
}

uint64_t tensix_advance(struct node *n, uint64_t t)
{
	struct tensix *x = n->tensix;

	if (t < x->next && !x->changed)
		return x->next;
	x->changed = false;
	while (!n->has_fault) {
		uint64_t first = NEVER;
		int which = 0;
		bool end = false;

		for (int i = 0; i < UNITS; i++)
			if (x->unit[i].busy && x->unit[i].free_at < first) {
				first = x->unit[i].free_at;
				which = i;
				end = true;
			}
		for (int i = 0; i < UNITS; i++)
			if (begins(x, i) < first) {
				first = begins(x, i);
				which = i;
				end = false;
			}
		x->next = first;
		if (first > t)
			break;
		if (end)
			finish(n, which);
		else
			begin(n, which, first);
	}
	return x->next;
}
