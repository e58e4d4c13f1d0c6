// SPDX-License-Identifier: Apache-2.0
#include "report/gone_device.h"

#include "base/keyed.h"
#include "report/align.h"

enum {
	WHOLE_PERCENT = 99, /* of the most that a device has: the others, half of all at least */
	GONE_PERCENT = 90,  /* one that has less has stopped, */
	UNTIL_PERCENT = 95, /* if up to its last op it has nearly all */
};

struct device_ops {
	int64_t device, rank;
	uint32_t n, last; /* `last`: index of the call, counted in calls of devices */
	uint32_t last_id;
	int64_t counted; /* the largest GLOBAL CALL COUNT; 0: none */
};

typedef VEC(struct device_ops) ops_vec;

/* Calls of devices, in their order; UINT32_MAX: it is none. */
static uint32_t *number_calls(const struct calls *c)
{
	uint32_t *number = mem_alloc(c->all.len + 1, sizeof(*number)), n = 0;

	for (size_t i = 0; i < c->all.len; i++)
		number[i] = c->all.at[i].flags & (CALL_HOST | CALL_MARKER) ? UINT32_MAX : n++;
	return number;
}

static void count(const struct calls *c, ops_vec *all)
{
	SCOPED(mem) uint32_t *number = number_calls(c);
	SCOPED(u64map) struct u64map index = { 0 };
	const struct ops_table *t = c->table;

	for (uint32_t row = 0; row < t->rows; row++) {
		uint32_t call = c->call_of_row[row];
		struct device_ops *d;
		int64_t device, counted;

		if (call == UINT32_MAX || number[call] == UINT32_MAX ||
		    !row_device(t, row, &device))
			continue;
		device += (int64_t)(ops_file_of(t, row) - t->files.at) << 32;
		d = keyed_item(&index, (uint64_t)device, all,
			       (struct device_ops){ .device = device, .rank = -1 });
		(void)ops_i64(t, OPS_RANK, row, &d->rank);
		if (ops_i64(t, OPS_GLOBAL_CALL_COUNT, row, &counted) && counted > d->counted)
			d->counted = counted;
		d->n++;
		if (d->n == 1 || number[call] > d->last) {
			d->last = number[call];
			d->last_id = c->all.at[call].id;
		}
	}
}

/* Rows that are missing here and there look the same, laid side by side; but its numbers go on as far as all others'. */
static bool is_gone(const struct device_ops *d, uint32_t most, int64_t counted)
{
	if (counted && (double)d->counted * 100 >= (double)counted * UNTIL_PERCENT)
		return false;
	return (uint64_t)d->n * 100 < (uint64_t)most * GONE_PERCENT &&
	       (uint64_t)d->n * 100 >= ((uint64_t)d->last + 1) * UNTIL_PERCENT;
}

static void add(struct findings *f, const struct calls *c, const struct device_ops *d,
		uint32_t most)
{
	struct buf b = { 0 }, advice = { 0 };

	if (d->rank >= 0)
		buf_printf(&b, "rank %lld (device %lld)", (long long)d->rank,
			   (long long)(d->device & INT32_MAX));
	else
		buf_printf(&b, "device %lld", (long long)(d->device & INT32_MAX));
	if (c->table->files.len > 1)
		buf_printf(&b, " of %s", c->table->files.at[d->device >> 32].in.name);
	buf_printf(
		&b,
		" has %u of %u ops, and none after op %u: it ended before the others, or its log did",
		d->n, most, d->last_id);
	buf_text(&advice,
		 "see how its program ended; what follows that op is of the other devices alone");
	*vec_push(&f->all) = (struct finding){ .what = FINDING_GONE,
					       .calls = most - d->n,
					       .id = d->last_id,
					       .text = b.at,
					       .advice = advice.at };
}

void gone_devices_add(struct findings *f, const struct calls *c)
{
	SCOPED(vec) ops_vec all = { 0 };
	uint32_t most = 0, whole = 0;
	int64_t counted = 0;

	if (c->devices < 2 || c->unlike || !c->call_of_row)
		return;
	count(c, &all);
	vec_each (d, &all) {
		most = d->n > most ? d->n : most;
		counted = d->counted > counted ? d->counted : counted;
	}
	vec_each (d, &all)
		whole += (uint64_t)d->n * 100 >= (uint64_t)most * WHOLE_PERCENT;
	if (2 * (size_t)whole < all.len)
		return;
	vec_each (d, &all)
		if (is_gone(d, most, counted))
			add(f, c, d, most);
}
