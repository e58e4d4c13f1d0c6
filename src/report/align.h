// SPDX-License-Identifier: Apache-2.0
/*
 * Which rows of several devices belong to one op.
 *
 * tt-metal numbers programs and puts the device into the low bits: GLOBAL CALL COUNT = program * 1024 +
 * device.  Where a report keeps to that, program, trace and replay name the op.  Where it doesn't, the
 * devices' sequences of op names are laid side by side; where they differ, both are searched a little
 * ahead for the position from which they agree best, so that one lost row costs one op and no more.
 */
#ifndef TTP_REPORT_ALIGN_H
#define TTP_REPORT_ALIGN_H

#include "ops/table/ops_table.h"

#define ALIGN_NONE UINT32_MAX

struct alignment {
	uint32_t *call_of_row; /* per row of the table; ALIGN_NONE: not a device op */
	bool *opens_device;    /* per row: the first that its device has among those looked at */
	uint32_t calls;
	unsigned devices;
	bool single;  /* each call is of one row */
	bool several; /* devices: a row that names none is a call of its own */
	bool unlike; /* devices of processes that do different things: no call is missing anywhere */
	uint32_t processes; /* with `unlike`: how many */
};

/* `rows`: those to look at, in time order.  `apart`: every row is a call of its own. */
void align_devices(struct alignment *a, const struct ops_table *t, const uint32_t *rows,
		   size_t count, bool apart);
void alignment_release(struct alignment *a);

/* Device of a row as its file numbers it; false when it has none. */
bool row_device(const struct ops_table *t, size_t row, int64_t *device);

#endif /* TTP_REPORT_ALIGN_H */
