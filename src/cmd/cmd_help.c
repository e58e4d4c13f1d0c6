// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "cmd/cmd.h"

static const struct opt_arg args[] = {
	{ "COMMAND", 0, 1, "what to tell about; without it, all commands are listed" },
	{ 0 },
};

const struct opt_spec cmd_help_spec = {
	.prog = "ttprof help",
	.summary = "list the commands, or tell about one",
	.args = args,
};

int cmd_help(int argc, char **argv)
{
	char ask[] = "--help";
	char *asked[] = { NULL, ask, NULL };
	struct opt_found found;
	SCOPED(buf) struct buf b = { 0 };
	const struct cmd *c;
	int status;

	if (!cmd_options(&cmd_help_spec, argc, argv, NULL, &found, &status))
		return status;
	if (!found.n) {
		cmd_overview(&b, cmd_prose_width(STDOUT_FILENO));
		out_buf(cmd_stdout(), &b);
		return 0;
	}
	asked[0] = found.args[0];
	c = cmd_find(asked[0]);
	if (!c)
		c = cmd_find_alias(asked[0]);
	if (c)
		return c->run(2, asked);
	return cmd_misuse("ttprof", "no command \"%s\"", asked[0]);
}
