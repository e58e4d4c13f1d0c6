// SPDX-License-Identifier: Apache-2.0
/*
 * Cores of a device, one number each: how evenly the work is divided.
 *
 * Per op call and core, of the chosen zones (kernels, unless a zone is named) within the window:
 *
 *	busy   time in which at least one RISC was in a chosen zone
 *	span   first start to last end
 *	sum    the same added up over RISCs
 *	skew   first start, since the op's first start on any core of the device
 *	tail   from its last end to the op's last end
 *	over   what it was busy above the mean of the op's cores, where it was
 *	slowest  1 where it was busy longest of all, and longer than the mean
 *	wait   what the compute kernels waited for tiles and for room (only where they were set to record it)
 *
 * A core has the sums of these over its calls; of skew and tail the mean.  `use` is its busy time as a part of the time of all chosen ops
 * of the device, `calls` how many op calls ran on it.
 */
#ifndef TTP_DRAW_HEAT_H
#define TTP_DRAW_HEAT_H

#include "base/out.h"
#include "base/term.h"
#include "chip/grid.h"
#include "draw/op_names.h"
#include "draw/window.h"
#include "markers/core_times.h"
#include "runs/run.h"

/* X(id, name, unit, what it is) */
#define HEAT_METRIC_LIST(X)                                                     \
	X(BUSY, "busy", HEAT_TIME, "time in which a kernel ran")                \
	X(SPAN, "span", HEAT_TIME, "first start to last end, per op call")      \
	X(SUM, "sum", HEAT_TIME, "time of kernels, RISCs added up")             \
	X(SKEW, "skew", HEAT_TIME, "start after the op's first core, mean")     \
	X(TAIL, "tail", HEAT_TIME, "end before the op's last core, mean")       \
	X(OVER, "over", HEAT_TIME, "above the mean of each op's cores, summed") \
	X(SLOWEST, "slowest", HEAT_COUNT, "op calls in which it was the slowest") \
	X(WAIT, "wait", HEAT_TIME, "waiting for tiles and for room in buffers") \
	X(USE, "use", HEAT_PERCENT, "busy, of the time of the ops")             \
	X(CALLS, "calls", HEAT_COUNT, "op calls that ran on the core")

enum heat_metric {
#define X(id, name, unit, says) HEAT_##id,
	HEAT_METRIC_LIST(X)
#undef X
		HEAT_METRICS
};

enum heat_unit { HEAT_TIME, HEAT_PERCENT, HEAT_COUNT };

struct heat_metric_info {
	const char *name, *says;
	enum heat_unit unit;
};
extern const struct heat_metric_info heat_metric_info[HEAT_METRICS];
extern const char *const heat_metric_names[HEAT_METRICS + 1]; /* ended by NULL */

struct heat_ask {
	enum heat_metric metric;
	struct str op;  /* part of an op's name; empty: all */
	uint32_t id;    /* an op of the report, or a program of the log; 0: all */
	int64_t device; /* -1: all */
	struct window_ask when;
	struct core_want zones; /* as read; for what is said of it */
};

struct heat_core {
	uint16_t x, y;
	uint32_t calls;
	double value[HEAT_METRICS]; /* ns, percent or a number */
};

/* How a cell without a value is called: in JSON, in text, in text without room, in pictures. */
#define HEAT_CELL_LIST(X)                   \
	X('d', "dram", "dram", "D", "DRAM") \
	X('e', "eth", "eth", "E", "eth")    \
	X('p', "pcie", "pcie", "P", "PCIe") \
	X('a', "arc", "arc", "A", "ARC")    \
	X('x', "off", "off", "x", "off")    \
	X('-', "idle", "-", "-", "idle")
struct heat_cell {
	char cell;
	const char *key, *word, *letter, *title;
};
/* Never NULL: of others all texts are empty. */
const struct heat_cell *heat_cell_of(char cell);

/* Cells: w with a value, - a worker that no chosen op ran on, x one that is switched off or kept for dispatch; else the grid's letters. */
struct heat_device {
	uint32_t id;
	VEC(struct heat_core) cores; /* that chosen ops ran on, by y, then x */
	VEC(uint32_t) slowest;       /* numbers of cores, largest value first */
	int width, height;
	char cell[GRID_MAX][GRID_MAX];
	int32_t core_at[GRID_MAX][GRID_MAX]; /* number of a core, -1 without */
	bool grid_known;
	bool misplaced;        /* there is a map of this chip, but cores lie elsewhere */
	unsigned off;          /* workers that are switched off or kept for dispatch */
	unsigned workers;      /* that ops can use; 0: not known */
	uint32_t ops;          /* chosen op calls */
	double ops_ns;         /* their time */
	double max, mean, min; /* of the metric, over cores that ran */
	double imbalance, variation, lost;
};

/* Like calls, over devices: how unevenly they are divided. */
struct heat_op {
	struct str label;
	uint32_t like, id, calls; /* id: of its worst call */
	double cores;             /* mean */
	double time_ns, lost_ns;  /* core-time */
	double imbalance;         /* of the sums: max / mean - 1, calls weighed by time */
	double worst_ns;
};

struct heat {
	struct str source; /* what is shown, for the first line; the caller's */
	const struct core_times *t;
	struct op_names *names;
	struct heat_ask ask;
	VEC(struct heat_device) devices; /* by id; only those that were asked for */
	VEC(struct heat_op) ops;         /* most lost core-time first */
	double max;                      /* over all devices */
	struct window window;
	int64_t span_ns; /* of the whole log */
	uint32_t calls;  /* chosen */
	bool tells_wait;
};

enum ttp_rc heat_make(struct heat *h, const struct core_times *t, struct op_names *names,
		      const struct heat_ask *ask, struct ttp_err *e) TTP_CHECKED;
/* Names of ops of the log that come nearest to `op`, for people: "Matmul, Reshape". */
void heat_near_ops(const struct core_times *t, struct op_names *names, struct str op,
		   struct buf *to);
void heat_release(struct heat *h);

/* A value with its unit; `fine`: with a digit behind the point where it is a percentage or no whole number. */
void heat_value(struct buf *b, double v, enum heat_metric m, bool fine);
/* Whether max, mean and lost mean anything: not of a wait, a skew or a count. */
bool heat_is_work(enum heat_metric m);

void heat_text(const struct heat *h, bool all_devices, struct term term, struct out *out);
void heat_json(const struct heat *h, const struct run *run, struct out *out);
void heat_svg(const struct heat *h, struct out *out);

#endif /* TTP_DRAW_HEAT_H */
