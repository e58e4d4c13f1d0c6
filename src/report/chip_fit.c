// SPDX-License-Identifier: Apache-2.0
#include "report/chip_fit.h"

#include <stdlib.h>

/* Calls that would be faster than the chip. */
static uint64_t impossible(const struct calls *c, const struct chip *chip, double *ideal_ns)
{
	struct roof_chip on = { .chip = chip, .workers = c->on.workers };
	struct roofline r;
	uint64_t n = 0;

	for (size_t i = 0; i < c->kinds.len; i++) {
		ideal_ns[i] = 0;
		if (!c->kinds.at[i].roof.shape.tensors)
			continue;
		roofline_of(c->table, c->kinds.at[i].row, &on, &r);
		ideal_ns[i] = r.ideal_ns;
	}
	vec_each (call, &c->all)
		n += !(call->flags & (CALL_HOST | CALL_MARKER)) && call->time_ns > 0 &&
		     100 * ideal_ns[call->kind] > ROOF_BELIEVED_PERCENT * call->time_ns;
	return n;
}

const struct chip *chip_that_fits(const struct calls *c, uint64_t *over)
{
	double *ideal_ns = mem_alloc(c->kinds.len + 1, sizeof(*ideal_ns));
	const struct chip *best = NULL;
	double most_cores = 0;

	*over = impossible(c, c->on.chip, ideal_ns) / 2;
	vec_each (k, &c->kinds)
		if (k->roof.cores > most_cores)
			most_cores = k->roof.cores;
	for (int i = 0; i < CHIPS && *over; i++) {
		const struct chip *chip = &chips[i];
		uint64_t n;

		if (chip == c->on.chip || chip->clock_mhz <= 0 || chip->flop_per_clock <= 0 ||
		    chip->cores < most_cores ||
		    (c->arch.len && !str_starts(c->arch, str_of(chip->arch))))
			continue;
		n = impossible(c, chip, ideal_ns);
		if (n < *over) {
			*over = n;
			best = chip;
		}
	}
	free(ideal_ns);
	return best;
}

const struct chip *chip_with_cores(const struct calls *c, double cores)
{
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < CHIPS; i++)
			if (chips[i].cores >= cores && chips[i].flop_per_clock > 0 &&
			    (pass || !c->arch.len || str_starts(c->arch, str_of(chips[i].arch))))
				return &chips[i];
	return NULL;
}
