// SPDX-License-Identifier: Apache-2.0
#include "report/slow_device.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "report/align.h"
#include "report/gap_parts.h"

struct device_sum {
	int64_t device, rank, pid;
	double busy_ns, gap_ns;
};

typedef VEC(struct device_sum) sum_vec;

static double all_of(const struct device_sum *s)
{
	return s->busy_ns + s->gap_ns;
}

/* Ops that all devices run, each by itself: in collectives the fast wait for the slow, and so all take the same time. */
static bool counts(const struct calls *c, const struct call *call)
{
	return call->devices == c->devices && !(call->flags & CALL_HOST) &&
	       call_kind(c, call)->roof.work.family != FAMILY_COLLECTIVE;
}

static void add_row(const struct calls *c, const struct call *call, uint32_t row,
		    struct u64map *index, sum_vec *sums)
{
	const struct ops_table *t = c->table;
	size_t known = sums->len;
	struct device_sum *s;
	int64_t device;
	double ns;

	if (!row_device(t, row, &device))
		return;
	device += (int64_t)(ops_file_of(t, row) - t->files.at) << 32;
	s = keyed_item(index, (uint64_t)device, sums,
		       (struct device_sum){ .device = device, .rank = -1, .pid = -1 });
	(void)ops_i64(t, OPS_RANK, row, &s->rank);
	(void)ops_i64(t, OPS_PROCESS, row, &s->pid);
	if (!(call->flags & CALL_MARKER) && row_ns(&c->times, OPS_DURATION, row, &ns) && ns > 0)
		s->busy_ns += ns;
	/* before its first op a device waited for no other of these */
	if (known == sums->len && !(call->flags & CALL_PAUSE) && !call_builds(call))
		s->gap_ns += row_own_gap(c, call, row);
}

static int by_time(const void *a, const void *b)
{
	double x = all_of(a), y = all_of(b);

	return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b)
{
	const struct device_sum *x = a, *y = b;

	return (x->device > y->device) - (x->device < y->device);
}

enum { NAMES_SHOWN = 8 };

static void name_all(struct slow_device *found, const sum_vec *sums, size_t slow)
{
	struct device_sum *those = sums->at + sums->len - slow;

	qsort(those, slow, sizeof(*those), by_number);
	for (size_t i = 0; i < slow && i < NAMES_SHOWN; i++)
		buf_printf(&found->names, "%s%lld", i ? ", " : "",
			   (long long)(those[i].rank >= 0 ? those[i].rank
							  : those[i].device & INT32_MAX));
	if (slow > NAMES_SHOWN)
		buf_printf(&found->names, " and %zu more", slow - NAMES_SHOWN);
}

bool slow_device_find(const struct calls *c, struct slow_device *found)
{
	SCOPED(u64map) struct u64map index = { 0 };
	SCOPED(vec) sum_vec sums = { 0 };
	const struct device_sum *last, *second, *middle;
	size_t slow = 1;

	if (c->devices < 2 || c->unlike || !c->call_of_row)
		return false;
	for (uint32_t row = 0; row < c->table->rows; row++) {
		uint32_t n = c->call_of_row[row];

		if (n != UINT32_MAX && counts(c, &c->all.at[n]))
			add_row(c, &c->all.at[n], row, &index, &sums);
	}
	if (sums.len < 2)
		return false;
	vec_sort(&sums, by_time);
	last = &sums.at[sums.len - 1];
	second = &sums.at[sums.len - 2];
	middle = &sums.at[(sums.len - 1) / 2];
	/* where several are alike slow, no single one is to blame */
	if (second != middle && all_of(second) >= SLOW_DEVICE_TIMES * all_of(middle) &&
	    2 * all_of(second) > all_of(last))
		while (slow < sums.len &&
		       all_of(&sums.at[sums.len - 1 - slow]) >= SLOW_DEVICE_TIMES * all_of(middle))
			slow++;
	if (2 * slow > sums.len)
		return false;
	*found = (struct slow_device){ .device = last->device & INT32_MAX,
				       .file = (uint32_t)(last->device >> 32),
				       .rank = last->rank,
				       .pid = last->pid,
				       .devices = (unsigned)sums.len,
				       .more_busy_ns = last->busy_ns - middle->busy_ns,
				       .more_gap_ns = last->gap_ns - middle->gap_ns };
	found->slow = (unsigned)slow;
	found->more_busy_ns = found->more_gap_ns = 0;
	for (size_t i = sums.len - slow; i < sums.len; i++) {
		found->more_busy_ns += (sums.at[i].busy_ns - middle->busy_ns) / (double)slow;
		found->more_gap_ns += (sums.at[i].gap_ns - middle->gap_ns) / (double)slow;
	}
	found->times = all_of(middle) > 0 ? all_of(last) / all_of(middle) : 0;
	if (found->times < SLOW_DEVICE_TIMES)
		return false;
	if (slow > 1)
		name_all(found, &sums, slow);
	return true;
}
