// SPDX-License-Identifier: Apache-2.0
#include "client/send/lost_items.h"

#include "client/record/stream.h"

void lost_count(const struct wire_proto *proto, const uint8_t *items, size_t len)
{
	struct cursor c = cursor_of(items, len);
	uint64_t lost[WIRE_EVENTS] = { 0 };
	struct wire_got got;

	while (wire_next(proto, &c, &got))
		lost[wire_traits[got.item].event]++;
	for (unsigned i = 0; i < WIRE_EVENTS_LOST; i++)
		if (lost[i])
			stream_lost(i, lost[i]);
}
