// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include "client/record/ticks.h"
#include "client/send/client_session.h"
#include "client/send/sender.h"

enum { FIRST_NS = 1000000, YOUNG_NS = 200000000 };

static bool is_rough;

double rough_scale(void)
{
	is_rough = ticks_age_ns() < SENDER_CALIBRATE_NS;
	if (!is_rough)
		return sender_ns_per_tick();
	while (ticks_age_ns() < FIRST_NS) {
		const struct timespec moment = { .tv_nsec = FIRST_NS / 4 };

		nanosleep(&moment, NULL);
	}
	return ticks_ns_per_tick();
}

void rough_settle(struct session *s, struct wire_welcome *w, bool last)
{
	bool exact = ticks_age_ns() >= SENDER_CALIBRATE_NS;

	if (!is_rough || !s->is_file || (!exact && !last))
		return;
	is_rough = false;
	w->ns_per_tick = exact ? sender_ns_per_tick() : ticks_ns_per_tick();
	s->ns_per_tick = w->ns_per_tick;
	file_begin_again(s, w);
}

bool rough_is_young(void)
{
	return ticks_age_ns() < YOUNG_NS;
}
