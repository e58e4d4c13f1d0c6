// SPDX-License-Identifier: Apache-2.0
/*
 * Zones of a trace by source location: statistics, and if wanted every zone, in about 7 bytes each, which go to disk beyond a
 * limit.  A sink for trace_read().
 */
#ifndef TTP_EXPORT_ZONE_TABLE_H
#define TTP_EXPORT_ZONE_TABLE_H

#include "trace/spill.h"
#include "trace/trace.h"

enum zone_row_flag { ZONE_ROW_TEXT = 1, ZONE_ROW_NAME = 2, ZONE_ROW_PARENT = 4 };

struct zone_stats {
	uint64_t count;
	int64_t total_ns, min_ns, max_ns;
	int64_t once_ns; /* total_ns without zones inside of others of the same source location: recursion counts once */
	int64_t self_total_ns, self_min_ns, self_max_ns;
	double sum_squares;
};

/* A row that waits for the zones around it. */
struct zone_pending {
	int64_t start_ns, exec_ns;
	bool done;
	char *tail; /* flags and texts, or NULL */
	size_t tail_len;
};

/* Zones of one source location on one track. */
struct zone_group {
	uint32_t track, loc;
	uint32_t open; /* zones of it that are open: more than one is recursion */
	int64_t last_start_ns;
	struct spill_log rows;
	VEC(struct zone_pending) pending;
};

struct zone_place {
	struct zone_stats stats, device;
	VEC(uint32_t) groups; /* one per track, in the order of first zones */
	uint32_t last_group, last_track;
	bool special, parent; /* by name; only where asked for */
	bool named;           /* these two are set */
	struct spill_log device_rows;
	int64_t device_last_ns;
};

struct zone_open {
	int64_t start_ns, children_ns;
	uint32_t loc, group, slot;
	uint32_t parent; /* number of its text, if a special zone asked for it */
};

struct zone_track {
	VEC(struct zone_open) open;
};

struct zone_want {
	bool rows;           /* keep every zone */
	bool device_rows;    /* and every one of devices */
	bool self;           /* without the time of direct children */
	bool over_0_ns;      /* only zones that took any time, as Tracy's tools have it */
	struct str specials; /* names, with commas between */
	struct str parent;   /* part of the name of the parent whose text these get; "" for none */
};

struct zone_message {
	int64_t time_ns;
	struct str text;
	uint32_t track, color;
};

struct zone_plot_point {
	uint32_t plot; /* memory pools: from ZONE_MEMORY_PLOT on */
	int64_t time_ns;
	double value;
};

struct zone_table {
	const struct trace *t;
	struct zone_want want;
	struct spill_store store;
	VEC(struct zone_place) places;
	VEC(struct zone_group) groups;
	VEC(struct zone_track) tracks;
	VEC(struct str) parent_texts;
	struct arena texts;
	uint64_t unended;
};

enum { ZONE_TABLE_MEMORY = 12 << 20 };

/* `t` must have its names if `want` asks for specials. */
void zone_table_init(struct zone_table *z, const struct trace *t, struct zone_want want);
void zone_table_sink(struct zone_table *z, struct trace_sink *sink);
void zone_table_release(struct zone_table *z);

/* Rows of a group, one after the other. */
struct zone_row {
	int64_t start_ns, exec_ns;
	unsigned flags;
	struct str text, name; /* borrowed until the next row */
	struct str parent;
};
struct zone_rows {
	struct spill_reader r;
	struct zone_table *z;
	int64_t last_ns;
	struct buf text;
	bool device;
	uint32_t lane;
};
void zone_rows_of(struct zone_rows *i, struct zone_table *z, const struct zone_group *g);
bool zone_rows_next(struct zone_rows *i, struct zone_row *row);
/* Of a source location's device zones: start, time it took, and i->lane. */
void zone_rows_of_device(struct zone_rows *i, struct zone_table *z, const struct zone_place *p);
bool zone_rows_next_device(struct zone_rows *i, struct zone_row *row);
void zone_rows_end(struct zone_rows *i);

#endif /* TTP_EXPORT_ZONE_TABLE_H */
