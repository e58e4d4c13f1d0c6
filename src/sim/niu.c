// SPDX-License-Identifier: Apache-2.0
/*
 * A tile's interface to a NoC: four initiators, each a set of registers that describes a request, and
 * counters that tell what became of them.
 *
 *	initiator i, at i * 0x400:	TARG 0x00 lo, 0x04 mid	RET 0x0C lo, 0x10 mid
 *					TAG 0x18  CTRL 0x1C  LEN 0x20  DATA 0x24  CMD_CTRL 0x28
 *	address: 36 bits, then x (6 bits) and y (6); a multicast has the end there, then the start's x and y
 *	0x2C node id   0x100 configuration, translation tables   0x138 translated id   0x200 + 4 i counters
 *
 * (tt-isa-documentation WormholeB0 NoC; tt-metal noc_parameters.h, e4f9f0bb)
 */
#include <string.h>

#include "sim/machine.h"

enum counter {
	ATOMICS_ANSWERED = 0,
	WRITES_ACKED = 1,
	READS_ANSWERED = 2,
	READ_WORDS = 3,
	ACCEPTED = 4,
	READS_SENT = 5,
	ATOMICS_SENT = 6, /* + 1: posted; so also below */
	WRITE_WORDS_SENT = 8,
	WRITES_SENT = 10,
	WRITES_STARTED = 12,
	READS_STARTED = 14,
	ATOMICS_STARTED = 15,
	OUTSTANDING = 16, /* + id */
	OUTGOING = 32,    /* + id */
};

#define CTRL_ATOMIC      0x1u
#define CTRL_WRITE       0x2u
#define CTRL_BYTE_ENABLE 0x4u
#define CTRL_INLINE      0x8u
#define CTRL_REPLY       0x10u
#define CTRL_MANY        0x20u
#define CTRL_SELF        0x20000u
/* linked 6, static VC 7, path reserve 8, VC 13 to 15, multicast axis 16, arbitration 27 to 30 */
#define CTRL_KNOWN (0x3Fu | 0x1C0u | 0xE000u | 0x30000u | 0x78000000u)

#define ADDRESS_BITS 36

struct request {
	uint64_t target, ret; /* addresses at the places below */
	int target_place, ret_place, first_place;
};

static void count(struct node *n, int noc, uint32_t counter, uint32_t change)
{
	n->niu[noc].counter[counter] += change;
	node_touch(n, NIU_BASE + NIU_STRIDE * (uint32_t)noc + NIU_COUNTER + counter * 4, 4);
}

/* -1 if nothing is there. */
static int place_of(const struct sim *s, int noc, uint32_t x, uint32_t y)
{
	uint8_t px = s->to_x[noc][x & 63], py = s->to_y[noc][y & 63];

	if (px == 255 || py == 255)
		return -1;
	return py * s->soc->width + px;
}

static void bad(struct hart *h, const char *what, const struct initiator *q, uint32_t bits)
{
	hart_fault(h, "NoC request (CTRL 0x%x, LEN 0x%x): %s: 0x%x", q->ctrl, q->len, what, bits);
}

/* The way out of the tile, or to itself; returns when the first flit leaves. */
static uint64_t take_port(struct node *n, struct packet *p, uint64_t t)
{
	const struct soc *soc = n->sim->soc;
	struct niu *u = &n->niu[p->noc];
	bool loaded = p->kind == PACKET_WRITE || p->kind == PACKET_DATA;
	uint64_t *port = p->to == n->place && !p->many ? &u->loop_free : &u->out_free;
	uint64_t took = rate_ticks((uint32_t)soc->noc_header_bytes + (loaded ? p->len : 0),
				   soc->worker_out_rate);
	uint64_t start = t * 256 > *port ? t * 256 : *port;

	*port = start + took;
	p->occupied = took;
	return (start + 255) / 256;
}

static bool to_inbox(struct node *n, struct packet *p)
{
	if (packet_heap_push(&n->inbox, p))
		return true;
	node_fault(n, -1, 0, p->t, "out of memory for packets");
	packet_free(p);
	return false;
}

/* Sends off at `t` or when the port is free, which is returned. */
static uint64_t send_packet(struct node *n, struct packet *p, uint64_t t)
{
	const struct soc *soc = n->sim->soc;
	uint64_t start = take_port(n, p, t);

	p->from = (int16_t)n->place;
	p->order = (uint64_t)n->place << 40 | n->packets++;
	p->t = start;
	if (p->to == n->place && !p->many) { /* never leaves the tile */
		p->t += (uint64_t)soc->noc_leg + (p->occupied + 255) / 256;
		if (p->kind == PACKET_WRITE)
			p->t += (uint64_t)soc->noc_l1_write;
		to_inbox(n, p);
		return start;
	}
	p->next = NULL;
	*n->outbox_end = p;
	n->outbox_end = &p->next;
	return start;
}

/* The tile itself, for the local end of a request. */
static bool is_local(struct hart *h, const struct initiator *q, int place, uint64_t addr,
		     uint32_t len)
{
	struct node *n = h->node;

	if (place != n->place) {
		bad(h, "the local address names another tile", q, (uint32_t)(addr >> ADDRESS_BITS));
		return false;
	}
	if (addr >= n->l1_bytes || len > n->l1_bytes - addr) {
		bad(h, "the local address is not in L1", q, (uint32_t)addr);
		return false;
	}
	return true;
}

/* Whether `len` bytes at the far end can be read or written. */
static bool is_remote(struct hart *h, const struct initiator *q, int place, uint64_t addr,
		      uint32_t len)
{
	struct sim *s = h->node->sim;
	const struct place *at = place < 0 ? NULL : &s->place[place];

	if (!at || (at->kind != TILE_WORKER && at->kind != TILE_DRAM)) {
		int w = s->soc->width;

		hart_fault(h, "NoC request (CTRL 0x%x) to %d-%d: no worker or DRAM is there",
			   q->ctrl, place < 0 ? -1 : place % w, place < 0 ? -1 : place / w);
		return false;
	}
	if (at->kind == TILE_DRAM) {
		uint64_t channel = s->soc->dram_channel_bytes, bytes = s->dram[at->dram].bytes;

		if (addr >= bytes || len > bytes - addr ||
		    addr / channel != (addr + len - 1) / channel) {
			hart_fault(
				h,
				"NoC request of %u bytes at 0x%llx of DRAM tile %d-%d: ends behind a channel",
				len, (unsigned long long)addr, place % s->soc->width,
				place / s->soc->width);
			return false;
		}
		return true;
	}
	if (addr < s->soc->l1_bytes && len <= s->soc->l1_bytes - addr)
		return true;
	if (addr >= LOCAL_BASE && addr <= UINT32_MAX && len == 4 && !(addr & 3))
		return true;
	hart_fault(h, "NoC request of %u bytes at 0x%llx of tile %d-%d: no memory is there", len,
		   (unsigned long long)addr, place % s->soc->width, place / s->soc->width);
	return false;
}

static bool aligned_alike(struct hart *h, const struct initiator *q, uint64_t a, uint64_t b,
			  uint32_t to)
{
	if (((a ^ b) & (to - 1)) == 0)
		return true;
	hart_fault(h, "NoC request (CTRL 0x%x): 0x%llx and 0x%llx differ modulo %u", q->ctrl,
		   (unsigned long long)a, (unsigned long long)b, to);
	return false;
}

static bool is_length(struct hart *h, const struct initiator *q)
{
	if (q->len >= 1 && q->len <= h->node->sim->soc->noc_packet_max)
		return true;
	bad(h, "the length is 0 or longer than a packet", q, q->len);
	return false;
}

static struct packet *new_request(struct hart *h, const struct initiator *q, enum packet_kind kind,
				  int noc, uint32_t room)
{
	struct packet *p = packet_new(room);

	if (!p) {
		hart_fault(h, "out of memory for packets");
		return NULL;
	}
	p->kind = (uint8_t)kind;
	p->noc = (uint8_t)noc;
	p->id = q->tag >> 10 & 15;
	p->reply = q->ctrl & CTRL_REPLY;
	p->len = q->len;
	return p;
}

static struct packet *make_read(struct hart *h, const struct initiator *q, const struct request *r,
				int noc)
{
	struct sim *s = h->node->sim;
	struct packet *p;

	if (!is_length(h, q) || !is_local(h, q, r->ret_place, r->ret, q->len) ||
	    !is_remote(h, q, r->target_place, r->target, q->len))
		return NULL;
	if (!(q->ctrl & CTRL_REPLY)) {
		bad(h, "a read must ask for a response", q, q->ctrl);
		return NULL;
	}
	if (r->target < LOCAL_BASE || s->place[r->target_place].kind == TILE_DRAM) {
		uint32_t to = s->place[r->target_place].kind == TILE_DRAM
				      ? (uint32_t)s->soc->noc_flit_bytes
				      : 16;

		if (!aligned_alike(h, q, r->target, r->ret, to))
			return NULL;
	}
	p = new_request(h, q, PACKET_READ, noc, 0);
	if (!p)
		return NULL;
	p->to = (int16_t)r->target_place;
	p->addr = r->target;
	p->answer = r->ret;
	return p;
}

static struct packet *make_atomic(struct hart *h, const struct initiator *q,
				  const struct request *r, int noc)
{
	uint32_t word = q->len & 3, instruction = q->len >> 12 & 15;
	uint64_t addr = (r->target & ~15ull) + word * 4;
	struct packet *p;

	if (instruction != 1) {
		bad(h, "of the atomics only increment is modelled", q, q->len);
		return NULL;
	}
	if ((r->target & 15) && (r->target & 15) != word * 4) {
		bad(h, "address and word index disagree", q, (uint32_t)r->target);
		return NULL;
	}
	if (!is_local(h, q, r->ret_place, r->ret & ~3ull, 4) ||
	    !is_remote(h, q, r->target_place, addr, 4))
		return NULL;
	if (h->node->sim->place[r->target_place].kind != TILE_WORKER || addr >= LOCAL_BASE) {
		bad(h, "atomics work in the L1 of workers", q, (uint32_t)addr);
		return NULL;
	}
	p = new_request(h, q, PACKET_ATOMIC, noc, 0);
	if (!p)
		return NULL;
	p->to = (int16_t)r->target_place;
	p->addr = addr;
	p->answer = r->ret & ~3ull;
	p->len = 4;
	p->op = q->len;
	p->value = q->data;
	return p;
}

static struct packet *make_inline(struct hart *h, const struct initiator *q,
				  const struct request *r, int noc)
{
	struct packet *p;

	if (q->ctrl & CTRL_MANY) {
		bad(h, "multicast of inline data is not modelled", q, q->ctrl);
		return NULL;
	}
	if (!is_remote(h, q, r->target_place, r->target, 4))
		return NULL;
	/* Byte enables count for memory only. */
	if (r->target < LOCAL_BASE && ((r->target & 3) || q->len >> (r->target & 31) != 15)) {
		if ((r->target & 3) || q->len >> (r->target & 15) != 15) {
			bad(h, "inline data must be one aligned word", q, (uint32_t)r->target);
			return NULL;
		}
	}
	p = new_request(h, q, PACKET_WRITE, noc, 0);
	if (!p)
		return NULL;
	p->to = (int16_t)r->target_place;
	p->addr = r->target;
	p->len = 4;
	p->inline_data = true;
	p->value = q->data;
	return p;
}

static bool any_worker(const struct sim *s, int first, int last, int noc, int from, bool self)
{
	int w = s->soc->width, h = s->soc->height, step = noc == 0 ? 1 : -1;

	for (int y = first / w;; y = (y + step + h) % h) {
		for (int x = first % w;; x = (x + step + w) % w) {
			int at = y * w + x;

			if (s->place[at].kind == TILE_WORKER && (at != from || self))
				return true;
			if (x == last % w)
				break;
		}
		if (y == last / w)
			return false;
	}
}

static struct packet *make_write(struct hart *h, const struct initiator *q, const struct request *r,
				 int noc)
{
	struct node *n = h->node;
	bool many = q->ctrl & CTRL_MANY, self = q->ctrl & CTRL_SELF;
	struct packet *p;

	if (!is_length(h, q) || !is_local(h, q, r->target_place, r->target, q->len))
		return NULL;
	if (many) {
		if (r->ret_place < 0 || r->first_place < 0 ||
		    !any_worker(n->sim, r->first_place, r->ret_place, noc, n->place, self)) {
			bad(h, "no worker is in the rectangle of the multicast", q, q->ctrl);
			return NULL;
		}
		if (r->ret >= n->l1_bytes || q->len > n->l1_bytes - r->ret) {
			if (r->ret < LOCAL_BASE || r->ret > UINT32_MAX || q->len != 4 ||
			    r->ret & 3) {
				bad(h, "the destination of the multicast is not in L1", q,
				    (uint32_t)r->ret);
				return NULL;
			}
		}
	} else if (!is_remote(h, q, r->ret_place, r->ret, q->len)) {
		return NULL;
	}
	if (!aligned_alike(h, q, r->target, r->ret, 16))
		return NULL;
	p = new_request(h, q, PACKET_WRITE, noc, q->len);
	if (!p)
		return NULL;
	p->to = (int16_t)r->ret_place;
	p->addr = r->ret;
	p->many = many;
	p->self = self;
	p->first = (int16_t)(many ? r->first_place : 0);
	p->last = (int16_t)(many ? r->ret_place : 0);
	memcpy(p->data, n->l1 + r->target, q->len);
	return p;
}

static void count_start(struct node *n, const struct packet *p)
{
	uint32_t posted = p->reply ? 0 : 1;

	count(n, p->noc, ACCEPTED, 1);
	if (p->reply)
		count(n, p->noc, OUTSTANDING + p->id, 1);
	if (p->kind == PACKET_READ) {
		count(n, p->noc, READS_STARTED, 1);
		count(n, p->noc, READS_SENT, 1);
	} else if (p->kind == PACKET_ATOMIC) {
		if (!posted)
			count(n, p->noc, ATOMICS_STARTED, 1);
		count(n, p->noc, ATOMICS_SENT + posted, 1);
	} else {
		count(n, p->noc, WRITES_STARTED + posted, 1);
		count(n, p->noc, OUTGOING + p->id, 1);
	}
}

static void issue(struct hart *h, int noc, struct initiator *q)
{
	struct node *n = h->node;
	struct sim *s = n->sim;
	uint64_t targ = (uint64_t)q->targ_mid << 32 | q->targ_lo,
		 ret = (uint64_t)q->ret_mid << 32 | q->ret_lo;
	uint64_t low = (1ull << ADDRESS_BITS) - 1;
	struct request r = {
		.target = targ & low,
		.ret = ret & low,
		.target_place = place_of(s, noc, (uint32_t)(targ >> 36), (uint32_t)(targ >> 42)),
		.ret_place = place_of(s, noc, (uint32_t)(ret >> 36), (uint32_t)(ret >> 42)),
		.first_place = place_of(s, noc, (uint32_t)(ret >> 48), (uint32_t)(ret >> 54)),
	};
	struct packet *p, *sent = NULL;
	bool to_itself;

	if (q->busy_until > h->t) {
		bad(h, "the last request of this initiator is still pending; poll CMD_CTRL", q, 0);
		return;
	}
	if (q->ctrl & ~CTRL_KNOWN || q->ctrl & CTRL_BYTE_ENABLE) {
		bad(h, "CTRL has bits that are not modelled", q, q->ctrl & ~CTRL_KNOWN);
		return;
	}
	if (q->ctrl & CTRL_MANY && (q->ctrl & CTRL_ATOMIC || !(q->ctrl & CTRL_WRITE))) {
		bad(h, "only writes can be multicast", q, q->ctrl);
		return;
	}
	if (q->ctrl & CTRL_ATOMIC)
		p = make_atomic(h, q, &r, noc);
	else if (!(q->ctrl & CTRL_WRITE))
		p = make_read(h, q, &r, noc);
	else if (q->ctrl & CTRL_INLINE)
		p = make_inline(h, q, &r, noc);
	else
		p = make_write(h, q, &r, noc);
	if (!p)
		return;
	if (p->kind == PACKET_WRITE) {
		sent = packet_new(0);
		if (!sent) {
			hart_fault(h, "out of memory for packets");
			packet_free(p);
			return;
		}
		sent->kind = PACKET_SENT;
		sent->noc = p->noc;
		sent->id = p->id;
		sent->reply = p->reply;
		sent->len = p->len;
	}
	count_start(n, p);
	to_itself = p->to == n->place && !p->many;
	q->busy_until = send_packet(n, p, h->t);
	if (sent) {
		struct niu *u = &n->niu[noc];
		uint64_t free_at = to_itself ? u->loop_free : u->out_free;

		sent->t = (free_at + 255) / 256;
		sent->order = (uint64_t)n->place << 40 | n->packets++;
		to_inbox(n, sent);
	}
}

static uint32_t translation(const struct sim *s, int noc, uint32_t word, bool y)
{
	uint32_t v = 0;

	for (uint32_t i = 0; i < 8; i++) {
		uint32_t at = word * 8 + i, physical;

		physical = y ? s->to_y[noc][at] : s->to_x[noc][at];
		if (at < 16)
			physical = at; /* as is */
		else if (physical == 255)
			physical = 0;
		else if (noc == 1)
			physical = (uint32_t)(y ? s->soc->height : s->soc->width) - 1 - physical;
		v |= (physical & 15) << (i * 4);
	}
	return v;
}

enum access niu_load(struct hart *h, struct node *n, int noc, uint32_t offset, uint64_t t,
		     uint32_t *value)
{
	const struct sim *s = n->sim;
	struct niu *u = &n->niu[noc];

	if (offset >= NIU_COUNTER && offset < NIU_COUNTER + COUNTERS * 4) {
		*value = u->counter[(offset - NIU_COUNTER) / 4];
		return ACCESS_OK;
	}
	if (offset == 0x2C) {
		uint32_t w = (uint32_t)s->soc->width, hgt = (uint32_t)s->soc->height;
		uint32_t x = noc ? w - 1 - n->tile.x : n->tile.x,
			 y = noc ? hgt - 1 - n->tile.y : n->tile.y;

		*value = x | y << 6 | w << 12 | hgt << 19 | (noc == 0 ? 1u << 28 : 0);
		return ACCESS_OK;
	}
	if (offset == 0x138) {
		*value = s->logical_x[n->tile.x] | (uint32_t)s->logical_y[n->tile.y] << 6;
		return ACCESS_OK;
	}
	if (offset >= 0x118 && offset < 0x138) {
		uint32_t word = (offset - 0x118) / 4;

		*value = translation(s, noc, word & 3, word >= 4);
		return ACCESS_OK;
	}
	if (offset >= 0x100 && offset < 0x200) {
		*value = u->config[(offset - 0x100) / 4];
		return ACCESS_OK;
	}
	if (offset < INITIATORS * 0x400) {
		struct initiator *q = &u->initiator[offset / 0x400];

		switch (offset & 0x3FF) {
		case 0x00:
			*value = q->targ_lo;
			return ACCESS_OK;
		case 0x04:
			*value = q->targ_mid;
			return ACCESS_OK;
		case 0x0C:
			*value = q->ret_lo;
			return ACCESS_OK;
		case 0x10:
			*value = q->ret_mid;
			return ACCESS_OK;
		case 0x18:
			*value = q->tag;
			return ACCESS_OK;
		case 0x1C:
			*value = q->ctrl;
			return ACCESS_OK;
		case 0x20:
			*value = q->len;
			return ACCESS_OK;
		case 0x24:
			*value = q->data;
			return ACCESS_OK;
		case 0x28:
			*value = q->busy_until > t;
			if (*value && h)
				h->dirty = true; /* will change by itself */
			return ACCESS_OK;
		default:
			break;
		}
	}
	return ACCESS_FAULT;
}

enum access niu_store(struct hart *h, struct node *n, int noc, uint32_t offset, uint64_t t,
		      uint32_t value)
{
	struct niu *u = &n->niu[noc];

	(void)t;
	if (offset >= 0x100 && offset < 0x138) {
		u->config[(offset - 0x100) / 4] = value;
		return ACCESS_OK;
	}
	if (offset == 0x50) { /* clears the counts of those outstanding, by id */
		for (uint32_t i = 0; i < 16; i++)
			if (value >> i & 1)
				count(n, noc, OUTSTANDING + i, 0 - u->counter[OUTSTANDING + i]);
		return ACCESS_OK;
	}
	if (offset < INITIATORS * 0x400) {
		struct initiator *q = &u->initiator[offset / 0x400];

		switch (offset & 0x3FF) {
		case 0x00:
			q->targ_lo = value;
			return ACCESS_OK;
		case 0x04:
			q->targ_mid = value;
			return ACCESS_OK;
		case 0x0C:
			q->ret_lo = value;
			return ACCESS_OK;
		case 0x10:
			q->ret_mid = value;
			return ACCESS_OK;
		case 0x18:
			q->tag = value;
			return ACCESS_OK;
		case 0x1C:
			q->ctrl = value;
			return ACCESS_OK;
		case 0x20:
			q->len = value;
			return ACCESS_OK;
		case 0x24:
			q->data = value;
			return ACCESS_OK;
		case 0x28:
			if (!h)
				return ACCESS_FAULT; /* by host or NoC: not modelled */
			if (value & 1)
				issue(h, noc, q);
			return h->state == HART_FAULT ? ACCESS_BLOCKED : ACCESS_OK;
		default:
			break;
		}
	}
	return ACCESS_FAULT;
}

/* An answer to `p`, which it replaces. */
static struct packet *answer_to(struct node *n, struct packet *p, enum packet_kind kind,
				uint32_t room)
{
	struct packet *a = packet_new(room);

	if (!a) {
		node_fault(n, -1, 0, p->t, "out of memory for packets");
		return NULL;
	}
	a->kind = (uint8_t)kind;
	a->noc = p->noc;
	a->id = p->id;
	a->to = p->from;
	a->addr = p->answer;
	a->len = p->len;
	return a;
}

static void write_here(struct node *n, uint64_t addr, const uint8_t *data, uint32_t len, uint64_t t)
{
	uint32_t word;

	if (addr < n->l1_bytes) {
		memcpy(n->l1 + addr, data, len);
		node_drop_code(n, (uint32_t)addr, len);
		node_touch(n, (uint32_t)addr, len);
		return;
	}
	memcpy(&word, data, 4);
	if (!node_register_write(n, (uint32_t)addr, t, word))
		node_fault(n, -1, 0, t, "write to register 0x%08x by the NoC: nothing is there",
			   (uint32_t)addr);
}

static void serve_read(struct node *n, struct packet *p, uint64_t t)
{
	struct packet *a = answer_to(n, p, PACKET_DATA, p->len);
	uint32_t word;

	if (!a)
		return;
	if (p->addr < n->l1_bytes) {
		memcpy(a->data, n->l1 + p->addr, p->len);
	} else if (node_register_read(n, (uint32_t)p->addr, t, &word)) {
		memcpy(a->data, &word, 4);
	} else {
		node_fault(n, -1, 0, t, "read of register 0x%08x by the NoC: nothing is there",
			   (uint32_t)p->addr);
		packet_free(a);
		return;
	}
	send_packet(n, a, t);
}

/* Adds to the low (wrap + 1) bits. */
static void serve_atomic(struct node *n, struct packet *p, uint64_t t)
{
	uint32_t old, sum, wrap = p->op >> 2 & 31,
			   mask = wrap == 31 ? UINT32_MAX : (2u << wrap) - 1;

	memcpy(&old, n->l1 + p->addr, 4);
	sum = (old & ~mask) | ((old + p->value) & mask);
	memcpy(n->l1 + p->addr, &sum, 4);
	node_drop_code(n, (uint32_t)p->addr, 4);
	node_touch(n, (uint32_t)p->addr, 4);
	if (p->reply) {
		struct packet *a = answer_to(n, p, PACKET_OLD, 0);

		if (!a)
			return;
		a->value = old;
		send_packet(n, a, t);
	}
}

/* Something has arrived at p->t, in the slice that begins at `slice`. */
void niu_deliver(struct node *n, struct packet *p, uint64_t slice)
{
	/* Not before the slice: what leaves must leave after all that has been routed. */
	uint64_t t = p->t + (uint64_t)n->sim->soc->noc_l1_read;

	t = t > slice ? t : slice;
	switch ((enum packet_kind)p->kind) {
	case PACKET_READ:
		serve_read(n, p, t);
		break;
	case PACKET_ATOMIC:
		serve_atomic(n, p, t);
		break;
	case PACKET_WRITE: {
		const uint8_t *data = p->shared ? p->shared->data : p->data;

		if (p->inline_data)
			data = (const uint8_t *)&p->value;
		write_here(n, p->addr, data, p->len, t);
		if (p->reply) {
			struct packet *a = answer_to(n, p, PACKET_ACK, 0);

			if (a)
				send_packet(n, a, t);
		}
		break;
	}
	case PACKET_DATA:
		write_here(n, p->addr, p->data, p->len, t);
		count(n, p->noc, READ_WORDS, (p->len + 31) / 32);
		count(n, p->noc, READS_ANSWERED, 1);
		count(n, p->noc, OUTSTANDING + p->id, UINT32_MAX);
		break;
	case PACKET_ACK:
		count(n, p->noc, WRITES_ACKED, 1);
		count(n, p->noc, OUTSTANDING + p->id, UINT32_MAX);
		break;
	case PACKET_OLD:
		write_here(n, p->addr, (const uint8_t *)&p->value, 4, t);
		count(n, p->noc, ATOMICS_ANSWERED, 1);
		count(n, p->noc, OUTSTANDING + p->id, UINT32_MAX);
		break;
	case PACKET_SENT:
		count(n, p->noc, WRITES_SENT + !p->reply, 1);
		count(n, p->noc, WRITE_WORDS_SENT + !p->reply, (p->len + 31) / 32);
		count(n, p->noc, OUTGOING + p->id, UINT32_MAX);
		break;
	}
	packet_free(p);
}
