// SPDX-License-Identifier: Apache-2.0
/*
 * Commands.  To add one: write src/cmd/cmd_<id>.c with
 *
 *	const struct opt_spec cmd_<id>_spec = { .prog = "ttprof <name>", ... };
 *	int cmd_<id>(int argc, char **argv)      returns the exit status; argv[0] is the command's name
 *
 * and add its line here.  Overview, help, man page, completion and the links that are installed come
 * from these lists.
 *
 * Exit status: 0 done, 1 failed, 2 wrong usage.  When the reader of our output goes away, the command
 * still runs its clean-up and the process then dies of SIGPIPE, quietly, as shells expect (141).
 */
#ifndef TTP_CMD_CMD_H
#define TTP_CMD_CMD_H

#include "base/console.h"
#include "base/err.h"
#include "base/opt.h"
#include "base/out.h"
#include "base/term.h"

enum cmd_flags { CMD_SHOWN = 0, CMD_HIDDEN = 1 << 0 };

/* X(id, name, flags): in the order of the overview; the summary is the spec's. */
#define TTP_CMD_LIST(X)                                \
	X(run, "run", CMD_SHOWN)                       \
	X(capture, "capture", CMD_SHOWN)               \
	X(export, "export", CMD_SHOWN)                 \
	X(info, "info", CMD_SHOWN)                     \
	X(convert, "convert", CMD_SHOWN)               \
	X(ops, "ops", CMD_SHOWN)                       \
	X(device, "device", CMD_SHOWN)                 \
	X(report, "report", CMD_SHOWN)                 \
	X(compare, "compare", CMD_SHOWN)               \
	X(bench, "bench", CMD_SHOWN)                   \
	X(history, "history", CMD_SHOWN)               \
	X(sql, "sql", CMD_SHOWN)                       \
	X(view, "view", CMD_SHOWN)                     \
	X(top, "top", CMD_SHOWN)                       \
	X(heat, "heat", CMD_SHOWN)                     \
	X(timeline, "timeline", CMD_SHOWN)             \
	X(tui, "tui", CMD_SHOWN)                       \
	X(doctor, "doctor", CMD_SHOWN)                 \
	X(help, "help", CMD_SHOWN)                     \
	X(version, "version", CMD_SHOWN)               \
	X(make_man, "__man", CMD_HIDDEN)               \
	X(make_completion, "__completion", CMD_HIDDEN) \
	X(make_links, "__links", CMD_HIDDEN)           \
	X(device_data, "__device_data", CMD_HIDDEN)

enum cmd_alias_flags {
	ALIAS_PLAIN = 0,
	ALIAS_PY =
		1 << 0, /* the original is also called by a name with .py: a second link is made */
	ALIAS_NO_LINK = 1 << 1, /* a script calls us by this name */
};

/*
 * X(id, name, command, flags): called by this name (with or without .py), ttprof behaves as the tool of
 * that name; cmd_<id>() does it all, its options included.  `command` is who does the same under ttprof.
 */
#define TTP_ALIAS_LIST(X)                                               \
	X(tracy_capture, "tracy-capture", "capture", ALIAS_PLAIN)       \
	X(tracy_capture, "capture-release", "capture", ALIAS_PLAIN)     \
	X(csvexport, "tracy-csvexport", "export", ALIAS_PLAIN)          \
	X(csvexport, "csvexport-release", "export", ALIAS_PLAIN)        \
	X(tt_perf_report, "tt-perf-report", "report", ALIAS_PLAIN)      \
	X(process_ops_logs, "process_ops_logs", "ops", ALIAS_PY)        \
	X(process_device_log, "process_device_log", "device", ALIAS_PY) \
	X(tracy, "tracy", "run", ALIAS_NO_LINK)                         \
	X(profile_this, "profile_this", "run", ALIAS_PY)                \
	X(tt_profile, "tt_profile", "run", ALIAS_PY)                    \
	X(tt_torch_profile, "profile", "run", ALIAS_NO_LINK)

struct cmd {
	const char *name;
	int (*run)(int argc, char **argv);
	const struct opt_spec *spec; /* NULL for an alias */
	const char *command;         /* an alias: what it is under ttprof; else NULL */
	unsigned flags;              /* cmd_flags, or for an alias cmd_alias_flags */
};

#define X(id, name, flags)                   \
	int cmd_##id(int argc, char **argv); \
	extern const struct opt_spec cmd_##id##_spec;
TTP_CMD_LIST(X)
#undef X
#define X(id, name, command, flags) int cmd_##id(int argc, char **argv);
TTP_ALIAS_LIST(X)
#undef X

/* All commands, then all aliases; ended by a name of NULL. */
extern const struct cmd cmd_all[];
/* By a command's name. */
const struct cmd *cmd_find(const char *name);
/* By the name that a tool is called by: directories and .py don't matter. */
const struct cmd *cmd_find_alias(const char *path);

/* "ttprof 0.2.0", and what it was built with. */
const char *cmd_version_text(void);
const char *cmd_build_text(void);

/*
 * What every command starts with:
 *
 *	if (!cmd_options(&cmd_report_spec, argc, argv, &o, &found, &status))
 *		return status;
 *
 * False when there is nothing more to do: help or version were printed, or the usage was wrong.
 */
bool cmd_options(const struct opt_spec *spec, int argc, char **argv, void *into,
		 struct opt_found *found, int *status) TTP_CHECKED;

/* The argument of commands that read one. */
extern const struct opt_arg cmd_trace_args[];
/* Two rows for tables whose OPTIONS have an `int colour` for term_of(). */
#define CMD_COLOUR_OPTIONS                                             \
	OPTION_SET(0, "color", colour, TERM_COLOUR_ON,                 \
		   "use colours, also when output is not a terminal"), \
		OPTION_SET(0, "no-color", colour, TERM_COLOUR_OFF, "use no colours")

/* The process's stdout; main() finishes and checks it.  Not to be mixed with stdio's. */
struct out *cmd_stdout(void);
/* What main() ends with where stdout can't be written and all else went well: 1, or what a command sets. */
extern int cmd_status_of_lost_output;
/* What `write` makes of `what`, to a file, whole or not at all; "-" is standard output. */
typedef void cmd_write_fn(const void *what, struct out *out);
enum ttp_rc cmd_write(const char *path, cmd_write_fn *write, const void *what,
		      struct ttp_err *e) TTP_CHECKED;
/* Stdout and stderr for engines, signed by a command's name; until another one is asked for. */
const struct console *cmd_console(const char *prog);
/* One line on stderr, "<prog>: error: <message>"; returns 1, the exit status. */
int cmd_fail(const char *prog, const struct ttp_err *e);
/* The same, then where to read more; returns 2. */
int cmd_misused(const char *prog, const struct ttp_err *e);
/* The same with a message made here. */
int cmd_error(const char *prog, const char *fmt, ...) TTP_PRINTF(2, 3);
int cmd_misuse(const char *prog, const char *fmt, ...) TTP_PRINTF(2, 3);
/* Options that don't go together: what would be ignored is refused.  Ended by a text of NULL; 0, or after the first that is broken 2. */
struct cmd_rule {
	bool broken;
	const char *says;
};
int cmd_refuse(const char *prog, const struct cmd_rule *rules);
/* "<prog>: warning: ..." on stderr. */
void cmd_warn(const char *prog, const char *fmt, ...) TTP_PRINTF(2, 3);

/* Lines on stderr that are no errors, such as what a report covers; empties `b`. */
void cmd_tell(struct buf *b);
/* The same for a line that is written over and over: "\r\033[K" erases it. */
void cmd_tell_progress(struct buf *b);

/* The overview of commands, as `ttprof --help` shows it. */
void cmd_overview(struct buf *b, int width);
/* Columns for prose on this descriptor: the terminal's, but not more than one likes to read. */
int cmd_prose_width(int fd);
/* The name that messages start with: "ttprof report", "tt-perf-report", or "ttprof" for no command. */
const char *cmd_prog(int argc, char **argv);
/* The whole program, without the checks of main(): argv as the process got it. */
int cmd_dispatch(int argc, char **argv);

/* ---- for commands that end with what another one does ---- */

/* The tables of `ttprof sql` as a file; the exit status. */
int cmd_export_sqlite(const char *prog, const char *run, const char *file);

/*
 * The page of a run, until a signal; the exit status.  `results` is the folder of what was made of it, for the download, or NULL; `port` as
 * in web/serve.h: 0 any, -1 the usual one.
 */
int view_serve(const char *prog, const char *run, const char *results, int port);
/* Fills what belongs to this program in a request to run one: where it reports to, its version, how it shows a verdict. */
struct run_request;
void run_request_of_ours(struct run_request *q);
/* The command line of `ttprof run`, also where it is called otherwise; false: `status` is what to exit with. */
bool run_request_read(const struct opt_spec *spec, int argc, char **argv, struct run_request *q,
		      int *status) TTP_CHECKED;

#endif /* TTP_CMD_CMD_H */
