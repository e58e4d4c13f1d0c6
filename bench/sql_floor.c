// SPDX-License-Identifier: Apache-2.0
/*
 * sql_floor ROWS QUERY: the least that a query over a virtual table of SQLite takes.  The table `zones` has the columns of a query of
 * bench/sql, and nothing behind them: a row is a number, its name one of 16 constants (in order, as ttprof promises where it groups by name), its
 * duration a constant.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static sqlite3_int64 rows;

struct cursor {
	sqlite3_vtab_cursor base;
	sqlite3_int64 at;
};

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
			 sqlite3_vtab **out, char **why)
{
	(void)aux;
	(void)argc;
	(void)argv;
	(void)why;
	*out = calloc(1, sizeof(**out));
	return *out ? sqlite3_declare_vtab(db, "CREATE TABLE x(name TEXT, duration_ns INTEGER)")
		    : SQLITE_NOMEM;
}

static int disconnect(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

static int plan(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	info->orderByConsumed = info->nOrderBy == 1;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct cursor *c = calloc(1, sizeof(*c));

	(void)t;
	*out = &c->base;
	return c ? SQLITE_OK : SQLITE_NOMEM;
}

static int close_cursor(sqlite3_vtab_cursor *c)
{
	free(c);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *c, int how, const char *text, int argc, sqlite3_value **argv)
{
	(void)how;
	(void)text;
	(void)argc;
	(void)argv;
	((struct cursor *)c)->at = 0;
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *c)
{
	((struct cursor *)c)->at++;
	return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *c)
{
	return ((struct cursor *)c)->at >= rows;
}

static int column(sqlite3_vtab_cursor *c, sqlite3_context *to, int i)
{
	static const char *const names[] = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
					     "a8", "a9", "b0", "b1", "b2", "b3", "b4", "b5" };

	if (i)
		sqlite3_result_int64(to, 1000);
	else
		sqlite3_result_text(to, names[((struct cursor *)c)->at * 16 / rows], 2,
				    SQLITE_STATIC);
	return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *c, sqlite3_int64 *id)
{
	*id = ((struct cursor *)c)->at;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = connect_table,
	.xBestIndex = plan,
	.xDisconnect = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = eof,
	.xColumn = column,
	.xRowid = row_number,
};

int main(int argc, char **argv)
{
	sqlite3 *db = NULL;
	int rc;

	if (argc != 3)
		return 2;
	rows = strtoll(argv[1], NULL, 10);
	rc = sqlite3_open(":memory:", &db);
	if (!rc)
		rc = sqlite3_create_module(db, "zones", &module, NULL);
	if (!rc)
		rc = sqlite3_exec(db, argv[2], NULL, NULL, NULL);
	if (rc)
		fprintf(stderr, "sql_floor: %s\n", sqlite3_errmsg(db));
	sqlite3_close(db);
	return rc != SQLITE_OK;
}
