// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"

/* What may come next. */
enum {
	EXPECT_VALUE,
	EXPECT_VALUE_OR_END, /* after [ */
	EXPECT_KEY,          /* after a comma in an object */
	EXPECT_KEY_OR_END,   /* after { */
	EXPECT_COMMA_OR_END,
	EXPECT_NOTHING, /* the document's value is complete */
	EXPECT_NO_MORE, /* the end or an error was reported */
};

struct json_reader json_reader_of(struct str json)
{
	const char *at = json.len ? json.at : "";

	return (struct json_reader){ .start = at,
				     .at = at,
				     .end = at + json.len,
				     .expect = EXPECT_VALUE,
				     .last = JSON_END };
}

static enum json_event fail_at(struct json_reader *r, const char *at, const char *what)
{
	r->error = what;
	r->error_at = (size_t)(at - r->start);
	r->text = (struct str){ 0 };
	r->expect = EXPECT_NO_MORE;
	return JSON_ERROR;
}

static void skip_blanks(struct json_reader *r)
{
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
		r->at++;
}

/* The value just read is complete: what may follow it? */
static void after_value(struct json_reader *r)
{
	r->expect = r->nest.depth ? EXPECT_COMMA_OR_END : EXPECT_NOTHING;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* At a backslash; returns the byte after the escape, NULL if there is no valid one. */
static const char *pass_escape(const char *p, const char *end)
{
	if (end - p < 2)
		return NULL;
	if (p[1] != 'u')
		return p[1] && strchr("\"\\/bfnrt", p[1]) ? p + 2 : NULL;
	if (end - p < 6)
		return NULL;
	for (int i = 2; i < 6; i++)
		if (hex_value(p[i]) < 0)
			return NULL;
	return p + 6;
}

/* At the opening quote. */
static enum json_event read_string(struct json_reader *r, enum json_event ev)
{
	const char *open = r->at, *p = open + 1;

	r->escaped = false;
	for (;;) {
		while (p < r->end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
			p++;
		if (p == r->end)
			return fail_at(r, open, "string without an end");
		if (*p == '"')
			break;
		if (*p != '\\')
			return fail_at(r, p, "control character in a string");
		r->escaped = true;
		if (!pass_escape(p, r->end))
			return fail_at(r, p, "unknown or cut escape in a string");
		p = pass_escape(p, r->end);
	}
	r->text = str_n(open + 1, (size_t)(p - open - 1));
	r->at = p + 1;
	return ev;
}

static const char *pass_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

static enum json_event read_number(struct json_reader *r)
{
	const char *p = r->at, *end = r->end, *digits;

	p += *p == '-';
	digits = p;
	p = pass_digits(p, end);
	if (p == digits)
		return fail_at(r, r->at, "'-' without a number");
	if (*digits == '0' && p - digits > 1)
		return fail_at(r, r->at, "number with a leading zero");
	if (p < end && *p == '.') {
		digits = ++p;
		p = pass_digits(p, end);
		if (p == digits)
			return fail_at(r, r->at, "number without digits after its point");
	}
	if (p < end && (*p | 0x20) == 'e') {
		p++;
		p += p < end && (*p == '+' || *p == '-');
		digits = p;
		p = pass_digits(p, end);
		if (p == digits)
			return fail_at(r, r->at, "number without digits in its exponent");
	}
	r->text = str_n(r->at, (size_t)(p - r->at));
	r->at = p;
	after_value(r);
	return JSON_NUMBER;
}

static enum json_event read_word(struct json_reader *r)
{
	struct str rest = str_n(r->at, (size_t)(r->end - r->at));
	struct str word = STR("null");
	enum json_event ev = JSON_NULL;

	if (*r->at != 'n') {
		ev = JSON_BOOL;
		r->truth = *r->at == 't';
		word = r->truth ? STR("true") : STR("false");
	}
	if (!str_starts(rest, word))
		return fail_at(r, r->at, "unknown word");
	r->at += word.len;
	after_value(r);
	return ev;
}

static enum json_event open_container(struct json_reader *r, bool object)
{
	if (r->nest.depth == JSON_DEPTH_MAX)
		return fail_at(r, r->at, "nested too deeply");
	json_nest_push(&r->nest, object);
	r->at++;
	r->expect = object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
	return object ? JSON_OBJECT_BEGIN : JSON_ARRAY_BEGIN;
}

static enum json_event close_container(struct json_reader *r)
{
	bool object = json_in_object(&r->nest);

	r->at++;
	r->nest.depth--;
	after_value(r);
	return object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

static enum json_event read_value(struct json_reader *r)
{
	enum json_event ev;

	switch (*r->at) {
	case '{':
		return open_container(r, true);
	case '[':
		return open_container(r, false);
	case '"':
		ev = read_string(r, JSON_STRING);
		if (ev != JSON_ERROR)
			after_value(r);
		return ev;
	case 't':
	case 'f':
	case 'n':
		return read_word(r);
	default:
		if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'))
			return read_number(r);
		return fail_at(r, r->at, "expected a value");
	}
}

static enum json_event read_key(struct json_reader *r)
{
	struct str key;

	if (*r->at != '"')
		return fail_at(r, r->at, "expected a key in quotes");
	if (read_string(r, JSON_KEY) == JSON_ERROR)
		return JSON_ERROR;
	key = r->text;
	skip_blanks(r);
	if (r->at == r->end || *r->at != ':')
		return fail_at(r, r->at, "expected ':' after the key");
	r->at++;
	r->text = key;
	r->expect = EXPECT_VALUE;
	return JSON_KEY;
}

static enum json_event next_event(struct json_reader *r)
{
	bool object = json_in_object(&r->nest);
	char closer = object ? '}' : ']';

	if (r->expect == EXPECT_NO_MORE)
		return r->error ? JSON_ERROR : JSON_END;
	skip_blanks(r);
	if (r->expect == EXPECT_NOTHING) {
		if (r->at < r->end)
			return fail_at(r, r->at, "something after the end of the value");
		r->expect = EXPECT_NO_MORE;
		return JSON_END;
	}
	if (r->at == r->end)
		return fail_at(r, r->at, r->nest.depth ? "text ends inside a value" : "no value");
	if (r->expect == EXPECT_COMMA_OR_END) {
		if (*r->at == closer)
			return close_container(r);
		if (*r->at != ',')
			return fail_at(r, r->at,
				       object ? "expected ',' or '}'" : "expected ',' or ']'");
		r->at++;
		skip_blanks(r);
		r->expect = object ? EXPECT_KEY : EXPECT_VALUE;
		if (r->at == r->end)
			return fail_at(r, r->at, "text ends inside a value");
	} else if (r->expect != EXPECT_VALUE && *r->at == closer) {
		return close_container(r);
	}
	if (r->expect == EXPECT_KEY || r->expect == EXPECT_KEY_OR_END)
		return read_key(r);
	return read_value(r);
}

enum json_event json_next(struct json_reader *r)
{
	r->text = (struct str){ 0 };
	r->last = next_event(r);
	return r->last;
}

bool json_skip_value(struct json_reader *r)
{
	int outside = r->nest.depth;

	if (r->last == JSON_KEY)
		json_next(r);
	else if (r->last == JSON_OBJECT_BEGIN || r->last == JSON_ARRAY_BEGIN)
		outside--;
	while (r->nest.depth > outside && r->last != JSON_ERROR)
		json_next(r);
	return r->last != JSON_ERROR;
}

enum ttp_rc json_fail(const struct json_reader *r, struct ttp_err *e)
{
	assert(r->error);
	return ttp_fail(e, TTP_FORMAT, "byte %zu: %s", r->error_at, r->error);
}

static unsigned read_hex4(const char *p)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 4 | (unsigned)hex_value(p[i]);
	return v;
}

static void add_code_point(struct buf *to, unsigned c)
{
	if (c >= 0xD800 && c < 0xE000)
		c = 0xFFFD; /* half of a pair, alone */
	if (c < 0x80) {
		buf_char(to, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_char(to, (char)(0xC0 | c >> 6));
	} else {
		if (c < 0x10000) {
			buf_char(to, (char)(0xE0 | c >> 12));
		} else {
			buf_char(to, (char)(0xF0 | c >> 18));
			buf_char(to, (char)(0x80 | (c >> 12 & 0x3F)));
		}
		buf_char(to, (char)(0x80 | (c >> 6 & 0x3F)));
	}
	buf_char(to, (char)(0x80 | (c & 0x3F)));
}

/* At a backslash of a valid escape; appends its value and returns how many bytes it took. */
static size_t add_escape(struct buf *to, struct str s)
{
	static const char from[] = "bfnrt", value[] = "\b\f\n\r\t";
	const char *letter = strchr(from, s.at[1]);
	unsigned c, low;

	if (s.at[1] != 'u') {
		buf_char(to, letter ? value[letter - from] : s.at[1]);
		return 2;
	}
	c = read_hex4(s.at + 2);
	if (c >= 0xD800 && c < 0xDC00 && s.len >= 12 && s.at[6] == '\\' && s.at[7] == 'u') {
		low = read_hex4(s.at + 8);
		if (low >= 0xDC00 && low < 0xE000) {
			add_code_point(to, 0x10000 + ((c - 0xD800) << 10 | (low - 0xDC00)));
			return 12;
		}
	}
	add_code_point(to, c);
	return 6;
}

void json_unescape(const struct json_reader *r, struct buf *to)
{
	struct str s = r->text;

	buf_reserve(to, s.len);
	while (s.len) {
		size_t n = str_find_char(s, '\\');

		buf_add_utf8(to, str_head(s, n));
		if (n == STR_NONE)
			break;
		s = str_from(s, n);
		s = str_from(s, add_escape(to, s));
	}
}

bool json_text_is(const struct json_reader *r, struct str want)
{
	SCOPED(buf) struct buf b = { 0 };

	if (r->last != JSON_KEY && r->last != JSON_STRING)
		return false;
	if (!r->escaped)
		return str_eq(r->text, want);
	json_unescape(r, &b);
	return str_eq(buf_view(&b), want);
}

bool json_i64(const struct json_reader *r, int64_t *out)
{
	return r->last == JSON_NUMBER && number_i64(r->text, out);
}

bool json_u64(const struct json_reader *r, uint64_t *out)
{
	return r->last == JSON_NUMBER && number_u64(r->text, out);
}

bool json_double(const struct json_reader *r, double *out)
{
	return r->last == JSON_NUMBER && number_double(r->text, out);
}
