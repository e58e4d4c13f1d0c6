// SPDX-License-Identifier: Apache-2.0
/* sync_device_info.csv, in tt-metal's columns and widths.  Host times are those at which a write was over. */
#include "base/out.h"
#include "host/clock/clock_sync.h"
#include "wire/run_names.h"

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
	struct out_append file;
	enum ttp_rc rc = out_append_open(&file, e, "%s/" RUN_SYNC, r->folder);

	if (rc)
		return rc;
	if (file.fresh)
		out_text(&file.out,
			 "device id,core_x, core_y,device,host_tracy,host_real,write_overhead,"
			 "host_start,delay,frequency,tracy_ratio,tracy_base_time,"
			 "device_frequency_ratio,device_shift\n");
	for (size_t i = 0; i < r->n; i++)
		row(&file.out, r, &r->samples[i]);
	return out_append_close(&file, e);
}
