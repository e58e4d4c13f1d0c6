// SPDX-License-Identifier: Apache-2.0
/*
 * From the files of a run to a page.  RUN is a folder (of `ttprof run`, of the demo, of tt-metal's profiler), a run.json, an
 * ops report, a device log, a .tracy file or a spool.
 */
#ifndef TTP_WEB_BUILD_H
#define TTP_WEB_BUILD_H

#include "base/err.h"
#include "markers/launch_index.h"
#include "runs/run.h"
#include "web/page.h"

struct page_request {
	const char *run;
	int64_t from_ns, to_ns; /* both 0: all */
	const char *results;    /* a folder whose files can be had with those of the run; or NULL */
};

/* Fills `p`, which is fresh, and finishes it. */
enum ttp_rc page_build(struct page *p, const struct page_request *q, struct ttp_err *e) TTP_CHECKED;

/* ---- what page_build() is made of ---- */

/* A row of the ops report, as far as its time is known. */
struct page_op {
	uint32_t name;
	int32_t device; /* -1: none */
	bool has_cycles, signpost;
	uint64_t run_id;
	int64_t start_cycles, end_cycles;
	double host_start_ns, host_end_ns, fw_ns; /* NaN, NaN, 0: not known */
};

struct page_sources {
	VEC(struct page_op) rows;
	struct clock_map *clocks; /* the run's */
	struct host_gaps *host;   /* the run's; the trace says what was in them; NULL without ops */
	struct launch_rows ops;   /* rows of the ops table */
};

/* Host zones and all else of a trace that was opened just now; zones of devices only with `devices`. */
enum ttp_rc page_add_trace(struct page *p, struct page_sources *s, struct trace *t, bool devices,
			   struct ttp_err *e) TTP_CHECKED;
/* Lanes of devices, op_cores, from a device log; its statistics to `stats`, unless that is NULL or they need another reading. */
void page_add_log(struct page *p, struct page_sources *s, struct device_log *log,
		  struct buf *stats);
/* What is uneven about cores, once the report's fields and the cores of each op are there. */
void page_find_cores(struct page *p);
/* The ops table. */
void page_add_ops(struct page *p, struct page_sources *s, const struct ops_table *t);
/* What the report says of it, when the trace was read. */
void page_add_report(struct page *p, const struct page_sources *s, const struct ops_table *t);
/* Lanes of ops and flows, when all else is there. */
void page_place_ops(struct page *p, struct page_sources *s);

/* Lanes of one track for zones that come sorted by start, but may overlap: each goes to the first depth that is free. */
struct page_stack {
	VEC(uint32_t) lanes; /* the caller puts the first */
};
/* The lane that it went to, or PAGE_NONE. */
uint32_t page_stack_zone(struct page *p, struct page_stack *k, int64_t start_ns, int64_t end_ns,
			 uint32_t name, uint32_t op);

/* A device's lane; the device is added to the page's if it is new. */
struct page_device *page_device(
	struct page *p, uint32_t device); /* made if it is new; valid until the next one is */
uint32_t page_device_lane(struct page *p, uint32_t device);
/* A RISC's lane of a device; a new one of that RISC on one core, -1,-1 for one that is not known. */
uint32_t page_risc_lane(struct page *p, uint32_t device, struct str risc);
uint32_t page_core_lane(struct page *p, uint32_t device, struct str risc, int x, int y);

#endif /* TTP_WEB_BUILD_H */
