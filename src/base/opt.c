// SPDX-License-Identifier: Apache-2.0
#include "base/opt.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/suggest.h"
#include "base/vec.h"

/* What getopt_long returns: the row of the table, or one of these. */
enum { ROW = 0x1000, HELP = 0x800, VERSION = 0x801 };

static bool takes_value(enum opt_kind kind)
{
	return kind >= OPT_STRING;
}

static const struct opt no_opts[] = { { 0 } };

static const struct opt *opts_of(const struct opt_spec *spec)
{
	return spec->opts ? spec->opts : no_opts;
}

/* Digits, with or without a sign: a whole number, though perhaps too large for 64 bits. */
static bool is_whole(struct str s)
{
	if (s.len && (s.at[0] == '-' || s.at[0] == '+'))
		s = str_from(s, 1);
	for (size_t i = 0; i < s.len; i++)
		if (s.at[i] < '0' || s.at[i] > '9')
			return false;
	return s.len > 0;
}

static enum ttp_rc parse_int(const struct opt *o, const char *text, int64_t *out, struct ttp_err *e)
{
	int64_t v = 0;
	bool fits = number_i64(str_of(text), &v);

	if (!fits && !is_whole(str_of(text)))
		return ttp_fail(e, TTP_USAGE, "--%s: not a whole number: \"%s\"", o->name, text);
	if (!fits || ((o->min || o->max) && (v < o->min || v > o->max))) {
		bool open_end = o->max == INT64_MAX || (!o->min && !o->max);

		if (open_end && !fits)
			return ttp_fail(e, TTP_USAGE, "--%s: too %s: %s", o->name,
					text[0] == '-' ? "small" : "large", text);
		if (open_end)
			return ttp_fail(e, TTP_USAGE, "--%s: %s is less than %lld", o->name, text,
					(long long)o->min);
		return ttp_fail(e, TTP_USAGE, "--%s: %s is not within %lld to %lld", o->name, text,
				(long long)o->min, (long long)o->max);
	}
	*out = v;
	return TTP_OK;
}

static enum ttp_rc parse_double(const struct opt *o, const char *text, double *out,
				struct ttp_err *e)
{
	double v;

	if (!number_double(str_of(text), &v) || !isfinite(v))
		return ttp_fail(e, TTP_USAGE, "--%s: not a number: \"%s\"", o->name, text);
	*out = v;
	return TTP_OK;
}

static enum ttp_rc parse_choice(const struct opt *o, const char *text, int *out, struct ttp_err *e)
{
	struct suggest near = { .word = str_of(text) };
	SCOPED(buf) struct buf all = { 0 };
	enum ttp_rc rc;

	for (int i = 0; o->choices[i]; i++) {
		if (!strcmp(o->choices[i], text)) {
			*out = i;
			return TTP_OK;
		}
		suggest_offer(&near, o->choices[i]);
		buf_printf(&all, "%s%s", i ? ", " : "", o->choices[i]);
	}
	rc = ttp_fail(e, TTP_USAGE, "--%s: \"%s\" is not one of %s%s%s%s", o->name, text,
		      all.at ? all.at : "", near.best ? "; did you mean " : "",
		      near.best ? near.best : "", near.best ? "?" : "");
	return rc;
}

static enum ttp_rc store(const struct opt *o, const char *text, void *into, struct ttp_err *e)
{
	void *target = (char *)into + o->at;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)target = true;
		return TTP_OK;
	case OPT_SET:
		*(int *)target = o->set;
		return TTP_OK;
	case OPT_STRING:
		*(const char **)target = text;
		return TTP_OK;
	case OPT_INT:
		return parse_int(o, text, target, e);
	case OPT_DOUBLE:
		return parse_double(o, text, target, e);
	case OPT_CHOICE:
		return parse_choice(o, text, target, e);
	case OPT_LIST:
		*vec_push((struct opt_list *)target) = text;
		return TTP_OK;
	}
	return ttp_fail(e, TTP_USAGE, "--%s: unknown kind of option", o->name);
}

/* `word` starts with "--" and is no option, or the start of several. */
static enum ttp_rc unknown_long(const struct opt_spec *spec, const char *word, struct ttp_err *e)
{
	struct str name = str_head(str_of(word + 2), strcspn(word + 2, "="));
	struct suggest near = { .word = name };
	const char *starts[2] = { NULL, NULL };
	size_t n = 0;

	for (const struct opt *o = opts_of(spec); o->name; o++) {
		if (o->hidden)
			continue;
		if (name.len && str_starts(str_of(o->name), name) && n++ < 2)
			starts[n - 1] = o->name;
		suggest_offer(&near, o->name);
	}
	suggest_offer(&near, "help");
	suggest_offer(&near, "version");
	if (n > 1)
		return ttp_fail(e, TTP_USAGE, "--%.*s could be --%s or --%s", STR_ARG(name),
				starts[0], starts[1]);
	if (near.best)
		return ttp_fail(e, TTP_USAGE, "unknown option --%.*s; did you mean --%s?",
				STR_ARG(name), near.best);
	return ttp_fail(e, TTP_USAGE, "unknown option --%.*s", STR_ARG(name));
}

static const struct opt *row_of(const struct opt_spec *spec, int code)
{
	if (code >= ROW)
		return &spec->opts[code - ROW];
	for (const struct opt *o = opts_of(spec); o->name; o++)
		if (o->letter && o->letter == code)
			return o;
	return NULL;
}

static enum ttp_rc wrong(const struct opt_spec *spec, int code, char **argv, struct ttp_err *e)
{
	const struct opt *o = optopt ? row_of(spec, optopt) : NULL;

	if (code == ':' && o)
		return ttp_fail(e, TTP_USAGE, "--%s needs a value (%s)", o->name,
				o->value ? o->value : "VALUE");
	if (o)
		return ttp_fail(e, TTP_USAGE, "--%s takes no value", o->name);
	if (optopt == HELP || optopt == VERSION)
		return ttp_fail(e, TTP_USAGE, "--%s takes no value",
				optopt == HELP ? "help" : "version");
	if (optopt)
		return ttp_fail(e, TTP_USAGE, "unknown option -%c", optopt);
	return unknown_long(spec, argv[optind - 1], e);
}

static enum ttp_rc check_args(const struct opt_spec *spec, const struct opt_found *found,
			      struct ttp_err *e)
{
	size_t least = 0, most = 0, n = (size_t)found->n;

	for (const struct opt_arg *a = spec->args; a && a->name; a++) {
		if (n < least + a->min)
			return ttp_fail(e, TTP_USAGE, "%s is missing", a->name);
		least += a->min;
		most = a->max == OPT_MANY || most == OPT_MANY ? OPT_MANY : most + a->max;
	}
	if (n > most)
		return ttp_fail(e, TTP_USAGE, "unexpected argument \"%s\"", found->args[most]);
	return TTP_OK;
}

/* The table in getopt's own shape. */
static struct option *longs_of(const struct opt_spec *spec, struct buf *shorts)
{
	const struct opt *opts = opts_of(spec);
	bool help_letter = true;
	struct option *longs;
	size_t n = 0;

	while (opts[n].name)
		n++;
	longs = mem_zero(n + 3, sizeof(*longs));
	buf_text(shorts, spec->stop_at_first ? "+:" : ":");
	for (size_t i = 0; i < n; i++) {
		const struct opt *o = &opts[i];

		longs[i].name = o->name;
		longs[i].has_arg = takes_value(o->kind) ? required_argument : no_argument;
		longs[i].val = ROW + (int)i;
		if (!o->letter)
			continue;
		help_letter = help_letter && o->letter != 'h';
		buf_char(shorts, o->letter);
		if (takes_value(o->kind))
			buf_char(shorts, ':');
	}
	longs[n] = (struct option){ .name = "help", .val = HELP };
	longs[n + 1] = (struct option){ .name = "version", .val = VERSION };
	if (help_letter)
		buf_char(shorts, 'h');
	return longs;
}

enum ttp_rc opt_parse(const struct opt_spec *spec, int argc, char **argv, void *into,
		      struct opt_found *found, struct ttp_err *e)
{
	SCOPED(buf) struct buf shorts = { 0 };
	SCOPED(mem) struct option *longs = longs_of(spec, &shorts);
	int code;

	*found = (struct opt_found){ .wish = OPT_RUN };
	opterr = 0;
	optind = 0; /* glibc: start over, also within a cluster of letters */
	/* NOLINTNEXTLINE(concurrency-*) */
	while ((code = getopt_long(argc, argv, shorts.at, longs, NULL)) != -1) {
		const struct opt *o = code == '?' || code == ':' ? NULL : row_of(spec, code);

		if (o) {
			TTP_TRY(store(o, optarg, into, e));
		} else if (code == HELP || code == 'h' || code == VERSION) {
			found->wish = code == VERSION ? OPT_VERSION : OPT_HELP;
			return TTP_OK;
		} else {
			TTP_TRY(wrong(spec, code, argv, e));
		}
	}
	found->n = argc > optind ? argc - optind : 0;
	found->args = argv + (found->n ? optind : argc);
	return check_args(spec, found, e);
}
