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
	struct launches
		*launches; /* numbered marks: what gives them run ids (markers/log/launches.h) */
	struct {
		bool is_read, is_ours;
		uint64_t bytes;
	} state; /* what its writer says of it, if that is ours: markers/log/log_cut.h */
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

#endif /* TTP_MARKERS_LOG_DEVICE_LOG_H */
