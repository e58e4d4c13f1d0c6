// SPDX-License-Identifier: Apache-2.0
/*
 * The logs of one profiled run, read: what the host said, what the devices did, and what of it is missing.
 *
 *	FOLDER/.logs/tracy_ops_data.csv, tracy_ops_times.csv     host (both, or the run is device-only)
 *	FOLDER/.logs/cpp_device_perf_report.csv                  device, worked out by the runtime
 *	FOLDER/.logs/profile_log_device.csv                      device, markers
 *	FOLDER/.logs/profiler_overhead.json                      what profiling cost, and the error of clocks
 *	FOLDER/.logs/run_account.csv                             what devices and clients counted as lost
 */
#ifndef TTP_OPS_OPS_LOGS_H
#define TTP_OPS_OPS_LOGS_H

#include "base/account.h"
#include "markers/counters/counter_values.h"
#include "markers/log/device_log.h"
#include "ops/join/ops_report.h"

struct ops_logs;

/* How a tool makes an ops report from logs: ours (ops_make.h), or one that we replace (compat/process_ops_logs). */
struct ops_tool {
	const struct report_rules *report;
	const struct counter_rules *with_host, *devices_alone; /* of hardware counters */
	/* Files are taken as they are: the last row of a cut one counts, and none is checked against another. */
	bool trusts_logs;
	/* Fills l->detected with runs, or replays, other than those of the log; NULL: there are none. */
	void (*detect)(struct ops_logs *l);
};

/* Runs that a tool detects otherwise than they were logged. */
struct detected_runs {
	bool there; /* `times` stand for those of the log */
	struct op_times times;
	VEC(uint64_t) last_id; /* per run: id of its last marker; `run_id` is that of its first */
	VEC(struct core_gap) gaps;
	struct op_replay *replays; /* per run; NULL: as logged */
};
void detected_runs_release(struct detected_runs *d);

struct ops_logs_options {
	const struct ops_tool *tool;
	struct inputs *inputs;       /* files that others read, too; NULL: none */
	const char *trace;           /* the host's trace, instead of what the folder has; or NULL */
	struct host_events *host;    /* the same, read already; it is taken, and emptied */
	const char *log;             /* the device log likewise */
	struct device_log *open_log; /* the same, open already; it outlives the logs */
	bool unreadable_log;         /* there is one that can't be opened: it is not tried again */
	bool device_only;
	bool use_markers; /* also where the runtime's report is there */
	bool use_npe;
};

struct run_processes;

struct ops_logs {
	struct host_events host;
	struct op_times times;
	struct detected_runs detected;
	struct perf_report report;
	struct device_log *log, own_log; /* `log` is the one that was given, or our own */
	struct perf_report npe;          /* with has_npe; docs/reference/formats/npe-results.md */
	struct run_cost cost;            /* with has_cost */
	struct run_source source;
	struct run_processes *processes; /* of the run; none where nothing says so */
	bool has_host;                   /* the host's files are there, and name an op */
	bool host_is_report; /* they are not: ops and their order are those of the runtime's report */
	bool has_log, has_report, has_npe, has_cost; /* read */
	bool log_is_there;                           /* the file exists, read or not */
	bool log_is_ours;       /* the log, and what lies beside it, is of host/logs/log_writer.h */
	bool report_is_short;   /* the runtime's report was there, and the device log has more */
	struct log_cut cut;     /* of the device log */
	struct account counted; /* what was lost, as it was counted there */
	bool markers_are_counted; /* all that the log lacks is in it: nothing need be guessed */
	/* Files that can't be read, or not to their end: the report is made without what they lack. */
	VEC(struct run_ref) partial; /* beside the runtime's report */
	VEC(struct ttp_err) skipped;
};

/* `folder` is the one that has the files.  A file that is missing is no error; one that can't be read is. */
enum ttp_rc ops_logs_read(struct ops_logs *l, const char *folder, const struct ops_logs_options *o,
			  struct ttp_err *e) TTP_CHECKED;
void ops_logs_release(struct ops_logs *l);

/* Times are from a log that does not say how long a cycle is. */
static inline bool ops_logs_lack_clock(const struct ops_logs *l)
{
	return l->has_log && !l->has_report && l->log->freq_mhz <= 0;
}

/* What is missing, where and why. */
void ops_logs_account(const struct ops_logs *l, const struct ops_report *r, struct account *a);

#endif /* TTP_OPS_OPS_LOGS_H */
