// SPDX-License-Identifier: Apache-2.0
#include "chip/chip.h"

const struct chip chips[CHIPS] = {
#define CHIP(id, name, arch, board, cores, banks, gbps, mhz, flop, noc, eth, source) \
	{ #id, name, #arch, board, source, cores, banks, gbps, mhz, flop, noc, eth },
#include "chip/chips.def"
#undef CHIP
};

const struct chip *chip_find(struct str name)
{
	bool sure;

	for (int i = 0; i < CHIPS; i++)
		if (str_eq_nocase(name, str_of(chips[i].id)))
			return &chips[i];
	return chip_guess(name, 0, &sure);
}

const struct chip *chip_guess(struct str arch, int worker_cores, bool *sure)
{
	const struct chip *usual = NULL, *only = NULL;
	int fitting = 0, of_arch = 0;

	for (int i = 0; i < CHIPS; i++) {
		const struct chip *c = &chips[i];
		size_t n = strlen(c->arch);

		/* "wormhole_b0" is a revision of wormhole */
		if (arch.len < n || !str_eq_nocase(str_head(arch, n), str_of(c->arch)) ||
		    (arch.len > n && arch.at[n] != '_'))
			continue;
		of_arch++;
		if (!usual)
			usual = c;
		/* dispatch takes a row or a column: between 80 and 100 % of the cores are left */
		if (worker_cores > 0 && worker_cores <= c->cores &&
		    worker_cores * 5 >= c->cores * 4) {
			fitting++;
			only = c;
		}
	}
	*sure = of_arch == 1 || fitting == 1;
	return fitting == 1 ? only : usual;
}

int fidelity_passes(struct str fidelity)
{
	static const struct str names[] = { STR_INIT("LoFi"), STR_INIT("HiFi2"), STR_INIT("HiFi3"),
					    STR_INIT("HiFi4") };

	for (int i = 0; i < 4; i++)
		if (str_eq(fidelity, names[i]))
			return i + 1;
	return 0;
}

double chip_flop_per_ns(const struct chip *c, double cores, int passes)
{
	return passes > 0 ? c->flop_per_clock * c->clock_mhz / 1000 * cores / passes : 0;
}
