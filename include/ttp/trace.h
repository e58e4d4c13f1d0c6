// SPDX-License-Identifier: Apache-2.0
/*
 * libttprof: the events of a trace, a .tracy file or a spool, in one pass.  The rules of ttp/run.h hold.
 *
 *	static void zone(void *ctx, const struct ttprof_zone *z) { ... }
 *
 *	struct ttprof_trace_sink sink = { .size = sizeof(sink), .zone = zone };
 *
 *	if (ttprof_trace_walk("run.tracy", &sink, &why))
 *		fprintf(stderr, "%s\n", why.text);
 */
#ifndef TTP_TRACE_H
#define TTP_TRACE_H

#include <ttp/run.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TTPROF_NOT_ENDED INT64_MIN

/*
 * Texts are good until the callback returns, but for function, file, thread and the name of the source location: these are good until the walk
 * ends, and the same pointers for the same numbers of location and track.
 */
struct ttprof_zone {
	const char *name, *function, *file;
	uint32_t line;
	const char *thread; /* or the lane of a device */
	const char *text;   /* that the program added; "" without */
	uint64_t tid;       /* 0 for a device */
	uint32_t depth;     /* 0: outermost */
	bool device;        /* of a core, not of the host */
	int64_t start_ns;
	int64_t end_ns;           /* TTPROF_NOT_ENDED: the trace ends inside of it */
	uint32_t location, track; /* small numbers of this walk, from 0 */
	bool named;               /* the program gave this zone a name of its own */
};

struct ttprof_message {
	const char *text, *thread;
	int64_t time_ns;
};

struct ttprof_plot {
	const char *name;
	int64_t time_ns;
	double value;
};

/* Any of these may be NULL. */
struct ttprof_trace_sink {
	size_t size; /* of this struct, so that it can grow */
	void *ctx;
	void (*zone)(void *ctx,
		     const struct ttprof_zone *z); /* when it ended: children come first */
	void (*message)(void *ctx, const struct ttprof_message *m);
	void (*plot)(void *ctx, const struct ttprof_plot *p);
};

/* 0, or -1 when it can't be read; a damaged trace gives what can be, with the damage in `e` (TTPROF_FORMAT) and 0. */
TTP_API int ttprof_trace_walk(const char *path, const struct ttprof_trace_sink *sink,
			      struct ttprof_error *e);
/*
 * Zones of one name together, those of the device log where the run has no trace; counted while the trace is read, so that a trace of any length takes
 * little memory.  Figures are those of `ttprof top --zones`.
 */
struct ttprof_zone_sum {
	const char *name;     /* with "file:line" behind it where several locations share it */
	const char *function; /* a Python function's qualified name; else `name` */
	const char *at;       /* "file:line" on the host; "" where it is not known */
	const char *where;    /* "host", "device", or a RISC */
	uint64_t calls;
	double total_ns; /* of recursion the outermost calls */
	double all_ns;   /* of all calls */
	double self_ns;  /* without what is inside of them */
	double min_ns, max_ns;
};

/* In the order of first sight.  NULL and 0 where there is neither a trace nor a log. */
TTP_API const struct ttprof_zone_sum *ttprof_run_zone_sums(struct ttprof_run *run, size_t *count,
							   struct ttprof_error *e);

/* The trace of a run; 0 and no call when it has none. */
TTP_API int ttprof_run_trace(struct ttprof_run *run, const struct ttprof_trace_sink *sink,
			     struct ttprof_error *e);

#ifdef __cplusplus
}
#endif

#endif /* TTP_TRACE_H */
