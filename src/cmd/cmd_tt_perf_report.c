// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "compat/tt_perf_report/compat.h"

int cmd_tt_perf_report(int argc, char **argv)
{
	SCOPED(buf) struct buf errors = { 0 };
	const char *asked = getenv("TT_PERF_REPORT_COMPAT");
	const struct compat_version *v = compat_version_named(asked);
	struct out err;
	int status = 2;

	if (v) {
		status = compat_report(v, argc, argv, isatty(STDOUT_FILENO), cmd_stdout(), &errors);
	} else {
		buf_printf(
			&errors,
			"tt-perf-report: error: TT_PERF_REPORT_COMPAT is '%s'; known are: ", asked);
		compat_version_list(&errors);
		buf_char(&errors, '\n');
	}

	/* results first, so that on a terminal the warnings come last */
	out_flush(cmd_stdout());
	out_init(&err, STDERR_FILENO, "stderr");
	out_buf(&err, &errors);
	if (out_finish(&err, NULL))
		return status ? status : 1;
	return status;
}
