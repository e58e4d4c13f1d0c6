// SPDX-License-Identifier: Apache-2.0
/* What the profiler of a device recorded: read, named and written to the logs. */
#ifndef TTP_HOST_LOGS_MARKER_RESULTS_H
#define TTP_HOST_LOGS_MARKER_RESULTS_H

#include <stdbool.h>

#include "base/err.h"
#include "device/loader.h"
#include "device/markers.h"

struct built;
struct ttp_dev;

enum ttp_rc results_start(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
/* `asked`: the caller wants to see what came since it last asked; else it had to be. */
enum ttp_rc results_read(struct ttp_dev *d, bool asked, struct ttp_err *e) TTP_CHECKED;
/* Whether the markers of one more launch fit into DRAM, whatever it records.  Its tiles are idle. */
enum ttp_rc results_fit(struct ttp_dev *d, const struct built *b, bool *fit,
			struct ttp_err *e) TTP_CHECKED;
/* Reads cores that wait for it in the middle of a kernel; *some says whether there were any. */
enum ttp_rc results_drain(struct ttp_dev *d, bool *some, struct ttp_err *e) TTP_CHECKED;
/* At close: how long programs took, unless that is written after each read. */
enum ttp_rc results_finish(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
void results_release(struct ttp_dev *d);

/* ---- zone_log.c ---- */

/*
 * zone_src_locations.log: every source location that had a zone, one per line, in the form in which tt-metal keeps
 * what its compiler said.  It grows over runs; here nothing reads it, tools around tt-metal do.
 * new_zone_src_locations.log has those of this process alone.
 */

struct ttp_dev;

/* Adds the locations of the firmware and of all kernels that are not there yet. */
enum ttp_rc zone_log_add(const struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;

/*
 * Markers as zones of libttp, beside those of the host: a context per core, a lane per RISC, names and colours as in
 * Tenstorrent's fork of Tracy.  Markers of a RISC come one after the other, in the order in which they nest; a core's wait until
 * the next core's begin to come.
 */
struct ttp_dev;

/* Before the markers of a read; false: nobody wants them. */
bool push_begin(struct ttp_dev *d);
/*
 * `run` is the program's id with its device, 0 for none; `moved`: another core's begin here; `part`: another
 * program's.
 */
void push_marker(struct ttp_dev *d, const struct device_marker *m, const struct elf_zone *zone,
		 uint32_t run, bool moved, bool part);
/* The last core's markers have all come, for now. */
void push_flush(struct ttp_dev *d);
/* Nothing runs any more: what is still open never ended. */
void push_end(struct ttp_dev *d);
void push_release(struct ttp_dev *d);

#endif /* TTP_HOST_LOGS_MARKER_RESULTS_H */
