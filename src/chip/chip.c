// SPDX-License-Identifier: Apache-2.0
#include "chip/chip.h"

const struct chip chips[CHIPS] = {
#define CHIP(id, name, arch, board, cores, banks, gbps, mhz, flop, noc, eth, source) \
	{ #id, name, #arch, board, source, cores, banks, gbps, mhz, flop, noc, eth },
#include "chip/chips.def"
#undef CHIP
};

/* "wormhole_b0" is a revision of wormhole. */
static bool is_arch(const struct chip *c, struct str arch)
{
	size_t n = strlen(c->arch);

	return arch.len >= n && str_eq_nocase(str_head(arch, n), str_of(c->arch)) &&
	       (arch.len == n || arch.at[n] == '_');
}

/* Dispatch takes a row or a column, firmware may keep more: at least three quarters are left. */
static bool fits(const struct chip *c, int worker_cores)
{
	return worker_cores <= 0 || (worker_cores <= c->cores && worker_cores * 4 >= c->cores * 3);
}

static bool same_figures(const struct chip *a, const struct chip *b)
{
	return !(a->dram_gbps < b->dram_gbps || a->dram_gbps > b->dram_gbps) &&
	       !(a->clock_mhz < b->clock_mhz || a->clock_mhz > b->clock_mhz) &&
	       a->flop_per_clock == b->flop_per_clock && a->dram_banks == b->dram_banks;
}

const struct chip *chip_find(struct str name)
{
	bool only, alike;

	for (int i = 0; i < CHIPS; i++)
		if (str_eq_nocase(name, str_of(chips[i].id)))
			return &chips[i];
	return chip_guess(name, 0, &only, &alike);
}

const struct chip *chip_guess(struct str arch, int worker_cores, bool *only, bool *alike)
{
	const struct chip *usual = NULL, *first = NULL;
	int fitting = 0;

	*alike = true;
	for (int i = 0; i < CHIPS; i++) {
		const struct chip *c = &chips[i];

		if (!is_arch(c, arch))
			continue;
		if (!usual)
			usual = c;
		if (!fits(c, worker_cores))
			continue;
		if (!fitting++)
			first = c;
		*alike &= same_figures(first, c);
	}
	*only = fitting == 1;
	if (!fitting)
		*alike = false;
	return fitting ? first : usual;
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
