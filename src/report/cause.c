// SPDX-License-Identifier: Apache-2.0
#include "report/cause.h"

#include "report/label.h"

enum {
	UNEVEN_PERCENT = 140,   /* of the cores' average: the slowest is worth a word */
	NEVER_PERCENT = 20,     /* of an op's time: waiting that is none */
	MOST_PERCENT = 60,      /* waiting that is what the op does */
	BUSY_PERCENT = 70,      /* of a NoC port: packets queue up from here on */
	DRAM_BUSY_PERCENT = 50, /* of its bandwidth: less is no limit */
	/* Of all that moves between cores, one of them: more than its part. */
	HOT_SHARE_PERCENT = 20,
	SLOW_BANK_PERCENT = 175, /* of what the other banks take */
	SLOW_BANK_NS = 200,
};

const char *cause_name(enum cause c)
{
	static const char *const names[] = {
#define X(id, name) name,
		CAUSE_LIST(X)
#undef X
	};

	return names[c];
}

static bool number(const struct calls *c, const struct call *call, enum ops_col column, double *v)
{
	return ops_real(c->table, column, call->row, v) && *v >= 0;
}

/* Percent of the op's time that a core waited, on average.  tt-metal's own script adds up all cores. */
static bool waited(const struct calls *c, const struct call *call, enum ops_col column,
		   double *percent)
{
	double ns, cores = call_kind(c, call)->roof.cores;

	if (call->time_ns <= 0 || !c->tells_waits || !number(c, call, column, &ns))
		return false;
	if (ns > 1.05 * call->time_ns && cores > 0)
		ns /= cores;
	*percent = 100 * ns / call->time_ns;
	return *percent <= 105;
}

static bool uneven(const struct calls *c, const struct call *call, double *times)
{
	double most, average;

	if (!number(c, call, OPS_CORE_MAX, &most) || !number(c, call, OPS_CORE_AVG, &average) ||
	    average <= 0)
		return false;
	*times = most / average;
	return *times * 100 >= UNEVEN_PERCENT;
}

double imbalance_ns(const struct calls *c, const struct call *call)
{
	double times;

	return uneven(c, call, &times) ? call->time_ns * (1 - 1 / times) : 0;
}

static bool hot_core(const struct calls *c, const struct call *call, double *util, double *share)
{
	return number(c, call, OPS_NOC_CORE_UTIL, util) &&
	       number(c, call, OPS_NOC_CORE_SHARE, share) && *util >= BUSY_PERCENT &&
	       *share >= HOT_SHARE_PERCENT;
}

/* Reads that wait for one bank take far longer than those that wait for others. */
static bool slow_bank(const struct calls *c, const struct call *call, double *ns, double *others)
{
	return number(c, call, OPS_DRAM_BANK_READ, ns) &&
	       number(c, call, OPS_DRAM_OTHER_READ, others) && *others > 0 &&
	       *ns * 100 >= *others * SLOW_BANK_PERCENT && *ns - *others >= SLOW_BANK_NS;
}

/* Where tensors lie says nothing: an op that reads one tile at a time waits, and DRAM is idle. */
static bool dram_is_busy(const struct calls *c, const struct call *call)
{
	double util;

	if (number(c, call, OPS_DRAM_BW_UTIL, &util) && util > 0)
		return util >= DRAM_BUSY_PERCENT;
	return call_percent_of(c, call, ROOF_DRAM) >= DRAM_BUSY_PERCENT;
}

enum cause cause_of(const struct calls *c, const struct call *call)
{
	const struct roofline *r = &call_kind(c, call)->roof;
	double times, util, share, in = 0, out = 0;
	bool known;

	if (call->flags & (CALL_HOST | CALL_UNTIMED))
		return CAUSE_NONE;
	if (uneven(c, call, &times))
		return CAUSE_IMBALANCE;
	if (hot_core(c, call, &util, &share))
		return CAUSE_NOC;
	if (slow_bank(c, call, &util, &share))
		return CAUSE_BANK;
	known = waited(c, call, OPS_CB_WAIT_FRONT, &in);
	known |= waited(c, call, OPS_CB_RESERVE_BACK, &out);
	/* kernels that never waited recorded nothing */
	if (!known || (in <= 0 && out <= 0))
		return CAUSE_NONE;
	if (in >= MOST_PERCENT || out >= MOST_PERCENT)
		return dram_is_busy(c, call) ? CAUSE_DRAM : CAUSE_DATA;
	if (in <= NEVER_PERCENT && out <= NEVER_PERCENT &&
	    family_category(r->work.family) == CATEGORY_COMPUTE)
		return CAUSE_COMPUTE;
	return CAUSE_NONE;
}

static void tell_wait(struct buf *b, const struct calls *c, const struct call *call)
{
	double in = 0, out = 0;
	bool has_in = waited(c, call, OPS_CB_WAIT_FRONT, &in);
	bool has_out = waited(c, call, OPS_CB_RESERVE_BACK, &out);

	if (!has_in && !has_out)
		return;
	if (in >= out)
		buf_printf(b, ", its math waits %.0f %% of the time for data", in);
	else
		buf_printf(b, ", its math waits %.0f %% of the time for results to be written",
			   out);
}

static bool has_passes(const struct calls *c, const struct call *call)
{
	enum family f = call_kind(c, call)->roof.work.family;

	return f == FAMILY_MATMUL || f == FAMILY_CONV || f == FAMILY_ATTENTION;
}

static void tell_waits_for_data(struct buf *b, const struct calls *c, const struct call *call)
{
	const struct shape *s = &call_kind(c, call)->roof.shape;

	if (s->dram_bytes > s->l1_bytes) {
		buf_text(b, "it waits for data");
		tell_wait(b, c, call);
		buf_printf(
			b,
			", and DRAM is %.0f %% busy: more reads in flight, such as one barrier for many tiles",
			call_percent_of(c, call, ROOF_DRAM));
		return;
	}
	buf_text(b, "it waits for data from other cores");
	tell_wait(b, c, call);
	buf_text(b, ": TT_METAL_DEVICE_PROFILER_NOC_EVENTS=1 tells from which");
}

void cause_tell(struct buf *b, const struct calls *c, const struct call *call, enum cause cause)
{
	double times = 0, util = 0, share = 0;

	switch (cause) {
	case CAUSE_NONE:
		break;
	case CAUSE_IMBALANCE:
		(void)uneven(c, call, &times);
		buf_printf(
			b,
			"its cores are not equally loaded, the slowest takes %.1f times the average: divide "
			"the work evenly",
			times);
		break;
	case CAUSE_COMPUTE:
		buf_text(b, "it is compute-bound");
		tell_wait(b, c, call);
		buf_text(b, has_passes(c, call)
				    ? ": less math per tile, a lower fidelity or approximations"
				    : ": less math per tile, or approximations");
		break;
	case CAUSE_DRAM:
		buf_text(b, "it is DRAM-bound");
		tell_wait(b, c, call);
		buf_text(b, ": move fewer bytes");
		break;
	case CAUSE_NOC: {
		struct str core = ops_text(c->table, OPS_NOC_CORE, call->row);

		(void)hot_core(c, call, &util, &share);
		buf_printf(
			b,
			"core %.*s holds the others up, %.0f %% of what moves between cores passes its NoC "
			"port, which is %.0f %% busy: spread it over cores, or multicast it",
			STR_ARG(core), share, util);
		break;
	}
	case CAUSE_BANK: {
		struct str bank = ops_text(c->table, OPS_DRAM_BANK, call->row);
		double ns = 0, others = 0;

		(void)slow_bank(c, call, &ns, &others);
		buf_printf(b, "the DRAM bank at %.*s is slow: reads that wait for it take ",
			   STR_ARG(bank));
		label_ns(b, ns);
		buf_text(b, " and more, for the others ");
		label_ns(b, others);
		buf_text(
			b,
			": spread pages evenly over all banks; if they are, the bank itself is slow");
		break;
	}
	case CAUSE_DATA:
		tell_waits_for_data(b, c, call);
		break;
	}
}
