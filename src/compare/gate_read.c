// SPDX-License-Identifier: Apache-2.0
/* Gate files: TOML with keys for all rules, and a [[rule]] each (docs/guide/compare.md). */
#include <math.h>

#include "base/number.h"
#include "base/toml.h"
#include "compare/gate.h"
#include "report/family.h"
#include "report/report_parse.h"

static enum ttp_rc read_answer(const struct toml_value *v, enum gate_answer *to, struct ttp_err *e)
{
	for (int i = 0; i < GATE_ANSWERS; i++)
		if (v->type == TOML_STRING && str_eq(v->text, str_of(gate_answer_names[i]))) {
			*to = (enum gate_answer)i;
			return TTP_OK;
		}
	return toml_fail(e, v->at, "%.*s: expected \"tell\", \"pass\" or \"fail\"",
			 STR_ARG(str_head(v->key, 60)));
}

static enum ttp_rc read_amount(const struct toml_value *v, double *to, struct ttp_err *e)
{
	if ((v->type != TOML_INTEGER && v->type != TOML_FLOAT) || v->number < 0)
		return toml_fail(e, v->at, "%.*s: expected a number from 0 on",
				 STR_ARG(str_head(v->key, 60)));
	*to = v->number;
	return TTP_OK;
}

/* "1.5 ms" */
static enum ttp_rc read_time(const struct toml_value *v, double *to, struct ttp_err *e)
{
	static const struct {
		struct str name;
		double ns;
	} units[] = { { STR_INIT("ns"), 1 },
		      { STR_INIT("us"), 1e3 },
		      { STR_INIT("µs"), 1e3 },
		      { STR_INIT("ms"), 1e6 } };

	for (size_t i = 0; v->type == TOML_STRING && i < sizeof(units) / sizeof(*units); i++)
		if (str_ends(v->text, units[i].name)) {
			struct str n = str_trim(str_head(v->text, v->text.len - units[i].name.len));

			if (number_double(n, to) && *to >= 0 && isfinite(*to)) {
				*to *= units[i].ns;
				return TTP_OK;
			}
		}
	return toml_fail(e, v->at, "%.*s: expected a time in ns, us or ms, such as \"1.5 ms\"",
			 STR_ARG(str_head(v->key, 60)));
}

static struct str keep(struct gate *g, struct str s)
{
	return str_n(arena_dup(&g->texts, s.at, s.len), s.len);
}

static enum ttp_rc read_scope(struct gate *g, struct gate_rule *rule, enum gate_scope scope,
			      const struct toml_value *v, bool *has_scope, struct ttp_err *e)
{
	struct ttp_err why;
	bool known = scope != GATE_CATEGORY;

	if (*has_scope)
		return toml_fail(e, v->key_at,
				 "a rule is about one thing: run, op, category or signpost");
	*has_scope = true;
	if (scope == GATE_RUN)
		return v->type == TOML_BOOL && v->truth ? TTP_OK
							: toml_fail(e, v->at, "run: expected true");
	if (v->type != TOML_STRING || !v->text.len || memchr(v->text.at, 0, v->text.len))
		return toml_fail(e, v->at, "%s: expected a string", gate_scope_names[scope]);
	rule->text = keep(g, v->text);
	/* ops of the host are not compared */
	for (int i = 0; i < CATEGORIES && !known; i++)
		known = i != CATEGORY_HOST &&
			str_eq_nocase(v->text, str_of(category_name((enum category)i)));
	if (!known)
		return toml_fail(
			e, v->at,
			"category: expected \"compute\", \"TM\", \"DM\", \"collective\" or \"other\"");
	if (scope == GATE_OP && report_parse_regex(rule->text.at, &rule->regex, &why))
		return toml_fail(e, v->at, "op: %s", why.msg);
	rule->scope = scope; /* from here on its expression is freed */
	return TTP_OK;
}

static enum ttp_rc read_key(struct gate *g, struct gate_rule *rule, const struct toml_value *v,
			    bool *has_scope, struct ttp_err *e)
{
	for (int i = 0; i < GATE_SCOPES; i++)
		if (str_eq(v->key, str_of(gate_scope_names[i])))
			return read_scope(g, rule, (enum gate_scope)i, v, has_scope, e);
	if (str_eq(v->key, STR("min-percent")))
		return read_amount(v, &rule->min_percent, e);
	if (str_eq(v->key, STR("min-ns")))
		return read_amount(v, &rule->min_ns, e);
	if (str_eq(v->key, STR("max")))
		return read_time(v, &rule->max_ns, e);
	if (str_eq(v->key, STR("inconclusive")))
		return read_answer(v, &rule->inconclusive, e);
	if (str_eq(v->key, STR("missing")))
		return read_answer(v, &rule->missing, e);
	if (str_eq(v->key, STR("compare"))) {
		rule->is_relative = v->truth;
		return v->type == TOML_BOOL
			       ? TTP_OK
			       : toml_fail(e, v->at, "compare: expected true or false");
	}
	if (str_eq(v->key, STR("name"))) {
		rule->name = keep(g, v->text);
		return v->type == TOML_STRING && v->text.len
			       ? TTP_OK
			       : toml_fail(e, v->at, "name: expected a string");
	}
	return toml_fail(
		e, v->key_at,
		"%.*s is not known; a rule has name, run, op, category, signpost, compare, min-percent, min-ns, max, inconclusive, missing",
		STR_ARG(str_head(v->key, 60)));
}

static enum ttp_rc read_rule(struct gate *g, const struct gate_rule *usual,
			     const struct toml_table *t, struct ttp_err *e)
{
	size_t at = g->rules.len;
	bool has_scope = false;
	struct gate_rule *rule = vec_push(&g->rules);

	*rule = *usual;
	if (!str_eq(t->name, STR("rule")) || !t->of_array)
		return toml_fail(e, t->at, "expected [[rule]]");
	vec_each (v, &t->values)
		TTP_TRY(read_key(g, rule, v, &has_scope, e));
	if (!has_scope)
		return toml_fail(
			e, t->at,
			"the rule does not say what it is about: expected run, op, category or signpost");
	if (!rule->is_relative && isnan(rule->max_ns))
		return toml_fail(e, t->at, "compare = false: expected max");
	if (!rule->name.len) {
		SCOPED(buf) struct buf name = { 0 };

		buf_printf(&name, "rule %zu", at + 1);
		rule->name = keep(g, buf_view(&name));
	}
	return TTP_OK;
}

static struct gate_rule usual_of(const struct gate_defaults *d)
{
	return (struct gate_rule){ .is_relative = true,
				   .min_percent = d->min_percent,
				   .min_ns = d->min_ns,
				   .max_ns = NAN,
				   .inconclusive = d->inconclusive };
}

static enum ttp_rc read_usual(struct gate_rule *usual, const struct toml_table *t,
			      struct ttp_err *e)
{
	vec_each (v, &t->values)
		if (str_eq(v->key, STR("min-percent")))
			TTP_TRY(read_amount(v, &usual->min_percent, e));
		else if (str_eq(v->key, STR("min-ns")))
			TTP_TRY(read_amount(v, &usual->min_ns, e));
		else if (str_eq(v->key, STR("inconclusive")))
			TTP_TRY(read_answer(v, &usual->inconclusive, e));
		else if (str_eq(v->key, STR("missing")))
			TTP_TRY(read_answer(v, &usual->missing, e));
		else
			return toml_fail(
				e, v->key_at,
				"%.*s is not known here; before the first [[rule]] there are min-percent, min-ns, inconclusive, missing",
				STR_ARG(str_head(v->key, 60)));
	return TTP_OK;
}

enum ttp_rc gate_read(struct gate *g, struct str text, const struct gate_defaults *d,
		      struct ttp_err *e)
{
	struct gate_rule usual = usual_of(d);
	struct toml t;
	enum ttp_rc rc = toml_read(&t, text, e);

	if (rc)
		return rc;
	rc = read_usual(&usual, &t.tables.at[0], e);
	for (size_t i = 1; i < t.tables.len && !rc; i++)
		rc = read_rule(g, &usual, &t.tables.at[i], e);
	if (!rc && t.tables.len == 1)
		rc = ttp_fail(e, TTP_FORMAT, "it has no [[rule]]");
	toml_release(&t);
	return rc;
}

void gate_add_run(struct gate *g, const struct gate_defaults *d)
{
	struct gate_rule *rule = vec_push(&g->rules);

	*rule = usual_of(d);
	rule->name = STR("whole run");
}

enum ttp_rc gate_add_ops(struct gate *g, const struct gate_defaults *d, struct ttp_err *e)
{
	struct gate_rule rule = usual_of(d);

	rule.scope = GATE_OP;
	rule.name = STR("every op");
	rule.text = STR(".*");
	rule.inconclusive = rule.missing = GATE_PASS;
	TTP_TRY(report_parse_regex(rule.text.at, &rule.regex, e));
	*vec_push(&g->rules) = rule;
	return TTP_OK;
}

void gate_release(struct gate *g)
{
	vec_each (rule, &g->rules)
		if (rule->scope == GATE_OP)
			regfree(&rule->regex);
	vec_release(&g->rules);
	arena_release(&g->texts);
}
