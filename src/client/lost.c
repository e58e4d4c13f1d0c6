// SPDX-License-Identifier: Apache-2.0
#include "client/lost.h"

#include "client/stream.h"

/* Of what we send: an event is one of these, and whatever else its frame has says what they are called. */
static enum drop_kind kind_of(enum wire_item item)
{
	switch (item) {
	case WIRE_ZoneBegin:
	case WIRE_ZoneBegin32:
	case WIRE_ZoneBegin16:
		return DROP_ZONE;
	case WIRE_ZoneText:
	case WIRE_ZoneName:
	case WIRE_ZoneColor:
	case WIRE_ZoneValue:
		return DROP_TEXT;
	case WIRE_Message:
	case WIRE_MessageColor:
	case WIRE_MessageLiteral:
	case WIRE_MessageLiteralColor:
		return DROP_MESSAGE;
	case WIRE_PlotDataInt:
	case WIRE_PlotDataFloat:
	case WIRE_PlotDataDouble:
		return DROP_PLOT;
	case WIRE_FrameMarkMsg:
	case WIRE_FrameMarkMsgStart:
	case WIRE_FrameMarkMsgEnd:
		return DROP_FRAME;
	case WIRE_MemAlloc:
	case WIRE_MemAllocNamed:
	case WIRE_MemFree:
	case WIRE_MemFreeNamed:
	case WIRE_MemDiscard:
		return DROP_MEMORY;
	case WIRE_GpuZoneBeginSerial:
		return DROP_DEVICE;
	case WIRE_LockWait:
	case WIRE_LockObtain:
	case WIRE_LockRelease:
	case WIRE_LockSharedWait:
	case WIRE_LockSharedObtain:
	case WIRE_LockSharedRelease:
	case WIRE_LockMark:
		return DROP_LOCK;
	case WIRE_MessageAppInfo:
	case WIRE_PlotConfig:
		return DROP_OTHER;
	default:
		return DROP_KINDS;
	}
}

void lost_count(const struct wire_proto *proto, const uint8_t *items, size_t len)
{
	struct cursor c = cursor_of(items, len);
	uint64_t lost[DROP_KINDS + 1] = { 0 };
	struct wire_got got;

	while (wire_next(proto, &c, &got))
		lost[kind_of(got.item)]++;
	for (unsigned i = 0; i < DROP_KINDS; i++)
		if (lost[i])
			stream_lost(i, lost[i]);
}
