// SPDX-License-Identifier: Apache-2.0
/*
 * A device's clock on the host's, from samples: what the device's clock said at a moment between two of the host.
 *
 *	host = host at the centre + (device - device at the centre) / GHz
 *
 * A pure function; clock_sync.c makes the samples.
 */
#ifndef TTP_HOST_CLOCK_SYNC_FIT_H
#define TTP_HOST_CLOCK_SYNC_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sync_sample {
	uint64_t device;    /* cycles */
	int64_t sent, done; /* ns of the host: before the write, and when it was over */
};

struct sync_fit {
	uint64_t device; /* the centre: where the estimate is best */
	int64_t host;    /* ... in ns, ... */
	double host_part;
	double ghz;
	/* how sure that is */
	double half_trip_ns; /* half of a write of the kept ones: what no fit can see is in there */
	double sigma_ns;     /* of the kept samples around the line */
	double spread;       /* sum of squares of their distance from the centre, in cycles */
	size_t samples, kept;
};

/*
 * False if there are too few samples, or they lie on no line near `nominal_ghz` (a tenth more or less is near).
 * Samples in the order in which they were made.
 */
bool sync_fit(struct sync_fit *fit, const struct sync_sample *samples, size_t n,
	      double nominal_ghz);

double sync_fit_host_ns(const struct sync_fit *fit, uint64_t cycles, int64_t *whole);
/* What the device's clock said at a time of the host. */
uint64_t sync_fit_cycles(const struct sync_fit *fit, int64_t host_ns);
/* The host time of these cycles is not off by more than this, as far as the samples can tell. */
double sync_fit_error_ns(const struct sync_fit *fit, uint64_t cycles);
/* The same of the frequency, in parts of a million. */
double sync_fit_error_ppm(const struct sync_fit *fit);

#endif /* TTP_HOST_CLOCK_SYNC_FIT_H */
