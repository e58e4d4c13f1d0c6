// SPDX-License-Identifier: Apache-2.0
/*
 * libttprof: read a profiled run.
 *
 *	#include <ttp/run.h>
 *
 *	struct ttprof_error why;
 *	struct ttprof_run *run = ttprof_run_open("generated/profiler", &why);
 *	size_t ops = ttprof_run_ops(run, &why);
 *	int code = ttprof_run_column(run, "OP CODE");
 *	int time = ttprof_run_column(run, "DEVICE KERNEL DURATION [ns]");
 *
 *	if (why.code)
 *		fprintf(stderr, "%s\n", why.text);
 *	for (size_t op = 0; op < ops; op++)
 *		printf("%s %.0f\n", ttprof_run_text(run, code, op), ttprof_run_number(run, time, op));
 *	ttprof_run_close(run);
 *
 *	cc -o program program.c $(pkg-config --cflags --libs ttprof)
 *
 * A run is what every command of ttprof takes as RUN: a report folder, run.json, an ops report, a device log, a .tracy file or a spool.  Its
 * parts are read when they are first asked for, and kept.  Figures are those of `ttprof report`, `heat`, `timeline` and `view`.
 *
 * RULES
 *
 * Failure.   Functions that can fail take a `struct ttprof_error *` (or NULL), whose code is 0 on success, and return NULL, -1 or 0 as they say.
 *            A part that can't be read does not fail the rest: ttprof_run_note() says what was skipped, and why.  A NULL run is empty, so that
 *            only the first error needs a look.  Nothing prints or exits; only the exhaustion of memory aborts.
 * Threads.   A run is used by one thread at a time; different runs by as many as there are.
 * Lifetime.  What a run returns lives as long as the run.  Texts end with a NUL byte.
 * Versions.  Symbols carry the version TTPROF_0.  Structs that the caller fills begin with their size, where they may grow.
 */
#ifndef TTP_RUN_H
#define TTP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TTP_API
#if defined(__GNUC__)
#define TTP_API __attribute__((visibility("default")))
#else
#define TTP_API
#endif
#endif

enum ttprof_code {
	TTPROF_OK = 0,
	TTPROF_SYSTEM, /* the system refused: a missing file, no permission */
	TTPROF_FORMAT, /* damaged, or not what it should be */
	TTPROF_USAGE,  /* a wrong call, or nothing there to answer it */
	TTPROF_LIMIT   /* too large */
};

struct ttprof_error {
	int code; /* enum ttprof_code */
	char text[512];
};

struct ttprof_run;

/* Finds the files of a run; NULL when there is nothing of one. */
TTP_API struct ttprof_run *ttprof_run_open(const char *path, struct ttprof_error *e);
TTP_API void ttprof_run_close(struct ttprof_run *run);
/* Files that could not be used, each as "FILE: why"; NULL behind the last.  There may be more of them when more has been read. */
TTP_API const char *ttprof_run_note(struct ttprof_run *run, size_t i);
/* TTPROF_SYSTEM where a file could not be read for want of memory, descriptors, rights or disk, so that the answer is not that of the run; else
 * TTPROF_FORMAT; 0 behind the last. */
TTP_API int ttprof_run_note_code(struct ttprof_run *run, size_t i);

/* ---- ops: a row each, as in the ops report ---- */

enum ttprof_kind { TTPROF_NUMBER, TTPROF_TEXT };

struct ttprof_column {
	const char *name, *unit; /* "" without a unit */
	int kind;                /* enum ttprof_kind */
};

/* Rows; 0 when the run has no ops, with the reason in `e` where they can't be read.  The error of a NULL run stays as it is. */
TTP_API size_t ttprof_run_ops(struct ttprof_run *run, struct ttprof_error *e);
TTP_API size_t ttprof_run_columns(struct ttprof_run *run);
/* False behind the last. */
TTP_API bool ttprof_run_column_info(struct ttprof_run *run, size_t column,
				    struct ttprof_column *info);
/* By its name; -1 when there is none. */
TTP_API int ttprof_run_column(struct ttprof_run *run, const char *name);
/* NAN and "" where a cell is missing, or the column is not there (-1) or of the other kind. */
TTP_API double ttprof_run_number(struct ttprof_run *run, int column, size_t op);
TTP_API const char *ttprof_run_text(struct ttprof_run *run, int column, size_t op);
/* A whole column: numbers, NAN where missing; or numbers of texts.  NULL when it is of the other kind. */
TTP_API const double *ttprof_run_numbers(struct ttprof_run *run, int column);
TTP_API const uint32_t *ttprof_run_text_ids(struct ttprof_run *run, int column);
/* The text of a number; NULL behind the last.  Number 0 is "". */
TTP_API const char *ttprof_run_string(struct ttprof_run *run, uint32_t id);

/* ---- cores: what each core did for each op, from the device log ---- */

struct ttprof_core {
	int64_t op;               /* row of the ops; -1: the ops don't have it */
	uint64_t run_id;          /* as the log has it */
	int64_t trace_id, replay; /* -1: none */
	uint32_t device;
	uint16_t x, y;   /* NOC0 coordinates */
	double busy_ns;  /* at least one RISC was in its kernel */
	double start_ns; /* of its first kernel, from the op's first start */
	double end_ns;   /* of its last kernel, likewise */
};

/* By launch, then by core, both in the order of the log.  NULL and 0 without a device log. */
TTP_API const struct ttprof_core *ttprof_run_cores(struct ttprof_run *run, size_t *count,
						   struct ttprof_error *e);

/* ---- markers of the device log, one by one ---- */

struct ttprof_marker {
	uint64_t time_cycles, data, run_id;
	int64_t trace_id, replay; /* -1: none */
	uint32_t device;
	uint16_t x, y;
	const char *risc, *zone, *type; /* "BRISC", "BRISC-KERNEL", "ZONE_START" */
};

/* False ends the walk. */
typedef bool ttprof_marker_fn(void *ctx, const struct ttprof_marker *m);
/* 0, or -1 when the log can't be read; without a device log nothing is called. */
TTP_API int ttprof_run_markers(struct ttprof_run *run, ttprof_marker_fn *fn, void *ctx,
			       struct ttprof_error *e);

/* ---- what the ops cover ---- */

/* Of the part that `ttprof report` shows without options: what comes after the last signpost. */
struct ttprof_account {
	uint64_t seen, timed, partial, dropped; /* rows */
};

struct ttprof_cause {
	const char *text, *hint; /* hint: "" without one */
	uint64_t count;
	int device, core_x, core_y; /* -1: anywhere */
	const char *risc;           /* "": any */
};

/* False when nothing is known. */
TTP_API bool ttprof_run_account(struct ttprof_run *run, struct ttprof_account *a);
/* False behind the last. */
TTP_API bool ttprof_run_cause(struct ttprof_run *run, size_t i, struct ttprof_cause *c);

#ifdef __cplusplus
}
#endif

#endif /* TTP_RUN_H */
