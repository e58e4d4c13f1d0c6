// SPDX-License-Identifier: Apache-2.0
/* Counts of markers: spec of upstream's tests A1 to A6, and what upstream loses (E). */
#include "device_probe.h"

/* A kernel of `file` on the cores of `mask`. */
static const char *with(struct probe *p, struct launch_tile *work, const char *file, unsigned mask)
{
	for (int r = 0; r < RISCS; r++)
		if (mask >> r & 1 && !(work->kernel[r] = probe_kernel(p, file, r)))
			return because("%s", because("%s", "") ? "kernel does not compile" : "");
	return NULL;
}

#define TRY(call)                           \
	do {                                \
		const char *wrong_ = call;  \
		if (wrong_)                 \
			return wrong_;      \
	} while (0)

static const char *zones_reach_the_host(struct probe *p)
{
	uint32_t n = 3;
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "zones.c", 31));
	for (int r = 0; r < RISCS; r++)
		work.args[r] = (struct words){ &n, 1 };
	TRY(probe_run(p, &work, 7));
	TRY(probe_read(p));
	for (int r = 0; r < RISCS; r++) {
		size_t got = probe_count(p, MARKER_ZONE_START, r, "TEST-FULL");

		CHECK(got == 3u * (size_t)probe_workers(p), "%zu starts of TEST-FULL on %s", got,
		      risc_label(r));
		got = probe_count(p, MARKER_ZONE_END, r, "TEST-FULL");
		CHECK(got == 3u * (size_t)probe_workers(p), "%zu ends of TEST-FULL on %s", got,
		      risc_label(r));
	}
	CHECK(probe_count(p, MARKER_ZONE_START, 0, "BRISC-FW") == (size_t)probe_workers(p), "BRISC-FW");
	CHECK(probe_count(p, MARKER_ZONE_END, 1, "NCRISC-KERNEL") == (size_t)probe_workers(p),
	      "NCRISC-KERNEL");
	CHECK(p->markers.at[0].host_id == 7, "program %u", p->markers.at[0].host_id);
	CHECK(!account_total(&p->account, ACCOUNT_TOTAL_DROPPED), "something was dropped");
	return NULL;
}

const struct scenario scenarios_markers[] = {
	{ "zones_reach_the_host", true, zones_reach_the_host },
	{ NULL, false, NULL },
};
