// SPDX-License-Identifier: Apache-2.0
#include "report/report_parse.h"

#include "base/exhausted.h"
#include "base/number.h"
#include "base/suggest.h"

/* "5-10", "31-", "-12"; commas between thousands are fine. */
enum ttp_rc report_parse_id_range(const char *text, struct report_options *o, struct ttp_err *e)
{
	struct str s = str_of(text), part[2];
	size_t dash = str_find_char(s, '-');
	uint32_t *to[2] = { &o->id_from, &o->id_to };

	if (dash == STR_NONE)
		goto wrong;
	part[0] = str_head(s, dash);
	part[1] = str_from(s, dash + 1);
	if (!part[0].len && !part[1].len)
		goto wrong;
	for (int i = 0; i < 2; i++) {
		struct buf digits = { 0 };
		uint64_t v = 0;
		bool ok;

		for (size_t k = 0; k < part[i].len; k++)
			if (part[i].at[k] != ',')
				buf_char(&digits, part[i].at[k]);
		ok = !part[i].len ||
		     (number_u64(str_trim(buf_view(&digits)), &v) && v <= UINT32_MAX);
		buf_release(&digits);
		if (!ok || (part[i].len && !v))
			goto wrong;
		*to[i] = (uint32_t)v;
	}
	if (o->id_from && o->id_to && o->id_from > o->id_to)
		goto wrong;
	return TTP_OK;
wrong:
	return ttp_fail(e, TTP_USAGE, "--id-range: \"%s\" is not START-END, START- or -END, from 1",
			text);
}

static enum ttp_rc unknown_column(const char *option, struct str name, struct ttp_err *e)
{
	struct suggest near = { .word = name };

	for (int i = 0; i < FIELDS; i++)
		suggest_offer(&near, field_info[i].key);
	return ttp_fail(e, TTP_USAGE,
			"%s: there is no column \"%.*s\"%s%s%s; --columns help lists them", option,
			STR_ARG(str_head(name, 60)), near.best ? ", did you mean \"" : "",
			near.best ? near.best : "", near.best ? "\"" : "");
}

enum ttp_rc report_parse_columns(const char *text, enum field *fields, struct report_options *o,
				 struct ttp_err *e)
{
	struct str rest = str_of(text), piece;

	o->columns = fields;
	while (str_split(&rest, ',', &piece)) {
		enum field f = field_find(str_trim(piece));

		if (f == FIELDS)
			return unknown_column("--columns", str_trim(piece), e);
		if (o->column_count == FIELDS)
			return ttp_fail(e, TTP_USAGE, "--columns: more than %d", FIELDS);
		fields[o->column_count++] = f;
	}
	return TTP_OK;
}

enum ttp_rc report_parse_chip(const char *name, struct report_options *o, struct ttp_err *e)
{
	SCOPED(buf) struct buf known = { 0 };

	o->calls.chip = chip_find(str_of(name));
	if (o->calls.chip)
		return TTP_OK;
	for (int i = 0; i < CHIPS; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", chips[i].id);
	(void)ttp_fail(e, TTP_USAGE, "--chip: \"%s\" is not known; there are %s", name, known.at);
	return TTP_USAGE;
}

/*
 * The C library's regcomp() works recursively and unrolls repetitions: what would take it past the stack
 * or the memory is refused first.
 */
static bool filter_is_modest(struct str s)
{
	enum { LENGTH_MAX = 1000, DEPTH_MAX = 50, REPEAT_MAX = 1000 };
	double repeats = 1;
	int depth = 0;

	if (s.len > LENGTH_MAX)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		double most = 0, v = 0;

		if (s.at[i] == '\\') {
			i++;
			continue;
		}
		depth += s.at[i] == '(';
		depth -= s.at[i] == ')' && depth > 0;
		if (depth > DEPTH_MAX)
			return false;
		if (s.at[i] != '{')
			continue;
		for (i++; i < s.len && s.at[i] != '}'; i++) {
			v = s.at[i] >= '0' && s.at[i] <= '9' ? v * 10 + (s.at[i] - '0') : 0;
			most = v > most ? v : most;
		}
		repeats *= most > 1 ? most : 1;
		if (repeats > REPEAT_MAX)
			return false;
	}
	return true;
}

enum ttp_rc report_parse_regex(const char *text, regex_t *regex, struct ttp_err *e)
{
	char why[128];
	int rc;

	if (!filter_is_modest(str_of(text)))
		return ttp_fail(e, TTP_USAGE,
				"the expression is too long, too deep or repeats too much");
	rc = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	if (rc == REG_ESPACE)
		exhausted(0); /* nothing is wrong with the expression */
	if (rc) {
		regerror(rc, regex, why, sizeof(why));
		return ttp_fail(e, TTP_USAGE, "\"%s\": %s", text, why);
	}
	return TTP_OK;
}

enum ttp_rc report_parse_filter(const char *text, regex_t *regex, struct report_options *o,
				struct ttp_err *e)
{
	enum ttp_rc rc = report_parse_regex(text, regex, e);

	if (rc)
		return ttp_wrap(e, rc, "--filter");
	o->filter = regex;
	return TTP_OK;
}

enum ttp_rc report_parse_sort(const char *text, struct report_options *o, struct ttp_err *e)
{
	o->sort = field_find(str_of(text));
	return o->sort == FIELDS ? unknown_column("--sort", str_of(text), e) : TTP_OK;
}

/* The number of the last op before `id`, 0 without one: a row of another device belongs to that op. */
static uint32_t op_before(const struct report *r, uint32_t id)
{
	uint32_t before = 0;

	vec_each (call, &r->calls.all)
		if (call->id < id && call->id > before)
			before = call->id;
	return before;
}

bool report_has_op(const struct report *r, uint32_t id)
{
	vec_each (call, &r->calls.all)
		if (call->id == id)
			return true;
	return false;
}

enum ttp_rc report_no_such_op(const struct report *r, uint32_t id, struct ttp_err *e)
{
	uint32_t before = op_before(r, id);

	if (before && r->calls.devices > 1)
		return ttp_fail(
			e, TTP_USAGE,
			"no op %u: an op of several devices has the number of its first row; the "
			"one before is %u",
			id, before);
	if (r->calls.start.len)
		return ttp_fail(
			e, TTP_USAGE,
			"no op %u after signpost \"%.*s\", which has %zu: --ignore-signposts for all",
			id, STR_ARG(str_head(r->calls.start, 60)), r->calls.all.len);
	return ttp_fail(e, TTP_USAGE, "no op %u in this part of the report, which has %zu", id,
			r->calls.all.len);
}
