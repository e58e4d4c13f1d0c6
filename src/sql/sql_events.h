// SPDX-License-Identifier: Apache-2.0
/*
 * Events of a run in columns: a query may look at them in any order, and more than once, where a trace and a log are read from front to back.
 * A zone takes 56 bytes, a marker 64.
 */
#ifndef TTP_SQL_SQL_EVENTS_H
#define TTP_SQL_SQL_EVENTS_H

#include <ttp/trace.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

/* Texts of rows by their numbers in a dictionary; rows in the order of texts, made when it is asked for. */
struct sql_keys {
	const struct intern *texts;
	VEC(uint32_t) of_row;
	/* ours: */
	uint32_t *order;         /* rows, those of the least text first; NULL: not made yet */
	uint32_t *starts, *ends; /* per text: where its rows are in `order` */
};

/* Makes the order; false where there are more rows than it can number. */
bool sql_keys_sort(struct sql_keys *k);
void sql_keys_release(struct sql_keys *k);

struct sql_zone {
	int64_t start_ns, end_ns;
	uint64_t tid;
	uint32_t function, file, line, text; /* numbers of texts */
	uint16_t depth;
	bool device;
};

struct sql_message {
	int64_t time_ns;
	uint32_t thread, text;
};

struct sql_point {
	int64_t time_ns;
	double value;
	uint32_t name;
};

struct sql_events {
	bool asked;
	struct intern texts;
	VEC(struct sql_zone) zones;
	struct sql_keys names, threads; /* of zones */
	VEC(struct sql_message) messages;
	VEC(struct sql_point) plots;
};

/* Reads the trace, once.  What is damaged comes as a warning in `damage`, with its rc. */
enum ttp_rc sql_events_read(struct sql_events *v, struct ttprof_run *run, struct ttp_err *damage,
			    struct ttp_err *e) TTP_CHECKED;
void sql_events_release(struct sql_events *v);

struct sql_marker {
	uint64_t time_cycles, data, run_id;
	int64_t trace_id, replay;
	uint32_t device, risc, zone; /* numbers of texts */
	uint16_t x, y;
	const char *type;
};

struct sql_markers {
	bool asked;
	struct intern texts;
	VEC(struct sql_marker) all;
};

enum ttp_rc sql_markers_read(struct sql_markers *m, struct ttprof_run *run,
			     struct ttp_err *e) TTP_CHECKED;
void sql_markers_release(struct sql_markers *m);

/* An error of libttprof as one of ours. */
enum ttp_rc sql_fail(struct ttp_err *e, const struct ttprof_error *why);

#endif /* TTP_SQL_SQL_EVENTS_H */
