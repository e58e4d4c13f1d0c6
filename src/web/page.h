// SPDX-License-Identifier: Apache-2.0
/*
 * What a page shows of a run, before it is packed: lanes with zones on one axis of time, tables, texts, and notes on
 * what is missing.  docs/reference/formats/page.md says what each part means; the names are the same.
 *
 *	page_init(&p);
 *	page_build(&p, &request, &e);     web/build.h: fills it from the files of a run
 *	page_finish(&p);                  sorts lanes and zones, puts 0 where the run begins
 *	page_pack(&p, &packed, ...);      web/manifest.c: the manifest and its columns
 *	page_release(&p);
 *
 * Times are ns on the trace's clock until page_finish(), then ns from 0.
 */
#ifndef TTP_WEB_PAGE_H
#define TTP_WEB_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#define PAGE_NONE UINT32_MAX

#define LANE_KIND_LIST(X)     \
	X(PROCESS, "process") \
	X(THREAD, "thread")   \
	X(PYTHON, "python") X(OPS, "ops") X(DEVICE, "device") X(RISC, "risc") X(CORE, "core")

enum lane_kind {
#define X(id, name) LANE_##id,
	LANE_KIND_LIST(X)
#undef X
};

struct page_zone {
	int64_t start_ns, dur_ns;
	uint32_t name, op; /* text; row of ops + 1, 0: none */
};

struct page_lane {
	uint32_t parent; /* lane, PAGE_NONE */
	uint32_t name, track;
	uint16_t depth;
	uint8_t kind;
	int32_t device, x, y; /* -1: none */
	uint32_t risc;        /* text, 0: none */
	uint64_t order;       /* among those of the same parent; then track, then depth */
	VEC(struct page_zone) zones;
	VEC(uint32_t) texts; /* of zones; shorter where the rest has none */
	/* after page_finish(): */
	uint32_t id;    /* position among the lanes of the page */
	uint64_t first; /* of its zones among those of the page */
	int64_t t0_ns, busy_ns;
};

enum field_from { FROM_CSV, FROM_REPORT, FROM_PAGE };

struct page_field {
	struct str key;          /* of the arena */
	const char *unit, *says; /* literals */
	enum field_from from;
	double *number; /* one of the two, of ops_n */
	uint32_t *text;
};

enum { PAGE_RISCS = 6 }; /* brisc, ncrisc, trisc0, trisc1, trisc2, erisc */

/* A launch on one core; docs/glossary.md has the words. */
struct page_op_core {
	uint32_t op, device;
	uint16_t x, y;
	uint32_t start_ns, span_ns; /* of its kernels; start: since the launch's first */
	uint32_t busy_ns, risc_ns[PAGE_RISCS], wait_ns;
	double over_ns; /* busy above the mean of the launch's cores */
	bool slowest;   /* busy longest of them, */
	bool leads;     /* and the first of those */
};

struct page_message {
	int64_t time_ns;
	uint32_t text, lane, colour;
};

struct page_mark {
	int64_t time_ns;
	uint32_t name;
};

typedef VEC(struct page_mark) page_marks;

struct page_point {
	int64_t time_ns;
	double value;
};

struct page_plot {
	uint32_t name;
	const char *unit;
	VEC(struct page_point) points;
};

/* A piece of memory, of a device or of the host. */
struct page_memory {
	uint32_t pool;        /* of the pools; while the trace is read, its text there */
	uint32_t process, op; /* op: row + 1 of the one that asked for it, 0: none */
	uint64_t address, bytes;
	int64_t alloc_ns, free_ns; /* INT64_MAX: never */
};

struct page_pool {
	uint32_t name;
	uint64_t allocations, peak_bytes, open_bytes,
		largest_bytes; /* open: when the trace ended */
	int64_t peak_ns;
};

struct page_flow {
	uint32_t lane, op;
	int64_t time_ns;
};

struct page_flame {
	uint32_t parent, name; /* parent + 1, 0: none */
	uint64_t calls;
	int64_t total_ns, child_ns;
};

struct risc_lane {
	uint32_t risc, lane; /* text, lane */
};

struct page_device {
	uint32_t id;
	struct str arch; /* of the page's texts */
	double mhz;
	int64_t workers; /* that programs may use, as the log counts them; 0: not known */
	uint32_t lane;
	bool synced; /* its clock was compared with the host's */
	VEC(struct risc_lane) riscs;
};

struct page_note {
	const char *part, *text;
};

struct page_file {
	const char *name, *path;
	uint64_t bytes;
};

struct page {
	struct intern strings; /* 0 is "" */
	struct arena texts;    /* that are no strings of the page: of notes, files, fields */
	VEC(struct page_lane) lanes;
	VEC(struct page_note) notes;
	VEC(struct ttp_err)
	left_out; /* files that can't be read, or are damaged, for who tells it; each is a note, too */
	VEC(struct page_file) files;
	VEC(struct page_device) devices;
	struct u64map device_index; /* by their ids */
	VEC(struct page_field) fields;
	size_t ops_n;
	bool has_ops, has_trace, has_log;
	VEC(struct page_op_core) op_cores;
	VEC(struct page_message) messages;
	page_marks signposts, frames;
	VEC(struct page_plot) plots;
	VEC(struct page_memory) memory; /* by pool and time */
	VEC(struct page_pool) pools;
	uint64_t memory_more; /* pieces that are not shown */
	VEC(struct page_flow) flows;
	VEC(struct page_flame) flame;
	struct buf title;
	/* JSON texts; empty: null */
	struct buf run, programs, facts, cost, report, account, device_analysis;
	struct buf host;  /* the verdict on a run without ops */
	struct buf parts; /* the report of what follows each signpost */
	struct buf usual; /* of what `ttprof report` shows by itself; empty: the whole run */
	struct buf steps;
	struct buf core_findings; /* of web/build_cores.c */
	const char *time_kind;    /* NULL: not known */
	const char *clock_note;   /* what the devices' times are, if not a card's own; NULL */
	int64_t from_ns,
		to_ns; /* only what touches this is kept; both 0: all.  From the run's 0. */
	uint64_t far_off, mended; /* zones skipped; zones that overlapped, and were shortened */
	uint32_t tracks;          /* given out */
	/* after page_finish(): */
	int64_t origin_ns, span_ns;
	uint64_t zones;
	bool has_texts, has_zone_ops;
	VEC(uint32_t) order;   /* lanes as they stand in the page */
	VEC(uint32_t) longest; /* zones */
	/* ours: */
	bool any_time;
	int64_t first_ns;
	struct buf scratch;
};

void page_init(struct page *p);
void page_release(struct page *p);

/* The number of a text; cut, and made UTF-8 without NULs. */
uint32_t page_text(struct page *p, struct str s);
uint32_t page_text_of(struct page *p, const char *z);
void page_note(struct page *p, const char *part, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void page_add_file(struct page *p, const char *name, const char *path);

/* A lane for a new track, depth 0; `order` as in the struct. */
uint32_t page_lane(struct page *p, enum lane_kind kind, uint32_t parent, uint32_t name,
		   uint64_t order);
/* The lane of the same track one deeper than `lane`; the caller remembers it. */
uint32_t page_lane_below(struct page *p, uint32_t lane);
/* A zone; one that lasts less than nothing lasts 0.  False: its time is impossible, and it was skipped. */
bool page_zone(struct page *p, uint32_t lane, int64_t start_ns, int64_t end_ns, uint32_t name,
	       uint32_t op);
/* The text of the lane's last zone. */
void page_zone_text(struct page *p, uint32_t lane, uint32_t text);
/* False for times that no page can show. */
bool page_time_ok(struct page *p, int64_t ns);
struct page_field *page_field(struct page *p, struct str key, const char *unit,
			      enum field_from from, const char *says, bool number);
/* The same with its cells, which are the page's from then on; one of the two is NULL. */
void page_field_take(struct page *p, struct str key, const char *unit, enum field_from from,
		     double *number, uint32_t *text);

/* A field that is the page's own; NULL: there is none. */
struct page_field *page_own(struct page *p, const char *key);

void page_finish(struct page *p);

#endif /* TTP_WEB_PAGE_H */
