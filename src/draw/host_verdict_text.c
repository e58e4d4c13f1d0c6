// SPDX-License-Identifier: Apache-2.0
#include "draw/host_verdict_text.h"

#include "base/opt.h"
#include "base/width.h"
#include "report/label.h"

/* Of a line: own time and share; total and calls. */
enum { FIGURES = 18, MORE_FIGURES = 20, NAME_MIN = 20, MARGIN = 2 };

static void add_function(const struct host_verdict *v, const struct zone_sum *s, size_t wide,
			 bool narrow, struct buf *b)
{
	SCOPED(buf) struct buf own = { 0 }, total = { 0 }, name = { 0 }, cut = { 0 };

	host_function_name(v, s, &name);
	width_cut(&cut, buf_view(&name), wide, true);
	width_pad(b, buf_view(&cut), wide, WIDTH_LEFT);
	label_ns(&own, s->self_ns);
	label_ns(&total, s->total_ns);
	width_pad(b, buf_view(&own), 10, WIDTH_RIGHT);
	buf_printf(b, "%8.1f", host_percent(v, s));
	if (!narrow) {
		width_pad(b, buf_view(&total), 10, WIDTH_RIGHT);
		buf_printf(b, "%10llu", (unsigned long long)s->calls);
	}
	buf_char(b, '\n');
}

void host_verdict_text(const struct host_verdict *v, struct term term, struct out *to)
{
	SCOPED(buf) struct buf b = { 0 }, clean = { 0 }, plain = { 0 };
	size_t width = term.width > 40 ? (size_t)term.width : 40;
	bool narrow = width < NAME_MIN + FIGURES + MORE_FIGURES + MARGIN;
	size_t wide = width - FIGURES - (narrow ? 0 : MORE_FIGURES + MARGIN);

	width_clean(&b, v->source);
	buf_text(&b, " · ");
	label_ns(&b, (double)v->span_ns);
	buf_text(&b, "\n\n");
	width_clean(&clean, buf_view(&v->headline));
	opt_wrap(&b, clean.at, 0, 0, (int)width);
	buf_text(&b, "\n");
	if (v->functions.len) {
		buf_clear(&clean);
		width_cut(&clean, STR("What takes the time, by own time"), wide, true);
		width_pad(&b, buf_view(&clean), wide, WIDTH_LEFT);
		buf_text(&b, narrow ? "       own   own %\n"
				    : "       own   own %     total     calls\n");
	}
	vec_each (i, &v->functions)
		add_function(v, &v->zones.all.at[*i], wide, narrow, &b);
	opt_wrap(&b, "all zones: ttprof top · over time: ttprof timeline, ttprof view", 0, 0,
		 (int)width);
	if (term.utf8) {
		out_buf(to, &b);
	} else {
		width_ascii(&plain, buf_view(&b));
		out_buf(to, &plain);
	}
}
