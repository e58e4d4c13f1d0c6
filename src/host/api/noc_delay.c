// SPDX-License-Identifier: Apache-2.0
/* Debug delays: a fault on purpose, to see what slow requests to the NoC do to a program. */
#include <stddef.h>

#include "host/host_device.h"

#define MAILBOX(member) (TTP_L1_MAILBOX + offsetof(struct ttp_mailbox, member))

static enum ttp_rc find_cycles(const struct ttp_dev *d, uint64_t *cycles, struct ttp_err *e)
{
	const struct host_settings *s = &d->settings;

	*cycles = s->delay_ms ? (uint64_t)((double)s->delay_ms * 1000.0 * d->port->info.clock_mhz)
			      : s->delay_cycles;
	if (*cycles > UINT32_MAX)
		return ttp_fail(e, TTP_USAGE,
				"TT_METAL_WATCHER_DEBUG_DELAY=%llums: at most %.0f ms at %.0f MHz",
				(unsigned long long)s->delay_ms,
				UINT32_MAX / 1000.0 / d->port->info.clock_mhz,
				d->port->info.clock_mhz);
	return TTP_OK;
}

enum ttp_rc delay_start(struct ttp_dev *d, struct ttp_err *e)
{
	bool on[DELAYED_KINDS][PORT_GRID_MAX][PORT_GRID_MAX] = { 0 };
	const struct coord *c = &d->device.coord;
	uint64_t cycles = 0;
	enum ttp_rc rc = find_cycles(d, &cycles, e);

	for (int kind = 0; !rc && kind < DELAYED_KINDS; kind++) {
		rc = choice_cores(&d->settings.delay[kind], d->id, c, on[kind], e);
		d->delayed |= cycles && choice_has_chip(&d->settings.delay[kind], d->id);
	}
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; !rc && d->delayed && x < c->columns; x++) {
			struct tile t = { c->column_x[x], c->row_y[y] };
			uint32_t words[DELAYED_KINDS + 1] = { 0 };

			for (int kind = 0; kind < DELAYED_KINDS; kind++)
				if (on[kind][y][x])
					words[kind] = d->settings.delay[kind].riscs;
			words[DELAYED_KINDS] = (uint32_t)cycles;
			rc = d->port->ops->write(d->port, t, MAILBOX(delay_riscs), words,
						 sizeof(words), e);
		}
	return rc;
}
