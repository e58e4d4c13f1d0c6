// SPDX-License-Identifier: Apache-2.0
#include "report/align.h"

#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/map.h"

enum {
	PROGRAM_SHIFT = 10, /* tt-metal tools/profiler/op_profiler.hpp: low bits hold the device */
	DEVICE_MASK = (1 << PROGRAM_SHIFT) - 1,
	LOOK_AHEAD = 64,
	DEVICES_MAX = 1 << 20, /* a number beyond is a damaged cell */
	AGREE_MAX = 32,        /* names in a row that prove a position right */
};

struct device {
	int64_t id;
	VEC(uint32_t) rows; /* in time order */
};

typedef VEC(struct device) device_vec;

/* Files of several hosts number their devices from 0 each: make room between them. */
static int64_t device_stride(const struct ops_table *t)
{
	int64_t most = -1, id;

	if (t->files.len < 2)
		return 0;
	for (size_t i = 0; i < t->rows; i++)
		if (row_device(t, i, &id) && id > most)
			most = id;
	return most + 1;
}

bool row_device(const struct ops_table *t, size_t row, int64_t *device)
{
	return ops_i64(t, OPS_DEVICE_ID, row, device) && *device >= 0 && *device < DEVICES_MAX;
}

/* Program and device can be distinguished in every row's call count. */
static bool counts_name_programs(const struct ops_table *t, const uint32_t *rows, size_t n)
{
	bool some = false;

	for (size_t i = 0; i < n; i++) {
		int64_t count, device;

		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP))
			continue;
		if (!row_device(t, rows[i], &device))
			continue;
		if (!ops_i64(t, OPS_GLOBAL_CALL_COUNT, rows[i], &count) || count < 0 ||
		    (count & DEVICE_MASK) != device)
			return false;
		some |= count > DEVICE_MASK;
	}
	return some;
}

/* Device of a row, those of later files counted on by `stride`. */
static int64_t device_of(const struct ops_table *t, uint32_t row, int64_t stride)
{
	int64_t id = 0;

	row_device(t, row, &id);
	return stride ? id + stride * (ops_file_of(t, row) - t->files.at) : id;
}

/* How often this key was asked for before. */
static uint32_t count_before(struct u64map *seen, const void *key, size_t len)
{
	uint64_t hash = str_hash(str_n(key, len));
	uint32_t n = 0;

	u64map_get(seen, hash, &n);
	u64map_put(seen, hash, n + 1);
	return n;
}

/*
 * A program that a device ran twice under the same numbers (replays, in a report that doesn't number
 * them) is as many calls: the n-th of each device belong together.
 */
static void align_by_program(struct alignment *a, const struct ops_table *t, const uint32_t *rows,
			     size_t n, int64_t stride)
{
	struct u64map calls = { 0 }, runs = { 0 };

	for (size_t i = 0; i < n; i++) {
		int64_t key[4] = { 0, -1, -1, 0 };
		uint32_t row = rows[i];
		bool added;

		if (!ops_row_is(t, row, OPS_ROW_DEVICE_OP) || a->call_of_row[row] != ALIGN_NONE)
			continue;
		ops_i64(t, OPS_GLOBAL_CALL_COUNT, row, &key[0]);
		ops_i64(t, OPS_TRACE_ID, row, &key[1]);
		ops_i64(t, OPS_SESSION_ID, row, &key[2]);
		key[0] >>= PROGRAM_SHIFT;
		key[3] = device_of(t, row, stride);
		key[3] = count_before(&runs, key, sizeof(key));
		a->call_of_row[row] = u64map_get_or_put(
			&calls, str_hash(str_n((const char *)key, sizeof(key))), a->calls, &added);
		a->calls += added;
	}
	u64map_release(&calls);
	u64map_release(&runs);
}

static uint32_t name_of(const struct ops_table *t, uint32_t row)
{
	return t->column[OPS_OP_CODE].text ? t->column[OPS_OP_CODE].text[row] : 0;
}

/*
 * Every device does the same, under numbers of its own: of as many rows in a row as there are devices, each is of another
 * one, and all have one name.  Stages of a pipeline don't come so.
 */
static bool in_lockstep(const struct ops_table *t, const uint32_t *rows, size_t n, int64_t stride,
			size_t devices)
{
	struct u64map programs = { 0 }, round = { 0 };
	uint32_t name = 0;
	size_t k = 0;
	bool same = true;

	for (size_t i = 0; same && i < n; i++) {
		int64_t count = 0, device;
		bool added, fresh;

		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP))
			continue;
		device = device_of(t, rows[i], stride);
		(void)ops_i64(t, OPS_GLOBAL_CALL_COUNT, rows[i], &count);
		name = k % devices ? name : name_of(t, rows[i]);
		u64map_get_or_put(&programs, (uint64_t)count >> PROGRAM_SHIFT, 0, &added);
		u64map_get_or_put(&round, (uint64_t)device << 32 | k / devices, 0, &fresh);
		same = added && fresh && name_of(t, rows[i]) == name;
		k++;
	}
	u64map_release(&programs);
	u64map_release(&round);
	return same && k >= devices && k % devices == 0;
}

/* Names that agree from here on. */
static size_t agreement(const struct ops_table *t, const uint32_t *x, size_t nx, const uint32_t *y,
			size_t ny)
{
	size_t n = 0;

	while (n < nx && n < ny && n < AGREE_MAX && name_of(t, x[n]) == name_of(t, y[n]))
		n++;
	return n;
}

/*
 * How far to skip in both sequences to come to equal names: the position that gains most, names that agree
 * there less names skipped, and of these the nearest.  False: nowhere near.
 */
static bool resynchronise(const struct ops_table *t, const uint32_t *x, size_t nx,
			  const uint32_t *y, size_t ny, size_t *skip_x, size_t *skip_y)
{
	long best = -2 * LOOK_AHEAD;
	bool found = false;

	for (size_t both = 1; both <= 2 * LOOK_AHEAD && best < AGREE_MAX - (long)both; both++)
		for (size_t i = both > LOOK_AHEAD ? both - LOOK_AHEAD : 0;
		     i <= both && i <= LOOK_AHEAD && i < nx; i++) {
			size_t j = both - i, n;

			if (j >= ny)
				continue;
			n = agreement(t, x + i, nx - i, y + j, ny - j);
			if (n && (long)n - (long)both > best) {
				best = (long)n - (long)both;
				*skip_x = i;
				*skip_y = j;
				found = true;
			}
		}
	return found;
}

/*
 * The call of a row that the reference lacks: the same for all devices that have it.  Rows of one name
 * before the same position of the reference belong together, the n-th of each device.
 */
static uint32_t extra_call(struct alignment *a, const struct ops_table *t, struct u64map *extra,
			   size_t place, const uint32_t *rows, size_t k)
{
	uint64_t key[3] = { place, name_of(t, rows[k]), 0 };
	uint32_t n;
	bool added;

	for (size_t i = 0; i < k; i++)
		key[2] += name_of(t, rows[i]) == key[1];
	n = u64map_get_or_put(extra, str_hash(str_n((const char *)key, sizeof(key))), a->calls,
			      &added);
	a->calls += added;
	return n;
}

/* Lays one device's rows beside the reference's, whose calls are numbered already. */
static void lay_beside(struct alignment *a, const struct ops_table *t, struct u64map *extra,
		       const struct device *reference, const struct device *d)
{
	size_t i = 0, j = 0;

	while (j < d->rows.len) {
		size_t skip_i = 0, skip_j = 1;
		const uint32_t *x = reference->rows.at + i, *y = d->rows.at + j;
		size_t nx = reference->rows.len - i, ny = d->rows.len - j;

		if (nx && name_of(t, *x) == name_of(t, *y)) {
			a->call_of_row[*y] = a->call_of_row[*x];
			i++;
			j++;
			continue;
		}
		if (!resynchronise(t, x, nx, y, ny, &skip_i, &skip_j) && nx) {
			skip_i = 1; /* nothing agrees: go on side by side */
			skip_j = 1;
		}
		for (size_t k = 0; k < skip_j && k < ny; k++)
			a->call_of_row[y[k]] = extra_call(a, t, extra, i + skip_i, y, k);
		i += skip_i;
		j += skip_j;
	}
}

static size_t find_device(device_vec *devices, struct u64map *numbers, int64_t id)
{
	bool added;
	uint32_t n = u64map_get_or_put(numbers, (uint64_t)id, (uint32_t)devices->len, &added);

	if (added)
		*vec_push(devices) = (struct device){ .id = id };
	return n;
}

/* A process among the rows. */
struct running {
	int64_t pid;
	uint32_t program; /* its name; 0: not known */
	double first, last;
};

struct processes {
	VEC(struct running) all;
	bool ranked;
};

static void processes_find(struct processes *p, const struct ops_table *t, const uint32_t *rows,
			   size_t n)
{
	SCOPED(u64map) struct u64map index = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct running *r;
		int64_t pid, rank;
		double ns;

		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP) ||
		    !ops_i64(t, OPS_PROCESS, rows[i], &pid))
			continue;
		r = keyed_item(
			&index, (uint64_t)pid, &p->all,
			(struct running){ .pid = pid, .first = INFINITY, .last = -INFINITY });
		if (t->column[OPS_PROGRAM].text)
			r->program = t->column[OPS_PROGRAM].text[rows[i]];
		p->ranked |= ops_i64(t, OPS_RANK, rows[i], &rank);
		if (ops_real(t, OPS_HOST_START, rows[i], &ns)) {
			r->first = ns < r->first ? ns : r->first;
			r->last = ns > r->last ? ns : r->last;
		}
	}
}

/* No ranks of each other: other programs, or one after the other. */
static bool unrelated(const struct processes *p)
{
	double starts = -INFINITY, ends = INFINITY;

	if (p->ranked || p->all.len < 2)
		return false;
	vec_each (r, &p->all) {
		if (r->program != p->all.at[0].program)
			return true;
		if (r->first > r->last)
			continue; /* no time is known */
		starts = r->first > starts ? r->first : starts;
		ends = r->last < ends ? r->last : ends;
	}
	return ends < starts;
}

/*
 * At least half of the calls are on all devices but for a quarter: processes that do the same, one of which may have ended early.  Ranks
 * that are named so need less: half of the calls of the one that has fewest.
 */
static bool most_are_everywhere(const struct alignment *a, const uint32_t *rows, size_t n,
				const device_vec *devices, bool ranked)
{
	SCOPED(mem) uint32_t *on = mem_zero(a->calls + 1, sizeof(*on));
	size_t all = 0, of = a->calls, enough = a->devices - (ranked ? 0 : a->devices / 4);

	if (ranked)
		vec_each (d, devices)
			of = d->rows.len < of ? d->rows.len : of;

	for (size_t i = 0; i < n; i++)
		if (a->call_of_row[rows[i]] != ALIGN_NONE)
			on[a->call_of_row[rows[i]]]++;
	for (uint32_t i = 0; i < a->calls; i++)
		all += on[i] >= enough;
	return 2 * all >= of;
}

static void align_by_name(struct alignment *a, const struct ops_table *t, const device_vec *devices)
{
	struct u64map extra = { 0 };
	size_t longest = 0;

	for (size_t i = 1; i < devices->len; i++)
		if (devices->at[i].rows.len > devices->at[longest].rows.len)
			longest = i;
	vec_each (row, &devices->at[longest].rows)
		a->call_of_row[*row] = a->calls++;
	for (size_t i = 0; i < devices->len; i++)
		if (i != longest)
			lay_beside(a, t, &extra, &devices->at[longest], &devices->at[i]);
	u64map_release(&extra);
}

/* Rows of more than one device: one that names none can't be brought together with others. */
static bool devices_differ(const struct ops_table *t, const uint32_t *rows, size_t count)
{
	int64_t first = -1, id;

	for (size_t i = 0; i < count; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP) || !row_device(t, rows[i], &id))
			continue;
		if (first < 0)
			first = id;
		if (id != first)
			return true;
	}
	return t->files.len > 1 && first >= 0;
}

void align_devices(struct alignment *a, const struct ops_table *t, const uint32_t *rows,
		   size_t count, bool apart)
{
	bool several = devices_differ(t, rows, count);
	int64_t stride = device_stride(t);
	struct processes processes = { 0 };
	struct u64map numbers = { 0 };
	device_vec devices = { 0 };
	size_t last = 0;

	*a = (struct alignment){
		.call_of_row = mem_alloc(t->rows, sizeof(*a->call_of_row)),
		.opens_device = mem_zero(t->rows, sizeof(*a->opens_device)),
	};
	memset(a->call_of_row, 0xff, t->rows * sizeof(*a->call_of_row));
	for (size_t i = 0; i < count; i++) {
		int64_t id;

		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP))
			continue;
		if (several && !row_device(t, rows[i], &id)) {
			a->call_of_row[rows[i]] = a->calls++;
			a->opens_device[rows[i]] = true;
			continue;
		}
		id = several ? device_of(t, rows[i], stride) : 0;
		if (last >= devices.len || devices.at[last].id != id)
			last = find_device(&devices, &numbers, id);
		a->opens_device[rows[i]] = !devices.at[last].rows.len;
		*vec_push(&devices.at[last].rows) = rows[i];
	}
	a->devices = (unsigned)devices.len;
	a->several = several;
	a->single = apart || devices.len < 2;
	if (t->column[OPS_PROCESS].kind)
		processes_find(&processes, t, rows, count);
	if (a->single) {
		for (size_t i = 0; i < count; i++)
			if (ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP) &&
			    a->call_of_row[rows[i]] == ALIGN_NONE)
				a->call_of_row[rows[i]] = a->calls++;
	} else if (counts_name_programs(t, rows, count) && processes.all.len < 2 &&
		   !in_lockstep(t, rows, count, stride, devices.len)) {
		align_by_program(a, t, rows, count, stride);
	} else {
		align_by_name(a, t, &devices);
		a->unlike = processes.all.len > 1 &&
			    (unrelated(&processes) ||
			     !most_are_everywhere(a, rows, count, &devices, processes.ranked));
	}
	if (a->unlike) {
		memset(a->call_of_row, 0xff, t->rows * sizeof(*a->call_of_row));
		a->calls = 0;
		a->processes = (uint32_t)processes.all.len;
		align_by_program(a, t, rows, count, stride);
	}
	vec_release(&processes.all);
	vec_each (d, &devices)
		vec_release(&d->rows);
	vec_release(&devices);
	u64map_release(&numbers);
}

void alignment_release(struct alignment *a)
{
	free(a->call_of_row);
	free(a->opens_device);
	*a = (struct alignment){ 0 };
}
