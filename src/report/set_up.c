// SPDX-License-Identifier: Apache-2.0
#include "report/set_up.h"

#include "base/table.h"
#include "report/label.h"

enum {
	GAPS_NS = 100 * 1000 * 1000, /* less before a signpost is not worth a word, */
	HOST_NS = 1000 * 1000 *
		  1000, /* nor that before the first op: an interpreter starts as long */
};

static void add(struct findings *f, struct buf *text, const char *advice, double ns)
{
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_SET_UP, .time_ns = ns, .text = text->at, .advice = mem_text(advice)
	};
}

/* Gaps before the signpost that the part begins with. */
static void add_before_signpost(struct findings *f, const struct calls *c, double part_ns)
{
	struct buf b = { 0 };

	if (!c->start.len || c->set_up.gap_ns < GAPS_NS || c->set_up.gap_ns < part_ns)
		return;
	buf_printf(&b, "not in this part: %u op%s before \"", c->set_up.ops,
		   c->set_up.ops == 1 ? "" : "s");
	width_clean(&b, str_head(c->start, 100));
	buf_text(&b, "\" waited ");
	label_ns(&b, c->set_up.gap_ns);
	if (c->set_up.build_ns * 2 > c->set_up.gap_ns)
		buf_text(&b, ", most of it before first calls of their programs");
	add(f, &b,
	    c->set_up.build_ns * 2 > c->set_up.gap_ns
		    ? "if each start counts, keep built kernels between runs (tt-metal does below TT_METAL_CACHE); --ignore-signposts has these ops"
		    : "if each start counts, see what the host does in it: --ignore-signposts, ttprof top --gaps",
	    c->set_up.gap_ns);
}

/* What the program did before its first op, by a trace. */
static void add_before_first(struct findings *f, const struct calls *c, double part_ns)
{
	const struct host_gap *gap = host_gap_before(c->host);
	struct str zone = host_gap_own_zone(c->host, gap);
	struct buf b = { 0 };

	if (!gap || !zone.len || gap->own_zone_ns < HOST_NS || gap->own_zone_ns < part_ns)
		return;
	buf_text(&b, "before the first op the host was in ");
	buf_str(&b, str_head(zone, 100));
	buf_text(&b, " for ");
	label_ns(&b, gap->own_zone_ns);
	add(f, &b,
	    "that is the start of the program, and in no figure: shorten it if each start counts",
	    gap->own_zone_ns);
}

void set_up_add(struct findings *f, const struct calls *c)
{
	double part_ns = f->totals.device_ns + totals_gap(&f->totals);

	if (f->totals.device_ns <= 0)
		return;
	add_before_signpost(f, c, part_ns);
	add_before_first(f, c, part_ns);
}
