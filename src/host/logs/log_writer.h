// SPDX-License-Identifier: Apache-2.0
/*
 * profile_log_device.csv, as tt-metal writes it (docs/reference/formats/device-log.md):
 *
 *	ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64
 *	PCIe slot, core_x, core_y, ... 15 names
 *	0,1,1,BRISC,25376,1000000002001,0,1024,,,BRISC-FW,ZONE_START,449,fw/brisc.c,
 *
 * or in its forms of 12 and 6 columns.  Each read of the profiler adds its rows, so what was read is on
 * disk even if the program dies later.  All devices of a process write to the same file, one at a time.
 * profile_log_device.csv.state beside it says up to where it is whole (markers/log/log_cut.c).
 */
#ifndef TTP_HOST_LOGS_LOG_WRITER_H
#define TTP_HOST_LOGS_LOG_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/out.h"
#include "base/str.h"
#include "device/markers.h"

/* What rows of one source location have in common, as text: "25376," and "BRISC-FW,ZONE_START,449,fw/brisc.c". */
struct log_source {
	bool known;
	uint8_t type, id_len;
	uint16_t id, text_len;
	uint32_t line;
	size_t name_len, file_len;
	char id_text[16], text[256];
};

enum { LOG_SOURCES = 16 };

struct log_writer {
	struct out_append file;
	int columns, chip;
	int64_t bytes; /* of the log, when it was opened */
	/* Texts that the rows before had, because most have them again: where, ... */
	struct tile tile;
	int risc;
	char where[64];
	size_t where_len;
	/* ... of what launch (",1024,,,"), ... */
	uint32_t run, trace, replay;
	char launch[40];
	size_t launch_len;
	/* ... the digits of the time before its last eight, ... */
	uint64_t high;
	char high_text[16];
	size_t high_len;
	/* ... and the source location. */
	struct log_source sources[LOG_SOURCES];
};

struct log_row {
	const struct device_marker *marker;
	uint32_t run;           /* encoded id */
	uint32_t trace, replay; /* UINT32_MAX: no trace */
	struct str name, file;
	uint32_t line;
	struct str meta; /* JSON with ; for , or empty */
};

/* A folder, for its user alone, and all that it is in. */
enum ttp_rc log_writer_folder(const char *folder, struct ttp_err *e) TTP_CHECKED;

/* Once per process and folder: makes the folder, removes an old log. */
enum ttp_rc log_writer_begin(const char *folder, struct ttp_err *e) TTP_CHECKED;

/* To the end of the log, with its head if it has none. */
enum ttp_rc log_writer_open(struct log_writer *w, const char *folder, int columns, int chip,
			    const char *arch, double mhz, int cores, struct ttp_err *e) TTP_CHECKED;
void log_writer_row(struct log_writer *w, const struct log_row *row);
/* Tells whether everything was written; a row is never half there unless the disk is full. */
enum ttp_rc log_writer_close(struct log_writer *w, struct ttp_err *e) TTP_CHECKED;

/*
 * Text for a cell.  Commas and quotes: the cell is in quotes, which are doubled inside; a line break
 * becomes \n or \r, two characters, because tools read line by line.
 */
void log_writer_cell(struct buf *b, struct str text);

#endif /* TTP_HOST_LOGS_LOG_WRITER_H */
