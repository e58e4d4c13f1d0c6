// SPDX-License-Identifier: Apache-2.0
/*
 * From the registers of an initiator to a packet, or to a fault that says what is wrong with them: what a card
 * would do with a bad request is nowhere written.
 */
#include <string.h>

#include "sim/machine.h"

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

/* Of 64 bits in the registers: an address, and the tile that has it, as the program gave it. */
struct far_end {
	uint64_t addr;
	uint8_t x, y;
	int place; /* -1 if nothing is there */
};

struct request {
	struct far_end target, ret;
	int first_place; /* of a multicast */
};

/* -1 if nothing is there. */
static int place_of(const struct sim *s, int noc, uint32_t x, uint32_t y)
{
	uint8_t px = s->to_x[noc][x & 63], py = s->to_y[noc][y & 63];

	if (px == 255 || py == 255)
		return -1;
	return py * s->soc->width + px;
}

/* NULL, for who makes a packet. */
static struct packet *bad(struct hart *h, const char *what, const struct initiator *q,
			  uint32_t bits)
{
	hart_fault(h, "NoC request (CTRL 0x%x, LEN 0x%x): %s: 0x%x", q->ctrl, q->len, what, bits);
	return NULL;
}

/* The tile itself, for the local end of a request. */
static bool is_local(struct hart *h, const struct initiator *q, struct far_end at, uint32_t len)
{
	struct node *n = h->node;

	if (at.place != n->place)
		return hart_fault(
			h,
			"NoC request (CTRL 0x%x): the local address 0x%llx names another tile, "
			"(%u,%u)",
			q->ctrl, (unsigned long long)at.addr, at.x, at.y);
	if (at.addr >= n->l1_bytes || len > n->l1_bytes - at.addr)
		return hart_fault(h, "NoC request of %u bytes at local address 0x%llx: not in L1",
				  len, (unsigned long long)at.addr);
	return true;
}

/* Whether `len` bytes at the far end can be read or written. */
static bool is_remote(struct hart *h, const struct initiator *q, struct far_end to, uint32_t len)
{
	struct sim *s = h->node->sim;
	const struct place *at = to.place < 0 ? NULL : &s->place[to.place];
	uint64_t addr = to.addr;

	if (!at || (at->kind != TILE_WORKER && at->kind != TILE_DRAM))
		return hart_fault(
			h,
			"NoC request (CTRL 0x%x) of %u bytes at 0x%llx of (%u,%u): no worker or "
			"DRAM is there",
			q->ctrl, len, (unsigned long long)addr, to.x, to.y);
	if (at->kind == TILE_DRAM) {
		uint64_t channel = s->soc->dram_channel_bytes, bytes = s->dram[at->dram].bytes;

		if (addr >= bytes || len > bytes - addr ||
		    addr / channel != (addr + len - 1) / channel)
			return hart_fault(
				h,
				"NoC request of %u bytes at 0x%llx of DRAM tile (%u,%u): ends "
				"behind a channel",
				len, (unsigned long long)addr, to.x, to.y);
		return true;
	}
	if (addr < s->soc->l1_bytes && len <= s->soc->l1_bytes - addr)
		return true;
	if (addr >= LOCAL_BASE && addr <= UINT32_MAX && len == 4 && !(addr & 3))
		return true;
	return hart_fault(h,
			  "NoC request of %u bytes at 0x%llx of tile (%u,%u): no memory is there",
			  len, (unsigned long long)addr, to.x, to.y);
}

static bool aligned_alike(struct hart *h, const struct initiator *q, uint64_t a, uint64_t b,
			  uint32_t to)
{
	if (((a ^ b) & (to - 1)) == 0)
		return true;
	return hart_fault(h, "NoC request (CTRL 0x%x): 0x%llx and 0x%llx differ modulo %u", q->ctrl,
			  (unsigned long long)a, (unsigned long long)b, to);
}

static bool is_length(struct hart *h, const struct initiator *q)
{
	return (q->len >= 1 && q->len <= h->node->sim->soc->noc_packet_max) ||
	       bad(h, "the length is 0 or longer than a packet", q, q->len);
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

	if (!is_length(h, q) || !is_local(h, q, r->ret, q->len) ||
	    !is_remote(h, q, r->target, q->len))
		return NULL;
	if (!(q->ctrl & CTRL_REPLY))
		return bad(h, "a read must ask for a response", q, q->ctrl);
	if (r->target.addr < LOCAL_BASE || s->place[r->target.place].kind == TILE_DRAM) {
		uint32_t to = s->place[r->target.place].kind == TILE_DRAM
				      ? (uint32_t)s->soc->noc_flit_bytes
				      : 16;

		if (!aligned_alike(h, q, r->target.addr, r->ret.addr, to))
			return NULL;
	}
	p = new_request(h, q, PACKET_READ, noc, 0);
	if (!p)
		return NULL;
	p->to = (int16_t)r->target.place;
	p->addr = r->target.addr;
	p->answer = r->ret.addr;
	return p;
}

static struct packet *make_atomic(struct hart *h, const struct initiator *q,
				  const struct request *r, int noc)
{
	uint32_t word = q->len & 3, instruction = q->len >> 12 & 15;
	uint64_t addr = (r->target.addr & ~15ull) + word * 4ull;
	struct far_end back = r->ret, word_at = r->target;
	struct packet *p;

	if (instruction != 1)
		return bad(h, "of the atomics only increment is modelled", q, q->len);
	if ((r->target.addr & 15) && (r->target.addr & 15) != word * 4ull)
		return bad(h, "address and word index disagree", q, (uint32_t)r->target.addr);
	back.addr &= ~3ull;
	word_at.addr = addr;
	if (!is_local(h, q, back, 4) || !is_remote(h, q, word_at, 4))
		return NULL;
	if (h->node->sim->place[r->target.place].kind != TILE_WORKER || addr >= LOCAL_BASE)
		return bad(h, "atomics work in the L1 of workers", q, (uint32_t)addr);
	p = new_request(h, q, PACKET_ATOMIC, noc, 0);
	if (!p)
		return NULL;
	p->to = (int16_t)r->target.place;
	p->addr = addr;
	p->answer = back.addr;
	p->len = 4;
	p->op = q->len;
	p->value = q->data;
	return p;
}

static struct packet *make_inline(struct hart *h, const struct initiator *q,
				  const struct request *r, int noc)
{
	struct packet *p;

	if (q->ctrl & CTRL_MANY)
		return bad(h, "multicast of inline data is not modelled", q, q->ctrl);
	if (!is_remote(h, q, r->target, 4))
		return NULL;
	/* Byte enables count for memory only. */
	if (r->target.addr < LOCAL_BASE &&
	    ((r->target.addr & 3) || q->len >> (r->target.addr & 31) != 15)) {
		if ((r->target.addr & 3) || q->len >> (r->target.addr & 15) != 15)
			return bad(h, "inline data must be one aligned word", q,
				   (uint32_t)r->target.addr);
	}
	p = new_request(h, q, PACKET_WRITE, noc, 0);
	if (!p)
		return NULL;
	p->to = (int16_t)r->target.place;
	p->addr = r->target.addr;
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

	if (!is_length(h, q) || !is_local(h, q, r->target, q->len))
		return NULL;
	if (many) {
		if (r->ret.place < 0 || r->first_place < 0 ||
		    !any_worker(n->sim, r->first_place, r->ret.place, noc, n->place, self))
			return bad(h, "no worker is in the rectangle of the multicast", q, q->ctrl);
		if (r->ret.addr >= n->l1_bytes || q->len > n->l1_bytes - r->ret.addr) {
			if (r->ret.addr < LOCAL_BASE || r->ret.addr > UINT32_MAX || q->len != 4 ||
			    r->ret.addr & 3)
				return bad(h, "the destination of the multicast is not in L1", q,
					   (uint32_t)r->ret.addr);
		}
	} else if (!is_remote(h, q, r->ret, q->len)) {
		return NULL;
	}
	if (!aligned_alike(h, q, r->target.addr, r->ret.addr, 16))
		return NULL;
	p = new_request(h, q, PACKET_WRITE, noc, q->len);
	if (!p)
		return NULL;
	p->to = (int16_t)r->ret.place;
	p->addr = r->ret.addr;
	p->many = many;
	p->self = self;
	p->first = (int16_t)(many ? r->first_place : 0);
	p->last = (int16_t)(many ? r->ret.place : 0);
	memcpy(p->data, n->l1 + r->target.addr, q->len);
	return p;
}

static struct far_end far_end(const struct sim *s, int noc, uint32_t mid, uint32_t lo)
{
	uint64_t both = (uint64_t)mid << 32 | lo;
	struct far_end f = { .addr = both & ((1ull << ADDRESS_BITS) - 1),
			     .x = both >> ADDRESS_BITS & 63,
			     .y = both >> (ADDRESS_BITS + 6) & 63 };

	f.place = place_of(s, noc, f.x, f.y);
	return f;
}

struct packet *request_make(struct hart *h, const struct initiator *q, int noc)
{
	struct sim *s = h->node->sim;
	struct request r = {
		.target = far_end(s, noc, q->targ_mid, q->targ_lo),
		.ret = far_end(s, noc, q->ret_mid, q->ret_lo),
		.first_place = place_of(s, noc, q->ret_mid >> 16, q->ret_mid >> 22),
	};

	if (q->busy_until > h->t) {
		bad(h, "the last request of this initiator is still pending; poll CMD_CTRL", q, 0);
		return NULL;
	}
	if (q->ctrl & ~CTRL_KNOWN || q->ctrl & CTRL_BYTE_ENABLE)
		return bad(h, "CTRL has bits that are not modelled", q, q->ctrl & ~CTRL_KNOWN);
	if (q->ctrl & CTRL_MANY && (q->ctrl & CTRL_ATOMIC || !(q->ctrl & CTRL_WRITE)))
		return bad(h, "only writes can be multicast", q, q->ctrl);
	if (q->ctrl & CTRL_ATOMIC)
		return make_atomic(h, q, &r, noc);
	if (!(q->ctrl & CTRL_WRITE))
		return make_read(h, q, &r, noc);
	if (q->ctrl & CTRL_INLINE)
		return make_inline(h, q, &r, noc);
	return make_write(h, q, &r, noc);
}
