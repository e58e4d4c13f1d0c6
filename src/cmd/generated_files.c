// SPDX-License-Identifier: Apache-2.0
/* Hidden commands for the build: what the tables of commands and options know, as files. */
#include "base/vec.h"
#include "cmd/cmd.h"

static const struct opt_arg man_args[] = {
	{ "NAME", 0, 1, "ttprof, a command or an alias; without it, all are listed" }, { 0 }
};
const struct opt_spec cmd_make_man_spec = {
	.prog = "ttprof __man",
	.summary = "print a man page",
	.args = man_args,
};

static const struct opt_arg shell_args[] = { { "SHELL", 1, 1, "bash, zsh or fish" }, { 0 } };
const struct opt_spec cmd_make_completion_spec = {
	.prog = "ttprof __completion",
	.summary = "print a completion script",
	.args = shell_args,
};

const struct opt_spec cmd_make_links_spec = {
	.prog = "ttprof __links",
	.summary = "print the names of the tools that ttprof answers to",
};

static void man_of_all(struct buf *b)
{
	opt_man_head(b, "ttprof", "a profiler for Tenstorrent accelerators", cmd_version_text());
	buf_text(
		b,
		".SH SYNOPSIS\n.B ttprof\n\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n"
		".SH DESCRIPTION\nOne program with a command for each task; each has a page of its own.\n"
		".SH COMMANDS\n");
	for (const struct cmd *c = cmd_all; c->name; c++) {
		if (c->command || c->flags & CMD_HIDDEN)
			continue;
		buf_text(b, ".TP\n\\fBttprof\\-");
		opt_man_text(b, c->name);
		buf_text(b, "\\fR(1)\n");
		opt_man_text(b, c->spec->summary);
		buf_char(b, '\n');
	}
	buf_text(b, ".SH OTHER NAMES\nCalled by one of these names, ttprof does as that tool does, "
		    "its options and exit status included.\n");
	for (const struct cmd *c = cmd_all; c->name; c++) {
		if (!c->command)
			continue;
		buf_text(b, ".TP\n\\fB");
		opt_man_text(b, c->name);
		buf_text(b, "\\fR\nas \\fBttprof ");
		opt_man_text(b, c->command);
		buf_text(b, "\\fR\n");
	}
	buf_text(
		b,
		".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nset and not empty: no colours.\n"
		".TP\n.B CLICOLOR_FORCE\nset and not 0: colours also when output is not a terminal.\n"
		".TP\n.B COLUMNS\nthe width of the screen.\n"
		".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage, 125 out of memory.\n");
}

static void man_of_alias(struct buf *b, const struct cmd *c)
{
	SCOPED(buf) struct buf text = { 0 };

	buf_printf(&text, "ttprof under the name of %s", c->name);
	opt_man_head(b, c->name, text.at, cmd_version_text());
	buf_text(b, ".SH SYNOPSIS\n.B ");
	opt_man_text(b, c->name);
	buf_text(b, "\n[\\fIoptions\\fR] ...\n.SH DESCRIPTION\n");
	buf_clear(&text);
	buf_printf(
		&text,
		"This is ttprof(1), which called by this name does as the original %s does. "
		"\"%s --help\" lists its options.\n\nThe same task with more options: ttprof-%s(1).",
		c->name, c->name, c->command);
	opt_man_paragraphs(b, text.at);
}

/* "ttprof-report report": the page and what to ask for, one per line. */
static void list_of_pages(struct out *out)
{
	out_text(out, "ttprof ttprof\n");
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command || !(c->flags & CMD_HIDDEN))
			out_printf(out, "%s%s %s\n", c->command ? "" : "ttprof-", c->name, c->name);
}

int cmd_make_man(int argc, char **argv)
{
	struct opt_found found;
	SCOPED(buf) struct buf b = { 0 };
	const struct cmd *c;
	int status;

	if (!cmd_options(&cmd_make_man_spec, argc, argv, NULL, &found, &status))
		return status;
	if (!found.n) {
		list_of_pages(cmd_stdout());
		return 0;
	}
	if (!strcmp(found.args[0], "ttprof")) {
		man_of_all(&b);
	} else if ((c = cmd_find(found.args[0]))) {
		opt_man(&b, c->spec, cmd_version_text());
	} else if ((c = cmd_find_alias(found.args[0]))) {
		man_of_alias(&b, c);
	} else {
		return cmd_misuse(cmd_make_man_spec.prog, "no command \"%s\"", found.args[0]);
	}
	out_buf(cmd_stdout(), &b);
	return 0;
}

int cmd_make_completion(int argc, char **argv)
{
	SCOPED(vec) VEC(struct opt_command) commands = { 0 };
	struct opt_found found;
	enum opt_shell shell;
	SCOPED(buf) struct buf b = { 0 };
	int status;

	if (!cmd_options(&cmd_make_completion_spec, argc, argv, NULL, &found, &status))
		return status;
	if (!opt_shell_of(found.args[0], &shell))
		return cmd_misuse(cmd_make_completion_spec.prog, "no completion for \"%s\"",
				  found.args[0]);
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->spec && !(c->flags & CMD_HIDDEN))
			*vec_push(&commands) = (struct opt_command){ c->name, c->spec, false };
	opt_completion(&b, shell, "ttprof", commands.at, commands.len);
	out_buf(cmd_stdout(), &b);
	return 0;
}

int cmd_make_links(int argc, char **argv)
{
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_make_links_spec, argc, argv, NULL, &found, &status))
		return status;
	for (const struct cmd *c = cmd_all; c->name; c++) {
		if (!c->command || c->flags & ALIAS_NO_LINK)
			continue;
		out_printf(cmd_stdout(), "%s\n", c->name);
		if (c->flags & ALIAS_PY)
			out_printf(cmd_stdout(), "%s.py\n", c->name);
	}
	return 0;
}
