// SPDX-License-Identifier: Apache-2.0
#include "report/headline.h"

#include "report/label.h"

/* What the run is like but for what is left aside. */
static const char *steady_text(const struct totals *t)
{
	double gaps = totals_gap(t);

	if (gaps * 100 <= (t->device_ns + gaps) * HOST_BOUND_PERCENT)
		return "device-bound";
	return t->replay_gap_ns * 2 > gaps ? "dispatch-bound" : "host-bound";
}

static void add_building(struct buf *b, const struct report *r)
{
	const struct totals *t = &r->findings.totals;
	uint64_t ops = r->calls.all.len - t->markers, rest = ops - t->build_gaps;

	buf_printf(b, "programs were being built: %llu op%s waited ",
		   (unsigned long long)t->build_gaps, t->build_gaps == 1 ? "" : "s");
	label_ns(b, t->build_gap_ns);
	buf_text(b, t->build_gaps == 1 ? " for its program" : " for theirs");
	/* where nearly all ops are first calls, nothing shows how they follow each other later */
	if (rest >= t->build_gaps && t->long_gaps + rest > 4) {
		buf_text(b, "; without that it is ");
		buf_text(b, steady_text(t));
	} else {
		buf_text(b, ", so this is no steady run; the ops themselves take ");
		label_ns(b, t->device_ns);
	}
}

void headline_aside(struct buf *b, const struct totals *t)
{
	double profiler = totals_profiler(t);

	if (profiler > 0) {
		label_ns(b, profiler);
		buf_text(b, " of the profiler");
	}
	if (t->pauses) {
		buf_text(b, profiler > 0 ? ", " : "");
		label_ns(b, t->pause_ns);
		if (t->pauses == 1)
			buf_text(b, " in one pause");
		else
			buf_printf(b, " in %llu pauses", (unsigned long long)t->pauses);
	}
}

void headline_add(struct buf *b, const struct report *r)
{
	const struct totals *t = &r->findings.totals;

	if (r->calls.programs_apart)
		buf_printf(b, "%u programs, no ranks of each other; together ",
			   r->calls.programs_apart);
	switch (verdict_of(t)) {
	case VERDICT_DEVICE:
		if (!r->calls.tells_gaps) {
			buf_text(b,
				 "gaps were not measured; of device time alone: make ops faster");
			break;
		}
		buf_text(b, "device-bound: make ops faster");
		break;
	case VERDICT_HOST:
		buf_text(b, "host-bound: the device waits");
		break;
	case VERDICT_DISPATCH:
		buf_text(b, "dispatch-bound: the device waits between ops of its replays");
		break;
	case VERDICT_BUILD:
		add_building(b, r);
		break;
	case VERDICT_NOTHING:
		buf_text(b, "no device time");
		break;
	}
}
