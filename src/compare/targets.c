// SPDX-License-Identifier: Apache-2.0
#include "compare/targets.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "compare/diff.h"
#include "report/family.h"
#include "report/label.h"

static const double least_margin = 0.005;
enum { TARGETS_MAX = 100000 };

/* ---- reading ---- */

struct target_reader {
	struct json_reader r;
	struct targets *to;
	VEC(struct str) groups; /* per target */
	struct buf text;
	struct ttp_err *e;
};

static struct str keep(struct target_reader *t)
{
	buf_clear(&t->text);
	json_unescape(&t->r, &t->text);
	return str_n(arena_dup(&t->to->texts, t->text.at ? t->text.at : "", t->text.len),
		     t->text.len);
}

/* "Matmul_1": the second Matmul of a layer. */
static void split_key(struct target *target, struct str key)
{
	size_t at = str_rfind_char(key, '_');
	int64_t n;

	target->key = target->code = key;
	if (at != STR_NONE && number_digits(str_from(key, at + 1), 6, &n)) {
		target->code = str_head(key, at);
		target->instance = (uint32_t)n;
	}
}

/* A member of an op's object, the reader being behind its key. */
static enum ttp_rc read_part(struct target_reader *t, struct target *target, struct str key,
			     enum json_event ev)
{
	bool is_time = str_eq(key, STR("kernel_duration"));
	bool is_margin = str_eq(key, STR("kernel_duration_relative_margin"));

	if (is_time || is_margin) {
		double *to = is_time ? &target->ns : &target->margin;

		if (ev != JSON_NUMBER || !json_double(&t->r, to) || !isfinite(*to) || *to < 0)
			return ttp_fail(t->e, TTP_FORMAT, "%.*s: %.*s: expected a number from 0 on",
					STR_ARG(str_head(target->key, 60)), STR_ARG(key));
	} else if (str_eq(key, STR("op_name")) && ev == JSON_STRING) {
		target->name = keep(t);
	} else {
		t->to->not_read += ev == JSON_NUMBER && !str_has(key, STR("margin"));
		if (!json_skip_value(&t->r))
			return json_fail(&t->r, t->e);
	}
	return TTP_OK;
}

static enum ttp_rc add_target(struct target_reader *t, const struct target *target,
			      struct str group)
{
	/* a group of ops has no name; an op without a time is counted among those of its code */
	if (isnan(target->ns) && !target->name.len)
		return TTP_OK;
	if (!isnan(target->ns) && isnan(target->margin))
		return ttp_fail(
			t->e, TTP_FORMAT,
			"%.*s: expected kernel_duration_relative_margin beside kernel_duration",
			STR_ARG(str_head(target->key, 60)));
	if (t->to->all.len == TARGETS_MAX)
		return ttp_fail(t->e, TTP_LIMIT, "more than %d targets", TARGETS_MAX);
	*vec_push(&t->to->all) = *target;
	*vec_push(&t->groups) = group;
	return TTP_OK;
}

/* An op, or with `may_be_group` a group of ops: the reader is behind the begin of its object. */
static enum ttp_rc read_object(struct target_reader *t, struct str name, struct str group,
			       bool may_be_group)
{
	struct target target = { .ns = NAN, .margin = NAN };
	enum json_event ev;

	split_key(&target, name);
	while ((ev = json_next(&t->r)) == JSON_KEY) {
		struct str key = keep(t);

		ev = json_next(&t->r);
		if (ev == JSON_OBJECT_BEGIN && may_be_group)
			TTP_TRY(read_object(t, key, name, false));
		else if (ev == JSON_ERROR)
			break;
		else
			TTP_TRY(read_part(t, &target, key, ev));
	}
	return ev == JSON_ERROR ? json_fail(&t->r, t->e) : add_target(t, &target, group);
}

static enum ttp_rc read_file(struct target_reader *t)
{
	enum json_event ev = json_next(&t->r);

	if (ev != JSON_OBJECT_BEGIN)
		return ev == JSON_ERROR ? json_fail(&t->r, t->e)
					: ttp_fail(t->e, TTP_FORMAT, "expected a JSON object");
	while ((ev = json_next(&t->r)) == JSON_KEY) {
		struct str key = keep(t);

		ev = json_next(&t->r);
		if (ev == JSON_ERROR)
			break;
		if (ev == JSON_OBJECT_BEGIN)
			TTP_TRY(read_object(t, key, STR(""), true));
		else if (!json_skip_value(&t->r))
			break;
	}
	while (ev > JSON_END)
		ev = json_next(&t->r);
	return t->r.error ? json_fail(&t->r, t->e) : TTP_OK;
}

/* Keeps those of one group. */
static enum ttp_rc choose_group(struct target_reader *t, const char *group)
{
	SCOPED(buf) struct buf names = { 0 };
	VEC(struct str) known = { 0 };
	struct targets *to = t->to;
	size_t kept = 0, timed = 0;

	vec_each (g, &t->groups) {
		bool seen = false;

		vec_each (k, &known)
			seen |= str_eq(*k, *g);
		if (seen)
			continue;
		*vec_push(&known) = *g;
		buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(str_head(*g, 60)));
	}
	to->group = group ? str_of(group) : known.len ? known.at[0] : STR("");
	for (size_t i = 0; i < to->all.len; i++)
		if (str_eq(t->groups.at[i], to->group)) {
			timed += !isnan(to->all.at[i].ns);
			to->all.at[kept++] = to->all.at[i];
		}
	to->all.len = kept;
	size_t groups = known.len;

	vec_release(&known);
	if (!groups)
		return ttp_fail(t->e, TTP_FORMAT, "it has no op with kernel_duration");
	if (!kept || (!group && groups > 1))
		return ttp_fail(t->e, TTP_USAGE, "choose its part with --targets-part: %s",
				names.at);
	if (!timed)
		return ttp_fail(t->e, TTP_FORMAT, "it has no op with kernel_duration");
	return TTP_OK;
}

enum ttp_rc targets_read(struct targets *t, struct str json, const char *group, struct ttp_err *e)
{
	struct target_reader reader = { .r = json_reader_of(json), .to = t, .e = e };
	enum ttp_rc rc;

	*t = (struct targets){ 0 };
	rc = read_file(&reader);
	if (!rc)
		rc = choose_group(&reader, group);
	vec_release(&reader.groups);
	buf_release(&reader.text);
	return rc;
}

void targets_release(struct targets *t)
{
	vec_release(&t->all);
	arena_release(&t->texts);
}

/* ---- judging ---- */

static struct str code_at(const struct compare *c, uint32_t p)
{
	const struct op_sequence *s = c->runs[NEW];

	return ops_text(s->calls->table, OPS_OP_CODE, s->calls->all.at[s->at.at[p].call].row);
}

static bool is_code(struct str op, struct str code)
{
	return str_eq(op, code) || str_eq(op_short_name(op), op_short_name(code));
}

/* Ops of a code in the step, with a time or without: those that have just this one, else those that are called so for short. */
static void find_code(const struct compare *c, struct str code, struct op_set *found)
{
	vec_clear(&found->at[NEW]);
	for (uint32_t p = 0; p < c->runs[NEW]->at.len; p++)
		if (str_eq(code_at(c, p), code))
			*vec_push(&found->at[NEW]) = p;
	if (found->at[NEW].len)
		return;
	for (uint32_t p = 0; p < c->runs[NEW]->at.len; p++)
		if (is_code(code_at(c, p), code))
			*vec_push(&found->at[NEW]) = p;
}

/* In any run or step of NEW, whatever BASE has. */
static bool is_timed(const struct compare *c, uint32_t p)
{
	for (size_t run = 0; run < c->ask.n[NEW]; run++) {
		const struct op_sequence *s = &c->runs[NEW][run];
		size_t at = c->pair[NEW][run][p];

		for (size_t r = 0; at != DIFF_NONE && r < s->repeats; r++)
			if (!isnan(s->time_ns[at * s->repeats + r]))
				return true;
	}
	return false;
}

static uint32_t instances(const struct targets *t, struct str code)
{
	uint32_t n = 0;

	vec_each (x, &t->all)
		if (str_eq(x->code, code) && x->instance >= n)
			n = x->instance + 1;
	return n;
}

static enum compare_unit unit_of_new(const struct compare *c)
{
	return c->ask.n[NEW] > 1 ? UNIT_RUNS : UNIT_STEPS;
}

static void judge_target(struct gate_check *check, const struct target *x, const struct compare *c,
			 const struct op_set *of_code, uint32_t k)
{
	SCOPED(mem) double *samples = mem_alloc(compare_samples_most(c, NEW), sizeof(*samples));
	struct op_set mine = { 0 };
	size_t n = of_code->at[NEW].len, count;
	double mean, half, max_ns = x->ns * (1 + x->margin);

	check->max_ns = max_ns;
	if (!n || n % k) {
		gate_check_set(
			check, CHECK_MISSING,
			n ? "a step of NEW has %zu of them, not a multiple of %u: other ops than the targets are of"
			  : "NEW has none of them",
			n, k);
		return;
	}
	for (size_t i = x->instance; i < n; i += k)
		if (is_timed(c, of_code->at[NEW].at[i]))
			*vec_push(&mine.at[NEW]) = of_code->at[NEW].at[i];
	count = mine.at[NEW].len;
	if (count < n / k)
		gate_check_set(check, CHECK_MISSING, "%zu of %zu have no device time",
			       n / k - count, n / k);
	n = count ? compare_set_samples(c, &mine, NEW, unit_of_new(c), samples) : 0;
	for (size_t i = 0; i < n; i++)
		samples[i] /= (double)count;
	vec_release(&mine.at[NEW]);
	half = gate_half_width(samples, n, false, &mean);
	if (n)
		check->ns[NEW] = mean;
	/* targets are means over devices, our times those of the slowest: beyond the limit it says nothing */
	if (n && c->runs[NEW]->calls->devices > 1 && mean > max_ns) {
		SCOPED(buf) struct buf took = { 0 }, most = { 0 };

		label_ns(&took, mean);
		label_ns(&most, max_ns);
		gate_check_set(check, CHECK_UNSURE,
			       "takes %s on the slowest device; at most %s as a mean over devices",
			       took.at, most.at);
		return;
	}
	gate_check_limit(check, samples, n, max_ns);
	check->is_stale = check->result == CHECK_KEPT &&
			  mean + (isfinite(half) ? half : 0) < x->ns * (1 - x->margin);
	if (check->is_stale)
		buf_text(&check->says, ": faster than the target allows for; write new ones");
}

void targets_judge(gate_checks *to, const struct targets *t, const struct compare *c,
		   const struct gate_defaults *d)
{
	struct op_set found = { 0 };
	uint32_t others = 0;

	vec_each (x, &t->all) {
		if (isnan(x->ns))
			continue;

		struct gate_check *check =
			gate_check_add(to, t->group.len ? t->group : STR("targets"));

		check->inconclusive = d->inconclusive;
		buf_str(&check->what, x->key);
		if (x->name.len && !str_eq(x->name, x->key))
			buf_printf(&check->what, " (%.*s)", STR_ARG(str_head(x->name, 100)));
		find_code(c, x->code, &found);
		judge_target(check, x, c, &found, instances(t, x->code));
	}
	for (uint32_t p = 0; p < c->runs[NEW]->at.len; p++) {
		bool any = false;

		for (size_t i = 0; i < t->all.len && !any; i++)
			any = is_code(code_at(c, p), t->all.at[i].code);
		others += !any;
	}
	if (others) {
		struct gate_check *check =
			gate_check_add(to, t->group.len ? t->group : STR("targets"));

		buf_text(&check->what, "ops without a target");
		gate_check_set(check, CHECK_KEPT, "%u op%s of a step of NEW", others,
			       others == 1 ? "" : "s");
		check->is_stale = true;
	}
	vec_release(&found.at[NEW]);
}

/* ---- writing ---- */

/* Without samples only that the op is there: who reads the file counts the ops of its code by it. */
static void put_target(struct json_writer *w, const struct compare *c, uint32_t p,
		       uint32_t instance, const double *samples, size_t n)
{
	const struct op_sequence *s = c->runs[NEW];
	SCOPED(buf) struct buf key = { 0 }, label = { 0 };
	struct str code = code_at(c, p);
	double mean, half, margin;

	buf_printf(&key, "%.*s_%u", STR_ARG(code), instance);
	label_call(&label, s->calls->table, s->calls, &s->calls->all.at[s->at.at[p].call]);
	json_write_key(w, buf_view(&key));
	json_open_object(w);
	json_put_text(w, "op_name", buf_view(&label));
	if (n) {
		half = gate_half_width(samples, n, true, &mean);
		/* in tenths of a per cent */
		margin = ceil(1000 * half / mean) / 1000;
		json_put_number(w, "kernel_duration", round(10 * mean) / 10);
		json_put_number(w, "kernel_duration_relative_margin",
				number_max(margin, least_margin));
	}
	json_close_object(w);
}

enum ttp_rc targets_write(struct buf *to, const struct compare *c, struct ttp_err *e)
{
	SCOPED(mem) double *samples = mem_alloc(compare_samples_most(c, NEW), sizeof(*samples));
	struct json_writer w = { .to = to, .pretty = true };
	SCOPED(mem)
	uint32_t *instances_of =
		mem_zero(intern_count(&c->keys.texts[SAME_CODE]) + 1, sizeof(*instances_of));
	struct op_set one = { 0 };

	if (c->runs[NEW]->calls->devices > 1)
		return ttp_fail(
			e, TTP_USAGE,
			"--write-targets: such targets are means over devices, and times here are those of the slowest: runs of one device only");
	json_open_object(&w);
	*vec_push(&one.at[NEW]) = 0;
	for (uint32_t p = 0; p < c->runs[NEW]->at.len; p++) {
		uint32_t instance = instances_of[c->runs[NEW]->at.at[p].key[SAME_CODE]]++;
		bool timed = is_timed(c, p);
		size_t n = 0;

		one.at[NEW].at[0] = p;
		if (!code_at(c, p).len)
			continue;
		if (timed)
			n = compare_set_samples(c, &one, NEW, unit_of_new(c), samples);
		if (timed && n < COMPARE_RUNS_AT_LEAST) {
			vec_release(&one.at[NEW]);
			return ttp_fail(
				e, TTP_USAGE,
				"--write-targets: margins come from what was repeated: NEW needs %d runs, or as many steps",
				COMPARE_RUNS_AT_LEAST);
		}
		put_target(&w, c, p, instance, samples, n);
	}
	vec_release(&one.at[NEW]);
	json_close_object(&w);
	buf_char(to, '\n');
	return TTP_OK;
}
