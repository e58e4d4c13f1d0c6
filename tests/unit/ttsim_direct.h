// SPDX-License-Identifier: Apache-2.0
/*
 * Tenstorrent's libttsim_wh.so as a port in this very process, as far as tests and benchmarks need it.  It ends the
 * process on any violation and there can be one only: fork first.  Time passes by ttsim_clock().
 */
#ifndef TTP_TESTS_TTSIM_DIRECT_H
#define TTP_TESTS_TTSIM_DIRECT_H

#include <dlfcn.h>
#include <string.h>

#include "chip/soc.h"
#include "device/port.h"

#define TTSIM_BAR0       0x100000000ull
#define TTSIM_WINDOW     (TTSIM_BAR0 + 0x0B000000u) /* 16 MiB, number 166 */
#define TTSIM_WINDOW_SET (TTSIM_BAR0 + 0x1FC00000u + 8 * 166)

static struct {
	void (*init)(void);
	void (*clock)(uint32_t);
	void (*read)(uint64_t, void *, uint32_t);
	void (*write)(uint64_t, const void *, uint32_t);
	uint64_t now;
} ttsim;

/* The part of [addr, addr + len) that the window shows after this; returns where it is. */
static inline uint64_t ttsim_window(struct tile t, uint64_t addr, size_t len, uint32_t *part)
{
	uint64_t set = addr >> 24 | (uint64_t)t.x << 12 | (uint64_t)t.y << 18 | 1ull << 38;
	uint64_t left = (1u << 24) - (addr & 0xFFFFFF);

	ttsim.write(TTSIM_WINDOW_SET, &set, 8);
	*part = (uint32_t)(len < left ? len : left);
	return TTSIM_WINDOW + (addr & 0xFFFFFF);
}

static inline enum ttp_rc ttsim_read(struct port *p, struct tile t, uint64_t addr, void *to,
				     size_t len, struct ttp_err *e)
{
	(void)p, (void)e;
	for (uint8_t *at = to; len;) {
		uint32_t part;
		uint64_t where = ttsim_window(t, addr, len, &part);

		ttsim.read(where, at, part);
		at += part, addr += part, len -= part;
	}
	return TTP_OK;
}

static inline enum ttp_rc ttsim_write(struct port *p, struct tile t, uint64_t addr,
				      const void *from, size_t len, struct ttp_err *e)
{
	(void)p, (void)e;
	for (const uint8_t *at = from; len;) {
		uint32_t part;
		uint64_t where = ttsim_window(t, addr, len, &part);

		ttsim.write(where, at, part);
		at += part, addr += part, len -= part;
	}
	return TTP_OK;
}

static inline enum ttp_rc ttsim_read32(struct port *p, struct tile t, uint64_t addr, uint32_t *v,
				       struct ttp_err *e)
{
	return ttsim_read(p, t, addr, v, 4, e);
}

static inline enum ttp_rc ttsim_write32(struct port *p, struct tile t, uint64_t addr, uint32_t v,
					struct ttp_err *e)
{
	return ttsim_write(p, t, addr, &v, 4, e);
}

static inline enum wait_result ttsim_wait(struct port *p, const struct watch *w, size_t n,
					  uint64_t cycles)
{
	uint64_t stop = ttsim.now + cycles;

	for (size_t i = 0;;) {
		uint32_t v;

		while (i < n) {
			ttsim_read32(p, w[i].tile, w[i].addr, &v, NULL);
			if ((v & w[i].mask) != w[i].value)
				break;
			i++;
		}
		if (i == n && n)
			return WAIT_ALL;
		if (ttsim.now >= stop)
			return WAIT_TIMEOUT;
		ttsim.clock(100);
		ttsim.now += 100;
	}
}

static inline uint64_t ttsim_now(struct port *p)
{
	(void)p;
	return ttsim.now;
}

static inline const struct fault *ttsim_fault(struct port *p)
{
	(void)p;
	return NULL;
}

static const struct port_ops ttsim_ops = { .read = ttsim_read,
					   .write = ttsim_write,
					   .read32 = ttsim_read32,
					   .write32 = ttsim_write32,
					   .wait = ttsim_wait,
					   .now = ttsim_now,
					   .fault = ttsim_fault };

/* NULL if the library cannot be loaded. */
static inline struct port *ttsim_open(const char *path)
{
	static struct port p;
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *found[4];
	static const char *const names[4] = { "libttsim_init", "libttsim_clock",
					      "libttsim_pci_mem_rd_bytes",
					      "libttsim_pci_mem_wr_bytes" };

	for (int i = 0; i < 4; i++) {
		found[i] = lib ? dlsym(lib, names[i]) : NULL;
		if (!found[i])
			return NULL;
	}
	memcpy(&ttsim.init, &found[0], sizeof(void *));
	memcpy(&ttsim.clock, &found[1], sizeof(void *));
	memcpy(&ttsim.read, &found[2], sizeof(void *));
	memcpy(&ttsim.write, &found[3], sizeof(void *));
	ttsim.init();
	p.ops = &ttsim_ops;
	p.info.width = soc_wormhole.width;
	p.info.height = soc_wormhole.height;
	for (int y = 0; y < p.info.height; y++)
		for (int x = 0; x < p.info.width; x++)
			if (soc_tile(&soc_wormhole, x, y) == 'w')
				p.info.kind[y][x] = soc_wormhole.harvest_default >> y & 1
							    ? TILE_HARVESTED
							    : TILE_WORKER;
	return &p;
}

#endif /* TTP_TESTS_TTSIM_DIRECT_H */
