// SPDX-License-Identifier: Apache-2.0
/* Results of queries for people and for programs. */
#ifndef TTP_SQL_SQL_PRINT_H
#define TTP_SQL_SQL_PRINT_H

#include "base/out.h"
#include "base/term.h"
#include "sql/sql.h"

enum sql_form { SQL_FORM_TABLE, SQL_FORM_CSV, SQL_FORM_JSON };

/* Runs a query and prints what it gives.  A table is printed when all of it is there; the others row by row. */
enum ttp_rc sql_print(struct sql *q, const char *text, enum sql_form form, struct term term,
		      struct out *out, struct ttp_err *e) TTP_CHECKED;
/* The tables and their columns. */
void sql_print_tables(struct sql *q, struct term term, struct out *out);

#endif /* TTP_SQL_SQL_PRINT_H */
