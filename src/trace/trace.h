// SPDX-License-Identifier: Apache-2.0
/*
 * A trace as a stream of events, whatever it is kept in: a spool (.ttpr) or a .tracy file of any version.
 *
 *	trace_open(&t, path, &e);
 *	trace_read(&t, &sink, &e);      events in the order of the file, memory bounded by what names need
 *	trace_close(&t);
 *
 * Events name source locations, tracks, plots and frame sets by small numbers; tables of `struct trace` say what they are.
 * In a spool of a live capture the answer to "what is this source location?" comes after its first use, so names are complete
 * only when trace_read() is done; who needs them before calls trace_names() first, which costs another pass.
 *
 * A file that is cut or damaged gives what stands before the damage, and what behind it can be understood without it,
 * TTP_OK, and `t->damage` with where and what.
 * What is in a file and is not understood or not carried by events is counted in `t->skipped`.
 */
#ifndef TTP_TRACE_TRACE_H
#define TTP_TRACE_TRACE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

#define TRACE_NONE UINT32_MAX /* no string, no source location, ... */
#define TRACE_OPEN INT64_MIN  /* end of what never ended */

enum trace_kind { TRACE_SPOOL, TRACE_TRACY };
enum trace_container { TRACE_LZ4, TRACE_ZSTD, TRACE_MULTI_LZ4, TRACE_MULTI_ZSTD };

/* Version of a .tracy file as one number, for comparing. */
#define TRACE_VERSION(major, minor, patch) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(patch))

/* Kinds of things that no event carries. */
#define TRACE_SKIP_LIST(X)           \
	X(MARKERS, "device markers") \
	X(VSYNC, "moments of vsync") \
	X(STACKS, "call stacks")     \
	X(MISPLACED, "events out of their place")

enum trace_skip {
#define X(name, text) TRACE_SKIP_##name,
	TRACE_SKIP_LIST(X)
#undef X
		TRACE_SKIPS
};
const char *trace_skip_text(enum trace_skip skip);

enum { TRACE_DROPS = 9 }; /* kinds of events that clients count */

/* One client. */
struct trace_process {
	char key[9]; /* protocol, such as "TT66"; empty in a .tracy file */
	struct str program, host;
	uint64_t pid, ppid, epoch_s, exe_time_s;
	uint64_t frame_offset; /* on demand: frames before the first one that is here */
	double ns_per_tick;
	int64_t delay_ns, resolution_ns, sampling_period;
	uint8_t cpu_arch, on_demand, time_kind;
	uint32_t cpu_id;
	char cpu_maker[12];
	int64_t shift_ns; /* added to its times, so that all processes have one clock */
	int64_t error_ns; /* how far off this may be; -1: not known */
	bool ended;       /* in order */
	uint64_t dropped
		[TRACE_DROPS]; /* by the client, as SPOOL_NOTE_DROPS, or by its last message of that */
	bool knows_when_dropped;
	int64_t first_drop_ns, last_drop_ns;
	uint64_t zones;
};

/* A thread, or a lane of a device context. */
struct trace_track {
	uint32_t process, name; /* name: TRACE_NONE if it has none */
	uint64_t tid;
	uint32_t context; /* of a lane; TRACE_NONE for threads */
	uint32_t index;   /* number by which exports of CSV call it */
	bool fiber;
	int32_t group; /* threads of one group are shown together */
};

struct trace_loc {
	uint32_t name, function, file; /* strings; TRACE_NONE: none, or not answered */
	uint32_t line, color;          /* color as in files, 0xBBGGRR */
	uint32_t process;
	bool dynamic;
};

struct trace_context {
	uint32_t process, name;
	uint64_t thread, overflow;
	float period;
	uint8_t type, calibrated;
};

struct trace_plot {
	uint32_t process, name;
	uint8_t type, format, step, fill;
	uint32_t color;
};

struct trace_frames {
	uint32_t process, name; /* of the first set of a process, "Frame", TRACE_NONE */
	bool continuous;
};

/* What was added to a zone while it was open; empty slices (at NULL) where nothing. */
struct trace_extra {
	struct str text, name;
	uint32_t color; /* 0 none */
	uint32_t stack; /* call stack, 0 none, n is stacks.at[n - 1]; the same below */
};

struct trace_message {
	uint32_t track; /* TRACE_NONE: not known */
	int64_t time_ns;
	struct str text;
	uint32_t color; /* 0xAABBGGRR, all ones by default */
	uint8_t source, severity;
	uint32_t stack;
};

/* A zone of a device; -1 for times that never came. */
struct trace_device_zone {
	int64_t cpu_start_ns, cpu_end_ns, gpu_start_ns, gpu_end_ns;
	uint32_t loc;
	uint32_t thread; /* track that recorded it; TRACE_NONE */
	uint32_t children;
	uint16_t query, depth;
	uint32_t stack;
};

struct trace_memory {
	uint32_t pool; /* string, TRACE_NONE for the default one */
	uint32_t process;
	uint64_t ptr, size;
	int64_t alloc_ns, free_ns; /* TRACE_OPEN: never freed */
	uint32_t alloc_track, free_track;
	uint32_t alloc_stack, free_stack;
};

struct trace_lock {
	uint32_t process, id, name, loc; /* name: TRACE_NONE if it has none */
	bool shared;                     /* several may hold it */
	int64_t announced_ns, ended_ns;  /* ended_ns: 0 if it is never */
};

enum trace_lock_what {
	TRACE_LOCK_WAIT,
	TRACE_LOCK_OBTAIN,
	TRACE_LOCK_RELEASE,
	TRACE_LOCK_WAIT_SHARED,
	TRACE_LOCK_OBTAIN_SHARED,
	TRACE_LOCK_RELEASE_SHARED
};

struct trace_lock_event {
	uint32_t lock, track,
		loc; /* loc: TRACE_NONE, or where; from a spool it comes later, by lock_mark */
	int64_t time_ns;
	uint8_t what;
};

/* What one moment of a thread's run was. */
struct trace_sample {
	uint32_t track, stack;
	int64_t time_ns;
	bool at_switch; /* as it was taken off its processor: said before the sample itself comes */
};

/* A counter of the hardware ran over at an address. */
struct trace_hw_sample {
	uint64_t address;
	int64_t time_ns;
	uint8_t counter; /* cycles, retired, cache references, misses, branches, missed branches */
};

enum { TRACE_RUN_FIBER = 99 };

/* A thread, of whichever program, on a processor; or, by its reason, a fiber on a thread, which is `other`. */
struct trace_run {
	uint32_t process; /* whose client reported it */
	uint64_t tid, other;
	int64_t wakeup_ns, start_ns, end_ns; /* end_ns: TRACE_OPEN */
	uint8_t cpu, wakeup_cpu;
	int8_t reason, state;
};

/* The same as seen by a processor. */
struct trace_cpu_run {
	uint32_t process;
	uint64_t tid;
	int64_t start_ns, end_ns;
	uint8_t cpu;
};

/* A picture of a frame, in blocks of DXT1. */
struct trace_image {
	uint32_t set, frame; /* which frame of which set */
	uint16_t width, height;
	bool flipped;
	struct str bytes;
};

/* A part of the run that the program marked. */
struct trace_section {
	uint16_t category;
	struct str text;
	int64_t start_ns, end_ns; /* end_ns: TRACE_OPEN */
};

/* A number that a device zone was given. */
struct trace_note {
	uint32_t context;
	uint16_t query;
	int64_t note;
	double value;
};

/* Tables about code.  Addresses are as files have them: docs/reference/formats/tracy.md, "Call stacks". */
struct trace_line {
	uint32_t name, file, line; /* strings; inlined functions first */
	uint64_t symbol;
};

struct trace_address {
	uint64_t address;
	uint32_t image;        /* string */
	uint32_t first, count; /* of `lines` */
};

struct trace_symbol {
	uint64_t address;
	uint32_t name, file, line, image, call_file, call_line, size;
	bool inlined;
};

struct trace_cpu {
	uint32_t package, die, core, thread;
};

/* Threads of the whole machine. */
struct trace_external {
	uint64_t tid;
	uint32_t program, thread; /* strings */
};

struct trace_thread_time {
	uint64_t tid;
	int64_t running_ns;
	uint32_t runs, migrations;
};

struct trace_category {
	uint16_t category;
	uint32_t name;
};

struct trace_note_name {
	uint32_t context, name;
	int64_t note;
};

struct trace_crash {
	uint32_t track, message, stack;
	int64_t time_ns; /* 0: it is not known when, or there was none */
};

/* X(event, its parameters behind the context, and their names) */
#define TRACE_EVENTS(X)                                                                                    \
	/* Zones of a track nest. */                                                                       \
	X(zone_begin, (void *ctx, uint32_t track, int64_t time_ns, uint32_t loc), track, time_ns,          \
	  loc)                                                                                             \
	X(zone_end, (void *ctx, uint32_t track, int64_t time_ns, const struct trace_extra *x),             \
	  track, time_ns, x)                                                                               \
	/* A whole tree of zones of a lane, parents before children; `children` are direct ones. */        \
	X(device_tree, (void *ctx, uint32_t lane, const struct trace_device_zone *z, size_t n),            \
	  lane, z, n)                                                                                      \
	X(message, (void *ctx, const struct trace_message *m), m)                                          \
	X(plot, (void *ctx, uint32_t plot, int64_t time_ns, double value), plot, time_ns, value)           \
	/* Of a continuous set `end_ns` is TRACE_OPEN. */                                                  \
	X(frame, (void *ctx, uint32_t set, int64_t start_ns, int64_t end_ns), set, start_ns,               \
	  end_ns)                                                                                          \
	/* When it was freed, or at the end of the trace. */                                               \
	X(memory, (void *ctx, const struct trace_memory *m), m)                                            \
	X(app_info, (void *ctx, uint32_t process, struct str text), process, text)                         \
	X(lock_event, (void *ctx, const struct trace_lock_event *l), l)                                    \
	/* Where a thread last waited for a lock, or got it. */                                            \
	X(lock_mark, (void *ctx, uint32_t lock, uint32_t track, uint32_t loc), lock, track, loc)           \
	X(sample, (void *ctx, const struct trace_sample *s), s)                                            \
	X(hw_sample, (void *ctx, const struct trace_hw_sample *s), s)                                      \
	/* When it ended, or at the end of the trace; in order for each thread, and for each processor. */ \
	X(run, (void *ctx, const struct trace_run *r), r)                                                  \
	X(cpu_run, (void *ctx, const struct trace_cpu_run *r), r)                                          \
	X(image, (void *ctx, const struct trace_image *i), i)                                              \
	X(section, (void *ctx, const struct trace_section *s), s)                                          \
	X(note, (void *ctx, const struct trace_note *n), n)                                                \
	/* Code of a symbol, or of an address the symbol that it belongs to. */                            \
	X(symbol_code, (void *ctx, uint64_t symbol, struct str code), symbol, code)                        \
	X(code_symbol, (void *ctx, uint64_t address, uint64_t symbol), address, symbol)                    \
	X(source_file, (void *ctx, struct str name, struct str text), name, text)

/* Any of these may be NULL. */
struct trace_sink {
	void *ctx;
	/* A zone with nothing inside and nothing added; NULL: it comes as a begin and an end. */
	void (*zone_leaf)(void *ctx, uint32_t track, int64_t start_ns, int64_t end_ns,
			  uint32_t loc);
#define X(event, parameters, ...) void(*event) parameters;
	TRACE_EVENTS(X)
#undef X
};

/* To who wants it. */
#define TRACE_TELL(sink, event, ...) \
	((sink)->event ? (sink)->event((sink)->ctx, __VA_ARGS__) : (void)0)

/* What a trace owns beside its processes: X(kind, type, name), given back by kind_release(). */
#define TRACE_OWNS(X)                                                                           \
	X(vec, VEC(struct str), strings)                                                        \
	X(vec, VEC(struct trace_track), tracks) /* in the order of their first event */         \
	X(vec, VEC(struct trace_loc), locs)                                                     \
	X(vec, VEC(struct trace_context), contexts)                                             \
	X(vec, VEC(struct trace_plot), plots)                                                   \
	X(vec, VEC(struct trace_frames), frame_sets)                                            \
	/* of a .tracy file: by the numbers that it gives to threads */                         \
	X(vec, VEC(uint64_t), thread_ids)                                                       \
	X(vec, VEC(struct trace_lock), locks)                                                   \
	X(vec, VEC(struct str), stacks) /* eight bytes for each address, innermost first */     \
	X(vec, VEC(struct trace_address), addresses)                                            \
	X(vec, VEC(struct trace_line), lines)                                                   \
	X(vec, VEC(struct trace_symbol), symbols)                                               \
	X(vec, VEC(struct trace_cpu), cpus)                                                     \
	X(vec, VEC(struct trace_external), externals)                                           \
	X(vec, VEC(struct trace_thread_time), thread_times)                                     \
	X(vec, VEC(struct trace_category), categories)                                          \
	X(vec, VEC(struct trace_note_name), note_names)                                         \
	X(vec, VEC(struct u64map_entry), programs_of) /* tid to pid, where pids have 32 bits */ \
	/* ours: */                                                                             \
	X(arena, struct arena, texts)                                                           \
	X(intern, struct intern, payloads) /* of dynamic source locations */                    \
	X(vec, VEC(uint32_t), payload_locs)                                                     \
	X(intern, struct intern, stack_ids)                                                     \
	X(intern, struct intern, custom_ids)                                                    \
	X(intern, struct intern, shared_ids)                                                    \
	X(vec, VEC(uint32_t), shared)                                                           \
	X(u64map, struct u64map, addresses_known)                                               \
	X(u64map, struct u64map, symbols_known)

struct trace {
	enum trace_kind kind;
	struct input in;
	const char *path; /* as given */

	/* of a .tracy file: */
	enum trace_container container;
	uint32_t version;
	struct str capture_name;
	uint64_t capture_time_s;
	uint64_t told_zones; /* as its header says */

	VEC(struct trace_process) processes;
	int64_t last_ns; /* of all events; 0 without any */
	uint64_t zones, device_zones, messages, frames, plot_points, memory_events;
	/* What the exports to other formats don't carry: */
	uint64_t lock_events, samples, hw_samples, runs, images, sections, notes, codes, sources;
	struct trace_crash crash;
	uint64_t skipped[TRACE_SKIPS];
	bool crashed;

	bool damaged;
	struct ttp_err damage; /* what and where; everything before it was read */
	bool resumed;          /* and something behind it, too */
	uint64_t lost_bytes;   /* between whole records */
	uint64_t lost_frames;  /* whole, but they build on what is lost */
	uint64_t odd;     /* times and source locations that can't be, and are shown all the same */
	uint64_t unnamed; /* source locations whose names never came */

	/* ours: */
	uint32_t machine_reported_by; /* process plus one, which tells of processors */
	struct spool_events *spool;
	struct tracy_in *tracy;
	bool names_known;
	TRACE_OWNS(OWNS_MEMBER)
};

/* How a trace begins, or compressed data in which one may be; an input_accept. */
bool trace_accepts(struct str head);
/* TTP_FORMAT if it is neither; a file that is damaged later opens all the same. */
enum ttp_rc trace_open(struct trace *t, const char *path, struct ttp_err *e) TTP_CHECKED;
/* The same of data that is open already; `in` is the trace's from then on, also on failure. */
enum ttp_rc trace_open_input(struct trace *t, struct input in, struct ttp_err *e) TTP_CHECKED;
/* Reads on to where all names are known, without telling events. */
enum ttp_rc trace_names(struct trace *t, struct ttp_err *e) TTP_CHECKED;
/* Once per trace. */
enum ttp_rc trace_read(struct trace *t, const struct trace_sink *sink,
		       struct ttp_err *e) TTP_CHECKED;
void trace_close(struct trace *t);

/* Times of hostile files may be anything: they wrap instead of overflowing. */
static inline int64_t ns_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t ns_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Text of a string, "" for TRACE_NONE. */
static inline struct str trace_str(const struct trace *t, uint32_t id)
{
	return id < t->strings.len ? t->strings.at[id] : str_n("", 0);
}

/* A source location, or one of which nothing is known. */
static inline const struct trace_loc *trace_loc_at(const struct trace *t, uint32_t loc)
{
	static const struct trace_loc unknown = { .name = TRACE_NONE,
						  .function = TRACE_NONE,
						  .file = TRACE_NONE };

	return loc < t->locs.len ? &t->locs.at[loc] : &unknown;
}

/* What a source location is called: its name, else its function. */
struct str trace_loc_name(const struct trace *t, uint32_t loc);
/* "program[pid] " where there are several programs, else nothing. */
void trace_prefix(const struct trace *t, uint32_t process, struct buf *to);
/* What a device context is called, with the process if there are several. */
void trace_context_name(const struct trace *t, uint32_t context, struct buf *to);
/* What a thread is called: its name, else its number; with the process if there are several. */
void trace_track_name(const struct trace *t, uint32_t track, struct buf *to);
/* A copy that stays as long as the trace. */
struct str trace_keep(struct trace *t, struct str s);
/* Copies `s`, which need not outlive the call. */
uint32_t trace_string(struct trace *t, struct str s);
/* As trace_string, and the same text has the same number. */
uint32_t trace_shared_string(struct trace *t, struct str s);
/* How much of what only .tracy files carry there is, by kind: "lock events", ...; false behind the last one. */
bool trace_only_tracy(const struct trace *t, unsigned n, const char **text, uint64_t *count);

/* ---- trace_tee.c ---- */

/* Several readers of a trace in one pass. */

enum { TRACE_TEE_MAX = 8 };

struct trace_tee {
	struct trace_sink to[TRACE_TEE_MAX];
	size_t n;
};

/* A sink for all of them, in their order, for trace_read().  The tee outlives it. */
void trace_tee_sink(struct trace_tee *tee, struct trace_sink *sink);

#endif /* TTP_TRACE_TRACE_H */
