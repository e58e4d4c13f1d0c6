// SPDX-License-Identifier: Apache-2.0
/* The two readers behind trace.h.  What is wrong with a file that opens goes to t->damage. */
#ifndef TTP_TRACE_TRACE_READERS_H
#define TTP_TRACE_TRACE_READERS_H

#include "base/input.h"
#include "trace/trace.h"

/* Frames of clients to events: finds all sessions of t->in, and puts their processes on one clock. */
enum ttp_rc spool_events_open(struct trace *t, struct ttp_err *e) TTP_CHECKED;
/* All records from the start; tables of `t` grow. */
void spool_events_read(struct trace *t, const struct trace_sink *sink);
void spool_events_free(struct trace *t);

/* The inside of .tracy files: sections in a fixed order, docs/reference/formats/tracy.md.  Reads everything that names things, up to
 * the messages. */
enum ttp_rc tracy_file_open(struct trace *t, struct ttp_err *e) TTP_CHECKED;
enum ttp_rc tracy_file_read(struct trace *t, const struct trace_sink *sink,
			    struct ttp_err *e) TTP_CHECKED;
void tracy_file_free(struct trace *t);

/* A message: if its client counts in it what it dropped, the process gets the numbers.  False if it is another text. */
bool trace_take_drops(struct trace *t, uint32_t process, int64_t time_ns, struct str text);

/* Gives back the pages of a mapped file that were read, so that a long file does not fill memory. */

struct drop_pages {
	const char *at; /* NULL: nothing is mapped */
	size_t done;
};

struct drop_pages drop_pages_of(const struct input *in);
/* Everything before `offset` will not be needed again; should it be, it is read again. */
void drop_pages_until(struct drop_pages *d, size_t offset);

/*
 * Zones of devices while they are put together.  Begins and ends come in order, times of the device later and in any
 * order; a tree is reported when its last time is there.
 */
enum { LANE_KEPT_MAX = 65536 }; /* complete zones that wait for a possible parent */

struct device_lane {
	uint32_t track;
	VEC(struct trace_device_zone) tree; /* parents before children */
	VEC(uint32_t) open;                 /* numbers in `tree`, outermost first */
	uint64_t untimed;                   /* times that are still to come */
};

/* Returns the zone's number, good until lane_report() tells it. */
uint32_t lane_begin(struct device_lane *l, int64_t cpu_ns, uint32_t loc, uint32_t thread);
/* The innermost zone that is open, or TRACE_NONE. */
uint32_t lane_end(struct device_lane *l, int64_t cpu_ns);
/* The first time of a zone is its start, the second its end; true for its start. */
bool lane_time(struct device_lane *l, uint32_t zone, int64_t gpu_ns);
/* A zone that comes as a whole, after everything inside of it. */
void lane_add_whole(struct device_lane *l, struct trace_device_zone z);
/* Tells what is complete; with `all`, whatever there is. */
void lane_report(struct device_lane *l, const struct trace_sink *sink, bool all);
void lane_release(struct device_lane *l);

#endif /* TTP_TRACE_TRACE_READERS_H */
