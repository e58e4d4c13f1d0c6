// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "compare/diff.h"
#include "compare/op_pairs.h"

#define X(id, text) text,
const char *const compare_verdict_names[] = { COMPARE_VERDICT_LIST(X) };
const char *const compare_unit_names[] = { COMPARE_UNIT_LIST(X) };
const char *const line_change_names[] = { LINE_CHANGE_LIST(X) };
#undef X

/* ---- means of a position ---- */

struct mean {
	double sum;
	uint32_t n;
};

static void add_samples(struct mean *m, const double *at, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!isnan(at[i])) {
			m->sum += at[i];
			m->n++;
		}
}

/* Over all runs and steps of the side.  False: no time was recorded. */
static bool position_means(const struct compare *c, enum compare_side side, uint32_t p,
			   int64_t *time_ns, int64_t *gap_ns)
{
	struct mean time = { 0 }, gap = { 0 };

	for (size_t r = 0; r < c->ask.n[side]; r++) {
		const struct op_sequence *s = &c->runs[side][r];
		size_t at = c->pair[side][r][p];

		if (at == DIFF_NONE)
			continue;
		add_samples(&time, s->time_ns + at * s->repeats, s->repeats);
		add_samples(&gap, s->gap_ns + at * s->repeats, s->repeats);
	}
	*time_ns = time.n ? (int64_t)round(time.sum / time.n) : 0;
	*gap_ns = gap.n ? (int64_t)round(gap.sum / gap.n) : 0;
	return time.n != 0;
}

/* ---- lines ---- */

static uint32_t line_for(struct compare *c, struct u64map *known, uint32_t base, uint32_t new_one)
{
	const struct op_sequence *a = c->runs[BASE], *b = c->runs[NEW];
	uint32_t x = base == DIFF_NONE ? DIFF_NONE : a->at.at[base].key[SAME_KIND];
	uint32_t y = new_one == DIFF_NONE ? DIFF_NONE : b->at.at[new_one].key[SAME_KIND];
	bool added;
	uint32_t line =
		u64map_get_or_put(known, (uint64_t)x << 32 | y, (uint32_t)c->lines.len, &added);

	if (added)
		*vec_push(&c->lines) =
			(struct compare_line){ .change = x == DIFF_NONE   ? LINE_APPEARED
							 : y == DIFF_NONE ? LINE_VANISHED
							 : x == y         ? LINE_KEPT
									  : LINE_CHANGED,
					       .position = { base, new_one } };
	return line;
}

static void add_to_line(struct compare *c, struct u64map *known, uint32_t base, uint32_t new_one)
{
	int64_t time_ns[SIDES] = { 0, 0 }, gap_ns[SIDES] = { 0, 0 };
	uint32_t at[SIDES] = { base, new_one };
	struct compare_line *l;
	uint32_t line;

	/* an op whose time was lost on one side says nothing about the other */
	for (int side = BASE; side < SIDES; side++)
		if (at[side] != DIFF_NONE && !position_means(c, (enum compare_side)side, at[side],
							     &time_ns[side], &gap_ns[side])) {
			c->excluded += base != DIFF_NONE && new_one != DIFF_NONE;
			return;
		}
	line = line_for(c, known, base, new_one);
	l = &c->lines.at[line];
	l->count++;
	c->common += base != DIFF_NONE && new_one != DIFF_NONE;
	for (int side = BASE; side < SIDES; side++) {
		if (at[side] != DIFF_NONE) {
			c->line_of[side][at[side]] = line;
			c->mean_ns[side][at[side]] = (double)(time_ns[side] + gap_ns[side]);
		}
		l->time_ns[side] += time_ns[side];
		l->gap_ns[side] += gap_ns[side];
		c->device_ns[side] += time_ns[side];
		c->total_ns[side] += time_ns[side] + gap_ns[side];
	}
}

static void make_lines(struct compare *c)
{
	size_t n = c->runs[BASE]->at.len, m = c->runs[NEW]->at.len;
	SCOPED(mem) bool *taken = mem_zero(m + 1, sizeof(*taken));
	struct u64map known = { 0 };

	for (int side = BASE; side < SIDES; side++) {
		size_t len = c->runs[side]->at.len;

		c->line_of[side] = mem_alloc(len + 1, sizeof(*c->line_of[side]));
		c->mean_ns[side] = mem_alloc(len + 1, sizeof(*c->mean_ns[side]));
		for (size_t i = 0; i < len; i++) {
			c->line_of[side][i] = DIFF_NONE;
			c->mean_ns[side][i] = NAN;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		if (c->across[i] != DIFF_NONE)
			taken[c->across[i]] = true;
		add_to_line(c, &known, i, c->across[i]);
	}
	for (uint32_t i = 0; i < m; i++)
		if (!taken[i])
			add_to_line(c, &known, DIFF_NONE, i);
	u64map_release(&known);
}

static int by_size(const void *a, const void *b)
{
	const struct contribution *x = a, *y = b;
	int64_t p = llabs(x->by_ns), q = llabs(y->by_ns);

	if (p != q)
		return p < q ? 1 : -1;
	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : x->is_gap - y->is_gap;
}

static void make_contributions(struct compare *c)
{
	for (uint32_t i = 0; i < c->lines.len; i++) {
		const struct compare_line *l = &c->lines.at[i];
		int64_t time = l->time_ns[NEW] - l->time_ns[BASE];
		int64_t gap = l->gap_ns[NEW] - l->gap_ns[BASE];

		if (time)
			*vec_push(&c->contributions) = (struct contribution){ i, false, time };
		if (gap)
			*vec_push(&c->contributions) = (struct contribution){ i, true, gap };
	}
	vec_sort(&c->contributions, by_size);
}

/* Gaps that one side has not measured are no gain of it. */
static void drop_gaps(struct compare *c)
{
	c->has_gaps = true;
	for (int side = BASE; side < SIDES; side++)
		for (size_t r = 0; r < c->ask.n[side]; r++)
			c->has_gaps &= c->ask.runs[side][r]->tells_gaps;
	for (int side = BASE; side < SIDES && !c->has_gaps; side++)
		for (size_t r = 0; r < c->ask.n[side]; r++) {
			const struct op_sequence *s = &c->runs[side][r];

			memset(s->gap_ns, 0, s->at.len * s->repeats * sizeof(*s->gap_ns));
		}
}

/* Less than half of the ops of a run are those of the first run of its side. */
static bool is_odd_run(const struct compare *c, enum compare_side side, size_t run)
{
	size_t common = 0, n = c->runs[side]->at.len, m = c->runs[side][run].at.len;

	for (size_t i = 0; i < n; i++)
		common += c->pair[side][run][i] != DIFF_NONE;
	return 2 * common < (n > m ? n : m);
}

static void read_runs(struct compare *c, enum compare_side side)
{
	size_t n = c->ask.n[side];

	c->runs[side] = mem_zero(n, sizeof(*c->runs[side]));
	for (size_t r = 0; r < n; r++)
		op_sequence_make(&c->runs[side][r], c->ask.runs[side][r], &c->keys);
}

/* All runs of a side: whether any has steps, and the least and the most ops that one has in all. */
struct extent {
	bool steps;
	size_t least, most, step;
};

static struct extent extent_of(const struct compare *c, enum compare_side side)
{
	struct extent x = { .least = SIZE_MAX };

	for (size_t r = 0; r < c->ask.n[side]; r++) {
		const struct op_sequence *s = &c->runs[side][r];
		size_t all = s->at.len * s->repeats + s->before;

		x.steps |= s->repeats > 1;
		x.step = s->at.len > x.step ? s->at.len : x.step;
		x.least = all < x.least ? all : x.least;
		x.most = all > x.most ? all : x.most;
	}
	return x;
}

/*
 * What repeats may be the layers of a model, and on the other side they don't, since one is different, or something follows the last one.  A layer against a model says
 * nothing: where one side repeats and the other does not, and both are about as long, all ops of a run are one step.
 */
static void take_wholes(struct compare *c)
{
	struct extent x[SIDES] = { extent_of(c, BASE), extent_of(c, NEW) };
	enum compare_side steps = x[BASE].steps ? BASE : NEW, other = steps == BASE ? NEW : BASE;

	if (x[BASE].steps == x[NEW].steps || x[steps].most > 2 * x[other].least ||
	    x[other].most > 2 * x[steps].least || 2 * x[steps].step > x[other].step)
		return;
	for (size_t r = 0; r < c->ask.n[steps]; r++) {
		op_sequence_release(&c->runs[steps][r]);
		op_sequence_make_whole(&c->runs[steps][r], c->ask.runs[steps][r], &c->keys);
	}
}

static void pair_side(struct compare *c, enum compare_side side)
{
	size_t n = c->ask.n[side];

	c->pair[side] = mem_zero(n, sizeof(*c->pair[side]));
	for (size_t r = 0; r < n; r++) {
		op_sequence_turn(&c->runs[side][r], c->runs[BASE]);
		c->pair[side][r] = op_sequence_pair(c->runs[side], &c->runs[side][r]);
		c->untimed[side] += c->runs[side][r].untimed;
		if (is_odd_run(c, side, r))
			c->unsure_because = side == BASE
						    ? "the runs of BASE differ in half of their ops"
						    : "the runs of NEW differ in half of their ops";
	}
	c->mhz[side] = c->runs[side]->mhz;
}

void compare_make(struct compare *c, const struct compare_ask *ask)
{
	*c = (struct compare){ .ask = *ask };
	read_runs(c, BASE);
	read_runs(c, NEW);
	take_wholes(c);
	pair_side(c, BASE);
	pair_side(c, NEW);
	drop_gaps(c);
	c->across = op_sequence_pair(c->runs[BASE], c->runs[NEW]);
	make_lines(c);
	make_contributions(c);
	compare_judge(c);
	compare_judge_gaps(c);
	compare_find_causes(c);
	compare_look_inside(c);
	compare_find_gap_causes(c);
}

void compare_release(struct compare *c)
{
	for (int side = BASE; side < SIDES; side++) {
		for (size_t r = 0; r < c->ask.n[side]; r++) {
			op_sequence_release(&c->runs[side][r]);
			free(c->pair[side][r]);
		}
		free(c->runs[side]);
		free(c->pair[side]);
		free(c->line_of[side]);
		free(c->mean_ns[side]);
	}
	free(c->across);
	vec_each (l, &c->lines) {
		buf_release(&l->cause);
		buf_release(&l->gap_cause);
	}
	vec_release(&c->lines);
	vec_release(&c->contributions);
	op_keys_release(&c->keys);
}

size_t compare_explaining(const struct compare *c, size_t most)
{
	double all = 0, so_far = 0;
	size_t n = 0;

	vec_each (x, &c->contributions)
		all += fabs((double)x->by_ns);
	while (n < c->contributions.len && (!most || n < most) && (!n || so_far < 0.95 * all))
		so_far += fabs((double)c->contributions.at[n++].by_ns);
	return n;
}

double compare_contribution_percent(const struct compare *c, const struct contribution *x)
{
	const struct compare_line *l = &c->lines.at[x->line];
	int64_t base = x->is_gap ? l->gap_ns[BASE] : l->time_ns[BASE];

	return base > 0 ? 100 * (double)x->by_ns / (double)base : NAN;
}
