// SPDX-License-Identifier: Apache-2.0
/* Any bytes: the reader stops, and what it accepted is written and read again alike. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_string(struct buf *b, struct str s)
{
	buf_char(b, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.at[i];

		if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
			buf_printf(b, "\\u%04x", c);
		else
			buf_char(b, (char)c);
	}
	buf_char(b, '"');
}

static void write_all(struct buf *b, const struct toml *t)
{
	vec_each (table, &t->tables) {
		if (table != t->tables.at) {
			buf_text(b, table->of_array ? "[[" : "[");
			put_string(b, table->name);
			buf_text(b, table->of_array ? "]]\n" : "]\n");
		}
		vec_each (v, &table->values) {
			put_string(b, v->key);
			buf_text(b, " = ");
			if (v->type == TOML_STRING)
				put_string(b, v->text);
			else
				buf_str(b, v->text);
			buf_char(b, '\n');
		}
	}
}

static bool is_same(const struct toml_value *a, const struct toml_value *b)
{
	return str_eq(a->key, b->key) && a->type == b->type && str_eq(a->text, b->text) &&
	       a->truth == b->truth && !(a->number < b->number) && !(a->number > b->number);
}

static void check_again(const struct toml *t)
{
	struct buf b = { 0 };
	struct toml again;
	struct ttp_err e;

	write_all(&b, t);
	/* escapes make it longer */
	if (b.len > TOML_BYTES_MAX) {
		buf_release(&b);
		return;
	}
	if (toml_read(&again, buf_view(&b), &e) || again.tables.len != t->tables.len)
		abort();
	for (size_t i = 0; i < t->tables.len; i++) {
		if (again.tables.at[i].values.len != t->tables.at[i].values.len ||
		    !str_eq(again.tables.at[i].name, t->tables.at[i].name))
			abort();
		for (size_t k = 0; k < t->tables.at[i].values.len; k++)
			if (!is_same(&again.tables.at[i].values.at[k],
				     &t->tables.at[i].values.at[k]))
				abort();
	}
	toml_release(&again);
	buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct toml t;
	struct ttp_err e;

	if (toml_read(&t, str_n((const char *)data, size), &e))
		return 0;
	check_again(&t);
	toml_release(&t);
	return 0;
}
