// SPDX-License-Identifier: Apache-2.0
/* What a .tracy file is made of, collected from events (tracy_collect.c) and written (tracy_write.c). */
#ifndef TTP_TRACE_TRACY_TRACY_COLLECT_H
#define TTP_TRACE_TRACY_TRACY_COLLECT_H

#include "trace/spill.h"
#include "trace/trace.h"
#include "trace/tracy/tracy_write.h"

enum {
	DYNAMIC_MAX =
		30000, /* source locations by text; the rest share source locations without a function */
	SRCLOCS_MAX = 32766,
	STRINGS_MAX = 0xFFFFFE,
	COLLECT_MEMORY = 40 << 20,
};

/*
 * Records of a thread's log, whole in their chunk:
 *	1 byte	kind, size code of the first step << 2, of the second << 4, 64 if the source location has two bytes
 *		source location (not of LANE_END), steps of time (two of leaves), number of the extra
 * all zigzag, the extra as a varint from the one before.
 */
enum lane_kind { LANE_LEAF, LANE_BEGIN, LANE_END, LANE_LEAF_EXTRA };
enum { LANE_WIDE_PLACE = 64, LANE_RECORD_MAX = 64 };

struct collect_open {
	int64_t start_ns;
	int32_t srcloc;
	uint32_t children, slot;
	bool begun; /* its begin is in the log */
};

/* Of a zone with children, written at its end. */
struct zone_facts {
	uint32_t extra, children;
};

struct collect_track {
	struct spill_log log, facts; /* threads */
	uint64_t ref;                /* of steps */
	uint32_t last_extra;
	uint64_t zones, roots, parents;
	VEC(struct collect_open) open;
	VEC(uint64_t) messages;  /* numbers in order of arrival */
	struct spill_log device; /* lanes: as in the file */
	uint64_t cpu_ref, gpu_ref, device_zones, device_roots, device_parents;
	uint32_t index; /* among threads, 0: none yet */
	bool used;
	struct collect_samples *samples; /* NULL: none */
};

/* Records of logs; what stands in a file has steps instead of times. */
#define COLLECT_RECORD struct __attribute__((packed))

COLLECT_RECORD collect_sample
{
	int64_t time_ns;
	uint32_t stack;
};

COLLECT_RECORD collect_lock_event
{
	int64_t time_ns;
	int16_t srcloc;
	uint8_t thread, what;
};

/* Without its last byte before 0.11.3. */
COLLECT_RECORD collect_run
{
	int64_t time_ns[3]; /* woken, start, end */
	uint8_t cpu;
	int8_t reason, state;
	uint64_t other;
	uint8_t wakeup_cpu;
};

COLLECT_RECORD collect_cpu_run
{
	int64_t time_ns[2]; /* start, end */
	uint16_t thread;    /* its number */
};

/* Of a thread: when it left its processor, and others. */
struct collect_samples {
	struct spill_log log[2];
	uint64_t n[2];
	int64_t last_ns[2];
	bool unsorted[2];
};

enum { LOCK_THREADS_MAX = 64 };

struct lock_thread {
	uint32_t track;
	uint64_t last_at; /* where its last wait or obtain stands, plus one */
};

struct collect_lock {
	struct spill_log log;
	uint64_t n;
	VEC(struct lock_thread) threads;
};

/* Of a thread. */
struct collect_runs {
	uint64_t tid;
	struct spill_log log;
	uint64_t n;
};

struct collect_image {
	uint32_t set, frame, size;
	uint16_t width, height;
	bool flipped;
};

struct collect_section {
	uint16_t category;
	uint32_t text;
	int64_t start_ns, end_ns;
};

struct collect_message {
	int64_t time_ns;
	uint64_t number; /* of arrival */
	uint32_t text, color, track, stack;
	uint8_t source, severity;
};

struct collect_point {
	int64_t time_ns;
	double value;
};

struct collect_plot {
	VEC(struct collect_point) points;
};

struct collect_frames {
	VEC(int64_t) starts, ends;
};

/* What is collected: X(kind, type, name), given back by kind_release(); logs belong to the store. */
#define COLLECT_OWNS(X)                                                                          \
	X(vec, VEC(struct collect_track), tracks)                                                \
	X(vec, VEC(uint64_t), thread_ids) /* by index */                                         \
	X(u64map, struct u64map, thread_index)                                                   \
	X(vec, VEC(struct u64map_entry), thread_names) /* tid to text */                         \
	X(intern, struct intern, texts) /* numbers are indexes of the file's strings */          \
	X(vec, VEC(uint32_t), pointers) /* texts that are called by pointer */                   \
	X(u64map, struct u64map, pointed)                                                        \
	X(vec, VEC(int32_t), srcloc_of_loc) /* 0: not yet */                                     \
	X(vec, VEC(uint32_t), static_locs)  /* locs, from number 1 on */                         \
	X(vec, VEC(uint32_t), dynamic_locs)                                                      \
	X(vec, VEC(uint8_t), plain_dynamic) /* without function */                               \
	X(intern, struct intern, plain)     /* name, file and line to dynamic source location */ \
	X(vec, VEC(uint32_t), plain_srcloc)                                                      \
	X(vec, VEC(struct collect_message), messages)                                            \
	X(vec, VEC(struct collect_plot), plots)                                                  \
	X(vec, VEC(struct collect_frames), frames)                                               \
	X(vec, VEC(struct trace_memory), memory)                                                 \
	X(vec, VEC(uint32_t), app_info)                                                          \
	X(vec, VEC(struct collect_lock), locks)                                                  \
	X(u64map, struct u64map, runs_by_tid)                                                    \
	X(u64map, struct u64map, carriers) /* threads that fibers ran on */                      \
	X(u64map, struct u64map, external_index)                                                 \
	X(vec, VEC(struct collect_runs), runs)                                                   \
	X(vec, VEC(uint64_t), external_ids)                                                      \
	X(vec, VEC(struct trace_hw_sample), hw_samples)                                          \
	X(vec, VEC(struct collect_image), images)                                                \
	X(vec, VEC(struct collect_section), sections)                                            \
	X(vec, VEC(struct trace_note), notes)

struct collect {
	struct trace *t;
	uint32_t version;
	struct spill_store store;
	struct tracy_written *written;
	uint64_t zones_at[65536]; /* by source location plus 32768 */
	struct spill_log extras;
	uint64_t n_extras;

	struct spill_log cpus[256];
	uint64_t cpu_runs[256];
	struct spill_log image_bytes;
	size_t notes_written, note_names_written;
	struct spill_log codes, code_symbols, sources; /* as in the file */
	uint64_t n_codes, n_code_symbols, n_sources;
	COLLECT_OWNS(OWNS_MEMBER)
};

/* Keys and pointers of a file are any numbers; these can't be taken for small ones. */
#define KEY_OF(string) ((uint64_t)(string) + 0x100000)
#define PTR_OF(string) ((uint64_t)(string) + 0x100000000)

void collect_init(struct collect *c, struct trace *t, uint32_t version,
		  struct tracy_written *written);
void collect_sink(struct collect *c, struct trace_sink *sink);
void collect_release(struct collect *c);
uint32_t collect_text(struct collect *c, struct str s);
/* By which a file calls a text: such texts are listed with their pointers. */
uint64_t collect_pointer(struct collect *c, uint32_t text);
/* Number of a name's text, with its process where there are several. */
uint32_t collect_prefixed(struct collect *c, uint32_t process, struct str name);
/* The same of a string plus one; 0 for none. */
uint32_t collect_named(struct collect *c, uint32_t process, uint32_t string);
/* By which a file calls a pool of memory; 0 for the first process's default one. */
uint64_t collect_pool(struct collect *c, const struct trace_memory *m);
/* Unique over all processes. */
uint64_t collect_tid(const struct collect *c, uint32_t track);
uint32_t collect_thread_index(struct collect *c, uint32_t track);

/* Something was recorded by a thread: the file lists it. */
struct collect_track *collect_used(struct collect *c, uint32_t track);
int32_t collect_srcloc_new(struct collect *c, uint32_t loc);
static inline int32_t collect_srcloc(struct collect *c, uint32_t loc)
{
	return loc < c->srcloc_of_loc.len && c->srcloc_of_loc.at[loc] ? c->srcloc_of_loc.at[loc]
								      : collect_srcloc_new(c, loc);
}

/* tracy_collect_code.c: locks, samples, processors, symbols. */
void collect_code_sink(struct trace_sink *sink);
void collect_code_names(struct collect *c);
/* Threads that only ran fibers are listed, too. */
void collect_carriers(struct collect *c);
void collect_code_release(struct collect *c);

struct tracy_out;
void tracy_copy_log(struct tracy_out *o, struct collect *c, const struct spill_log *l);
/* tracy_write_code.c, in the order of a file: */
void tracy_write_topology(struct tracy_out *o, struct collect *c);
void tracy_write_crash(struct tracy_out *o, struct collect *c);
void tracy_write_sections(struct tracy_out *o, struct collect *c);
void tracy_write_externals(struct tracy_out *o, struct collect *c);
void tracy_write_locks(struct tracy_out *o, struct collect *c);
uint64_t tracy_kernel_samples(struct collect *c, const struct collect_track *k);
void tracy_write_samples(struct tracy_out *o, struct collect *c, struct collect_track *k);
void tracy_write_note_names(struct tracy_out *o, struct collect *c, uint32_t context);
void tracy_write_notes(struct tracy_out *o, struct collect *c, uint32_t context);
void tracy_write_memory(struct tracy_out *o, struct collect *c);
void tracy_write_stacks(struct tracy_out *o, struct collect *c);
void tracy_write_images(struct tracy_out *o, struct collect *c);
void tracy_write_processors(struct tracy_out *o, struct collect *c);
void tracy_write_symbols(struct tracy_out *o, struct collect *c);

#endif /* TTP_TRACE_TRACY_TRACY_COLLECT_H */
