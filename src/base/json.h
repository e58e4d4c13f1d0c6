// SPDX-License-Identifier: Apache-2.0
/*
 * JSON (RFC 8259): one streaming writer and one pull reader.
 *
 * The writer appends to a buf that the caller owns.  Commas, colons and indentation are its business;
 * calling it out of order (a value without its key, an end that doesn't match) is a mistake of ours
 * and asserts.
 *
 *	struct json_writer w = { .to = &b };
 *	json_open_object(&w);
 *	json_put_count(&w, "ops", 186);
 *	json_close_object(&w);
 *
 * The reader walks text in memory, event by event, and copies nothing: strings are raw slices between
 * their quotes, numbers are text until asked for (a hash of 64 bits does not survive a double).
 * It accepts exactly RFC 8259, never reads outside its slice, and uses constant memory.
 *
 *	struct json_reader r = json_reader_of(text);
 *	while ((ev = json_next(&r)) > JSON_END)
 *		if (ev == JSON_KEY && json_text_is(&r, STR("ops"))) ...
 *		else json_skip_value(&r);
 *	if (ev == JSON_ERROR)
 *		return json_fail(&r, e);
 *
 * Writers and readers are independent values; use each from one thread at a time.
 */
#ifndef TTP_BASE_JSON_H
#define TTP_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum { JSON_DEPTH_MAX = 128 }; /* arrays and objects inside each other, read or written */

/* For each open container: is it an object? */
struct json_nest {
	int depth;
	uint64_t object[JSON_DEPTH_MAX / 64];
};

struct json_writer {
	struct buf *to;
	bool pretty; /* one item per line, indented by 2; else no blanks at all */
	/* ours: */
	struct json_nest nest;
	bool filled;    /* the innermost container has an item */
	bool after_key; /* a value must follow */
	bool done;      /* the one value of the document is complete */
};

void json_open_object(struct json_writer *w);
void json_close_object(struct json_writer *w);
void json_open_array(struct json_writer *w);
void json_close_array(struct json_writer *w);
void json_write_key(struct json_writer *w, struct str key);
/* Bytes that are not UTF-8 become U+FFFD; all else is kept, escaped where JSON asks for it. */
void json_write_str(struct json_writer *w, struct str s);
void json_write_i64(struct json_writer *w, int64_t v);
void json_write_u64(struct json_writer *w, uint64_t v);
void json_write_double(struct json_writer *w, double v); /* shortest text; nan and inf are null */
void json_write_bool(struct json_writer *w, bool v);
void json_write_null(struct json_writer *w);
/* `json` is one whole value already, such as a number's text; it is not looked at. */
void json_write_raw(struct json_writer *w, struct str json);
/* Only the text of a string, with its quotes, for those who lay out JSON themselves. */
void json_quote(struct buf *to, struct str s);

/* The first two are the ways to stop. */
enum json_event {
	JSON_ERROR,
	JSON_END, /* of the text */
	JSON_OBJECT_BEGIN,
	JSON_OBJECT_END,
	JSON_ARRAY_BEGIN,
	JSON_ARRAY_END,
	JSON_KEY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL,
};

struct json_reader {
	struct str
		text; /* of a key or string: between the quotes, still escaped; of a number: all */
	bool escaped; /* the text has escapes, so its raw bytes are not its value */
	bool truth;   /* of JSON_BOOL */
	size_t error_at; /* after JSON_ERROR: byte offset from the start */
	const char *error;
	/* ours: */
	const char *start, *at, *end;
	struct json_nest nest;
	enum json_event last;
	int expect;
};

struct json_reader json_reader_of(struct str json);
/* After JSON_END or JSON_ERROR it stays there. */
enum json_event json_next(struct json_reader *r);
/*
 * Passes over what the last event started: after a key its value, after the begin of an object or array
 * all up to its end; after anything else nothing.  False if the text is bad on the way.
 */
bool json_skip_value(struct json_reader *r);
/* "byte 17: expected ':' after the key", as TTP_FORMAT; only after JSON_ERROR. */
enum ttp_rc json_fail(const struct json_reader *r, struct ttp_err *e);

/* Appends the value of the last key or string; what is not a character becomes U+FFFD. */
void json_unescape(const struct json_reader *r, struct buf *to);
/* The last key or string has this value. */
bool json_text_is(const struct json_reader *r, struct str want);
/* The last event was a number, is written as an integer (no point, no exponent), and fits. */
bool json_i64(const struct json_reader *r, int64_t *out);
bool json_u64(const struct json_reader *r, uint64_t *out);
/* The last event was a number; rounded to the nearest double, beyond the largest to inf. */
bool json_double(const struct json_reader *r, double *out);

/* Of either side. */
static inline bool json_in_object(const struct json_nest *n)
{
	int i = n->depth - 1;

	return i >= 0 && (n->object[i / 64] >> i % 64 & 1);
}

static inline void json_nest_push(struct json_nest *n, bool object)
{
	int i = n->depth++;
	uint64_t bit = 1ull << i % 64;

	n->object[i / 64] = object ? n->object[i / 64] | bit : n->object[i / 64] & ~bit;
}

/* "key": value, in one go. */
#define JSON_PUT(what, type, write)                                                        \
	static inline void json_put_##what(struct json_writer *w, const char *key, type v) \
	{                                                                                  \
		json_write_key(w, str_of(key));                                            \
		write(w, v);                                                               \
	}
JSON_PUT(number, double, json_write_double)
JSON_PUT(whole, int64_t, json_write_i64)
JSON_PUT(count, uint64_t, json_write_u64)
JSON_PUT(text, struct str, json_write_str)
JSON_PUT(bool, bool, json_write_bool)
JSON_PUT(raw, struct str, json_write_raw)
#undef JSON_PUT

/*
 * Members of what `p` points to, each under its own name and as what it is: JSON_MEMBERS(w, d, max, mean, ops).
 */
#define JSON_VALUE(v)                         \
	_Generic((v), bool                    \
		 : json_write_bool, double    \
		 : json_write_double, int     \
		 : json_write_i64, int64_t    \
		 : json_write_i64, struct str \
		 : json_write_str, default    \
		 : json_write_u64)
#define JSON_MEMBER(p, name) \
	json_write_key(member_w_, STR(#name)), JSON_VALUE((p)->name)(member_w_, (p)->name);
#define JSON_MEMBERS(w, p, ...)                       \
	do {                                          \
		struct json_writer *member_w_ = (w);  \
                                                      \
		EACH_ARG(JSON_MEMBER, p, __VA_ARGS__) \
	} while (0)

/* "key": { or [ and what the caller writes up to its end. */
static inline void json_put_object(struct json_writer *w, const char *key)
{
	json_write_key(w, str_of(key));
	json_open_object(w);
}

static inline void json_put_array(struct json_writer *w, const char *key)
{
	json_write_key(w, str_of(key));
	json_open_array(w);
}

#endif /* TTP_BASE_JSON_H */
