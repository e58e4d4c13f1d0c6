// SPDX-License-Identifier: Apache-2.0
/* The version; CMake gives HOUSE_VERSION and HOUSE_BUILD to this file alone, so that a change rebuilds little. */
#include "cmd/cmd.h"

const struct opt_spec cmd_version_spec = {
	.prog = "ttprof version",
	.summary = "show the version and what it was built with",
};

const char *cmd_version_text(void)
{
	return "ttprof " HOUSE_VERSION;
}

const char *cmd_build_text(void)
{
#ifdef __clang__
	return "built for " HOUSE_BUILD " with " __VERSION__;
#else
	return "built for " HOUSE_BUILD " with gcc " __VERSION__;
#endif
}

int cmd_version(int argc, char **argv)
{
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_version_spec, argc, argv, NULL, &found, &status))
		return status;
	out_printf(cmd_stdout(), "%s\n%s\n", cmd_version_text(), cmd_build_text());
	return 0;
}
