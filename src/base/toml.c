// SPDX-License-Identifier: Apache-2.0
#include "base/toml.h"

#include <stdio.h>

#include "base/number.h"

struct toml_reader {
	struct toml *to;
	const char *at, *end, *line_start;
	unsigned line;
	struct buf scratch;
	struct ttp_err *e;
};

enum ttp_rc toml_fail(struct ttp_err *e, struct toml_pos at, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return ttp_fail(e, TTP_FORMAT, "line %u, column %u: %s", at.line, at.column, text);
}

const char *toml_type_name(enum toml_type type)
{
	static const char *const names[] = { [TOML_STRING] = "a string",
					     [TOML_INTEGER] = "an integer",
					     [TOML_FLOAT] = "a number",
					     [TOML_BOOL] = "true or false" };

	return names[type];
}

static struct toml_pos here(const struct toml_reader *r)
{
	return (struct toml_pos){ r->line, (unsigned)(r->at - r->line_start) + 1 };
}

static int peek(const struct toml_reader *r)
{
	return r->at < r->end ? (unsigned char)*r->at : -1;
}

/* A line break, "\n" or "\r\n", begins here, or the text ends. */
static bool at_end_of_line(const struct toml_reader *r)
{
	return r->at == r->end || *r->at == '\n' ||
	       (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

static void skip_blanks(struct toml_reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
		r->at++;
}

static bool is_control(int c)
{
	return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7f;
}

static struct str keep(struct toml_reader *r, struct str s)
{
	return str_n(arena_dup(&r->to->texts, s.at, s.len), s.len);
}

/* What remains of a line after a header, a value or nothing: blanks, a comment, the line break. */
static enum ttp_rc finish_line(struct toml_reader *r, const char *after)
{
	skip_blanks(r);
	if (peek(r) == '#')
		while (!at_end_of_line(r)) {
			if (is_control(peek(r)))
				return toml_fail(r->e, here(r), "a control character in a comment");
			r->at++;
		}
	if (!at_end_of_line(r))
		return toml_fail(r->e, here(r), "expected the end of the line after %s", after);
	if (r->at < r->end) {
		r->at += *r->at == '\r' ? 2 : 1;
		r->line++;
		r->line_start = r->at;
	}
	return TTP_OK;
}

static void add_code_point(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_char(b, (char)c);
	} else if (c < 0x800) {
		buf_char(b, (char)(0xc0 | c >> 6));
		buf_char(b, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_char(b, (char)(0xe0 | c >> 12));
		buf_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_char(b, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_char(b, (char)(0xf0 | c >> 18));
		buf_char(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_char(b, (char)(0x80 | (c & 0x3f)));
	}
}

static int hex_value(int c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* After the backslash. */
static enum ttp_rc read_escape(struct toml_reader *r)
{
	static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
	struct toml_pos at = { r->line, here(r).column - 1 };
	int c = peek(r), digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
	const char *known = c > 0 ? strchr(from, c) : NULL;
	uint32_t v = 0;

	if (known) {
		buf_char(&r->scratch, to[known - from]);
		r->at++;
		return TTP_OK;
	}
	if (!digits)
		return toml_fail(
			r->e, at,
			"expected one of \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX \\UXXXXXXXX; "
			"'…' has no escapes");
	r->at++;
	for (int i = 0; i < digits; i++, r->at++) {
		int digit = hex_value(peek(r));

		if (digit < 0)
			return toml_fail(r->e, at, "expected %d hexadecimal digits", digits);
		v = v << 4 | (uint32_t)digit;
	}
	if (v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return toml_fail(r->e, at, "not a character of Unicode");
	add_code_point(&r->scratch, v);
	return TTP_OK;
}

static enum ttp_rc read_string(struct toml_reader *r, struct str *out)
{
	struct toml_pos from = here(r);
	char quote = *r->at++;

	buf_clear(&r->scratch);
	if (r->end - r->at >= 2 && r->at[0] == quote && r->at[1] == quote)
		return toml_fail(r->e, from, "strings of several lines are not read here");
	for (;;) {
		if (at_end_of_line(r))
			return toml_fail(r->e, from, "the string has no closing %c on its line",
					 quote);
		if (*r->at == quote)
			break;
		if (is_control(peek(r)))
			return toml_fail(r->e, here(r), "a control character in a string");
		if (quote == '"' && *r->at == '\\') {
			r->at++;
			TTP_TRY(read_escape(r));
		} else {
			buf_char(&r->scratch, *r->at++);
		}
	}
	r->at++;
	*out = keep(r, buf_view(&r->scratch));
	return TTP_OK;
}

static bool is_bare(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

static enum ttp_rc read_key(struct toml_reader *r, struct str *out)
{
	const char *from = r->at;

	if (peek(r) == '"' || peek(r) == '\'') {
		TTP_TRY(read_string(r, out));
	} else {
		while (is_bare(peek(r)))
			r->at++;
		if (r->at == from)
			return toml_fail(r->e, here(r), "expected a key, a [table] or a comment");
		*out = keep(r, str_n(from, (size_t)(r->at - from)));
	}
	skip_blanks(r);
	if (peek(r) == '.')
		return toml_fail(r->e, here(r), "dotted names are not read here");
	return TTP_OK;
}

/* Digits with single underscores between them; appended without these. */
static bool take_digits(struct str s, size_t *at, struct buf *to)
{
	size_t from = *at;

	for (; *at < s.len; (*at)++) {
		char c = s.at[*at];
		bool inside = *at > from && *at + 1 < s.len && s.at[*at - 1] != '_';

		if (c >= '0' && c <= '9')
			buf_char(to, c);
		else if (c != '_' || !inside)
			break;
	}
	return *at > from && s.at[*at - 1] != '_';
}

/* As TOML has it: no leading zeros, digits on both sides of a point. */
static bool is_number(struct str s, struct buf *plain, bool *is_float)
{
	size_t at = s.len && (s.at[0] == '+' || s.at[0] == '-'), first;

	if (at)
		buf_char(plain, s.at[0]);
	first = at;
	if (!take_digits(s, &at, plain) || (s.at[first] == '0' && at > first + 1))
		return false;
	if (at < s.len && s.at[at] == '.') {
		*is_float = true;
		at++;
		buf_char(plain, '.');
		if (!take_digits(s, &at, plain))
			return false;
	}
	if (at < s.len && (s.at[at] == 'e' || s.at[at] == 'E')) {
		*is_float = true;
		buf_char(plain, s.at[at++]);
		if (at < s.len && (s.at[at] == '+' || s.at[at] == '-'))
			buf_char(plain, s.at[at++]);
		if (!take_digits(s, &at, plain))
			return false;
	}
	return at == s.len;
}

static enum ttp_rc read_word(struct toml_reader *r, struct toml_value *v)
{
	const char *from = r->at;
	bool is_float = false;
	struct str word;

	while (!at_end_of_line(r) && !strchr(" \t#,]}", peek(r) ? peek(r) : '#'))
		r->at++;
	word = str_n(from, (size_t)(r->at - from));
	v->text = keep(r, word);
	if (str_eq(word, STR("true")) || str_eq(word, STR("false"))) {
		v->type = TOML_BOOL;
		v->truth = word.len == 4;
		return TTP_OK;
	}
	buf_clear(&r->scratch);
	if (!is_number(word, &r->scratch, &is_float))
		return toml_fail(r->e, v->at,
				 "expected a string in quotes, a decimal number, true or false");
	v->type = is_float ? TOML_FLOAT : TOML_INTEGER;
	if (!number_double(buf_view(&r->scratch), &v->number) || v->number - v->number != 0)
		return toml_fail(r->e, v->at, "the number is too large");
	return TTP_OK;
}

static enum ttp_rc read_value(struct toml_reader *r, struct toml_value *v)
{
	v->at = here(r);
	if (at_end_of_line(r) || peek(r) == '#')
		return toml_fail(r->e, v->at, "expected a value after =");
	if (peek(r) == '[' || peek(r) == '{')
		return toml_fail(r->e, v->at, "%s are not read here",
				 peek(r) == '[' ? "arrays" : "inline tables");
	if (peek(r) != '"' && peek(r) != '\'')
		return read_word(r, v);
	v->type = TOML_STRING;
	return read_string(r, &v->text);
}

static enum ttp_rc read_pair(struct toml_reader *r)
{
	struct toml_table *t = &r->to->tables.at[r->to->tables.len - 1];
	struct toml_value v = { .key_at = here(r) };

	TTP_TRY(read_key(r, &v.key));
	if (peek(r) != '=')
		return toml_fail(r->e, here(r), "expected = after the key");
	r->at++;
	skip_blanks(r);
	TTP_TRY(read_value(r, &v));
	vec_each (other, &t->values)
		if (str_eq(other->key, v.key))
			return toml_fail(r->e, v.key_at, "%.*s was given in line %u already",
					 STR_ARG(str_head(v.key, 60)), other->key_at.line);
	if (t->values.len == TOML_KEYS_MAX)
		return toml_fail(r->e, v.key_at, "more than %d keys in a table", TOML_KEYS_MAX);
	*vec_push(&t->values) = v;
	return finish_line(r, "the value");
}

static enum ttp_rc read_header(struct toml_reader *r)
{
	struct toml_table t = { .at = here(r) };

	r->at++;
	t.of_array = peek(r) == '[';
	r->at += t.of_array;
	skip_blanks(r);
	TTP_TRY(read_key(r, &t.name));
	for (int i = 0; i <= t.of_array; i++, r->at++)
		if (peek(r) != ']')
			return toml_fail(r->e, here(r), "expected %s after the table's name",
					 t.of_array ? "]]" : "]");
	vec_each (other, &r->to->tables)
		if (other != r->to->tables.at && str_eq(other->name, t.name) &&
		    !(t.of_array && other->of_array))
			return toml_fail(r->e, t.at, "the table %.*s is in line %u already",
					 STR_ARG(str_head(t.name, 60)), other->at.line);
	vec_each (v, &r->to->tables.at[0].values)
		if (str_eq(v->key, t.name))
			return toml_fail(r->e, t.at, "%.*s is a value in line %u, not a table",
					 STR_ARG(str_head(t.name, 60)), v->key_at.line);
	if (r->to->tables.len == TOML_TABLES_MAX)
		return toml_fail(r->e, t.at, "more than %d tables", TOML_TABLES_MAX);
	*vec_push(&r->to->tables) = t;
	return finish_line(r, "the table's name");
}

static enum ttp_rc read_lines(struct toml_reader *r)
{
	while (r->at < r->end) {
		skip_blanks(r);
		if (peek(r) == '[')
			TTP_TRY(read_header(r));
		else if (at_end_of_line(r) || peek(r) == '#')
			TTP_TRY(finish_line(r, "nothing"));
		else
			TTP_TRY(read_pair(r));
	}
	return TTP_OK;
}

enum ttp_rc toml_read(struct toml *t, struct str text, struct ttp_err *e)
{
	struct toml_reader r = { .to = t,
				 .at = text.at,
				 .end = text.at + text.len,
				 .line_start = text.at,
				 .line = 1,
				 .e = e };
	enum ttp_rc rc;

	*t = (struct toml){ 0 };
	if (text.len > TOML_BYTES_MAX)
		return ttp_fail(e, TTP_LIMIT, "%zu bytes, at most %d", text.len, TOML_BYTES_MAX);
	if (!text.len)
		r.at = r.end = r.line_start = "";
	*vec_push(&t->tables) = (struct toml_table){ .at = { 1, 1 } };
	rc = str_is_utf8(text) ? read_lines(&r) : ttp_fail(e, TTP_FORMAT, "it is not UTF-8 text");
	buf_release(&r.scratch);
	if (rc)
		toml_release(t);
	return rc;
}

void toml_release(struct toml *t)
{
	vec_release_with(&t->tables, values);
	arena_release(&t->texts);
}
