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

static void count(struct node *n, int noc, uint32_t counter, uint32_t change)
{
	n->niu[noc].counter[counter] += change;
	node_touch(n, NIU_BASE + NIU_STRIDE * (uint32_t)noc + NIU_COUNTER + counter * 4, 4);
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

/* CMD_CTRL was written. */
static void issue(struct hart *h, int noc, struct initiator *q)
{
	struct node *n = h->node;
	struct packet *p = request_make(h, q, noc), *sent = NULL;
	bool to_itself;

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

/* A register of an initiator that keeps what is written; NULL: it is none. */
static uint32_t *kept(struct initiator *q, uint32_t offset)
{
	uint32_t word = offset / 4;

	return word < 10 && word != 2 && word != 5 ? &q->word[word] : NULL;
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
		const uint32_t *at = kept(q, offset & 0x3FF);

		if (at) {
			*value = *at;
			return ACCESS_OK;
		}
		if ((offset & 0x3FF) == 0x28) {
			*value = q->busy_until > t;
			if (*value && h)
				h->dirty = true; /* will change by itself */
			return ACCESS_OK;
		}
	}
	return ACCESS_FAULT;
}

enum access niu_store(struct hart *h, struct node *n, int noc, uint32_t offset, uint32_t value)
{
	struct niu *u = &n->niu[noc];

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
		uint32_t *at = kept(q, offset & 0x3FF);

		if (at) {
			*at = value;
			return ACCESS_OK;
		}
		if ((offset & 0x3FF) == 0x28 && h) { /* by host or NoC: not modelled */
			if (value & 1)
				issue(h, noc, q);
			return h->state == HART_FAULT ? ACCESS_BLOCKED : ACCESS_OK;
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
