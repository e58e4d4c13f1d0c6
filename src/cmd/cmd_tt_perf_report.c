// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "cmd/cmd.h"
#include "compat/tt_perf_report/compat.h"

int cmd_tt_perf_report(int argc, char **argv)
{
	SCOPED(buf) struct buf errors = { 0 };
	struct out err;
	int status = compat_report(argc, argv, isatty(STDOUT_FILENO), cmd_stdout(), &errors);

	/* results first, so that on a terminal the warnings come last */
	out_flush(cmd_stdout());
	out_init(&err, STDERR_FILENO, "stderr");
	out_buf(&err, &errors);
	if (out_finish(&err, NULL))
		return status ? status : 1;
	return status;
}
