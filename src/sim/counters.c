// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "sim/machine.h"

#define OFFSET(reg) ((reg)-TTP_TENSIX_BASE)

static uint32_t clamp(uint64_t v)
{
	return v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

bool counters_have(uint32_t offset)
{
	return offset >= OFFSET(TTP_COUNTERS_CLEAR) &&
	       offset < OFFSET(TTP_COUNTERS_VALUE(TTP_COUNTERS_N));
}

enum access counters_store(struct hart *h, uint32_t offset)
{
	struct counters *c = &h->node->counters;

	if (offset == OFFSET(TTP_COUNTERS_CLEAR))
		memset(c, 0, sizeof(*c));
	else if (offset == OFFSET(TTP_COUNTERS_START))
		c->start = h->t;
	else if (offset == OFFSET(TTP_COUNTERS_STOP))
		c->stop = h->t > c->stop ? h->t : c->stop;
	else
		return ACCESS_FAULT;
	return ACCESS_OK;
}

enum access counters_load(struct hart *h, uint32_t offset, uint32_t *value)
{
	const struct counters *c = &h->node->counters;

	h->dirty = true; /* they change by themselves */
	if (offset == OFFSET(TTP_COUNTERS_REF))
		*value = c->stop > c->start ? clamp(c->stop - c->start) : 0;
	else if (offset >= OFFSET(TTP_COUNTERS_VALUE(0)))
		*value = clamp(c->value[(offset - OFFSET(TTP_COUNTERS_VALUE(0))) / 4]);
	else
		return ACCESS_FAULT;
	return ACCESS_OK;
}
