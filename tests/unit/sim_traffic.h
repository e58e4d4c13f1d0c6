// SPDX-License-Identifier: Apache-2.0
/* Workers that read from, or write to, DRAM as fast as they can, in packets of 8 KiB. */
#ifndef TTP_TESTS_SIM_TRAFFIC_H
#define TTP_TESTS_SIM_TRAFFIC_H

#include "sim_chip.h"

struct flow {
	struct tile worker, dram;
	uint32_t addr; /* in the DRAM group */
};

static inline struct tile traffic_coordinate(struct tile t, int noc)
{
	return noc ? (struct tile){ (uint8_t)(9 - t.x), (uint8_t)(11 - t.y) } : t;
}

static inline void traffic_code(struct code *c, const struct flow *f, int packets, int noc,
				bool write)
{
	uint32_t me = noc_mid(traffic_coordinate(f->worker, noc)),
		 dram = noc_mid(traffic_coordinate(f->dram, noc));
	const uint32_t frame[][2] = {
		{ 0x00, write ? 0x20000 : f->addr }, { 0x04, write ? me : dram },
		{ 0x0C, write ? f->addr : 0x20000 }, { 0x10, write ? dram : me },
		{ 0x1C, write ? 0x12u : 0x10u },     { 0x20, 8192 },
	};
	int loop, busy;

	c->base = start_at[RISC_B];
	c->len = 0;
	li(c, A6, CLOCK_LOW);
	lw(c, S6, A6, 0);
	li(c, S2, NIU(noc));
	for (int i = 0; i < 6; i++) {
		li(c, T0, frame[i][1]);
		sw(c, T0, S2, (int32_t)frame[i][0]);
	}
	li(c, S0, 0);
	li(c, S1, (uint32_t)packets);
	addi(c, A5, ZERO, 1);
	loop = here(c);
	sw(c, A5, S2, 0x28);
	busy = here(c);
	lw(c, T0, S2, 0x28);
	bne(c, T0, ZERO, busy);
	addi(c, S0, S0, 1);
	blt(c, S0, S1, loop);
	noc_barrier(c, noc, write ? 1 : 2, (uint32_t)packets);
	lw(c, S7, A6, 0);
	li(c, T0, 0x104);
	sw(c, S6, T0, 0);
	sw(c, S7, T0, 4);
	poke(c, 0x100, 1);
	stop(c);
}

/* Bytes per 1000 cycles of all together, from the first that starts to the last that ends. */
static inline int traffic_rate(struct port *p, const struct flow *f, int n, int packets, int noc,
			       bool write)
{
	static struct code c;
	struct watch w[128];
	uint32_t first = UINT32_MAX, last = 0;

	for (int i = 0; i < n; i++) {
		traffic_code(&c, &f[i], packets, noc, write);
		chip_load(p, f[i].worker, &c);
		w[i] = (struct watch){ f[i].worker, 0x100, 1, 1 };
	}
	for (int i = 0; i < n; i++)
		chip_start(p, f[i].worker, 1);
	chip_wait(p, w, (size_t)n, 100000000, WAIT_ALL);
	for (int i = 0; i < n; i++) {
		uint32_t a = chip_word(p, f[i].worker, 0x104), b = chip_word(p, f[i].worker, 0x108);

		first = a < first ? a : first;
		last = b > last ? b : last;
	}
	return (int)((uint64_t)n * (uint64_t)packets * 8192 * 1000 / (last - first));
}

#endif /* TTP_TESTS_SIM_TRAFFIC_H */
