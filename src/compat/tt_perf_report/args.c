// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/args.h"

#include <stddef.h>

#include "compat/tt_perf_report/py.h"
#include "ops/py_text.h"

enum takes { TAKES_HELP, TAKES_FLAG, TAKES_TEXT, TAKES_FLOAT, TAKES_INT, TAKES_GROUP };

struct option {
	const char *name;
	enum takes takes;
	size_t at;
	bool exact; /* not found by a prefix, and not listed */
	enum release since;
};

#define AT(member) offsetof(struct compat_args, member)
/* In the order in which the original declares them: ambiguous prefixes are listed so. */
static const struct option options[] = {
	{ "-h", TAKES_HELP, 0, false, 0 },
	{ "--help", TAKES_HELP, 0, false, 0 },
	{ "--start-signpost", TAKES_TEXT, AT(start_signpost), false, 0 },
	{ "--end-signpost", TAKES_TEXT, AT(end_signpost), false, 0 },
	{ "--ignore-signposts", TAKES_FLAG, AT(ignore_signposts), false, 0 },
	{ "--print-signposts", TAKES_FLAG, AT(print_signposts), false, 0 },
	{ "--min-percentage", TAKES_FLOAT, AT(min_percentage), false, 0 },
	{ "--id-range", TAKES_TEXT, AT(id_range), false, 0 },
	{ "--arch", TAKES_TEXT, AT(arch), false, 0 },
	{ "--color", TAKES_FLAG, AT(color), false, 0 },
	{ "--no-color", TAKES_FLAG, AT(no_color), false, 0 },
	{ "--csv", TAKES_TEXT, AT(csv), false, 0 },
	{ "--no-advice", TAKES_FLAG, AT(no_advice), false, 0 },
	{ "--tracing-mode", TAKES_FLAG, AT(tracing_mode), false, 0 },
	{ "--raw-op-codes", TAKES_FLAG, AT(raw_op_codes), false, 0 },
	{ "--no-host-ops", TAKES_FLAG, AT(no_host_ops), false, 0 },
	{ "--no-summary", TAKES_FLAG, AT(no_summary), false, 0 },
	{ "--group-by", TAKES_GROUP, AT(group_by), false, 0 },
	{ "--classic-colors", TAKES_FLAG, AT(classic_colors), false, 0 },
	{ "--summary-file", TAKES_TEXT, AT(summary_file), false, 0 },
	{ "--no-stacked-report", TAKES_FLAG, AT(no_stacked_report), false, 0 },
	{ "--no-stack-by-in0", TAKES_FLAG, AT(no_stack_by_in0), false, 0 },
	{ "--stacked-csv", TAKES_TEXT, AT(stacked_csv), false, 0 },
	{ "--no-merge-devices", TAKES_FLAG, AT(no_merge_devices), false, 0 },
	{ "--active-experts", TAKES_INT, AT(active_experts), false, RELEASE_1_3 },
	{ "--signpost", TAKES_TEXT, AT(start_signpost), true, 0 }, /* ours: docs/reference/compat.md */
};
#undef AT
enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

static const char *const groups[] = { "op", "memory", "category" };

/* What an argument may be, found before anything is done with it. */
enum role { ROLE_VALUE, ROLE_OPTION, ROLE_DASHES };

struct match {
	const struct option *option; /* NULL: looks like an option and is none */
	size_t count;                /* options that it may mean, when more than one */
	bool has_value, glued;       /* --opt=value; glued: -hvalue */
	struct str value;
};

struct parsing {
	struct compat_args *a;
	const struct compat_version *v;
	char **arg;
	size_t args;
	VEC(enum role) role;
	VEC(const char *) extras;
	bool paths_found;
	enum args_wish wish;
	struct buf *text;
};

static void wrong_begin(struct parsing *p)
{
	p->wish = ARGS_WRONG;
	buf_clear(p->text);
	compat_usage(p->v, p->text);
	buf_text(p->text, "tt-perf-report: error: ");
}

/* "-12", "-.5", "-1.5": values, though they start like an option. */
static bool is_negative_number(struct str s)
{
	size_t i = 1, before = 0, after = 0;

	while (i < s.len && s.at[i] >= '0' && s.at[i] <= '9')
		i++, before++;
	if (i == s.len)
		return before > 0;
	if (s.at[i++] != '.')
		return false;
	while (i < s.len && s.at[i] >= '0' && s.at[i] <= '9')
		i++, after++;
	return i == s.len && after > 0;
}

static bool is_known(const struct compat_version *v, const struct option *o)
{
	return o->since <= v->release;
}

static const struct option *option_named(const struct compat_version *v, struct str name)
{
	for (int i = 0; i < OPTIONS; i++)
		if (is_known(v, &options[i]) && str_eq(str_of(options[i].name), name))
			return &options[i];
	return NULL;
}

static bool may_mean(const struct compat_version *v, const struct option *o, struct str prefix)
{
	return !o->exact && is_known(v, o) && str_starts(str_of(o->name), prefix);
}

/* False when the argument is a value or positional. */
static bool match_option(const struct compat_version *v, struct str arg, struct match *m)
{
	size_t equals = str_find_char(arg, '=');
	struct str prefix = str_head(arg, equals);

	*m = (struct match){ 0 };
	if (!arg.len || arg.at[0] != '-')
		return false;
	m->option = option_named(v, arg);
	if (m->option)
		return true;
	if (arg.len == 1)
		return false;
	if (equals != STR_NONE) {
		m->has_value = true;
		m->value = str_from(arg, equals + 1);
		m->option = option_named(v, prefix);
		if (m->option)
			return true;
	}
	if (arg.at[1] == '-') {
		for (int i = OPTIONS - 1; i >= 0; i--)
			if (may_mean(v, &options[i], prefix)) {
				m->option = &options[i];
				m->count++;
			}
	} else if (arg.at[1] == 'h') {
		m->option = &options[0];
		m->has_value = m->glued = true;
		m->value = str_from(arg, 2);
	}
	if (m->option)
		return true;
	return !is_negative_number(arg) && str_find_char(arg, ' ') == STR_NONE;
}

static void say_ambiguous(struct parsing *p, struct str arg)
{
	struct str prefix = str_head(arg, str_find_char(arg, '='));
	const char *comma = "";

	wrong_begin(p);
	buf_printf(p->text, "ambiguous option: %.*s could match ", STR_ARG(arg));
	for (int i = 0; i < OPTIONS; i++)
		if (may_mean(p->v, &options[i], prefix)) {
			buf_printf(p->text, "%s%s", comma, options[i].name);
			comma = ", ";
		}
	buf_char(p->text, '\n');
}

static void say_argument(struct parsing *p, const struct option *o, const char *what)
{
	wrong_begin(p);
	buf_printf(p->text, "argument %s: %s", o->takes == TAKES_HELP ? "-h/--help" : o->name,
		   what);
}

static void take_value(struct parsing *p, const struct option *o, const char *value)
{
	char *at = (char *)p->a + o->at;
	struct str s = str_of(value);

	switch (o->takes) {
	case TAKES_TEXT:
		memcpy(at, &value, sizeof(value));
		return;
	case TAKES_FLOAT: {
		double v;

		if (py_float(s, &v)) {
			memcpy(at, &v, sizeof(v));
			return;
		}
		say_argument(p, o, "invalid float value: ");
		py_quote(p->text, s);
		buf_char(p->text, '\n');
		return;
	}
	case TAKES_INT: {
		int64_t v;

		if (py_int(s, &v, NULL)) {
			memcpy(at, &v, sizeof(v));
			p->a->active_experts_given = true;
			return;
		}
		say_argument(p, o, "invalid int value: ");
		py_quote(p->text, s);
		buf_char(p->text, '\n');
		return;
	}
	case TAKES_GROUP:
		for (int i = 0; i < 3; i++)
			if (!strcmp(value, groups[i])) {
				p->a->group_by = (enum compat_group)i;
				return;
			}
		say_argument(p, o, "invalid choice: ");
		py_quote(p->text, s);
		buf_text(p->text, " (choose from op, memory, category)\n");
		return;
	case TAKES_FLAG:
	case TAKES_HELP:
		break;
	}
}

/* Returns the index of the next argument. */
static size_t take_option(struct parsing *p, size_t i)
{
	struct str arg = str_of(p->arg[i]);
	struct match m;

	(void)match_option(p->v, arg, &m);
	if (m.count > 1) {
		say_ambiguous(p, arg);
		return i;
	}
	if (!m.option) {
		*vec_push(&p->extras) = p->arg[i];
		return i + 1;
	}
	if (m.option->takes <= TAKES_FLAG) {
		if (m.has_value && (!m.glued || m.value.at[0] == '-')) {
			say_argument(p, m.option, "ignored explicit argument ");
			py_quote(p->text, m.value);
			buf_char(p->text, '\n');
		} else if (m.option->takes == TAKES_HELP) {
			p->wish = ARGS_HELP;
		} else {
			*((bool *)((char *)p->a + m.option->at)) = true;
		}
		return i + 1;
	}
	if (m.has_value) {
		take_value(p, m.option, m.value.at);
		return i + 1;
	}
	if (i + 1 >= p->args || p->role.at[i + 1] != ROLE_VALUE) {
		say_argument(p, m.option, "expected one argument\n");
		return i;
	}
	take_value(p, m.option, p->arg[i + 1]);
	return i + 2;
}

/* The files: the first run of arguments that are no options.  A "--" in it is dropped once. */
static size_t take_paths(struct parsing *p, size_t i)
{
	size_t end = i;
	bool any = false, dropped = false;

	for (; end < p->args && p->role.at[end] != ROLE_OPTION; end++)
		any |= p->role.at[end] == ROLE_VALUE;
	if (p->paths_found || !any)
		return i;
	p->paths_found = true;
	for (; i < end; i++) {
		if (p->role.at[i] == ROLE_DASHES && !dropped)
			dropped = true;
		else
			*vec_push(&p->a->paths) = p->arg[i];
	}
	return end;
}

static void take_all(struct parsing *p)
{
	for (size_t i = 0; i < p->args && p->wish == ARGS_RUN;) {
		size_t next = p->role.at[i] == ROLE_OPTION ? take_option(p, i) : take_paths(p, i);

		if (p->wish == ARGS_RUN && next == i) {
			*vec_push(&p->extras) = p->arg[i];
			next++;
		}
		i = next;
	}
	if (p->wish != ARGS_RUN)
		return;
	if (!p->paths_found) {
		wrong_begin(p);
		buf_text(p->text, "the following arguments are required: csv_files\n");
	} else if (p->extras.len) {
		wrong_begin(p);
		buf_text(p->text, "unrecognized arguments:");
		vec_each (x, &p->extras)
			buf_printf(p->text, " %s", *x);
		buf_char(p->text, '\n');
	}
}

static bool read_bound(struct str part, struct id_bound *b)
{
	SCOPED(buf) struct buf plain = { 0 };

	if (!part.len)
		return true;
	for (size_t i = 0; i < part.len; i++)
		if (part.at[i] != ',')
			buf_char(&plain, part.at[i]);
	b->given = py_int(buf_view(&plain), &b->id, &b->text);
	return b->given;
}

static void read_id_range(struct compat_args *a)
{
	struct str s = str_of(a->id_range);
	size_t dash = str_find_char(s, '-');
	struct str tail = str_from(s, dash == STR_NONE ? s.len : dash + 1);

	if (a->id_range)
		a->id_range_bad = dash == STR_NONE || str_find_char(tail, '-') != STR_NONE ||
				  !read_bound(str_head(s, dash), &a->first_id) ||
				  !read_bound(tail, &a->last_id);
}

enum args_wish compat_args_parse(struct compat_args *a, const struct compat_version *v, int argc,
				 char **argv, struct buf *text)
{
	struct parsing p = { .a = a, .v = v, .wish = ARGS_RUN, .text = text };
	bool only_values = false;

	*a = (struct compat_args){ .min_percentage = 0.5, .group_by = GROUP_MEMORY };
	p.arg = argv + 1;
	p.args = argc > 0 ? (size_t)argc - 1 : 0;
	for (size_t i = 0; i < p.args; i++) {
		struct match unused;
		bool dashes = !only_values && !strcmp(p.arg[i], "--");
		bool option = !only_values && !dashes && match_option(v, str_of(p.arg[i]), &unused);

		*vec_push(&p.role) = dashes ? ROLE_DASHES : option ? ROLE_OPTION : ROLE_VALUE;
		only_values |= dashes;
	}
	take_all(&p);
	if (p.wish == ARGS_HELP) {
		compat_usage(v, text);
		compat_help(v, text);
	}
	if (p.wish == ARGS_RUN)
		read_id_range(a);
	RELEASE(vec, &p.role, &p.extras);
	return p.wish;
}

void compat_args_release(struct compat_args *a)
{
	vec_release(&a->paths);
	RELEASE(buf, &a->first_id.text, &a->last_id.text);
}
