// SPDX-License-Identifier: Apache-2.0
/* sync_device_info.csv, in tt-metal's columns and widths.  Host times are those at which a write was over. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/out.h"
#include "host/clock/clock_sync.h"
#include "wire/run_names.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the file and begun */
static char begun[1100];

static void row(struct out *out, const struct sync_rows *r, const struct sync_sample *s)
{
	/* Ticks of the host are ns here. */
	long double at_first =
		(long double)(r->first_ns - r->fit->host) - (long double)r->fit->host_part;
	double delay = (double)((long double)r->fit->device + at_first * (long double)r->fit->ghz);
	int64_t host = s->done - r->first_ns;

	out_printf(out,
		   "%5d,%5d,%5d,%20llu,%20lld,%20.2f,%20lld,%20lld,%20.2f,%20.15f,%20.15f,%20lld,"
		   "1.0,0\n",
		   r->device, r->core_x, r->core_y, (unsigned long long)s->device, (long long)host,
		   (double)host, (long long)(s->done - s->sent), (long long)r->first_ns, delay,
		   r->fit->ghz, 1.0, (long long)r->base_ns);
}

enum ttp_rc sync_log_add(const struct sync_rows *r, struct ttp_err *e)
{
	char path[1200];
	struct out out;
	enum ttp_rc rc;
	bool first;
	int fd;

	snprintf(path, sizeof(path), "%s/" RUN_SYNC, r->folder);
	pthread_mutex_lock(&lock);
	first = strcmp(begun, r->folder) != 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (first ? O_TRUNC : O_APPEND), 0666);
	if (fd < 0) {
		pthread_mutex_unlock(&lock);
		return ttp_fail_errno(e, "%s", path);
	}
	out_init(&out, fd, path);
	if (first)
		out_text(&out,
			 "device id,core_x, core_y,device,host_tracy,host_real,write_overhead,"
			 "host_start,delay,frequency,tracy_ratio,tracy_base_time,"
			 "device_frequency_ratio,device_shift\n");
	for (size_t i = 0; i < r->n; i++)
		row(&out, r, &r->samples[i]);
	rc = out_finish(&out, e);
	if (close(fd) && !rc)
		rc = ttp_fail_errno(e, "%s", path);
	if (!rc)
		snprintf(begun, sizeof(begun), "%s", r->folder);
	pthread_mutex_unlock(&lock);
	return rc;
}
