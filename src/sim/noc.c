// SPDX-License-Identifier: Apache-2.0
/*
 * The ways between tiles: two tori that go one way each.  NoC 0 goes right, then down; NoC 1 up, then left.
 *
 * A packet takes each link of its way for as long as its flits need, when the link is free: a reservation,
 * made when its head sets out, in the order of time.  A request, the work of the memory and the answer are
 * three steps of their own, each made when its time has come.  A multicast is a tree: a link that two
 * receivers share is taken once.
 *
 * Ends of links, ports and DRAM channels are free at a time in ticks, 256 a cycle, because rates are not
 * whole bytes per cycle.
 */

#include "sim/machine.h"

/* Of TTP_SIM_JITTER, in cycles: stretches are longer than a short op and shorter than a step. */
enum { JITTER_STRETCH = 1 << 16, JITTER_MOST = 400 };
enum { SLOW_BANK_PART = 8 };

uint64_t rate_ticks(uint32_t bytes, int rate)
{
	return (uint64_t)bytes * 256000 / (uint32_t)rate;
}

static uint32_t wire_bytes(const struct sim *s, const struct packet *p)
{
	bool loaded = p->kind == PACKET_WRITE || p->kind == PACKET_DATA;

	return (uint32_t)s->soc->noc_header_bytes + (loaded ? p->len : 0);
}

/* One link on; returns when the head is at its end. */
static uint64_t hop(uint64_t *link, uint64_t *stamp, uint64_t *known, uint64_t id, uint64_t head,
		    uint64_t occupied, int cycles)
{
	uint64_t start;

	if (id && *stamp == id)
		return *known;
	start = max_u64(head, *link);
	*link = start + occupied;
	head = start + (uint64_t)cycles * 256;
	if (id) {
		*stamp = id;
		*known = head;
	}
	return head;
}

/* When the head of a packet that sets out at `head` comes to `to`. */
static uint64_t travel(struct sim *s, const struct packet *p, int to, uint64_t head,
		       uint64_t occupied, uint64_t id)
{
	int w = s->soc->width, h = s->soc->height, noc = p->noc;
	int x = p->from % w, y = p->from / w, to_x = to % w, to_y = to / w;
	bool corner = x != to_x && y != to_y;

	for (int leg = 0; leg < 2; leg++) {
		if (corner && leg)
			head += (uint64_t)s->soc->noc_corner * 256;
		if ((leg == 0) == (noc == 0))
			while (x != to_x) {
				struct place *at = &s->place[y * w + x];

				head = hop(&at->link_x[noc], &at->stamp_x[noc], &at->head_x[noc],
					   id, head, occupied, s->soc->noc_hop_x);
				x = noc == 0 ? (x + 1) % w : (x + w - 1) % w;
			}
		else
			while (y != to_y) {
				struct place *at = &s->place[y * w + x];

				head = hop(&at->link_y[noc], &at->stamp_y[noc], &at->head_y[noc],
					   id, head, occupied, s->soc->noc_hop_y);
				y = noc == 0 ? (y + 1) % h : (y + h - 1) % h;
			}
	}
	return head + (uint64_t)s->soc->noc_leg * 256;
}

static void out_of_memory(struct sim *s, const struct packet *p)
{
	struct node *n = s->place[p->from].node ? s->place[p->from].node : &s->node[0];

	node_fault(n, -1, 0, p->t, "out of memory for packets");
}

static void put(struct sim *s, struct packet_heap *h, struct packet *p)
{
	if (packet_heap_push(h, p))
		return;
	out_of_memory(s, p);
	packet_free(p);
}

/* Sends `p` from p->from to one tile, and puts it where its next step happens. */
static void send_to(struct sim *s, struct packet *p, int to, uint64_t id)
{
	struct place *at = &s->place[to];
	uint32_t bytes = wire_bytes(s, p);
	bool dram = at->kind == TILE_DRAM;
	uint64_t on_link = rate_ticks(bytes, s->soc->link_rate);
	uint64_t in = rate_ticks(bytes, dram ? s->soc->dram_in_rate : s->soc->worker_in_rate);
	uint64_t head = travel(s, p, to, p->t * 256, on_link, id), tail;

	head = max_u64(head, at->in_free[p->noc]);
	at->in_free[p->noc] = head + in;
	p->occupied = max_u64(p->occupied, in);
	tail = head + p->occupied;
	p->to = (int16_t)to;
	p->t = (tail + 255) / 256;
	if (dram) {
		p->leg = 1;
		put(s, &s->under_way, p);
		return;
	}
	if (p->kind == PACKET_WRITE)
		p->t += (uint64_t)s->soc->noc_l1_write;
	*at->node->next = min_u64(*at->node->next, slice_after(p->t));
	put(s, &at->node->inbox, p);
}

/* A copy for each receiver; the data stays with `p`. */
static void send_to_many(struct sim *s, struct packet *p)
{
	int w = s->soc->width, h = s->soc->height, step = p->noc == 0 ? 1 : -1;
	int x0 = p->first % w, y0 = p->first / w, x1 = p->last % w, y1 = p->last / w;
	uint64_t id = ++s->stamp;

	for (int y = y0;; y = (y + step + h) % h) {
		for (int x = x0;; x = (x + step + w) % w) {
			int to = y * w + x;

			if (s->place[to].kind == TILE_WORKER && (to != p->from || p->self)) {
				struct packet *copy = packet_new(0);

				if (!copy) {
					out_of_memory(s, p);
					packet_free(p);
					return;
				}
				*copy = *p;
				copy->room = 0;
				copy->refs = 1;
				copy->many = false;
				copy->shared = p;
				__atomic_add_fetch(&p->refs, 1, __ATOMIC_RELAXED);
				send_to(s, copy, to, id);
			}
			if (x == x1)
				break;
		}
		if (y == y1)
			break;
	}
	packet_free(p);
}

/* splitmix64, by Steele, Lea and Flood */
static uint64_t scramble(uint64_t z)
{
	z += 0x9E3779B97F4A7C15ull;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return z ^ z >> 31;
}

/*
 * Cycles that a DRAM channel answers later, where jitter is asked for: anything up to a bound that is another one for each channel and each
 * JITTER_STRETCH of cycles, mostly small and seldom large, as refresh, open rows and what others do come in bursts.  A function of when and what, so that it
 * depends on neither threads nor the window.
 */
static uint64_t dram_jitter(const struct sim *s, const struct packet *p, uint64_t channel)
{
	uint64_t stretch = p->t / JITTER_STRETCH, draw, bound;

	if (!s->config.jitter)
		return 0;
	draw = scramble(s->config.jitter ^ scramble(stretch << 16 ^ channel << 8)) >>
	       48; /* 16 bits */
	bound = (JITTER_MOST * (draw * draw >> 16) >> 16) + 1;
	return scramble(s->config.jitter ^ p->t ^ p->order << 20 ^ p->addr << 1) % bound;
}

/* Channels count as banks do: those behind one group of tiles, then the next group's. */
static bool is_slow_bank(const struct sim *s, int group, uint64_t addr)
{
	uint64_t bank = (uint64_t)group * s->soc->dram_channels_per_group +
			addr / s->soc->dram_channel_bytes;

	return s->config.slow_bank && bank + 1 == (uint64_t)s->config.slow_bank;
}

/* A request has come to a DRAM tile. */
static void serve_dram(struct sim *s, struct packet *p)
{
	struct place *at = &s->place[p->to];
	struct dram *d = &s->dram[at->dram];
	uint64_t *channel = &d->channel_free[p->addr / s->soc->dram_channel_bytes];
	uint64_t tail = p->t * 256, start, busy = rate_ticks(p->len, s->soc->dram_rate), ready, out;
	struct packet *answer;
	int from = p->to;

	if (is_slow_bank(s, at->dram, p->addr))
		busy *= SLOW_BANK_PART;
	if (p->kind == PACKET_WRITE) {
		const uint8_t *data = p->inline_data ? (const uint8_t *)&p->value : p->data;

		/* It is written while it comes in. */
		start = max_u64(tail - (p->occupied < tail ? p->occupied : tail), *channel);
		*channel = start + busy;
		ready = max_u64(tail, *channel);
		dram_write(d, p->addr, data, p->len);
		if (!p->reply) {
			packet_free(p);
			return;
		}
		answer = p;
		answer->kind = PACKET_ACK;
		busy = 0;
	} else {
		start = max_u64(tail, *channel);
		*channel = start + busy;
		ready = start + ((uint64_t)s->soc->dram_latency +
				 dram_jitter(s, p,
					     (uint64_t)at->dram * 4 +
						     p->addr / s->soc->dram_channel_bytes)) *
					256;
		answer = packet_new(p->len);
		if (!answer) {
			out_of_memory(s, p);
			packet_free(p);
			return;
		}
		dram_read(d, p->addr, answer->data, p->len);
		answer->kind = PACKET_DATA;
		answer->order = p->order;
		answer->noc = p->noc;
		answer->id = p->id;
		answer->addr = p->answer;
		answer->len = p->len;
		answer->to = p->from;
		packet_free(p);
	}
	if (answer->kind == PACKET_ACK)
		answer->to = answer->from;
	answer->from = (int16_t)from;
	out = rate_ticks(wire_bytes(s, answer), s->soc->dram_out_rate);
	start = max_u64(ready, at->out_free[answer->noc]);
	at->out_free[answer->noc] = start + out;
	answer->occupied = max_u64(out, busy);
	answer->t = (start + 255) / 256;
	answer->leg = 0;
	put(s, &s->under_way, answer);
}

/* Phase B: takes in what tiles have sent, and does all that happens before `until`. */
void noc_route(struct sim *s, struct node **senders, int count, uint64_t until)
{
	for (int i = 0; i < count; i++) {
		struct node *n = senders[i];

		while (n->outbox) {
			struct packet *p = n->outbox;

			n->outbox = p->next;
			put(s, &s->under_way, p);
		}
		n->outbox_end = &n->outbox;
	}
	while (packet_heap_time(&s->under_way) < until) {
		struct packet *p = packet_heap_pop(&s->under_way);

		if (p->leg == 1)
			serve_dram(s, p);
		else if (p->many)
			send_to_many(s, p);
		else
			send_to(s, p, p->to, 0);
	}
}
