// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>

#include "client/record/recording_window.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "client/send/client_session.h"
#include "ttp/client.h"
#include "wire/self_report.h"

static void put_text(struct session *s, int64_t ticks, const char *text, size_t n)
{
	session_thread(s, host_pid());
	put_message(session_text(s, text, n), ticks, false, 0, PUT_META_CLIENT);
}

static void put_report(struct session *s, int64_t ticks, const struct self_report *r)
{
	char text[SELF_REPORT_MAX];

	put_text(s, ticks, text, self_report_put(text, r));
}

void tell_window(struct session *s, int64_t ticks, bool on, uint64_t steps)
{
	put_report(s, ticks,
		   &(struct self_report){ on ? SELF_REPORT_RECORDING : SELF_REPORT_NOT_RECORDING,
					  { steps } });
}

void tell_steps(struct session *s)
{
	struct self_report r = { .kind = SELF_REPORT_WINDOW };

	if (window_count(&r.values[0], &r.values[1]))
		put_report(s, ticks_peek(), &r);
}

void tell_clock_jumps(struct session *s)
{
	static struct ticks_watch watch;
	struct ticks_pair now;
	int64_t jump;

	if (ticks_hook)
		return;
	ticks_pair_take(&now);
	jump = ticks_jumped(&watch, &now, s->ns_per_tick);
	if (!jump)
		return;
	if (s->is_file) {
		file_note_jump(s, now.ticks, jump);
	} else {
		char text[64];
		int n = snprintf(text, sizeof(text), "ttp: the clock jumped by %lld us",
				 (long long)(jump / 1000));

		put_text(s, now.ticks, text, (size_t)n);
	}
}

/* What was dropped so far; how many in all. */
static uint64_t count_drops(const struct session *s, int64_t ticks, struct self_report *r)
{
	struct ttp_stats st;
	int64_t first, last;
	uint64_t all = 0;

	ttp_stats(&st, sizeof(st));
	*r = (struct self_report){ SELF_REPORT_DROPPED,
				   { st.zones_dropped, st.texts_dropped, st.messages_dropped,
				     st.plots_dropped, st.frames_dropped, st.memory_dropped,
				     st.device_dropped, st.in_signal_dropped, st.locks_dropped } };
	for (unsigned i = 0; i < SELF_REPORT_DROPS; i++)
		all += r->values[i];
	if (stream_drop_span(&first, &last) && last <= ticks && first <= last) {
		r->values[SELF_REPORT_DROPS] =
			(uint64_t)((double)(ticks - first) * s->ns_per_tick / 1e3);
		r->values[SELF_REPORT_DROPS + 1] =
			(uint64_t)((double)(ticks - last) * s->ns_per_tick / 1e3);
	}
	return all;
}

void tell_drops(struct session *s)
{
	int64_t ticks = ticks_peek();
	struct self_report r;

	if (count_drops(s, ticks, &r))
		put_report(s, ticks, &r);
}

void tell_dropping(struct session *s, int64_t now_ns)
{
	int64_t ticks = ticks_peek();
	struct self_report r;
	uint64_t all;

	/* a scripted clock makes the same stream each time, whenever that is sent */
	if (ticks_kind() == 2 || now_ns - s->told_drops_ns < 1000000000)
		return;
	all = count_drops(s, ticks, &r);
	if (all == s->told_drops)
		return;
	s->told_drops = all;
	s->told_drops_ns = now_ns;
	r.kind = SELF_REPORT_DROPPING;
	put_report(s, ticks, &r);
}
