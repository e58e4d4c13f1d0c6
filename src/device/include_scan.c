// SPDX-License-Identifier: Apache-2.0
#include "device/kernel_inputs.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static size_t skip_blanks(struct str s, size_t i)
{
	while (i < s.len && is_blank(s.at[i]))
		i++;
	return i;
}

static struct str word_at(struct str s, size_t i)
{
	size_t end = i;

	while (end < s.len && is_word(s.at[end]))
		end++;
	return str_n(s.at + i, end - i);
}

/* <name> or "name", whole and on this line. */
static bool take_name(struct scan *s, struct str text, size_t i, bool next)
{
	size_t end;
	char close;

	i = skip_blanks(text, i);
	if (i >= text.len || (text.at[i] != '<' && text.at[i] != '"'))
		return false;
	close = text.at[i] == '<' ? '>' : '"';
	for (end = i + 1; end < text.len && text.at[end] != close; end++)
		if (text.at[end] == '\n' || text.at[end] == '\\' || !text.at[end])
			return false;
	if (end >= text.len || end == i + 1)
		return false;
	*vec_push(&s->names) =
		(struct scan_name){ str_n(text.at + i + 1, end - i - 1), close == '"', next };
	return true;
}

/* Behind a #, wherever it stands: in front of it may be the end of a comment. */
static bool take_directive(struct scan *s, struct str text, size_t i)
{
	struct str word;

	i = skip_blanks(text, i);
	if (i >= text.len)
		return true;
	if (text.at[i] == '\\' || (text.at[i] == '/' && i + 1 < text.len && text.at[i + 1] == '*'))
		return false;
	word = word_at(text, i);
	if (str_eq(word, STR("include")) || str_eq(word, STR("import")) ||
	    str_eq(word, STR("include_next")))
		return take_name(s, text, i + word.len, word.len > 7);
	if (str_eq(word, STR("define"))) {
		/* A macro that asks for files would ask where it is used. */
		size_t line = str_find_char(str_from(text, i), '\n');

		return !str_has(str_head(str_from(text, i), line), STR("__has_"));
	}
	return !str_eq(word, STR("embed"));
}

static bool take_word(struct scan *s, struct str text, size_t i, struct str word)
{
	bool next = str_eq(word, STR("__has_include_next"));

	if (str_eq(word, STR("__DATE__")) || str_eq(word, STR("__TIME__")) ||
	    str_eq(word, STR("__TIMESTAMP__")) || str_eq(word, STR("__has_embed")))
		return false;
	if (!next && !str_eq(word, STR("__has_include")))
		return true;
	i = skip_blanks(text, i + word.len);
	if (i < text.len && text.at[i] == '(')
		return take_name(s, text, i + 1, next);
	/* "#ifdef __has_include" asks for the word only. */
	return i >= text.len || (text.at[i] != '/' && text.at[i] != '\\');
}

/* A word in two lines is a word that this does not see. */
static bool splits_word(struct str text, size_t i)
{
	size_t end = skip_blanks(text, i + 1);

	return i && is_word(text.at[i - 1]) && end + 1 < text.len && text.at[end] == '\n' &&
	       is_word(text.at[end + 1]);
}

bool scan_includes(struct scan *s, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.at[i];

		if (c == '#') {
			if (!take_directive(s, text, i + 1))
				return false;
		} else if ((c == '%' && str_starts(str_from(text, i), STR("%:"))) ||
			   (c == '?' && str_starts(str_from(text, i), STR("?\?=")))) {
			if (!take_directive(s, text, i + (c == '%' ? 2 : 3)))
				return false;
		} else if (c == '\\') {
			if (splits_word(text, i))
				return false;
		} else if (is_word(c)) {
			struct str word = word_at(text, i);

			if (word.len > 2 && c == '_' && word.at[1] == '_' &&
			    !take_word(s, text, i, word))
				return false;
			i += word.len - 1;
		}
	}
	return true;
}

void scan_release(struct scan *s)
{
	vec_release(&s->names);
}
