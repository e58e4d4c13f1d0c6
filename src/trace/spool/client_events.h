// SPDX-License-Identifier: Apache-2.0
/* State of the decoder of one client, shared by the files that take its items. */
#ifndef TTP_TRACE_SPOOL_CLIENT_EVENTS_H
#define TTP_TRACE_SPOOL_CLIENT_EVENTS_H

#include "trace/trace.h"
#include "trace/trace_readers.h"
#include "wire/spool.h"
#include "wire/tracy_fields.h"

enum {
	LOC_CACHE_BITS = 9,
	LOC_CACHE = 1 << LOC_CACHE_BITS,
	FRAME_HISTORY = 65536,
	QUERY_FEW = 64,
	QUERIES = 65536
};

struct loc_cache {
	uint64_t ptr;
	uint32_t loc; /* plus one */
};

/* What was added to a zone that is open. */
struct open_extra {
	uint32_t depth, color, stack;
	bool has_text, has_name;
	struct buf text, name;
};

struct client_thread {
	uint32_t track, depth, fiber;
	uint32_t stack; /* for the next item that carries one */
	/* Of a fiber that runs: */
	bool entered, ran;
	uint32_t carrier; /* the thread's number */
	int64_t entered_ns;
	size_t extras_used;
	VEC(struct open_extra) extras; /* buffers are used again */
};

struct waiting_message {
	uint64_t ptr;
	int64_t ticks;
	uint32_t color, thread, stack;
	uint8_t meta;
};

struct late_loc {
	uint32_t name, function, file, line, color;
};

/* A query that has no time yet. */
struct device_query {
	uint16_t query;
	uint32_t lane, zone;
};

struct device_context {
	uint32_t context; /* of the trace */
	bool has_period;
	double period, mod;
	int64_t time_diff, calibrated_gpu, calibrated_cpu, last_gpu;
	uint64_t overflow, overflow_mul;
	struct u64map lanes_by_tid;
	VEC(struct device_lane) lanes;
	VEC(struct device_query) few; /* while there are few */
	struct device_query *all;     /* by number, when there are many */
};

struct live_memory {
	struct trace_memory m;
	bool live;
};

struct client_lock {
	uint32_t lock, holder; /* of the trace; track */
};

struct switch_thread {
	struct trace_run run; /* the last one: its end may still be to come */
	struct trace_thread_time time;
	bool has;       /* a run */
	int cpu_before; /* of the run before the last one, or -1 */
	int64_t woken_before_ns;
	int64_t early_ns; /* woken while it still ran, or 0 */
	uint8_t early_cpu;
};

struct asked_symbol {
	struct trace_symbol symbol;
	bool shown, answered;
};

struct cpu_now {
	uint64_t tid; /* 0: nobody */
	int64_t start_ns;
};

struct open_section {
	uint32_t id, text;
	uint16_t category;
	int64_t start_ns, end_ns;
};

/* What a client's decoder owns: X(kind, type, name), given back by kind_release(). */
#define CLIENT_OWNS(X)                                                                          \
	X(buf, struct buf, single)                                                              \
	X(buf, struct buf, second)                                                              \
	X(u64map, struct u64map, threads_by_tid)                                                \
	X(vec, VEC(struct client_thread), threads)                                              \
	X(u64map, struct u64map, strings)                                                       \
	X(u64map, struct u64map, answered_strings)                                              \
	X(u64map, struct u64map, locs)                                                          \
	X(vec, VEC(uint32_t), asked)       /* source locations, in the order of first use */    \
	X(vec, VEC(struct late_loc), late) /* after a gap: those with numbers not known yet */  \
	X(vec, VEC(struct waiting_message), waiting)                                            \
	X(u64map, struct u64map, plots)                                                         \
	X(vec, VEC(int64_t), power_at)                                                          \
	X(u64map, struct u64map, frame_sets)                                                    \
	X(vec, VEC(int64_t), frame_starts)                                                      \
	X(u64map, struct u64map, fibers)                                                        \
	X(u64map, struct u64map, memory_by_ptr)                                                 \
	X(vec, VEC(struct live_memory), memory)                                                 \
	X(u64map, struct u64map, locks_by_id)                                                   \
	X(vec, VEC(struct client_lock), locks)                                                  \
	X(buf, struct buf, addresses)                                                           \
	X(buf, struct buf, image)                                                               \
	X(vec, VEC(struct trace_line), lines)                                                   \
	X(u64map, struct u64map, asked_by_symbol)                                               \
	X(vec, VEC(struct asked_symbol), asked_symbols)                                         \
	X(vec, VEC(struct open_section), sections)                                              \
	X(u64map, struct u64map, section_at) /* by number: index; TRACE_NONE when it is over */ \
	X(u64map, struct u64map, switches_by_tid)                                               \
	X(vec, VEC(struct switch_thread), switches)                                             \
	X(u64map, struct u64map, externals_by_tid)

struct client_events {
	struct trace *t;
	const struct trace_sink *sink;
	struct wire_proto proto;
	bool unasked, broken, started;
	uint32_t gaps;   /* frames were lost so many times */
	bool threadless; /* since the last one no thread was named */
	uint32_t process;
	uint64_t pid;
	int64_t init_begin, init_end, shift_ns;
	double ns_per_tick;
	uint64_t frame_offset;
	bool on_demand;
	int64_t on_demand_ticks; /* when the session began */

	uint8_t *bytes; /* history, then frames */
	size_t filled;

	int64_t ref_thread, ref_serial, ref_gpu, ref_ctx;
	uint32_t now; /* thread */
	uint32_t n_fibers;
	uint32_t payload; /* source location for the zone that follows */
	uint64_t memory_name;

	uint32_t answered;
	struct loc_cache cache[LOC_CACHE];

	struct u64map contexts_by_id;
	VEC(struct device_context) contexts;

	uint32_t stack, serial_stack;    /* that came, and is still to be given to something */
	struct trace_address at_address; /* of which lines come */
	unsigned lines_left;
	struct cpu_now cpus[256];
	CLIENT_OWNS(OWNS_MEMBER)
};

/* Moves a reference time by a step; steps of damaged files may wrap around. */
static inline int64_t client_step(int64_t *ref, int64_t step)
{
	return *ref = (int64_t)((uint64_t)*ref + (uint64_t)step);
}

/* Time of a tick on the trace's clock. */
static inline int64_t client_ns(const struct client_events *c, int64_t ticks)
{
	double ns = (double)(int64_t)((uint64_t)ticks - (uint64_t)c->init_begin) * c->ns_per_tick;

	/* What a clock can't have shown: a conversion of it would be undefined. */
	if (!(ns > -4e18 && ns < 4e18))
		return 0;
	return (int64_t)((uint64_t)(int64_t)ns + (uint64_t)c->shift_ns);
}

static inline void client_seen(struct client_events *c, int64_t ns)
{
	if (c->t->last_ns < ns)
		c->t->last_ns = ns;
}

/* client_take_...(): each takes some items, by the list. */
#define CLIENT_TAKE(taker) \
	void client_take_##taker(struct client_events *c, const struct wire_got *got)
#define SHAPE(name, fields)
#define ITEM(name, class, protocols, shape, taker, ...) CLIENT_TAKE(taker);
#include "wire/tracy_items.def"
/* Fields of the item that is taken. */
#define CLIENT_GET(shape) wire_get_##shape(&c->proto, got->at)

static inline struct loc_cache *client_cached(struct client_events *c, uint64_t ptr)
{
	return &c->cache[ptr * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOC_CACHE_BITS)];
}

uint32_t client_loc_new(struct client_events *c, uint64_t ptr);
/* A source location by its cookie; most are known, without a call. */
static inline uint32_t client_loc(struct client_events *c, uint64_t ptr)
{
	const struct loc_cache *cache = client_cached(c, ptr);

	return cache->ptr == ptr && cache->loc ? cache->loc - 1 : client_loc_new(c, ptr);
}

uint32_t client_string(struct client_events *c, uint64_t ptr);
uint32_t client_track(struct client_events *c, uint64_t tid);
uint32_t client_lane_track(struct client_events *c, uint64_t tid, uint32_t context);

struct client_thread *client_thread_of(struct client_events *c, uint64_t tid);
/* For what comes before any thread is named. */
struct client_thread *client_first_thread(struct client_events *c);
/* Whose zones come now: the thread's, or those of the fiber that runs on it. */
static inline struct client_thread *client_current(struct client_events *c)
{
	struct client_thread *th =
		c->now == TRACE_NONE ? client_first_thread(c) : &c->threads.at[c->now];

	return th->fiber == TRACE_NONE ? th : &c->threads.at[th->fiber];
}

/* client_texts.c: */
struct open_extra *client_extra_of(struct client_events *c);
void client_payload(struct client_events *c, struct str text);
void client_report_waiting(struct client_events *c, uint64_t ptr);
uint32_t client_frames_of(struct client_events *c, uint64_t name, bool continuous);
void client_frame(struct client_events *c, uint32_t set, int64_t start_ns, int64_t end_ns);

static inline void client_name_loc(struct trace_loc *to, const struct late_loc *from)
{
	to->name = from->name;
	to->function = from->function;
	to->file = from->file;
	to->line = from->line;
	to->color = from->color;
}

/* client_zones.c: takes begins and ends as long as there is nothing else; where it stopped. */
const uint8_t *client_zones(struct client_events *c, const uint8_t *at, const uint8_t *end);
/* client_gap.c: after frames were lost, whether an item can be understood without them. */
bool client_can_take(struct client_events *c, enum wire_item item);
/* Finds the numbers of locations that stand before their first use, by that use. */
void client_loc_used(struct client_events *c, uint64_t number, uint32_t loc);
/* Calls source locations that nobody named by their numbers, and counts them. */
void client_name_locs(struct client_events *c);

/* NULL, with the error, if its session makes no sense. */
struct client_events *client_events_new(struct trace *t, const struct spool_session *s,
					const struct trace_sink *sink, struct ttp_err *e);
/* Which process it is, and what is added to its times. */
void client_events_identify(struct client_events *c, uint32_t process, int64_t shift_ns);
/* One frame; false, with t->damage, where it can't be understood: nothing more is taken. */
bool client_events_frame(struct client_events *c, const uint8_t *block, size_t len, bool chained);
/* Frames are missing: what comes is understood from where that is possible without them. */
void client_events_gap(struct client_events *c);
/* Closes what is open. */
void client_events_end(struct client_events *c);
void client_events_free(struct client_events *c);

void client_device_end(struct client_events *c);
void client_device_free(struct client_events *c);
void client_memory_end(struct client_events *c);

/* client_code.c: */
/* The call stack that came before an item and belongs to it; 0 for none. */
uint32_t client_stack_of(struct client_events *c, enum wire_stack whose);
static inline uint32_t client_stack_for(struct client_events *c, enum wire_item item)
{
	enum wire_stack whose = wire_traits[item].stack;

	return whose == WIRE_STACK_NONE ? 0 : client_stack_of(c, whose);
}

void client_code_end(struct client_events *c);

/* client_plumbing.c: a line of this file is not shown where it was inlined. */
bool client_plumbing(struct str file);

/* client_fibers.c: ends the runs of all, and no thread runs one. */
void client_fibers_end(struct client_events *c);

/* client_switches.c: */
void client_switches_end(struct client_events *c);

#endif /* TTP_TRACE_SPOOL_CLIENT_EVENTS_H */
