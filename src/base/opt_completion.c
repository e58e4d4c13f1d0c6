// SPDX-License-Identifier: Apache-2.0
/*
 * Completion scripts for bash, zsh and fish.  Choices complete to their names, numbers to nothing, other
 * values and arguments to files.
 */
#include "base/opt.h"

static bool takes_value(const struct opt *o)
{
	return o->kind >= OPT_STRING;
}

static bool is_number(const struct opt *o)
{
	return o->kind == OPT_INT || o->kind == OPT_DOUBLE;
}

/* The name of a program as part of the name of a function. */
static void identifier(struct buf *b, const char *name)
{
	for (; *name; name++)
		buf_char(b, *name == '-' || *name == '.' ? '_' : *name);
}

/* Inside '…' of a shell; for zsh also what its option specs would take as theirs. */
static void quoted(struct buf *b, const char *text, bool zsh)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_text(b, "'\\''");
		else if (zsh && strchr("[]:\\", *text))
			buf_printf(b, "\\%c", *text);
		else
			buf_char(b, *text);
	}
}

static void choice_words(struct buf *b, const struct opt *o)
{
	for (int i = 0; o->choices[i]; i++)
		buf_printf(b, "%s%s", i ? " " : "", o->choices[i]);
}

/* bash: a case per command that sets $words, and per value that sets $values. */
static void bash_command(struct buf *b, const struct opt_command *c)
{
	buf_printf(b, "\t%s)\n\t\twords=\"", c->name);
	for (const struct opt *o = c->spec->opts; o && o->name; o++)
		if (!o->hidden)
			buf_printf(b, "--%s ", o->name);
	buf_text(b, "--help --version\"\n\t\tcase $last in\n");
	for (const struct opt *o = c->spec->opts; o && o->name; o++) {
		if (!takes_value(o) || o->hidden)
			continue;
		buf_text(b, "\t\t");
		if (o->letter)
			buf_printf(b, "-%c | ", o->letter);
		buf_printf(b, "--%s) values=", o->name);
		if (o->kind == OPT_CHOICE) {
			buf_char(b, '"');
			choice_words(b, o);
			buf_text(b, "\" ;;\n");
		} else {
			buf_text(b, is_number(o) ? "@none ;;\n" : "@file ;;\n");
		}
	}
	buf_text(b, "\t\tesac ;;\n");
}

static void bash(struct buf *b, const char *prog, const struct opt_command *commands, size_t n)
{
	buf_printf(b, "# bash completion for %s; made from its tables of options\n_", prog);
	identifier(b, prog);
	buf_printf(
		b,
		"()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}\n"
		"\tlocal command=${COMP_WORDS[0]##*/} words='' values=''\n"
		"\tCOMPREPLY=()\n"
		"\t# --option=value comes as three words\n"
		"\t[ \"$last\" != = ] || last=${COMP_WORDS[COMP_CWORD - 2]}\n"
		"\t[ \"$word\" != = ] || word=''\n"
		"\tif [ \"$command\" = %s ]; then\n"
		"\t\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\t\tmapfile -t COMPREPLY < <(compgen -W \"",
		prog);
	for (size_t i = 0; i < n; i++)
		if (!commands[i].alone)
			buf_printf(b, "%s ", commands[i].name);
	buf_text(b, "--help --version\" -- \"$word\")\n\t\t\treturn\n\t\tfi\n"
		    "\t\tcommand=${COMP_WORDS[1]}\n\tfi\n\tcase $command in\n");
	for (size_t i = 0; i < n; i++)
		bash_command(b, &commands[i]);
	buf_text(
		b,
		"\tesac\n"
		"\tif [ \"$values\" = @file ]; then\n\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
		"\telif [ \"$values\" = @none ]; then\n\t\treturn\n"
		"\telif [ -n \"$values\" ]; then\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
		"\telif [ \"${word#-}\" != \"$word\" ]; then\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
		"\telse\n\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n\tfi\n}\n"
		"complete -o filenames -F _");
	identifier(b, prog);
	buf_printf(b, " %s", prog);
	for (size_t i = 0; i < n; i++)
		if (commands[i].alone)
			buf_printf(b, " %s", commands[i].name);
	buf_char(b, '\n');
}

static void zsh_option(struct buf *b, const struct opt *o)
{
	buf_text(b, " \\\n\t\t\t'");
	if (o->kind == OPT_LIST)
		buf_char(b, '*');
	buf_printf(b, "--%s%s[", o->name, takes_value(o) ? "=" : "");
	quoted(b, o->help ? o->help : "", true);
	buf_char(b, ']');
	if (takes_value(o)) {
		buf_char(b, ':');
		quoted(b, o->value ? o->value : "value", true);
		buf_char(b, ':');
		if (o->kind == OPT_CHOICE) {
			buf_char(b, '(');
			choice_words(b, o);
			buf_char(b, ')');
		} else if (o->kind == OPT_STRING || o->kind == OPT_LIST) {
			buf_text(b, "_files");
		}
	}
	buf_char(b, '\'');
}

static void zsh(struct buf *b, const char *prog, const struct opt_command *commands, size_t n)
{
	buf_printf(b, "#compdef %s", prog);
	for (size_t i = 0; i < n; i++)
		if (commands[i].alone)
			buf_printf(b, " %s", commands[i].name);
	buf_text(b, "\n# made from the tables of options\n\n_");
	identifier(b, prog);
	buf_printf(b,
		   "() {\n\tlocal command=${service}\n"
		   "\tif [[ $command == %s ]]; then\n"
		   "\t\tif (( CURRENT == 2 )); then\n\t\t\tlocal -a commands=(",
		   prog);
	for (size_t i = 0; i < n; i++) {
		if (commands[i].alone)
			continue;
		buf_printf(b, "\n\t\t\t\t'%s:", commands[i].name);
		quoted(b, commands[i].spec->summary, true);
		buf_char(b, '\'');
	}
	buf_text(
		b,
		"\n\t\t\t)\n\t\t\t_describe command commands\n\t\t\t_arguments '--help' '--version'\n"
		"\t\t\treturn\n\t\tfi\n\t\tcommand=${words[2]}\n\t\tshift words\n"
		"\t\t(( CURRENT-- ))\n\tfi\n\tcase $command in\n");
	for (size_t i = 0; i < n; i++) {
		buf_printf(b, "\t%s)\n\t\t_arguments", commands[i].name);
		for (const struct opt *o = commands[i].spec->opts; o && o->name; o++)
			if (!o->hidden)
				zsh_option(b, o);
		buf_text(
			b,
			" \\\n\t\t\t'--help[show help]' '--version[show the version]' '*:file:_files' ;;\n");
	}
	buf_text(b, "\tesac\n}\n\n_");
	identifier(b, prog);
	buf_text(b, " \"$@\"\n");
}

static void fish_options(struct buf *b, const char *prog, const struct opt_command *c)
{
	for (const struct opt *o = c->spec->opts; o && o->name; o++) {
		if (o->hidden)
			continue;
		buf_printf(b, "complete -c %s", c->alone ? c->name : prog);
		if (!c->alone)
			buf_printf(b, " -n '__fish_seen_subcommand_from %s'", c->name);
		if (o->letter)
			buf_printf(b, " -s %c", o->letter);
		buf_printf(b, " -l %s", o->name);
		if (takes_value(o))
			buf_text(b, is_number(o) ? " -x" : " -r");
		if (o->kind == OPT_CHOICE) {
			buf_text(b, " -f -a '");
			choice_words(b, o);
			buf_char(b, '\'');
		}
		buf_text(b, " -d '");
		quoted(b, o->help ? o->help : "", false);
		buf_text(b, "'\n");
	}
}

static void fish(struct buf *b, const char *prog, const struct opt_command *commands, size_t n)
{
	buf_printf(b, "# fish completion for %s; made from its tables of options\n", prog);
	buf_printf(b, "complete -c %s -l help -d 'show help'\n", prog);
	buf_printf(b, "complete -c %s -n __fish_use_subcommand -l version -d 'show the version'\n",
		   prog);
	for (size_t i = 0; i < n; i++) {
		if (!commands[i].alone) {
			buf_printf(b, "complete -c %s -n __fish_use_subcommand -f -a %s -d '", prog,
				   commands[i].name);
			quoted(b, commands[i].spec->summary, false);
			buf_text(b, "'\n");
		}
		fish_options(b, prog, &commands[i]);
	}
}

bool opt_shell_of(const char *name, enum opt_shell *shell)
{
	static const char *const names[] = {
		[OPT_BASH] = "bash", [OPT_ZSH] = "zsh", [OPT_FISH] = "fish"
	};

	for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		*shell = (enum opt_shell)i;
		return true;
	}
	return false;
}

void opt_completion(struct buf *b, enum opt_shell shell, const char *prog,
		    const struct opt_command *commands, size_t n)
{
	if (shell == OPT_BASH)
		bash(b, prog, commands, n);
	else if (shell == OPT_ZSH)
		zsh(b, prog, commands, n);
	else
		fish(b, prog, commands, n);
}
