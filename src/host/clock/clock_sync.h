// SPDX-License-Identifier: Apache-2.0
/*
 * TT_METAL_PROFILER_SYNC: when a device is opened and again when it is closed, a kernel on core (0,0) notes its
 * clock at 249 moments that the host knows.  From both the relation of the clocks, and how sure it is.
 */
#ifndef TTP_HOST_CLOCK_CLOCK_SYNC_H
#define TTP_HOST_CLOCK_CLOCK_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "host/clock/sync_fit.h"

enum { SYNC_SAMPLES = 249 };

struct ttp_dev;
struct ttp_program;

struct sync {
	VEC(struct sync_sample) samples;
	int64_t first_ns; /* host time at the beginning of the first sync */
	struct ttp_program *program;
	struct sync_fit fit;
	bool synced;     /* `fit` holds */
	unsigned passes; /* that gave samples */
	uint64_t lost;   /* words of the host that the kernel never saw */
};

/* Makes samples, the fit, and rows of sync_device_info.csv.  A device that cannot is warned of, and no error. */
enum ttp_rc sync_run(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
void sync_release(struct ttp_dev *d);

/* sync_log.c: the last `n` samples as rows, behind those that are there. */
struct sync_rows {
	const char *folder;
	int device, core_x, core_y;
	const struct sync_sample *samples;
	size_t n;
	int64_t first_ns, base_ns;
	const struct sync_fit *fit;
};
enum ttp_rc sync_log_add(const struct sync_rows *rows, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_CLOCK_CLOCK_SYNC_H */
