// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/pandas.h"

#include <math.h>

#include "base/number.h"

enum { DIGITS_MAX = 17, EXPONENT_MAX = 308, EXPONENT_LIMIT = 100000 };

static bool is_missing(struct str s)
{
	static const struct str names[] = {
		STR_INIT("#N/A"), STR_INIT("#N/A N/A"), STR_INIT("#NA"),  STR_INIT("-1.#IND"),
		STR_INIT("-NaN"), STR_INIT("-1.#QNAN"), STR_INIT("-nan"), STR_INIT("1.#IND"),
		STR_INIT("<NA>"), STR_INIT("1.#QNAN"),  STR_INIT("N/A"),  STR_INIT("NA"),
		STR_INIT("NULL"), STR_INIT("NaN"),      STR_INIT("None"), STR_INIT("n/a"),
		STR_INIT("nan"),  STR_INIT("null"),
	};

	if (!s.len)
		return true;
	if (s.len > 8 || !strchr("#-1<Nn", s.at[0]))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_eq(s, names[i]))
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* 10^n, correctly rounded; n up to 308. */
static double ten_to(int n)
{
	double v = 0;
	char text[8] = "1e";
	size_t len = 2;

	if (n >= 100)
		text[len++] = (char)('0' + n / 100);
	if (n >= 10)
		text[len++] = (char)('0' + n / 10 % 10);
	text[len++] = (char)('0' + n % 10);
	(void)number_double(str_n(text, len), &v);
	return v;
}

static double scale(double v, int exponent)
{
	if (exponent > EXPONENT_MAX)
		return (double)INFINITY;
	if (exponent > 0)
		return v * ten_to(exponent);
	if (exponent >= -EXPONENT_MAX)
		return v / ten_to(-exponent);
	if (exponent < -2 * EXPONENT_MAX)
		return 0;
	return v / ten_to(-EXPONENT_MAX - exponent) / ten_to(EXPONENT_MAX);
}

bool pandas_float(struct str text, double *out)
{
	struct str s = str_trim(text);
	double v = 0;
	int digits = 0, exponent = 0;
	bool minus, seen = false;
	size_t i = 0;

	minus = s.len && s.at[0] == '-';
	if (s.len && (s.at[0] == '-' || s.at[0] == '+'))
		s = str_from(s, 1);
	if (str_eq_nocase(s, STR("inf")) || str_eq_nocase(s, STR("infinity"))) {
		*out = minus ? -(double)INFINITY : (double)INFINITY;
		return true;
	}
	for (; i < s.len && is_digit(s.at[i]); i++, seen = true) {
		if (digits < DIGITS_MAX) {
			v = v * 10 + (s.at[i] - '0');
			digits++;
		} else if (exponent < EXPONENT_LIMIT) {
			exponent++;
		}
	}
	if (i < s.len && s.at[i] == '.')
		for (i++; i < s.len && is_digit(s.at[i]); i++, seen = true)
			if (digits < DIGITS_MAX) {
				v = v * 10 + (s.at[i] - '0');
				digits++;
				exponent--;
			}
	if (!seen)
		return false;
	if (i < s.len && (s.at[i] == 'e' || s.at[i] == 'E')) {
		bool down = ++i < s.len && s.at[i] == '-';
		int n = 0;

		if (i < s.len && (s.at[i] == '-' || s.at[i] == '+'))
			i++;
		if (i == s.len)
			return false;
		for (; i < s.len && is_digit(s.at[i]); i++)
			if (n < EXPONENT_LIMIT)
				n = n * 10 + (s.at[i] - '0');
		exponent += down ? -n : n;
	}
	if (i < s.len)
		return false;
	v = scale(v, exponent);
	*out = minus ? -v : v;
	return true;
}

enum cell_kind pandas_classify(struct str text, union cell *out)
{
	struct str s;
	bool whole;

	if (is_missing(text))
		return CELL_NONE;
	s = str_trim(text);
	if (number_i64(s, &out->i))
		return CELL_INT;
	if (number_u64(s, &out->u))
		return CELL_UINT;
	if (!pandas_float(text, &out->r))
		return CELL_TEXT;
	whole = true;
	for (size_t i = 0; whole && i < s.len; i++)
		whole = is_digit(s.at[i]) || (!i && (s.at[0] == '+' || s.at[0] == '-'));
	if (whole)
		return CELL_HUGE;
	/* an infinity that is written out is a float; one that came from overflow makes text */
	if (isinf(out->r) && is_digit(s.at[s.len - 1]))
		return CELL_HUGE;
	if (isinf(out->r) && s.at[s.len - 1] == '.')
		return CELL_HUGE;
	return CELL_REAL;
}

const struct ops_rules pandas_rules = {
	.classify = pandas_classify,
	.long_first_row_shifts = true,
	.nul_ends_field = true,
};

enum {
	M_NONE = 1 << CELL_NONE,
	M_INT = 1 << CELL_INT,
	M_UINT = 1 << CELL_UINT,
	M_REAL = 1 << CELL_REAL,
	M_TEXT = 1 << CELL_TEXT,
	M_HUGE = 1 << CELL_HUGE
};

enum pandas_kind pandas_kind_of_mask(unsigned seen)
{
	if (seen & (M_TEXT | M_HUGE))
		return PANDAS_TEXT;
	if (seen & M_REAL)
		return PANDAS_FLOAT;
	if (seen & M_UINT)
		return seen & M_NONE ? PANDAS_TEXT : PANDAS_UINT;
	return seen & M_NONE || !seen ? PANDAS_FLOAT : PANDAS_INT;
}

/* Digits beyond 64 bits make a column text when they come before any float, and not after. */
static bool real_comes_first(const struct ops_column *c, const struct ops_file *f)
{
	for (size_t r = f->first_row; r < f->first_row + f->rows; r++) {
		if (c->kind[r] == CELL_REAL)
			return true;
		if (c->kind[r] == CELL_HUGE)
			return false;
	}
	return false;
}

static bool any_overflows(const struct ops_column *c, const struct ops_file *f)
{
	for (size_t r = f->first_row; r < f->first_row + f->rows; r++)
		if (c->kind[r] == CELL_HUGE && isinf(c->value[r].r))
			return true;
	return false;
}

static bool any_negative(const struct ops_column *c, const struct ops_file *f)
{
	for (size_t r = f->first_row; r < f->first_row + f->rows; r++)
		if (c->kind[r] == CELL_INT && c->value[r].i < 0)
			return true;
	return false;
}

enum pandas_kind pandas_file_kind(const struct ops_table *t, const struct ops_file *f,
				  enum ops_col col)
{
	const struct ops_column *c = &t->column[col];
	unsigned seen = f->seen[col];
	enum pandas_kind kind;

	if (f->field_of[col] == OPS_ABSENT)
		return PANDAS_ABSENT;
	kind = pandas_kind_of_mask(seen);
	if (!c->kind)
		return kind;
	if (kind == PANDAS_UINT && any_negative(c, f))
		return PANDAS_TEXT;
	if ((seen & M_HUGE) && (seen & M_REAL) && !(seen & M_TEXT) && real_comes_first(c, f) &&
	    !any_overflows(c, f))
		return PANDAS_FLOAT;
	return kind;
}

enum pandas_kind pandas_kind(const struct ops_table *t, const struct ops_file *f, enum ops_col col)
{
	enum pandas_kind own = pandas_file_kind(t, f, col), all = own;
	bool mixed = false;

	vec_each (other, &t->files) {
		enum pandas_kind k = pandas_file_kind(t, other, col);

		if (!other->rows && k != PANDAS_ABSENT)
			continue;
		if (k == PANDAS_TEXT)
			return own; /* objects: each cell keeps what it was */
		mixed |= k != all;
	}
	return mixed && own != PANDAS_ABSENT ? PANDAS_FLOAT : own;
}

double pandas_real(enum pandas_kind kind, enum cell_kind cell, union cell v)
{
	const int64_t exact =
		100000000000000000; /* 17 digits: the float conversion keeps them all */
	SCOPED(buf) struct buf b = { 0 };
	double r;

	switch (cell) {
	case CELL_INT:
		if (kind != PANDAS_FLOAT || (v.i < exact && v.i > -exact))
			return (double)v.i;
		buf_add_i64(&b, v.i);
		break;
	case CELL_UINT:
		if (kind != PANDAS_FLOAT)
			return (double)v.u;
		buf_add_u64(&b, v.u);
		break;
	case CELL_REAL:
	case CELL_HUGE:
		return v.r;
	case CELL_NONE:
	case CELL_TEXT:
	default:
		return (double)NAN;
	}
	if (!pandas_float(buf_view(&b), &r))
		r = (double)NAN;
	return r;
}

void pandas_text(struct buf *b, enum pandas_kind kind, struct str text)
{
	union cell v = { 0 };
	enum cell_kind cell;

	if (kind == PANDAS_TEXT || kind == PANDAS_ABSENT) {
		buf_str(b, text);
		return;
	}
	cell = pandas_classify(text, &v);
	if (kind == PANDAS_INT && cell == CELL_INT)
		buf_add_i64(b, v.i);
	else if (kind == PANDAS_UINT && (cell == CELL_UINT || cell == CELL_INT))
		buf_add_u64(b, v.u);
	else
		number_shortest(b, pandas_real(PANDAS_FLOAT, cell, v));
}
