// SPDX-License-Identifier: Apache-2.0
#include "report/choose_chip.h"

#include <math.h>

#include "base/number.h"

enum {
	WORKERS_MAX = 100000, /* more worker cores than any chip has: a damaged cell */
	CLOCK_ROWS = 16,      /* that the clock is taken from */
	CLOCK_NS = 1000,      /* shorter ops are a few cycles only */
	GRID_OPS = 3,         /* so many different ops that use no more cores: there are no more */
	GRID_LEAST = 16,      /* no chip has fewer: these are small ops */
};

/* An architecture that we don't know: no figures rather than wrong ones. */
static const struct chip unknown_chip = {
	.id = "unknown", .name = "an unknown chip", .arch = "unknown", .board = "", .source = ""
};

static bool cycle(const struct ops_table *t, size_t row, enum ops_col col, struct buf *scratch,
		  uint64_t *out)
{
	return number_u64(ops_source_text(t, row, ops_col_info[col].name, scratch), out);
}

/* MHz, by the cycles and the nanoseconds of some ops; 0: the report doesn't have both. */
static double clock_of(const struct ops_table *t)
{
	SCOPED(buf) struct buf scratch = { 0 };
	double cycles = 0, all_ns = 0, ns;
	uint64_t start, end;
	int n = 0;

	if (!ops_has_column(t, OPS_FW_START) || !ops_has_column(t, OPS_FW_END))
		return 0;
	for (size_t row = 0; row < t->rows && n < CLOCK_ROWS; row++) {
		if (!ops_real(t, OPS_FW_DURATION, row, &ns) || ns < CLOCK_NS ||
		    !cycle(t, row, OPS_FW_START, &scratch, &start) ||
		    !cycle(t, row, OPS_FW_END, &scratch, &end) || end <= start)
			continue;
		cycles += (double)(end - start);
		all_ns += ns;
		n++;
	}
	return all_ns > 0 ? 1000 * cycles / all_ns : 0;
}

/* The most cores of any op; *ops: how many different ones have as many. */
static double most_cores(const struct ops_table *t, unsigned *ops)
{
	uint32_t seen[GRID_OPS];
	double most = 0, cores;

	*ops = 0;
	for (size_t row = 0; row < t->rows; row++) {
		uint32_t code = t->column[OPS_OP_CODE].text ? t->column[OPS_OP_CODE].text[row] : 0;
		bool known = false;

		if (!ops_real(t, OPS_CORE_COUNT, row, &cores) || cores < most ||
		    cores >= WORKERS_MAX)
			continue;
		if (cores > most)
			*ops = 0;
		most = cores;
		for (unsigned i = 0; i < *ops; i++)
			known |= seen[i] == code;
		if (!known && *ops < GRID_OPS)
			seen[(*ops)++] = code;
	}
	return most;
}

/* The first that has this clock and as many cores; a clock that none has says nothing. */
static struct str arch_of(double mhz, double cores)
{
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < CHIPS; i++)
			if (chips[i].cores >= cores &&
			    (pass || fabs(chips[i].clock_mhz - mhz) < mhz / 100))
				return str_of(chips[i].arch);
	return str_of(chips[0].arch);
}

/* What rows say; the first that does. */
static bool named_arch(const struct ops_table *t, struct str *arch, double *workers)
{
	bool named = false;

	for (size_t i = 0; i < t->rows && (!named || *workers <= 0); i++) {
		struct str a = ops_text(t, OPS_DEVICE_ARCH, i);
		double w;

		if (a.len && !named) {
			*arch = a;
			named = true;
		}
		if (*workers <= 0 && ops_real(t, OPS_WORKER_CORES, i, &w) && w > 0 &&
		    w < WORKERS_MAX)
			*workers = w;
		if (!t->column[OPS_DEVICE_ARCH].text && !t->column[OPS_WORKER_CORES].kind)
			break;
	}
	return named;
}

void choose_chip(struct calls *c, const struct call_options *o)
{
	const struct ops_table *t = c->table;
	struct str arch = { 0 };
	double workers = 0, most = 0;
	unsigned ops = 0;
	bool named = named_arch(t, &arch, &workers);

	if (workers <= 0)
		most = most_cores(t, &ops);
	if (workers <= 0 && ops >= GRID_OPS && most >= GRID_LEAST)
		workers = most;
	if (!named)
		arch = arch_of(clock_of(t), most);
	c->chip_sure = c->chip_named = true;
	c->on.chip = o->chip;
	if (!c->on.chip)
		c->on.chip = chip_guess(arch, (int)workers, &c->chip_named, &c->chip_sure);
	if (!c->on.chip)
		c->on.chip = &unknown_chip;
	if (!named && !o->chip)
		c->chip_sure = c->chip_named = false;
	c->chip_figures = c->on.chip->clock_mhz > 0;
	c->arch = o->chip ? str_of(o->chip->arch) : named ? arch : (struct str){ 0 };
	c->on.workers = workers > 0 ? workers : c->on.chip->cores;
}
