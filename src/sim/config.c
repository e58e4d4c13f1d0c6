// SPDX-License-Identifier: Apache-2.0
/* The variables TTP_SIM_*, for who lets the user decide; docs/explain/sim.md lists them. */
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "sim/machine.h"

enum { DRIFT_MAX = 100000 }; /* parts of a million: a tenth */

enum { HARVEST, THREADS, PARK, IDLE, WINDOW, CLOCK, SEED, JITTER, SLOW_BANK, SETTINGS };
static const struct {
	const char *name;
	uint64_t most;
} settings[SETTINGS] = {
	[HARVEST] = { "TTP_SIM_HARVEST", 0xFFF },
	[THREADS] = { "TTP_SIM_THREADS", 2 },
	[PARK] = { "TTP_SIM_PARK", 1 },
	[IDLE] = { "TTP_SIM_IDLE", 1 },
	[WINDOW] = { "TTP_SIM_WINDOW", WINDOW_MAX },
	[CLOCK] = { "TTP_SIM_CLOCK", UINT64_MAX },
	[SEED] = { "TTP_SIM_SEED", UINT64_MAX },
	[JITTER] = { "TTP_SIM_JITTER", UINT64_MAX },
	[SLOW_BANK] = { "TTP_SIM_SLOW_BANK", 255 },
};

/* A whole number, decimal or 0x; *given says whether the variable is there. */
static enum ttp_rc number_from(const char *name, uint64_t most, uint64_t *out, bool *given,
			       struct ttp_err *e)
{
	const char *text = getenv(name); /* NOLINT(concurrency-mt-unsafe) */
	char *end;

	*given = text && *text;
	if (!*given)
		return TTP_OK;
	*out = strtoull(text, &end, 0);
	if (*end || end == text || *text == '-' || *out > most)
		return ttp_fail(e, TTP_USAGE, "%s=%s: a number from 0 to %llu is wanted", name,
				text, (unsigned long long)most);
	return TTP_OK;
}

static enum ttp_rc drift_from_env(double *ppm, struct ttp_err *e)
{
	const char *text = getenv("TTP_SIM_DRIFT_PPM"); /* NOLINT(concurrency-mt-unsafe) */

	if (!text || !*text)
		return TTP_OK;
	if (!number_double(str_of(text), ppm) || !(*ppm >= -DRIFT_MAX && *ppm <= DRIFT_MAX))
		return ttp_fail(e, TTP_USAGE,
				"TTP_SIM_DRIFT_PPM=%.40s: a number from -%d to %d is wanted", text,
				DRIFT_MAX, DRIFT_MAX);
	return TTP_OK;
}

enum ttp_rc sim_config_from_env(struct sim_config *c, struct ttp_err *e)
{
	uint64_t v[SETTINGS] = { 0 };
	bool given[SETTINGS];
	enum ttp_rc rc = TTP_OK;

	for (int i = 0; !rc && i < SETTINGS; i++)
		rc = number_from(settings[i].name, settings[i].most, &v[i], &given[i], e);
	if (rc)
		return rc;
	if (given[HARVEST])
		c->harvest = (uint32_t)v[HARVEST];
	c->harvest_given |= given[HARVEST];
	c->threads = given[THREADS] ? (int)v[THREADS] : c->threads;
	c->no_parking = given[PARK] ? !v[PARK] : c->no_parking;
	c->no_idling = given[IDLE] ? !v[IDLE] : c->no_idling;
	c->window = given[WINDOW] ? (int)v[WINDOW] : c->window;
	c->clock_start = given[CLOCK] ? v[CLOCK] : c->clock_start;
	c->seed = given[SEED] ? v[SEED] : c->seed;
	c->jitter = given[JITTER] ? v[JITTER] : c->jitter;
	c->slow_bank = given[SLOW_BANK] ? (int)v[SLOW_BANK] + 1 : c->slow_bank;
	return drift_from_env(&c->drift_ppm, e);
}
