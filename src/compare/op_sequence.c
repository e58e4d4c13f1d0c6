// SPDX-License-Identifier: Apache-2.0
#include "compare/op_sequence.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

static void add_cell(struct buf *b, struct str text)
{
	buf_str(b, text);
	buf_char(b, 0); /* no text has it: what follows is another cell */
}

static void add_tensors(struct buf *b, const struct ops_table *t, size_t row, bool exact)
{
	for (size_t slot = 0; slot < t->tensor_slots.len; slot++) {
		const struct tensor *x = ops_tensor(t, slot, row);

		for (int p = TENSOR_W; x && p <= (exact ? TENSOR_MEMORY : TENSOR_X); p++)
			add_cell(b, ops_string(t, x->text[p]));
	}
}

static void keys_of_kind(struct op_keys *keys, const struct ops_table *t, size_t row, uint32_t *key)
{
	SCOPED(buf) struct buf b = { 0 };
	double cores = 0;

	add_cell(&b, ops_text(t, OPS_OP_CODE, row));
	key[SAME_CODE] = intern_copy(&keys->texts[SAME_CODE], buf_view(&b));
	add_tensors(&b, t, row, false);
	key[SAME_SHAPE] = intern_copy(&keys->texts[SAME_SHAPE], buf_view(&b));
	add_tensors(&b, t, row, true);
	add_cell(&b, ops_text(t, OPS_ATTRIBUTES, row));
	add_cell(&b, ops_text(t, OPS_MATH_FIDELITY, row));
	ops_real(t, OPS_CORE_COUNT, row, &cores);
	buf_printf(&b, "%.0f", cores);
	key[SAME_KIND] = intern_copy(&keys->texts[SAME_KIND], buf_view(&b));
}

/*
 * The end of a sequence that repeats: how many items it has, and its period.  By the borders of the sequence read from its end (Knuth, Morris
 * and Pratt): the longest one of which half and more is repeated at least once.
 */
static size_t repeated_end(const struct op_position *at, size_t n, size_t *period)
{
	SCOPED(mem) uint32_t *border = mem_zero(n + 1, sizeof(*border));
	size_t longest = n, k = 0;

	*period = n;
	for (size_t i = 1; i < n; i++) {
		while (k && at[n - 1 - i].key[SAME_SHAPE] != at[n - 1 - k].key[SAME_SHAPE])
			k = border[k];
		if (at[n - 1 - i].key[SAME_SHAPE] == at[n - 1 - k].key[SAME_SHAPE])
			k++;
		border[i + 1] = (uint32_t)k;
		if (2 * (i + 1 - k) <= i + 1 && 2 * (i + 1) > n) {
			longest = i + 1;
			*period = i + 1 - k;
		}
	}
	return longest;
}

/* FW cycles against FW nanoseconds, the median of the rows that have both. */
static double clock_mhz(const struct calls *c)
{
	VEC(double) found = { 0 };
	double median = 0;

	vec_each (call, &c->all) {
		double from, to, ns;

		if (ops_real(c->table, OPS_FW_START, call->row, &from) &&
		    ops_real(c->table, OPS_FW_END, call->row, &to) &&
		    ops_real(c->table, OPS_FW_DURATION, call->row, &ns) && ns >= 1000 && to > from)
			*vec_push(&found) = (to - from) / ns * 1000;
	}
	vec_sort(&found, order_double);
	if (found.len)
		median = found.at[found.len / 2];
	vec_release(&found);
	return median;
}

static bool is_compared(const struct call *c)
{
	return !(c->flags & (CALL_HOST | CALL_MARKER | CALL_CAPTURED));
}

/* The program's time before a call, with that before markers of the profiler that stand there. */
struct waited {
	double ns, longest_ns;
	uint32_t longest;
};

static void wait_for(struct waited *w, const struct calls *c, size_t call)
{
	double ns = call_own_gap(&c->all.at[call]);

	w->ns += ns;
	if (ns >= w->longest_ns) {
		w->longest_ns = ns;
		w->longest = (uint32_t)call;
	}
}

static void make_sequence(struct op_sequence *s, const struct calls *c, struct op_keys *keys,
			  bool whole)
{
	SCOPED(mem) struct op_position *of_kind = mem_zero(c->kinds.len + 1, sizeof(*of_kind));
	VEC(struct op_position) all = { 0 };
	VEC(struct waited) gaps = { 0 };
	struct waited gap = { 0 };
	size_t used, period, skip;

	*s = (struct op_sequence){ .calls = c, .mhz = clock_mhz(c) };
	for (size_t i = 0; i < c->kinds.len; i++)
		keys_of_kind(keys, c->table, c->kinds.at[i].row, of_kind[i].key);
	for (size_t i = 0; i < c->all.len; i++) {
		wait_for(&gap, c, i);
		if (!is_compared(&c->all.at[i]))
			continue;
		*vec_push(&all) = of_kind[c->all.at[i].kind];
		all.at[all.len - 1].call = (uint32_t)i;
		*vec_push(&gaps) = gap;
		gap = (struct waited){ 0 };
	}
	used = period = all.len;
	if (!whole)
		used = repeated_end(all.at, all.len, &period);
	/* without names every op is like the one before it */
	if (period == 1 && all.len &&
	    !ops_text(c->table, OPS_OP_CODE, c->all.at[all.at[0].call].row).len)
		used = period = all.len;
	s->repeats = period ? (uint32_t)(used / period) : 0;
	/* whole steps, counted from the end, where the repetition was found */
	skip = all.len - s->repeats * period;
	s->before = (uint32_t)skip;
	s->time_ns = mem_alloc(all.len + 1, sizeof(*s->time_ns));
	s->gap_ns = mem_alloc(all.len + 1, sizeof(*s->gap_ns));
	s->call = mem_alloc(all.len + 1, sizeof(*s->call));
	s->gap_call = mem_alloc(all.len + 1, sizeof(*s->gap_call));
	for (size_t p = 0; p < period; p++) {
		*vec_push(&s->at) = all.at[skip + p];
		for (size_t r = 0; r < s->repeats; r++) {
			const struct call *call = &c->all.at[all.at[skip + r * period + p].call];
			/* nothing takes no time: a zero was not measured */
			bool timed = !(call->flags & CALL_UNTIMED) && call->time_ns > 0;

			s->time_ns[p * s->repeats + r] = timed ? call->time_ns : NAN;
			s->gap_ns[p * s->repeats + r] = gaps.at[skip + r * period + p].ns;
			s->gap_call[p * s->repeats + r] = gaps.at[skip + r * period + p].longest;
			s->call[p * s->repeats + r] = all.at[skip + r * period + p].call;
			s->untimed += !timed;
		}
	}
	vec_release(&all);
	vec_release(&gaps);
}

void op_sequence_make(struct op_sequence *s, const struct calls *c, struct op_keys *keys)
{
	make_sequence(s, c, keys, false);
}

void op_sequence_make_whole(struct op_sequence *s, const struct calls *c, struct op_keys *keys)
{
	make_sequence(s, c, keys, true);
}

/* The first rotation of `step` that reads as `like` does; 0 without one. */
static size_t rotation_like(const struct op_sequence *step, const struct op_sequence *like)
{
	size_t n = step->at.len, k = 0;
	SCOPED(mem) uint32_t *border = mem_zero(n + 2, sizeof(*border));

	/* Knuth, Morris and Pratt: `like` in `step` written twice */
	for (size_t i = 1; i < n; i++) {
		while (k && like->at.at[i].key[SAME_SHAPE] != like->at.at[k].key[SAME_SHAPE])
			k = border[k];
		k += like->at.at[i].key[SAME_SHAPE] == like->at.at[k].key[SAME_SHAPE];
		border[i + 1] = (uint32_t)k;
	}
	k = 0;
	for (size_t i = 0; i < 2 * n; i++) {
		uint32_t key = step->at.at[i % n].key[SAME_SHAPE];

		while (k && (k == n || key != like->at.at[k].key[SAME_SHAPE]))
			k = border[k];
		k += key == like->at.at[k].key[SAME_SHAPE];
		if (k == n)
			return (i + 1 - n) % n;
	}
	return 0;
}

static void rotate(void *at, size_t n, size_t size, size_t by)
{
	SCOPED(mem) char *copy = mem_alloc(n + 1, size);

	memcpy(copy, (char *)at + by * size, (n - by) * size);
	memcpy(copy + (n - by) * size, at, by * size);
	memcpy(at, copy, n * size);
}

void op_sequence_turn(struct op_sequence *s, const struct op_sequence *like)
{
	size_t n = s->at.len, by;

	if (s->repeats < 2 || n != like->at.len || !n)
		return;
	by = rotation_like(s, like);
	if (!by)
		return;
	rotate(s->at.at, n, sizeof(*s->at.at), by);
	rotate(s->time_ns, n, s->repeats * sizeof(*s->time_ns), by);
	rotate(s->gap_ns, n, s->repeats * sizeof(*s->gap_ns), by);
	rotate(s->call, n, s->repeats * sizeof(*s->call), by);
	rotate(s->gap_call, n, s->repeats * sizeof(*s->gap_call), by);
}

bool op_sequence_lost_rows(const struct op_sequence *s)
{
	static const enum account_what cut[] = { ACCOUNT_CUT_ROW, ACCOUNT_FILE_TRUNCATED,
						 ACCOUNT_COMPRESSED_CUT };
	const struct account *a = &s->calls->account;
	unsigned devices = s->calls->devices ? s->calls->devices : 1;
	bool lost = account_total(a, ACCOUNT_TOTAL_DROPPED) > (uint64_t)s->untimed * devices;

	for (size_t i = 0; i < sizeof(cut) / sizeof(*cut); i++)
		lost |= account_count(a, cut[i]) != 0;
	return lost;
}

bool op_sequence_has_firmware_times(const struct op_sequence *s)
{
	return 2 * account_count(&s->calls->account, ACCOUNT_FIRMWARE_TIME) > s->calls->device_rows;
}

void op_sequence_release(struct op_sequence *s)
{
	vec_release(&s->at);
	free(s->time_ns);
	free(s->gap_ns);
	free(s->call);
	free(s->gap_call);
}

void op_keys_release(struct op_keys *keys)
{
	for (int i = 0; i < SAMENESSES; i++)
		intern_release(&keys->texts[i]);
}
