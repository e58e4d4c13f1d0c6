// SPDX-License-Identifier: Apache-2.0
#include "markers/counters/counter_metrics.h"

#include <math.h>
#include <string.h>

/* Of a counter that the device never recorded; one that only this core did not record is unknown. */
static double unrecorded(const struct metric_core *k)
{
	return k->facts->rules->unrecorded_is_0 ? 0 : NAN;
}

static double value(const struct metric_core *k, enum counter_type c)
{
	return k->facts->occurs[c] ? k->cell[k->facts->by_type[c]].value : unrecorded(k);
}

static double reference(const struct metric_core *k, enum counter_type c)
{
	return k->facts->occurs[c] ? k->cell[k->facts->by_type[c]].reference : unrecorded(k);
}

static double share(double a, double b)
{
	return b == 0 ? NAN : a / b;
}

static double ratio(double a, double b)
{
	return share(a, b) * 100;
}

/* A share of what was asked. */
static double at_least_0(const struct metric_core *k, double v, double asked)
{
	if (isnan(v) && k->facts->rules->unknown_loss_is_0 && asked > 0)
		return 0;
	return v < 0 ? 0 : v;
}

/* What of the requests was not granted. */
static double lost_of(const struct metric_core *k, double asked, double got)
{
	if (k->facts->rules->infinite_loss_is_0 && asked == 0 && got > 0)
		return 0;
	return at_least_0(k, ratio(asked - got, asked), asked);
}

/* The same, and below 0 where more was granted than asked. */
static double lost_or_more(double asked, double got)
{
	return ratio(asked - got, asked);
}

static double pressure2_of(const struct metric_core *k, double asked0, double got0, double asked1,
			   double got1)
{
	return at_least_0(k, ratio((asked0 - got0) + (asked1 - got1), asked0 + asked1),
			  asked0 + asked1);
}

static double mean2(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : (a + b) / 2;
}

#define V(c) value(k, C_##c)
#define R(c) reference(k, C_##c)

/* Mean pressure of five ports; a port that asks for nothing makes none. */
static double contention(const struct metric_core *k)
{
	static const struct {
		enum counter_type asked, got;
	} ports[5] = {
		{ C_L1_0_UNPACKER_0, C_L1_0_UNPACKER_0_GRANT },
		{ C_L1_0_NOC_RING0_OUTGOING_0, C_L1_0_NOC_RING0_OUTGOING_0_GRANT },
		{ C_L1_0_NOC_RING0_OUTGOING_1, C_L1_0_NOC_RING0_OUTGOING_1_GRANT },
		{ C_L1_0_NOC_RING0_INCOMING_0, C_L1_0_NOC_RING0_INCOMING_0_GRANT },
		{ C_L1_0_NOC_RING0_INCOMING_1, C_L1_0_NOC_RING0_INCOMING_1_GRANT },
	};
	double sum = 0;
	int n = 0;

	for (int i = 0; i < 5; i++) {
		double p;

		if (k->facts->rules->recorded_ports_count &&
		    (!k->facts->occurs[ports[i].asked] || !k->facts->occurs[ports[i].got]))
			continue;
		p = lost_of(k, value(k, ports[i].asked), value(k, ports[i].got));

		if (isnan(p)) {
			if (k->facts->rules->recorded_ports_count)
				return NAN;
			continue;
		}
		sum += p;
		n++;
	}
	return n ? sum / n : NAN;
}

static double overlap(const struct metric_core *k, int thread)
{
	static const enum counter_type first[] = {
		C_WAITING_FOR_THCON_IDLE_0,  C_WAITING_FOR_UNPACK_IDLE_0,
		C_WAITING_FOR_PACK_IDLE_0,   C_WAITING_FOR_MATH_IDLE_0,
		C_WAITING_FOR_NONZERO_SEM_0, C_WAITING_FOR_NONFULL_SEM_0,
		C_WAITING_FOR_MOVE_IDLE_0,   C_WAITING_FOR_MMIO_IDLE_0,
		C_WAITING_FOR_SFPU_IDLE_0,
	};
	double sum = 0, stalls = value(k, (enum counter_type)(C_THREAD_STALLS_0 + thread));

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		sum += value(k, (enum counter_type)(first[i] + (unsigned)thread));
	return k->facts->rules->overlap_is_factor ? share(sum, stalls) : ratio(sum, stalls);
}

static double imbalance(const struct metric_core *k)
{
	double busy[4] = { V(PACKER_BUSY_0), V(PACKER_BUSY_1), V(PACKER_BUSY_2), V(PACKER_BUSY) };
	double low = INFINITY, high = -INFINITY;

	if (k->facts->rules->first_packer_counts && isnan(busy[0]))
		return NAN;
	for (int i = 0; i < 4; i++) {
		low = busy[i] < low ? busy[i] : low;
		high = busy[i] > high ? busy[i] : high;
	}
	return ratio(high - low, high);
}

static enum counter_type packer_port(const struct metric_facts *f)
{
	return f->occurs[C_L1_0_UNIFIED_PACKER] ? C_L1_0_UNIFIED_PACKER
						: C_L1_0_UNPACKER_1_ECC_PACK1;
}

double metric_grant_ratio(const struct metric_core *k)
{
	return share(V(L1_0_UNPACKER_0_GRANT), V(L1_0_UNPACKER_0));
}

#define lost(asked, got)      lost_of(k, asked, got)
#define pressure2(a, b, c, d) pressure2_of(k, a, b, c, d)
#define ref(c)                (share(V(c), R(c)) * 100)
#define ref2(a, b)            (share((V(a) + V(b)) / 2, R(a)) * 100)
#define ANY(c)                (k->facts->total[C_##c] > 0)
#define LOSS(a, b)            (k->facts->rules->loss_may_be_negative ? lost_or_more(a, b) : lost(a, b))
#define PACKER_PORT           value(k, packer_port(k->facts))
#define PACKER_PORT_UTIL      (share(PACKER_PORT, reference(k, packer_port(k->facts))) * 100)
#define NOC_OUT               (V(L1_0_NOC_RING0_OUTGOING_0) + V(L1_0_NOC_RING0_OUTGOING_1))
#define NOC_IN                (V(L1_0_NOC_RING0_INCOMING_0) + V(L1_0_NOC_RING0_INCOMING_1))
#define TDMA_BUNDLES          (V(L1_0_TDMA_BUNDLE_0_RISC) + V(L1_0_TDMA_BUNDLE_1_TRISC))
/* of ports that were recorded */
#define TOLD(c) (k->facts->occurs[C_##c] ? V(c) : 0)
#define TOLD_PORTS                                                                             \
	(TOLD(L1_0_UNPACKER_0) + (k->facts->occurs[packer_port(k->facts)] ? PACKER_PORT : 0) + \
	 (TOLD(L1_0_TDMA_BUNDLE_0_RISC) + TOLD(L1_0_TDMA_BUNDLE_1_TRISC)) +                    \
	 (TOLD(L1_0_NOC_RING0_OUTGOING_0) + TOLD(L1_0_NOC_RING0_OUTGOING_1)) +                 \
	 (TOLD(L1_0_NOC_RING0_INCOMING_0) + TOLD(L1_0_NOC_RING0_INCOMING_1)))
#define UNPACKER_GRANTS_ARE_TRUE k->facts->unpacker_grants
/* two counters for the same */
#define SRCB_WRITTEN \
	(k->facts->rules->srcb_by_writes ? V(SRCB_WRITE_ACTUAL) : V(SRCB_WRITE_NOT_BLOCKED_PORT))

double metric_value(enum metric m, const struct metric_core *k)
{
	switch (m) {
#define METRIC(name, unit, when, needs, expression) \
	case METRIC_AT(__LINE__):                   \
		return expression;
#include "markers/counters/counter_metrics.def"
#undef METRIC
	case METRICS:
		break;
	}
	return NAN;
}

const struct metric_info metric_info[METRICS] = {
#define IS_RATE_RATE                                true
#define IS_RATE_PERCENT                             false
#define IS_LATE_LATE                                true
#define IS_LATE_ALWAYS                              false
#define METRIC(name, unit, when, needs, expression) { name, IS_RATE_##unit, IS_LATE_##when },
#include "markers/counters/counter_metrics.def"
#undef METRIC
};

static bool all_of(const bool *have, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!have[i])
			return false;
	return true;
}

bool metric_needs_are_met(enum metric m, const struct metric_facts *f)
{
	switch (m) {
#define C(c)        f->occurs[C_##c]
#define PORT        (f->occurs[C_L1_0_UNIFIED_PACKER] || f->occurs[C_L1_0_UNPACKER_1_ECC_PACK1])
#define ALL_OF(...) all_of((const bool[]){ __VA_ARGS__ }, sizeof((const bool[]){ __VA_ARGS__ }))
#define METRIC(name, unit, when, needs, expression) \
	case METRIC_AT(__LINE__):                   \
		return ALL_OF needs;
#include "markers/counters/counter_metrics.def"
#undef METRIC
	case METRICS:
		break;
	}
	return false;
}

bool metric_is_dead(enum metric m, const struct metric_facts *f)
{
	const char *name = metric_info[m].name;

	return (!strcmp(name, "Math Dest Write Port Stall Rate") &&
		f->total[C_MATH_NOT_STALLED_DEST_WR_PORT] <= 0) ||
	       (!strcmp(name, "L1 Unpacker Backpressure") && !f->unpacker_grants);
}

static bool exists(enum metric m, const struct metric_facts *f)
{
	return metric_needs_are_met(m, f) && !metric_is_dead(m, f) &&
	       (strcmp(metric_info[m].name, "Math Pipeline Utilization") ||
		f->total[C_MATH_INSTRN_STARTED] > 0);
}

const struct counter_rules counter_rules = { .exists = exists };
