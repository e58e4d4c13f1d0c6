// SPDX-License-Identifier: Apache-2.0
/*
 * SQLite over the tables of sql/sql_tables.h.  Each is a virtual table that is there without having been created, in a database in memory that has
 * nothing else.  A statement is checked by an authorizer while it is compiled: it may read, and call functions that have no effect outside.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/late.h"
#include "base/out.h"
#include "sql/sql.h"

#define SQLITE_LIST(X)                    \
	X(sqlite3_, bind_parameter_count) \
	X(sqlite3_, close)                \
	X(sqlite3_, column_blob)          \
	X(sqlite3_, column_bytes)         \
	X(sqlite3_, column_count)         \
	X(sqlite3_, column_double)        \
	X(sqlite3_, column_int64)         \
	X(sqlite3_, column_name)          \
	X(sqlite3_, column_type)          \
	X(sqlite3_, create_module)        \
	X(sqlite3_, db_config)            \
	X(sqlite3_, declare_vtab)         \
	X(sqlite3_, errcode)              \
	X(sqlite3_, errmsg)               \
	X(sqlite3_, exec)                 \
	X(sqlite3_, finalize)             \
	X(sqlite3_, free)                 \
	X(sqlite3_, mprintf)              \
	X(sqlite3_, open_v2)              \
	X(sqlite3_, prepare_v2)           \
	X(sqlite3_, result_double)        \
	X(sqlite3_, result_int64)         \
	X(sqlite3_, result_text)          \
	X(sqlite3_, serialize)            \
	X(sqlite3_, set_authorizer)       \
	X(sqlite3_, step)                 \
	X(sqlite3_, stmt_readonly)        \
	X(sqlite3_, value_text)           \
	X(sqlite3_, value_bytes)          \
	X(sqlite3_, value_int64)          \
	X(sqlite3_, vtab_collation)
LATE_LIBRARY(lite, SQLITE_LIST)

struct module {
	struct sql *q;
	const struct sql_table *table;
};

struct sql {
	sqlite3 *db;
	struct sql_data data;
	struct module *modules;
	struct ttp_err failed; /* of a part that could not be read while a query ran */
	bool declaring;        /* SQLite parses what we say of a table */
};

struct sql_data *sql_data(struct sql *q)
{
	return &q->data;
}

/* ---- a virtual table ---- */

struct table {
	sqlite3_vtab base;
	struct module *m;
};

struct cursor {
	sqlite3_vtab_cursor base;
	size_t run;
	size_t at, end;        /* rows, or positions in `order` */
	const uint32_t *order; /* NULL: rows as they are */
	/* what was asked for: */
	int how;
	struct buf text;
	int64_t id;
};

/* How rows are read: as they are, in the order of the texts of a column, those of one text, those of one op. */
enum { IN_ORDER = 1, OF_TEXT = 2, OF_ID = 3, HOW_SHIFT = 2, HOW_MASK = 3 };

static struct module *module_of(sqlite3_vtab_cursor *c)
{
	return ((struct table *)c->pVtab)->m;
}

static int fail(sqlite3_vtab *t, const struct ttp_err *e)
{
	t->zErrMsg = lite.mprintf("%s", e->msg);
	return SQLITE_ERROR;
}

static void declare(struct module *m, struct buf *b)
{
	static const char *const types[] = { "", "INTEGER", "REAL", "TEXT" };
	struct sql_column c;

	buf_text(b, "CREATE TABLE x(run INTEGER");
	for (size_t i = 0; m->table->column(&m->q->data, i, &c); i++)
		buf_printf(b, ", \"%s\" %s", c.name, types[c.kind]);
	buf_text(b, ")");
}

static int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
			 sqlite3_vtab **out, char **why)
{
	SCOPED(buf) struct buf text = { 0 };
	struct table *t;
	int rc;

	(void)argc;
	(void)argv;
	declare(aux, &text);
	((struct module *)aux)->q->declaring = true;
	rc = lite.declare_vtab(db, text.at);
	((struct module *)aux)->q->declaring = false;
	if (rc) {
		*why = lite.mprintf("%s", lite.errmsg(db));
		return rc;
	}
	t = mem_zero(1, sizeof(*t));
	t->m = aux;
	*out = &t->base;
	return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

/* As SQLite counts columns. */
static bool is_keyed(const struct sql_table *t, int column)
{
	return column > 0 && column <= 32 && t->keyed >> (column - 1) & 1;
}

static int table_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct module *m = ((struct table *)base)->m;

	info->estimatedCost = 1e6;
	info->estimatedRows = 1000 * 1000;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];

		if (c->usable && c->op == SQLITE_INDEX_CONSTRAINT_EQ && c->iColumn == 1 &&
		    m->table->has_ids) {
			info->aConstraintUsage[i].argvIndex = 1;
			info->idxNum = OF_ID;
			info->estimatedCost = 100;
			info->estimatedRows = 10;
			return SQLITE_OK;
		}
		if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ ||
		    !is_keyed(m->table, c->iColumn) ||
		    strcmp(lite.vtab_collation(info, i), "BINARY") != 0)
			continue;
		info->aConstraintUsage[i].argvIndex = 1;
		info->idxNum = c->iColumn << HOW_SHIFT | OF_TEXT;
		info->estimatedCost = 1e4;
		info->estimatedRows = 10000;
		return SQLITE_OK;
	}
	/* rows of several runs would be in order within each only */
	if (info->nOrderBy == 1 && !info->aOrderBy[0].desc && m->q->data.runs.len == 1 &&
	    is_keyed(m->table, info->aOrderBy[0].iColumn)) {
		info->idxNum = info->aOrderBy[0].iColumn << HOW_SHIFT | IN_ORDER;
		info->orderByConsumed = 1;
	}
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct cursor *c = mem_zero(1, sizeof(*c));

	(void)t;
	*out = &c->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	buf_release(&c->text);
	free(c);
	return SQLITE_OK;
}

static void choose_rows(struct cursor *c, const struct sql_keys *keys, bool of_text)
{
	uint32_t text;

	if (!keys)
		return; /* SQLite compares what it gets once more, and no order was promised for more than one run */
	c->order = keys->order;
	if (!of_text)
		return;
	text = intern_find(keys->texts, buf_view(&c->text));
	c->at = text == INTERN_NONE ? 0 : keys->starts[text];
	c->end = text == INTERN_NONE ? 0 : keys->ends[text];
}

/* Once: several tables may need the same file. */
static void keep_failed(struct sql_data *d, const struct ttp_err *e)
{
	vec_each (known, &d->failed)
		if (!strcmp(known->msg, e->msg))
			return;
	*vec_push(&d->failed) = *e;
}

/* The rows of this run, or of the first one behind it that has some. */
static int enter_run(struct cursor *c)
{
	struct module *m = module_of(&c->base);
	struct sql_data *d = &m->q->data;
	struct ttp_err e;

	for (; c->run < d->runs.len; c->run++) {
		struct sql_run *r = &d->runs.at[c->run];

		c->at = c->end = 0;
		c->order = NULL;
		if (m->table->rows(d, r, &c->end, &e)) {
			if (!d->lenient) {
				m->q->failed = e;
				return fail(c->base.pVtab, &e);
			}
			keep_failed(d, &e);
			c->end = 0;
		}
		if (c->how == OF_ID)
			sql_rows_of_id(m->table, r, c->end, c->id, &c->order, &c->at, &c->end);
		else if (c->how)
			choose_rows(c, m->table->keys(r, (size_t)(c->how >> HOW_SHIFT) - 1),
				    (c->how & HOW_MASK) == OF_TEXT);
		if (c->at < c->end)
			break;
	}
	return SQLITE_OK;
}

static int cursor_filter(sqlite3_vtab_cursor *base, int how, const char *unused, int argc,
			 sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;

	(void)unused;
	c->run = 0;
	c->how = how;
	if (how == OF_ID) {
		/* what is no whole number is the id of no op; SQLite compares once more */
		c->id = lite.value_int64(argv[0]);
	} else if (argc) {
		const unsigned char *text = lite.value_text(argv[0]);

		buf_set_str(&c->text, str_n(text ? (const char *)text : "",
					    text ? (size_t)lite.value_bytes(argv[0]) : 0));
	}
	return enter_run(c);
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	if (++c->at < c->end)
		return SQLITE_OK;
	c->run++;
	return enter_run(c);
}

static int cursor_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->run >= module_of(base)->q->data.runs.len;
}

static size_t row_of(const struct cursor *c)
{
	return c->order ? c->order[c->at] : c->at;
}

static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	struct cursor *c = (struct cursor *)base;
	const struct module *m = module_of(base);
	struct sql_value v = { 0 };

	if (column == 0) {
		lite.result_int64(to, (int64_t)c->run + 1);
		return SQLITE_OK;
	}
	m->table->value(&m->q->data.runs.at[c->run], row_of(c), (size_t)column - 1, &v);
	switch (v.kind) {
	case SQL_NULL:
		break;
	case SQL_WHOLE:
		lite.result_int64(to, v.whole);
		break;
	case SQL_REAL:
		lite.result_double(to, v.real);
		break;
	case SQL_TEXT:
		lite.result_text(to, v.text, -1, v.fleeting ? SQLITE_TRANSIENT : SQLITE_STATIC);
		break;
	}
	return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	const struct cursor *c = (const struct cursor *)base;

	*id = (sqlite3_int64)(c->run << 40 | row_of(c)) + 1;
	return SQLITE_OK;
}

static const sqlite3_module table_module = {
	.xConnect = table_connect,
	.xBestIndex = table_plan,
	.xDisconnect = table_disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_filter,
	.xNext = cursor_next,
	.xEof = cursor_eof,
	.xColumn = cursor_column,
	.xRowid = cursor_rowid,
};

/* ---- the database ---- */

static enum ttp_rc lite_fail(struct sql *q, struct ttp_err *e)
{
	if (lite.errcode(q->db) == SQLITE_AUTH)
		return ttp_fail(
			e, TTP_USAGE,
			"a query reads: it can't write, attach files or change settings (%s)",
			lite.errmsg(q->db));
	return ttp_fail(e, TTP_USAGE, "%s", lite.errmsg(q->db));
}

/* Functions that reach out of the query, or that take and give addresses. */
static bool is_refused(const char *function)
{
	static const char *const names[] = { "load_extension", "fts3_tokenizer", "sqlite_log",
					     "rtreenode",      "rtreedepth",     "rtreecheck",
					     "geopoly_debug" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(function, names[i]))
			return true;
	return false;
}

static int only_reads(void *ctx, int action, const char *a, const char *b, const char *db,
		      const char *trigger)
{
	(void)db;
	(void)trigger;
	if (((const struct sql *)ctx)->declaring)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return b && is_refused(b) ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA: /* of what tables look like */
		return a && (!strcasecmp(a, "table_info") || !strcasecmp(a, "table_xinfo") ||
			     !strcasecmp(a, "table_list"))
			       ? SQLITE_OK
			       : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static enum ttp_rc open_database(struct sql *q, struct ttp_err *e)
{
	if (lite.open_v2(":memory:", &q->db, SQLITE_OPEN_READWRITE, NULL))
		return ttp_fail(e, TTP_SYS, "SQLite: %s",
				q->db ? lite.errmsg(q->db) : "out of memory");
	(void)lite.db_config(q->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	(void)lite.db_config(q->db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
	(void)lite.db_config(q->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	for (size_t i = 0; i < sql_table_count; i++) {
		q->modules[i] = (struct module){ q, &sql_tables[i] };
		if (lite.create_module(q->db, sql_tables[i].name, &table_module, &q->modules[i]))
			return lite_fail(q, e);
	}
	return TTP_OK;
}

enum ttp_rc sql_open(struct sql **out, const char *const *paths, size_t n, struct ttp_err *e)
{
	struct sql *q = *out = mem_zero(1, sizeof(*q));

	q->modules = mem_zero(sql_table_count, sizeof(*q->modules));
	TTP_TRY(sql_data_open(&q->data, paths, n, e));
	TTP_TRY(LATE_LOAD(lite, "libsqlite3.so.0", "libsqlite3-0", e));
	TTP_TRY(open_database(q, e));
	(void)lite.set_authorizer(q->db, only_reads, q);
	return TTP_OK;
}

void sql_close(struct sql *q)
{
	if (!q)
		return;
	if (q->db)
		lite.close(q->db);
	sql_data_close(&q->data);
	free(q->modules);
	free(q);
}

/* ---- queries ---- */

static struct sql_cell cell_of(sqlite3_stmt *s, int i)
{
	struct sql_cell c = { .kind = SQL_TEXT };

	switch (lite.column_type(s, i)) {
	case SQLITE_NULL:
		c.kind = SQL_NULL;
		break;
	case SQLITE_INTEGER:
		c.kind = SQL_WHOLE;
		c.whole = lite.column_int64(s, i);
		break;
	case SQLITE_FLOAT:
		c.kind = SQL_REAL;
		c.real = lite.column_double(s, i);
		break;
	case SQLITE_BLOB:
		c.blob = true;
		/* fall through */
	default:
		c.text.at = lite.column_blob(s, i);
		c.text.len = (size_t)lite.column_bytes(s, i);
	}
	return c;
}

static void hand_out_head(sqlite3_stmt *s, const struct sql_sink *sink, size_t n)
{
	SCOPED(mem) const char **names = mem_zero(n + 1, sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = lite.column_name(s, (int)i);
	sink->head(sink->ctx, names, n);
}

static enum ttp_rc hand_out(struct sql *q, sqlite3_stmt *s, const struct sql_sink *sink,
			    struct ttp_err *e)
{
	size_t n = (size_t)lite.column_count(s);
	SCOPED(mem) struct sql_cell *cells = mem_alloc(n + 1, sizeof(*cells));
	int rc;

	hand_out_head(s, sink, n);
	while ((rc = lite.step(s)) == SQLITE_ROW) {
		for (size_t i = 0; i < n; i++)
			cells[i] = cell_of(s, (int)i);
		if (!sink->row(sink->ctx, cells, n))
			return TTP_OK;
	}
	if (rc == SQLITE_DONE)
		return TTP_OK;
	if (q->failed.rc) {
		*e = q->failed;
		return e->rc;
	}
	return lite_fail(q, e);
}

/* Blanks, line ends, semicolons and comments are no second statement; what is one does not parse as nothing. */
static bool has_more(struct sql *q, const char *rest)
{
	sqlite3_stmt *next = NULL;
	bool more = lite.prepare_v2(q->db, rest, -1, &next, NULL) || next;

	lite.finalize(next);
	return more;
}

enum ttp_rc sql_query(struct sql *q, const char *text, const struct sql_sink *sink,
		      struct ttp_err *e)
{
	sqlite3_stmt *s = NULL;
	const char *rest = "";
	enum ttp_rc rc;

	q->failed = (struct ttp_err){ 0 };
	if (lite.prepare_v2(q->db, text, -1, &s, &rest))
		rc = lite_fail(q, e);
	else if (!s)
		rc = ttp_fail(e, TTP_USAGE, "the query is empty");
	else if (!lite.stmt_readonly(s))
		rc = ttp_fail(e, TTP_USAGE, "a query reads: it can't write");
	else if (lite.bind_parameter_count(s))
		rc = ttp_fail(
			e, TTP_USAGE,
			"?, :name, @name and $name stand for values that nobody gives: write them into the query (in single quotes, so that the shell leaves it alone)");
	else if (has_more(q, rest))
		rc = ttp_fail(e, TTP_USAGE, "one statement at a time");
	else
		rc = hand_out(q, s, sink, e);
	lite.finalize(s);
	return rc;
}

/* ---- a file ---- */

static enum ttp_rc copy_tables(struct sql *q, struct ttp_err *e)
{
	SCOPED(buf) struct buf text = { 0 };

	buf_text(&text, "BEGIN;");
	for (size_t i = 0; i < sql_table_count; i++) /* the virtual one has another schema's name */
		buf_printf(&text, "CREATE TABLE main.\"%s_\" AS SELECT * FROM \"%s\";",
			   sql_tables[i].name, sql_tables[i].name);
	for (size_t i = 0; i < sql_table_count; i++)
		buf_printf(&text, "ALTER TABLE main.\"%s_\" RENAME TO \"%s\";", sql_tables[i].name,
			   sql_tables[i].name);
	buf_text(&text, "COMMIT;");
	q->failed = (struct ttp_err){ 0 };
	if (!lite.exec(q->db, text.at, NULL, NULL, NULL))
		return TTP_OK;
	if (q->failed.rc) {
		*e = q->failed;
		return e->rc;
	}
	return ttp_fail(e, TTP_SYS, "%s", lite.errmsg(q->db));
}

static enum ttp_rc write_database(struct sql *q, const char *path, struct ttp_err *e)
{
	sqlite3_int64 size = 0;
	unsigned char *bytes = lite.serialize(q->db, "main", &size, 0);
	struct out_file file;
	enum ttp_rc rc;

	if (!bytes)
		return ttp_fail(e, TTP_LIMIT, "the tables are too large for one file (2 GB)");
	rc = out_file_open(&file, path, e);
	if (!rc) {
		out_add(&file.out, (const char *)bytes, (size_t)size);
		rc = out_file_commit(&file, e);
	}
	lite.free(bytes);
	return rc;
}

/* Made in memory, so that the file is whole or not there. */
enum ttp_rc sql_save(struct sql *q, const char *path, struct ttp_err *e)
{
	sqlite3 *queries = q->db;
	enum ttp_rc rc;

	if (!access(path, F_OK))
		return ttp_fail(e, TTP_USAGE, "%s is there already: name a new file", path);
	q->db = NULL;
	q->data.lenient = true; /* a part that can't be read is no reason to lose the others */
	rc = open_database(q, e);
	if (!rc)
		rc = copy_tables(q, e);
	if (!rc)
		rc = write_database(q, path, e);
	if (q->db)
		lite.close(q->db);
	q->db = queries;
	return rc;
}
