// SPDX-License-Identifier: Apache-2.0
/*
 * From markers to times of ops, in one pass and without keeping a marker.
 *
 * A run of an op is what shares device, run id, trace and replay.  Where a log has no replays, the n-th FW
 * start of a RISC with the same run id belongs to the n-th run of it.  Of each run are kept: the first
 * start and the last end per RISC and zone (FW, KERNEL); sums of zones; and, per core, first and last
 * kernel times.  All analyses of ops (markers/analyses/analyses.h) are made from these.  Memory grows with ops times
 * cores, never with markers, and times are kept as 24-bit distances from the first one that was seen of the
 * run; a run or core whose times are further apart than that (8 ms) has them in full elsewhere.
 *
 * Whether a log is as regular as runtimes write them is watched on the way (`irregular`): if it is, then what
 * the originals detect as ops (compat/process_ops_logs/exact_runs.h) are these runs.
 *
 * Of hardware counters (timer id 9090) only their offsets in the log are kept (markers/counters/counter_values.h).
 */
#ifndef TTP_MARKERS_OP_TIMES_H
#define TTP_MARKERS_OP_TIMES_H

#include "base/map.h"
#include "base/vec.h"
#include "markers/marker.h"

/* ---- noc_load.c ---- */

/*
 * What an op moved over the NoCs, by the core at the other end: from the NoC events of a device log
 * (TT_METAL_DEVICE_PROFILER_NOC_EVENTS=1), which carry type, coordinates and bytes of each transfer.  A core that many others
 * read from or write to can be what all of them wait for.
 */

enum { NOC_EVENT_ID = 12345 }; /* the low 16 bits of such a marker's timer id */

/* A tile of DRAM: how long reads took that waited for it, from the first read to what came behind the barrier. */
enum { NOC_WAIT_BUCKETS = 96, NOC_WAIT_PER_OCTAVE = 4 };
struct noc_bank {
	unsigned x, y;
	uint32_t waits;
	uint16_t of_cycles
		[NOC_WAIT_BUCKETS]; /* how many of them; each a fifth longer than the one before */
};

/* Reads of a RISC that it has not waited for. */
enum { NOC_READER_BANKS = 32 };
struct noc_reader {
	uint64_t since_cycles, last_cycles;
	uint32_t n, bank[NOC_READER_BANKS]; /* n above that: too many to tell */
};

struct noc_load {
	struct u64map ports;        /* x, y, NoC and direction, to the number in `bytes` */
	VEC(uint64_t) bytes;        /* of that port */
	uint64_t to_dram, to_cores; /* of all, by what is at the other end */
	struct u64map bank_index;   /* x and y of a tile of DRAM, to its number in `banks` */
	VEC(struct noc_bank) banks; /* that were read from */
	struct u64map reader_index; /* core and RISC, to its number in `readers` */
	VEC(struct noc_reader) readers;
};

struct noc_port {
	unsigned x, y; /* of the core, as programs count them: from (0, 0) */
	uint64_t bytes;
};

/* The core that most was read from, or written to, over one NoC; false without any. */
bool noc_load_busiest(const struct noc_load *l, struct noc_port *port);
/* The bank that is waited for longest, and what the median of the others is; false where there are too few reads. */
struct noc_slow_bank {
	unsigned x, y;
	double cycles, others_cycles; /* that all but a fifth of the waits take */
};
bool noc_load_slowest_bank(const struct noc_load *l, struct noc_slow_bank *slowest);
void noc_load_release(struct noc_load *l);

/* Who wrote the zone: RISCs that the analyses tell apart. */
enum op_lane {
	LANE_BRISC,
	LANE_NCRISC,
	LANE_TRISC0,
	LANE_TRISC1,
	LANE_TRISC2,
	LANE_ERISC,
	LANE_DM,          /* Quasar's data movers, zones DM-… */
	LANE_DM0,         /* their first, zone DM0-FW: it is the master of its core */
	LANE_NEO,         /* Quasar's compute, zones TRISC-… */
	LANE_AGG,         /* device traces, zones TRACE-… */
	LANE_OTHER,       /* a zone of one of these names on a RISC that is not its own */
	LANE_OTHER_MOVER, /* the same, named as a data mover's */
	LANE_NONE,        /* a zone of a master's name on another RISC: counts for nothing */
	LANES
};

#define OP_NONE UINT32_MAX

/* What the first start and the last end are kept of; those that nearly every run has come first. */
enum op_slot {
	SLOT_BRISC, /* kernels, by lane */
	SLOT_NCRISC,
	SLOT_TRISC0,
	SLOT_TRISC1,
	SLOT_TRISC2,
	SLOT_FW,       /* firmware of movers and others */
	SLOT_TRISC_FW, /* of compute */
	SLOTS_COMMON,
	SLOT_ERISC = SLOTS_COMMON, /* kernels again */
	SLOT_DM,
	SLOT_NEO,
	SLOT_AGG,
	SLOT_OTHER,
	SLOT_OTHER_MOVER, /* named as a mover's, on a RISC that is none */
	SLOT_DM_FW,
	SLOT_DM0_FW,
	SLOT_AGG_FW,
	SLOTS
};
_Static_assert(SLOTS <= 16, "masks have 16 bits");

/* Times of a run. */
enum op_time {
	TIME_FIRST, /* of all its markers */
	TIME_LAST,
	TIME_FIRST_START, /* of kernels; see kernel_starts */
	TIME_LAST_START,
	TIME_START, /* of the first slot; its end follows, then the next */
	OP_TIMES = TIME_START + 2 * SLOTS_COMMON
};

/* A distance in cycles from the base of its run is kept in two parts, so that it takes three bytes. */
#define OP_NEAR       (1u << 23)
#define OP_MANY_ZONES 255u

/* One run of one op on one device. */
struct op_run {
	uint64_t run_id;
	uint64_t base;   /* cycles that its times, and those of its cores, count from */
	uint32_t replay; /* number in `replays`: device, trace and session */
	uint32_t rare;   /* number in `rare`, OP_NONE: none */
	union {
		uint32_t first_core; /* of `cores`, after op_times_finish() */
		uint32_t follower;   /* until then: the run that came after this one, last time */
	};
	uint16_t has_start, has_end; /* masks of slots */
	uint16_t low[OP_TIMES];      /* of times; wide: the first two are a number in `wide_runs` */
	int8_t high[OP_TIMES];
	uint8_t kernel_starts : 2; /* kernels that started: 0, 1, or 2 for more */
	bool wide : 1;
	bool last_is_end : 1;    /* the end of a master's firmware has the last time */
	bool last_is_shared : 1; /* and so has another kind of marker */
	bool is_cut : 1; /* in the last part of a log that ends early (markers/log/device_log.h) */
	uint8_t zones; /* of its own that the kernel which ended last was in; OP_MANY_ZONES: `rare` says */
};

_Static_assert(sizeof(struct op_run) == 88, "a run of an op takes no more");

struct wide_run {
	uint64_t time[OP_TIMES];
};

/* A trace and one of its replays, as logged; -1: none. */
struct op_replay {
	int64_t trace_id, session;
	uint32_t device; /* that ran it */
};

/* What few runs have, in short. */
struct op_rare {
	uint32_t more;        /* number in `more`, OP_NONE: none */
	uint32_t repeat;      /* 1, … when the log has the same run id again without session */
	uint32_t next_repeat; /* run with the same key, or OP_NONE */
	uint16_t twice;       /* mask of slots with more than one marker; with `any_phase` */
	uint32_t zones;       /* with OP_MANY_ZONES */
};

/* What few runs have. */
struct op_more {
	uint64_t start[SLOTS - SLOTS_COMMON], end[SLOTS - SLOTS_COMMON];
	uint64_t cb_wait, cb_reserve;             /* sums of ZONE_TOTAL */
	uint32_t cb_wait_cores, cb_reserve_cores; /* how many cores recorded them */
	int64_t sub_device;
	bool has_sub_device;
	uint64_t dispatch_cmd, dispatch_wait; /* one more than the cycles; 0: none */
	uint32_t noc;                         /* one more than the number in `noc`; 0: none */
};

/* Times of a run on one core. */
enum core_time {
	CORE_FIRST, /* of all its markers */
	CORE_LAST,
	CORE_KERNEL_FIRST, /* of kernels; see `kernels` */
	CORE_KERNEL_LAST,
	CORE_TIMES_COMMON,
	/* only where gaps between ops are wanted per core: */
	CORE_KERNEL_END = CORE_TIMES_COMMON, /* last end of a kernel; with CORE_HAS_END */
	CORE_KERNEL_FIRST_END,
	CORE_MOVER_START,  /* first start of a data-movement kernel; with CORE_HAS_MOVER */
	CORE_MASTER_START, /* FW start of the core's master RISC; with CORE_HAS_MASTER */
	CORE_TIMES
};

enum {
	CORE_HAS_END = 1,
	CORE_HAS_MOVER = 2,
	CORE_HAS_MASTER = 4,
	CORE_HAS_FW = 8,       /* a zone whose name holds "FW" */
	CORE_HAS_FW_ZONE = 16, /* a zone named …-FW, as the runtime's own */
	CORE_IS_WIDE = 32,     /* the times are in `wide_cores` */
	CORE_HAS_MARKER = 64,  /* it has a first and a last time */
};

/* The part of a run on one core. */
struct op_core {
	uint32_t run, core;
	uint32_t fw_seen; /* mask of RISCs whose FW started */
	uint16_t low
		[CORE_TIMES_COMMON]; /* as in the run; wide: the first two are a number in `wide_cores` */
	int8_t high[CORE_TIMES_COMMON];
	uint8_t kernels; /* kernel markers: 0, 1, or 2 for more */
	uint8_t master_starts, master_ends;
	uint8_t has;
};

_Static_assert(sizeof(struct op_core) == 28, "a core of a run takes no more");

/* Further times of it. */
struct op_core_ends {
	uint16_t low[CORE_TIMES - CORE_TIMES_COMMON];
	int8_t high[CORE_TIMES - CORE_TIMES_COMMON];
};

struct wide_core {
	uint64_t time[CORE_TIMES];
};

struct device_core {
	uint32_t device;
	uint16_t x, y;
	bool dispatch; /* runs the command queue */
};

/* Samples of hardware counters of one run on one core that follow each other in the log. */
struct counter_span {
	uint64_t run_id, first_cycles;
	const char *at; /* meta data of the first, up to those of the last: in the source's text */
	uint32_t len;
	uint32_t core;
	uint32_t replay; /* of `replays` */
};

/* Zones of one RISC of one core, and where it is in them. */
struct risc_state {
	uint32_t core;
	uint16_t risc;
	uint8_t depth;  /* 1: in its firmware, 2: in its kernel */
	uint32_t zones; /* that its kernel has been in */
	uint32_t run;   /* whose firmware it is in */
	uint64_t starts, ends;
	uint64_t last_cycles;
};

/* Numbers of a vec by a key that its elements hold: a table of 4 bytes per slot. */
struct op_index {
	uint32_t *slot; /* one more than the number; 0: free */
	size_t slots, used;
};

struct op_times {
	VEC(struct op_run) runs; /* in the order of first sight */
	VEC(struct wide_run) wide_runs;
	VEC(struct op_rare) rare;
	VEC(struct op_more) more;
	VEC(struct noc_load) noc;
	VEC(struct op_replay) replays;
	VEC(struct op_core) cores; /* sorted by run, then first time, then order in the file */
	VEC(struct op_core_ends) core_ends; /* beside them, with `wants_core_ends` */
	VEC(struct wide_core) wide_cores;
	VEC(struct device_core) places; /* cores of all devices, in the order of the file */
	VEC(uint32_t) devices;          /* in the order of the file */
	VEC(struct risc_state) riscs;   /* per RISC of each core */
	VEC(struct counter_span) counters;
	uint64_t markers, without_run;
	bool any_dispatch;
	bool irregular; /* some RISC's zones don't follow each other as firmware writes them */
	/*
	 * How the originals count: any marker of a zone may start or end it.  Set before the first marker;
	 * only compat/process_ops_logs/exact_runs.h does.
	 */
	bool any_phase;
	bool wants_core_ends; /* for gaps between ops per core; set before the first marker, too */
	/* ours: */
	struct op_index run_index,
		core_index; /* by key; by run and core, until op_times_finish() */
	struct u64map place_index, risc_index, device_index, replay_index;
	VEC(uint16_t) zone_class;
	VEC(uint8_t) risc_class;
	uint32_t last_run, last_entry, last_place, last_state;
	uint32_t named_state; /* of the last marker with a run id */
	uint32_t last_device;
	uint16_t last_x, last_y, last_risc;
	struct op_replay last_replay;
	uint64_t last_run_id;
	bool started;
};

struct device_log;
/* Takes all markers of a log. */
void op_times_read(struct op_times *t, struct device_log *log);
/* One marker. */
void op_times_add(struct op_times *t, const struct marker *m, const struct marker_names *names);
/* After the last marker: sorts. */
void op_times_finish(struct op_times *t);
void op_times_release(struct op_times *t);
/* Gives back the memory of the keys' index. */
void op_times_forget_keys(struct op_times *t);

static inline uint32_t op_wide_number(const uint16_t low[2])
{
	return (uint32_t)low[1] << 16 | low[0];
}

static inline int32_t op_distance(uint16_t low, int8_t high)
{
	return high * 65536 + low;
}

/* A time of a run, in cycles; one of a slot only where its masks say so. */
static inline uint64_t op_run_time(const struct op_times *t, const struct op_run *r, unsigned what)
{
	uint32_t wide = op_wide_number(r->low);

	return r->wide ? t->wide_runs.at[wide].time[what]
		       : r->base + (uint64_t)(int64_t)op_distance(r->low[what], r->high[what]);
}

/* One of the further times only where `wants_core_ends` was set. */
static inline uint64_t op_core_time(const struct op_times *t, const struct op_core *c,
				    enum core_time what)
{
	uint64_t base = t->runs.at[c->run].base;
	uint32_t wide = op_wide_number(c->low);

	if (c->has & CORE_IS_WIDE)
		return t->wide_cores.at[wide].time[what];
	if (what < CORE_TIMES_COMMON)
		return base + (uint64_t)(int64_t)op_distance(c->low[what], c->high[what]);
	const struct op_core_ends *ends = &t->core_ends.at[c - t->cores.at];

	what -= CORE_TIMES_COMMON;
	return base + (uint64_t)(int64_t)op_distance(ends->low[what], ends->high[what]);
}

static inline uint32_t op_run_device(const struct op_times *t, const struct op_run *r)
{
	return t->replays.at[r->replay].device;
}

/* How many cores it ran on; after op_times_finish(). */
static inline uint32_t op_run_cores(const struct op_times *t, const struct op_run *r)
{
	size_t end = r + 1 < t->runs.at + t->runs.len ? r[1].first_core : t->cores.len;

	return (uint32_t)end - r->first_core;
}

/* What few runs have; NULL without. */
static inline const struct op_more *op_run_more(const struct op_times *t, const struct op_run *r)
{
	uint32_t more = r->rare == OP_NONE ? OP_NONE : t->rare.at[r->rare].more;

	return more == OP_NONE ? NULL : &t->more.at[more];
}

/* 0, 1, … when the log has the same run id several times without session. */
static inline uint32_t op_run_repeat(const struct op_times *t, const struct op_run *r)
{
	return r->rare == OP_NONE ? 0 : t->rare.at[r->rare].repeat;
}

/* Zones of its own that the kernel which ended last was in. */
static inline uint32_t op_run_zones(const struct op_times *t, const struct op_run *r)
{
	return r->zones < OP_MANY_ZONES ? r->zones : t->rare.at[r->rare].zones;
}

/* The next run with the same key, or OP_NONE. */
static inline uint32_t op_run_next_repeat(const struct op_times *t, const struct op_run *r)
{
	return r->rare == OP_NONE ? OP_NONE : t->rare.at[r->rare].next_repeat;
}

static inline uint64_t op_slot_start(const struct op_times *t, const struct op_run *r,
				     enum op_slot s)
{
	return s < SLOTS_COMMON ? op_run_time(t, r, TIME_START + 2u * s)
				: t->more.at[t->rare.at[r->rare].more].start[s - SLOTS_COMMON];
}

static inline uint64_t op_slot_end(const struct op_times *t, const struct op_run *r, enum op_slot s)
{
	return s < SLOTS_COMMON ? op_run_time(t, r, TIME_START + 2u * s + 1)
				: t->more.at[t->rare.at[r->rare].more].end[s - SLOTS_COMMON];
}

static inline struct op_replay op_run_replay(const struct op_times *t, const struct op_run *r)
{
	return t->replays.at[r->replay];
}

/* The same to write to, made if it is missing. */
struct op_more *op_run_make_more(struct op_times *t, struct op_run *r);
/* Has a kernel of this run ended later than that? */
bool op_run_ended_later(const struct op_times *t, const struct op_run *r, uint64_t cycles);
/* A transfer over the NoC, as the marker has it; in noc_load.c. */
void op_run_add_noc(struct op_times *t, struct op_run *r, const struct marker *m);

/* A run that lacks the start or the end of some core's firmware, or has markers of no core that ran any. */
bool op_run_is_partial(const struct op_times *t, const struct op_run *r);

/* The first run with this key, or OP_NONE; nothing is found after op_times_forget_keys(). */
uint32_t op_times_find(const struct op_times *t, uint32_t device, uint64_t run_id, int64_t trace_id,
		       int64_t session);
/* The last sub-device that a marker with this key has; false without one. */
bool op_times_sub_device(const struct op_times *t, uint32_t device, uint64_t run_id,
			 int64_t trace_id, int64_t session, int64_t *out);

/* A run that the caller delimits: markers that are added go to it, until the next one begins. */
void op_times_begin_run(struct op_times *t, const struct marker *first);
void op_times_add_to_run(struct op_times *t, const struct marker *m,
			 const struct marker_names *names);
/* Makes a core known, in this order. */
void op_times_add_place(struct op_times *t, uint32_t device, uint16_t x, uint16_t y);

/* "sub_device_id" of a marker's meta data; false without one. */
bool marker_sub_device(struct str meta, int64_t *id);
/* A whole number of the meta data by its key, such as "workers_runtime_id". */
bool marker_meta_i64(struct str meta, struct str key, int64_t *out);
/* A text of the meta data. */
bool marker_meta_text(struct str meta, struct str key, struct str *out);

#endif /* TTP_MARKERS_OP_TIMES_H */
