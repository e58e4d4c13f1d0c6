// SPDX-License-Identifier: Apache-2.0
#include "client/record/program_lock.h"
#include "client/record/recording_window.h"
#include "client/send/client_session.h"
#include "client/send/drain.h"

static uint32_t edges; /* of the window, as it is known in this pass */
static uint32_t edges_told;
bool drain_window_filters;

void drain_window_begin(void)
{
	edges_told = 0;
}

/* Was it recorded at that moment?  At the end of such a part, what is open ends; zones that stay open from before it are not
 * in the trace, so an end without a begin is one of theirs. */
bool drain_window_inside(struct session *s, struct stream *st, int64_t ticks)
{
	uint64_t steps;

	while (st->edge < edges && ticks >= window_edge(st->edge, &steps)) {
		if (s && window_is_on(st->edge))
			drain_close_zones(s, st, window_edge(st->edge, &steps));
		st->open = 0;
		st->edge++;
	}
	return window_is_on(st->edge);
}

/* Is this record skipped?  Ends of what may have begun before are not: where there was no begin, they mean nothing. */
bool drain_window_leaves_out(struct session *s, struct stream *st, enum record_kind kind,
			     const uint64_t *w)
{
	uint64_t argument = record_argument(w[0]);

	switch (kind) {
	case RECORD_ZONE_BEGIN:
	case RECORD_LITERAL:
	case RECORD_FRAME:
	case RECORD_FRAME_START:
	case RECORD_ALLOC:
	case RECORD_LOCK_MARK:
	case RECORD_PLOT_INT:
	case RECORD_PLOT_FLOAT:
	case RECORD_PLOT_DOUBLE:
		return !drain_window_inside(s, st, (int64_t)w[1]);
	case RECORD_MESSAGE:
		return !drain_window_inside(s, st, (int64_t)w[1]) && !(argument & RECORD_ALWAYS);
	case RECORD_LOCK_EVENT:
		return !drain_window_inside(s, st, (int64_t)w[1]) && argument != LOCK_RELEASE &&
		       argument != LOCK_SHARED_RELEASE && argument != LOCK_GONE &&
		       argument != LOCK_NAMED;
	case RECORD_ZONE_END:
	case RECORD_THREAD_GONE:
		(void)drain_window_inside(s, st, drain_widen(argument));
		return false;
	default: /* said once, of a zone that is open, or of a device, whose library knows what it launched */
		return false;
	}
}

/* Where a part begins and ends, as messages: `ttprof run` reads them. */
void drain_window_pass(struct session *s)
{
	edges = window_look();
	drain_window_filters = edges || !window_is_on(0);
	if (!s)
		return;
	for (; edges_told < edges; edges_told++) {
		uint64_t steps;
		int64_t ticks = window_edge(edges_told, &steps);

		tell_window(s, ticks, window_is_on(edges_told + 1), steps);
	}
}
