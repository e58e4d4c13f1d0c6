// SPDX-License-Identifier: Apache-2.0
/*
 * What the scenarios of device_probe share: a started device, kernels by the name of their file, all
 * markers of a read.  A scenario ends the program's turn with a line "ok NAME" or "not ok NAME".
 */
#ifndef TTP_TESTS_DEVICE_PROBE_H
#define TTP_TESTS_DEVICE_PROBE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/account.h"
#include "base/vec.h"
#include "device/compile.h"
#include "device/launch.h"
#include "device/port.h"
#include "device/profiler.h"
#include "sim/sim.h"

struct probe {
	struct port *port;
	struct device device;
	struct profiler profiler;
	const char *folder; /* of the kernels */
	struct sim_config sim;
	unsigned profile; /* PROFILE_KERNEL of compiled kernels */
	bool noc_events;
	VEC(struct device_marker) markers;
	VEC(struct profiler_loss) losses;
	struct account account;
	unsigned workers;
	char reason[600]; /* why a kernel does not compile */
	struct elf_image images[64];
	size_t images_n;
};

struct scenario {
	const char *name;
	bool everywhere;                    /* also on a device without compute and modelled time */
	const char *(*run)(struct probe *); /* NULL is good; else what is wrong */
};
extern const struct scenario scenarios_markers[], scenarios_kernels[], scenarios_hostile[];

/* Text for a failed check; kept until the next one. */
const char *because(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define CHECK(condition, ...)                        \
	do {                                         \
		if (!(condition))                    \
			return because(__VA_ARGS__); \
	} while (0)

/* Closes the device, so that the scenario can start another. */
void probe_again(struct probe *p);
const char *probe_start(struct probe *p, uint32_t programs);
/* NULL and the reason in p->reason if it does not compile. */
struct elf_image *probe_kernel(struct probe *p, const char *file, int risc);
struct elf_image *probe_kernel_text(struct probe *p, const char *name, const char *text, int risc);
/* All workers run the same; waits. */
const char *probe_run(struct probe *p, const struct launch_tile *like, uint32_t host_id);
const char *probe_run_on(struct probe *p, struct launch_tile *work, size_t n, uint32_t host_id);
const char *probe_read(struct probe *p);
struct tile probe_worker(struct probe *p, int i);
/* How many markers of a kind; -1 and NULL say any. */
size_t probe_count(struct probe *p, int type, int risc, const char *name);
/* The name of a marker's zone, from the images that the tile has. */
const char *probe_zone_name(struct probe *p, const struct device_marker *m);

#endif /* TTP_TESTS_DEVICE_PROBE_H */
