// SPDX-License-Identifier: Apache-2.0
/*
 * A timeline as lanes of buckets: how much of each short stretch of time was busy, and with what most.
 *
 * Memory depends on lanes times buckets, never on zones.  All times are ns from the run's start; where a run has both a trace and a device log, the log's
 * first marker is put where the trace has the first zone of that device, else each has its own zero (`aligned`).
 */
#ifndef TTP_DRAW_LANES_H
#define TTP_DRAW_LANES_H

#include "base/map.h"
#include "draw/op_names.h"
#include "draw/window.h"
#include "markers/core_times.h"
#include "runs/clock_map.h"
#include "trace/trace.h"

enum lane_kind { LANE_HOST, LANE_OPS, LANE_RISC_SUM, LANE_CORE };
/* Names of the kinds, as --lanes has them: host, ops, riscs, cores. */
extern const char *const lane_kind_names[];

enum { LANES_MAX = 4096, KINDS_KEPT = 4, BUCKETS_MAX = 8192 };

/* What a bucket is busy with: those that take most of it. */
struct bucket_kind {
	uint32_t kind; /* number of `names` + 1, 0: free */
	float ns;
};

struct draw_lane {
	enum lane_kind kind;
	struct str name;              /* clean; of the arena */
	uint32_t device, track, core; /* where they make sense */
	double weight;                /* cores that it stands for */
	double *busy;                 /* ns per bucket */
	double *more;                 /* ours: whole buckets begin (+) or end (-) */
	struct bucket_kind *with;     /* KINDS_KEPT per bucket; NULL: not kept */
	double busy_ns;
	double sum_ns; /* ours: of what was added, within the window */
	uint64_t count;
};

/* A name of what lanes are busy with. */
struct lane_name {
	uint32_t text; /* of `texts` */
	bool op;
	uint32_t full; /* of an op: a text that no other has */
	uint32_t id;   /* of an op: the first one that was drawn, as `ttprof report` numbers it */
	uint64_t calls;
	double ns;   /* within the window */
	char letter; /* given by lanes_finish(); 0: none */
};

struct lanes {
	struct window window;
	double bucket_ns;
	size_t buckets;
	unsigned kinds; /* 1 << lane_kind that are wanted */
	VEC(struct draw_lane) all;
	struct intern texts;
	VEC(struct lane_name) names;
	struct u64map name_index; /* text, or which ops are alike → number */
	VEC(uint32_t) ranked;     /* names, most time first, ops and others mixed */
	struct arena arena;
	bool firmware;     /* ops are drawn with their firmware; else with their kernels */
	uint64_t left_out; /* lanes beyond LANES_MAX */
	uint64_t unpaired;
};

void lanes_init(struct lanes *l, struct window window, size_t buckets, unsigned kinds);
void lanes_release(struct lanes *l);
/* A new lane, its number; UINT32_MAX when there are too many. */
uint32_t lanes_add(struct lanes *l, enum lane_kind kind, struct str name, bool keeps_kinds,
		   uint32_t device);
uint32_t lanes_name(struct lanes *l, struct str name);
/* Ops that are alike have one name. */
uint32_t lanes_op(struct lanes *l, const struct op_name *op);
/* A stretch in which a lane was busy, ns from the run's start; `name`: UINT32_MAX for none. */
void lanes_busy(struct lanes *l, uint32_t number, double from_ns, double to_ns, uint32_t name);
/* After the last: sums, shares clipped to what a lane can hold, letters for names. */
void lanes_finish(struct lanes *l);

/* Part of a bucket that is busy, 0..1. */
double lane_part(const struct lanes *l, const struct draw_lane *lane, size_t bucket);
/* The name that takes most of buckets [from, to), UINT32_MAX when none. */
uint32_t lane_with(const struct draw_lane *lane, size_t from, size_t to);

/* ---- where they come from ---- */

/* Of a device log: ops, RISCs (the mean of its cores) or single cores; the axis begins at `zero_ns` of the clocks. */
void lanes_of_cores(struct lanes *l, const struct core_times *t, struct op_names *names,
		    struct clock_map *clocks, int64_t zero_ns, int64_t device);

/* A first look at a trace: where it begins and ends; zones of devices are sights for `clocks`. */
struct trace_span {
	int64_t first_ns, last_ns; /* first > last: nothing in it */
	bool has_host, has_device;
};
enum ttp_rc trace_span_read(struct trace_span *s, struct trace *t, struct clock_map *clocks,
			    struct ttp_err *e) TTP_CHECKED;
/* Threads, each time with the innermost zone; and, unless `host_only`, RISCs of devices.  Of a trace that was opened anew. */
enum ttp_rc lanes_of_trace(struct lanes *l, struct trace *t, int64_t zero_ns, bool host_only,
			   int64_t device, struct ttp_err *e) TTP_CHECKED;

/* Ops of a report alone, from its cycles; false when it has none. */
bool report_span(const struct op_names *names, double *first_ns, double *last_ns);
void lanes_of_report(struct lanes *l, struct op_names *names, double zero_ns, int64_t device);

#endif /* TTP_DRAW_LANES_H */
