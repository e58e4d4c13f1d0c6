// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <math.h>

#include "base/harmless.h"
#include "base/json.h"
#include "base/number.h"

enum { INDENT = 2 };

static void new_line(struct json_writer *w)
{
	if (!w->pretty)
		return;
	buf_char(w->to, '\n');
	buf_fill(w->to, ' ', (size_t)w->nest.depth * INDENT);
}

static void next_item(struct json_writer *w)
{
	if (w->filled)
		buf_char(w->to, ',');
	new_line(w);
	w->filled = true;
}

/* Everything that stands before a value of any kind. */
static void before_value(struct json_writer *w)
{
	assert(!w->done);
	assert(w->after_key == json_in_object(&w->nest));
	if (!w->after_key && w->nest.depth)
		next_item(w);
	w->after_key = false;
	w->done = !w->nest.depth;
}

static void open_container(struct json_writer *w, bool object)
{
	before_value(w);
	assert(w->nest.depth < JSON_DEPTH_MAX);
	json_nest_push(&w->nest, object);
	w->filled = w->done = false;
	buf_char(w->to, object ? '{' : '[');
}

static void close_container(struct json_writer *w, bool object)
{
	assert(w->nest.depth && json_in_object(&w->nest) == object && !w->after_key);
	w->nest.depth--;
	if (w->filled)
		new_line(w);
	buf_char(w->to, object ? '}' : ']');
	w->filled = true; /* the container around it has this one */
	w->done = !w->nest.depth;
}

void json_open_object(struct json_writer *w)
{
	open_container(w, true);
}

void json_close_object(struct json_writer *w)
{
	close_container(w, true);
}

void json_open_array(struct json_writer *w)
{
	open_container(w, false);
}

void json_close_array(struct json_writer *w)
{
	close_container(w, false);
}

void json_write_key(struct json_writer *w, struct str key)
{
	assert(json_in_object(&w->nest) && !w->after_key);
	next_item(w);
	json_quote(w->to, key);
	buf_text(w->to, w->pretty ? ": " : ":");
	w->after_key = true;
}

static void quote_control(struct buf *to, unsigned char c)
{
	static const char letter[0x20] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
	};

	if (c < sizeof(letter) && letter[c])
		buf_printf(to, "\\%c", letter[c]);
	else
		buf_printf(to, "\\u%04x", c);
}

/* As UTF-8; what could steer a terminal (base/harmless.h) as \uXXXX: all of that is below U+10000. */
static void quote_beyond_ascii(struct buf *to, struct str s)
{
	size_t from = 0;

	for (size_t i = 0, n; i < s.len; i += n) {
		uint32_t c;

		n = harmless_decode(str_from(s, i), &c);
		if (harmless_char(c))
			continue;
		buf_add_utf8(to, str_n(s.at + from, i - from));
		buf_printf(to, "\\u%04x", (unsigned)c);
		from = i + n;
	}
	buf_add_utf8(to, str_from(s, from));
}

void json_quote(struct buf *to, struct str s)
{
	size_t i = 0;

	buf_reserve(to, s.len + 2);
	buf_char(to, '"');
	while (i < s.len) {
		size_t from = i;
		unsigned char c = 0;

		for (; i < s.len; i++) {
			c = (unsigned char)s.at[i];
			if (c < 0x20 || c == '"' || c == '\\' || c >= 0x7f)
				break;
		}
		buf_add(to, s.at + from, i - from);
		if (i == s.len)
			break;
		if (c >= 0x80) {
			/* A run of such bytes is whole sequences or wrong ones, whatever is around it. */
			for (from = i; i < s.len && (unsigned char)s.at[i] >= 0x80; i++)
				;
			quote_beyond_ascii(to, str_n(s.at + from, i - from));
			continue;
		}
		if (c < 0x20 || c == 0x7f) {
			quote_control(to, c);
		} else {
			buf_char(to, '\\');
			buf_char(to, (char)c);
		}
		i++;
	}
	buf_char(to, '"');
}

void json_write_str(struct json_writer *w, struct str s)
{
	before_value(w);
	json_quote(w->to, s);
}

void json_write_i64(struct json_writer *w, int64_t v)
{
	before_value(w);
	buf_add_i64(w->to, v);
}

void json_write_u64(struct json_writer *w, uint64_t v)
{
	before_value(w);
	buf_add_u64(w->to, v);
}

void json_write_double(struct json_writer *w, double v)
{
	before_value(w);
	if (isfinite(v))
		number_shortest(w->to, v);
	else
		buf_text(w->to, "null");
}

void json_write_bool(struct json_writer *w, bool v)
{
	before_value(w);
	buf_text(w->to, v ? "true" : "false");
}

void json_write_null(struct json_writer *w)
{
	before_value(w);
	buf_text(w->to, "null");
}

void json_write_raw(struct json_writer *w, struct str json)
{
	before_value(w);
	buf_str(w->to, json);
}
