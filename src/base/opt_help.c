// SPDX-License-Identifier: Apache-2.0
#include "base/opt.h"
#include "base/width.h"

enum { NARROWEST = 24, FORM_MAX = 26, FORM_MAX_TIGHT = 31, EXAMPLE_MORE = 12 };

void opt_wrap(struct buf *b, const char *text, int indent, int at, int width)
{
	struct str rest = str_of(text);
	bool first = true;

	if (width - indent < NARROWEST)
		width = indent + NARROWEST;
	while (rest.len) {
		size_t n = strcspn(rest.at, " \n");
		struct str word = str_head(rest, n < rest.len ? n : rest.len);
		int w = (int)width_text(word);

		rest = str_from(rest, word.len + 1);
		if (!word.len)
			continue;
		if (!first && at + 1 + w > width) {
			buf_char(b, '\n');
			at = 0;
			first = true;
		}
		if (at < indent) {
			buf_fill(b, ' ', (size_t)(indent - at));
			at = indent;
		}
		if (!first) {
			buf_char(b, ' ');
			at++;
		}
		buf_str(b, word);
		at += w;
		first = false;
	}
	buf_char(b, '\n');
}

/* Paragraphs; lines that start with two blanks stay as they are. */
static void paragraphs(struct buf *b, const char *text, int width)
{
	struct str rest = str_of(text), line;
	SCOPED(buf) struct buf para = { 0 };

	while (str_split(&rest, '\n', &line)) {
		bool as_is = str_starts(line, STR("  "));

		if (!line.len && !rest.len)
			break;
		if (para.len && (as_is || !line.len)) {
			opt_wrap(b, para.at, 0, 0, width);
			buf_clear(&para);
		}
		if (as_is || !line.len) {
			buf_str(b, line);
			buf_char(b, '\n');
		} else {
			buf_str(&para, line);
			buf_char(&para, ' ');
		}
	}
	if (para.len)
		opt_wrap(b, para.at, 0, 0, width);
}

void opt_sentence(struct buf *b, const char *summary)
{
	size_t at = b->len;

	buf_printf(b, "%s.\n", summary);
	if (b->at[at] >= 'a' && b->at[at] <= 'z')
		b->at[at] = (char)(b->at[at] - 'a' + 'A');
}

/* "usage: ttprof report [options] FILE..." and a line break. */
static void usage(struct buf *b, const struct opt_spec *spec)
{
	buf_printf(b, "usage: %s [options]", spec->prog);
	for (const struct opt_arg *a = spec->args; a && a->name; a++) {
		buf_printf(b, a->min ? " %s" : " [%s", a->name);
		buf_text(b, a->max > 1 ? "..." : "");
		buf_text(b, a->min ? "" : "]");
	}
	buf_char(b, '\n');
}

/* "-n, --top N" */
static void form(struct buf *b, const struct opt *o)
{
	buf_text(b, "  ");
	if (o->letter)
		buf_printf(b, "-%c, ", o->letter);
	else
		buf_text(b, "    ");
	buf_printf(b, "--%s", o->name);
	if (o->kind >= OPT_STRING)
		buf_printf(b, " %s", o->value ? o->value : "VALUE");
}

static void row(struct buf *b, struct str left, const char *help, int column, int width)
{
	int at = (int)width_text(left);

	buf_str(b, left);
	if (at + 2 > column) {
		buf_char(b, '\n');
		at = 0;
	}
	opt_wrap(b, help, column, at, width);
}

static void option_row(struct buf *b, const struct opt *o, int column, int width)
{
	SCOPED(buf) struct buf left = { 0 }, help = { 0 };

	form(&left, o);
	buf_text(&help, o->help ? o->help : "");
	if (o->kind == OPT_CHOICE) {
		buf_text(&help, ":");
		for (int i = 0; o->choices[i]; i++)
			buf_printf(&help, "%s %s", i ? "," : "", o->choices[i]);
	}
	if (o->kind == OPT_LIST)
		buf_text(&help, " (may be repeated)");
	if (o->preset)
		buf_printf(&help, " [%s]", o->preset);
	row(b, buf_view(&left), help.at ? help.at : "", column, width);
}

static const struct opt standard[] = {
	{ .name = "help", .letter = 'h', .help = "show this text" },
	{ .name = "version", .help = "show the version" },
	{ 0 },
};

/* Where the sentences start: after the longest form that is not too long. */
static int help_column(const struct opt_spec *spec)
{
	const size_t most = spec->tight ? FORM_MAX_TIGHT : FORM_MAX;
	SCOPED(buf) struct buf left = { 0 };
	size_t widest = 0;

	form(&left, &standard[1]);
	widest = left.len;
	for (const struct opt *o = spec->opts; o && o->name; o++) {
		size_t w;

		buf_clear(&left);
		form(&left, o);
		w = width_text(buf_view(&left));
		if (!o->hidden && !o->rare && w > widest && w <= most)
			widest = w;
	}
	for (const struct opt_arg *a = spec->args; a && a->name; a++) {
		size_t w = strlen(a->name) + 2;

		if (w > widest && w <= most)
			widest = w;
	}
	return (int)widest + 2;
}

static void arguments(struct buf *b, const struct opt_spec *spec, int column, int width)
{
	SCOPED(buf) struct buf left = { 0 };

	if (!spec->args || !spec->args->name)
		return;
	buf_text(b, "\nArguments:\n");
	for (const struct opt_arg *a = spec->args; a->name; a++) {
		buf_set(&left, "  %s", a->name);
		row(b, buf_view(&left), a->help ? a->help : "", column, width);
	}
}

/* "also --a, --b N": what few need. */
static void rare_ones(struct buf *b, const struct opt_spec *spec, int width)
{
	SCOPED(buf) struct buf names = { 0 };

	for (const struct opt *o = spec->opts; o && o->name; o++)
		if (o->rare && !o->hidden)
			buf_printf(&names, "%s--%s", names.len ? ", " : "", o->name);
	if (names.len) {
		buf_text(b, "Rarely needed, and explained by the man page:\n");
		opt_wrap(b, names.at, 2, 0, width);
	}
}

void opt_help(struct buf *b, const struct opt_spec *spec, int width)
{
	int column = help_column(spec);
	const char *last = NULL, *gap = spec->tight ? "" : "\n";
	bool h_taken = false;

	usage(b, spec);
	buf_text(b, gap);
	if (spec->about)
		paragraphs(b, spec->about, width);
	else
		opt_sentence(b, spec->summary);
	if (!spec->tight)
		arguments(b, spec, column, width);
	for (const struct opt *o = spec->opts; o && o->name; o++) {
		if (o->section || !last) {
			last = o->section ? o->section : "Options";
			buf_printf(b, "%s%s:\n", gap, last);
		}
		h_taken |= o->letter == 'h';
		if (!o->hidden && !o->rare)
			option_row(b, o, column, width);
	}
	if (!spec->tight)
		buf_text(b, last ? "\nHelp:\n" : "\nOptions:\n");
	for (const struct opt *o = standard; o->name; o++) {
		struct opt shown = *o;

		if (h_taken)
			shown.letter = 0;
		if (spec->tight && o != standard)
			break; /* `ttprof --version` */
		option_row(b, &shown, column, width);
	}
	rare_ones(b, spec, width);
	if (spec->examples && spec->examples->line)
		buf_printf(b, "%sExamples:\n", gap);
	for (const struct opt_example *x = spec->examples; x && x->line; x++) {
		if (spec->tight) {
			struct buf left = { 0 };

			buf_printf(&left, "  %s", x->line);
			row(b, buf_view(&left), x->says, column + EXAMPLE_MORE, width);
			buf_release(&left);
			continue;
		}
		buf_printf(b, "  %s\n", x->line);
		opt_wrap(b, x->says, 6, 0, width);
	}
}

void opt_wrap_lines(struct buf *b, struct str text, int hang, int width)
{
	SCOPED(buf) struct buf t = { 0 };
	struct str line;

	while (text.len && str_split(&text, '\n', &line)) {
		int indent = 0;

		if (width_text(line) <= (size_t)width) {
			buf_str(b, line);
			buf_char(b, '\n');
			continue;
		}
		while ((size_t)indent < line.len && line.at[indent] == ' ')
			indent++;
		buf_fill(b, ' ', (size_t)indent);
		buf_set_str(&t, str_from(line, (size_t)indent));
		/* the first line has `hang` columns more than it knows of, so it may end a little early */
		opt_wrap(b, t.at, indent + hang, indent + hang, width);
	}
}
