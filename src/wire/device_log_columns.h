// SPDX-License-Identifier: Apache-2.0
/*
 * profile_log_device.csv (docs/reference/formats/device-log.md) and the .state file beside it: what writer and readers share.
 *
 *	ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64
 *	PCIe slot, core_x, core_y, RISC processor type, timer_id, ...
 *	0,1,1,BRISC,25376,1000000002001,0,1024,,,BRISC-FW,ZONE_START,449,fw/brisc.c,
 *
 * The state is rewritten whenever the log is whole, a line each:
 *
 *	bytes 123456		so long was the log then
 *	host none		nobody recorded the program's host side; or: host recorded
 *	row 0,1,1,BRISC,...	the log's first row, or the start of it ...
 *	inode 42		... or, while it has no bytes, its inode: which log it is about
 */
#ifndef TTP_WIRE_DEVICE_LOG_COLUMNS_H
#define TTP_WIRE_DEVICE_LOG_COLUMNS_H

/* What a column holds; its name in the forms of 15, 12 and 6 columns, NULL where a form lacks it. */
#define DEVICE_LOG_COLUMNS(X)                                                        \
	X(DEVICE, "PCIe slot", "PCIe slot", "PCIe slot")                             \
	X(CORE_X, "core_x", "core_x", "core_x")                                      \
	X(CORE_Y, "core_y", "core_y", "core_y")                                      \
	X(RISC, "RISC processor type", "RISC processor type", "RISC processor type") \
	X(TIMER_ID, "timer_id", "timer_id", "timer_id")                              \
	X(TIME, "time[cycles since reset]", "time[cycles since reset]",              \
	  "time[cycles since reset]")                                                \
	X(DATA, "data", "stat value", NULL)                                          \
	X(RUN_ID, "run host ID", "Run ID", NULL)                                     \
	X(TRACE_ID, "trace id", NULL, NULL)                                          \
	X(SESSION, "trace id counter", NULL, NULL)                                   \
	X(ZONE, "zone name", "zone name", NULL)                                      \
	X(TYPE, "type", "zone phase", NULL)                                          \
	X(LINE, "source line", "source line", NULL)                                  \
	X(FILE, "source file", "source file", NULL)                                  \
	X(META, "meta data", NULL, NULL)

/* Words of the state, each with the blank behind it. */
#define DEVICE_LOG_STATE_BYTES "bytes "
#define DEVICE_LOG_STATE_HOST  "host "
#define DEVICE_LOG_STATE_ROW   "row "
#define DEVICE_LOG_STATE_INODE "inode "
#define DEVICE_LOG_HOST_NONE   "none"

#endif /* TTP_WIRE_DEVICE_LOG_COLUMNS_H */
