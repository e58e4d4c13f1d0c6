// SPDX-License-Identifier: Apache-2.0
/*
 * Times between ops on each core: from the last end of a kernel to the first start of a data mover's in the
 * next op.  Rows are transitions "1024 -> 2048" in the order of their first core.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "ops/join/device_only.h"
#include "ops/py_text.h"

struct gap {
	uint64_t start, took;
	uint64_t from, to; /* op ids */
	uint32_t core;     /* of the sorted cores */
	bool taken;
};

typedef VEC(struct gap) gap_vec;

struct core_gaps {
	uint32_t core; /* number in `times->places` */
	gap_vec gaps;
	size_t next;
};

typedef VEC(struct core_gaps) core_vec;

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct op_times *t = ctx;
	const struct device_core *l = &t->places.at[((const struct core_gaps *)a)->core];
	const struct device_core *r = &t->places.at[((const struct core_gaps *)b)->core];

	if (l->x != r->x)
		return l->x < r->x ? -1 : 1;
	return l->y < r->y ? -1 : l->y > r->y;
}

static int by_core_time(const void *a, const void *b, void *ctx)
{
	const struct op_times *t = ctx;
	const struct op_core *l = &t->cores.at[*(const uint32_t *)a];
	const struct op_core *r = &t->cores.at[*(const uint32_t *)b];
	uint64_t x = op_core_time(t, l, CORE_FIRST), y = op_core_time(t, r, CORE_FIRST);

	if (l->core != r->core)
		return l->core < r->core ? -1 : 1;
	if (x != y)
		return x < y ? -1 : 1;
	return l->run < r->run ? -1 : l->run > r->run;
}

static int by_start(const void *a, const void *b, void *ctx)
{
	const struct op_times *t = ctx;
	const struct gap *l = *(struct gap *const *)a, *r = *(struct gap *const *)b;

	(void)t;
	if (l->start != r->start)
		return l->start < r->start ? -1 : 1;
	if (l->from != r->from)
		return l->from < r->from ? -1 : 1;
	if (l->to != r->to)
		return l->to < r->to ? -1 : 1;
	if (l->took != r->took)
		return l->took < r->took ? -1 : 1;
	return l->core < r->core ? -1 : l->core > r->core;
}

/* Entries of the runs, sorted by core and time, and where each core's begin. */
struct core_index {
	uint32_t *order;
	size_t *from; /* per core, and the end */
};

static void sort_cores(const struct op_times *t, core_vec *cores)
{
	if (cores->len)
		qsort_r(cores->at, cores->len, sizeof(*cores->at), by_place, (void *)(uintptr_t)t);
}

/* Those that came with the runs. */
static void take_gaps(const struct device_only *d, core_vec *cores)
{
	struct u64map index = { 0 };

	for (uint32_t at = 0; at < cores->len; at++)
		u64map_put(&index, cores->at[at].core, at);
	for (const struct core_gap *g = d->core_gaps; g < d->core_gaps + d->n_core_gaps; g++) {
		uint32_t at;

		if (u64map_get(&index, g->core, &at))
			*vec_push(&cores->at[at].gaps) = (struct gap){ .start = g->start,
								       .took = g->took,
								       .from = g->from,
								       .to = g->to,
								       .core = at };
	}
	u64map_release(&index);
}

static void add_gap(const struct device_only *d, struct core_gaps *to, const struct op_core *held,
		    const struct op_core *c, uint32_t at)
{
	const struct op_times *t = d->times;
	uint64_t end = op_core_time(t, held, CORE_KERNEL_END);

	/* within one firmware iteration it is no gap between ops */
	if (!(c->has & CORE_HAS_MASTER) ||
	    ((held->has & CORE_HAS_MASTER) &&
	     op_core_time(t, c, CORE_MASTER_START) == op_core_time(t, held, CORE_MASTER_START)))
		return;
	/* a mover that starts before its core's master, or after the end of a kernel */
	if (d->rules->device_only.gaps_by_row &&
	    (op_core_time(t, c, CORE_MOVER_START) < op_core_time(t, c, CORE_MASTER_START) ||
	     ((c->has & CORE_HAS_END) &&
	      op_core_time(t, c, CORE_KERNEL_FIRST_END) < op_core_time(t, c, CORE_MOVER_START))))
		return;
	*vec_push(&to->gaps) = (struct gap){ .start = end,
					     .took = op_core_time(t, c, CORE_MOVER_START) - end,
					     .from = t->runs.at[held->run].run_id,
					     .to = t->runs.at[c->run].run_id,
					     .core = at };
}

static void find_gaps(const struct device_only *d, const struct core_index *x, core_vec *cores)
{
	const struct op_times *t = d->times;

	for (uint32_t at = 0; at < cores->len; at++) {
		const struct op_core *held = NULL;
		uint32_t core = cores->at[at].core;

		for (size_t i = x->from[core]; i < x->from[core + 1]; i++) {
			const struct op_core *c = &t->cores.at[x->order[i]];

			if (held && (c->has & CORE_HAS_MOVER)) {
				add_gap(d, &cores->at[at], held, c, at);
				held = NULL;
			}
			if (c->has & CORE_HAS_END)
				held = c;
		}
	}
}

static void write_cell(const struct device_only *d, const struct gap *g, struct buf *b)
{
	int64_t took = (int64_t)g->took;

	if (d->rules->device_only.core_gap_cell)
		d->rules->device_only.core_gap_cell(b, took);
	else
		buf_printf(b, "%.0f", py_round0((double)took * 1000.0 / (double)d->freq_mhz));
}

static void write_device(const struct device_only *d, uint32_t device, core_vec *cores,
			 const struct intern *columns, struct csv_writer *w)
{
	const struct op_times *t = d->times;
	VEC(struct gap *) all = { 0 };

	vec_each (c, cores)
		vec_each (g, &c->gaps)
			*vec_push(&all) = g;
	if (all.len)
		qsort_r(all.at, all.len, sizeof(*all.at), by_start, (void *)(uintptr_t)t);
	vec_each (one, &all) {
		struct gap *lead = *one;
		const struct gap **cell = mem_zero(intern_count(columns), sizeof(*cell));

		if (lead->taken) {
			free(cell);
			continue;
		}
		vec_each (c, cores) {
			struct gap *g = c->next < c->gaps.len ? &c->gaps.at[c->next] : NULL;
			const struct device_core *p = &t->places.at[c->core];
			char name[48];
			int len;

			if (!g || g->from != lead->from || g->to != lead->to)
				continue;
			c->next++;
			g->taken = true;
			len = snprintf(name, sizeof(name), "%u; %u [ns]", p->x, p->y);
			cell[intern_find(columns, str_n(name, (size_t)len))] = g;
		}
		csv_plain(w);
		buf_add_u64(w->out, device);
		csv_plain(w);
		buf_printf(w->out, "%llu -> %llu", (unsigned long long)lead->from,
			   (unsigned long long)lead->to);
		for (uint32_t i = 0; i < intern_count(columns); i++) {
			csv_plain(w);
			if (cell[i])
				write_cell(d, cell[i], w->out);
		}
		csv_end_row(w);
		free(cell);
	}
	vec_release(&all);
}

void device_only_write_gaps(const struct device_only *d, struct out *to)
{
	const struct op_times *t = d->times;
	size_t n = t->cores.len;
	struct core_index x = { mem_alloc(n ? n : 1, sizeof(*x.order)),
				mem_zero(t->places.len + 1, sizeof(*x.from)) };
	struct u64map index = { 0 };
	core_vec *devices = mem_zero(t->devices.len ? t->devices.len : 1, sizeof(*devices));
	struct intern columns = { 0 };
	struct buf text = { 0 };
	struct csv_writer w = { .out = &text, .eol = "\r\n" };

	for (uint32_t i = 0; i < n; i++) {
		x.order[i] = i;
		x.from[t->cores.at[i].core + 1]++;
	}
	for (size_t i = 0; i < t->places.len; i++)
		x.from[i + 1] += x.from[i];
	if (n)
		qsort_r(x.order, n, sizeof(*x.order), by_core_time, (void *)(uintptr_t)t);
	for (uint32_t i = 0; i < t->devices.len; i++)
		u64map_put(&index, t->devices.at[i], i);
	for (uint32_t i = 0; i < t->places.len; i++) {
		uint32_t at = 0;

		(void)u64map_get(&index, t->places.at[i].device, &at);
		*vec_push(&devices[at]) = (struct core_gaps){ .core = i };
	}
	u64map_release(&index);
	for (size_t i = 0; i < t->devices.len; i++) {
		sort_cores(t, &devices[i]);
		vec_each (c, &devices[i]) {
			const struct device_core *p = &t->places.at[c->core];
			char name[48];
			int len = snprintf(name, sizeof(name), "%u; %u [ns]", p->x, p->y);

			intern_copy(&columns, str_n(name, (size_t)len));
		}
		if (!(d->analyses >> SHOW_CORE_GAPS & 1))
			continue;
		if (d->ids)
			take_gaps(d, &devices[i]);
		else
			find_gaps(d, &x, &devices[i]);
	}
	csv_field(&w, STR("device ID"));
	csv_field(&w, STR("op2op ID"));
	for (uint32_t i = 0; i < intern_count(&columns); i++)
		csv_field(&w, intern_get(&columns, i));
	csv_end_row(&w);
	for (size_t i = 0; i < t->devices.len; i++) {
		write_device(d, t->devices.at[i], &devices[i], &columns, &w);
		out_buf(to, &text);
		vec_each (c, &devices[i])
			vec_release(&c->gaps);
		vec_release(&devices[i]);
	}
	out_buf(to, &text);
	free(devices);
	free(x.order);
	free(x.from);
	intern_release(&columns);
	buf_release(&text);
}
