// SPDX-License-Identifier: Apache-2.0
/*
 * The host's side of a run straight from its trace, a .tracy file or a spool.  A sink, so that others can read the trace in the same pass
 * (struct trace_tee):
 *
 *	host_trace_sink()     `t` knows its names (trace_names()); then trace_read()
 *	host_trace_finish()   what was seen becomes host_events
 */
#ifndef TTP_OPS_HOST_HOST_TRACE_H
#define TTP_OPS_HOST_HOST_TRACE_H

#include "base/input.h"
#include "ops/host/host_builder.h"
#include "trace/trace.h"

/* A call below an op, which waits for the text of the op's zone. */
struct host_trace_call {
	uint32_t loc;
	int64_t exec_ns;
};

struct host_trace_open {
	uint32_t loc;
	int64_t start_ns;
	VEC(struct host_trace_call) calls;
};

struct host_trace_track {
	VEC(struct host_trace_open) open;
};

struct host_trace_child {
	uint64_t parent_id;
	struct host_trace_call call;
};

struct host_trace_message {
	struct host_message m;
	size_t number;
};

struct host_trace {
	struct trace *t;
	struct host_events *h;
	struct str more; /* names of calls, with commas, beside wire/run_names.h */
	VEC(uint8_t) kind_of_loc;
	VEC(struct host_trace_track) tracks;
	VEC(struct host_trace_message) messages;
	VEC(struct host_zone) zones;
	VEC(struct host_trace_child) children;
};

/* `h` as for host_builder_init(); texts live in it. */
void host_trace_sink(struct host_trace *g, struct trace *t, struct host_events *h, struct str more,
		     struct trace_sink *sink);
void host_trace_finish(struct host_trace *g);

/* All of it, of a file.  A damaged trace gives what can be read, and sets `*damaged`, with what and where in `*e`. */
enum ttp_rc host_trace_read(struct inputs *files, const char *path, struct host_events *h,
			    bool *damaged, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_OPS_HOST_HOST_TRACE_H */
