// SPDX-License-Identifier: Apache-2.0
/* How a table is written down: its columns as one list, and values put into cells. */
#ifndef TTP_SQL_SQL_COLUMNS_H
#define TTP_SQL_SQL_COLUMNS_H

#include <math.h>

#include "sql/sql_tables.h"

static inline void put_whole(struct sql_value *v, int64_t whole)
{
	v->kind = SQL_WHOLE;
	v->whole = whole;
}

/* -1 is what is not there. */
static inline void put_known(struct sql_value *v, int64_t whole)
{
	if (whole != -1)
		put_whole(v, whole);
}

static inline void put_real(struct sql_value *v, double real)
{
	if (isnan(real))
		return;
	v->kind = SQL_REAL;
	v->real = real;
}

/* Empty where nothing is known. */
static inline void put_text(struct sql_value *v, const char *text)
{
	if (!text || !*text)
		return;
	v->kind = SQL_TEXT;
	v->text = text;
}

/*
 * The columns of a table are one list, LIST(X, table) with X(table, name, how it is put, its value); the value is an expression of what the
 * table's value function has at hand.
 */
#define KIND_whole                          SQL_WHOLE
#define KIND_known                          SQL_WHOLE
#define KIND_real                           SQL_REAL
#define KIND_text                           SQL_TEXT
#define COLUMN_NUMBER(table, name, put, is) table##_has_##name,
#define COLUMN_INFO(table, name, put, is)   { #name, KIND_##put },
#define COLUMN_CASE(table, name, put, is) \
	case table##_has_##name:          \
		put_##put(v, is);         \
		break;
#define COLUMNS(scope, table, LIST)                                                   \
	enum { LIST(COLUMN_NUMBER, table) };                                          \
	scope bool table##_column(struct sql_data *d, size_t i, struct sql_column *c) \
	{                                                                             \
		static const struct sql_column all[] = { LIST(COLUMN_INFO, table) };  \
                                                                                      \
		(void)d;                                                              \
		if (i >= sizeof(all) / sizeof(all[0]))                                \
			return false;                                                 \
		*c = all[i];                                                          \
		return true;                                                          \
	}
#define PUT_COLUMN(table, LIST, column)  \
	switch (column) {                \
		LIST(COLUMN_CASE, table) \
	}

/* What `sql_tables` needs of a table that is in another file.  `scope` above is static where it is in the same one, else extern. */
#define SQL_TABLE(name)                                                              \
	bool name##_column(struct sql_data *d, size_t i, struct sql_column *c);      \
	enum ttp_rc name##_rows(struct sql_data *d, struct sql_run *r, size_t *rows, \
				struct ttp_err *e);                                  \
	void name##_value(struct sql_run *r, size_t row, size_t column, struct sql_value *v)

/* Of sql_event_tables.c: */
SQL_TABLE(zones);
SQL_TABLE(zone_sums);
SQL_TABLE(messages);
SQL_TABLE(plots);
SQL_TABLE(markers);
const struct sql_keys *zones_keys(struct sql_run *r, size_t column);
/* The columns of zones that are keyed, as bits: name, thread. */
enum { ZONES_KEYED = 1 << 0 | 1 << 1 };

#endif /* TTP_SQL_SQL_COLUMNS_H */
