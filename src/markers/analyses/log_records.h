// SPDX-License-Identifier: Apache-2.0
/* What log_stats.h keeps of a log, and the ops that it finds in it. */
#ifndef TTP_MARKERS_ANALYSES_LOG_RECORDS_H
#define TTP_MARKERS_ANALYSES_LOG_RECORDS_H

#include "base/order.h"
#include "markers/analyses/marker_log.h"
#include "markers/marker_fold.h"

#define RECORD_NONE UINT32_MAX

/* All that markers of one zone, RISC and type have in common. */
struct record_kind {
	uint16_t zone, risc;
	uint8_t type;
	bool timed;            /* it has a timer id: one without is in no op */
	bool leads;            /* of the firmware that leads its core */
	uint32_t starts, ends; /* a bit per analysis of the setup */
	uint32_t slot;         /* for ops: RECORD_NONE if none of them looks at it */
	uint32_t zone_number;  /* of the analysis of its zone, or RECORD_NONE */
};

struct record {
	uint64_t time_cycles;
	uint32_t group, kind;
};

/* Records of one RISC of one core. */
struct record_risc {
	VEC(struct record) all;
	uint64_t run_id; /* of the last one */
	uint32_t group, device;
	uint32_t
		first_ordinal; /* from 1, over all RISCs in the order of cores: who is first among equal times */
};

/* A marker whose data is added up. */
struct record_sum {
	uint64_t time_cycles, data;
	uint32_t group, kind, risc_at;
};

struct record_lead {
	uint64_t time_cycles;
	uint32_t ordinal, core;
	bool starts;
};

/* Markers of a device with the same run id. */
struct record_group {
	uint64_t run_id, first_cycles;
	uint32_t first_ordinal, device;
	uint32_t follower;    /* the group that came after it on a RISC, as a guess */
	uint32_t cores;       /* that have markers of it */
	uint32_t last_core_1; /* that was counted, plus 1 */
	VEC(struct record_lead) leads;
	/* among the device's: */
	uint32_t order, first_op, ops;
};

/* An op ends with a marker. */
struct record_op {
	uint64_t time_cycles;
	uint32_t ordinal, device;
};

struct record_device {
	uint32_t id;
	struct u64map groups; /* by run id */
	uint32_t first_op, ops;
};

/* What analyses of ops want of kinds that are alike to them. */
struct record_slot {
	uint32_t starts, ends;
};

struct records {
	analysis_vec list;                             /* of the setup */
	uint32_t first_last, per_core, sum;            /* a bit per analysis of that type */
	uint32_t adjacent_of_core, adjacent_of_device; /* likewise */
	VEC(struct record_kind) kinds;
	struct u64map kind_index;
	VEC(uint32_t) last_kind; /* by zone and type: the last, plus 1 */
	VEC(struct record_slot) slots;
	VEC(struct record_risc) riscs; /* as the fold's */
	VEC(struct record_sum) sums;
	VEC(struct record_group) groups;
	VEC(struct record_device) devices; /* in the order of the log */
	struct u64map device_index;
	VEC(struct record_op) ops; /* device by device */
	VEC(uint32_t) walk;        /* RISCs, core by core */
};

void records_begin(struct records *s);
void records_take(void *ctx, const struct marker_fold *f, const struct fold_moment *at);
/* After the last: puts each RISC's in the order of time, and finds ops as process_device_log.py does (marker_ops.c). */
void records_find_ops(struct records *s, const struct marker_fold *f);
void records_release(struct records *s);

/* The op that a record with a timer id belongs to, or RECORD_NONE. */
static inline uint32_t record_op(const struct records *s, const struct record_group *g,
				 uint64_t time_cycles, uint32_t ordinal)
{
	const struct record_device *d = &s->devices.at[g->device];
	const struct record_op *o;
	uint32_t op = g->first_op;

	if (!g->run_id)
		return RECORD_NONE;
	/* the first that ends with it or after it; what comes after all of the group goes to the op that ends next */
	op += (uint32_t)order_first(
		i, g->ops,
		(o = &s->ops.at[g->first_op + i],
		 o->time_cycles < time_cycles ||
			 (o->time_cycles == time_cycles && o->ordinal < ordinal)));
	return op < d->first_op + d->ops ? op : RECORD_NONE;
}

#endif /* TTP_MARKERS_ANALYSES_LOG_RECORDS_H */
