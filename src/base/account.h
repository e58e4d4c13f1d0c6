// SPDX-License-Identifier: Apache-2.0
/*
 * The account of an answer: how much was seen, how much of it could be timed, and what is missing, where
 * and why.  Nothing missing is fatal; whoever drops or blanks something adds it here, and every report
 * and page ends with what it covers:
 *
 *	184 of 186 ops timed, 1 partial, 1 dropped
 *	1 malformed row skipped (line 17)
 *	  hint: its fields don't match the header; look for a cut file or an unquoted comma
 *
 * All zeros is an empty account.  It has one owning thread; shards keep their own, and merging them in
 * any order gives the same account.  Nothing here prints, and nothing can fail (but by base/exhausted.h).
 */
#ifndef TTP_BASE_ACCOUNT_H
#define TTP_BASE_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* The sums of the one-line summary. */
enum account_total {
	ACCOUNT_TOTAL_NONE, /* in the details only: counts something other than records */
	ACCOUNT_TOTAL_SEEN, /* all records that were met, also those that are partial or dropped */
	ACCOUNT_TOTAL_TIMED,
	ACCOUNT_TOTAL_PARTIAL, /* in the answer, with something missing */
	ACCOUNT_TOTAL_DROPPED, /* not in the answer */
	ACCOUNT_TOTALS,
};

/*
 * Everything that can be added: the total that it counts into, text for one, text for more, hint.
 * The first three are plain counts; the rest are causes, reported in this order.  What device and client counted
 * where it was lost (MARKER_, CLIENT_) comes with the run; what is only inferred from a log says so.
 */
#define ACCOUNT_LIST(X)                                                                                    \
	X(SEEN, SEEN, "seen", "seen", NULL)                                                                \
	X(TIMED, TIMED, "timed", "timed", NULL)                                                            \
	X(PARTIAL, PARTIAL, "partial", "partial", NULL)                                                    \
	X(NO_DEVICE_TIME, PARTIAL, "row without device time", "rows without device time",                  \
	  "a host op, or its device was not profiled; collect with device profiling on")                   \
	X(NO_TIME_HERE, PARTIAL, "row without device time", "rows without device time",                    \
	  "its markers were lost, or it was captured into a trace; `ttprof ops` on the run's "             \
	  "logs tells which")                                                                              \
	X(FIRMWARE_TIME, PARTIAL, "row without kernel time: its firmware time is taken",                   \
	  "rows without kernel time: their firmware time is taken",                                        \
	  "the firmware's time is a little longer than the kernels'")                                      \
	X(SHORT_ROW, NONE, "row with fewer fields than the header",                                        \
	  "rows with fewer fields than the header",                                                        \
	  "what is missing counts as empty; look for a cut file")                                          \
	X(CUT_ROW, NONE, "file ends in the middle of a row", "files end in the middle of a row",           \
	  "its last cell is left out, as it may be half a number; copy the file again")                    \
	X(HEADER_AGAIN, NONE, "header inside the file skipped", "headers inside the file skipped",         \
	  "are these several reports, one behind the other? Give them as several files")                   \
	X(NO_DEVICE, NONE, "device op without a device", "device ops without a device",                    \
	  "DEVICE ID is missing or no number; it stands for itself")                                       \
	X(ODD_TENSOR, NONE, "tensor that can't be understood", "tensors that can't be understood",         \
	  "its sizes or its datatype are not known; the op's roofs are without it")                        \
	X(MALFORMED_ROW, DROPPED, "malformed row skipped", "malformed rows skipped",                       \
	  "its fields don't match the header; look for a cut file or an unquoted comma")                   \
	X(MALFORMED_VALUE, NONE, "malformed value blanked", "malformed values blanked",                    \
	  "a number was expected; the cell counts as empty")                                               \
	X(IMPOSSIBLE_TIME, NONE, "time that can't be, not used", "times that can't be, not used",          \
	  "negative, more than a day, longer than the whole run or what encloses it, or while another op " \
	  "ran on the same cores: a counter that overflowed, a damaged cell, or markers of two runs")      \
	X(MERGE_DEVICE_MISSING, PARTIAL, "op missing on some device of the merge",                         \
	  "ops missing on some device of the merge",                                                       \
	  "devices ran different ops; the merged row covers those that have it")                           \
	X(FILE_TRUNCATED, NONE, "file got shorter while it was read",                                      \
	  "files got shorter while they were read",                                                        \
	  "wait until its writer is done, and run again")                                                  \
	X(NOT_UTF8, NONE, "text is not UTF-8", "texts are not UTF-8",                                      \
	  "wrong bytes are shown as U+FFFD; convert the file from its encoding")                           \
	X(UNCLOSED_QUOTE, NONE, "quote opened and never closed", "quotes opened and never closed",         \
	  "read as plain text; look for a cut file")                                                       \
	X(COMPRESSED_CUT, NONE, "compressed file ends early or is damaged",                                \
	  "compressed files end early or are damaged",                                                     \
	  "read as far as it goes; copy the file again")                                                   \
	X(NO_ACCOUNT, NONE, ".account.json that is damaged or of another report",                          \
	  ".account.json files that are damaged or of other reports",                                      \
	  "what the report lacks is not known; `ttprof ops` on the run's logs tells")                      \
	X(OP_UNTIMED, DROPPED, "op with no device data", "ops with no device data",                        \
	  "its markers were probably lost; raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT, or read the "    \
	  "profiler more often")                                                                           \
	X(OP_LOST, DROPPED, "op that ran and left no markers", "ops that ran and left no markers",         \
	  "raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT, or read the profiler more often")                \
	X(REPLAY_OP_LOST, DROPPED, "op of a replay that other replays of its trace have",                  \
	  "ops of replays that other replays of their traces have",                                        \
	  "the profiler's buffers were probably full: read the profiler every few replays, or raise "      \
	  "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT")                                                       \
	X(OP_NOT_PROFILED, PARTIAL, "op, and no device log", "ops, and no device log",                     \
	  "the device was not profiled: `ttprof run` without --no-device, or "                             \
	  "TT_METAL_DEVICE_PROFILER=1")                                                                    \
	X(OP_LOG_UNREAD, DROPPED, "op, and a device log that can't be read",                               \
	  "ops, and a device log that can't be read",                                                      \
	  "a warning says what is wrong with the file: copy it again, or run the program again")           \
	X(OP_FILE_UNREAD, DROPPED, "op of 2023, and a file of its own that can't be read",                 \
	  "ops of 2023, and files of their own that can't be read",                                        \
	  "profile_log_host.csv or profile_log_device.csv of its folder is no file, or may not be read")   \
	X(OP_SAME_NUMBER, DROPPED, "op with the number of another, merged into its row",                   \
	  "ops with the numbers of others, merged into their rows",                                        \
	  "several processes counted their ops by themselves: device times of those rows may be "          \
	  "of any of them; record each process by a `ttprof run -o FOLDER` of its own")                    \
	X(PROGRAM_CAP, NONE, "program was kept, and no more: it looks like the cap of a device",           \
	  "programs were kept, and no more: it looks like the cap of a device",                            \
	  "its buffer was probably full: raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT, or read the "      \
	  "profiler more often")                                                                           \
	X(OP_NO_COMPUTE, PARTIAL, "op with compute kernels and no marker of them",                         \
	  "ops with compute kernels and no marker of them",                                                \
	  "markers of TRISC were probably dropped, and the op's times may be short: record fewer zones "   \
	  "per kernel, or read the profiler more often")                                                   \
	X(OP_UNTIMED_CUT, DROPPED, "op that the cut log has not come to",                                  \
	  "ops that the cut log has not come to",                                                          \
	  "the file ends before its markers: copy it again, or run the program to its end")                \
	X(OP_UNTIMED_KILLED, DROPPED,                                                                      \
	  "op whose markers were not read when its program was killed",                                    \
	  "ops whose markers were not read when their program was killed",                                 \
	  "SIGKILL, or a crash inside of a call, leaves no time to read devices: end the program by "      \
	  "SIGINT or SIGTERM, or read the profiler more often")                                            \
	X(OP_TRACED, DROPPED, "op of a run that timed replays of traces as a whole",                       \
	  "ops of a run that timed replays of traces as a whole",                                          \
	  "--device-trace-profiler (TT_METAL_TRACE_PROFILER) leaves ops without times of their own: run "  \
	  "again without it for them")                                                                     \
	X(OP_LOG_CUT, PARTIAL, "op in the part of the device log that was cut",                            \
	  "ops in the part of the device log that was cut",                                                \
	  "cores are missing in it: core counts and times may be too small")                               \
	X(OP_FEWER_CORES, PARTIAL, "op on fewer cores than its program has otherwise",                     \
	  "ops on fewer cores than their programs have otherwise",                                         \
	  "markers of some cores were probably lost: read the profiler more often, or look for a cut log") \
	X(OP_PARTIAL, PARTIAL, "op with partial markers", "ops with partial markers",                      \
	  "a start or end of its firmware is missing on some core; its times may be short")                \
	X(OP_NEVER_REPLAYED, PARTIAL, "op captured into a trace and never replayed",                       \
	  "ops captured into a trace and never replayed",                                                  \
	  "the device never ran it; replay its trace while profiling")                                     \
	X(REPLAY_MESSAGE_LOST, NONE, "run of a replay whose message is missing",                           \
	  "runs of replays whose messages are missing",                                                    \
	  "its place in the order of the host is a guess; device times are right")                         \
	X(OP_UNKNOWN, NONE, "run of an op that the host does not name",                                    \
	  "runs of ops that the host does not name", "left out; --device-only shows them")                 \
	X(OP_NO_HOST_TIME, NONE, "op without host time", "ops without host time",                          \
	  "its zone is missing in tracy_ops_times.csv; its message says when it was")                      \
	X(OP_MESSAGE_CUT, NONE, "op message cut or malformed", "op messages cut or malformed",             \
	  "a message ends at 64 KiB; the op is there, its details are not")                                \
	X(OP_MESSAGE_MISSING, NONE, "op known by its host time only",                                      \
	  "ops known by their host times only",                                                            \
	  "its message is missing in tracy_ops_data.csv: no name, tensors or kernels")                     \
	X(MESSAGE_ODD, NONE, "message not understood", "messages not understood",                          \
	  "it names an op or a trace in a form that is not known")                                         \
	X(ZONE_UNBALANCED, NONE, "zone marker without its other half",                                     \
	  "zone markers without their other halves",                                                       \
	  "markers were probably dropped: record fewer zones per kernel, or read the profiler more often") \
	X(CORE_TIMER_SKEWED, NONE, "core whose timer is apart from the others",                            \
	  "cores whose timers are apart from the others",                                                  \
	  "times over several cores are wrong with it; reset the device")                                  \
	X(NO_CLOCK, NONE, "device log without the clock of its chip",                                      \
	  "device logs without the clocks of their chips",                                                 \
	  "taken as 1000 MHz, times in ns are so many cycles: CHIP_FREQ[MHz] in its first line says it")   \
	X(DEVICE_LOG_CUT, NONE, "device log that ends early, at this core",                                \
	  "device logs that end early, at these cores",                                                    \
	  "its program was killed, or still writes, or the copy is not whole; what came before "           \
	  "is used")                                                                                       \
	X(CORE_LOG_CUT, NONE, "core without markers in the part that was cut",                             \
	  "cores without markers in the part that was cut", "they wrote some before")                      \
	X(PERF_REPORT_CUT, NONE, "cpp_device_perf_report.csv that ends early",                             \
	  "reports of the runtime that end early",                                                         \
	  "its last row is left out, and no device log has more: copy the file again")                     \
	X(PERF_REPORT_SHORT, NONE,                                                                         \
	  "cpp_device_perf_report.csv with fewer ops than the device log",                                 \
	  "reports of the runtime with fewer ops than the device log",                                     \
	  "it was cut, or written before the run ended: the device log was read instead")                  \
	X(DEVICE_LOG_ROW, NONE, "row of the device log can't be read",                                     \
	  "rows of the device log can't be read", "look for a cut file or mixed generations")              \
	X(LOG_NAMES, NONE, "row of the device log can't be read: it has too many names of zones",          \
	  "rows of the device log can't be read: it has too many names of zones",                          \
	  "60,000 names are kept, rows with others are left out: do names have numbers in them?")          \
	X(MARKER_BUFFER_FULL, NONE, "marker dropped, its buffer was full",                                 \
	  "markers dropped, their buffers were full",                                                      \
	  "record fewer zones per kernel, or read the profiler more often")                                \
	X(MARKER_DRAM_LOST, NONE, "marker that found the profiler's DRAM full",                            \
	  "markers that found the profiler's DRAM full",                                                   \
	  "read the profiler more often, or raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT")                \
	X(MARKER_DRAM_FULL, NONE, "read of a core whose part of the profiler's DRAM was full",             \
	  "reads of cores whose parts of the profiler's DRAM were full",                                   \
	  "raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT, or read the profiler more often")                \
	X(MARKER_PROGRAM_LOST, NONE, "program that ran and left no marker",                                \
	  "programs that ran and left no markers",                                                         \
	  "raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT, or read the profiler more often")                \
	X(MARKER_DAMAGED, NONE, "marker that can't be understood skipped",                                 \
	  "markers that can't be understood skipped",                                                      \
	  "something wrote over the profiler's memory: look for a kernel that writes too far")             \
	X(MARKER_SUM_SATURATED, NONE, "sum zone that passed 2^32 cycles",                                  \
	  "sum zones that passed 2^32 cycles",                                                             \
	  "its marker holds 32 bits: the sum is at least that")                                            \
	X(MARKER_SUM_LOST, NONE, "sum zone dropped", "sum zones dropped",                                  \
	  "a kernel has room for four: use fewer, or ordinary zones")                                      \
	X(PROGRAM_KILLED, NONE, "program was killed by a signal",                                          \
	  "programs were killed by signals",                                                               \
	  "what came after the last read of its devices is lost")                                          \
	X(CLIENT_DROPPED, NONE, "event of the host dropped by its client",                                 \
	  "events of the host dropped by their clients",                                                   \
	  "the buffer of libttp was full: raise TTP_BUFFER, or set TTP_FULL=block")                        \
	X(OTHER_VERSION, NONE, "loss of a kind that this version does not know",                           \
	  "losses of kinds that this version does not know",                                               \
	  "another version of ttprof wrote the report's .account.json, and names them")

enum account_what {
#define X(name, total, one, many, hint) ACCOUNT_##name,
	ACCOUNT_LIST(X)
#undef X
		ACCOUNT_WHATS,
	ACCOUNT_FIRST_CAUSE = ACCOUNT_PARTIAL + 1,
};

/* Where, as far as it is known: -1 and NULL say that it is not.  An account keeps a copy of `risc`. */
struct account_place {
	int device, core_x, core_y;
	const char *risc;
};
#define ACCOUNT_ANYWHERE  ((struct account_place){ -1, -1, -1, NULL })
#define ACCOUNT_DEVICE(d) ((struct account_place){ (d), -1, -1, NULL })

struct account_entry {
	enum account_what what;
	struct account_place place;
	uint64_t count;
};

enum { ACCOUNT_ROWS_KEPT = 8, ACCOUNT_PLACES_TOLD = 8 };

/* The smallest row numbers given for a cause, rising, each once. */
struct account_rows {
	uint64_t row[ACCOUNT_ROWS_KEPT];
	unsigned kept;
};

struct account {
	/* ours: */
	uint64_t total[ACCOUNT_TOTALS], by_what[ACCOUNT_WHATS];
	struct account_rows rows[ACCOUNT_WHATS];
	VEC(struct account_entry) entries;
	struct u64map index; /* of cause and core, to the entry */
	struct intern riscs;
};

void account_release(struct account *a);

void account_add(struct account *a, enum account_what what, struct account_place at,
		 uint64_t count);
/* As account_add of 1, and keeps `row` (counted as the user does; of damage to a file: its line) as an
 * example. */
void account_add_row(struct account *a, enum account_what what, struct account_place at,
		     uint64_t row);
void account_merge(struct account *into, const struct account *from);

uint64_t account_total(const struct account *a, enum account_total total);
uint64_t account_count(const struct account *a, enum account_what what);
/* Nothing is missing, and nothing was damaged. */
bool account_is_whole(const struct account *a);
/* Borrowed; all zeros if no row was given. */
const struct account_rows *account_rows(const struct account *a, enum account_what what);
const char *account_text(enum account_what what, uint64_t count);
const char *account_hint(enum account_what what); /* NULL for plain counts */
/* "MARKER_BUFFER_FULL": the same in all versions, for files. */
const char *account_name(enum account_what what);
bool account_is_of_ops(enum account_what what);  /* counts into a total */
bool account_is_dropped(enum account_what what); /* into that of ops that are not in the answer */

/*
 * All entries, by cause, device, core (x, then y) and RISC, the unknown first.  Sorts in place; valid
 * until the next add.
 */
const struct account_entry *account_sorted(struct account *a, size_t *n);

/* "186 of 186 ops timed, 0 dropped", with ", 2 partial" if there are; no newline. */
void account_summary(const struct account *a, struct str unit, struct buf *to);
/* For each cause that occurred: a line, cores where known, the hint; nothing if there is none. */
void account_details(struct account *a, struct buf *to);

/*
 * What was counted at the source of a run, as a file beside its logs (docs/reference/formats/run-account.md):
 *
 *	cause,device,core_x,core_y,RISC,count
 *	marker_buffer_full,0,1,1,BRISC,37
 *	client_dropped,,,,,1200
 *
 * Whoever counts adds rows to its end, and rows of the same add up: so devices, reads and processes of a run write one file without
 * knowing of each other.  A file without rows says that nothing was lost.
 */
/* Adds the causes of `a` to a file; with its header if it is new, also where there is nothing to add. */
enum ttp_rc account_csv_append(const char *path, struct account *a, struct ttp_err *e) TTP_CHECKED;

/*
 * Adds what a file says; how many rows can't be used: of causes that are not known, or count ops, without a count, or a last one
 * without its end; 1 for a file that is none.
 */
uint64_t account_csv_read(struct str text, struct account *a);

#endif /* TTP_BASE_ACCOUNT_H */
