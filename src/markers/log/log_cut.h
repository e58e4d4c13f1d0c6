// SPDX-License-Identifier: Apache-2.0
/*
 * A device log that ends early: its program was killed while it wrote, a copy was not finished, a disk was full.
 *
 * Rows come core by core, so a log that ends early has every op of its last part on too few cores, and looks whole.
 * Where that part begins is in the state that the log's writer, if it is ours, keeps beside it (wire/device_log_columns.h).
 *
 * Else a last line without its end tells that there is a cut, and the last part begins where the order of cores began
 * anew, or the device changed.
 */
#ifndef TTP_MARKERS_LOG_LOG_CUT_H
#define TTP_MARKERS_LOG_LOG_CUT_H

#include "markers/log/device_log.h"
#include "markers/op_times.h"

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

#endif /* TTP_MARKERS_LOG_LOG_CUT_H */
