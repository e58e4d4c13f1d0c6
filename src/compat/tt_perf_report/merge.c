// SPDX-License-Identifier: Apache-2.0
/* Rows of several devices become one row per op. */
#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/steps_of_run.h"

struct queue {
	int64_t device;
	VEC(uint32_t) rows;
	size_t next; /* that waits */
};

struct merging {
	struct compat_run *r;
	VEC(struct queue) queues; /* by device, ascending */
	uint8_t *take;            /* per row: enum take */
	struct u64map mean_of;    /* row -> number in means */
	VEC(double) means;
	VEC(uint8_t) collective; /* per string: 0 not known yet, 1 no, 2 yes */
	VEC(uint32_t) turn;      /* rows of this round */
	VEC(size_t) skipped;     /* queues that have another op now */
};
enum take { TAKE_NOT, TAKE_AS_IS, TAKE_MEAN };

static double took_ns(const struct compat_run *r, size_t row)
{
	enum pandas_kind kind = compat_kinds(r, row)->took;

	return r->v->careful ? compat_finite(r, OPS_DURATION, kind, row)
			     : compat_real(r, OPS_DURATION, kind, row);
}

/* What a row counts with beside those of other devices. */
static double valid_ns(const struct compat_run *r, size_t row)
{
	double v = took_ns(r, row);

	return compat_is_invalid(r, row, v) ? (double)NAN : v;
}

static uint32_t code_of(const struct compat_run *r, uint32_t row)
{
	return r->t.column[OPS_OP_CODE].text[row];
}

static uint64_t bits_of(double v)
{
	uint64_t bits;

	v += 0.0; /* -0 is 0 */
	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static size_t count_devices(const struct compat_run *r)
{
	SCOPED(u64map) struct u64map seen = { 0 };

	vec_each (row, &r->order) {
		double d = compat_device(r, *row);

		if (!isnan(d))
			u64map_put(&seen, bits_of(d), 0);
	}
	return seen.entries.len;
}

ORDER_BY(by_device, struct queue, device)

static void say_no_device(struct compat_run *r, uint32_t row)
{
	if (!r->v->careful)
		compat_fault(r, FAULT_NO_DEVICE, row);
	else
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: %.*s has no usable DEVICE ID and was not merged across devices.",
			STR_ARG(compat_op_code(r, row)));
}

/* Device ops wait in their queue, all other rows are taken as they are.  False: no device op. */
static bool fill_queues(struct merging *m)
{
	struct compat_run *r = m->r;
	const uint32_t *types = r->t.column[OPS_OP_TYPE].text;
	uint32_t device_op = intern_find(&r->t.strings, STR("tt_dnn_device"));
	SCOPED(u64map) struct u64map index = { 0 };

	vec_each (row, &r->order) {
		double d = compat_device(r, *row);
		uint32_t n;

		if (!compat_is_device(r, d) || (types && types[*row] != device_op)) {
			if (types && types[*row] == device_op)
				say_no_device(r, *row);
			m->take[*row] = TAKE_AS_IS;
			continue;
		}
		n = keyed_at(&index, (uint64_t)(int64_t)d, &m->queues,
			     (struct queue){ .device = (int64_t)d });
		*vec_push(&m->queues.at[n].rows) = *row;
	}
	vec_sort(&m->queues, by_device);
	return m->queues.len > 0;
}

static bool is_collective(struct merging *m, uint32_t code)
{
	uint8_t *known = &m->collective.at[code];
	struct str s = ops_string(&m->r->t, code);

	if (!*known)
		*known = str_has(s, STR("AllGather")) || str_has(s, STR("ReduceScatter")) ||
					 str_has(s, STR("AllReduce"))
				 ? 2
				 : 1;
	return *known == 2;
}

static void take_mean(struct merging *m)
{
	struct py_sum sum = { 0 };
	size_t count = 0;

	vec_each (row, &m->turn) {
		double v = valid_ns(m->r, *row);

		if (isnan(v))
			continue;
		py_sum_add(&sum, v);
		count++;
	}
	u64map_put(&m->mean_of, m->turn.at[0], (uint32_t)m->means.len);
	*vec_push(&m->means) = count ? py_sum_value(&sum) / (double)count : (double)NAN;
	m->take[m->turn.at[0]] = TAKE_MEAN;
}

static void take_slowest(struct merging *m)
{
	uint32_t best = m->turn.at[0];
	double most = valid_ns(m->r, best);

	vec_each (row, &m->turn) {
		double v = valid_ns(m->r, *row);

		/* since 1.3 a row without a time stands behind all that have one */
		if (v > most || (m->r->v->careful && isnan(most) && !isnan(v))) {
			best = *row;
			most = v;
		}
	}
	m->take[best] = TAKE_AS_IS;
}

static void warn_skipped(struct merging *m, uint32_t code, size_t round)
{
	SCOPED(buf) struct buf ids = { 0 };

	vec_each (q, &m->skipped)
		buf_printf(&ids, "%s%lld", ids.len ? ", " : "", (long long)m->queues.at[*q].device);
	compat_say(
		m->r, COLOUR_YELLOW,
		"Warning: %.*s at index %zu not present in CSV for %zu devices [%s] - do not trust data for this op or directly subsequent ops with the same name",
		STR_ARG(ops_string(&m->r->t, code)), round, m->skipped.len, ids.at);
}

/* One op of every device that has it next.  False when all queues are empty. */
static bool take_round(struct merging *m, size_t round)
{
	bool fixed = false;
	uint32_t code = 0;
	bool any = false;

	vec_each (q, &m->queues)
		any |= q->next < q->rows.len;
	if (!any)
		return false;
	vec_clear(&m->turn);
	vec_clear(&m->skipped);
	vec_each (q, &m->queues) {
		if (q->next == q->rows.len) {
			compat_say(m->r, COLOUR_YELLOW,
				   "Warning: Device %lld is missing operation %.*s at index %zu",
				   (long long)q->device,
				   STR_ARG(fixed ? ops_string(&m->r->t, code) : STR("None")),
				   round);
			continue;
		}
		if (!fixed)
			code = code_of(m->r, q->rows.at[q->next]);
		fixed = true;
		if (code_of(m->r, q->rows.at[q->next]) == code)
			*vec_push(&m->turn) = q->rows.at[q->next++];
		else
			*vec_push(&m->skipped) = (size_t)(q - m->queues.at);
	}
	if (m->skipped.len)
		warn_skipped(m, code, round);
	if (is_collective(m, code))
		take_mean(m);
	else
		take_slowest(m);
	return true;
}

static void add_pick(struct compat_run *r, uint32_t row, double took)
{
	*vec_push(&r->picks) = (struct pick){ took, row };
}

static void merge(struct compat_run *r)
{
	struct merging m = { .r = r };
	size_t strings = intern_count(&r->t.strings);

	m.take = mem_zero(r->t.rows ? r->t.rows : 1, sizeof(*m.take));
	if (fill_queues(&m) || r->v->careful) {
		vec_reserve(&m.collective, strings);
		memset(m.collective.at, 0, strings);
		m.collective.len = strings;
		for (size_t round = 0; take_round(&m, round); round++)
			;
		/* the order of the files, not that of time */
		for (uint32_t row = 0; row < r->t.rows; row++) {
			uint32_t mean;

			if (m.take[row] == TAKE_AS_IS)
				add_pick(r, row, took_ns(r, row));
			else if (m.take[row] == TAKE_MEAN && u64map_get(&m.mean_of, row, &mean))
				add_pick(r, row, m.means.at[mean]);
		}
	}
	free(m.take);
	vec_release_with(&m.queues, rows);
	RELEASE(vec, &m.means, &m.collective, &m.turn, &m.skipped);
	u64map_release(&m.mean_of);
}

void compat_merge_devices(struct compat_run *r)
{
	size_t devices = count_devices(r);

	if (devices > 1 && r->args.no_merge_devices) {
		compat_say(r, COLOUR_CYAN,
			   "Detected data from %zu devices. Keeping separate device data...",
			   devices);
	} else if (!devices) {
		compat_say(r, COLOUR_YELLOW, "No device operations found in the CSV data.");
	} else {
		compat_say(r, COLOUR_CYAN, "Detected data from %zu devices. Merging device data...",
			   devices);
		merge(r);
		vec_release(&r->order);
		return;
	}
	vec_reserve(&r->picks, r->order.len);
	vec_each (row, &r->order)
		add_pick(r, *row, took_ns(r, *row));
	vec_release(&r->order);
}
