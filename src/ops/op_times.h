// SPDX-License-Identifier: Apache-2.0
/*
 * From markers to times of ops, in one pass and without keeping a marker.
 *
 * A run of an op is what shares device, run id, trace and replay.  Where a log has no replays, the n-th FW
 * start of a RISC with the same run id belongs to the n-th run of it.  Of each run are kept: first and
 * last time per RISC, zone (FW, KERNEL) and phase; sums of zones; and, per core, first and last kernel
 * times.  All analyses of ops (ops/analyses.h) are made from these: the start of one is the earliest of
 * its markers, the end the latest.  Memory grows with ops times cores, never with markers.
 *
 * Hardware counters (timer id 9090) are kept as they are, since each is a value of its own.
 */
#ifndef TTP_OPS_OP_TIMES_H
#define TTP_OPS_OP_TIMES_H

#include "base/map.h"
#include "base/vec.h"
#include "ops/marker.h"

/* Who wrote the zone: RISCs that the analyses tell apart. */
enum op_lane {
	LANE_BRISC,
	LANE_NCRISC,
	LANE_TRISC0,
	LANE_TRISC1,
	LANE_TRISC2,
	LANE_ERISC,
	LANE_DM,    /* Quasar's data movers, zones DM-… */
	LANE_DM0,   /* their first, zone DM0-FW: it is the master of its core */
	LANE_NEO,   /* Quasar's compute, zones TRISC-… */
	LANE_AGG,   /* device traces, zones TRACE-… */
	LANE_OTHER, /* a zone of one of these names on a RISC that is not its own */
	LANES
};

enum op_zone { OP_ZONE_FW, OP_ZONE_KERNEL, OP_ZONES };
enum op_phase { OP_START, OP_END, OP_PHASES };

struct span {
	uint64_t first, last; /* cycles */
	uint32_t count;       /* markers; 0: nothing, and the times mean nothing */
};

struct lane_spans {
	struct span at[OP_ZONES][OP_PHASES];
};

#define OP_NONE UINT32_MAX

/* One run of one op on one device. */
struct op_run {
	uint64_t run_id;
	int64_t trace_id, session; /* as logged; -1: none */
	uint32_t device;
	uint32_t
		repeat; /* 0, 1, … when the log has the same run id several times without session */
	uint32_t next_repeat;                     /* run with the same key, or OP_NONE */
	uint64_t first_cycles, last_cycles;       /* of all its markers */
	uint32_t lane[LANES];                     /* number in `lanes`, OP_NONE: no such marker */
	uint64_t cb_wait, cb_reserve;             /* sums of ZONE_TOTAL */
	uint32_t cb_wait_cores, cb_reserve_cores; /* how many cores told them */
	uint32_t first_core, cores;               /* of `cores`, after op_times_finish() */
	int64_t sub_device;                       /* -1: none */
	bool has_sub_device;
	uint64_t dispatch_cmd, dispatch_wait; /* one more than the cycles; 0: none */
};

/* The part of a run on one core. */
struct op_core {
	uint32_t run, core;
	uint64_t first; /* of all markers */
	uint64_t kernel_first, kernel_last;
	uint64_t kernel_end;   /* last end of a kernel; 0: none */
	uint64_t mover_start;  /* first start of a data-movement kernel; 0: none */
	uint64_t master_start; /* FW start of the core's master RISC; 0: none */
	uint32_t kernels;      /* kernel markers */
	uint32_t fw_seen;      /* mask of lanes whose FW started */
	uint16_t master_starts, master_ends;
	bool has_fw;      /* a zone whose name holds "FW" */
	bool has_fw_zone; /* a zone named …-FW, as the runtime's own */
};

struct device_core {
	uint32_t device;
	uint16_t x, y;
	bool dispatch;         /* runs the command queue */
	uint64_t starts, ends; /* zone markers of all its RISCs */
};

struct counter_sample {
	uint32_t core;
	uint32_t name; /* of `counter_names` */
	uint64_t run_id, time_cycles;
	int64_t session, value, reference;
};

struct risc_balance {
	uint32_t core;
	uint16_t risc;
	uint64_t starts, ends;
};

struct op_times {
	VEC(struct op_run) runs; /* in the order of first sight */
	VEC(struct lane_spans) lanes;
	VEC(struct op_core) cores;      /* sorted by run, then first time, then order in the file */
	VEC(struct device_core) places; /* cores of all devices, in the order of the file */
	VEC(uint32_t) devices;          /* in the order of the file */
	VEC(struct risc_balance) balance; /* per RISC of each core */
	VEC(struct counter_sample) counters;
	struct intern counter_names;
	uint64_t markers, without_run;
	bool any_dispatch;
	/* ours: */
	struct intern keys;       /* device, run id, trace, session */
	VEC(uint32_t) run_of_key; /* first repeat */
	VEC(uint32_t) follower;   /* the run that came after this one, last time */
	struct u64map core_index; /* run and core, to the entry of `cores` */
	struct u64map place_index, balance_index, device_index;
	VEC(uint8_t) zone_class;
	VEC(uint8_t) risc_class;
	uint32_t last_run, last_entry, last_place, last_balance;
	uint32_t last_device;
	uint16_t last_x, last_y, last_risc;
	bool started;
};

/* Takes all markers of a source. */
void op_times_read(struct op_times *t, struct marker_source *from);
/* One marker; for sources that push. */
void op_times_add(struct op_times *t, const struct marker *m, const struct marker_names *names);
/* After the last marker: sorts. */
void op_times_finish(struct op_times *t);
void op_times_release(struct op_times *t);

/* The span of a run; NULL when it has no such marker. */
static inline const struct span *op_span(const struct op_times *t, const struct op_run *r,
					 enum op_lane lane, enum op_zone zone, enum op_phase phase)
{
	const struct span *s;

	if (r->lane[lane] == OP_NONE)
		return NULL;
	s = &t->lanes.at[r->lane[lane]].at[zone][phase];
	return s->count ? s : NULL;
}

/* The first run with this key, or OP_NONE. */
uint32_t op_times_find(const struct op_times *t, uint32_t device, uint64_t run_id, int64_t trace_id,
		       int64_t session);

/* Adds the times of `from` to `into`, as if they were one run (a damaged log's merged ops). */
void op_times_merge(struct op_times *t, uint32_t into, uint32_t from);

/* "sub_device_id" of a marker's meta data; false without one. */
bool marker_sub_device(struct str meta, int64_t *id);
/* A whole number of the meta data by its key, such as "workers_runtime_id". */
bool marker_meta_i64(struct str meta, struct str key, int64_t *out);
/* A text of the meta data. */
bool marker_meta_text(struct str meta, struct str key, struct str *out);

#endif /* TTP_OPS_OP_TIMES_H */
