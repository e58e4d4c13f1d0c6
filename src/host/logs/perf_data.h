// SPDX-License-Identifier: Apache-2.0
/*
 * How long programs took, worked out while their markers are read: cpp_device_perf_report.csv, and what
 * ttp_dev_perf_data() gives.
 *
 * Each analysis is the time from the first marker that starts it to the last that ends it, of one program: that
 * is of one run id, trace and replay.  A row is what tt-metal writes (its src/tools/profiler analyses).
 */
#ifndef TTP_HOST_LOGS_PERF_DATA_H
#define TTP_HOST_LOGS_PERF_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <ttp/device.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/markers.h"

enum {
	PERF_FLAT_MAX = 256,
	PERF_RISC_ALL = RISCS, /* a trace's zone, of all five together */
	PERF_ZONES = 64
};

/* A zone's name, and what it says (perf_data.c). */
struct perf_zone {
	struct str name;
	uint8_t class;
};

/* First start and last end; start is UINT64_MAX while there is none. */
struct perf_span {
	uint64_t start, end;
};

struct perf_program {
	uint32_t run;           /* encoded id */
	uint32_t trace, replay; /* UINT32_MAX: no trace */
	uint32_t available;     /* cores that it could have had */
	uint32_t name_1;        /* of the op, in names, + 1 */
	uint64_t cores[PERF_FLAT_MAX / 64];
	struct perf_span span[TTP_PERF_TIMES];
};

struct perf_list {
	VEC(struct perf_program) programs;
	struct intern keys; /* run, trace, replay -> index */
};

struct perf_data {
	int chip;
	double mhz;
	struct perf_list latest, all; /* since the last read that was asked for; before it */
	bool ended;                   /* latest belongs to a read that is over */
	size_t written;               /* of latest */
	struct intern names;
	struct u64map name_of; /* run id -> index */
	uint64_t previous[2];  /* end of the program before, kernel and data movement */
	bool had[2];           /* there was one */
	struct perf_zone zones[PERF_ZONES];
};

void perf_data_release(struct perf_data *p);

/* The op's name for a run id, from now on. */
void perf_data_name(struct perf_data *p, uint32_t run, struct str name);

/* Before markers come: what belongs to an earlier read goes to the others, or away with `merge`. */
void perf_data_begin(struct perf_data *p, bool merge);
/* The program's index, for perf_data_marker(). */
size_t perf_data_program(struct perf_data *p, uint32_t run, uint32_t trace, uint32_t replay,
			 uint32_t available);
/* The bytes of `zone` stay where they are as long as `p`. */
void perf_data_marker(struct perf_data *p, size_t index, int flat, int risc, enum marker_type type,
		      uint64_t cycles, struct str zone);

/* Rows of what was read since the last call, or of everything with `all`; added to the file. */
enum ttp_rc perf_data_write(struct perf_data *p, const char *folder, const char *arch, bool all,
			    struct ttp_err *e) TTP_CHECKED;

void perf_data_get(const struct perf_data *p, const struct perf_program *from,
		   struct ttp_program_perf *to);

#endif /* TTP_HOST_LOGS_PERF_DATA_H */
