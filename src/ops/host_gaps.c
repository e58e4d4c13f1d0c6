// SPDX-License-Identifier: Apache-2.0
#include "ops/host_gaps.h"

#include <stdlib.h>

#include "base/order.h"

struct launch {
	int64_t pid;
	double start_ns, end_ns;
	uint32_t row;
};

ORDER_BY(by_process, struct launch, pid, start_ns, row)

/* The same op on one more device, right behind it. */
static bool goes_on(const struct ops_table *t, uint32_t first, uint32_t last, uint32_t row)
{
	int64_t a, b, c;

	return str_eq(ops_text(t, OPS_OP_CODE, last), ops_text(t, OPS_OP_CODE, row)) &&
	       ops_i64(t, OPS_DEVICE_ID, first, &a) && ops_i64(t, OPS_DEVICE_ID, last, &b) &&
	       ops_i64(t, OPS_DEVICE_ID, row, &c) && c != a && c != b;
}

void host_gaps_find(struct host_gaps *g, const struct ops_table *t)
{
	struct launch *l = mem_alloc(t->rows + 1, sizeof(*l));
	double end_ns = 0;
	size_t n = 0, first = 0, earliest = 0;

	*g = (struct host_gaps){ .of_row = mem_alloc(t->rows + 1, sizeof(*g->of_row)),
				 .before = HOST_GAP_NONE };
	for (uint32_t row = 0; row < t->rows; row++) {
		double start, took;
		int64_t pid = 0;

		g->of_row[row] = HOST_GAP_NONE;
		if (ops_row_is(t, row, OPS_ROW_DEVICE_OP) && !ops_row_is(t, row, OPS_ROW_REPLAY) &&
		    ops_real(t, OPS_HOST_START, row, &start) &&
		    ops_real(t, OPS_HOST_DURATION, row, &took) && took >= 0)
			l[n++] = (struct launch){ ops_i64(t, OPS_PROCESS, row, &pid) ? pid : 0,
						  start, start + took, row };
	}
	if (n)
		qsort(l, n, sizeof(*l), by_process);
	for (size_t i = 0; i < n; i++) {
		bool behind = i && l[i].pid == l[i - 1].pid;

		earliest = l[i].start_ns < l[earliest].start_ns ? i : earliest;
		if (behind && goes_on(t, l[first].row, l[i - 1].row, l[i].row)) {
			g->of_row[l[i].row] = g->of_row[l[first].row];
			end_ns = l[i].end_ns > end_ns ? l[i].end_ns : end_ns;
			continue;
		}
		first = i;
		if (behind && end_ns < l[i].end_ns) {
			g->of_row[l[i].row] = (uint32_t)g->all.len;
			*vec_push(&g->all) = (struct host_gap){ .from_ns = end_ns,
								.to_ns = l[i].end_ns,
								.pid = l[i].pid,
								.zone = HOST_GAP_NONE,
								.own_zone = HOST_GAP_NONE,
								.own_from = HOST_GAP_NONE };
		}
		end_ns = l[i].end_ns;
	}
	if (n) {
		g->before = (uint32_t)g->all.len;
		*vec_push(&g->all) = (struct host_gap){ .from_ns = 0, /* of the trace */
							.to_ns = l[earliest].start_ns,
							.pid = l[earliest].pid,
							.zone = HOST_GAP_NONE,
							.own_zone = HOST_GAP_NONE,
							.own_from = HOST_GAP_NONE };
	}
	free(l);
}

void host_gaps_release(struct host_gaps *g)
{
	vec_release(&g->all);
	intern_release(&g->names);
	vec_each (place, &g->places)
		buf_release(place);
	vec_release(&g->places);
	free(g->of_row);
	*g = (struct host_gaps){ 0 };
}

const struct host_gap *host_gap_before(const struct host_gaps *g)
{
	return g && g->known && g->before < g->all.len ? &g->all.at[g->before] : NULL;
}

const struct host_gap *host_gap_of(const struct host_gaps *g, size_t row)
{
	return g && g->known && g->of_row && g->of_row[row] != HOST_GAP_NONE
		       ? &g->all.at[g->of_row[row]]
		       : NULL;
}

static struct str zone_name(const struct host_gaps *g, uint32_t zone)
{
	return zone != HOST_GAP_NONE ? intern_get(&g->names, zone) : str_n("", 0);
}

struct str host_gap_zone(const struct host_gaps *g, const struct host_gap *gap)
{
	return zone_name(g, gap ? gap->zone : HOST_GAP_NONE);
}

struct str host_gap_own_zone(const struct host_gaps *g, const struct host_gap *gap)
{
	return zone_name(g, gap ? gap->own_zone : HOST_GAP_NONE);
}

struct str host_gap_own_place(const struct host_gaps *g, const struct host_gap *gap)
{
	return gap && gap->own_zone < g->places.len ? buf_view(&g->places.at[gap->own_zone])
						    : str_n("", 0);
}

struct str host_gap_own_from(const struct host_gaps *g, const struct host_gap *gap)
{
	return zone_name(g, gap ? gap->own_from : HOST_GAP_NONE);
}
