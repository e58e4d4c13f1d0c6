// SPDX-License-Identifier: Apache-2.0
/*
 * Markers as zones of libttp, beside those of the host: a context per core, a lane per RISC, names and colours as in
 * Tenstorrent's fork of Tracy.  Markers of a RISC come one after the other, in the order in which they nest; a core's wait until
 * the next core's begin to come.
 */
#ifndef TTP_HOST_LOGS_MARKER_PUSH_H
#define TTP_HOST_LOGS_MARKER_PUSH_H

#include "device/loader.h"
#include "device/markers.h"

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

#endif /* TTP_HOST_LOGS_MARKER_PUSH_H */
