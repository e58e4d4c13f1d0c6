// SPDX-License-Identifier: Apache-2.0
/*
 * What the model makes of congested traffic: workers on all 12 DRAM channels at once, in modelled GB/s.  Nothing is
 * timed; the figures are the same on every machine.  docs/explain/sim.md has them beside those of cards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), _exit(1))
#include "../tests/unit/sim_traffic.h"

/* Three tiles a group; the two channels of a group are used through different ones. */
static const struct tile groups[6][2] = { { { 0, 0 }, { 0, 1 } }, { { 0, 5 }, { 0, 6 } },
					  { { 5, 0 }, { 5, 1 } }, { { 5, 2 }, { 5, 9 } },
					  { { 5, 3 }, { 5, 4 } }, { { 5, 5 }, { 5, 6 } } };

static int measure(int tiles, bool near_by, int noc, bool write, uint32_t seed)
{
	struct sim_config usual = { 0 };
	struct port *p = chip_open(&usual);
	struct tile worker[64];
	struct flow f[64];
	int n = 0, rate;

	for (int x = 0; x < 10; x++)
		for (int y = 0; y < 12; y++)
			if (p->info.kind[y][x] == TILE_WORKER)
				worker[n++] = (struct tile){ (uint8_t)x, (uint8_t)y };
	for (int i = n - 1; i > 0; i--) { /* any order */
		int k;
		struct tile t = worker[i];

		seed = seed * 1664525u + 1013904223u;
		k = (int)(seed >> 8) % (i + 1);
		worker[i] = worker[k];
		worker[k] = t;
	}
	for (int i = 0; i < tiles; i++) {
		int channel = i % 12;
		struct tile d = groups[channel / 2][channel % 2];

		if (near_by) { /* in the row of the DRAM tile, or the nearest that has workers */
			for (int k = i; k < n; k++)
				if (abs(worker[k].y - d.y) + 8 * (worker[k].x < d.x) +
					    abs(worker[k].x - d.x) <
				    abs(worker[i].y - d.y) + 8 * (worker[i].x < d.x) +
					    abs(worker[i].x - d.x)) {
					struct tile t = worker[i];

					worker[i] = worker[k];
					worker[k] = t;
				}
		}
		f[i] = (struct flow){ worker[i], d,
				      (uint32_t)(channel % 2) << 30 |
					      (uint32_t)(i / 12) * 0x1000000u };
	}
	rate = traffic_rate(p, f, tiles, tiles > 12 ? 32 : 128, noc, write);
	p->ops->close(p);
	return rate;
}

int main(void)
{
	for (int tiles = 12; tiles <= 48; tiles += 36)
		for (int k = 0; k < 8; k++) {
			bool write = k & 1, near_by = k & 4;
			int noc = k >> 1 & 1, rate[11];

			for (uint32_t i = 0; i < 11; i++)
				rate[i] = measure(tiles, near_by, noc, write, i + 1);
			for (int i = 1; i < 11; i++) /* by size: the sixth is the median */
				for (int m = i; m && rate[m] < rate[m - 1]; m--) {
					int swap = rate[m];

					rate[m] = rate[m - 1];
					rate[m - 1] = swap;
				}
			printf("{\"bench\": \"sim_traffic\", \"tiles\": %d, \"placed\": \"%s\", \"noc\": %d, \"what\": \"%s\", \"gb_per_s\": %d}\n",
			       tiles, near_by ? "near" : "anywhere", noc, write ? "write" : "read",
			       (rate[5] + 500) / 1000);
		}
	return 0;
}
