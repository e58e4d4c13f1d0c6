// SPDX-License-Identifier: Apache-2.0
/* The embedded chip as a port: making one, and what the host does to it. */
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/machine.h"
#include "sim/tensix.h"

static struct place *place_at(struct sim *s, struct tile t)
{
	if (t.x >= s->soc->width || t.y >= s->soc->height)
		return NULL;
	return &s->place[t.y * s->soc->width + t.x];
}

/* NULL and an error unless `len` bytes at `addr` of the tile are memory. */
static enum ttp_rc find(struct sim *s, struct tile t, uint64_t addr, size_t len, struct place **out,
			struct ttp_err *e)
{
	struct place *at = place_at(s, t);
	uint64_t bytes = 0;

	if (at && at->kind == TILE_WORKER)
		bytes = s->soc->l1_bytes;
	else if (at && at->kind == TILE_DRAM)
		bytes = s->dram[at->dram].bytes;
	else
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: neither worker nor DRAM", t.x, t.y);
	if (addr > bytes || len > bytes - addr)
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: %zu bytes at 0x%llx: it has 0x%llx", t.x,
				t.y, len, (unsigned long long)addr, (unsigned long long)bytes);
	*out = at;
	return TTP_OK;
}

static bool is_register(struct sim *s, struct tile t, uint64_t addr)
{
	struct place *at = place_at(s, t);

	return at && at->kind == TILE_WORKER && addr >= LOCAL_BASE && addr <= UINT32_MAX;
}

static enum ttp_rc host_read32(struct port *p, struct tile t, uint64_t addr, uint32_t *value,
			       struct ttp_err *e);
static enum ttp_rc host_write32(struct port *p, struct tile t, uint64_t addr, uint32_t value,
				struct ttp_err *e);

static enum ttp_rc host_read(struct port *p, struct tile t, uint64_t addr, void *to, size_t len,
			     struct ttp_err *e)
{
	struct sim *s = sim_of(p);
	struct place *at = NULL;
	enum ttp_rc rc;

	if (len == 4 && is_register(s, t, addr)) {
		uint32_t v;

		rc = host_read32(p, t, addr, &v, e);
		if (rc == TTP_OK)
			memcpy(to, &v, 4);
		return rc;
	}
	rc = find(s, t, addr, len, &at, e);
	if (rc || !at)
		return rc;
	if (at->kind == TILE_DRAM)
		dram_read(&s->dram[at->dram], addr, to, len);
	else if (len)
		memcpy(to, at->node->l1 + addr, len);
	return TTP_OK;
}

static enum ttp_rc host_write(struct port *p, struct tile t, uint64_t addr, const void *from,
			      size_t len, struct ttp_err *e)
{
	struct sim *s = sim_of(p);
	struct place *at = NULL;
	enum ttp_rc rc;

	if (len == 4 && is_register(s, t, addr)) {
		uint32_t v;

		memcpy(&v, from, 4);
		return host_write32(p, t, addr, v, e);
	}
	rc = find(s, t, addr, len, &at, e);
	if (rc || !at || !len)
		return rc;
	if (at->kind == TILE_DRAM) {
		dram_write(&s->dram[at->dram], addr, from, len);
		return TTP_OK;
	}
	memcpy(at->node->l1 + addr, from, len);
	node_drop_code(at->node, (uint32_t)addr, (uint32_t)len);
	node_touch(at->node, (uint32_t)addr, (uint32_t)len);
	if (at->node->kick)
		node_kick(at->node);
	return TTP_OK;
}

bool sim_word(struct sim *s, struct tile t, uint64_t addr, uint32_t *value)
{
	struct place *at = place_at(s, t);

	if (!at || addr & 3)
		return false;
	if (is_register(s, t, addr))
		return node_register_read(at->node, (uint32_t)addr, s->now, value);
	return host_read(&s->port, t, addr, value, 4, NULL) == TTP_OK;
}

static enum ttp_rc host_read32(struct port *p, struct tile t, uint64_t addr, uint32_t *value,
			       struct ttp_err *e)
{
	struct sim *s = sim_of(p);

	if (addr & 3)
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: 0x%llx is not a multiple of 4", t.x, t.y,
				(unsigned long long)addr);
	if (!is_register(s, t, addr))
		return host_read(p, t, addr, value, 4, e);
	if (!node_register_read(place_at(s, t)->node, (uint32_t)addr, s->now, value))
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: register 0x%08llx: nothing is there",
				t.x, t.y, (unsigned long long)addr);
	return TTP_OK;
}

static enum ttp_rc host_write32(struct port *p, struct tile t, uint64_t addr, uint32_t value,
				struct ttp_err *e)
{
	struct sim *s = sim_of(p);
	struct place *at;

	if (addr & 3)
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: 0x%llx is not a multiple of 4", t.x, t.y,
				(unsigned long long)addr);
	at = place_at(s, t);
	if (!at || !at->node || !is_register(s, t, addr))
		return host_write(p, t, addr, &value, 4, e);
	at->node->slice = s->now;
	if (node_register_write(at->node, (uint32_t)addr, s->now, value))
		node_kick(at->node);
	else
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: register 0x%08llx: cannot be written",
				t.x, t.y, (unsigned long long)addr);
	return TTP_OK;
}

static enum ttp_rc host_write_many(struct port *p, struct tile_rect r, uint64_t addr,
				   const void *from, size_t len, struct ttp_err *e)
{
	struct sim *s = sim_of(p);
	enum ttp_rc rc = TTP_OK;

	for (int y = r.first.y; y <= r.last.y && !rc; y++)
		for (int x = r.first.x; x <= r.last.x && !rc; x++) {
			struct tile t = { (uint8_t)x, (uint8_t)y };
			struct place *at = place_at(s, t);

			if (at && at->kind == TILE_WORKER)
				rc = host_write(p, t, addr, from, len, e);
		}
	return rc;
}

/* Not where polling is interpreted: a second of the host's would be hours. */
static bool host_idle(struct port *p, uint64_t cycles)
{
	struct sim *s = sim_of(p);

	if (s->config.no_idling || s->config.no_parking)
		return false;
	sim_pass(s, cycles);
	return true;
}

static uint64_t host_now(struct port *p)
{
	return sim_of(p)->now;
}

static const struct fault *host_fault(struct port *p)
{
	return sim_of(p)->has_fault ? &sim_of(p)->fault : NULL;
}

/* What a core that does not run waits for. */
static void describe_wait(struct node *n, const struct hart *h, struct core_state *at)
{
	static const char *const reasons[] = {
		[BLOCK_MAILBOX_EMPTY] = "waits for a word in its mailbox",
		[BLOCK_MAILBOX_FULL] = "waits for room in a mailbox",
		[BLOCK_TENSIX_FULL] = "waits for the queue of the compute engine",
		[BLOCK_TENSIX_BUSY] = "waits for the compute engine",
	};
	uint32_t value;

	if (h->state == HART_RESET)
		snprintf(at->what, sizeof(at->what), "is held in reset");
	else if (h->state == HART_BLOCKED)
		snprintf(at->what, sizeof(at->what), "%s", reasons[h->block]);
	else if (h->state == HART_PARKED && h->watches &&
		 sim_word(n->sim, n->tile, h->watch[0], &value))
		snprintf(at->what, sizeof(at->what), "polls 0x%x, which is 0x%x", h->watch[0],
			 value);
}

static bool host_core(struct port *p, struct tile t, int risc, struct core_state *out)
{
	struct place *at = place_at(sim_of(p), t);
	const struct hart *h;

	if (!at || at->kind != TILE_WORKER || risc < 0 || risc >= RISCS)
		return false;
	h = &at->node->hart[risc];
	*out = (struct core_state){ .pc = h->pc, .ra = h->x[1] };
	describe_wait(at->node, h, out);
	return true;
}

/* Cores that sleep in their loops go on with the round that they would be in then. */
static void host_pass(struct port *p, uint64_t cycles)
{
	struct sim *s = sim_of(p);

	if (!s->has_fault && sim_idle(s))
		s->now = slice_after(s->now + cycles);
}

static void heap_release(struct packet_heap *h)
{
	while (h->len)
		packet_free(h->at[--h->len].p);
	free(h->at);
}

static void host_close(struct port *p)
{
	struct sim *s = sim_of(p);

	crew_free(s->crew);
	for (int i = 0; s->node && i < s->nodes; i++) {
		struct node *n = &s->node[i];

		while (n->outbox) {
			struct packet *q = n->outbox;

			n->outbox = q->next;
			packet_free(q);
		}
		heap_release(&n->inbox);
		tensix_free(n->tensix);
		RELEASE(mem, &n->page, &n->iram_page, &n->iram);
		for (int r = 0; r < RISCS; r++)
			free(n->hart[r].local);
	}
	heap_release(&s->under_way);
	for (int i = 0; s->dram && i < s->soc->dram_groups; i++)
		dram_release(&s->dram[i]);
	if (s->l1)
		munmap(s->l1, s->l1_total);
	code_store_free(s->code);
	RELEASE(mem, &s->dram, &s->node, &s->active, &s->next, &s->place, &s);
}

static const struct port_ops ops = {
	.read = host_read,
	.write = host_write,
	.read32 = host_read32,
	.write32 = host_write32,
	.write_many = host_write_many,
	.wait = sim_wait,
	.idle = host_idle,
	.now = host_now,
	.fault = host_fault,
	.core = host_core,
	.pass = host_pass,
	.close = host_close,
	.trip = own_trip,
};

/* Which tile a program means: translated coordinates, the same on both NoCs, and those of each NoC. */
static void coordinates(struct sim *s)
{
	const struct soc *c = s->soc;
	int at = 0, rows[SOC_GRID_MAX], count = 0;

	memset(s->to_x, 255, sizeof(s->to_x));
	memset(s->to_y, 255, sizeof(s->to_y));
	for (int x = 0; x < c->width; x++) {
		s->logical_x[x] = (uint8_t)x;
		for (int y = 0; y < c->height; y++)
			if (soc_tile(c, x, y) == 'w') {
				s->logical_x[x] = (uint8_t)(c->virtual_x + at++);
				break;
			}
	}
	/* Rows that can be used come first. */
	for (int pass = 0; pass < 2; pass++)
		for (int y = 0; y < c->height; y++) {
			bool workers = strchr(c->row[y], 'w') != NULL;

			s->logical_y[y] = workers ? s->logical_y[y] : (uint8_t)y;
			if (workers && (s->config.harvest >> y & 1) == (uint32_t)pass)
				rows[count++] = y;
		}
	for (int i = 0; i < count; i++)
		s->logical_y[rows[i]] = (uint8_t)(c->virtual_y + i);
	for (int i = 0; i < 2; i++) {
		s->logical_x[c->edge_x[i]] = (uint8_t)c->virtual_dram_x[i];
		s->logical_y[c->edge_y[i]] = (uint8_t)c->virtual_edge_y[i];
	}
	for (int noc = 0; noc < NOCS; noc++) {
		for (int x = 0; x < c->width; x++) {
			s->to_x[noc][noc ? c->width - 1 - x : x] = (uint8_t)x;
			if (s->logical_x[x] >= 16)
				s->to_x[noc][s->logical_x[x]] = (uint8_t)x;
		}
		for (int y = 0; y < c->height; y++) {
			s->to_y[noc][noc ? c->height - 1 - y : y] = (uint8_t)y;
			if (s->logical_y[y] >= 16)
				s->to_y[noc][s->logical_y[y]] = (uint8_t)y;
		}
	}
}

static enum tile_kind kind_of(const struct sim *s, int x, int y)
{
	char c = soc_tile(s->soc, x, y);

	if (c >= '0' && c <= '9')
		return TILE_DRAM;
	switch (c) {
	case 'w':
		return s->config.harvest >> y & 1 ? TILE_HARVESTED : TILE_WORKER;
	case 'e':
		return TILE_ETH;
	case 'p':
		return TILE_PCIE;
	case 'a':
		return TILE_ARC;
	default:
		return TILE_NONE;
	}
}

static bool make_node(struct sim *s, struct node *n, struct tile t, uint8_t *l1)
{
	const struct soc *c = s->soc;

	n->sim = s;
	n->tile = t;
	n->place = t.y * c->width + t.x;
	n->l1 = l1;
	n->l1_bytes = c->l1_bytes;
	n->soft_reset = c->soft_reset;
	n->clock_offset = s->config.clock_start;
	if (s->config.clock_offset)
		n->clock_offset += (uint64_t)s->config.clock_offset[t.y][t.x];
	n->outbox_end = &n->outbox;
	n->next = &s->next[n - s->node];
	*n->next = NEVER;
	n->page = calloc(c->l1_bytes / PAGE_BYTES, sizeof(void *));
	n->iram_page = calloc(c->iram_bytes / PAGE_BYTES, sizeof(void *));
	n->iram = calloc(1, c->iram_bytes);
	if (!n->page || !n->iram_page || !n->iram)
		return false;
	for (int r = 0; r < RISCS; r++) {
		struct hart *h = &n->hart[r];

		h->id = (uint8_t)r;
		h->node = n;
		h->local_bytes = c->local_bytes[r];
		h->local = calloc(1, h->local_bytes);
		if (!h->local)
			return false;
	}
	return true;
}

static bool make_tiles(struct sim *s)
{
	const struct soc *c = s->soc;
	int at = 0;

	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++)
			s->nodes += kind_of(s, x, y) == TILE_WORKER;
	s->place = calloc((size_t)c->width * (size_t)c->height, sizeof(*s->place));
	s->node = calloc((size_t)(s->nodes ? s->nodes : 1), sizeof(*s->node));
	s->active = calloc((size_t)(s->nodes ? s->nodes : 1), sizeof(void *));
	s->next = calloc((size_t)(s->nodes ? s->nodes : 1), sizeof(*s->next));
	s->dram = calloc((size_t)c->dram_groups, sizeof(*s->dram));
	s->code = code_store_new();
	s->l1_total = (size_t)c->l1_bytes * (size_t)(s->nodes ? s->nodes : 1);
	s->l1 = mmap(NULL, s->l1_total, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->l1 == MAP_FAILED)
		s->l1 = NULL;
	if (!s->place || !s->node || !s->active || !s->next || !s->dram || !s->code || !s->l1)
		return false;
	madvise(s->l1, s->l1_total, MADV_NOHUGEPAGE);
	for (int i = 0; i < c->dram_groups; i++)
		if (!dram_init(&s->dram[i],
			       c->dram_channel_bytes * (uint64_t)c->dram_channels_per_group))
			return false;
	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			struct place *p = &s->place[y * c->width + x];
			struct tile t = { (uint8_t)x, (uint8_t)y };

			p->kind = (uint8_t)kind_of(s, x, y);
			s->port.info.kind[y][x] = p->kind;
			if (p->kind == TILE_DRAM)
				p->dram = (int8_t)(soc_tile(c, x, y) - '0');
			if (p->kind != TILE_WORKER)
				continue;
			p->node = &s->node[at];
			if (!make_node(s, p->node, t, s->l1 + (size_t)at * c->l1_bytes))
				return false;
			at++;
		}
	return true;
}

enum ttp_rc sim_open(const struct sim_config *config, struct port **out, struct ttp_err *e)
{
	struct sim *s = calloc(1, sizeof(*s));
	enum ttp_rc rc;

	if (!s)
		return ttp_fail(e, TTP_LIMIT, "embedded chip: no memory");
	rc = tensix_math_load(e);
	if (rc) {
		free(s);
		return ttp_wrap(e, rc, "embedded chip");
	}
	s->soc = &soc_wormhole;
	s->config = *config;
	if (!config->harvest_given)
		s->config.harvest = config->one_row_more ? s->soc->harvest_default &
								   (s->soc->harvest_default - 1)
							 : s->soc->harvest_default;
	s->window = config->window ? (uint32_t)config->window : WINDOW_MAX;
	if (s->window % SLICE || s->window > WINDOW_MAX) {
		rc = ttp_fail(e, TTP_USAGE, "embedded chip: a window of %u cycles: %u or %u",
			      s->window, SLICE, WINDOW_MAX);
		free(s);
		return rc;
	}
	s->port.ops = &ops;
	s->port.info = (struct port_info){
		.arch = s->soc->arch,
		.driver = "sim",
		.width = s->soc->width,
		.height = s->soc->height,
		.dram_channels = s->soc->dram_groups * s->soc->dram_channels_per_group,
		.dram_bytes = s->soc->dram_channel_bytes,
		.l1_bytes = s->soc->l1_bytes,
		.dram_align = s->soc->dram_align,
		.l1_align = s->soc->l1_align,
		.clock_mhz = s->soc->clock_mhz,
		.time_kind = TIME_MODELLED,
	};
	own_clock(s);
	coordinates(s);
	if (!make_tiles(s)) {
		host_close(&s->port);
		return ttp_fail(
			e, TTP_LIMIT,
			"embedded chip: no memory (12 GiB of address space are set aside, not used; is there a limit, ulimit -v?)");
	}
	if (!s->nodes) {
		rc = ttp_fail(e, TTP_USAGE,
			      "embedded chip: no worker is left when the rows 0x%x are harvested "
			      "(TTP_SIM_HARVEST)",
			      s->config.harvest);
		host_close(&s->port);
		return rc;
	}
	rc = config->threads > 1 ? crew_new(&s->crew, e) : TTP_OK;
	if (rc) {
		host_close(&s->port);
		return rc;
	}
	*out = &s->port;
	return TTP_OK;
}

static uint64_t mix(uint64_t h, const uint8_t *at, size_t len)
{
	uint64_t word;

	for (size_t i = 0; i + 8 <= len; i += 8) {
		memcpy(&word, at + i, 8);
		h = (h ^ word) * 0x9FB21C651E98DF25u;
		h ^= h >> 29;
	}
	return h;
}

uint64_t sim_hash(struct port *p)
{
	struct sim *s = sim_of(p);
	uint64_t h = 0x9E3779B97F4A7C15u;

	for (int i = 0; i < s->nodes; i++) {
		h = mix(h, s->node[i].l1, s->node[i].l1_bytes);
		for (int r = 0; r < RISCS; r++)
			h = mix(h, s->node[i].hart[r].local, s->node[i].hart[r].local_bytes);
	}
	for (int i = 0; i < s->soc->dram_groups; i++)
		for (uint64_t at = 0; at < s->dram[i].bytes / DRAM_GRAIN; at++) {
			const uint8_t *grain = s->dram[i].memory + at * DRAM_GRAIN;

			/* Zeros that were written are the same as those that were not. */
			if (!(s->dram[i].touched[at / 64] >> (at % 64) & 1) ||
			    (!grain[0] && !memcmp(grain, grain + 1, DRAM_GRAIN - 1)))
				continue;
			h = (h ^ ((uint64_t)i << 32 | at)) * 0x9FB21C651E98DF25u;
			h = mix(h, grain, DRAM_GRAIN);
		}
	return h;
}

void sim_stats(struct port *p, struct sim_stats *out)
{
	struct sim *s = sim_of(p);

	*out = (struct sim_stats){ 0 };
	for (int i = 0; i < s->nodes; i++) {
		out->packets += s->node[i].packets;
		for (int r = 0; r < RISCS; r++) {
			const struct hart *h = &s->node[i].hart[r];
			uint64_t skipped, all = hart_instructions(h, s->now, &skipped);

			out->instructions += all;
			out->interpreted += all - skipped;
			out->parked += h->parked;
		}
	}
}

enum ttp_rc sim_core(struct port *p, struct tile t, enum risc r, uint32_t regs[32], uint32_t *pc,
		     struct ttp_err *e)
{
	struct place *at = place_at(sim_of(p), t);

	if (!at || at->kind != TILE_WORKER || (int)r < 0 || r >= RISCS)
		return ttp_fail(e, TTP_USAGE, "tile %d-%d: no core %d", t.x, t.y, (int)r);
	memcpy(regs, at->node->hart[r].x, 32 * sizeof(*regs));
	regs[0] = 0;
	*pc = at->node->hart[r].pc;
	return TTP_OK;
}
