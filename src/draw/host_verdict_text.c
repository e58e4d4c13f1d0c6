// SPDX-License-Identifier: Apache-2.0
#include "draw/host_verdict_text.h"

#include "base/opt.h"
#include "base/width.h"
#include "report/label.h"

enum { FIGURES = 38, NAME_MIN = 20 };

static void add_function(const struct host_verdict *v, const struct zone_sum *s, size_t wide,
			 struct buf *b)
{
	SCOPED(buf) struct buf own = { 0 }, total = { 0 }, name = { 0 }, cut = { 0 };

	host_function_name(v, s, &name);
	width_cut(&cut, buf_view(&name), wide, true);
	width_pad(b, buf_view(&cut), wide, WIDTH_LEFT);
	label_ns(&own, s->self_ns);
	label_ns(&total, s->total_ns);
	width_pad(b, buf_view(&own), 10, WIDTH_RIGHT);
	buf_printf(b, "%8.1f", host_percent(v, s));
	width_pad(b, buf_view(&total), 10, WIDTH_RIGHT);
	buf_printf(b, "%10llu\n", (unsigned long long)s->calls);
}

void host_verdict_text(const struct host_verdict *v, struct term term, struct out *to)
{
	SCOPED(buf) struct buf b = { 0 }, clean = { 0 }, plain = { 0 };
	size_t width = term.width > 0 ? (size_t)term.width : 80,
	       wide = width > FIGURES + NAME_MIN + 4 ? width - FIGURES - 4 : NAME_MIN;

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
		buf_text(&b, "       own   own %     total     calls\n");
	}
	vec_each (i, &v->functions)
		add_function(v, &v->zones.all.at[*i], wide, &b);
	opt_wrap(&b, "all zones: ttprof top · over time: ttprof timeline, ttprof view", 0, 0,
		 (int)width);
	if (term.utf8) {
		out_buf(to, &b);
	} else {
		width_ascii(&plain, buf_view(&b));
		out_buf(to, &plain);
	}
}
