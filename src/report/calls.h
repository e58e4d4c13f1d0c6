// SPDX-License-Identifier: Apache-2.0
/*
 * The ops of a run as a report sees them: rows of the ops table, put in order, cut to the part that was
 * asked for, and the rows of several devices that belong to one op brought together.
 *
 * A call is one op of the program; on n devices it stands for n rows.  Its number (ID) is that of its
 * first row in the input, from 1, so that it doesn't change with options.  A kind is what calls have in
 * common that were made alike (code, attributes, fidelity, cores, tensors); what an op could reach at
 * best is worked out once per kind.
 */
#ifndef TTP_REPORT_CALLS_H
#define TTP_REPORT_CALLS_H

#include "base/account.h"
#include "base/map.h"
#include "ops/host_gaps.h"
#include "ops/table/ops_table.h"
#include "report/roofline.h"
#include "report/row_times.h"
#include "report/steady.h"

enum call_flags {
	CALL_HOST = 1 << 0,    /* ran on the host */
	CALL_UNTIMED = 1 << 1, /* no device time: lost, or not read */
	CALL_PARTIAL = 1 << 2, /* time of the firmware only, or rows of some devices are missing */
	CALL_CACHE_MISS = 1 << 3, /* its program was not in the cache, where the report can tell */
	CALL_BUILT = 1 << 4,      /* a gap that only building its program explains */
	CALL_HOMELESS = 1 << 5,   /* its row names no device, others do */
	CALL_CAPTURED = 1 << 6,   /* only captured into a trace: its replays have times */
	CALL_MARKER = 1 << 7,     /* an op of the profiler, not of the model (report/steps.h) */
	CALL_PAUSE = 1 << 8,      /* the gap before it is not like any other */
	CALL_REPLAY = 1 << 9, /* of a trace: whatever its row repeats, nothing is built for it */
	CALL_OPENS = 1 << 10, /* the first call of its program in the whole run */
	CALL_STARTS_REPLAY = 1 << 11, /* of its device: the first op that a replay left */
	CALL_AFTER_LOST = 1 << 12,    /* the op before it left no row (report/replays.h) */
	CALL_FEWER_CORES = 1 << 13,   /* than in another replay: markers were lost */
	CALL_CACHE_HIT = 1 << 14,     /* its program was in the cache: the report says so */
};

struct call {
	uint32_t id;  /* from 1 */
	uint32_t row; /* the slowest device's */
	uint32_t
		gap_row; /* of the device with the longest gap of its own before it (report/gap_parts.h) */
	uint32_t kind;
	uint32_t section;
	uint32_t
		count; /* 1; of a folded line: the calls it stands for, all else being their mean */
	uint32_t devices; /* rows that it stands for */
	uint16_t flags;
	float skew_ns;  /* slowest less fastest device */
	float wait_ns;  /* collectives: what devices waited for the last one, on average */
	float zones_ns; /* of time_ns: what the profiler's zones in its kernels took; 0: not known */
	double time_ns; /* device time; of the host for CALL_HOST; 0 when untimed */
	double gap_ns;  /* since the op before, averaged over the devices; 0 without one */
	/* of gap_ns (report/gap_parts.h): */
	double build_ns;    /* in which programs were built */
	double profiler_ns; /* that the profiler took for itself */
};

/* The gap before it is time in which programs were built. */
static inline bool call_builds(const struct call *c)
{
	return c->flags & (CALL_CACHE_MISS | CALL_BUILT);
}

/* What of the gap before it is the program's: neither building, nor the profiler, nor a single pause. */
static inline double call_own_gap(const struct call *c)
{
	double ns = c->gap_ns - c->build_ns - c->profiler_ns;

	return ns > 0 && !(c->flags & CALL_PAUSE) ? ns : 0;
}

/* Nothing of the gap counts as the program's. */
static inline bool call_gap_is_aside(const struct call *c)
{
	return c->flags & CALL_PAUSE || (c->flags & CALL_MARKER && call_own_gap(c) <= 0);
}

struct calls;
/* What the host did in the gap before it; of several devices, in the longest.  NULL: not known. */
const struct host_gap *call_host_gap(const struct calls *c, const struct call *call);
/* The zone of the host that covers it; empty: none, or there is no trace. */
struct str call_gap_zone(const struct calls *c, const struct call *call);

struct kind {
	uint32_t row; /* one that is of this kind */
	uint32_t calls;
	uint32_t alike; /* the same number for kinds that read alike: name, shape, types, cores */
	bool unnamed;   /* a device's log alone: its calls are known by their programs' numbers */
	double time_ns;
	struct roofline roof;
};

/* What lies between two signposts; number 0 is what comes before the first. */
struct section {
	struct str name;
	uint32_t row; /* of its signpost */
};

enum {
	/* A gap this long before the first call of its kind is the building of its program: launching
	 * a built one takes microseconds, compiling takes tens of milliseconds and more. */
	BUILD_GAP_NS = 1000 * 1000,
};

enum order { ORDER_AUTO, ORDER_FILE, ORDER_HOST };

struct call_options {
	const char *start_signpost, *end_signpost; /* NULL: not asked for */
	bool whole_file;                           /* ignore signposts */
	int64_t process;                           /* only what this process ran; 0: all */
	bool keep_devices_apart;
	enum order order;
	const struct chip *chip;      /* NULL: as the report says */
	const struct host_gaps *host; /* what a trace says of the gaps; NULL: nothing */
};

struct calls {
	const struct ops_table *table;
	const struct host_gaps *host; /* of the gaps, where a trace was read; else NULL */
	struct row_times times;
	VEC(struct call) all;
	uint32_t *
		call_of_row; /* where calls are of several rows: per row of the table; UINT32_MAX: of none */
	VEC(struct kind) kinds;
	struct u64map
		programs; /* of calls without a name: program's number and kind, to call_alike() */
	uint32_t alikes;  /* numbers of call_alike() */
	VEC(uint32_t) like_ids; /* per number of call_like(): the ID of the first */
	VEC(struct section) sections;
	struct roof_chip on;
	bool several_devices;    /* a row should say on which it ran */
	bool unlike;             /* devices of processes that do different things */
	uint32_t programs_apart; /* of those: how many processes */
	bool chip_sure;          /* its figures are those of the card that was used */
	bool chip_named;         /* and so is its name */
	bool chip_figures;       /* it has some: the architecture is known */
	struct str arch;         /* as the report or the user names it; empty: nobody does */
	unsigned devices;        /* in the part that is reported */
	struct str start, end;   /* signposts that bound it (the first file's); empty: its ends */
	bool start_missing, end_missing; /* asked for, but not in the report */
	bool by_process;                 /* each process has its own signposts */
	bool own_starts;                 /* which are not the same */
	bool common_start; /* ranks whose last signposts differ: `start` is the last that all have */
	/* A part between earlier signposts, not the first, with the same ops, that waited as no other did; no rows: there is none. */
	struct {
		struct str name;
		double gap_ns; /* without what first calls of programs waited */
		uint32_t rows;
	} other;
	/* Of the first file: what lies before the signpost that the part begins with. */
	struct {
		double gap_ns, build_ns; /* of all gaps, and of those before first calls */
		uint32_t ops;
	} set_up;
	bool small_last; /* what follows the last signpost is so little that all is reported */
	bool is_steady;  /* the part is `steady` */
	struct steady steady;
	uint64_t device_rows, host_rows, signpost_rows; /* in that part */
	uint64_t seen_rows, timed_rows; /* of device_rows, until the account has them */
	uint64_t left_out_rows;         /* device rows outside of it */
	struct account account;
	bool tells_cache;       /* PROGRAM CACHE HIT has both values: it is of each call */
	bool tells_waits;       /* some call waited for tiles: the column was measured */
	bool tells_gaps;        /* some call has a gap before it, or there is but one */
	uint32_t markers;       /* calls that are ops of the profiler */
	bool any_timed;         /* some row of the table has a device time */
	enum account_what lost; /* why ops without device data have none */
};

void calls_make(struct calls *c, const struct ops_table *t, const struct call_options *o);
void calls_release(struct calls *c);

static inline const struct kind *call_kind(const struct calls *c, const struct call *call)
{
	return &c->kinds.at[call->kind];
}

/*
 * Like calls, as the glossary has them; every output that puts calls together does it by these.
 * call_alike(): the same number, below `alikes`, for ops that read alike; those without a name are alike if
 * they have the same program's number and cores.  call_like(): calls without a time are apart from those with one.
 */
uint32_t call_alike(const struct calls *c, const struct call *call);
static inline uint32_t call_like(const struct calls *c, const struct call *call)
{
	return 2 * call_alike(c, call) + !(call->flags & CALL_UNTIMED);
}
/* The ID of the first call like it. */
static inline uint32_t call_like_id(const struct calls *c, const struct call *call)
{
	uint32_t like = call_like(c, call);

	return c->like_ids.at[like];
}
/* The number of the program that a row without a name is of, as logs have it; 0: not known. */
uint64_t row_program(const struct ops_table *t, size_t row);

/* Share of the nearest roof that a call reached, in percent; 0 when nothing is known. */
double call_roof_percent(const struct calls *c, const struct call *call);
/* Percent of one roof. */
double call_percent_of(const struct calls *c, const struct call *call, enum roof roof);

/*
 * "DRAM", "FLOP", "BOTH", "L1", "ETH" from ROOF_NEAR_PERCENT on, "SLOW" below, "HOST", or "".  "?" for an
 * op that seems faster than the chip: tt-metal keeps what it knows of an op with its program, so a report
 * can show the tensors of another call that used the same program; or the chip is another one.
 */
enum { ROOF_NEAR_PERCENT = 65, ROOF_BELIEVED_PERCENT = 105 };
const char *call_bound(const struct calls *c, const struct call *call);

/* The columns of the ops table that all this needs; and when they ran. */
#define CALLS_COLUMNS                                                                          \
	OPS_OP_CODE, OPS_OP_TYPE, OPS_GLOBAL_CALL_COUNT, OPS_DEVICE_ID, OPS_DEVICE_ARCH,       \
		OPS_ATTRIBUTES, OPS_MATH_FIDELITY, OPS_CORE_COUNT, OPS_WORKER_CORES,           \
		OPS_HOST_START, OPS_HOST_DURATION, OPS_GAP, OPS_FW_DURATION, OPS_DURATION,     \
		OPS_TRACE_ID, OPS_SESSION_ID, OPS_TRACE_DURATION, OPS_CACHE_HIT, OPS_CORE_MAX, \
		OPS_CORE_AVG, OPS_CB_WAIT_FRONT, OPS_CB_RESERVE_BACK, OPS_DRAM_BW_UTIL,        \
		OPS_PROGRAM_HASH, OPS_NOC_CORE, OPS_NOC_CORE_UTIL, OPS_NOC_CORE_SHARE,         \
		OPS_DRAM_BANK, OPS_DRAM_BANK_READ, OPS_DRAM_OTHER_READ, OPS_DATA_STATE,        \
		OPS_PROCESS, OPS_RANK, OPS_PROGRAM, OPS_COMPENSATED
#define CALLS_TIME_COLUMNS OPS_FW_START, OPS_FW_END, OPS_HOST_END
extern const struct ops_want calls_want;
/* The same, and when they ran. */
extern const struct ops_want calls_timed_want;

#endif /* TTP_REPORT_CALLS_H */
