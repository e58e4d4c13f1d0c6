// SPDX-License-Identifier: Apache-2.0
#include "base/account.h"

#include "base/csv.h"
#include "base/number.h"
#include "base/out.h"

#define COLUMN_LIST(X)      \
	X(CAUSE, "cause")   \
	X(DEVICE, "device") \
	X(CORE_X, "core_x") \
	X(CORE_Y, "core_y") \
	X(RISC, "RISC")     \
	X(COUNT, "count")

enum column {
#define X(id, name) COLUMN_##id,
	COLUMN_LIST(X)
#undef X
		COLUMNS
};

static const char *const column_names[] = { COLUMN_LIST(LIST_2ND) };

static void put_number(struct csv_writer *w, int v)
{
	csv_plain(w);
	if (v >= 0)
		buf_add_u64(w->out, (uint64_t)v);
}

static void put_cause(struct csv_writer *w, enum account_what what)
{
	csv_plain(w);
	for (const char *c = account_name(what); *c; c++)
		buf_char(w->out, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
}

static void put_header(struct buf *to)
{
	struct csv_writer w = { .out = to, .eol = "\n" };

	for (int i = 0; i < COLUMNS; i++)
		csv_field(&w, str_of(column_names[i]));
	csv_end_row(&w);
}

static void put_rows(struct account *a, struct buf *to)
{
	struct csv_writer w = { .out = to, .eol = "\n" };
	const struct account_entry *entry;
	size_t n;

	entry = account_sorted(a, &n);
	for (size_t i = 0; i < n; i++) {
		if (account_is_of_ops(entry[i].what))
			continue;
		put_cause(&w, entry[i].what);
		put_number(&w, entry[i].place.device);
		put_number(&w, entry[i].place.core_x);
		put_number(&w, entry[i].place.core_y);
		csv_field(&w, str_of(entry[i].place.risc));
		csv_plain(&w);
		buf_add_u64(to, entry[i].count);
		csv_end_row(&w);
	}
}

enum ttp_rc account_csv_append(const char *path, struct account *a, struct ttp_err *e)
{
	struct out_append file;
	SCOPED(buf) struct buf text = { 0 };

	TTP_TRY(out_append_open(&file, e, "%s", path));
	if (file.fresh)
		put_header(&text);
	put_rows(a, &text);
	out_buf(&file.out, &text);
	return out_append_close(&file, e);
}

static bool find_cause(struct str name, enum account_what *what)
{
	for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++)
		if (str_eq_nocase(name, str_of(account_name((enum account_what)i)))) {
			*what = (enum account_what)i;
			return !account_is_of_ops(*what);
		}
	return false;
}

static int take_number(struct str s)
{
	int64_t v;

	return number_i64(s, &v) && v >= 0 && v <= INT32_MAX ? (int)v : -1;
}

static struct str cell(const struct csv_reader *r, const size_t *at, enum column c)
{
	return at[c] < r->fields ? r->field[at[c]] : STR("");
}

static bool read_row(const struct csv_reader *r, const size_t *at, struct account *a)
{
	struct account_place place = { take_number(cell(r, at, COLUMN_DEVICE)),
				       take_number(cell(r, at, COLUMN_CORE_X)),
				       take_number(cell(r, at, COLUMN_CORE_Y)), NULL };
	SCOPED(buf) struct buf risc = { 0 };
	enum account_what what;
	uint64_t count;

	if (!find_cause(cell(r, at, COLUMN_CAUSE), &what) ||
	    !number_u64(cell(r, at, COLUMN_COUNT), &count))
		return false;
	buf_str(&risc, cell(r, at, COLUMN_RISC));
	place.risc = risc.len ? risc.at : NULL;
	account_add(a, what, place, count);
	return true;
}

uint64_t account_csv_read(struct str text, struct account *a)
{
	size_t end = str_rfind_char(text, '\n'), at[COLUMNS];
	uint64_t bad = end == STR_NONE ? text.len > 0 : end + 1 < text.len;
	struct csv_reader r;

	/* a row that was written in part may be half a number */
	csv_reader_init(&r, end == STR_NONE ? STR("") : str_head(text, end + 1));
	if (csv_next(&r)) {
		for (int c = 0; c < COLUMNS; c++) {
			at[c] = SIZE_MAX;
			for (size_t i = 0; i < r.fields; i++)
				if (str_eq(r.field[i], str_of(column_names[c])))
					at[c] = i;
		}
		bad += at[COLUMN_CAUSE] == SIZE_MAX || at[COLUMN_COUNT] == SIZE_MAX;
		while (csv_next(&r))
			bad += !read_row(&r, at, a);
	}
	csv_reader_release(&r);
	return bad;
}
