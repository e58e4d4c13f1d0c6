// SPDX-License-Identifier: Apache-2.0
/*
 * A marker: one moment that a RISC-V core of a device wrote down.  They come from device logs of all generations
 * (markers/log/device_log.h), in any order of cores but in the order of time within one RISC of one core.
 *
 * RISCs, zone names and source files are numbers of the log's dictionaries, so that whoever counts
 * markers compares numbers; the names of the first few RISCs and zones are the same everywhere.
 */
#ifndef TTP_MARKERS_MARKER_H
#define TTP_MARKERS_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/marker_kinds.h"
#include "base/str.h"

enum { MARKER_PERF_COUNTER_ID = 9090 }; /* timer id of hardware counters */

struct marker {
	uint64_t time_cycles;      /* since the device's reset */
	uint64_t data;             /* payload; for ZONE_TOTAL the sum of cycles */
	uint64_t run_id;           /* the op's global call count; 0: none */
	int64_t trace_id, session; /* of a metal trace and its replay from 1; -1: none */
	uint32_t timer_id, device;
	uint16_t x, y;       /* physical NOC0 coordinates of the core */
	uint16_t risc, zone; /* numbers of the dictionaries */
	uint32_t file, line; /* source of the zone; file is a number, UINT32_MAX: none */
	uint8_t type;        /* enum marker_type */
	struct str meta;     /* JSON with ; for its commas, or empty; stays as long as the source */
};

/* Limits that keep a damaged file from asking for all memory. */
enum { MARKER_RISCS_MAX = 1000, MARKER_ZONES_MAX = 60000 };

struct marker_names {
	struct intern riscs, zones, files;
};

#endif /* TTP_MARKERS_MARKER_H */
