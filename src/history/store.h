// SPDX-License-Identifier: Apache-2.0
/*
 * A database with SQL that is the same for all of them: a file of SQLite, or PostgreSQL.
 *
 * Statements have $1, $2, … in this order.  Both libraries are loaded when they are needed.
 */
#ifndef TTP_HISTORY_STORE_H
#define TTP_HISTORY_STORE_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum store_value_kind { STORE_NULL, STORE_WHOLE, STORE_REAL, STORE_TEXT };

struct store_value {
	enum store_value_kind kind;
	int64_t whole;
	double real;
	struct str text;
};

static inline struct store_value store_of_whole(int64_t v)
{
	return (struct store_value){ .kind = STORE_WHOLE, .whole = v };
}

/* What is no number is NULL. */
struct store_value store_of_real(double v);

static inline struct store_value store_of_text(struct str text)
{
	return (struct store_value){ .kind = STORE_TEXT, .text = text };
}

/* What a cell says; false where it says something else.  NULL is NAN, or an empty text. */
bool store_whole(const struct store_value *v, int64_t *to);
bool store_real(const struct store_value *v, double *to);
bool store_text(const struct store_value *v, struct str *to);

/* A row of a result; an error ends the statement, and is its own. */
typedef enum ttp_rc store_row(void *ctx, const struct store_value *cells, size_t n,
			      struct ttp_err *e);

enum store_mode { STORE_READ, STORE_WRITE };

struct store_ask {
	const char *where; /* a file, or postgresql://… */
	enum store_mode mode;
	double wait_s; /* for those who write, at most */
};

struct store {
	const struct store_driver *driver;
	void *db;
	struct buf shown; /* for messages: no password */
};

/* One of the databases. */
struct store_driver {
	enum ttp_rc (*open)(struct store *s, const struct store_ask *ask, struct ttp_err *e);
	void (*close)(struct store *s);
	enum ttp_rc (*run)(struct store *s, const char *sql, const struct store_value *values,
			   size_t n, store_row *row, void *ctx, struct ttp_err *e);
	const char *begin,
		*lock;      /* a transaction: nobody else writes until its end; lock may be NULL */
	const char *tables; /* names of all tables that there are */
	bool is_alone;      /* a database has nothing but a history */
};
extern const struct store_driver store_sqlite, store_postgres;

/* Close it in any case. */
enum ttp_rc store_open(struct store *s, const struct store_ask *ask, struct ttp_err *e) TTP_CHECKED;
void store_close(struct store *s);
/* One statement; `row` may be NULL. */
enum ttp_rc store_run(struct store *s, const char *sql, const struct store_value *values, size_t n,
		      store_row *row, void *ctx, struct ttp_err *e) TTP_CHECKED;
/* Whether `where` names a server, not a file. */
bool store_is_server(const char *where);
/* Whether it is a file that begins as those of SQLite do. */
bool store_is_file(const char *where);

#endif /* TTP_HISTORY_STORE_H */
