// SPDX-License-Identifier: Apache-2.0
#include "cmd/cmd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
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

const struct opt_arg cmd_trace_args[] = {
	{ "TRACE", 1, 1, "a .tracy file of 0.9 to 0.14, a spool (.ttpr), or the folder of a run" },
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
	struct str name = path_name(path);

	if (str_ends(name, STR(".py")))
		name.len -= 3;
	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command && str_eq(str_of(c->name), name))
			return c;
	return NULL;
}

int cmd_status_of_lost_output = 1;

struct out *cmd_stdout(void)
{
	static struct out out;

	if (!out.name) {
		out_init(&out, STDOUT_FILENO, "stdout");
		out.escapes = HARMLESS_COLOURS;
	}
	return &out;
}

/* One write per message, so that lines of several processes don't mix. */
static void write_stderr(struct buf *b, enum harmless_escapes escapes)
{
	struct out err;

	out_init(&err, STDERR_FILENO, "stderr");
	err.escapes = escapes;
	out_buf(&err, b);
	if (out_finish(&err, NULL))
		return; /* nobody left to tell */
}

void cmd_tell(struct buf *b)
{
	write_stderr(b, HARMLESS_NO_ESCAPES);
}

void cmd_tell_progress(struct buf *b)
{
	write_stderr(b, HARMLESS_PROGRESS);
}

enum ttp_rc cmd_write(const char *path, cmd_write_fn *write, const void *what, struct ttp_err *e)
{
	struct out_file f;

	if (!strcmp(path, "-")) {
		cmd_stdout()->escapes = HARMLESS_NO_ESCAPES; /* for programs, not for eyes */
		write(what, cmd_stdout());
		return TTP_OK;
	}
	TTP_TRY(out_file_open(&f, path, e));
	write(what, &f.out);
	return out_file_commit(&f, e);
}

static struct console console_of(const char *prog)
{
	return (struct console){ .prog = prog, .out = cmd_stdout(), .print = cmd_tell };
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

#define CMD_WITH_MESSAGE(name, end)                             \
	int name(const char *prog, const char *fmt, ...)        \
	{                                                       \
		struct ttp_err e = { .rc = TTP_USAGE };         \
		va_list ap;                                     \
                                                                \
		va_start(ap, fmt);                              \
		(void)vsnprintf(e.msg, sizeof(e.msg), fmt, ap); \
		va_end(ap);                                     \
		return end(prog, &e);                           \
	}
CMD_WITH_MESSAGE(cmd_error, cmd_fail)
CMD_WITH_MESSAGE(cmd_misuse, cmd_misused)

int cmd_refuse(const char *prog, const struct cmd_rule *rules)
{
	for (; rules->says; rules++)
		if (rules->broken)
			return cmd_misuse(prog, "%s", rules->says);
	return 0;
}

void cmd_warn(const char *prog, const char *fmt, ...)
{
	const struct console c = console_of(prog);
	va_list ap;

	va_start(ap, fmt);
	console_vwarn(&c, fmt, ap);
	va_end(ap);
}

int cmd_prose_width(int fd)
{
	int width = term_of(fd, TERM_COLOUR_AUTO).width;

	return width < PROSE_MAX ? width : PROSE_MAX;
}

bool cmd_options(const struct opt_spec *spec, int argc, char **argv, void *into,
		 struct opt_found *found, int *status)
{
	SCOPED(buf) struct buf b = { 0 };
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

	for (const struct cmd *c = cmd_all; c->name; c++)
		if (c->command || !(c->flags & CMD_HIDDEN))
			suggest_offer(&near, c->name);
	if (word[0] == '-')
		return cmd_misuse("ttprof", "unknown option %s", word);
	return cmd_misuse("ttprof",
			  near.best ? "unknown command \"%s\"; did you mean %s?"
				    : "unknown command \"%s\"",
			  word, near.best);
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
	SCOPED(buf) struct buf b = { 0 };

	if (c)
		return c->run(argc - at, argv + at);
	if (argc < 2) {
		cmd_overview(&b, cmd_prose_width(STDERR_FILENO));
		cmd_tell(&b);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cmd_help(1, argv + 1);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return cmd_version(1, argv + 1);
	return unknown_command(argv[1]);
}
