// SPDX-License-Identifier: Apache-2.0
#include "ops/py_text.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"

/* Length of the UTF-8 sequence at s, and its code point; 0 when it is none. */
static size_t decode(struct str s, uint32_t *code)
{
	unsigned char c = (unsigned char)s.at[0];
	size_t n = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
	uint32_t v = n == 1 ? c : n == 2 ? c & 31u : n == 3 ? c & 15u : c & 7u;

	if (!n || n > s.len || !str_is_utf8(str_head(s, n)))
		return 0;
	for (size_t i = 1; i < n; i++)
		v = v << 6 | ((unsigned char)s.at[i] & 63u);
	*code = v;
	return n;
}

/* Characters that Python shows by number: controls, format characters, odd blanks, surrogates. */
static bool is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || (c >= 0x2000 && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f) || c == 0x3000 ||
	       c == 0xfeff || (c >= 0xd800 && c <= 0xf8ff) || (c >= 0xfff0 && c <= 0xfffb) ||
	       c >= 0xe0000;
}

void py_quote(struct buf *b, struct str s)
{
	bool doubled = str_find_char(s, '\'') != STR_NONE && str_find_char(s, '"') == STR_NONE;
	char quote = doubled ? '"' : '\'';

	buf_char(b, quote);
	for (size_t i = 0; i < s.len;) {
		uint32_t c = 0;
		size_t n = decode(str_from(s, i), &c);

		if (!n) {
			buf_text(b, "\xef\xbf\xbd");
			i++;
			continue;
		}
		if (c == (unsigned char)quote || c == '\\')
			buf_printf(b, "\\%c", (int)c);
		else if (c == '\n')
			buf_text(b, "\\n");
		else if (c == '\r')
			buf_text(b, "\\r");
		else if (c == '\t')
			buf_text(b, "\\t");
		else if (!is_hidden(c))
			buf_add(b, s.at + i, n);
		else if (c < 0x100)
			buf_printf(b, "\\x%02x", c);
		else if (c < 0x10000)
			buf_printf(b, "\\u%04x", c);
		else
			buf_printf(b, "\\U%08x", c);
		i += n;
	}
	buf_char(b, quote);
}

static void py_number(struct buf *b, const struct json_reader *r)
{
	double d;

	if (str_find_char(r->text, '.') == STR_NONE && str_find_char(r->text, 'e') == STR_NONE &&
	    str_find_char(r->text, 'E') == STR_NONE) {
		buf_str(b, str_eq(r->text, STR("-0")) ? STR("0") : r->text);
		return;
	}
	if (json_double(r, &d))
		number_shortest(b, d);
}

static bool py_container(struct buf *b, struct json_reader *r, bool object)
{
	bool first = true;

	buf_char(b, object ? '{' : '[');
	for (;;) {
		enum json_event ev = json_next(r);

		if (ev <= JSON_END)
			return false;
		if (ev == JSON_OBJECT_END || ev == JSON_ARRAY_END)
			break;
		if (!first)
			buf_text(b, ", ");
		first = false;
		if (object) {
			SCOPED(buf) struct buf key = { 0 };

			json_unescape(r, &key);
			py_quote(b, buf_view(&key));
			buf_text(b, ": ");
			ev = json_next(r);
			if (ev <= JSON_END)
				return false;
		}
		if (!py_value(b, r, ev, true))
			return false;
	}
	buf_char(b, object ? '}' : ']');
	return true;
}

bool py_value(struct buf *b, struct json_reader *r, enum json_event ev, bool nested)
{
	SCOPED(buf) struct buf text = { 0 };

	switch (ev) {
	case JSON_OBJECT_BEGIN:
		return py_container(b, r, true);
	case JSON_ARRAY_BEGIN:
		return py_container(b, r, false);
	case JSON_STRING:
		if (!nested) {
			json_unescape(r, b);
			return true;
		}
		json_unescape(r, &text);
		py_quote(b, buf_view(&text));
		return true;
	case JSON_NUMBER:
		py_number(b, r);
		return true;
	case JSON_BOOL:
		buf_text(b, r->truth ? "True" : "False");
		return true;
	case JSON_NULL:
		buf_text(b, "None");
		return true;
	case JSON_KEY:
	case JSON_OBJECT_END:
	case JSON_ARRAY_END:
	case JSON_END:
	case JSON_ERROR:
		break;
	}
	return false;
}

double py_rounded(double v, int digits)
{
	SCOPED(buf) struct buf text = { 0 };
	double rounded = v;

	/* as Python does it: the correctly rounded decimal, read back */
	if (isfinite(v)) {
		number_fixed(&text, v, digits, 0);
		if (!number_double(buf_view(&text), &rounded))
			rounded = v;
	}
	return rounded;
}

double py_round0(double v)
{
	return rint(v); /* the default mode is to the even one */
}
