// SPDX-License-Identifier: Apache-2.0
/*
 * A history in a file.  Write-ahead log: who reads waits for nobody, writers wait for each other.  A file is anybody's: nothing in it may run
 * (no trusted schema, no triggers or views of strangers), and what is damaged is an error.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/late.h"
#include "base/paths.h"
#include "history/store.h"

#define SQLITE_LIST(X)                \
	X(sqlite3_, bind_double)      \
	X(sqlite3_, bind_int64)       \
	X(sqlite3_, bind_null)        \
	X(sqlite3_, bind_text64)      \
	X(sqlite3_, busy_timeout)     \
	X(sqlite3_, close)            \
	X(sqlite3_, column_bytes)     \
	X(sqlite3_, column_count)     \
	X(sqlite3_, column_double)    \
	X(sqlite3_, column_int64)     \
	X(sqlite3_, column_text)      \
	X(sqlite3_, column_type)      \
	X(sqlite3_, db_config)        \
	X(sqlite3_, errmsg)           \
	X(sqlite3_, errstr)           \
	X(sqlite3_, extended_errcode) \
	X(sqlite3_, finalize)         \
	X(sqlite3_, open_v2)          \
	X(sqlite3_, prepare_v2)       \
	X(sqlite3_, step)             \
	X(sqlite3_, system_errno)
LATE_LIBRARY(lite, SQLITE_LIST)

enum { CELLS_MAX = 64 };

/* An error of SQLite in words that say what to do. */
static enum ttp_rc fail(sqlite3 *db, int code, struct ttp_err *e)
{
	int errnum = db ? lite.system_errno(db) : 0;
	enum ttp_rc rc = TTP_SYS;

	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		rc = ttp_fail(
			e, TTP_SYS,
			"it is locked: another program writes to it; try again, or wait for longer (--wait)");
		break;
	case SQLITE_FULL:
		rc = ttp_fail(e, TTP_SYS, "no space left on the device; nothing was changed");
		errnum = ENOSPC;
		break;
	case SQLITE_NOTADB:
		return ttp_fail(e, TTP_FORMAT, "it is no SQLite database");
	case SQLITE_CORRUPT:
		return ttp_fail(e, TTP_FORMAT,
				"it is damaged (%s); what is left: sqlite3 FILE .recover",
				lite.errmsg(db));
	case SQLITE_READONLY:
		rc = ttp_fail(e, TTP_SYS,
			      "it can't be written: the file or its folder is read-only");
		errnum = EROFS;
		break;
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_IOERR:
		if (errnum) {
			errno = errnum;
			return ttp_fail_errno(e, "%s", lite.errstr(code));
		}
		/* fall through */
	default:
		rc = ttp_fail(e, TTP_SYS, "%s", db ? lite.errmsg(db) : lite.errstr(code));
	}
	if (e)
		e->sys_errno = errnum;
	return rc;
}

static int bind(sqlite3_stmt *st, int at, const struct store_value *v)
{
	switch (v->kind) {
	case STORE_WHOLE:
		return lite.bind_int64(st, at, v->whole);
	case STORE_REAL:
		return lite.bind_double(st, at, v->real);
	case STORE_TEXT:
		return lite.bind_text64(st, at, v->text.at ? v->text.at : "", v->text.len,
					SQLITE_STATIC, SQLITE_UTF8);
	case STORE_NULL:
		break;
	}
	return lite.bind_null(st, at);
}

static struct store_value cell_of(sqlite3_stmt *st, int at)
{
	switch (lite.column_type(st, at)) {
	case SQLITE_INTEGER:
		return store_of_whole(lite.column_int64(st, at));
	case SQLITE_FLOAT:
		/* infinite, too: that nothing is known says NULL */
		return (struct store_value){ .kind = STORE_REAL,
					     .real = lite.column_double(st, at) };
	case SQLITE_NULL:
		return (struct store_value){ .kind = STORE_NULL };
	default: {
		const char *text = (const char *)lite.column_text(st, at);

		return store_of_text(
			str_n(text ? text : "", text ? (size_t)lite.column_bytes(st, at) : 0));
	}
	}
}

static enum ttp_rc take_rows(sqlite3 *db, sqlite3_stmt *st, store_row *row, void *ctx,
			     struct ttp_err *e)
{
	struct store_value cells[CELLS_MAX];
	int code, n;

	while ((code = lite.step(st)) == SQLITE_ROW) {
		n = lite.column_count(st);
		if (!row || n > CELLS_MAX)
			continue;
		for (int i = 0; i < n; i++)
			cells[i] = cell_of(st, i);
		TTP_TRY(row(ctx, cells, (size_t)n, e));
	}
	return code == SQLITE_DONE ? TTP_OK : fail(db, lite.extended_errcode(db), e);
}

static enum ttp_rc sqlite_run(struct store *s, const char *sql, const struct store_value *values,
			      size_t n, store_row *row, void *ctx, struct ttp_err *e)
{
	sqlite3_stmt *st;
	enum ttp_rc rc;

	if (lite.prepare_v2(s->db, sql, -1, &st, NULL))
		return fail(s->db, lite.extended_errcode(s->db), e);
	for (size_t i = 0; i < n; i++)
		if (bind(st, (int)i + 1, &values[i])) {
			rc = fail(s->db, lite.extended_errcode(s->db), e);
			lite.finalize(st);
			return rc;
		}
	rc = take_rows(s->db, st, row, ctx, e);
	lite.finalize(st);
	return rc;
}

static bool is_there(const char *path, const char *tail)
{
	SCOPED(buf) struct buf name = { 0 };

	buf_printf(&name, "%s%s", path, tail);
	return !access(name.at, F_OK);
}

/*
 * A file that only is read, in a folder that can't be written: the log of writers could not be opened there, and without one nothing is in it.  As a
 * URI, in which all but letters and digits is escaped.
 */
static int open_immutable(const char *path, sqlite3 **db)
{
	SCOPED(buf) struct buf uri = { 0 };

	buf_text(&uri, "file:");
	for (const char *c = path; *c; c++)
		if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
		    (*c >= '0' && *c <= '9') || *c == '/')
			buf_char(&uri, *c);
		else
			buf_printf(&uri, "%%%02x", (unsigned char)*c);
	buf_text(&uri, "?immutable=1");
	return lite.open_v2(uri.at, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

static enum ttp_rc probe(struct store *s, struct ttp_err *e)
{
	return sqlite_run(s, "SELECT count(*) FROM sqlite_master", NULL, 0, NULL, NULL, e);
}

static void harden(sqlite3 *db)
{
	int unused;

	(void)lite.db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, &unused);
	(void)lite.db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &unused);
	(void)lite.db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &unused);
	(void)lite.db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &unused);
}

/* Turning the log on needs the file for oneself, and does not wait for it: several that make a history at once try again. */
static enum ttp_rc use_log(struct store *s, double wait_s, struct ttp_err *e)
{
	int64_t until = clock_mono_ns() + (int64_t)(wait_s * 1e9);
	const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	enum ttp_rc rc;

	while ((rc = sqlite_run(s, "PRAGMA journal_mode=WAL", NULL, 0, NULL, NULL, e)) &&
	       (lite.extended_errcode(s->db) & 0xff) == SQLITE_BUSY && clock_mono_ns() < until)
		(void)nanosleep(&pause, NULL);
	return rc;
}

static enum ttp_rc sqlite_open(struct store *s, const struct store_ask *ask, struct ttp_err *e)
{
	bool writes = ask->mode == STORE_WRITE;
	int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	double wait_ms = ask->wait_s * 1000;
	SCOPED(buf) struct buf path = { 0 };
	sqlite3 *db;
	int code;

	if (!*ask->where)
		return ttp_fail(e, TTP_USAGE, "--db: a file without a name");
	/* ":memory:" is a file like any other */
	buf_printf(&path, "%s%s", *ask->where == ':' ? "./" : "", ask->where);
	if (path_is_folder(path.at))
		return ttp_fail(e, TTP_USAGE, "it is a folder; --db takes a file");
	if (!writes && access(path.at, F_OK))
		return ttp_fail(e, TTP_USAGE,
				"there is no history yet; `ttprof history add RUN` makes it");
	if (!path_is_file(path.at) && !access(path.at, F_OK))
		return ttp_fail(e, TTP_USAGE, "it is no file");
	TTP_TRY(LATE_LOAD(lite, "libsqlite3.so.0", "libsqlite3-0", e));
	code = lite.open_v2(path.at, &db, flags, NULL);
	s->db = db;
	if (code)
		return fail(db, db ? lite.extended_errcode(db) : code, e);
	(void)lite.busy_timeout(db, wait_ms > 1e9 ? 1000 * 1000 * 1000 : (int)wait_ms);
	harden(db);
	if (writes) {
		TTP_TRY(use_log(s, ask->wait_s, e));
		return sqlite_run(s, "PRAGMA synchronous=FULL", NULL, 0, NULL, NULL, e);
	}
	if (!probe(s, e))
		return TTP_OK;
	code = lite.extended_errcode(db) & 0xff;
	if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || is_there(path.at, "-wal"))
		return e->rc;
	(void)lite.close(db);
	code = open_immutable(path.at, &db);
	s->db = db;
	if (code)
		return fail(db, db ? lite.extended_errcode(db) : code, e);
	harden(db);
	return probe(s, e);
}

static void sqlite_close(struct store *s)
{
	if (s->db)
		(void)lite.close(s->db);
}

const struct store_driver store_sqlite = {
	.open = sqlite_open,
	.close = sqlite_close,
	.run = sqlite_run,
	.begin = "BEGIN IMMEDIATE",
	.tables =
		"SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
	.is_alone = true,
};
