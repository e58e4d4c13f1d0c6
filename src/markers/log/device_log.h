// SPDX-License-Identifier: Apache-2.0
/*
 * Device logs, profile_log_device.csv of all generations:
 *
 *	ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64        preamble (2 or 3 parts)
 *	PCIe slot, core_x, core_y, RISC processor type, timer_id, ...         names
 *	0,1,1,BRISC,25376,1000000001688,0,1024,,,BRISC-FW,ZONE_START,449,brisc.cc,
 *
 *	15 columns  today                 12  stat value, Run ID, zone phase (begin, end)
 *	 6 columns  2023: timer_id 1 FW start, 2 kernel start, 3 kernel end, 4 FW end, others are marks
 *
 * Preamble and names may be missing: columns are found by name, else by their number.  A first line with
 * "Chip clock is at " stands for a Grayskull at 1200 MHz.  Rows that can't be read are skipped and
 * counted; nothing but a file that can't be opened, or is no device log at all, is an error.
 */
#ifndef TTP_MARKERS_LOG_DEVICE_LOG_H
#define TTP_MARKERS_LOG_DEVICE_LOG_H

#include "base/err.h"
#include "base/input.h"
#include "base/vec.h"
#include "markers/marker.h"
#include "markers/op_times.h"

enum { LOG_COLUMNS_MAX = 32, LOG_ROWS_TOLD = 8 };

struct device_log_cache;
struct launches;

struct run_processes;

struct device_log {
	struct str arch;       /* empty when the file doesn't say */
	int64_t freq_mhz;      /* 0 when it doesn't say */
	int64_t compute_cores; /* "Max Compute Cores", 0 when it doesn't say */
	bool has_preamble;
	size_t columns;      /* of its rows */
	bool numbered_marks; /* the 2023 form: zones are made from timer ids */
	bool has_sessions;   /* there are columns for trace and replay */

	/* after reading */
	uint64_t rows;                    /* markers handed out */
	uint64_t bad_rows;                /* skipped */
	uint64_t bad_line[LOG_ROWS_TOLD]; /* lines of the first few */
	bool half_row;                    /* the last row has no end, and was skipped */

	struct marker_names names;
	struct input in;
	/* ours: */
	size_t at, first_row;
	uint64_t line;
	int8_t field_at[LOG_COLUMNS_MAX]; /* which field a column holds, -1: none of ours */
	struct device_log_cache *cache;
	struct launches *launches; /* numbered marks: what gives them run ids */
	struct {
		bool is_read, is_ours;
		uint64_t bytes;
	} state; /* what its writer says of it, if that is ours: log_cut.c */
	/* Set after opening, and outlives the log: whose devices they are, so that markers have the run's chips; NULL: as logged. */
	const struct run_processes *processes;
	uint64_t
		owner; /* program of the last marker that had one: those without are of its process */
	/* set after opening: a last row without line end is as good as others, and so is any time (frozen) */
	bool trusts_end;
};

/* Rows with a name of a zone that no other row had before it are skipped from now on: no more are kept. */
static inline bool device_log_is_full(const struct device_log *log)
{
	return intern_count(&log->names.zones) >= MARKER_ZONES_MAX;
}

/* A row of a log that has no header lines, as the documents of 2023 show one: its fourth cell names a RISC. */
bool device_log_is_row(struct str line);
/* One that somebody named (a pipe, "-", too) and one that was found in a folder, which must be a file. */
enum ttp_rc device_log_open_found(struct device_log *log, const char *path,
				  struct ttp_err *e) TTP_CHECKED;
enum ttp_rc device_log_open(struct device_log *log, const char *path,
			    struct ttp_err *e) TTP_CHECKED;
/* The same of data that is open already; `in` is the log's from then on, also on failure. */
enum ttp_rc device_log_open_input(struct device_log *log, struct input in,
				  struct ttp_err *e) TTP_CHECKED;
/* Fills up to `max` markers; 0 at the end.  Never fails: what can't be read is counted.  The log's names grow meanwhile. */
size_t device_log_next(struct device_log *log, struct marker *out, size_t max);
/* To the first marker again. */
void device_log_rewind(struct device_log *log);
void device_log_close(struct device_log *log);

/* All that follow, one by one: struct marker_batch b = { 0 }; while ((m = marker_batch_next(&b, log))) … */
struct marker_batch {
	size_t n, at;
	struct marker all[256];
};
static inline const struct marker *marker_batch_next(struct marker_batch *b, struct device_log *log)
{
	if (b->at == b->n) {
		b->at = 0;
		b->n = device_log_next(log, b->all, sizeof(b->all) / sizeof(*b->all));
	}
	return b->n ? &b->all[b->at++] : NULL;
}

/*
 * Logs of six columns name no programs.  What firmware ran at the same time on a device is one launch; launches are
 * numbered from 1 on each device, and the number is the run id of all markers in it.
 */
struct launch {
	uint64_t start_cycles;
	uint32_t device, number;
};

struct launches {
	VEC(struct launch) all; /* by device, then time */
	size_t last;            /* that was found */
};

/* Reads all of the log; from then on its markers have run ids.  Only for one with numbered marks. */
void launches_number(struct device_log *log);
/* The number of the launch that a time is in, or follows; 0 when the device has none. */
uint32_t launch_at(struct launches *l, uint32_t device, uint64_t cycles);
void launches_free(struct launches *l);

/*
 * A device log that ends early: its program was killed while it wrote, a copy was not finished, a disk was full.
 *
 * Rows come core by core, so a log that ends early has every op of its last part on too few cores, and looks whole.
 * Where that part begins is in the state that the log's writer, if it is ours, keeps beside it (wire/device_log_columns.h).
 *
 * Else a last line without its end tells that there is a cut, and the last part begins where the order of cores began
 * anew, or the device changed.
 */
struct log_cut {
	bool is_ours; /* its writer is ours, and tells where it is whole */
	bool is_cut;
	size_t from; /* bytes before the part that is not whole */
	/* The last marker that is there. */
	bool has_place;
	struct device_core place;
	uint16_t risc;
	VEC(uint32_t) without; /* numbers of cores that were there before, and not in this part */
};

/* After all markers were read into `t`, whose runs that are in the last part of a cut log it marks as such. */
void log_cut_find(struct log_cut *c, struct device_log *log, struct op_times *t, const char *path);
void log_cut_release(struct log_cut *c);

/* The same as is_cut, of a log whose last part nobody looks for. */
bool log_ends_early(struct device_log *log, const char *path);
/* The same as is_ours, of a log whose markers are not needed. */
bool log_is_ours(struct device_log *log, const char *path);
/* Its writer says that nobody recorded the host's side of its program: what there is of one is another's. */
bool log_is_alone(const char *path);

#endif /* TTP_MARKERS_LOG_DEVICE_LOG_H */
