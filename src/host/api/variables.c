// SPDX-License-Identifier: Apache-2.0
#include "host/api/variables.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

#define LOG_AREA "device"
#include "base/log.h"

extern char **environ;

const struct variable variables[] = {
#define VARIABLE(name, kind, fallback, does) \
	{ #name, VARIABLE_##kind, VARIABLE_READ, fallback, does },
#define ABSENT(name, kind, why) { #name, VARIABLE_##kind, VARIABLE_ABSENT, "", why },
#define UNUSED(name)            { #name, VARIABLE_TEXT, VARIABLE_UNUSED, "", NULL },
#define NEEDS(name, other)
#define CONFLICT(name, other, why)
#define IMPLIES(name, other)
#include "host/api/variables.def"
#undef VARIABLE
#undef ABSENT
#undef UNUSED
#undef NEEDS
#undef CONFLICT
#undef IMPLIES
	{ NULL, VARIABLE_TEXT, VARIABLE_UNUSED, NULL, NULL },
};

const struct variable_rule variable_rules[] = {
#define VARIABLE(name, kind, fallback, does)
#define ABSENT(name, kind, why)
#define UNUSED(name)
#define NEEDS(name, other)         { RULE_NEEDS, #name, #other, NULL },
#define CONFLICT(name, other, why) { RULE_CONFLICT, #name, #other, why },
#define IMPLIES(name, other)       { RULE_IMPLIES, #name, #other, NULL },
#include "host/api/variables.def"
	{ RULE_NEEDS, NULL, NULL, NULL },
};

/* What may be in variables of a kind. */
static const char *const kind_values[] = { VARIABLE_KINDS(LIST_2ND) };

static bool fits(const struct variable *v, struct str name)
{
	struct str known = str_of(v->name);

	return str_ends(known, STR("*")) ? str_starts(name, str_head(known, known.len - 1))
					 : str_eq(name, known);
}

const struct variable *variable_find(struct str name)
{
	for (const struct variable *v = variables; v->name; v++)
		if (fits(v, name))
			return v;
	return NULL;
}

const char *variable_meant(struct str name)
{
	struct suggest near = { .word = name };

	for (const struct variable *v = variables; v->name; v++)
		if (!str_ends(str_of(v->name), STR("*")))
			suggest_offer(&near, v->name);
	return near.best;
}

bool variable_is_ours(struct str name)
{
	return str_starts(name, STR("TT_METAL_")) || str_starts(name, STR("TTP_")) ||
	       str_starts(name, STR("TRACY_")) || str_starts(name, STR("TTNN_"));
}

const char *variable_text(const char *name)
{
	const char *v = getenv(name); /* NOLINT(concurrency-mt-unsafe) */

	return v && *v ? v : NULL;
}

bool variable_on(const char *name)
{
	const struct variable *v = variable_find(str_of(name));
	const char *text = variable_text(name);

	return strcmp(text ? text : v ? v->fallback : "0", "1") == 0;
}

/* Set to something that is meant to have an effect. */
static bool in_use(const char *name)
{
	const struct variable *v = variable_find(str_of(name));
	const char *text = variable_text(name);

	if (!text || !v)
		return false;
	return v->kind == VARIABLE_PATH || v->kind == VARIABLE_TEXT || v->kind == VARIABLE_CHIPS ||
	       v->kind == VARIABLE_CORES || v->kind == VARIABLE_RISCS || strcmp(text, "0") != 0;
}

enum ttp_rc variables_check(struct ttp_err *e)
{
	for (const struct variable *v = variables; v->name; v++) {
		const char *text = v->kind == VARIABLE_SWITCH ? variable_text(v->name) : NULL;

		if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
			return ttp_fail(
				e, TTP_USAGE,
				"%s=%.40s: 1 switches it on; 0, nothing or no such variable "
				"is off",
				v->name, text);
	}
	for (const struct variable_rule *r = variable_rules; r->name; r++)
		if (r->kind == RULE_CONFLICT && in_use(r->name) && in_use(r->other))
			return ttp_fail(e, TTP_USAGE, "%s; unset %s or %s", r->why, r->name,
					r->other);
	return TTP_OK;
}

static bool is_met(const char *name)
{
	if (in_use(name))
		return true;
	for (const struct variable_rule *r = variable_rules; r->name; r++)
		if (r->kind == RULE_IMPLIES && !strcmp(r->other, name) && in_use(r->name))
			return true;
	return false;
}

static void warn_unknown(void)
{
	SCOPED(buf) struct buf b = { 0 };
	int n = 0;

	for (char **at = environ; *at; at++) {
		struct str name = str_of(*at);
		size_t equals = str_find_char(name, '=');
		const char *meant;

		name = str_head(name, equals);
		if (equals == STR_NONE || !str_starts(name, STR("TT_METAL_")) ||
		    variable_find(name))
			continue;
		meant = variable_meant(name);
		buf_printf(&b, "%s%.*s", n++ ? ", " : "", STR_ARG(name));
		if (meant)
			buf_printf(&b, " (did you mean %s?)", meant);
	}
	if (n)
		log_warn("nobody reads %s; `ttprof doctor --variables` lists what there is", b.at);
}

static void warn_once(void)
{
	warn_unknown();
	for (const struct variable *v = variables; v->name; v++)
		if (v->status == VARIABLE_ABSENT && in_use(v->name))
			log_warn("%s does nothing here: %s", v->name, v->does);
	for (const struct variable_rule *r = variable_rules; r->name; r++)
		if (r->kind == RULE_NEEDS && in_use(r->name) && !is_met(r->other))
			log_warn("%s does nothing without %s", r->name, r->other);
}

void variables_warn(void)
{
	static atomic_bool warned;

	if (!atomic_exchange(&warned, true))
		warn_once();
}

static void print_rules(struct buf *b, const char *name)
{
	for (const struct variable_rule *r = variable_rules; r->name; r++) {
		bool own = !strcmp(r->name, name);

		if (!own && !(r->kind == RULE_CONFLICT && !strcmp(r->other, name)))
			continue;
		buf_printf(b, "; %s `%s`",
			   r->kind == RULE_NEEDS     ? "needs"
			   : r->kind == RULE_IMPLIES ? "switches on"
						     : "not with",
			   own ? r->other : r->name);
	}
}

void variables_print(struct buf *b)
{
	for (const struct variable *v = variables; v->name; v++) {
		if (v->status != VARIABLE_READ)
			continue;
		buf_printf(b, "- `%s` (%s", v->name,
			   v->kind == VARIABLE_CHOICE ? "a word" : kind_values[v->kind]);
		if (*v->fallback)
			buf_printf(b, "; default %s", v->fallback);
		buf_printf(b, "): %s", v->does);
		print_rules(b, v->name);
		buf_text(b, "\n");
	}
	buf_text(b, "\nKnown, and without effect here:\n\n");
	for (const struct variable *v = variables; v->name; v++)
		if (v->status == VARIABLE_ABSENT)
			buf_printf(b, "- `%s`: %s\n", v->name, v->does);
	buf_text(b, "\nOf tt-metal, with no meaning here: ");
	for (const struct variable *v = variables, *first = NULL; v->name; v++)
		if (v->status == VARIABLE_UNUSED) {
			buf_printf(b, "%s`%s`", first ? ", " : "", v->name);
			first = v;
		}
	buf_text(b, ".\n");
}
