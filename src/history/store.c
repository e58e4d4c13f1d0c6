// SPDX-License-Identifier: Apache-2.0
#include "history/store.h"

#include <math.h>

#include "base/input.h"
#include "base/number.h"

struct store_value store_of_real(double v)
{
	return isfinite(v) ? (struct store_value){ .kind = STORE_REAL, .real = v }
			   : (struct store_value){ .kind = STORE_NULL };
}

bool store_whole(const struct store_value *v, int64_t *to)
{
	*to = v->whole;
	return v->kind == STORE_WHOLE || (v->kind == STORE_TEXT && number_i64(v->text, to));
}

bool store_real(const struct store_value *v, double *to)
{
	*to = v->kind == STORE_REAL ? v->real : v->kind == STORE_WHOLE ? (double)v->whole : NAN;
	return v->kind != STORE_TEXT || number_double(v->text, to);
}

bool store_text(const struct store_value *v, struct str *to)
{
	*to = v->kind == STORE_TEXT ? v->text : STR("");
	return v->kind == STORE_TEXT || v->kind == STORE_NULL;
}

bool store_is_server(const char *where)
{
	struct str s = str_of(where);

	return str_starts(s, STR("postgresql://")) || str_starts(s, STR("postgres://"));
}

bool store_is_file(const char *where)
{
	struct ttp_err unused;
	struct input in;
	bool is;

	if (input_open_file(&in, where, &unused))
		return false;
	is = str_starts(in.data, str_n("SQLite format 3", 16)); /* with its NUL */
	input_close(&in);
	return is;
}

/* postgresql://user:password@host/db without the password. */
static void show_server(struct buf *b, struct str where)
{
	size_t host = str_find(where, STR("://")) + 3, at, colon;
	struct str rest = str_from(where, host), user;

	rest = str_head(rest, str_find_char(rest, '?')); /* ?password= */
	at = str_rfind_char(rest, '@');
	buf_str(b, str_head(where, host));
	if (at != STR_NONE) {
		user = str_head(rest, at);
		colon = str_find_char(user, ':');
		buf_str(b, str_head(user, colon));
		buf_char(b, '@');
		rest = str_from(rest, at + 1);
	}
	buf_str(b, rest);
}

enum ttp_rc store_open(struct store *s, const struct store_ask *ask, struct ttp_err *e)
{
	enum ttp_rc rc;

	*s = (struct store){ 0 };
	if (store_is_server(ask->where)) {
		show_server(&s->shown, str_of(ask->where));
		s->driver = &store_postgres;
	} else if (str_find(str_of(ask->where), STR("://")) != STR_NONE) {
		return ttp_fail(e, TTP_USAGE, "--db takes a file, or postgresql://USER@HOST/NAME");
	} else {
		buf_text(&s->shown, ask->where);
		s->driver = &store_sqlite;
	}
	rc = s->driver->open(s, ask, e);
	return rc ? ttp_wrap(e, rc, "%s", s->shown.at) : TTP_OK;
}

void store_close(struct store *s)
{
	if (s->driver)
		s->driver->close(s);
	buf_release(&s->shown);
	*s = (struct store){ 0 };
}

enum ttp_rc store_run(struct store *s, const char *sql, const struct store_value *values, size_t n,
		      store_row *row, void *ctx, struct ttp_err *e)
{
	enum ttp_rc rc = s->driver->run(s, sql, values, n, row, ctx, e);

	return rc ? ttp_wrap(e, rc, "%s", s->shown.at) : TTP_OK;
}
