// SPDX-License-Identifier: Apache-2.0
/*
 * Text: `struct str` is a borrowed slice (not NUL-terminated, may hold NULs), `struct buf` builds.
 * Bytes, not characters: nothing here looks at the locale.  For widths on a screen see base/width.h.
 */
#ifndef TTP_BASE_STR_H
#define TTP_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/scoped.h"

struct str {
	const char *at;
	size_t len;
};

#define STR(literal) ((struct str)STR_INIT(literal))
/* For static tables, where a compound literal is no constant. */
#define STR_INIT(literal)                       \
	{                                       \
		"" literal, sizeof(literal) - 1 \
	}
/* For printf: printf("%.*s", STR_ARG(s)) */
#define STR_ARG(s) (int)(s).len, (s).at

static inline struct str str_of(const char *z)
{
	return (struct str){ z, z ? strlen(z) : 0 };
}

static inline struct str str_n(const char *at, size_t len)
{
	return (struct str){ at, len };
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && (!a.len || !memcmp(a.at, b.at, a.len));
}

static inline bool str_starts(struct str s, struct str head)
{
	return s.len >= head.len && (!head.len || !memcmp(s.at, head.at, head.len));
}

static inline bool str_ends(struct str s, struct str tail)
{
	return s.len >= tail.len &&
	       (!tail.len || !memcmp(s.at + (s.len - tail.len), tail.at, tail.len));
}

/* Everything from byte `n` on; empty past the end. */
static inline struct str str_from(struct str s, size_t n)
{
	return n < s.len ? str_n(s.at + n, s.len - n) : str_n(s.len ? s.at + s.len : s.at, 0);
}

static inline struct str str_head(struct str s, size_t n)
{
	return str_n(s.at, n < s.len ? n : s.len);
}

#define STR_NONE ((size_t)-1)
/* Offset of the first `needle`, or STR_NONE.  An empty needle is at 0. */
size_t str_find(struct str s, struct str needle);
size_t str_find_char(struct str s, char c);
size_t str_rfind_char(struct str s, char c);
static inline bool str_has(struct str s, struct str needle)
{
	return str_find(s, needle) != STR_NONE;
}
/* Byte order, as code-point order of UTF-8: <0, 0, >0. */
int str_cmp(struct str a, struct str b);
/* Without ASCII blanks (space, \t \n \v \f \r) at both ends. */
struct str str_trim(struct str s);
/* Takes the piece before the next `sep` off `rest`; false when nothing is left.  "a,,b" has 3 pieces, "" has 1. */
bool str_split(struct str *rest, char sep, struct str *piece);
bool str_eq_nocase(struct str a, struct str b);       /* ASCII letters only */
bool str_has_nocase(struct str s, struct str needle); /* likewise */
uint64_t str_hash(struct str s);

/* True when all of `s` is valid UTF-8 (no overlong forms, no surrogates). */
bool str_is_utf8(struct str s);

struct buf {
	char *at; /* always NUL-terminated once something was added; NULL while empty */
	size_t len, cap;
};

void buf_reserve(struct buf *b, size_t more); /* room for `more` further bytes and a NUL */
void buf_add(struct buf *b, const char *at, size_t len);
void buf_fill(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* The same in the stead of what was there; nothing of that may be an argument. */
void buf_set(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_add_u64(struct buf *b, uint64_t v);
void buf_add_i64(struct buf *b, int64_t v);
/* Appends `s` as UTF-8, each byte that is not part of a valid sequence replaced by U+FFFD. */
void buf_add_utf8(struct buf *b, struct str s);
void buf_release(struct buf *b);

static inline void buf_str(struct buf *b, struct str s)
{
	buf_add(b, s.at, s.len);
}

static inline void buf_text(struct buf *b, const char *z)
{
	buf_add(b, z, strlen(z));
}

static inline void buf_char(struct buf *b, char c)
{
	if (b->cap - b->len < 2)
		buf_reserve(b, 1);
	b->at[b->len++] = c;
	b->at[b->len] = 0;
}

static inline void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->at)
		b->at[0] = 0;
}

static inline void buf_set_str(struct buf *b, struct str s)
{
	buf_clear(b);
	buf_str(b, s);
}

static inline struct str buf_view(const struct buf *b)
{
	return str_n(b->at ? b->at : "", b->len);
}

#endif /* TTP_BASE_STR_H */
