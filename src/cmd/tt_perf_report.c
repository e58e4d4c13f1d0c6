// SPDX-License-Identifier: Apache-2.0
#include "cmd/cmd.h"

int cmd_tt_perf_report(int argc, char **argv)
{
	struct ttp_err e;

	(void)argc;
	(void)argv;
	(void)ttp_fail(&e, TTP_VERSION, "not implemented yet");
	return cmd_fail("tt-perf-report", &e);
}
