// SPDX-License-Identifier: Apache-2.0
/*
 * Frames of a client were lost, and those behind them stand alone (as in files that libttp writes): what can be
 * understood without the lost ones.  Steps of time count from the last event, so those of a thread are good again from
 * where a thread is named; those that all threads share are not.
 */
#include <stdio.h>

#include "trace/client_events.h"

bool client_can_take(struct client_events *c, enum wire_item item)
{
	bool can = true;

	switch (item) {
	case WIRE_ThreadContext:
		c->threadless = false;
		break;
	case WIRE_ZoneBegin:
	case WIRE_ZoneBegin32:
	case WIRE_ZoneBegin16:
	case WIRE_ZoneBeginCallstack:
	case WIRE_ZoneBeginCallstack32:
	case WIRE_ZoneBeginCallstack16:
	case WIRE_ZoneBeginAllocSrcLoc:
	case WIRE_ZoneBeginAllocSrcLocCallstack:
	case WIRE_ZoneEnd:
	case WIRE_ZoneEnd32:
	case WIRE_ZoneEnd16:
	case WIRE_ZoneText:
	case WIRE_ZoneName:
	case WIRE_ZoneColor:
	case WIRE_ZoneValue:
	case WIRE_PlotDataInt:
	case WIRE_PlotDataFloat:
	case WIRE_PlotDataDouble:
	case WIRE_FiberEnter:
	case WIRE_FiberLeave:
	case WIRE_SectionEnter:
	case WIRE_SectionLeave:
		can = !c->threadless;
		break;
	case WIRE_LockWait:
	case WIRE_LockObtain:
	case WIRE_LockRelease:
	case WIRE_LockSharedWait:
	case WIRE_LockSharedObtain:
	case WIRE_LockSharedRelease:
	case WIRE_ContextSwitch:
	case WIRE_ThreadWakeup:
	case WIRE_CallstackSample:
	case WIRE_CallstackSample32:
	case WIRE_CallstackSample16:
	case WIRE_CallstackSampleContextSwitch:
	case WIRE_CallstackSampleContextSwitch32:
	case WIRE_CallstackSampleContextSwitch16:
	case WIRE_MemAlloc:
	case WIRE_MemAllocNamed:
	case WIRE_MemAllocCallstack:
	case WIRE_MemAllocCallstackNamed:
	case WIRE_MemFree:
	case WIRE_MemFreeNamed:
	case WIRE_MemFreeCallstack:
	case WIRE_MemFreeCallstackNamed:
	case WIRE_MemDiscard:
	case WIRE_MemDiscardCallstack:
	case WIRE_GpuTime:
	case WIRE_GpuZoneBegin:
	case WIRE_GpuZoneBeginCallstack:
	case WIRE_GpuZoneBeginAllocSrcLoc:
	case WIRE_GpuZoneBeginAllocSrcLocCallstack:
	case WIRE_GpuZoneEnd:
	case WIRE_GpuZoneBeginSerial:
	case WIRE_GpuZoneBeginCallstackSerial:
	case WIRE_GpuZoneBeginAllocSrcLocSerial:
	case WIRE_GpuZoneBeginAllocSrcLocCallstackSerial:
	case WIRE_GpuZoneEndSerial:
		can = false;
		break;
	default:
		break;
	}
	if (!can)
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	return can;
}

void client_late_place(struct client_events *c, const struct late_place *l)
{
	*vec_push(&c->late) = *l;
}

/* A place stands right before its first use: the last one that came is the one that is used, those before it follow. */
void client_place_used(struct client_events *c, uint64_t number, uint32_t loc)
{
	size_t n = c->late.len;

	c->late.len = 0; /* client_loc() below comes here again */
	for (size_t i = n; i-- > 0 && number; number--) {
		const struct late_place *l = &c->late.at[i];
		uint32_t id = i + 1 == n ? loc : client_loc(c, number);
		struct trace_loc *to = &c->t->locs.at[id];

		if (to->name != TRACE_NONE || to->function != TRACE_NONE)
			break;
		to->name = l->name;
		to->function = l->function;
		to->file = l->file;
		to->line = l->line;
		to->color = l->color;
	}
}

void client_name_places(struct client_events *c)
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
