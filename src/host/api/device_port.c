// SPDX-License-Identifier: Apache-2.0
/* Which devices there are.  A file of its own: who only looks at a device does not need the client, which the others record with. */
#include "host/api/device_port.h"
#include "device/port_open.h"
#include "sim/sim.h"

static enum ttp_rc open_sim(struct str rest, int id, struct port **out, struct ttp_err *e)
{
	struct sim_config config = { .chip = id };
	enum ttp_rc rc = sim_config_from_env(&config, e);

	(void)rest;
	return rc ? rc : sim_open(&config, out, e);
}

static const struct port_driver port_sim = { "sim", NULL, open_sim };
static const struct port_driver *const drivers[] = { &port_sim, &port_ttsim, NULL };

enum ttp_rc host_open_port(const char *name, int id, struct port **out, struct ttp_err *e)
{
	return port_open_default(drivers, name, id, out, e);
}
