// SPDX-License-Identifier: Apache-2.0
/* Man pages in man(7), from the tables that --help uses. */
#include "base/opt.h"

/* The code point of the valid UTF-8 sequence at `p`, and its length. */
static unsigned code_point(const char *p, size_t *len)
{
	unsigned lead = (unsigned char)p[0];
	unsigned v = lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? lead & 0x0F : lead & 0x07;

	*len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
	for (size_t i = 1; i < *len; i++)
		v = v << 6 | ((unsigned char)p[i] & 0x3F);
	return v;
}

/* What roff would take as its own is escaped: backslashes, leading dots and quotes, and hyphens (a
 * plain one may become a dash, which nobody can paste into a shell).  Other than ASCII goes by number, as
 * not every roff reads UTF-8; our own texts are valid. */
static void escaped(struct buf *b, struct str s, bool line_start)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.at[i];

		if (line_start && (c == '.' || c == '\''))
			buf_text(b, "\\&");
		line_start = c == '\n';
		if (c == '\\') {
			buf_text(b, "\\e");
		} else if (c == '-') {
			buf_text(b, "\\-");
		} else if ((unsigned char)c >= 0xC0) {
			size_t len;

			buf_printf(b, "\\[u%04X]", code_point(s.at + i, &len));
			i += len - 1;
		} else {
			buf_char(b, c);
		}
	}
}

void opt_man_text(struct buf *b, const char *text)
{
	escaped(b, str_of(text), true);
}

void opt_man_paragraphs(struct buf *b, const char *text)
{
	struct str rest = str_of(text), line;
	bool as_is = false;

	while (str_split(&rest, '\n', &line)) {
		bool keep = str_starts(line, STR("  "));

		if (keep != as_is)
			buf_text(b, keep ? ".PP\n.nf\n" : ".fi\n");
		as_is = keep;
		if (!line.len && !rest.len)
			break;
		if (line.len)
			escaped(b, line, true);
		else
			buf_text(b, ".PP");
		buf_char(b, '\n');
	}
	if (as_is)
		buf_text(b, ".fi\n");
}

void opt_man_head(struct buf *b, const char *page, const char *summary, const char *version)
{
	buf_text(b, ".\\\" Made from the table of options; not edited by hand.\n.TH ");
	for (const char *p = page; *p; p++)
		buf_char(b, *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p);
	buf_printf(b, " 1 \"\" \"%s\" \"User Commands\"\n", version);
	/* No hyphenation, no filling to the right edge: this is read on screens. */
	buf_text(b, ".nh\n.ad l\n.SH NAME\n");
	opt_man_text(b, page);
	buf_text(b, " \\- ");
	escaped(b, str_of(summary), false);
	buf_char(b, '\n');
}

/* "ttprof report" has the page ttprof-report. */
static void page_name(struct buf *b, const char *prog)
{
	for (; *prog; prog++)
		buf_char(b, *prog == ' ' ? '-' : *prog);
}

static void synopsis(struct buf *b, const struct opt_spec *spec)
{
	buf_text(b, ".SH SYNOPSIS\n.B ");
	opt_man_text(b, spec->prog);
	buf_text(b, "\n[\\fIoptions\\fR]");
	for (const struct opt_arg *a = spec->args; a && a->name; a++) {
		buf_text(b, a->min ? " \\fI" : " [\\fI");
		escaped(b, str_of(a->name), false);
		buf_text(b, "\\fR");
		buf_text(b, a->max > 1 ? " ..." : "");
		buf_text(b, a->min ? "" : "]");
	}
	buf_char(b, '\n');
}

static void option(struct buf *b, const struct opt *o)
{
	buf_text(b, ".TP\n");
	if (o->letter)
		buf_printf(b, "\\fB\\-%c\\fR, ", o->letter);
	buf_text(b, "\\fB\\-\\-");
	escaped(b, str_of(o->name), false);
	buf_text(b, "\\fR");
	if (o->kind >= OPT_STRING) {
		buf_text(b, " \\fI");
		escaped(b, str_of(o->value ? o->value : "VALUE"), false);
		buf_text(b, "\\fR");
	}
	buf_char(b, '\n');
	opt_man_text(b, o->help ? o->help : "");
	if (o->kind == OPT_CHOICE) {
		buf_text(b, ":");
		for (int i = 0; o->choices[i]; i++) {
			buf_text(b, i ? ", \\fB" : " \\fB");
			escaped(b, str_of(o->choices[i]), false);
			buf_text(b, "\\fR");
		}
	}
	if (o->kind == OPT_LIST)
		buf_text(b, " (may be repeated)");
	if (o->preset) {
		buf_text(b, " [");
		escaped(b, str_of(o->preset), false);
		buf_text(b, "]");
	}
	buf_char(b, '\n');
}

static void options(struct buf *b, const struct opt_spec *spec)
{
	static const struct opt help = { .name = "help", .help = "show a summary of this page" };
	static const struct opt version = { .name = "version", .help = "show the version" };

	buf_text(b, ".SH OPTIONS\n");
	for (const struct opt *o = spec->opts; o && o->name; o++) {
		if (o->section) {
			buf_text(b, ".SS ");
			opt_man_text(b, o->section);
			buf_char(b, '\n');
		}
		if (!o->hidden)
			option(b, o);
	}
	buf_text(b, ".SS Help\n");
	option(b, &help);
	option(b, &version);
}

void opt_man(struct buf *b, const struct opt_spec *spec, const char *version)
{
	struct buf page = { 0 }, text = { 0 };

	page_name(&page, spec->prog);
	opt_man_head(b, buf_view(&page).at, spec->summary, version);
	buf_release(&page);
	synopsis(b, spec);
	buf_text(b, ".SH DESCRIPTION\n");
	opt_sentence(&text, spec->summary);
	opt_man_paragraphs(b, spec->about ? spec->about : buf_view(&text).at);
	buf_release(&text);
	for (const struct opt_arg *a = spec->args; a && a->name; a++) {
		buf_text(b, ".TP\n\\fI");
		escaped(b, str_of(a->name), false);
		buf_text(b, "\\fR\n");
		opt_man_text(b, a->help ? a->help : "");
		buf_char(b, '\n');
	}
	options(b, spec);
	if (spec->examples && spec->examples->line)
		buf_text(b, ".SH EXAMPLES\n");
	for (const struct opt_example *x = spec->examples; x && x->line; x++) {
		buf_text(b, ".TP\n.B ");
		escaped(b, str_of(x->line), false);
		buf_char(b, '\n');
		opt_man_text(b, x->says);
		buf_char(b, '\n');
	}
	for (const struct opt_note *n = spec->notes; n && n->heading; n++) {
		buf_text(b, ".SH ");
		opt_man_text(b, n->heading);
		buf_char(b, '\n');
		opt_man_paragraphs(b, n->text);
	}
	buf_text(b, ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage, 125 out of memory.\n");
}
