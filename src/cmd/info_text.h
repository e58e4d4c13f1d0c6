// SPDX-License-Identifier: Apache-2.0
/* What `ttprof info` prints for people: is all there, what it is, what it holds, where time went. */
#ifndef TTP_CMD_INFO_TEXT_H
#define TTP_CMD_INFO_TEXT_H

#include "export/zone_table.h"

/* A source location and the time of its zones. */
struct info_zone {
	int64_t total_ns;
	uint32_t loc;
};

struct info {
	const struct trace *t;
	const struct zone_table *z;
	const struct info_zone *zones; /* most time first */
	size_t n;
	char *const *facts; /* what programs said of their runs */
	size_t fact_count;
};

void info_print(const struct info *i);
/* ".tracy 0.13.1, zstd" */
void info_format(const struct trace *t, struct buf *b);

#endif /* TTP_CMD_INFO_TEXT_H */
