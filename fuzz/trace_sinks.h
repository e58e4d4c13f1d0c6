// SPDX-License-Identifier: Apache-2.0
/* A trace that is hostile through everything that reads traces. */
#ifndef TTP_FUZZ_TRACE_SINKS_H
#define TTP_FUZZ_TRACE_SINKS_H

#include <fcntl.h>

#include "compat/csvexport/csvexport.h"
#include "export/chrome_perfetto.h"
#include "memory_file.h"
#include "trace/tracy/tracy_write.h"

static inline void trace_through(const char *path, unsigned which)
{
	static const struct export_style *const styles[] = { NULL, &csvexport_tt_0_10,
							     &csvexport_tt_0_12,
							     &csvexport_upstream };
	struct export_request q = { .style = styles[which >> 4 & 3],
				    .what = (enum export_what)((which >> 2) % 5),
				    .self = which & 2,
				    .plots = true,
				    .terminal = which & 8,
				    .percentile = which & 16 ? 50 : 0,
				    .json = which & 64,
				    .filter = "",
				    .separator = ",",
				    .specials = "CompileProgram,leaf",
				    .parent = which & 1 ? "TT_" : NULL };
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct tracy_written w;
	struct trace t;
	struct out out;

	if (fd < 0)
		abort();
	out_init(&out, fd, "nowhere");
	if (!trace_open(&t, path, NULL)) {
		enum ttp_rc rc;

		switch (which % 4) {
		case 0:
			rc = export_csv(&t, &q, &out, NULL);
			break;
		case 1:
			rc = tracy_write(
				&t, which & 128 ? TRACE_VERSION(0, 14, 0) : TRACE_VERSION(0, 10, 0),
				which & 64 ? TRACE_MULTI_ZSTD : TRACE_LZ4, &out, &w, NULL);
			break;
		case 2:
			rc = export_chrome(&t, &out, NULL);
			break;
		default:
			rc = export_perfetto(&t, &out, NULL);
		}
		if (rc && rc != TTP_SYS)
			abort(); /* what opens can be read, whatever is in it */
		trace_close(&t);
	}
	out_release(&out);
	close(fd);
}

#endif /* TTP_FUZZ_TRACE_SINKS_H */
