// SPDX-License-Identifier: Apache-2.0
/*
 * The host's side of a run: ops, trace captures and replays, signposts, host times; made by a builder (host_builder.h).
 *
 * Every op that is named anywhere is here.  A message that was cut, or whose JSON is bad, costs the op's
 * details and not the op: its first line already says who it is.
 */
#ifndef TTP_OPS_HOST_HOST_EVENTS_H
#define TTP_OPS_HOST_HOST_EVENTS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/map.h"
#include "base/vec.h"
#include "ops/table/ops_table.h"
#include "ops/table/ops_tensor.h"

/* ---- op_record.c ---- */

/*
 * What the host says about an op: the JSON of its message, as cells of the report.  Ops that share a
 * cached program share a record.
 */

struct record_cell {
	uint16_t column; /* enum ops_col */
	struct str text;
};

/* "TENSIX DM 0 MAX KERNEL SIZE [B]", a column that files bring along. */
struct record_size {
	uint32_t name; /* of the caller's dictionary */
	struct str text;
};

struct record_tensor {
	struct str part[TENSOR_PARTS];
};

struct op_record {
	VEC(struct record_cell) cells; /* a column may come twice: the last one counts */
	VEC(struct record_tensor) inputs, outputs;
	VEC(struct record_size) sizes;
	double pm_compute;     /* NAN when there is none */
	struct str fidelities; /* of all compute kernels, when they differ; else empty */
	bool broken;           /* the JSON ended early or is none: what came before is kept */
	uint8_t tensor_faults; /* tensors that lack a part */
};

/* What op_record_peek() finds without making cells. */
struct op_identity {
	bool has_id, has_device, has_hash;
	uint64_t id, hash;
	int64_t device;
	bool broken;
};

/* Only what tells ops apart. */
void op_record_peek(struct str json, struct op_identity *out);
/*
 * Reads all of it.  Texts live in `texts`; commas in them have become semicolons, as the report wants.
 * Never fails: a record that is broken has what could be read.
 */
void op_record_read(struct op_record *r, struct str json, struct arena *texts,
		    struct intern *size_names);
void op_record_release(struct op_record *r);
/* The last text of a column; .at NULL without one. */
struct str op_record_cell(const struct op_record *r, enum ops_col column);

#define HOST_NONE UINT32_MAX

enum { HOST_CUT_LINES = 8 }; /* so many lines of cut messages are kept */

/* What ops of the same program on the same device, outside of traces or in the same one, share. */
struct host_program {
	int64_t device;   /* -1: none, a host op */
	int64_t trace_id; /* captured into this trace, -1: not */
	uint64_t hash;
	uint32_t record; /* of `records`, HOST_NONE: nothing known but what stands here */
	uint32_t
		code; /* of `codes`: from the first line of the message; the record may have it, too */
};

/* An op; small, because a run has as many as the device has. */
struct host_op {
	uint64_t id;          /* global call count */
	int64_t start_ns;     /* of the host zone; without one, when the op was announced */
	uint32_t program;     /* of `programs` */
	uint32_t exec_ns;     /* of the host zone; far: number in `far` */
	int32_t message;      /* ns from the start to when it was announced */
	int16_t depth;        /* host zones of ops around it, on its thread */
	int8_t cache_hit : 2; /* -1: as the record says */
	bool has_message : 1, has_zone : 1;
	bool cut : 1; /* the message ends early or its JSON is bad */
	bool far : 1; /* its times don't fit in here */
};
_Static_assert(sizeof(struct host_op) == 32, "an op takes no more");

struct host_far {
	int64_t exec_ns, message_ns;
};

/* What a message says about its op; it stays where it is, and is read when it is asked for. */
struct host_record {
	struct str json;
	bool has_compute; /* it names compute kernels; after host_events_records() */
};

struct record_cache;
struct run_processes;

struct host_replays {
	int64_t device,
		trace_id; /* the device as its process calls it; after host_number_chips() the chip, if pid is known */
	int64_t pid; /* of the process that replays it, where there are several; 0: not known, or one */
	VEC(int64_t) times_ns;
};

/* The begin, end or replay of a trace, by a process that is one of several. */
struct host_trace_moment {
	int64_t pid, time_ns;
};

struct host_signpost {
	struct str text; /* all of the message */
	int64_t time_ns;
	int64_t pid; /* of the process that set it; 0: not known */
};

/* What an op called on the host, summed by name. */
struct host_child {
	uint32_t op, name; /* number in `ops`, in `child_names` */
	int64_t total_ns, count;
};

struct host_events {
	VEC(struct host_op) ops; /* in the order of first sight */
	VEC(struct host_program) programs;
	VEC(struct host_far) far;
	VEC(struct host_record) records;
	VEC(struct host_replays) replays;
	VEC(struct host_signpost) signposts;
	VEC(struct host_trace_moment) trace_messages;
	VEC(struct host_child) children; /* sorted by op, then name */
	struct intern child_names, size_names, codes;
	size_t most_inputs, most_outputs; /* tensors of a record; after host_events_records() */
	bool any_trace_begin;
	bool hash_is_name; /* set before reading: cached ops are found by device and hash alone (frozen) */
	/* set before reading, where several processes have devices of one number: traces are their process's */
	bool several_processes;
	const struct run_processes
		*processes; /* says whose a message is that does not say it; or NULL */
	uint64_t cut_messages, odd_messages, bad_zones;
	uint32_t
		chips_of_process; /* devices of ops are the run's chips, so many per process; 0: as their process calls them */
	uint64_t same_number;              /* messages of an op whose number another op has */
	uint64_t cut_line[HOST_CUT_LINES]; /* of the first cut messages; 0: not from a file */
	uint64_t zones_without_message;
	/* ours: */
	struct input messages, zones;
	bool has_messages, has_zones;
	struct record_cache *made;
	struct u64map by_id, by_program;
	struct arena texts;
};

/* Looks through the JSON of all records: sizes, and how many tensors there are. */
void host_events_records(struct host_events *h);
/* One of them, read; valid until another one is asked for. */
const struct op_record *host_record_read(const struct host_events *h, uint32_t record);
void host_events_release(struct host_events *h);

/* Gives back the memory of the indexes: host_op_find() finds nothing from here on. */
void host_events_forget_ids(struct host_events *h);

/* Number of the op with this id, or HOST_NONE. */
uint32_t host_op_find(const struct host_events *h, uint64_t id);
static inline const struct host_program *host_op_program(const struct host_events *h,
							 const struct host_op *op)
{
	return &h->programs.at[op->program];
}
/* Its name by the first line of its message; may be empty. */
static inline struct str host_op_code(const struct host_events *h, const struct host_op *op)
{
	uint32_t code = h->programs.at[op->program].code;

	return code == HOST_NONE ? STR("") : intern_get(&h->codes, code);
}
/* How long the host zone took. */
static inline int64_t host_op_exec_ns(const struct host_events *h, const struct host_op *op)
{
	return op->far ? h->far.at[op->exec_ns].exec_ns : (int64_t)op->exec_ns;
}
/* When the op was announced; meaningless without a message. */
static inline int64_t host_op_message_ns(const struct host_events *h, const struct host_op *op)
{
	return op->far ? h->far.at[op->exec_ns].message_ns : op->start_ns + op->message;
}
/* Times of the replays of a trace; NULL without any. */
const struct host_replays *host_replays_find(const struct host_events *h, int64_t device,
					     int64_t trace_id);

#endif /* TTP_OPS_HOST_HOST_EVENTS_H */
