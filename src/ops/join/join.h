// SPDX-License-Identifier: Apache-2.0
/*
 * The join: ops of the host meet their runs on devices, and both become rows of a report in the order of
 * time.  Runs come from markers (markers/op_times.h) or from the runtime's own report (below).
 *
 * Every op of the host gets a row, whatever is missing; the account says what and why.
 */
#ifndef TTP_OPS_JOIN_JOIN_H
#define TTP_OPS_JOIN_JOIN_H

#include "base/account.h"
#include "base/err.h"
#include "base/input.h"
#include "base/vec.h"
#include "markers/op_times.h"
#include "ops/host/host_events.h"
#include "ops/table/ops_table.h"

/* ---- perf_report.c ---- */

/*
 * cpp_device_perf_report.csv: times of ops that the runtime worked out itself, one row per run of an op.
 * Columns are found by name.  Cells stay in the file: of each row only its offset is kept, and the row that was
 * asked for last is held as texts, whole numbers in their plain form.
 */

/* Columns beyond those of an ops report. */
enum perf_extra {
	PERF_KERNEL_START = OPS_COLS,
	PERF_KERNEL_END,
	PERF_DM_START,
	PERF_DM_END,
	PERF_QUASAR_DM_START,
	PERF_QUASAR_DM_END,
	PERF_QUASAR_TRISC_START,
	PERF_QUASAR_TRISC_END,
	PERF_OP_NAME,
	PERF_COLS
};

struct perf_cell {
	uint16_t column; /* enum ops_col or perf_extra */
	struct str text; /* never empty */
};

struct perf_row {
	uint64_t id;
	int64_t device, trace_id, session; /* -1: none */
	size_t at;                         /* in the text */
};

struct perf_reader;

struct perf_report {
	VEC(struct perf_row) rows; /* of one key only the last; in the order of first sight */
	uint64_t bad_rows;
	bool cut; /* it ends in the middle of a row, which was skipped if cells are missing */
	bool trusts_end; /* set before reading: that row is as good as others (frozen) */
	/* ours: */
	struct input in;
	struct perf_reader *reader;
	bool open;
};

enum ttp_rc perf_report_read(struct perf_report *p, const char *path,
			     struct ttp_err *e) TTP_CHECKED;
void perf_report_release(struct perf_report *p);

/* Cells of a row; valid until those of another row of the same report are asked for. */
const struct perf_cell *perf_cells(const struct perf_report *p, const struct perf_row *r,
				   size_t *n);
/* Text of a cell, empty without one, as long valid; and as a whole number. */
struct str perf_text(const struct perf_report *p, const struct perf_row *r, unsigned column);
bool perf_i64(const struct perf_report *p, const struct perf_row *r, unsigned column, int64_t *out);

/* A run, in the terms of the join. */
struct run_ref {
	uint64_t id;
	int64_t device, trace_id, session; /* -1: none */
};

/* Where runs of ops come from: one of the two is set. */
struct run_source {
	const struct op_times *times;
	const struct perf_report *report;
	/* Of `report`: runs whose markers are not whole, as the log beside it has them, in order. */
	const struct run_ref *partial;
	size_t n_partial;
	/* Replays of `times`, one per run, where they are not those that the log tells (frozen). */
	const struct op_replay *replays;
};

void run_refs_sort(struct run_ref *refs, size_t n);
size_t run_count(const struct run_source *s);
struct run_ref run_at(const struct run_source *s, size_t i);

enum row_kind { ROW_OP, ROW_REPLAY, ROW_SIGNPOST };

/* Why a row is not whole, and what it counts as; a row has one, the first that applies. */
#define ROW_STATE_LIST(X)                                                  \
	X(WHOLE, "", TIMED)                                                \
	X(NO_DEVICE_DATA, "no device data", OP_UNTIMED)                    \
	X(CAPTURED, "captured", TIMED)                                     \
	X(NEVER_REPLAYED, "captured; never replayed", OP_NEVER_REPLAYED)   \
	X(PARTIAL, "partial markers", OP_PARTIAL)                          \
	X(LOG_CUT, "device log cut", OP_LOG_CUT)                           \
	X(FEWER_CORES, "cores missing", OP_FEWER_CORES)                    \
	X(NO_COMPUTE, "no compute markers", OP_NO_COMPUTE)                 \
	X(LOST_REPLAY_MESSAGE, "replay message lost", REPLAY_MESSAGE_LOST) \
	X(HOST_ONLY, "host op", TIMED)

enum row_state {
#define X(id, text, cause) ROW_##id,
	ROW_STATE_LIST(X)
#undef X
		ROW_STATES
};
const char *row_state_text(enum row_state s);
enum account_what row_state_cause(enum row_state s);

struct join_row {
	int64_t time_ns;      /* its position in the order */
	uint32_t host;        /* number of the op, or of the signpost */
	uint32_t run;         /* of the source; OP_NONE: none */
	uint32_t counted;     /* session, where the log has none; 0: as logged */
	uint8_t kind;         /* enum row_kind */
	uint8_t state;        /* enum row_state */
	bool replay_is_known; /* time_ns is when its replay was asked for */
};
_Static_assert(sizeof(struct join_row) == 24, "a row takes no more");

struct join_rules {
	/* Time of a replay whose message is missing; `r` are those that are there (may be NULL). */
	int64_t (*lost_replay_time)(const struct host_events *h, const struct host_op *op,
				    const struct host_replays *r);
	/* Trace of an op that is shown without a replay. */
	bool show_capture_trace;
};

struct join {
	const struct host_events *host;
	const struct run_source *source;
	const struct join_rules *rules;
	VEC(struct join_row) rows; /* in the order of the report */
	VEC(uint8_t) run_used;     /* per run of the source */
};

/* The host's and the devices' part must outlive it. */
void join_make(struct join *j, const struct host_events *h, const struct run_source *s,
	       const struct join_rules *rules);
void join_release(struct join *j);
/* The trace of a row, and the session of a replay; -1: none. */
struct op_replay join_row_replay(const struct join *j, const struct join_row *row);

extern const struct join_rules join_rules;

#endif /* TTP_OPS_JOIN_JOIN_H */
