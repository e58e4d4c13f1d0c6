// SPDX-License-Identifier: Apache-2.0
/* What tests of the embedded chip have in common: opening, loading, starting, NoC requests in code. */
#ifndef TTP_TESTS_SIM_CHIP_H
#define TTP_TESTS_SIM_CHIP_H

#include "rv_asm.h"
#include "sim/sim.h"

#define SOFT_RESET 0xFFB121B0u
#define CLOCK_LOW  0xFFB121F0u
#define CLOCK_HIGH 0xFFB121F4u
#define CLOCK_HELD 0xFFB121F8u
#define NIU(noc)   (0xFFB20000u + (uint32_t)(noc)*0x10000u)
#define HELD_ALL   0x47800u

static const uint32_t release_bit[RISCS] = { 0x800, 0x40000, 0x1000, 0x2000, 0x4000 };
static const uint32_t start_at[RISCS] = { 0x4000, 0x12000, 0x6000, 0xA000, 0xE000 };

static inline struct port *chip_open(const struct sim_config *config)
{
	struct sim_config usual = { 0 };
	struct ttp_err e = { 0 };
	struct port *p = NULL;

	if (sim_open(config ? config : &usual, &p, &e))
		fail_msg("%s", e.msg);
	return p;
}

static inline void chip_write(struct port *p, struct tile t, uint64_t addr, const void *from,
			      size_t len)
{
	struct ttp_err e = { 0 };

	if (p->ops->write(p, t, addr, from, len, &e))
		fail_msg("%s", e.msg);
}

static inline uint32_t chip_word(struct port *p, struct tile t, uint64_t addr)
{
	struct ttp_err e = { 0 };
	uint32_t v = 0;

	if (p->ops->read32(p, t, addr, &v, &e))
		fail_msg("%s", e.msg);
	return v;
}

static inline void chip_set(struct port *p, struct tile t, uint64_t addr, uint32_t v)
{
	struct ttp_err e = { 0 };

	if (p->ops->write32(p, t, addr, v, &e))
		fail_msg("%s", e.msg);
}

/* Code of a core, which starts with BRISC's jump at 0. */
static inline void chip_load(struct port *p, struct tile t, const struct code *c)
{
	chip_write(p, t, c->base, c->word, (size_t)c->len * 4);
	if (c->base == start_at[RISC_B])
		chip_set(p, t, 0, enc_j(ZERO, (int32_t)c->base));
}

static inline void chip_start(struct port *p, struct tile t, unsigned cores)
{
	uint32_t held = HELD_ALL;

	for (int r = 0; r < RISCS; r++)
		if (cores >> r & 1)
			held &= ~release_bit[r];
	chip_set(p, t, SOFT_RESET, held);
}

/* Fails with the fault's text unless the wait ends as expected. */
static inline void chip_wait(struct port *p, const struct watch *w, size_t n, uint64_t cycles,
			     enum wait_result want)
{
	enum wait_result got = p->ops->wait(p, w, n, cycles);
	const struct fault *f = p->ops->fault(p);

	if (got != want)
		fail_msg("wait: %d, not %d; %s at %d-%d core %d pc 0x%x", got, want,
			 f ? f->what : "no fault", f ? f->tile.x : 0, f ? f->tile.y : 0,
			 f ? f->risc : 0, f ? f->pc : 0);
}

/* The upper word of a NoC address. */
static inline uint32_t noc_mid(struct tile t)
{
	return (uint32_t)t.x << 4 | (uint32_t)t.y << 10;
}

/* Fills initiator 0 of a NoC and issues; S2 becomes its base.  Uses T0. */
static inline void noc_request(struct code *c, int noc, uint32_t targ, uint32_t targ_mid,
			       uint32_t ret, uint32_t ret_mid, uint32_t ctrl, uint32_t len)
{
	const uint32_t offset[] = { 0x00, 0x04, 0x0C, 0x10, 0x1C, 0x20 };
	const uint32_t value[] = { targ, targ_mid, ret, ret_mid, ctrl, len };
	int busy;

	li(c, S2, NIU(noc));
	busy = here(c);
	lw(c, T0, S2, 0x28);
	bne(c, T0, ZERO, busy);
	for (int i = 0; i < 6; i++) {
		li(c, T0, value[i]);
		sw(c, T0, S2, (int32_t)offset[i]);
	}
	addi(c, T0, ZERO, 1);
	sw(c, T0, S2, 0x28);
}

/* Until counter `i` of a NoC is `value`; uses S2, T0, T1. */
static inline void noc_barrier(struct code *c, int noc, int i, uint32_t value)
{
	int loop;

	li(c, S2, NIU(noc));
	li(c, T1, value);
	loop = here(c);
	lw(c, T0, S2, 0x200 + 4 * i);
	bne(c, T0, T1, loop);
}

#endif /* TTP_TESTS_SIM_CHIP_H */
