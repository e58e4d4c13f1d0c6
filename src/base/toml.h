// SPDX-License-Identifier: Apache-2.0
/*
 * A strict reader of the part of TOML 1.0 that settings files need: tables [name], arrays of tables [[name]], bare and quoted keys,
 * strings of one line ("…" with escapes, '…' without), decimal integers and floats, booleans, comments.
 *
 * Everything else (dotted names, arrays, inline tables, dates, strings of several lines, numbers in other bases, inf, nan) is an error
 * that names it, as are keys and tables that come twice.  Errors begin with "line 3, column 7: ".
 */
#ifndef TTP_BASE_TOML_H
#define TTP_BASE_TOML_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum { TOML_TABLES_MAX = 10000, TOML_KEYS_MAX = 1000, TOML_BYTES_MAX = 1 << 20 };

/* Columns count bytes, from 1. */
struct toml_pos {
	unsigned line, column;
};

enum toml_type { TOML_STRING, TOML_INTEGER, TOML_FLOAT, TOML_BOOL };

struct toml_value {
	struct str key;
	struct toml_pos key_at, at;
	enum toml_type type;
	struct str text; /* of a string, unescaped; else as it is written */
	double number;   /* of an integer and a float */
	bool truth;
};

struct toml_table {
	struct str name; /* empty: what comes before the first header */
	bool of_array;   /* [[name]] */
	struct toml_pos at;
	VEC(struct toml_value) values;
};

struct toml {
	VEC(struct toml_table) tables; /* in the order of the file; the first one is always there */
	struct arena texts;
};

/* `t` has its own copies of all texts.  On failure nothing is held. */
enum ttp_rc toml_read(struct toml *t, struct str text, struct ttp_err *e) TTP_CHECKED;
void toml_release(struct toml *t);
const char *toml_type_name(enum toml_type type);
/* "line 3, column 7: " and what was wrong there, as TTP_FORMAT: for those who check what keys mean. */
enum ttp_rc toml_fail(struct ttp_err *e, struct toml_pos at, const char *fmt, ...) TTP_PRINTF(3, 4);

#endif /* TTP_BASE_TOML_H */
