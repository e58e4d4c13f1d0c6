// SPDX-License-Identifier: Apache-2.0
/* A history on a server of PostgreSQL, for a team.  libpq's functions are few and have not changed in twenty years: they are declared here, so that nothing is needed to build. */
#include <stdlib.h>

#include "base/late.h"
#include "base/number.h"
#include "base/vec.h"
#include "history/store.h"

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_conninfo_option PQconninfoOption;

enum { CONNECTION_OK = 0, PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2 };

PGconn *PQconnectdb(const char *where);
int PQstatus(const PGconn *c);
char *PQerrorMessage(const PGconn *c);
void PQfinish(PGconn *c);
int PQsetClientEncoding(PGconn *c, const char *name);
PGresult *PQexecParams(PGconn *c, const char *sql, int n, const unsigned *types,
		       const char *const *values, const int *lengths, const int *formats, int form);
int PQresultStatus(const PGresult *r);
char *PQresultErrorField(const PGresult *r, int field);
int PQntuples(const PGresult *r);
int PQnfields(const PGresult *r);
char *PQgetvalue(const PGresult *r, int row, int column);
int PQgetlength(const PGresult *r, int row, int column);
int PQgetisnull(const PGresult *r, int row, int column);
void PQclear(PGresult *r);
PQconninfoOption *PQconninfoParse(const char *where, char **why);
void PQconninfoFree(PQconninfoOption *options);
void PQfreemem(void *why);
/* Notices of the server would go to stderr. */
void *PQsetNoticeProcessor(PGconn *c, void (*take)(void *ctx, const char *text), void *ctx);

#define PQ_LIST(X)               \
	X(PQ, conninfoFree)      \
	X(PQ, conninfoParse)     \
	X(PQ, connectdb)         \
	X(PQ, status)            \
	X(PQ, errorMessage)      \
	X(PQ, finish)            \
	X(PQ, freemem)           \
	X(PQ, setClientEncoding) \
	X(PQ, execParams)        \
	X(PQ, resultStatus)      \
	X(PQ, resultErrorField)  \
	X(PQ, ntuples)           \
	X(PQ, nfields)           \
	X(PQ, getvalue)          \
	X(PQ, getlength)         \
	X(PQ, getisnull)         \
	X(PQ, clear)             \
	X(PQ, setNoticeProcessor)
LATE_LIBRARY(pq, PQ_LIST)

enum { CELLS_MAX = 64, ERROR_STATE = 'C' };

/* Its messages are several lines. */
static enum ttp_rc fail(PGconn *c, const PGresult *r, struct ttp_err *e)
{
	struct str text = str_trim(str_of(pq.errorMessage(c)));
	const char *state = r ? pq.resultErrorField(r, ERROR_STATE) : NULL;
	SCOPED(buf) struct buf line = { 0 };

	for (size_t i = 0; i < text.len; i++)
		if (text.at[i] == '\n')
			buf_text(&line, ": ");
		else if (text.at[i] != '\t')
			buf_char(&line, text.at[i]);
	if (state && (!strcmp(state, "25006") || !strcmp(state, "42501")))
		return ttp_fail(e, TTP_SYS, "it can't be written: %s", line.at);
	if (state && !strcmp(state, "55P03"))
		return ttp_fail(
			e, TTP_SYS,
			"it is locked: another program writes to it; try again, or wait for longer (--wait)");
	return ttp_fail(e, TTP_SYS, "%s", line.len ? line.at : "no answer");
}

/* Parameters are texts; that of a NULL is none. */
static void put_values(struct buf *b, size_t *at, const struct store_value *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		at[i] = b->len;
		switch (values[i].kind) {
		case STORE_WHOLE:
			buf_add_i64(b, values[i].whole);
			break;
		case STORE_REAL:
			number_shortest(b, values[i].real);
			break;
		case STORE_TEXT:
			buf_str(b, values[i].text);
			break;
		case STORE_NULL:
			break;
		}
		buf_char(b, 0);
	}
}

static enum ttp_rc take_rows(const PGresult *r, store_row *row, void *ctx, struct ttp_err *e)
{
	struct store_value cells[CELLS_MAX];
	int n = pq.nfields(r);

	for (int i = 0; row && n <= CELLS_MAX && i < pq.ntuples(r); i++) {
		for (int k = 0; k < n; k++)
			cells[k] = pq.getisnull(r, i, k)
					   ? (struct store_value){ .kind = STORE_NULL }
					   : store_of_text(str_n(pq.getvalue(r, i, k),
								 (size_t)pq.getlength(r, i, k)));
		TTP_TRY(row(ctx, cells, (size_t)n, e));
	}
	return TTP_OK;
}

static enum ttp_rc postgres_run(struct store *s, const char *sql, const struct store_value *values,
				size_t n, store_row *row, void *ctx, struct ttp_err *e)
{
	SCOPED(buf) struct buf text = { 0 };
	SCOPED(mem) size_t *at = mem_alloc(n + 1, sizeof(*at));
	SCOPED(mem) const char **given = mem_zero(n + 1, sizeof(*given));
	PGresult *r;
	enum ttp_rc rc;
	int status;

	put_values(&text, at, values, n);
	for (size_t i = 0; i < n; i++)
		given[i] = values[i].kind == STORE_NULL ? NULL : text.at + at[i];
	r = pq.execParams(s->db, sql, (int)n, NULL, given, NULL, NULL, 0);
	status = r ? pq.resultStatus(r) : -1;
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		rc = fail(s->db, r, e);
	else
		rc = take_rows(r, row, ctx, e);
	pq.clear(r);
	return rc;
}

static void ignore_notice(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

/* What libpq says of an address that it can't parse has all of it, also the password. */
static enum ttp_rc check_words(const char *where, struct ttp_err *e)
{
	char *why = NULL;
	PQconninfoOption *parsed = pq.conninfoParse(where, &why);

	if (!parsed) {
		pq.freemem(why);
		return ttp_fail(
			e, TTP_USAGE,
			"it is no address that libpq understands: postgresql://USER@HOST:PORT/NAME?OPTION=VALUE");
	}
	pq.conninfoFree(parsed);
	return TTP_OK;
}

static enum ttp_rc postgres_open(struct store *s, const struct store_ask *ask, struct ttp_err *e)
{
	SCOPED(buf) struct buf wait = { 0 };
	double wait_ms = ask->wait_s * 1000;

	TTP_TRY(LATE_LOAD(pq, "libpq.so.5", "libpq5", e));
	TTP_TRY(check_words(ask->where, e));
	s->db = pq.connectdb(ask->where);
	if (!s->db || pq.status(s->db) != CONNECTION_OK)
		return s->db ? fail(s->db, NULL, e)
			     : ttp_fail(e, TTP_SYS, "no memory for a connection");
	(void)pq.setNoticeProcessor(s->db, ignore_notice, NULL);
	if (pq.setClientEncoding(s->db, "UTF8"))
		return fail(s->db, NULL, e);
	buf_printf(&wait, "SET lock_timeout = %.0f",
		   wait_ms < 1     ? 1
		   : wait_ms > 1e9 ? 1e9
				   : wait_ms);
	TTP_TRY(postgres_run(s, wait.at, NULL, 0, NULL, NULL, e));
	return ask->mode == STORE_READ ? postgres_run(s, "SET default_transaction_read_only = on",
						      NULL, 0, NULL, NULL, e)
				       : TTP_OK;
}

static void postgres_close(struct store *s)
{
	if (s->db)
		pq.finish(s->db);
}

const struct store_driver store_postgres = {
	.open = postgres_open,
	.close = postgres_close,
	.run = postgres_run,
	.begin = "BEGIN",
	.lock = "SELECT pg_advisory_xact_lock(8390880602)",
	.tables =
		"SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND pg_table_is_visible(oid)",
};
