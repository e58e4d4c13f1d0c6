// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: device_stats.txt of 2023 (tt-metal d6ef7b5c340), for Grayskull: statistics of eleven times, those of cores
 * with a map of the chip.  T0 is the earliest mark of any core so far.
 */
#include "compat/process_device_log/device_stats_2023.h"

#include <stdlib.h>

#include "base/number.h"
#include "compat/process_device_log/device_files.h"

static const struct time_2023 all_have[] = {
	{ "T0 -> BRISC FW start", ADJACENT, -1, RISC_BRISC, 0, 1, false },
	{ "TRISC0 kernel start -> TRISC0 kernel end", ADJACENT, RISC_TRISC0, RISC_TRISC0, 2, 3,
	  false },
	{ "TRISC1 kernel start -> TRISC1 kernel end", ADJACENT, RISC_TRISC1, RISC_TRISC1, 2, 3,
	  false },
	{ "TRISC2 kernel start -> TRISC2 kernel end", ADJACENT, RISC_TRISC2, RISC_TRISC2, 2, 3,
	  false },
	{ "BRISC kernel start -> BRISC kernel end", ADJACENT, RISC_BRISC, RISC_BRISC, 2, 3, false },
	{ "NCRISC kernel start -> NCRISC kernel end", ADJACENT, RISC_NCRISC, RISC_NCRISC, 2, 3,
	  false },
	{ "ANY RISC FW start -> ANY RISC FW end", PER_LAUNCH, -1, -1, 1, 4, false },
	{ "ANY RISC FW end -> BRISC FW start", ADJACENT, -1, RISC_BRISC, 4, 1, false },
	{ "T0 -> ANY RISC FW end", SESSION, -1, -1, 0, 4, false },
	{ "BRISC FW start -> ANY RISC FW end", SESSION, -1, -1, 1, 4, false },
	{ "T0 -> ANY CORE ANY RISC FW end", SESSION, -1, -1, 1, 4, true },
};

#define TO_BRISC_END(name, mark)                                        \
	{                                                               \
		name, ADJACENT, RISC_NCRISC, RISC_BRISC, mark, 3, false \
	}

/* Setups of tests, with marks that their kernels set. */
static const struct {
	const char *setup;
	struct time_2023 own[4];
} setups_2023[] = {
	{ "test_matmul_multi_core_multi_dram",
	  { { "Compute~", ADJACENT, RISC_NCRISC, RISC_BRISC, 6, 5, false } } },
	{ "test_matmul_multi_core_multi_dram_in0_mcast",
	  { TO_BRISC_END("NCRISC start sender -> BRISC kernel end", 10),
	    TO_BRISC_END("NCRISC start reciever -> BRISC kernel end", 7) } },
	{ "test_matmul_multi_core_multi_dram_in1_mcast",
	  { TO_BRISC_END("NCRISC start sender -> BRISC kernel end", 20),
	    TO_BRISC_END("NCRISC start reciever -> BRISC kernel end", 16) } },
	{ "test_matmul_multi_core_multi_dram_in0_mcast_in1_mcast",
	  { TO_BRISC_END("NC_in0_s_in1_r -> B_end", 24),
	    TO_BRISC_END("NC_in0_s_in1_s -> B_end", 29),
	    TO_BRISC_END("NC_in0_r_in1_r -> B_end", 34),
	    TO_BRISC_END("NC_in0_r_in1_s -> B_end", 39) } },
	{ "test_full_buffer", { { "Marker Repeat", ADJACENT, -1, -1, 5, 5, false } } },
	{ "test_noc", { { "NoC For Loop", ADJACENT, RISC_NCRISC, RISC_NCRISC, 5, 6, false } } },
};

const char *setup_2023_name(size_t i)
{
	return i < sizeof(setups_2023) / sizeof(*setups_2023) ? setups_2023[i].setup : NULL;
}

bool setup_2023_is_known(const char *setup)
{
	for (size_t i = 0; i < sizeof(setups_2023) / sizeof(*setups_2023); i++)
		if (!strcmp(setups_2023[i].setup, setup))
			return true;
	return false;
}

void times_2023_of(const char *setup, struct times_2023 *out)
{
	out->len = 0;
	for (size_t i = 0; i < sizeof(setups_2023) / sizeof(*setups_2023); i++)
		for (size_t k = 0; k < 4; k++)
			if (!strcmp(setups_2023[i].setup, setup) && setups_2023[i].own[k].name)
				out->at[out->len++] = &setups_2023[i].own[k];
	for (size_t i = 0; i < sizeof(all_have) / sizeof(*all_have); i++)
		out->at[out->len++] = &all_have[i];
}

static bool is(const struct marker *m, int risc, uint32_t mark)
{
	return m->timer_id == mark && (risc < 0 || m->risc == risc);
}

typedef VEC(int64_t) times_vec;

static void find_adjacent(const struct marker_log *m, const marker_series *s,
			  const struct time_2023 *t, uint64_t t0, times_vec *out)
{
	bool held = t->start == 0;
	uint64_t from = t0;

	vec_each (i, s) {
		const struct marker *k = &m->all.at[*i];

		if (held && is(k, t->end_risc, t->end)) {
			*vec_push(out) = (int64_t)(k->time_cycles - from);
			held = false;
		} else if (t->start && is(k, t->start_risc, t->start)) {
			held = true;
			from = k->time_cycles;
		}
	}
}

/* From the first start to the last end of a part of the series. */
static void find_span(const struct marker_log *m, const uint32_t *at, size_t n,
		      const struct time_2023 *t, uint64_t t0, times_vec *out)
{
	bool started = t->start == 0, ended = false;
	uint64_t from = t0, to = 0;

	for (size_t i = 0; i < n; i++) {
		const struct marker *k = &m->all.at[at[i]];

		if (!started && is(k, t->start_risc, t->start)) {
			started = true;
			from = k->time_cycles;
		} else if (started && is(k, t->end_risc, t->end)) {
			ended = true;
			to = k->time_cycles;
		}
	}
	if (started && ended)
		*vec_push(out) = (int64_t)(to - from);
}

bool times_2023_find(const struct marker_log *m, const marker_series *s, const struct time_2023 *t,
		     uint64_t t0, struct entry_stats *out)
{
	SCOPED(vec) times_vec found = { 0 };
	size_t from = 0;
	bool any;

	/* a launch begins at each BRISC firmware start */
	for (size_t i = 1; t->kind == PER_LAUNCH && i < s->len; i++)
		if (is(&m->all.at[s->at[i]], RISC_BRISC, 1)) {
			find_span(m, s->at + from, i - from, t, t0, &found);
			from = i;
		}
	if (t->kind == ADJACENT)
		find_adjacent(m, s, t, t0, &found);
	else if (s->len)
		find_span(m, s->at + from, s->len - from, t, t0, &found);
	any = found.len;
	if (any)
		*out = took_stats(found.at, found.len);
	return any;
}

bool times_2023_sum(const struct marker_log *m, const struct device_markers *d,
		    const struct time_2023 *t, uint64_t t0, struct entry_stats *cores,
		    struct entry_stats *out)
{
	struct stats_sum all = { 0 };
	struct entry_stats one;

	for (size_t i = 0; i < (t->device ? 1 : d->cores.len); i++) {
		if (!times_2023_find(m, t->device ? &d->whole.series : &d->cores.at[i].series, t,
				     t0, &one))
			continue;
		stats_sum_add(&all, &one);
		if (cores)
			cores[i] = one;
	}
	return stats_sum_end(&all, out);
}

static void print_line(struct buf *to, const char *name, double v)
{
	SCOPED(buf) struct buf text = { 0 };

	number_fixed(&text, v, 0, ',');
	buf_printf(to, "%12s [cycles] = %10s\n", name, text.at);
}

static void print_cell(struct buf *to, const struct entry_stats *s)
{
	SCOPED(buf) struct buf text = { 0 };
	size_t width = 17, shown;

	if (!s || !s->count) {
		buf_char(&text, 'X');
	} else {
		number_fixed(&text, s->median, 0, ',');
		if (s->count > 1) {
			buf_text(&text, "\xc2\xb1");
			number_fixed(&text, (double)((s->max - s->min) / 2), 0, ',');
		}
	}
	shown = text.len - (s && s->count > 1 ? 1 : 0); /* the sign has two bytes */
	if (shown < width)
		buf_fill(to, ' ', width - shown);
	buf_str(to, buf_view(&text));
}

static void print_dram(struct buf *to, const char *label, int first)
{
	buf_text(to, label);
	for (int x = 0; x < 12; x++) {
		if (x % 3)
			buf_printf(to, "%17s", "---");
		else
			buf_printf(to, "%16s%d", "DRAM", first + x / 3);
	}
	buf_char(to, '\n');
}

static void print_map(struct buf *to, const struct device_markers *d,
		      const struct entry_stats *cores)
{
	buf_text(to, "\n        ");
	for (int x = 0; x < 12; x++)
		buf_printf(to, "%17d", x);
	buf_text(to, "\n        ");
	buf_fill(to, '=', 12 * 17);
	buf_char(to, '\n');
	print_dram(to, "        ", 0);
	for (int y = 0; y < 10; y++) {
		if (y == 5)
			print_dram(to, "     ---", 4);
		buf_printf(to, "%2d|| %s", y, y == 1 ? "ARC" : y == 3 ? "PCI" : "---");
		for (int x = 0; x < 12; x++) {
			const struct entry_stats *v = NULL;

			for (size_t i = 0; i < d->cores.len; i++)
				if (d->cores.at[i].x == x && d->cores.at[i].y == y)
					v = &cores[i];
			print_cell(to, v);
		}
		buf_char(to, '\n');
	}
	buf_text(to, "\n\n");
}

static void print_time(const struct marker_log *m, const struct device_markers *d,
		       const struct time_2023 *t, uint64_t t0, struct buf *to)
{
	struct entry_stats *cores = mem_zero(d->cores.len + 1, sizeof(*cores)), s;

	if (times_2023_sum(m, d, t, t0, cores, &s)) {
		buf_printf(to, "\n=================== %s ===================\n", t->name);
		if (s.count > 1 && !t->device) {
			print_line(to, "Count", (double)s.count);
			print_line(to, "Average", s.average);
			print_line(to, "Max", (double)s.max);
			print_line(to, "Median", s.median);
			print_line(to, "Min", (double)s.min);
		} else {
			print_line(to, "Duration", (double)s.min);
		}
		if (!t->device)
			print_map(to, d, cores);
		buf_char(to, '\n');
	}
	free(cores);
}

void device_stats_2023_print(const struct marker_log *m, const char *setup, struct buf *to)
{
	struct times_2023 times;
	uint64_t t0 = UINT64_MAX;

	times_2023_of(setup, &times);

	vec_each (d, &m->devices) {
		vec_each (i, &d->whole.series)
			t0 = m->all.at[*i].time_cycles < t0 ? m->all.at[*i].time_cycles : t0;
		for (size_t i = 0; i < times.len; i++)
			print_time(m, d, times.at[i], t0, to);
	}
}
