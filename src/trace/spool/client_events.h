// SPDX-License-Identifier: Apache-2.0
/* State of the decoder of one client, shared by the files that take its items. */
#ifndef TTP_TRACE_SPOOL_CLIENT_EVENTS_H
#define TTP_TRACE_SPOOL_CLIENT_EVENTS_H

#include "trace/device_lanes.h"
#include "trace/trace.h"
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
	struct trace_run run; /* the one that goes on, else the last one */
	struct trace_thread_time time;
	bool running, woken, ran;
	int64_t early_ns; /* woken while it still ran, or 0 */
	uint8_t early_cpu;
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

struct client_events {
	struct trace *t;
	struct wire_proto proto;
	bool unasked, broken, started;
	uint32_t gaps;   /* frames were lost so many times */
	bool threadless; /* since the last one no thread was named */
	uint32_t process;
	uint64_t pid;
	int64_t init_begin, init_end, shift_ns;
	double ns_per_tick;

	uint8_t *bytes; /* history, then frames */
	size_t filled;

	int64_t ref_thread, ref_serial, ref_gpu, ref_ctx;
	uint32_t now; /* thread */
	struct buf single, second;
	uint32_t payload; /* source location for the zone that follows */
	uint64_t memory_name;

	struct u64map threads_by_tid, strings, answered_strings, locs, plots, frame_sets, fibers;
	VEC(struct client_thread) threads;
	VEC(uint32_t) asked; /* source locations, in the order of first use */
	uint32_t answered;
	VEC(struct late_loc)
		late; /* after a gap: source locations whose numbers are not known yet */
	VEC(struct waiting_message) waiting;
	VEC(int64_t) frame_starts, power_at;
	struct loc_cache cache[LOC_CACHE];

	struct u64map contexts_by_id;
	VEC(struct device_context) contexts;

	struct u64map memory_by_ptr;
	VEC(struct live_memory) memory;

	struct u64map locks_by_id;
	VEC(struct client_lock) locks;

	uint32_t stack, serial_stack; /* that came, and is still to be given to something */
	struct buf addresses, image;
	struct trace_address at_address; /* of which lines come */
	unsigned lines_left;
	VEC(struct trace_line) lines;
	struct u64map asked_by_symbol;
	VEC(struct trace_symbol) asked_symbols;
	VEC(struct open_section) sections;
	struct u64map
		section_at; /* by number, its index in `sections`; TRACE_NONE when it is over */

	struct u64map switches_by_tid, externals_by_tid;
	VEC(struct switch_thread) switches;
	struct cpu_now cpus[256];
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

uint32_t client_loc(struct client_events *c, uint64_t ptr);
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
void client_string_answer(struct client_events *c, uint64_t ptr, struct str text);
void client_loc_answer(struct client_events *c, const uint8_t *at);
void client_payload(struct client_events *c, struct str text);
struct open_extra *client_extra_of(struct client_events *c);
/* Text, name, color or value of the zone that is open. */
void client_zone_extra(struct client_events *c, enum wire_item item, const uint8_t *at);
void client_message(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		    const uint8_t *at);
void client_report_waiting(struct client_events *c, const struct trace_sink *sink, uint64_t ptr);
void client_plot(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at);
uint32_t client_frames_of(struct client_events *c, uint64_t name, bool continuous);
void client_frame(struct client_events *c, const struct trace_sink *sink, uint32_t set,
		  int64_t start_ns, int64_t end_ns);
void client_frame_item(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		       const uint8_t *at);
void client_fiber_enter(struct client_events *c, uint64_t fiber, uint32_t tid);

static inline void client_name_loc(struct trace_loc *to, const struct late_loc *from)
{
	to->name = from->name;
	to->function = from->function;
	to->file = from->file;
	to->line = from->line;
	to->color = from->color;
}

/* client_zones.c: takes begins and ends as long as there is nothing else; where it stopped. */
const uint8_t *client_zones(struct client_events *c, const struct trace_sink *sink,
			    const uint8_t *at, const uint8_t *end);
/* client_gap.c: after frames were lost, whether an item can be understood without them. */
bool client_can_take(struct client_events *c, enum wire_item item);
/* Finds the numbers of locations that stand before their first use, by that use. */
void client_loc_used(struct client_events *c, uint64_t number, uint32_t loc);
/* Calls source locations that nobody named by their numbers, and counts them. */
void client_name_locs(struct client_events *c);

/* Which process it is, and what is added to its times. */
void client_events_identify(struct client_events *c, uint32_t process, int64_t shift_ns);

void client_device(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at);
void client_device_end(struct client_events *c, const struct trace_sink *sink);
void client_device_free(struct client_events *c);
void client_memory(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at);
void client_memory_end(struct client_events *c, const struct trace_sink *sink);
void client_memory_free(struct client_events *c);
void client_lock(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at);
void client_locks_free(struct client_events *c);

/* client_code.c: */
void client_stack(struct client_events *c, struct str payload);
void client_stack_of_names(struct client_events *c, struct str payload);
/* The call stack that came before an item and belongs to it; 0 for none. */
uint32_t client_stack_of(struct client_events *c, enum wire_stack whose);
static inline uint32_t client_take_stack(struct client_events *c, enum wire_item item)
{
	enum wire_stack whose = wire_traits[item].stack;

	return whose == WIRE_STACK_NONE ? 0 : client_stack_of(c, whose);
}

void client_code(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at);
void client_code_end(struct client_events *c, const struct trace_sink *sink);
void client_code_free(struct client_events *c);

/* client_switches.c: */
void client_switch(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at);
void client_external_name(struct client_events *c, uint64_t tid, struct str name, bool of_thread);
void client_program_of(struct client_events *c, uint64_t tid, uint64_t pid);
void client_switches_end(struct client_events *c, const struct trace_sink *sink);
void client_switches_free(struct client_events *c);

#endif /* TTP_TRACE_SPOOL_CLIENT_EVENTS_H */
