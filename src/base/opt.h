// SPDX-License-Identifier: Apache-2.0
/*
 * Options of a command, declared once.  From one `struct opt_spec` come the parser, the --help text,
 * the man page and the shell completions, so they cannot disagree.
 *
 *	struct top_options { int64_t top; bool quiet; const char *file; };
 *
 *	#define OPTIONS struct top_options
 *	static const struct opt opts[] = {
 *		OPTION_INT('n', "top", top, "N", 0, INT64_MAX, "show the N slowest ops", .preset = "20"),
 *		OPTION_FLAG(0, "quiet", quiet, "print the verdict only"),
 *		{ 0 }
 *	};
 *
 * Nothing here prints or exits: text goes to a struct buf, errors to a struct ttp_err (TTP_USAGE).
 * Every spec answers to -h, --help and --version without declaring them.  Long names may be shortened
 * as far as they stay unique.  The defaults are what the caller's struct holds before parsing;
 * `preset` is only how help names them.
 */
#ifndef TTP_BASE_OPT_H
#define TTP_BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum opt_kind {
	OPT_FLAG,   /* bool: made true */
	OPT_SET,    /* int: becomes .set; for several flags that decide one thing */
	OPT_STRING, /* const char *: borrowed from argv */
	OPT_INT,    /* int64_t, within min..max unless both are 0 */
	OPT_DOUBLE, /* double, a finite number */
	OPT_CHOICE, /* int: index into .choices */
	OPT_LIST,   /* struct opt_list: given any number of times */
};

struct opt_list {
	const char **at; /* pointers into argv; free the array with vec_release() */
	size_t len, cap;
};

struct opt {
	const char *name; /* long name without dashes; NULL ends the table */
	char letter;      /* short form, or 0 */
	enum opt_kind kind;
	size_t at;                  /* offset in the command's struct */
	const char *value;          /* name of the value in help: "N", "FILE" */
	const char *help;           /* a sentence without capital and full stop */
	const char *section;        /* heading that starts here; before the first it is "Options" */
	const char *preset;         /* the default, as help shows it; NULL: not shown */
	const char *const *choices; /* OPT_CHOICE: names, ended by NULL */
	int set;                    /* OPT_SET */
	int64_t min, max;           /* OPT_INT */
	bool hidden;                /* works, but help and completion don't show it */
	bool rare; /* help only names it, at the end: the man page has the sentence */
};

/*
 * Rows of a table whose file defines OPTIONS as the struct that they fill in: short form or 0, long name, member,
 * what the kind needs, help; then whatever else a struct opt has, by name.
 */
#define OPTION_ROW(kind_, letter_, name_, member, ...)                                            \
	{                                                                                         \
		.name = name_, .letter = letter_, .kind = kind_, .at = offsetof(OPTIONS, member), \
		.help = __VA_ARGS__                                                               \
	}
#define OPTION_FLAG(letter, name, member, ...) \
	OPTION_ROW(OPT_FLAG, letter, name, member, __VA_ARGS__)
#define OPTION_SET(letter, name, member, to, ...) \
	OPTION_ROW(OPT_SET, letter, name, member, __VA_ARGS__, .set = to)
#define OPTION_STRING(letter, name, member, what, ...) \
	OPTION_ROW(OPT_STRING, letter, name, member, __VA_ARGS__, .value = what)
#define OPTION_INT(letter, name, member, what, least, most, ...)                            \
	OPTION_ROW(OPT_INT, letter, name, member, __VA_ARGS__, .value = what, .min = least, \
		   .max = most)
#define OPTION_DOUBLE(letter, name, member, what, ...) \
	OPTION_ROW(OPT_DOUBLE, letter, name, member, __VA_ARGS__, .value = what)
#define OPTION_CHOICE(letter, name, member, what, names, ...) \
	OPTION_ROW(OPT_CHOICE, letter, name, member, __VA_ARGS__, .value = what, .choices = names)
#define OPTION_LIST(letter, name, member, what, ...) \
	OPTION_ROW(OPT_LIST, letter, name, member, __VA_ARGS__, .value = what)

#define OPT_MANY ((size_t)-1)
struct opt_arg {
	const char *name; /* "FILE"; NULL ends the table */
	size_t min, max;  /* how many; OPT_MANY: no end */
	const char *help;
};

struct opt_example {
	const char *line; /* "ttprof report run7"; NULL ends the table */
	const char *says; /* what it does, one line */
};

struct opt_note {
	const char *heading; /* of a section of the man page; NULL ends the table */
	const char *text;    /* paragraphs, an empty line between them */
};

/* All but prog, summary and opts may be NULL. */
struct opt_spec {
	const char *prog;    /* "ttprof report" */
	const char *summary; /* one line without full stop, as in the list of commands */
	const char *
		about; /* paragraphs, an empty line between them; "  " at the start keeps a line as it is */
	const struct opt *opts;
	const struct opt_arg *args;
	const struct opt_example *examples;
	const struct opt_note *notes;
	bool tight; /* many options: help has no empty lines, and says what arguments are in `about` */
	bool stop_at_first; /* options end at the first argument: the rest belongs to another program */
};

enum opt_wish { OPT_RUN, OPT_HELP, OPT_VERSION };

struct opt_found {
	enum opt_wish wish; /* what the user asked for; the rest is filled in for OPT_RUN only */
	int n;              /* arguments that are not options; argv was put in order */
	char **args;
};

/*
 * Reads argv[1..] into `*into`, the command's own struct.  TTP_USAGE and a sentence on anything wrong.
 * --help or --version end the reading.  Uses getopt_long, so one call at a time in a process.
 */
enum ttp_rc opt_parse(const struct opt_spec *spec, int argc, char **argv, void *into,
		      struct opt_found *found, struct ttp_err *e) TTP_CHECKED;

/* The --help text, at most `width` columns wide where words allow. */
void opt_help(struct buf *b, const struct opt_spec *spec, int width);
/* "show x" as "Show x." and a line break: a summary that stands for a description. */
void opt_sentence(struct buf *b, const char *summary);
/* Words of `text` in lines of `width` columns, each after `indent` blanks; the first line is taken to
 * start at column `at` already.  Ends with a line break. */
void opt_wrap(struct buf *b, const char *text, int indent, int at, int width);

/* Line by line: what fits stays as it is; the rest is wrapped behind what the line is indented by, `hang` more
 * from its second line on. */
void opt_wrap_lines(struct buf *b, struct str text, int hang, int width);

/* A man(7) page for section 1; `version` is such as "ttprof 0.2.0". */
void opt_man(struct buf *b, const struct opt_spec *spec, const char *version);
/* For pages that are put together from several tables. */
void opt_man_head(struct buf *b, const char *page, const char *summary, const char *version);
void opt_man_text(struct buf *b, const char *text);       /* escaped, within a line */
void opt_man_paragraphs(struct buf *b, const char *text); /* escaped, empty lines part paragraphs */

/* One name that completion knows: `ttprof NAME`, or with `alone` a program of that name. */
struct opt_command {
	const char *name;
	const struct opt_spec *spec;
	bool alone;
};

enum opt_shell { OPT_BASH, OPT_ZSH, OPT_FISH };
/* False when there is no shell of this name. */
bool opt_shell_of(const char *name, enum opt_shell *shell);
/* A completion script for `prog` with its subcommands. */
void opt_completion(struct buf *b, enum opt_shell shell, const char *prog,
		    const struct opt_command *commands, size_t n);

#endif /* TTP_BASE_OPT_H */
