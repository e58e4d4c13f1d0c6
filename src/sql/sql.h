// SPDX-License-Identifier: Apache-2.0
/*
 * Queries over runs.
 *
 *	sql_open(&q, paths, n, &e)        the runs are opened, nothing of them is read yet
 *	sql_query(q, "SELECT ...", &sink, &e)
 *	sql_close(q)
 */
#ifndef TTP_SQL_SQL_H
#define TTP_SQL_SQL_H

#include "sql/sql_tables.h"

struct sql;

/* Close it in any case (NULL is fine). */
enum ttp_rc sql_open(struct sql **q, const char *const *paths, size_t n,
		     struct ttp_err *e) TTP_CHECKED;
void sql_close(struct sql *q);
/* The runs, and what could not be read of them so far. */
struct sql_data *sql_data(struct sql *q);

/* A value of a result; `blob`: text[0..bytes) are bytes. */
struct sql_cell {
	enum sql_kind kind;
	bool blob;
	int64_t whole;
	double real;
	struct str text;
};

struct sql_sink {
	void *ctx;
	/* Once, before the rows. */
	void (*head)(void *ctx, const char *const *names, size_t n);
	/* False ends the query. */
	bool (*row)(void *ctx, const struct sql_cell *cells, size_t n);
};

/* One statement that reads.  What writes, attaches files or changes settings is refused. */
enum ttp_rc sql_query(struct sql *q, const char *text, const struct sql_sink *sink,
		      struct ttp_err *e) TTP_CHECKED;
/* All tables, with all their rows, as an SQLite file that must not be there yet. */
enum ttp_rc sql_save(struct sql *q, const char *path, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_SQL_SQL_H */
