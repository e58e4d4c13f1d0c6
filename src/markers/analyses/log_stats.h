// SPDX-License-Identifier: Apache-2.0
/*
 * What `ttprof device --json` says of a log (the default setup and the users' zones), as a sink of a reading that others share: 16 bytes are
 * kept of a marker, and markers of a core or a device are put in the order of time only where an analysis looks at them so.
 * marker_log.h is the other way, for who wants the markers too; tests/e2e/run_agree holds both against each other.
 */
#ifndef TTP_MARKERS_ANALYSES_LOG_STATS_H
#define TTP_MARKERS_ANALYSES_LOG_STATS_H

#include "markers/marker_fold.h"

struct log_stats;

struct log_stats *log_stats_new(void);
struct marker_sink log_stats_sink(struct log_stats *s);
/*
 * After the reading, once.  False: the log has cores of the command queue, whose zones get the names of their commands; that needs
 * the markers (marker_log.h).
 */
bool log_stats_json(struct log_stats *s, const struct marker_fold *f, const struct device_log *log,
		    struct buf *to);
void log_stats_free(struct log_stats *s);

#endif /* TTP_MARKERS_ANALYSES_LOG_STATS_H */
