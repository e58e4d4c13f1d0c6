// SPDX-License-Identifier: Apache-2.0
/*
 * What a query can ask for: tables over the parts of runs.  A row of a table is known by its run and its number; a part is read when the first
 * query asks for its rows, and kept.
 */
#ifndef TTP_SQL_SQL_TABLES_H
#define TTP_SQL_SQL_TABLES_H

#include <ttp/report.h>
#include <ttp/run.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "sql/sql_events.h"

struct sql_data;

struct sql_run {
	const char *path;
	struct sql_data *data; /* that it belongs to */
	struct ttprof_run *run;
	/* parts, when they were asked for: */
	struct ttprof_report *report;
	struct sql_events events;
	struct sql_markers markers;
	const struct ttprof_core *cores;
	size_t core_count;
	const struct ttprof_zone_sum *zone_sums;
	size_t zone_sum_count;
	bool report_asked, cores_asked, zone_sums_asked;
	VEC(int) ops_columns; /* per column of the table ops: the run's, -1: it has none */
	struct sql_ids *ids;  /* per table, where rows were looked for by their ids */
	double *gap_sums;     /* over all calls: own, profiler; NULL: not made yet */
};

/* Rows of a table by their ids. */
struct sql_ids {
	bool made;
	VEC(struct sql_id {
		int64_t id;
		uint32_t row;
	}) all; /* in order */
	uint32_t *rows;
};

struct sql_data {
	VEC(struct sql_run) runs;
	struct intern ops_columns;  /* of all runs, as SQL spells them */
	VEC(bool) ops_texts;        /* of these: texts in every run, no numbers */
	VEC(struct ttp_err) notes;  /* what could not be read whole */
	VEC(struct ttp_err) failed; /* and what not at all, where the rest is wanted all the same */
	bool lenient;               /* set it: it is */
};

enum sql_kind { SQL_NULL, SQL_WHOLE, SQL_REAL, SQL_TEXT };

struct sql_value {
	enum sql_kind kind;
	int64_t whole;
	double real;
	const char *text;
	bool fleeting; /* the text is good until the next value only */
};

struct sql_column {
	const char *name;
	enum sql_kind kind;
};

struct sql_table {
	const char *name, *about;
	/* False behind the last.  Column 0 of every table is `run`, the number of the RUN from 1: it is not one of these. */
	bool (*column)(struct sql_data *d, size_t i, struct sql_column *c);
	enum ttp_rc (*rows)(struct sql_data *d, struct sql_run *r, size_t *rows, struct ttp_err *e);
	void (*value)(struct sql_run *r, size_t row, size_t column, struct sql_value *v);
	/* Columns (bits) whose texts have numbers: rows of a text are found, and put in order, by them. */
	unsigned keyed;
	/* Of such a column, once there are rows.  NULL: there are too many rows. */
	const struct sql_keys *(*keys)(struct sql_run *r, size_t column);
	bool has_ids; /* column 0 is the id of an op: rows are found by it */
};

/* The rows of an id, once they were read, as positions of `*rows`. */
void sql_rows_of_id(const struct sql_table *t, struct sql_run *r, size_t all, int64_t id,
		    const uint32_t **rows, size_t *from, size_t *to);

extern const struct sql_table sql_tables[];
extern const size_t sql_table_count;

/* Opens them; `paths` must outlive it.  Close it in any case. */
enum ttp_rc sql_data_open(struct sql_data *d, const char *const *paths, size_t n,
			  struct ttp_err *e) TTP_CHECKED;
void sql_data_close(struct sql_data *d);

#endif /* TTP_SQL_SQL_TABLES_H */
