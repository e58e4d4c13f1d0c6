// SPDX-License-Identifier: Apache-2.0
/*
 * The typed way into host_events: first all messages by time, then all zones of ops, then their children.  Its users are the reader of
 * exported CSVs (host_csv.h) and of traces (host_trace.h).
 */
#ifndef TTP_OPS_HOST_HOST_BUILDER_H
#define TTP_OPS_HOST_HOST_BUILDER_H

#include "ops/host/host_events.h"

struct host_builder {
	struct host_events *h;
	/* ours: */
	struct u64map capture;  /* device, to the number of a trace in `trace_ids` */
	VEC(int64_t) trace_ids; /* -1: not capturing any more */
	struct intern programs; /* device and hash */
	VEC(uint32_t) record_of_program;
	VEC(uint64_t) thread_of_op; /* for depths */
	struct u64map children;     /* op and name, to the number of a child */
	struct u64map runs;         /* device and id, to the number of an op */
};

/* Texts of messages outlive the events. */
struct host_message {
	struct str text; /* without back-ticks around it */
	int64_t time_ns;
	uint64_t line; /* of a file; 0: of none */
	int64_t pid;   /* of the process that sent it; 0: not known */
	bool cut;      /* its end is missing */
};

struct host_zone {
	uint64_t id, thread;
	int64_t start_ns, exec_ns;
};

/* `h` is all zeros but for hash_is_name, or what another builder has made. */
void host_builder_init(struct host_builder *b, struct host_events *h);
void host_put_message(struct host_builder *b, const struct host_message *m);
/* The zone of an op. */
void host_put_zone(struct host_builder *b, const struct host_zone *z);
/* A call below the zone of an op; of one that is not known, it is not counted. */
void host_put_child(struct host_builder *b, uint64_t parent_id, struct str name, int64_t exec_ns);
/* An op of which nothing but its runs is known, as the runtime's report has them.  Of an op in a trace, each replay once. */
struct host_run {
	uint64_t id;
	int64_t device, trace_id, session; /* -1: none */
	int64_t order;                     /* stands for a time */
	struct str name;
};
void host_put_run(struct host_builder *b, const struct host_run *r);
/* Works out what needs all; ends the builder. */
void host_builder_finish(struct host_builder *b);

struct run_processes;
/* After the last: devices of ops become the chips of the run, where processes gave one number to several. */
void host_number_chips(struct host_events *h, const struct run_processes *processes);

#endif /* TTP_OPS_HOST_HOST_BUILDER_H */
