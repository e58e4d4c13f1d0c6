// SPDX-License-Identifier: Apache-2.0
/*
 * Frames of a client were lost, and those behind them stand alone (as in files that libttp writes): what can be
 * understood without the lost ones.  Steps of time count from the last event, so those of a thread are good again from
 * where a thread is named; those that all threads share are not.
 */
#include <stdio.h>

#include "trace/spool/client_events.h"

bool client_can_take(struct client_events *c, enum wire_item item)
{
	bool can;

	if (item == WIRE_ThreadContext)
		c->threadless = false;
	can = wire_traits[item].gap == WIRE_GAP_ANY ||
	      (wire_traits[item].gap == WIRE_GAP_THREAD && !c->threadless);
	if (!can)
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	return can;
}

/* A source location stands right before its first use: the last one that came is the one that is used, those before it follow. */
void client_loc_used(struct client_events *c, uint64_t number, uint32_t loc)
{
	size_t n = c->late.len;

	c->late.len = 0; /* client_loc() below comes here again */
	for (size_t i = n; i-- > 0 && number; number--) {
		const struct late_loc *l = &c->late.at[i];
		uint32_t id = i + 1 == n ? loc : client_loc(c, number);
		struct trace_loc *to = &c->t->locs.at[id];

		if (to->name != TRACE_NONE || to->function != TRACE_NONE)
			break;
		client_name_loc(to, l);
	}
}

void client_name_locs(struct client_events *c)
{
	char text[32];

	for (uint32_t i = 0; i < c->locs.entries.len; i++) {
		uint64_t ptr = c->locs.entries.at[i].key;
		struct trace_loc *l = &c->t->locs.at[c->locs.entries.at[i].value];
		int n;

		if (!ptr || l->name != TRACE_NONE || l->function != TRACE_NONE)
			continue;
		n = snprintf(text, sizeof(text), "(place 0x%llx)", (unsigned long long)ptr);
		l->function = trace_string(c->t, str_n(text, (size_t)n));
		c->t->unnamed++;
	}
}
