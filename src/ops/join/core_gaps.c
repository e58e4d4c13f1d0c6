// SPDX-License-Identifier: Apache-2.0
/*
 * Times between ops on each core: from the last end of a kernel to the first start of a data mover's in the
 * next op.  Rows are transitions "1024 -> 2048" in the order of their first core.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/order.h"
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
	uint32_t core;   /* number in `times->places` */
	uint32_t column; /* of the file */
	gap_vec gaps;
	size_t next;
};

typedef VEC(struct core_gaps) core_vec;

ORDER_IN(by_place, struct core_gaps, struct op_times, in->places.at[it->core].x,
	 in->places.at[it->core].y)

ORDER_IN(by_core_time, uint32_t, struct op_times, in->cores.at[*it].core,
	 op_core_time(in, &in->cores.at[*it], CORE_FIRST), in->cores.at[*it].run)

ORDER_IN(by_start, struct gap *, void, (*it)->start, (*it)->from, (*it)->to, (*it)->took,
	 (*it)->core)

/* Entries of the runs, sorted by core and time, and where each core's begin. */
struct core_index {
	uint32_t *order;
	size_t *from; /* per core, and the end */
};

/* Those that came with the runs. */
static void take_gaps(const struct device_only *d, core_vec *cores)
{
	SCOPED(u64map) struct u64map index = { 0 };

	for (uint32_t at = 0; at < cores->len; at++)
		u64map_put(&index, cores->at[at].core, at);
	for (size_t i = 0; i < d->n_core_gaps; i++) {
		const struct core_gap *g = &d->core_gaps[i];
		uint32_t at;

		if (u64map_get(&index, g->core, &at))
			*vec_push(&cores->at[at].gaps) = (struct gap){ .start = g->start,
								       .took = g->took,
								       .from = g->from,
								       .to = g->to,
								       .core = at };
	}
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
	SCOPED(vec) VEC(struct gap *) all = { 0 };

	vec_each (c, cores)
		vec_each (g, &c->gaps)
			*vec_push(&all) = g;
	vec_sort_in(&all, by_start, NULL);
	vec_each (one, &all) {
		struct gap *lead = *one;
		SCOPED(mem)
		const struct gap **cell = mem_zero(intern_count(columns), sizeof(*cell));

		if (lead->taken)
			continue;
		vec_each (c, cores) {
			struct gap *g = c->next < c->gaps.len ? &c->gaps.at[c->next] : NULL;

			if (!g || g->from != lead->from || g->to != lead->to)
				continue;
			c->next++;
			g->taken = true;
			cell[c->column] = g;
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
	}
}

void device_only_write_gaps(const struct device_only *d, struct out *to)
{
	const struct op_times *t = d->times;
	size_t n = t->cores.len;
	struct core_index x = { order_numbers(n, by_core_time, t),
				mem_zero(t->places.len + 1, sizeof(*x.from)) };
	SCOPED(u64map) struct u64map index = { 0 };
	SCOPED(mem)
	core_vec *devices = mem_zero(t->devices.len ? t->devices.len : 1, sizeof(*devices));
	SCOPED(intern) struct intern columns = { 0 };
	SCOPED(buf) struct buf text = { 0 };
	struct csv_writer w = { .out = &text, .eol = "\r\n" };

	for (uint32_t i = 0; i < n; i++)
		x.from[t->cores.at[i].core + 1]++;
	for (size_t i = 0; i < t->places.len; i++)
		x.from[i + 1] += x.from[i];
	for (uint32_t i = 0; i < t->devices.len; i++)
		u64map_put(&index, t->devices.at[i], i);
	for (uint32_t i = 0; i < t->places.len; i++) {
		uint32_t at = 0;

		(void)u64map_get(&index, t->places.at[i].device, &at);
		*vec_push(&devices[at]) = (struct core_gaps){ .core = i };
	}
	for (size_t i = 0; i < t->devices.len; i++) {
		vec_sort_in(&devices[i], by_place, t);
		vec_each (c, &devices[i]) {
			const struct device_core *p = &t->places.at[c->core];
			char name[48];
			int len = snprintf(name, sizeof(name), "%u; %u [ns]", p->x, p->y);

			c->column = intern_copy(&columns, str_n(name, (size_t)len));
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
		vec_release_with(&devices[i], gaps);
	}
	out_buf(to, &text);
	RELEASE(mem, &x.order, &x.from);
}
