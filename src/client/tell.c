// SPDX-License-Identifier: Apache-2.0
#include "client/tell.h"

#include <stdio.h>
#include <unistd.h>

#include "client/file.h"
#include "client/host.h"
#include "client/session.h"
#include "client/ticks.h"
#include "client/window.h"
#include "ttp/client.h"

static void put_text(struct session *s, int64_t ticks, const char *text, int n)
{
	struct wire_out *o;

	session_thread(s, host_pid());
	o = session_out(s, (size_t)n);
	put_single_string(o, text, (size_t)n);
	put_message(o, ticks, false, 0, PUT_META_CLIENT);
}

void tell_window(struct session *s, int64_t ticks, bool on, uint64_t steps)
{
	char text[96];
	int n = snprintf(text, sizeof(text), "ttp: %s: step=%llu",
			 on ? "recording" : "not recording", (unsigned long long)steps);

	put_text(s, ticks, text, n);
}

void tell_steps(struct session *s)
{
	uint64_t steps, recorded;
	char text[96];
	int n;

	if (!window_count(&steps, &recorded))
		return;
	n = snprintf(text, sizeof(text), "ttp: window: steps=%llu recorded=%llu",
		     (unsigned long long)steps, (unsigned long long)recorded);
	put_text(s, ticks_peek(), text, n);
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

		put_text(s, now.ticks, text, n);
	}
}

void tell_drops(struct session *s)
{
	struct ttp_stats st;
	char text[256];
	int n;

	ttp_stats(&st, sizeof(st));
	if (!(st.zones_dropped | st.texts_dropped | st.messages_dropped | st.plots_dropped |
	      st.frames_dropped | st.memory_dropped | st.device_dropped | st.in_signal_dropped |
	      st.locks_dropped))
		return;
	n = snprintf(
		text, sizeof(text),
		"ttp: dropped: zones=%llu texts=%llu messages=%llu plots=%llu frames=%llu memory=%llu "
		"device=%llu in_signal=%llu locks=%llu",
		(unsigned long long)st.zones_dropped, (unsigned long long)st.texts_dropped,
		(unsigned long long)st.messages_dropped, (unsigned long long)st.plots_dropped,
		(unsigned long long)st.frames_dropped, (unsigned long long)st.memory_dropped,
		(unsigned long long)st.device_dropped, (unsigned long long)st.in_signal_dropped,
		(unsigned long long)st.locks_dropped);
	put_text(s, ticks_peek(), text, n);
}
