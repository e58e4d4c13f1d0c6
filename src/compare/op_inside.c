// SPDX-License-Identifier: Apache-2.0
/*
 * Where inside of an op its time changed: on which RISCs, between cores, in waits.  Rows that show other kernels, cores or tensors say why; these figures say
 * where, also where all rows are alike.
 */
#include <math.h>

#include "compare/compare.h"
#include "compare/diff.h"
#include "report/label.h"

/* X(column, column that is subtracted (itself: none), its name) */
#define FIGURE_LIST(X)                                        \
	X(CORE_MAX, CORE_AVG, "slowest core behind the mean") \
	X(FIRST_TO_LAST, FIRST_TO_LAST, "cores start within") \
	X(CB_WAIT_FRONT, CB_WAIT_FRONT, "waits for data")     \
	X(CB_RESERVE_BACK, CB_RESERVE_BACK, "waits for room") \
	X(BRISC, BRISC, "BRISC")                              \
	X(NCRISC, NCRISC, "NCRISC")                           \
	X(TRISC0, TRISC0, "TRISC0")                           \
	X(TRISC1, TRISC1, "TRISC1")                           \
	X(TRISC2, TRISC2, "TRISC2")                           \
	X(ERISC, ERISC, "ERISC")

enum figure {
#define X(col, less, name) IN_##col,
	FIGURE_LIST(X)
#undef X
		FIGURES,
	FIRST_RISC = IN_BRISC
};

static const struct {
	enum ops_col col, less;
	const char *name;
} figures[FIGURES] = {
#define X(col, less, name) { OPS_##col, OPS_##less, name },
	FIGURE_LIST(X)
#undef X
};

static const enum ops_col wanted[] = {
	CALLS_COLUMNS,      CALLS_TIME_COLUMNS, OPS_SUB_DEVICE_ID, OPS_FIRST_TO_LAST, OPS_BRISC,
	OPS_NCRISC,         OPS_TRISC0,         OPS_TRISC1,        OPS_TRISC2,        OPS_ERISC,
	OPS_COMPUTE_SOURCE, OPS_COMPUTE_HASH,   OPS_DM_SOURCE,     OPS_DM_HASH,
};
const struct ops_want compare_want = { wanted, sizeof(wanted) / sizeof(*wanted), UINT16_MAX,
				       UINT16_MAX };

/* Means over the ops of a line on both sides. */
struct inside {
	double sum[SIDES][FIGURES];
	uint32_t n[SIDES][FIGURES];
};

static void add_row(struct inside *in, enum compare_side side, const struct ops_table *t,
		    size_t row)
{
	for (int f = 0; f < FIGURES; f++) {
		double v, less = 0;

		if (!ops_real(t, figures[f].col, row, &v) ||
		    (figures[f].less != figures[f].col &&
		     !ops_real(t, figures[f].less, row, &less)))
			continue;
		in->sum[side][f] += v - less;
		in->n[side][f]++;
	}
}

/* All ops of the run that belong to lines. */
static void add_run(const struct compare *c, enum compare_side side, size_t run, struct inside *all)
{
	const struct op_sequence *s = &c->runs[side][run];

	for (size_t i = 0; s->call && i < c->runs[side]->at.len; i++) {
		uint32_t line = c->line_of[side][i];
		size_t p = c->pair[side][run][i];

		if (line == DIFF_NONE || p == DIFF_NONE)
			continue;
		for (size_t r = 0; r < s->repeats; r++) {
			size_t at = p * s->repeats + r;

			if (!isnan(s->time_ns[at]))
				add_row(&all[line], side, s->calls->table,
					s->calls->all.at[s->call[at]].row);
		}
	}
}

static double mean_of(const struct inside *in, int side, int figure)
{
	return in->n[side][figure] ? in->sum[side][figure] / in->n[side][figure] : NAN;
}

/* At least half of what the whole op changed by, in the same direction. */
static bool explains(const struct inside *in, int figure, double by_ns)
{
	double d = mean_of(in, NEW, figure) - mean_of(in, BASE, figure);

	return d / by_ns >= 0.5;
}

static void add_figure(struct buf *b, const struct inside *in, int figure)
{
	buf_printf(b, "%s%s ", b->len ? ", " : "", figures[figure].name);
	label_ns(b, mean_of(in, BASE, figure));
	buf_text(b, " → ");
	label_ns(b, mean_of(in, NEW, figure));
}

/* Where all RISCs take part, none is named; else those that do, the one that changed most first. */
static void add_riscs(struct buf *b, const struct inside *in, double by_ns)
{
	int known = 0, part = 0, most = FIGURES;
	double most_times = 0;

	for (int f = FIRST_RISC; f < FIGURES; f++) {
		double from = mean_of(in, BASE, f), to = mean_of(in, NEW, f);
		double times = by_ns > 0 ? to / from : from / to;

		if (!(from > 0) || !(to > 0))
			continue;
		known++;
		if (!explains(in, f, by_ns))
			continue;
		part++;
		if (times > most_times) {
			most = f;
			most_times = times;
		}
	}
	if (part && part < known)
		add_figure(b, in, most);
}

static void add_to_cause(const struct compare *c, struct compare_line *l, const struct inside *in)
{
	double by_ns = (double)(l->time_ns[NEW] - l->time_ns[BASE]) / l->count;

	if ((l->time.verdict != COMPARE_SLOWER && l->time.verdict != COMPARE_FASTER) ||
	    compare_is_clock(c, l))
		return; /* noise is nowhere */
	for (int f = 0; f < FIRST_RISC; f++)
		if (explains(in, f, by_ns))
			add_figure(&l->cause, in, f);
	add_riscs(&l->cause, in, by_ns);
}

static struct inside *inside_all(const struct compare *c)
{
	struct inside *all = mem_zero(c->lines.len + 1, sizeof(*all));

	for (int side = BASE; side < SIDES; side++)
		for (size_t run = 0; run < c->ask.n[side]; run++)
			add_run(c, (enum compare_side)side, run, all);
	return all;
}

size_t compare_inside(const struct compare *c, uint32_t line,
		      struct inside_figure to[static INSIDE_FIGURES_MOST])
{
	SCOPED(mem) struct inside *all = inside_all(c);
	size_t n = 0;

	_Static_assert((int)FIGURES <= (int)INSIDE_FIGURES_MOST, "all have room");
	for (int f = 0; f < FIGURES; f++) {
		double base = mean_of(&all[line], BASE, f), new_one = mean_of(&all[line], NEW, f);

		if (base > 0 || new_one > 0)
			to[n++] = (struct inside_figure){ figures[f].name, { base, new_one } };
	}
	return n;
}

void compare_look_inside(struct compare *c)
{
	SCOPED(mem) struct inside *all = inside_all(c);

	for (size_t i = 0; i < c->lines.len; i++) {
		struct compare_line *l = &c->lines.at[i];

		if (l->position[BASE] != DIFF_NONE && l->position[NEW] != DIFF_NONE)
			add_to_cause(c, l, &all[i]);
	}
}
