// SPDX-License-Identifier: Apache-2.0
#include "draw/device_results.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "base/xml.h"
#include "draw/screen.h"
#include "draw/svg.h"
#include "report/label.h"

/* device_page.js and .css as they are; CMakeLists.txt tells where. */
#define CARRY(name, path)                                                                     \
	__asm__(".pushsection .rodata\n.globl " #name "\n.hidden " #name "\n" #name           \
		": .incbin \"" path "\"\n.globl " #name "_end\n.hidden " #name "_end\n" #name \
		"_end: .byte 0\n.popsection");                                                \
	extern const char name[] __attribute__((visibility("hidden"))),                       \
		name##_end[] __attribute__((visibility("hidden")))
CARRY(device_page_script, DEVICE_PAGE_SCRIPT);
CARRY(device_page_style, DEVICE_PAGE_STYLE);

enum { FLUSH = 1 << 16 };

struct page {
	const struct device_page *p;
	struct buf b;
	struct out *out;
	struct u64map marks; /* zone, type → number */
	VEC(uint64_t) mark_keys;
	uint64_t segments;
	bool cut;
};

static double ns_of(const struct page *g, double cycles)
{
	int64_t mhz = g->p->m->log->freq_mhz;

	return cycles * 1000 / (double)(mhz > 0 ? mhz : 1000);
}

static void send(struct page *g)
{
	if (g->b.len > FLUSH)
		out_buf(g->out, &g->b);
}

/* ---- statistics ---- */

static void number_cell(struct page *g, double v)
{
	buf_text(&g->b, "<td>");
	number_fixed(&g->b, v, 0, ' ');
}

static void write_row(struct page *g, const char *name, const struct entry_stats *s)
{
	buf_text(&g->b, "<tr><td>");
	xml_text(&g->b, str_of(name));
	number_cell(g, (double)s->count);
	number_cell(g, s->average);
	number_cell(g, (double)s->max);
	number_cell(g, s->median);
	number_cell(g, (double)s->min);
	number_cell(g, (double)s->max - (double)s->min);
	number_cell(g, (double)s->sum);
	buf_text(&g->b, "<td>");
	label_ns(&g->b, ns_of(g, s->average));
	buf_text(&g->b, "</tr>\n");
}

static void write_table(struct page *g, const struct device_markers *d)
{
	bool any = false;

	for (uint32_t i = device_next_analysis(d, 0); i < g->p->n;
	     i = device_next_analysis(d, i + 1)) {
		struct entry_stats s;

		if (!device_stats(d, i, &s))
			continue;
		if (!any)
			buf_text(
				&g->b,
				"<div class=scroll><table><thead><tr><th scope=col>Duration, cycles<th scope=col>Count"
				"<th scope=col>Average<th scope=col>Max<th scope=col>Median<th scope=col>Min"
				"<th scope=col>Range<th scope=col>Sum<th scope=col>Average, time</tr></thead><tbody>\n");
		any = true;
		write_row(g, g->p->list[i].name, &s);
	}
	buf_text(&g->b, any ? "</tbody></table></div>\n"
			    : "<p class=q>None of the analyses found both of its markers.</p>\n");
}

/* ---- where 0 is ---- */

static const struct marker *first_marker(const struct page *g, const struct device_markers *d)
{
	const struct marker *first = NULL;

	vec_each (c, &d->cores)
		vec_each (i, &c->series) {
			const struct marker *m = &g->p->m->all.at[*i];

			if (!first || m->time_cycles < first->time_cycles)
				first = m;
		}
	return first;
}

static void write_chip(struct page *g, const struct device_markers *d)
{
	const struct marker *first = first_marker(g, d);

	buf_printf(&g->b, "<h2>Chip %u</h2>\n<p>", d->device);
	add_counted(&g->b, d->cores.len, "core", "cores");
	buf_text(&g->b, ", ");
	add_counted(&g->b, d->whole.ops.len, "op", "ops");
	if (first) {
		buf_printf(&g->b, ". <span class=t0>T0</span> = %llu cycles, core %u,%u ",
			   (unsigned long long)first->time_cycles, first->x, first->y);
		xml_text(&g->b, intern_get(&g->p->m->names->riscs, first->risc));
	}
	buf_text(&g->b, "</p>\n");
	write_table(g, d);
	buf_printf(&g->b, "<div id=chip-%u></div>\n", d->device);
}

/* ---- the timeline's data ---- */

static uint32_t mark_of(struct page *g, const struct marker *m)
{
	uint64_t key = (uint64_t)m->zone << 8 | m->type;
	return keyed_at(&g->marks, key, &g->mark_keys, key);
}

static void write_series(struct page *g, const struct risc_log *r, uint64_t zero)
{
	const struct marker *all = g->p->m->all.at;
	uint64_t last = zero;
	size_t n = r->series.len;

	if (g->segments + n > DEVICE_PAGE_SEGMENTS) {
		n = g->segments < DEVICE_PAGE_SEGMENTS
			    ? (size_t)(DEVICE_PAGE_SEGMENTS - g->segments)
			    : 0;
		g->cut = true;
	}
	g->segments += n;
	buf_text(&g->b, ",\"t\":[");
	for (size_t i = 0; i < n; i++) {
		const struct marker *m = &all[r->series.at[i]];
		uint64_t at = m->time_cycles > last ? m->time_cycles : last;

		if (i)
			buf_char(&g->b, ',');
		buf_add_u64(&g->b, at - last);
		last = at;
		send(g);
	}
	buf_text(&g->b, "],\"m\":[");
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(&g->b, ',');
		buf_add_u64(&g->b, mark_of(g, &all[r->series.at[i]]));
		send(g);
	}
	buf_text(&g->b, "]}");
}

/* A name as JSON that can stand in a script element. */
static void quote(struct page *g, struct str s)
{
	SCOPED(buf) struct buf q = { 0 };

	json_quote(&q, s);
	for (size_t i = 0; i < q.len; i++)
		if (q.at[i] == '<' || q.at[i] == '>' || q.at[i] == '&')
			buf_printf(&g->b, "\\u%04x", (unsigned)q.at[i]);
		else
			buf_char(&g->b, q.at[i]);
}

ORDER_IN(by_place, uint32_t, struct device_markers, in->cores.at[*it].y, in->cores.at[*it].x)

static bool is_master(const struct page *g, const struct risc_log *r)
{
	struct str name = intern_get(&g->p->m->names->riscs, r->risc);

	return r->risc == RISC_BRISC || r->risc == RISC_ERISC || str_eq(name, STR("QUASAR_DM0"));
}

static void write_cores(struct page *g, const struct device_markers *d)
{
	SCOPED(mem) uint32_t *order = order_numbers(d->cores.len, by_place, d);
	const struct marker *first = first_marker(g, d);
	uint64_t zero = first ? first->time_cycles : 0, last = zero;

	vec_each (c, &d->cores)
		vec_each (k, &c->series)
			last = g->p->m->all.at[*k].time_cycles > last
				       ? g->p->m->all.at[*k].time_cycles
				       : last;
	buf_printf(&g->b, "{\"id\":%u,\"span\":%llu,\"cores\":[", d->device,
		   (unsigned long long)(last - zero));
	for (size_t i = 0; i < d->cores.len; i++) {
		const struct core_log *c = &d->cores.at[order[i]];

		buf_printf(&g->b, "%s{\"x\":%u,\"y\":%u,\"riscs\":[", i ? ",\n" : "", c->x, c->y);
		for (size_t k = 0; k < c->riscs.len; k++) {
			const struct risc_log *r = &c->riscs.at[k];

			buf_text(&g->b, k ? ",{\"name\":" : "{\"name\":");
			quote(g, intern_get(&g->p->m->names->riscs, r->risc));
			if (is_master(g, r))
				buf_text(&g->b, ",\"master\":true");
			write_series(g, r, zero);
		}
		buf_text(&g->b, "]}");
		send(g);
	}
	buf_text(&g->b, "]}");
}

static void write_data(struct page *g)
{
	static const char *const phases[MARKER_TYPES] = { " start", " end",  " sum", " data",
							  " event", " data", "" };
	bool first = true;

	buf_printf(&g->b, "<script type=\"application/json\" id=data>{\"mhz\":%lld,\"chips\":[",
		   (long long)(g->p->m->log->freq_mhz > 0 ? g->p->m->log->freq_mhz : 1000));
	vec_each (d, &g->p->m->devices) {
		buf_text(&g->b, first ? "" : ",\n");
		first = false;
		write_cores(g, d);
	}
	buf_text(&g->b, "],\"marks\":[");
	for (size_t i = 0; i < g->mark_keys.len; i++) {
		SCOPED(buf) struct buf name = { 0 };

		buf_str(&name,
			intern_get(&g->p->m->names->zones, (uint32_t)(g->mark_keys.at[i] >> 8)));
		buf_text(&name, phases[g->mark_keys.at[i] & 0xff]);
		buf_text(&g->b, i ? "," : "");
		quote(g, buf_view(&name));
	}
	buf_text(&g->b, "]}</script>\n");
	if (g->cut)
		buf_printf(
			&g->b,
			"<p><b>The log has more than %d markers: the timelines of the last cores end early or are empty.</b> "
			"<code>ttprof view</code> shows all of them.</p>\n",
			DEVICE_PAGE_SEGMENTS);
}

static void write_head(struct page *g)
{
	const struct device_log *log = g->p->m->log;

	buf_text(
		&g->b,
		"<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
		"style-src 'unsafe-inline'\">\n<meta name=viewport content=\"width=device-width\">\n<title>Device profile: ");
	xml_text(&g->b, g->p->source);
	buf_text(&g->b, "</title>\n<style>\n");
	buf_add(&g->b, device_page_style, (size_t)(device_page_style_end - device_page_style));
	buf_text(&g->b, "</style>\n<h1>Device profile</h1>\n<p class=q>");
	xml_text(&g->b, g->p->source);
	buf_text(&g->b, " · ");
	xml_text(&g->b, log->arch.len ? log->arch : STR("unknown chip"));
	buf_printf(&g->b, " · %lld MHz%s · ", (long long)(log->freq_mhz > 0 ? log->freq_mhz : 1000),
		   log->freq_mhz > 0 ? "" : " (assumed)");
	add_counted(&g->b, g->p->m->all.len, "marker", "markers");
	buf_text(&g->b, " · ");
	xml_text(&g->b, g->p->version);
	buf_text(&g->b, "</p>\n");
	buf_text(
		&g->b,
		"<p class=\"q keys\">A row per RISC; coloured: kernels and zones, dark: firmware around them, empty: nothing runs. Drag or "
		"<kbd>Ctrl</kbd>+wheel zooms; with a core in focus <kbd>+</kbd> <kbd>-</kbd> <kbd>←</kbd> <kbd>→</kbd>, "
		"<kbd>0</kbd> or a double click shows all.</p>\n");
}

void device_page_write(const struct device_page *p, struct out *out)
{
	struct page g = { .p = p, .out = out };

	write_head(&g);
	if (!p->m->devices.len)
		buf_text(&g.b, "<p>The log has no markers.</p>\n");
	vec_each (d, &p->m->devices)
		write_chip(&g, d);
	write_data(&g);
	buf_text(&g.b, "<div id=tip role=status hidden></div>\n<script>\n");
	buf_add(&g.b, device_page_script, (size_t)(device_page_script_end - device_page_script));
	buf_text(&g.b, "</script>\n</html>\n");
	out_buf(out, &g.b);
	buf_release(&g.b);
	u64map_release(&g.marks);
	vec_release(&g.mark_keys);
}
