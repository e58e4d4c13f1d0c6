// SPDX-License-Identifier: Apache-2.0
/*
 * Names of the files and folders of a profiled run, for those who write and those who read them.  Most are tt-metal's, so they can't change.
 *
 *	FOLDER/.logs/...	what was recorded
 *	FOLDER/reports/[NAME/]TIME/...	what was made of it, with copies of some logs
 */
#ifndef TTP_WIRE_RUN_NAMES_H
#define TTP_WIRE_RUN_NAMES_H

#define RUN_LOGS_FOLDER    ".logs"
#define RUN_REPORTS_FOLDER "reports"
#define RUN_DEFAULT_FOLDER "generated/profiler"

/* Of the devices: */
#define RUN_DEVICE_LOG       "profile_log_device.csv" /* docs/reference/formats/device-log.md */
#define RUN_STATE_SUFFIX     ".state"
#define RUN_DEVICE_LOG_STATE RUN_DEVICE_LOG RUN_STATE_SUFFIX
#define RUN_PERF_REPORT      "cpp_device_perf_report.csv"
#define RUN_SYNC             "sync_device_info.csv"
#define RUN_OVERHEAD         "profiler_overhead.json" /* docs/reference/formats/overhead.md */
#define RUN_ZONES            "zone_src_locations.log"
#define RUN_ZONES_NEW        "new_zone_src_locations.log"
#define RUN_NOC_TRACE        "noc_trace_" /* of a program, and devD[_OP]_IDn[_traceIDm].json */
#define RUN_NOC_CLUSTER      "cluster_coordinates.json"
#define RUN_NOC_TOPOLOGY     "topology.json"
/* Of the host: */
#define RUN_TRACE       "tracy_profile_log_host.tracy"
#define RUN_SPOOL       RUN_TRACE ".ttpr"
#define RUN_HOST_ZONES  "tracy_ops_times.csv"
#define RUN_HOST_EVENTS "tracy_ops_data.csv"
/* Of both: what was counted where it was lost (docs/reference/formats/run-account.md). */
#define RUN_ACCOUNT "run_account.csv"
/* Of `ttprof run`: whose devices and programs they are, where there are several processes (docs/reference/formats/run-processes.md). */
#define RUN_PROCESSES "run_processes.csv"
/* Of tt-npe: */
#define RUN_NPE "npe_results.csv"

/* In the folder of a report: */
#define RUN_OPS_REPORT "ops_perf_results" /* and _TIME.csv */
#define RUN_JSON       "run.json"
#define RUN_MANIFEST   "manifest.json" /* the run's id and its files, as tt-metal has it */

/* What a program that opens devices begins anew, and what `ttprof run` does; each as words of an array. */
#define RUN_LOGS_OF_DEVICES                                                               \
	RUN_DEVICE_LOG, RUN_DEVICE_LOG_STATE, RUN_PERF_REPORT, RUN_OVERHEAD, RUN_ACCOUNT, \
		RUN_SYNC, RUN_ZONES_NEW
#define RUN_LOGS_OF_RUN                                                                      \
	RUN_LOGS_OF_DEVICES, RUN_PROCESSES, RUN_ZONES, RUN_TRACE, RUN_SPOOL, RUN_HOST_ZONES, \
		RUN_HOST_EVENTS

/* The rank that a launcher (MPI, SLURM, torchrun) gave to this process; NULL: none. */
const char *run_rank(void);

/*
 * Calls below an op that its report sums up by name, in columns "... TT_HOST_FUNC [ns]": what tt-metal asks csvexport for (-x), and the other
 * calls that an op of libttpdev makes, as the reports of 2023 had them.  Whoever wants more adds names.
 */
/* As csvexport takes them; what their parents have in their names is SPECIAL_ZONES_PARENT. */
#define SPECIAL_ZONES                                                            \
	"CompileProgram,HWCommandQueue_write_buffer,ConfigureDeviceWithProgram," \
	"LaunchProgram,ReadFromDevice,WriteToDevice,DumpDeviceProfileResults"
#define SPECIAL_ZONES_PARENT "TT_"

#endif /* TTP_WIRE_RUN_NAMES_H */
