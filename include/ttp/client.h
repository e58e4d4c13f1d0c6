// SPDX-License-Identifier: Apache-2.0
/*
 * libttp: record what a program does, for ttprof and for every Tracy server.
 *
 *	#include <ttp/client.h>
 *
 *	void step(int n)
 *	{
 *		TTP_ZONE("step");                   // until the end of this block
 *		ttp_zone_value((uint64_t)n);
 *		ttp_message_literal("working");
 *	}
 *
 *	cc -o program program.c $(pkg-config --cflags --libs ttp)
 *
 * With -DTTP_DISABLE all of it compiles to nothing.
 *
 * RULES
 *
 * Threads.   Every function may be called from every thread, at any time: before main, in constructors
 *            and destructors, after fork.  Nothing has to be started.  An event goes into storage of the
 *            calling thread without lock, allocation or system call; a thread of ours sends it on.
 * Failure.   Nothing fails: what cannot be stored is dropped and counted (ttp_stats).  errno is kept,
 *            no signal is used, and nothing is printed but a line for each variable of the environment
 *            that makes no sense.
 * Signals.   Handlers may record.  An event that interrupts the recording of another one on its thread
 *            is dropped and counted.  A handler must leave as many zones as it enters, must not be the
 *            first to record in the process (call ttp_start before), and must not give a new location
 *            by text (ttp_location_intern, ttp_zone_begin_text).
 * Text.      "Literal" arguments are pointers that are read later: they must stay valid and unchanged
 *            while the program or the library that holds them is loaded.  The same is true for struct
 *            ttp_location.  A library that includes this header may be unloaded at any time: what is
 *            still needed is copied then.  All other text is copied, at most 65,534 bytes of it.
 * Time.      From the processor's time stamp counter where it is invariant, else CLOCK_MONOTONIC_RAW.
 *
 * Environment: docs/guide/client.md lists it.  The most useful: TRACY_PORT (listen there), TTP_FILE (write a
 * spool instead), TTP_BUFFER (bytes kept until somebody reads), TTP_FULL=drop|block.
 */
#ifndef TTP_CLIENT_H
#define TTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TTP_API __attribute__((visibility("default")))
/* The compiler checks arguments against a format, as printf's. */
#define TTP_FORMAT_(text, first) __attribute__((format(printf, text, first)))
#else
#define TTP_API
#define TTP_FORMAT_(text, first)
#endif

#ifdef __has_attribute
/* Called so often that the step in between of a shared library is avoided. */
#if __has_attribute(noplt)
#define TTP_HOT_ __attribute__((noplt))
#endif
/* Of a pointer that is only an address: what it points to is not read, and need not be written yet. */
#if __has_attribute(access) && defined(__GNUC__) && __GNUC__ >= 11 /* 10 does not know "none" */
#define TTP_ADDRESS_(argument) __attribute__((access(none, argument)))
#endif
#endif
#ifndef TTP_HOT_
#define TTP_HOT_
#endif
#ifndef TTP_ADDRESS_
#define TTP_ADDRESS_(argument)
#endif

/* A source location.  Static: one per zone, read later by its address. */
struct ttp_location {
	const char *name; /* of the zone; NULL: the function's */
	const char *function, *file;
	uint32_t line, color; /* 0xRRGGBB, 0 for none */
};

enum ttp_plot_format { TTP_PLOT_NUMBER, TTP_PLOT_MEMORY, TTP_PLOT_PERCENTAGE, TTP_PLOT_WATT };

/* A device context; 0: none, events for it go nowhere. */
typedef uint32_t ttp_device;

/* A lock that is followed; 0: none. */
typedef uint32_t ttp_lock;

/* What was lost, and what is in use; counts since the process began. */
struct ttp_stats {
	uint64_t zones_dropped, texts_dropped, messages_dropped, plots_dropped, frames_dropped;
	uint64_t memory_dropped, device_dropped;
	uint64_t in_signal_dropped; /* of all kinds, in handlers that interrupted us */
	uint64_t unmatched_ends;    /* zone ends without begin, ignored */
	uint64_t bytes_pooled;      /* storage in use, chunks of 64 KiB */
	uint64_t sessions;          /* with servers, so far */
	uint64_t locks_dropped;     /* events of locks */
};

#ifndef TTP_DISABLE

/* ---- zones: how long something took; they nest, per thread ---- */

TTP_API void ttp_zone_begin(const struct ttp_location *location) TTP_HOT_;
TTP_API void ttp_zone_end(void) TTP_HOT_;
/* Both: the innermost zone ends where the next begins.  The clock is read once, but where storage ends. */
TTP_API void ttp_zone_next(const struct ttp_location *location) TTP_HOT_;
/* A source location that is known only at run time, for interpreters and the like; text is copied once. */
TTP_API void ttp_zone_begin_text(const char *name, size_t name_len, const char *function,
				 size_t function_len, const char *file, size_t file_len,
				 uint32_t line, uint32_t color);
/* The innermost open zone of this thread gets a text (several become lines), a name of its own, a colour,
 * a number. */
TTP_API void ttp_zone_text(const char *text, size_t len);
TTP_API void ttp_zone_name(const char *name, size_t len);
TTP_API void ttp_zone_color(uint32_t color);
TTP_API void ttp_zone_value(uint64_t value);
/* Such a source location made once and kept for ever; the same text gives the same pointer.  At most 30,000. */
TTP_API const struct ttp_location *ttp_location_intern(const char *name, size_t name_len,
						       const char *function, size_t function_len,
						       const char *file, size_t file_len,
						       uint32_t line, uint32_t color);

/* ---- messages: what happened at a moment ---- */

TTP_API void ttp_message(const char *text, size_t len);
TTP_API void ttp_message_color(const char *text, size_t len, uint32_t color);
TTP_API void ttp_message_literal(const char *literal);
TTP_API void ttp_message_literal_color(const char *literal, uint32_t color);
/* Also while it is paused: for what is said once, and the rest can't be understood without. */
TTP_API void ttp_message_always(const char *text, size_t len);
/* A mark that the ops report shows as a row of its own; `message` may be NULL. */
TTP_API void ttp_signpost(const char *header, const char *message);
/* Facts about this run, shown with the trace. */
TTP_API void ttp_app_info(const char *text, size_t len);

/* ---- frames: what repeats.  NULL is the main one; other names are literals ---- */

TTP_API void ttp_frame(const char *name);
/* For frames with pauses between them; a name has either these or the form above, and what does not fit is dropped. */
TTP_API void ttp_frame_start(const char *name);
TTP_API void ttp_frame_end(const char *name);

/* ---- plots: numbers over time; names are literals ---- */

TTP_API void ttp_plot(const char *name, double value);
TTP_API void ttp_plot_float(const char *name, float value);
TTP_API void ttp_plot_int(const char *name, int64_t value);
TTP_API void ttp_plot_config(const char *name, enum ttp_plot_format format, bool step, bool fill,
			     uint32_t color);

/* ---- memory: record an allocation after it was made, a free before it is; `pool` is a literal, or NULL for
 * the process's own ---- */

TTP_API void ttp_memory_alloc(const void *ptr, size_t size, const char *pool) TTP_ADDRESS_(1);
TTP_API void ttp_memory_free(const void *ptr, const char *pool) TTP_ADDRESS_(1);
/* All of a pool at once; sent to servers of protocol 74 and later only. */
TTP_API void ttp_memory_discard(const char *pool);

/* ---- locks: who waits for whom ----
 *
 * Say it around the calls of a mutex: wait before locking, obtain when it is locked (after a try, only if it
 * succeeded), release after unlocking.  `shared`: of a lock for readers and one writer, as one of the readers. */

TTP_API ttp_lock ttp_lock_new(const struct ttp_location *location, bool shared);
TTP_API void ttp_lock_free(ttp_lock lock);
TTP_API void ttp_lock_name(ttp_lock lock, const char *name, size_t len);
TTP_API void ttp_lock_wait(ttp_lock lock, bool shared);
TTP_API void ttp_lock_obtain(ttp_lock lock, bool shared);
TTP_API void ttp_lock_release(ttp_lock lock, bool shared);
/* While it is held: where in the source. */
TTP_API void ttp_lock_mark(ttp_lock lock, const struct ttp_location *location);

/* ---- threads ---- */

TTP_API void ttp_thread_name(const char *name);
/*
 * Threads of the program's own, each known by the address of its name, which stays as long as the program: from enter to leave the
 * calling thread's zones are the fiber's.  A fiber runs on one thread at a time, now here, now there.  `group`: those of one are
 * shown together.
 */
TTP_API void ttp_fiber_enter(const char *name, int32_t group);
TTP_API void ttp_fiber_leave(void);

/* ---- devices: zones on another clock ----
 *
 * A device context is one clock with lanes, such as a Tensix core with its RISCs.  Times are in the device's
 * cycles.  Zones of a lane nest: begin a zone after the one around it, end it before; times of a lane that
 * is done may be given at any later moment.  Contexts may be used from all threads, one lane from one
 * thread at a time.
 */

/* `chip`: contexts of a chip share a clock; servers with few contexts see one per chip. */
TTP_API ttp_device ttp_device_new(uint32_t chip);
TTP_API void ttp_device_name(ttp_device device, const char *name, size_t len);
/* At host time `host_ticks` (ttp_now) the device's clock stood at `cycles` and ran at `ghz`.  Comes first. */
TTP_API void ttp_device_start(ttp_device device, int64_t host_ticks, uint64_t cycles, double ghz);
/* The same again, later: with the same `ghz` the server corrects the drift that it finds, with another it believes
 * that, from here on. */
TTP_API void ttp_device_calibrate(ttp_device device, int64_t host_ticks, uint64_t cycles,
				  double ghz);
TTP_API void ttp_device_zone_begin(ttp_device device, uint32_t lane,
				   const struct ttp_location *location, uint64_t cycles);
TTP_API void ttp_device_zone_end(ttp_device device, uint32_t lane, uint64_t cycles);
/* Both at once, for a zone with none inside. */
TTP_API void ttp_device_zone(ttp_device device, uint32_t lane, const struct ttp_location *location,
			     uint64_t begin_cycles, uint64_t end_cycles);
/* A moment with a number; shown as a zone without length. */
TTP_API void ttp_device_marker(ttp_device device, uint32_t lane,
			       const struct ttp_location *location, uint64_t cycles,
			       uint64_t value);

/* ---- the client itself ---- */

/* Host time now in ticks, ns per tick, and the tick from which a trace counts. */
TTP_API int64_t ttp_now(void);
TTP_API double ttp_ns_per_tick(void);
TTP_API int64_t ttp_base_ticks(void);
/* Host time from elsewhere, in ns, for simulated devices.  Before the first event, else false; a server that is there already waits
 * half a second for either, so it is best done first.  It is called on any thread, also on ours. */
TTP_API bool ttp_clock(int64_t (*now_ns)(void));

/* Nothing of this process is recorded between the two, on devices as on the host; zones that are open end at the pause.  Costs
 * of recording stay.  `ttprof run --paused`, --warmup and others do the same from outside, and then all must agree. */
TTP_API void ttp_pause(void);
TTP_API void ttp_resume(void);
TTP_API bool ttp_recording(void);

/* Starts the thread that sends; otherwise the first event does it. */
TTP_API void ttp_start(void);
/* Writes a spool to `path` from now on, as TTP_FILE does; false if that cannot be, or a server is there. */
TTP_API bool ttp_start_file(const char *path);
/* Waits until what this thread recorded before was sent or written; at most `timeout_ms`. */
TTP_API bool ttp_flush(int timeout_ms);
/* Is there a server, or a file that is being written? */
TTP_API bool ttp_connected(void);
/* Why nothing is recorded or sent, such as a file that cannot be made; NULL: nothing is wrong, as far as is known. */
TTP_API const char *ttp_problem(void);
/* Sends what is left, closes open zones and ends; exit does the same.  Later events are dropped. */
TTP_API void ttp_stop(void);

/* The library around `inside` is about to be unloaded: copies what was recorded of it and not sent.  Files that
 * include this header call it by a destructor; others, such as bindings of other languages, may. */
TTP_API void ttp_library_goes(const void *inside);

/* What a zone costs on this thread, measured in some 50 us; 0 before its first event, and with a scripted clock. */
TTP_API double ttp_zone_cost_ns(void);
/* Fills `size` bytes, so that old programs work with later versions: pass sizeof(struct ttp_stats). */
TTP_API void ttp_stats(struct ttp_stats *stats, size_t size);

#else /* TTP_DISABLE */

/* Arguments are checked by the compiler, count as used, and are not evaluated. */
#define TTP_UNUSED_(...)                               (0 ? ttp_unused_(0, __VA_ARGS__) : (void)0)
#define TTP_GIVES_(v, ...)                             (0 ? (ttp_unused_(0, __VA_ARGS__), v) : v)
static inline void ttp_unused_(int none, ...)
{
	(void)none;
}
static inline int ttp_no_(void)
{
	return 0;
}
static inline int ttp_yes_(void)
{
	return 1;
}
static inline uint32_t ttp_no_handle_(void)
{
	return 0;
}
static inline int64_t ttp_no_time_(void)
{
	return 0;
}
static inline double ttp_no_scale_(void)
{
	return 1.0;
}
static inline const char *ttp_no_problem_(void)
{
	return NULL;
}
static inline const struct ttp_location *ttp_no_place_(void)
{
	return NULL;
}
#define ttp_zone_begin(l)                              TTP_UNUSED_(l)
#define ttp_zone_end()                                 ((void)0)
#define ttp_zone_next(l)                               TTP_UNUSED_(l)
#define ttp_zone_begin_text(n, nl, f, fl, p, pl, l, c) TTP_UNUSED_(n, nl, f, fl, p, pl, l, c)
#define ttp_zone_text(t, n)                            TTP_UNUSED_(t, n)
#define ttp_zone_name(t, n)                            TTP_UNUSED_(t, n)
#define ttp_zone_color(c)                              TTP_UNUSED_(c)
#define ttp_zone_value(v)                              TTP_UNUSED_(v)
#define ttp_location_intern(n, nl, f, fl, p, pl, l, c) \
	TTP_GIVES_(ttp_no_place_(), n, nl, f, fl, p, pl, l, c)
#define ttp_message(t, n)                 TTP_UNUSED_(t, n)
#define ttp_message_color(t, n, c)        TTP_UNUSED_(t, n, c)
#define ttp_message_literal(t)            TTP_UNUSED_(t)
#define ttp_message_literal_color(t, c)   TTP_UNUSED_(t, c)
#define ttp_message_always(t, n)          TTP_UNUSED_(t, n)
#define ttp_signpost(h, m)                TTP_UNUSED_(h, m)
#define ttp_app_info(t, n)                TTP_UNUSED_(t, n)
#define ttp_frame(n)                      TTP_UNUSED_(n)
#define ttp_frame_start(n)                TTP_UNUSED_(n)
#define ttp_frame_end(n)                  TTP_UNUSED_(n)
#define ttp_plot(n, v)                    TTP_UNUSED_(n, v)
#define ttp_plot_float(n, v)              TTP_UNUSED_(n, v)
#define ttp_plot_int(n, v)                TTP_UNUSED_(n, v)
#define ttp_plot_config(n, f, s, i, c)    TTP_UNUSED_(n, f, s, i, c)
#define ttp_memory_alloc(p, s, n)         TTP_UNUSED_(p, s, n)
#define ttp_memory_free(p, n)             TTP_UNUSED_(p, n)
#define ttp_memory_discard(n)             TTP_UNUSED_(n)
#define ttp_lock_new(l, s)                TTP_GIVES_(ttp_no_handle_(), l, s)
#define ttp_lock_free(k)                  TTP_UNUSED_(k)
#define ttp_lock_name(k, n, l)            TTP_UNUSED_(k, n, l)
#define ttp_lock_wait(k, s)               TTP_UNUSED_(k, s)
#define ttp_lock_obtain(k, s)             TTP_UNUSED_(k, s)
#define ttp_lock_release(k, s)            TTP_UNUSED_(k, s)
#define ttp_lock_mark(k, l)               TTP_UNUSED_(k, l)
#define ttp_thread_name(n)                TTP_UNUSED_(n)
#define ttp_fiber_enter(n, g)             TTP_UNUSED_(n, g)
#define ttp_fiber_leave()                 TTP_UNUSED_()
#define ttp_device_new(c)                 TTP_GIVES_(ttp_no_handle_(), c)
#define ttp_device_name(d, n, l)          TTP_UNUSED_(d, n, l)
#define ttp_device_start(d, h, c, g)      TTP_UNUSED_(d, h, c, g)
#define ttp_device_calibrate(d, h, c, g)  TTP_UNUSED_(d, h, c, g)
#define ttp_device_zone_begin(d, l, s, c) TTP_UNUSED_(d, l, s, c)
#define ttp_device_zone_end(d, l, c)      TTP_UNUSED_(d, l, c)
#define ttp_device_zone(d, l, s, b, e)    TTP_UNUSED_(d, l, s, b, e)
#define ttp_device_marker(d, l, s, c, v)  TTP_UNUSED_(d, l, s, c, v)
#define ttp_now()                         ttp_no_time_()
#define ttp_ns_per_tick()                 ttp_no_scale_()
#define ttp_base_ticks()                  ttp_no_time_()
#define ttp_clock(f)                      TTP_GIVES_(ttp_no_(), f)
#define ttp_pause()                       ((void)0)
#define ttp_resume()                      ((void)0)
#define ttp_recording()                   ttp_no_()
#define ttp_start()                       ((void)0)
#define ttp_start_file(p)                 TTP_GIVES_(ttp_no_(), p)
#define ttp_flush(t)                      TTP_GIVES_(ttp_yes_(), t)
#define ttp_connected()                   ttp_no_()
#define ttp_problem()                     ttp_no_problem_()
#define ttp_stop()                        ((void)0)
#define ttp_library_goes(p)               TTP_UNUSED_(p)
#define ttp_zone_cost_ns()                0.0
#define ttp_stats(s, n)                   TTP_UNUSED_(s, n)

#endif /* TTP_DISABLE */

/* ---- zones of a block ----
 *
 * TTP_ZONE("name"), TTP_ZONE_COLOR("name", 0x00FF00), TTP_FUNCTION() as the first thing in a block: until its
 * end, however it is left.  One per block. */

#if !defined(TTP_DISABLE) && defined(__GNUC__)
#define TTP_CONCAT2_(a, b) a##b
#define TTP_CONCAT_(a, b)  TTP_CONCAT2_(a, b)
#ifdef __cplusplus
} /* extern "C" */
namespace ttp_detail
{
struct zone {
	explicit zone(const ttp_location *location)
	{
		ttp_zone_begin(location);
	}
	~zone()
	{
		ttp_zone_end();
	}
	zone(const zone &) = delete;
	zone &operator=(const zone &) = delete;
};
} // namespace ttp_detail
extern "C" {
#define TTP_ZONE_AT_(name, color)                                                         \
	static const struct ttp_location TTP_CONCAT_(                                     \
		ttp_location_, __LINE__) = { name, __func__, __FILE__, __LINE__, color }; \
	ttp_detail::zone ttp_zone_of_this_block(&TTP_CONCAT_(ttp_location_, __LINE__))
#else
static inline void ttp_zone_leave_(const char *unused)
{
	(void)unused;
	ttp_zone_end();
}
#define TTP_ZONE_AT_(name, color)                                                             \
	static const struct ttp_location TTP_CONCAT_(                                         \
		ttp_location_, __LINE__) = { name, __func__, __FILE__, __LINE__, color };     \
	const char ttp_zone_of_this_block __attribute__((cleanup(ttp_zone_leave_), unused)) = \
		(ttp_zone_begin(&TTP_CONCAT_(ttp_location_, __LINE__)), 0)
#endif
#else
#define TTP_ZONE_AT_(name, color) TTP_ZONE_NOTHING_
#define TTP_ZONE_NOTHING_         struct ttp_location
#endif
#define TTP_FUNCTION()            TTP_ZONE_AT_(NULL, 0)
#define TTP_ZONE(name)            TTP_ZONE_AT_(name, 0)
#define TTP_ZONE_COLOR(name, rgb) TTP_ZONE_AT_(name, rgb)

#if !defined(TTP_DISABLE) && !defined(TTP_CLIENT_ITSELF) && defined(__GNUC__)
/* Weak: a file that includes this and records nothing needs no library.  101: after all other destructors. */
extern void ttp_library_goes(const void *inside) __attribute__((weak));
__attribute__((destructor(101), unused)) static void ttp_this_library_goes_(void)
{
	static const char here = 0;

	if (ttp_library_goes)
		ttp_library_goes(&here);
}
#endif

#ifdef __cplusplus
}
#endif

#endif /* TTP_CLIENT_H */
