// SPDX-License-Identifier: Apache-2.0
#include "cmd/cmd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"

enum { PROSE_MAX = 110 };

const struct cmd cmd_all[] = {
#define X(id, name, flags) { name, cmd_##id, &cmd_##id##_spec, NULL, flags },
	TTP_CMD_LIST(X)
#undef X
#define X(id, name, command, flags) { name, cmd_##id, NULL, command, flags },
		TTP_ALIAS_LIST(X)
#undef X
			{ 0 },
};

const struct cmd *cmd_find(const char *name)
{
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (!c->command && !strcmp(c->name, name))
			return c;
	return NULL;
}

const struct cmd *cmd_find_alias(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str name = str_of(slash ? slash + 1 : path);

	if (str_ends(name, STR(".py")))
		name.len -= 3;
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command && str_eq(str_of(c->name), name))
			return c;
	return NULL;
}

struct out *cmd_stdout(void)
{
	static struct out out = { .fd = STDOUT_FILENO, .name = "stdout" };

	return &out;
}

/* One write per message, so that lines of several processes don't mix. */
static void to_stderr(struct buf *b)
{
	struct out err;

	out_init(&err, STDERR_FILENO, "stderr");
	out_buf(&err, b);
	if (out_finish(&err, NULL))
		return; /* nobody left to tell */
}

static struct console console_of(const char *prog)
{
	return (struct console){ .prog = prog, .out = cmd_stdout(), .print = to_stderr };
}

const struct console *cmd_console(const char *prog)
{
	static struct console ours;

	ours = console_of(prog);
	return &ours;
}

int cmd_fail(const char *prog, const struct ttp_err *e)
{
	const struct console c = console_of(prog);

	return console_fail(&c, e);
}

int cmd_misused(const char *prog, const struct ttp_err *e)
{
	const struct console c = console_of(prog);

	return console_misused(&c, e);
}

void cmd_warn(const char *prog, const char *fmt, ...)
{
	const struct console c = console_of(prog);
	va_list ap;

	va_start(ap, fmt);
	console_vwarn(&c, fmt, ap);
	va_end(ap);
}

void cmd_tell(struct buf *b)
{
	to_stderr(b);
}

int cmd_prose_width(int fd)
{
	int width = term_of(fd, TERM_COLOUR_AUTO).width;

	return width < PROSE_MAX ? width : PROSE_MAX;
}

bool cmd_options(const struct opt_spec *spec, int argc, char **argv, void *into,
		 struct opt_found *found, int *status)
{
	struct buf b = { 0 };
	struct ttp_err e;

	*status = 0;
	if (opt_parse(spec, argc, argv, into, found, &e)) {
		*status = cmd_misused(spec->prog, &e);
		return false;
	}
	if (found->wish == OPT_RUN)
		return true;
	if (found->wish == OPT_HELP)
		opt_help(&b, spec, cmd_prose_width(STDOUT_FILENO));
	else
		buf_printf(&b, "%s\n%s\n", cmd_version_text(), cmd_build_text());
	out_buf(cmd_stdout(), &b);
	buf_release(&b);
	return false;
}

void cmd_overview(struct buf *b, int width)
{
	enum { COLUMN = 18 };
	int longest = COLUMN - 4; /* name of a tool */

	buf_text(b, "usage: ttprof COMMAND [options] [arguments]\n\n");
	opt_wrap(b, "A profiler for Tenstorrent accelerators.", 0, 0, width);
	buf_text(b, "\nCommands:\n");
	for (const struct cmd *c = cmd_all; c->name; c++) {
		if (c->command || c->flags & CMD_HIDDEN)
			continue;
		buf_printf(b, "  %-*s", COLUMN - 2, c->name);
		opt_wrap(b, c->spec->summary, COLUMN, COLUMN, width);
	}
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command && (int)strlen(c->name) > longest)
			longest = (int)strlen(c->name);
	buf_text(b, "\nCalled by the name of another tool, ttprof does as that tool does:\n");
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command)
			buf_printf(b, "  %-*s  ttprof %s\n", longest, c->name, c->command);
	buf_text(b, "\nttprof help COMMAND tells more.\n");
}

static int unknown_command(const char *word)
{
	struct suggest near = { .word = str_of(word) };
	struct ttp_err e;
	enum ttp_rc rc;

	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command || !(c->flags & CMD_HIDDEN))
			suggest_offer(&near, c->name);
	rc = word[0] == '-' ? ttp_fail(&e, TTP_USAGE, "unknown option %s", word)
	     : near.best ? ttp_fail(&e, TTP_USAGE, "unknown command \"%s\"; did you mean %s?", word,
				    near.best)
			 : ttp_fail(&e, TTP_USAGE, "unknown command \"%s\"", word);
	return rc ? cmd_misused("ttprof", &e) : 0;
}

/* The command that is asked for, NULL when it is none; `*at` is the index of its name in argv. */
static const struct cmd *find_asked(int argc, char **argv, int *at)
{
	const struct cmd *c = argc > 0 ? cmd_find_alias(argv[0]) : NULL;

	*at = 0;
	if (c || argc < 2)
		return c;
	*at = 1;
	c = cmd_find(argv[1]);
	return c ? c : cmd_find_alias(argv[1]);
}

const char *cmd_prog(int argc, char **argv)
{
	int at;
	const struct cmd *c = find_asked(argc, argv, &at);

	return !c ? "ttprof" : c->spec ? c->spec->prog : c->name;
}

int cmd_dispatch(int argc, char **argv)
{
	int at;
	const struct cmd *c = find_asked(argc, argv, &at);
	struct buf b = { 0 };

	if (c)
		return c->run(argc - at, argv + at);
	if (argc < 2) {
		cmd_overview(&b, cmd_prose_width(STDERR_FILENO));
		to_stderr(&b);
		buf_release(&b);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cmd_help(1, argv + 1);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return cmd_version(1, argv + 1);
	return unknown_command(argv[1]);
}
