// SPDX-License-Identifier: Apache-2.0
/* What the profiler of a device recorded: read, named and written to the logs. */
#ifndef TTP_HOST_LOGS_MARKER_RESULTS_H
#define TTP_HOST_LOGS_MARKER_RESULTS_H

#include <stdbool.h>

#include "base/err.h"

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

#endif /* TTP_HOST_LOGS_MARKER_RESULTS_H */
