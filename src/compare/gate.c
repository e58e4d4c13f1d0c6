// SPDX-License-Identifier: Apache-2.0
#include "compare/gate.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "compare/diff.h"
#include "report/family.h"
#include "report/label.h"

#define X(id, text) text,
const char *const gate_scope_names[] = { GATE_SCOPE_LIST(X) };
const char *const gate_answer_names[] = { GATE_ANSWER_LIST(X) NULL };
const char *const check_result_names[] = { CHECK_RESULT_LIST(X) };
#undef X

/* ---- checks ---- */

struct gate_check *gate_check_add(gate_checks *to, struct str rule)
{
	struct gate_check *check = vec_push(to);

	*check = (struct gate_check){ .max_ns = NAN, .ns = { NAN, NAN } };
	buf_str(&check->rule, rule);
	return check;
}

/* The worst result stands; sentences are put one after the other. */
void gate_check_set(struct gate_check *check, enum check_result result, const char *fmt, ...)
{
	static const int order[CHECK_RESULTS] = {
		[CHECK_KEPT] = 0, [CHECK_UNSURE] = 1, [CHECK_MISSING] = 2, [CHECK_BROKEN] = 3
	};
	va_list ap;

	if (order[result] > order[check->result])
		check->result = result;
	if (check->says.len)
		buf_text(&check->says, "; ");
	va_start(ap, fmt);
	buf_vprintf(&check->says, fmt, ap);
	va_end(ap);
}

double gate_half_width(const double *samples, size_t n, bool next, double *mean)
{
	double squares = 0, low = 0, high = 1e6;

	*mean = 0;
	for (size_t i = 0; i < n; i++)
		*mean += samples[i] / (double)n;
	if (n < 2)
		return INFINITY;
	for (size_t i = 0; i < n; i++)
		squares += (samples[i] - *mean) * (samples[i] - *mean);
	/* the t of which 5 % lie outside */
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		*(t_chance(middle, (double)(n - 1)) > 0.05 ? &low : &high) = middle;
	}
	return high * sqrt(squares / (double)(n - 1) * ((next ? 1.0 : 0.0) + 1 / (double)n));
}

void gate_check_limit(struct gate_check *check, const double *samples, size_t n, double max_ns)
{
	SCOPED(buf) struct buf took = { 0 }, most = { 0 };
	double mean, half;

	check->max_ns = max_ns;
	if (!n) {
		gate_check_set(check, CHECK_MISSING, "no device time was recorded");
		return;
	}
	half = gate_half_width(samples, n, false, &mean);
	label_ns(&took, mean);
	label_ns(&most, max_ns);
	/* of so few samples there is no interval worth the name: the figure itself is taken */
	if (n < COMPARE_RUNS_AT_LEAST)
		half = 0;
	if (mean - half > max_ns)
		gate_check_set(check, CHECK_BROKEN, "takes %s, at most %s", took.at, most.at);
	else if (mean + half <= max_ns)
		gate_check_set(check, CHECK_KEPT, "takes %s, at most %s", took.at, most.at);
	else
		gate_check_set(check, CHECK_UNSURE,
			       "takes %s ± %.1f %%, at most %s: the noise does not settle it",
			       took.at, mean > 0 ? 100 * half / mean : 0, most.at);
}

/* ---- which ops a rule is about ---- */

struct matching {
	const struct gate_rule *rule;
	const struct compare *c;
	signed char *known; /* per number of SAME_KIND: 1 yes, 0 no, -1 not asked yet */
	struct buf text;
};

static bool asks(struct matching *m, const struct op_sequence *s, const struct call *call)
{
	struct str code = ops_text(s->calls->table, OPS_OP_CODE, call->row);

	if (m->rule->scope == GATE_CATEGORY)
		return str_eq_nocase(m->rule->text,
				     str_of(category_name(family_category(work_of(code).family))));
	buf_clear(&m->text);
	label_call(&m->text, s->calls->table, s->calls, call);
	if (m->text.at && !regexec(&m->rule->regex, m->text.at, 0, NULL, 0))
		return true;
	buf_set(&m->text, "%.*s", STR_ARG(code));
	return !regexec(&m->rule->regex, m->text.at, 0, NULL, 0);
}

static bool matches(struct matching *m, const struct op_sequence *s, size_t p)
{
	const struct call *call = &s->calls->all.at[s->at.at[p].call];
	signed char *known = &m->known[s->at.at[p].key[SAME_KIND]];

	if (m->rule->scope == GATE_RUN)
		return true;
	if (m->rule->scope == GATE_SIGNPOST)
		return str_eq(s->calls->sections.at[call->section].name, m->rule->text);
	/* without a name each op has its own number in its label */
	if (call_kind(s->calls, call)->unnamed)
		return asks(m, s, call);
	if (*known < 0)
		*known = asks(m, s, call);
	return *known;
}

struct matched {
	struct op_set set;
	uint32_t untimed[SIDES]; /* without a time on this or the other side */
	uint32_t alone[SIDES];   /* on this side only */
	bool *lines;             /* per line of the comparison */
};

static void find_matches(struct matched *found, const struct gate_rule *rule,
			 const struct compare *c)
{
	size_t kinds = intern_count(&c->keys.texts[SAME_KIND]);
	struct matching m = { .rule = rule, .c = c, .known = mem_alloc(kinds + 1, 1) };

	memset(m.known, -1, kinds + 1);
	*found = (struct matched){
		.set.with_gaps = rule->scope == GATE_RUN || rule->scope == GATE_SIGNPOST,
		.lines = mem_zero(c->lines.len + 1, sizeof(bool)),
	};
	for (int side = BASE; side < SIDES; side++)
		for (uint32_t p = 0; p < c->runs[side]->at.len; p++) {
			uint32_t line = c->line_of[side][p];

			if (!matches(&m, c->runs[side], p))
				continue;
			if (line == DIFF_NONE) {
				found->untimed[side]++;
				continue;
			}
			*vec_push(&found->set.at[side]) = p;
			found->lines[line] = true;
			found->alone[side] += c->lines.at[line].change > LINE_CHANGED;
		}
	free(m.known);
	buf_release(&m.text);
}

static void matched_release(struct matched *found)
{
	for (int side = BASE; side < SIDES; side++)
		vec_release(&found->set.at[side]);
	free(found->lines);
}

/* ---- rules ---- */

static struct gate_check *check_of(gate_checks *to, const struct gate_rule *rule)
{
	struct gate_check *check = gate_check_add(to, rule->name);

	check->inconclusive = rule->inconclusive;
	check->missing = rule->missing;
	return check;
}

/* What stands in the way of a judgement of NEW against BASE; NULL: nothing. */
static const char *no_judgement(const struct compare *c, const struct shift *s)
{
	if (c->unsure_because)
		return c->unsure_because;
	if (!c->is_firm)
		return "single runs without steps: take 4 runs of each side";
	return isfinite(s->low) ? NULL : "too few samples: take 4 runs of each side";
}

static void make_relative(struct gate_check *check, const struct gate_rule *rule,
			  const struct compare *c, const struct shift *s)
{
	const char *why = no_judgement(c, s);

	if (why) {
		gate_check_set(check, CHECK_UNSURE, "%s", why);
		return;
	}
	check->is_relative = true;
	check->shift = *s;
	check->margin_ns = number_max(check->ns[BASE] * rule->min_percent / 100, rule->min_ns);
}

/* Runs where there are several, else steps: what is known of NEW alone. */
static size_t new_samples(const struct compare *c, const struct op_set *set, double *to)
{
	return compare_set_samples(c, set, NEW, c->ask.n[NEW] > 1 ? UNIT_RUNS : UNIT_STEPS, to);
}

static void limit_set(struct gate_check *check, const struct gate_rule *rule,
		      const struct compare *c, const struct op_set *set, double per)
{
	SCOPED(mem) double *samples = mem_alloc(compare_samples_most(c, NEW), sizeof(*samples));
	size_t n = new_samples(c, set, samples);

	for (size_t i = 0; i < n; i++)
		samples[i] /= per;
	gate_check_limit(check, samples, n, rule->max_ns);
}

/* Everything that the rule matches, as one sum. */
static void judge_sum(gate_checks *to, const struct gate_rule *rule, const struct compare *c,
		      const struct matched *found)
{
	struct gate_check *check = check_of(to, rule);
	SCOPED(mem) double *a = mem_alloc(compare_samples_most(c, BASE), sizeof(*a));
	SCOPED(mem) double *b = mem_alloc(compare_samples_most(c, NEW), sizeof(*b));
	enum compare_unit unit = c->unit == UNIT_STEPS ? UNIT_STEPS : UNIT_RUNS;
	double *samples[SIDES] = { a, b };
	size_t n[SIDES];

	if (rule->scope == GATE_RUN)
		buf_text(&check->what, "a step");
	else
		buf_printf(&check->what, "%s %.*s", gate_scope_names[rule->scope],
			   STR_ARG(rule->text));
	for (int side = BASE; side < SIDES; side++) {
		uint32_t untimed = found->untimed[side];
		size_t timed = found->set.at[side].len;

		if (!timed && (side == NEW || rule->is_relative)) {
			gate_check_set(check, CHECK_MISSING, "%s has no %s of it",
				       side == BASE ? "BASE" : "NEW", untimed ? "time" : "op");
			return;
		}
		if (10 * untimed > timed + untimed)
			gate_check_set(check, CHECK_MISSING,
				       "%u of %zu ops of %s have no device time", untimed,
				       timed + untimed, side == BASE ? "BASE" : "NEW");
		n[side] = compare_set_samples(c, &found->set, (enum compare_side)side, unit,
					      samples[side]);
		check->ns[side] = 0;
		for (size_t i = 0; i < n[side]; i++)
			check->ns[side] += samples[side][i] / (double)n[side];
	}
	if (c->lost_rows[NEW] && found->alone[BASE])
		gate_check_set(check, CHECK_MISSING, "%u ops are gone, and rows of NEW were lost",
			       found->alone[BASE]);
	if (!isnan(rule->max_ns))
		limit_set(check, rule, c, &found->set, 1);
	if (rule->is_relative) {
		/* the whole has been tested already, gaps and all */
		struct shift s = rule->scope == GATE_RUN ? c->total.shift
							 : rank_shift(a, n[BASE], b, n[NEW]);

		make_relative(check, rule, c, &s);
		check->is_clock = rule->scope == GATE_RUN && compare_is_clock_alone(c);
	}
}

/* Ops of one kind: a change of one is not hidden by that of another. */
static void judge_line(gate_checks *to, const struct gate_rule *rule, const struct compare *c,
		       uint32_t line)
{
	const struct compare_line *l = &c->lines.at[line];
	struct gate_check *check = check_of(to, rule);

	compare_label(&check->what, c, l);
	for (int side = BASE; side < SIDES; side++)
		if (l->position[side] != DIFF_NONE)
			check->ns[side] = (double)l->time_ns[side];
	if (l->change == LINE_VANISHED) {
		gate_check_set(check, CHECK_MISSING, "is only in BASE");
		return;
	}
	if (!isnan(rule->max_ns)) {
		struct op_set set = { 0 };

		for (uint32_t p = 0; p < c->runs[NEW]->at.len; p++)
			if (c->line_of[NEW][p] == line)
				*vec_push(&set.at[NEW]) = p;
		limit_set(check, rule, c, &set, l->count);
		vec_release(&set.at[NEW]);
	}
	if (l->change == LINE_APPEARED && rule->is_relative)
		gate_check_set(check, CHECK_MISSING, "is only in NEW");
	else if (rule->is_relative)
		make_relative(check, rule, c, &l->time.shift);
	check->is_clock = compare_is_clock(c, l);
}

static void judge_ops(gate_checks *to, const struct gate_rule *rule, const struct compare *c,
		      const struct matched *found)
{
	uint32_t untimed = found->untimed[NEW] > found->untimed[BASE] ? found->untimed[NEW]
								      : found->untimed[BASE];
	bool any = false;

	for (uint32_t i = 0; i < c->lines.len; i++)
		if (found->lines[i]) {
			judge_line(to, rule, c, i);
			any = true;
		}
	if (any && !untimed)
		return;
	struct gate_check *check = check_of(to, rule);

	buf_printf(&check->what, "op %.*s", STR_ARG(rule->text));
	if (untimed)
		gate_check_set(check, CHECK_MISSING, "%u op%s of it ha%s no device time", untimed,
			       untimed == 1 ? "" : "s", untimed == 1 ? "s" : "ve");
	else
		gate_check_set(check, CHECK_MISSING, "no op matches on either side");
}

static void add_percent(struct buf *b, double ns, double base)
{
	buf_printf(b, "%s%.2f %%", ns < 0 ? "−" : "+", base > 0 ? fabs(100 * ns / base) : 0);
}

/* A gate asks for one direction: it is enough that NEW is not slower by more than the margin. */
static void conclude(struct gate_check *check, double p)
{
	const struct shift *s = &check->shift;
	double by = check->ns[NEW] - check->ns[BASE];
	SCOPED(buf) struct buf text = { 0 };
	enum check_result result = CHECK_UNSURE;

	switch (compare_judge_shift(s, p, by, check->margin_ns)) {
	case COMPARE_SLOWER:
		result = check->is_clock ? CHECK_KEPT : CHECK_BROKEN;
		break;
	case COMPARE_SAME:
	case COMPARE_FASTER:
		result = CHECK_KEPT;
		break;
	case COMPARE_UNSURE:
		result = s->high <= check->margin_ns && by <= check->margin_ns ? CHECK_KEPT
									       : CHECK_UNSURE;
		break;
	}
	add_percent(&text, by, check->ns[BASE]);
	buf_text(&text, ", between ");
	add_percent(&text, s->low, check->ns[BASE]);
	buf_text(&text, " and ");
	add_percent(&text, s->high, check->ns[BASE]);
	if (check->is_clock && by > check->margin_ns)
		buf_text(&text, ", by the clock alone: as many cycles");
	gate_check_set(check, result, "%s, allowed %.2f %%", text.at,
		       check->ns[BASE] > 0 ? 100 * check->margin_ns / check->ns[BASE] : 0);
}

void gate_judge(gate_checks *to, const struct gate *g, const struct compare *c)
{
	size_t n = 0;

	vec_each (rule, &g->rules) {
		struct matched found;

		find_matches(&found, rule, c);
		if (rule->scope == GATE_OP)
			judge_ops(to, rule, c, &found);
		else
			judge_sum(to, rule, c, &found);
		matched_release(&found);
	}
	/* many checks: some would fail by chance */
	SCOPED(mem) double *p = mem_alloc(to->len + 1, sizeof(*p));

	vec_each (check, to)
		if (check->is_relative)
			p[n++] = check->shift.p;
	rank_adjust(p, n);
	n = 0;
	vec_each (check, to)
		if (check->is_relative)
			conclude(check, p[n++]);
}

void gate_checks_release(gate_checks *all)
{
	vec_each (check, all) {
		buf_release(&check->rule);
		buf_release(&check->what);
		buf_release(&check->says);
	}
	vec_release(all);
}

enum gate_answer gate_counts(const struct gate_check *check)
{
	return check->result == CHECK_KEPT     ? GATE_PASS
	       : check->result == CHECK_BROKEN ? GATE_FAIL
	       : check->result == CHECK_UNSURE ? check->inconclusive
					       : check->missing;
}

int gate_status(const gate_checks *all)
{
	bool unsure = false;

	vec_each (check, all) {
		if (gate_counts(check) == GATE_FAIL)
			return 1;
		unsure |= gate_counts(check) == GATE_TELL;
	}
	return unsure ? GATE_STATUS_UNSURE : 0;
}
