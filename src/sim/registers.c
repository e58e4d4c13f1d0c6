// SPDX-License-Identifier: Apache-2.0
/*
 * Registers of a worker tile, as its cores see them, and the few of them that host and NoC see, too.
 * What is not here is a fault: a kernel that uses it would do something else on a card.
 *
 * (tt-isa-documentation WormholeB0; tt-metal tensix.h, cfg_defines.h, e4f9f0bb; ttsim)
 */
#include <string.h>

#include "sim/machine.h"

#define MOVER_BASE   0xFFB11000u
#define DEBUG_BASE   0xFFB12000u
#define DEBUG_END    0xFFB13000u
#define STREAM_BASE  0xFFB40000u
#define PCBUF_BASE   0xFFE80000u
#define MAILBOX_BASE 0xFFEC0000u
#define CONFIG_BASE  0xFFEF0000u
#define CONFIG_END   0xFFF00000u

#define DEBUG_SOFT_RESET 0x1B0u
#define DEBUG_CLOCK_LOW  0x1F0u
#define DEBUG_CLOCK_HIGH 0x1F4u
#define DEBUG_CLOCK_HELD 0x1F8u

/* Words of the configuration: where T0, T1, T2 and NC start; icache invalidate. */
enum {
	CONFIG_ICACHE = 157,
	CONFIG_PC_T0,
	CONFIG_PC_T1,
	CONFIG_PC_T2,
	CONFIG_PC_T,
	CONFIG_PC_NC,
	CONFIG_PC_NC_ON
};

/* Unsigned, so that what lies before `base` is far behind. */
#define WITHIN(addr, base, bytes) ((addr) - (base) < (bytes))
#define IS_NIU(addr)              WITHIN(addr, NIU_BASE, NOCS *NIU_STRIDE)
#define IS_DEBUG(addr)            WITHIN(addr, DEBUG_BASE, DEBUG_END - DEBUG_BASE)
#define IS_STREAM(addr)           WITHIN(addr, STREAM_BASE, STREAMS * 0x1000)
#define NOC_OF(addr)              (int)(((addr)-NIU_BASE) / NIU_STRIDE), ((addr)-NIU_BASE) % NIU_STRIDE

static const uint32_t reset_bit[RISCS] = { 0x800, 0x40000, 0x1000, 0x2000, 0x4000 };

static uint64_t wall_clock(const struct node *n, uint64_t t)
{
	return t + n->clock_offset;
}

/* Code of a page has changed under the cores: those that sleep in a loop there, too. */
static void resync(struct node *n, struct hart *h, uint32_t page_pc)
{
	h->resync = true;
	if (h->state == HART_PARKED && h->pc - page_pc < PAGE_BYTES)
		h->wake = n->kick = true;
}

void node_drop_code(struct node *n, uint32_t addr, uint32_t len)
{
	for (uint32_t i = addr / PAGE_BYTES; len && i <= (addr + len - 1) / PAGE_BYTES; i++)
		if (n->page[i]) {
			code_store_put(n->sim->code, n->page[i]);
			n->page[i] = NULL;
			for (int r = 0; r < RISCS; r++)
				resync(n, &n->hart[r], i * PAGE_BYTES);
		}
}

static void drop_iram(struct node *n)
{
	for (uint32_t i = 0; i < n->sim->soc->iram_bytes / PAGE_BYTES; i++)
		if (n->iram_page[i]) {
			code_store_put(n->sim->code, n->iram_page[i]);
			n->iram_page[i] = NULL;
			resync(n, &n->hart[RISC_NC], IRAM_BASE + i * PAGE_BYTES);
		}
}

static uint32_t start_of(const struct node *n, int r)
{
	if (r >= RISC_T0 && n->trisc_override >> (r - RISC_T0) & 1)
		return n->reset_pc[r];
	if (r == RISC_NC && n->nc_override & 1)
		return n->reset_pc[r];
	return n->sim->soc->start[r];
}

static void node_soft_reset(struct node *n, uint32_t value, uint64_t t)
{
	uint32_t before = n->soft_reset;
	bool dropped = false;

	n->soft_reset = value;
	for (int r = 0; r < RISCS; r++) {
		struct hart *h = &n->hart[r];
		bool held = value & reset_bit[r], was_held = before & reset_bit[r];

		if (held && !was_held) {
			h->retired = hart_instructions(h, hart_turn(h), &h->skipped);
			h->state = HART_RESET;
			h->resync = true;
		} else if (!held && was_held) {
			if (!dropped)
				node_drop_code(n, 0, n->l1_bytes);
			if (r == RISC_NC)
				drop_iram(n);
			dropped = true;
			hart_reset(h, t, start_of(n, r));
		}
	}
	n->kick = true;
}

static bool debug_read(struct node *n, struct hart *h, uint32_t offset, uint64_t t, uint32_t *value)
{
	uint64_t clock = wall_clock(n, t);

	switch (offset) {
	case DEBUG_SOFT_RESET:
		*value = n->soft_reset;
		return true;
	case DEBUG_CLOCK_LOW: /* holds the high half for who reads it next */
		n->clock_latch = (uint32_t)(clock >> 32);
		*value = (uint32_t)clock;
		break;
	case DEBUG_CLOCK_HIGH:
		*value = (uint32_t)(clock >> 32);
		break;
	case DEBUG_CLOCK_HELD:
		*value = n->clock_latch;
		break;
	default:
		if (offset / 4 >= sizeof(n->debug) / sizeof(*n->debug))
			return false;
		*value = n->debug[offset / 4];
		return true;
	}
	if (h)
		h->dirty = true; /* clocks go on by themselves */
	return true;
}

static bool debug_write(struct node *n, uint32_t offset, uint64_t t, uint32_t value)
{
	if (offset == DEBUG_SOFT_RESET) {
		node_soft_reset(n, value, t);
		return true;
	}
	if (offset >= DEBUG_CLOCK_LOW && offset <= DEBUG_CLOCK_HELD)
		return false;
	if (offset / 4 >= sizeof(n->debug) / sizeof(*n->debug))
		return false;
	n->debug[offset / 4] = value;
	return true;
}

/* Of a stream: counters that circular buffers use; 17 bits each. */
static bool stream_read(const struct node *n, uint32_t offset, uint32_t *value)
{
	const uint32_t *s = n->stream[offset / 0x1000];
	uint32_t at = offset & 0xFFF;

	if (at != 0x00 && at != 0x0C && at != 0x10 && at != 0x100)
		return false;
	*value = s[at == 0x00 ? 0 : at == 0x0C ? 1 : at == 0x10 ? 2 : 3];
	return true;
}

static bool stream_write(struct node *n, uint32_t offset, uint32_t value)
{
	uint32_t *s = n->stream[offset / 0x1000], mask = 0x1FFFF, at = offset & 0xFFF;

	if (at == 0x00)
		s[0] = value & 0xFFFFFF;
	else if (at == 0x0C)
		s[1] = value & mask;
	else if (at == 0x10) /* all of it is available then */
		s[2] = s[3] = value & mask;
	else if (at == 0x88) /* words to add, from bit 6 on */
		s[3] = (s[3] + (value >> 6)) & mask;
	else
		return false;
	if (at == 0x10 || at == 0x88)
		node_touch(n, STREAM_BASE + (offset & ~0xFFFu) + 0x100, 4);
	node_touch(n, STREAM_BASE + offset, 4);
	return true;
}

/*
 * The mover, as far as firmware uses it: from L1 to NCRISC's instruction memory, which it sees at 0x40000; units of
 * 16 bytes.  0x00 source, 0x04 destination, 0x08 size, 0x0C direction, 0x10 command.  At once: firmware
 * waits for it anyway.  (tt-metal risc_common.h l1_to_ncrisc_iram_copy, ttsim)
 */
static bool mover_write(struct node *n, uint32_t offset, uint32_t value)
{
	const uint32_t iram = n->sim->soc->iram_bytes / 16, l1 = n->l1_bytes / 16;
	uint32_t *r = n->mover, to;

	if (offset > 0x10)
		return true; /* clock gates and the like */
	r[offset / 4] = value;
	if (offset != 0x10)
		return true;
	to = r[1] - 0x4000;
	if (value != 0x40 || r[3] != 1 || to >= iram || r[2] > iram - to || r[0] >= l1 ||
	    r[2] > l1 - r[0])
		return false;
	memcpy(n->iram + to * 16ull, n->l1 + r[0] * 16ull, r[2] * 16ull);
	drop_iram(n);
	return true;
}

bool node_register_read(struct node *n, uint32_t addr, uint64_t t, uint32_t *value)
{
	if (IS_DEBUG(addr))
		return debug_read(n, NULL, addr - DEBUG_BASE, t, value);
	if (IS_NIU(addr))
		return niu_load(NULL, n, NOC_OF(addr), t, value) == ACCESS_OK;
	if (IS_STREAM(addr))
		return stream_read(n, addr - STREAM_BASE, value);
	return false;
}

bool node_register_write(struct node *n, uint32_t addr, uint64_t t, uint32_t value)
{
	bool done = false;

	if (IS_DEBUG(addr))
		done = debug_write(n, addr - DEBUG_BASE, t, value);
	else if (IS_NIU(addr))
		done = niu_store(NULL, n, NOC_OF(addr), value) == ACCESS_OK;
	else if (IS_STREAM(addr))
		done = stream_write(n, addr - STREAM_BASE, value);
	if (done)
		node_touch(n, addr, 4);
	return done;
}

/* A word of the configuration that keeps what is written; NULL: it is none. */
static uint32_t *config_word(struct node *n, uint32_t word)
{
	switch (word) {
	case CONFIG_PC_T0:
	case CONFIG_PC_T1:
	case CONFIG_PC_T2:
		return &n->reset_pc[RISC_T0 + (word - CONFIG_PC_T0)];
	case CONFIG_PC_T:
		return &n->trisc_override;
	case CONFIG_PC_NC:
		return &n->reset_pc[RISC_NC];
	case CONFIG_PC_NC_ON:
		return &n->nc_override;
	default:
		return NULL;
	}
}

static enum access config_read(struct hart *h, uint32_t word, uint32_t *value)
{
	const uint32_t *at = config_word(h->node, word);

	*value = at ? *at : 0;
	return at || word == CONFIG_ICACHE ? ACCESS_OK : ACCESS_FAULT;
}

static enum access config_write(struct hart *h, uint32_t word, uint32_t value)
{
	struct node *n = h->node;
	uint32_t *at = config_word(n, word);

	node_touch(n, CONFIG_BASE + word * 4, 4);
	if (at) {
		*at = value;
	} else if (word == CONFIG_ICACHE) {
		node_drop_code(n, 0, n->l1_bytes);
		drop_iram(n);
	}
	return at || word == CONFIG_ICACHE ? ACCESS_OK : ACCESS_FAULT;
}

/* B, T0, T1, T2 are mailboxes 0 .. 3; NC has none. */
static int mailbox_of(const struct hart *h)
{
	return h->id == RISC_B ? 0 : h->id == RISC_NC ? -1 : h->id - 1;
}

static enum access block(struct hart *h, enum hart_block why)
{
	h->state = HART_BLOCKED;
	h->block = (uint8_t)why;
	return ACCESS_BLOCKED;
}

/* Four words for all that a core has written. */
static bool mailbox_has_room(const struct hart *h)
{
	const struct mailbox *m = h->node->mailbox[mailbox_of(h)];

	return m[0].len + m[1].len + m[2].len + m[3].len < 4;
}

bool mailbox_unblocks(const struct hart *h)
{
	if (h->block == BLOCK_MAILBOX_FULL)
		return mailbox_has_room(h);
	return h->node->mailbox[h->mailbox][mailbox_of(h)].len > 0;
}

static enum access mailbox_read(struct hart *h, uint32_t offset, uint32_t *value)
{
	int me = mailbox_of(h), from = (int)(offset / 0x1000);
	struct mailbox *m;

	if (me < 0 || (offset & 0xFFF) > 4)
		return ACCESS_FAULT;
	m = &h->node->mailbox[from][me];
	if (offset & 4) {
		*value = m->len > 0;
		return ACCESS_OK;
	}
	h->dirty = true;
	if (!m->len) {
		h->mailbox = (uint8_t)from;
		return block(h, BLOCK_MAILBOX_EMPTY);
	}
	*value = m->word[0];
	hart_stall(h, m->t[0]);
	memmove(m->word, m->word + 1, sizeof(m->word) - sizeof(*m->word));
	memmove(m->t, m->t + 1, sizeof(m->t) - sizeof(*m->t));
	m->len--;
	h->node->mailbox_room[from] = h->t;
	h->node->kick = true;
	hart_end_slice(h); /* who wrote it may wait for room */
	return ACCESS_OK;
}

static enum access mailbox_write(struct hart *h, uint32_t offset, uint32_t value)
{
	int me = mailbox_of(h), to = (int)(offset / 0x1000);
	struct mailbox *m;

	if (me < 0 || offset & 0xFFF)
		return ACCESS_FAULT;
	if (!mailbox_has_room(h)) {
		h->waited = true;
		return block(h, BLOCK_MAILBOX_FULL);
	}
	if (h->waited)
		hart_stall(h, h->node->mailbox_room[me] + 1);
	h->waited = false;
	m = &h->node->mailbox[me][to];
	m->word[m->len] = value;
	m->t[m->len++] = h->t + 1;
	node_touch(h->node, MAILBOX_BASE + (uint32_t)me * 0x1000 + 4, 4);
	h->node->kick = true;
	return ACCESS_OK;
}

/* Semaphores of the compute engine: eight, 0 .. 15; an even value posts, an odd one gets. */
static enum access pcbuf_write(struct hart *h, uint32_t offset, uint32_t value)
{
	uint32_t *sem;

	if (offset < 0x20 || offset >= 0x40)
		return offset == 4 || offset == 8 ? ACCESS_OK : ACCESS_FAULT;
	sem = &h->node->semaphore[(offset - 0x20) / 4];
	if (value & 1)
		*sem -= *sem > 0;
	else
		*sem += *sem < 15;
	node_touch(h->node, PCBUF_BASE + offset, 4);
	return ACCESS_OK;
}

static enum access pcbuf_read(struct hart *h, uint32_t offset, uint32_t *value)
{
	*value = 0;
	if (offset == 4 || offset == 8)
		return ACCESS_OK;
	if (offset < 0x20 || offset >= 0x40)
		return ACCESS_FAULT;
	*value = h->node->semaphore[(offset - 0x20) / 4];
	return ACCESS_OK;
}

static enum access refuse(struct hart *h, const char *verb, uint32_t addr, int bytes)
{
	if (h->state == HART_FAULT)
		return ACCESS_FAULT; /* it has said what is wrong */
	if (addr & (uint32_t)(bytes - 1))
		hart_fault(h, "%s of %d bytes at 0x%08x: not aligned", verb, bytes, addr);
	else if (bytes != 4 && addr >= LOCAL_BASE)
		hart_fault(h, "%s of %d bytes at 0x%08x: registers have 32 bits", verb, bytes,
			   addr);
	else if (addr - LOCAL_BASE < 0x2000)
		hart_fault(h, "%s of %d bytes at 0x%08x: %s has %u bytes of local memory", verb,
			   bytes, addr, risc_name(h->id), h->local_bytes);
	else
		hart_fault(h, "%s of %d bytes at 0x%08x: nothing is there", verb, bytes, addr);
	return ACCESS_FAULT;
}

static enum access load_register(struct hart *h, uint32_t addr, uint32_t *value)
{
	struct node *n = h->node;

	if (IS_DEBUG(addr))
		return debug_read(n, h, addr - DEBUG_BASE, h->t, value) ? ACCESS_OK : ACCESS_FAULT;
	if (IS_NIU(addr))
		return niu_load(h, n, NOC_OF(addr), h->t, value);
	if (IS_STREAM(addr))
		return stream_read(n, addr - STREAM_BASE, value) ? ACCESS_OK : ACCESS_FAULT;
	if (counters_have(addr - TTP_TENSIX_BASE) && h->id != RISC_NC)
		return counters_load(h, addr - TTP_TENSIX_BASE, value);
	if (addr - TTP_TENSIX_BASE < 0x1000 && h->id >= RISC_T0)
		return tensix_load(h, addr - TTP_TENSIX_BASE, value);
	if (addr - PCBUF_BASE < 0x1000 && h->id >= RISC_T0)
		return pcbuf_read(h, addr - PCBUF_BASE, value);
	if (addr - MAILBOX_BASE < 0x4000)
		return mailbox_read(h, addr - MAILBOX_BASE, value);
	if (addr >= CONFIG_BASE && addr < CONFIG_END && h->id != RISC_NC)
		return config_read(h, (addr - CONFIG_BASE) / 4, value);
	if (addr - MOVER_BASE < 0x100) { /* status: nothing waits, nothing is under way */
		*value = addr - MOVER_BASE == 0x14 ? 8 : 0;
		return ACCESS_OK;
	}
	return ACCESS_FAULT;
}

static enum access store_register(struct hart *h, uint32_t addr, uint32_t value)
{
	struct node *n = h->node;

	if (IS_NIU(addr)) {
		enum access a = niu_store(h, n, NOC_OF(addr), value);

		if (a == ACCESS_OK)
			node_touch(n, addr, 4);
		return a;
	}
	if (IS_DEBUG(addr) || IS_STREAM(addr))
		return node_register_write(n, addr, h->t + 1, value) ? ACCESS_OK : ACCESS_FAULT;
	if (counters_have(addr - TTP_TENSIX_BASE) && h->id != RISC_NC)
		return counters_store(h, addr - TTP_TENSIX_BASE);
	if (addr - TTP_TENSIX_BASE < 0x1000 && h->id >= RISC_T0)
		return tensix_store(h, addr - TTP_TENSIX_BASE, value);
	if (addr - PCBUF_BASE < 0x1000 && h->id >= RISC_T0)
		return pcbuf_write(h, addr - PCBUF_BASE, value);
	if (addr - MAILBOX_BASE < 0x4000)
		return mailbox_write(h, addr - MAILBOX_BASE, value);
	if (addr >= CONFIG_BASE && addr < CONFIG_END && h->id != RISC_NC)
		return config_write(h, (addr - CONFIG_BASE) / 4, value);
	if (addr - MOVER_BASE < 0x100)
		return mover_write(n, addr - MOVER_BASE, value) ? ACCESS_OK : ACCESS_FAULT;
	return ACCESS_FAULT;
}

enum access hart_load(struct hart *h, uint32_t addr, int bytes, uint32_t *value)
{
	enum access a = ACCESS_FAULT;

	if (bytes == 4 && !(addr & 3))
		a = load_register(h, addr, value);
	return a == ACCESS_FAULT ? refuse(h, "load", addr, bytes) : a;
}

enum access hart_store(struct hart *h, uint32_t addr, int bytes, uint32_t value)
{
	enum access a = ACCESS_FAULT;

	if (bytes == 4 && !(addr & 3))
		a = store_register(h, addr, value);
	hart_end_slice(h);
	return a == ACCESS_FAULT ? refuse(h, "store", addr, bytes) : a;
}
