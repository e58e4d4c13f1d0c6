// SPDX-License-Identifier: Apache-2.0
/* Cells that may hold anything: since 1.3 one that makes no sense costs its own value, no more. */
#include <string.h>

#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/steps_of_run.h"

static const double gap_absurd_ns = 1e6;
static const double cores_max = 1 << 20, dim_max = 0x1p32;

double compat_finite(const struct compat_run *r, enum ops_col col, enum pandas_kind kind,
		     size_t row)
{
	const struct ops_column *c = &r->t.column[col];
	SCOPED(buf) struct buf scratch = { 0 };
	double v;

	if (!c->kind || c->kind[row] == CELL_NONE)
		return (double)NAN;
	if (kind != PANDAS_TEXT)
		v = compat_real(r, col, kind, row);
	else if (!py_float(ops_source_text(&r->t, row, ops_col_info[col].name, &scratch), &v))
		return (double)NAN;
	return isfinite(v) ? v : (double)NAN;
}

bool compat_is_whole(double v)
{
	return isfinite(v) && v == trunc(v);
}

uint32_t compat_core_count(double v)
{
	return compat_is_whole(v) && v > 0 && v <= cores_max ? (uint32_t)v : 0;
}

bool compat_is_dim(double v)
{
	return compat_is_whole(v) && v > 0 && v <= dim_max;
}

bool compat_is_device(const struct compat_run *r, double v)
{
	return !isnan(v) && (!r->v->careful || compat_is_whole(v));
}

bool compat_is_invalid(const struct compat_run *r, size_t row, double took_ns)
{
	double gap, most;

	if (!r->v->careful)
		return false;
	if (isnan(took_ns) || took_ns < 0)
		return true;
	gap = compat_finite(r, OPS_GAP, compat_kinds(r, row)->gap, row);
	most = took_ns * 0.5 > gap_absurd_ns ? took_ns * 0.5 : gap_absurd_ns;
	return gap < -gap_absurd_ns && -gap > most;
}

/* C0 but the tab, DEL, and C1 (two bytes in UTF-8). */
void compat_clean(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.at[i];
		unsigned char next = i + 1 < s.len ? (unsigned char)s.at[i + 1] : 0;

		if (c == 0xC2 && next >= 0x80 && next <= 0x9F)
			i++;
		else if ((c >= 0x20 && c != 0x7F) || c == '\t')
			buf_char(b, (char)c);
	}
}

void compat_mark_formula(struct buf *b, struct str s)
{
	if (s.len && strchr("=+-@\t\r", s.at[0]) && s.at[0])
		buf_char(b, '\'');
	buf_str(b, s);
}
