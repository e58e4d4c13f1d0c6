// SPDX-License-Identifier: Apache-2.0
/* Which devices there are.  A file of its own: who only looks at a device does not need the client, which the others record with. */
#include "host/api/device_port.h"
#include "device/port.h"
#include "sim/sim.h"

/* Drivers get no more than a name: whether the next chip has a row for dispatch cores is of the thread that opens it. */
static _Thread_local bool with_dispatch;

static enum ttp_rc open_sim(struct str rest, int id, struct port **out, struct ttp_err *e)
{
	struct sim_config config = { .chip = id, .one_row_more = with_dispatch };
	enum ttp_rc rc = sim_config_from_env(&config, e);

	(void)rest;
	return rc ? rc : sim_open(&config, out, e);
}

static const struct port_driver port_sim = { "sim", NULL, open_sim };
static const struct port_driver *const drivers[] = { &port_sim, &port_ttsim, NULL };

enum ttp_rc host_open_port(const char *name, int id, bool dispatch, struct port **out,
			   struct ttp_err *e)
{
	with_dispatch = dispatch;
	return port_open_default(drivers, name, id, out, e);
}
