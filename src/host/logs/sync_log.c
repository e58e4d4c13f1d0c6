// SPDX-License-Identifier: Apache-2.0
/* sync_device_info.csv, in tt-metal's columns and widths.  Host times are those at which a write was over. */
#include "base/out.h"
#include "host/ops/op.h"
#include "wire/run_names.h"

enum ttp_rc sync_log_add(const struct ttp_dev *d, size_t n, struct ttp_err *e)
{
	const struct sync *s = &d->sync;
	struct tile t = s->program->built->work[0].tile;
	int64_t base_ns = op_recorded() ? ttp_base_ticks() : 0;
	/* Ticks of the host are ns here. */
	long double at_first =
		(long double)(s->first_ns - s->fit.host) - (long double)s->fit.host_part;
	double delay = (double)((long double)s->fit.device + at_first * (long double)s->fit.ghz);
	struct out_append file;

	TTP_TRY(out_append_open(&file, e, "%s/" RUN_SYNC, d->settings.folder));
	if (file.fresh)
		out_text(&file.out,
			 "device id,core_x, core_y,device,host_tracy,host_real,write_overhead,"
			 "host_start,delay,frequency,tracy_ratio,tracy_base_time,"
			 "device_frequency_ratio,device_shift\n");
	for (size_t i = s->samples.len - n; i < s->samples.len; i++) {
		const struct sync_sample *at = &s->samples.at[i];
		long long host = at->done - s->first_ns;

		out_printf(
			&file.out,
			"%5d,%5d,%5d,%20llu,%20lld,%20.2f,%20lld,%20lld,%20.2f,%20.15f,%20.15f,%20lld,"
			"1.0,0\n",
			d->id, t.x, t.y, (unsigned long long)at->device, host, (double)host,
			(long long)(at->done - at->sent), (long long)s->first_ns, delay, s->fit.ghz,
			1.0, (long long)base_ns);
	}
	return out_append_close(&file, e);
}
