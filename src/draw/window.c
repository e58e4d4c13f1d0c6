// SPDX-License-Identifier: Apache-2.0
#include "draw/window.h"

#include <math.h>

#include "base/decades.h"
#include "base/number.h"
#include "report/label.h"

static const struct {
	const char *name;
	double ns;
} units[] = { { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "", 1e6 } };

enum ttp_rc moment_parse(const char *text, const char *option, struct moment *out,
			 struct ttp_err *e)
{
	struct str s = str_trim(str_of(text)), unit;
	size_t n = 0;

	*out = (struct moment){ .given = true };
	while (n < s.len && ((s.at[n] >= '0' && s.at[n] <= '9') || s.at[n] == '.'))
		n++;
	unit = str_trim(str_from(s, n));
	if (number_double(str_head(s, n), &out->value) && isfinite(out->value)) {
		if (str_eq(unit, STR("%")) && out->value <= 100) {
			out->percent = true;
			return TTP_OK;
		}
		for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
			if (str_eq(unit, str_of(units[i].name)) &&
			    out->value * units[i].ns < (double)(1ll << 60)) {
				out->value *= units[i].ns;
				return TTP_OK;
			}
	}
	return ttp_fail(
		e, TTP_USAGE,
		"%s: \"%.60s\" is no time from the run's start, such as 250us, 1.5ms, 2s or 40%%",
		option, text);
}

enum ttp_rc window_ask_parse(const char *from, const char *to, struct window_ask *out,
			     struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	memset(out, 0, sizeof(*out));
	if (from)
		rc = moment_parse(from, "--from", &out->from, e);
	if (!rc && to)
		rc = moment_parse(to, "--to", &out->to, e);
	return rc;
}

static int64_t place(const struct moment *m, int64_t span_ns, int64_t otherwise)
{
	if (!m->given)
		return otherwise;
	return (int64_t)(m->percent ? (double)span_ns * m->value / 100 : m->value);
}

enum ttp_rc window_of(const struct window_ask *ask, int64_t span_ns, struct window *out,
		      struct ttp_err *e)
{
	SCOPED(buf) struct buf b = { 0 };

	span_ns = span_ns > 0 ? span_ns : 1;
	out->from_ns = place(&ask->from, span_ns, 0);
	out->to_ns = place(&ask->to, span_ns, span_ns);
	if (out->to_ns > span_ns)
		out->to_ns = span_ns;
	if (out->from_ns < out->to_ns)
		return TTP_OK;
	label_ns(&b, (double)span_ns);
	(void)ttp_fail(e, TTP_USAGE, "--from, --to: nothing lies between them; the run is %s long",
		       b.at);
	return TTP_USAGE;
}

void add_moment(struct buf *b, double ns, double window_ns)
{
	int unit = ns >= 1e9 ? 4 : ns >= 1e6 ? 3 : ns >= 1e3 ? 1 : 0;
	double step = window_ns / 1000, unit_ns = units[unit].ns;
	int decimals = step > 0 ? (int)ceil(decades_of(unit_ns / step) - 1e-9) : 0;

	if (ns < 0.5) {
		buf_char(b, '0');
		return;
	}
	decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
	number_fixed(b, ns / unit_ns, decimals, 0);
	while (decimals && b->at[b->len - 1] == '0' && decimals--)
		b->at[--b->len] = 0;
	if (b->at[b->len - 1] == '.')
		b->at[--b->len] = 0;
	buf_printf(b, " %s", unit == 1 ? "µs" : units[unit].name);
}

struct axis axis_of(double from_ns, double to_ns, int most)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double span = to_ns > from_ns ? to_ns - from_ns : 1, rough = span / (most < 1 ? 1 : most);
	double power = ten_to((int)floor(decades_of(rough < 1 ? 1 : rough)));
	struct axis a = { .step_ns = power, .unit = "ns", .unit_ns = 1 };

	for (int i = 0; i < 4 && a.step_ns < rough; i++)
		a.step_ns = power * steps[i];
	a.first_ns = ceil(from_ns / a.step_ns - 1e-9) * a.step_ns;
	if (to_ns >= 1e9 && a.step_ns >= 1e6)
		a.unit = "s", a.unit_ns = 1e9;
	else if (to_ns >= 1e6 && a.step_ns >= 1e3)
		a.unit = "ms", a.unit_ns = 1e6;
	else if (to_ns >= 1e3)
		a.unit = "µs", a.unit_ns = 1e3;
	a.decimals = (int)ceil(decades_of(a.unit_ns / a.step_ns) - 1e-9);
	a.decimals = a.decimals < 0 ? 0 : a.decimals > 6 ? 6 : a.decimals;
	return a;
}

void axis_number(struct buf *b, const struct axis *a, double ns)
{
	number_fixed(b, fabs(ns) < a->step_ns / 1e6 ? 0 : ns / a->unit_ns, a->decimals, 0);
}

bool axis_at(const struct axis *a, int i, double to_ns, double *ns)
{
	/* Far from 0 a step may be less than what tells two numbers apart: never more ticks than any picture has. */
	enum { PLACES_MAX = 1000 };

	*ns = a->first_ns + i * a->step_ns;
	return i < PLACES_MAX && *ns <= to_ns;
}
