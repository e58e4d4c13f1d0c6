// SPDX-License-Identifier: Apache-2.0
/* Tracy's C functions over ours.  A zone that is not active stays so in all that follows. */
#include "tracy/TracyC.h"

#include <stdarg.h>
#include <stdio.h>

_Static_assert(sizeof(struct ___tracy_source_location_data) == sizeof(struct ttp_location) &&
		       offsetof(struct ___tracy_source_location_data, line) ==
			       offsetof(struct ttp_location, line),
	       "the two locations are the same");

/* No call stacks are taken, and "secure" asks whether the profiler is there: ours always is. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CALL(name, parameters, ...)     \
	void ___tracy_##name parameters \
	{                               \
		__VA_ARGS__;            \
	}
#define ANSWER(type, name, parameters, ...) \
	type ___tracy_##name parameters     \
	{                                   \
		return __VA_ARGS__;         \
	}
/* Of a zone, if that is active. */
#define OF_ZONE(name, parameters, ...)            \
	void ___tracy_emit_zone_##name parameters \
	{                                         \
		if (ctx.active)                   \
			__VA_ARGS__;              \
	}

CALL(startup_profiler, (void), ttp_start())
CALL(shutdown_profiler, (void), ttp_stop())
ANSWER(int, profiler_started, (void), 1)
ANSWER(int, connected, (void), ttp_connected())
CALL(set_thread_name, (const char *name), ttp_thread_name(name))
ANSWER(int64_t, get_time, (void), ttp_now())

/* The functions themselves. */
#undef ___tracy_alloc_srcloc
#undef ___tracy_alloc_srcloc_name

static uint64_t intern(uint32_t line, const char *source, size_t source_len, const char *function,
		       size_t function_len, const char *name, size_t name_len, uint32_t color)
{
	return (uint64_t)(uintptr_t)ttp_location_intern(name, name_len, function, function_len,
							source, source_len, line, color);
}

#define WHERE \
	uint32_t line, const char *source, size_t sourceSz, const char *function, size_t functionSz
ANSWER(uint64_t, alloc_srcloc, (WHERE),
       intern(line, source, sourceSz, function, functionSz, NULL, 0, 0))
ANSWER(uint64_t, alloc_srcloc_color, (WHERE, uint32_t color),
       intern(line, source, sourceSz, function, functionSz, NULL, 0, color))
ANSWER(uint64_t, alloc_srcloc_name, (WHERE, const char *name, size_t nameSz),
       intern(line, source, sourceSz, function, functionSz, name, nameSz, 0))
ANSWER(uint64_t, alloc_srcloc_name_color, (WHERE, const char *name, size_t nameSz, uint32_t color),
       intern(line, source, sourceSz, function, functionSz, name, nameSz, color))

static TracyCZoneCtx begin(const void *srcloc, int active)
{
	if (active)
		ttp_zone_begin(srcloc);
	return (TracyCZoneCtx){ .id = 0, .active = active };
}

ANSWER(TracyCZoneCtx, emit_zone_begin,
       (const struct ___tracy_source_location_data *srcloc, int active), begin(srcloc, active))
ANSWER(TracyCZoneCtx, emit_zone_begin_callstack,
       (const struct ___tracy_source_location_data *srcloc, int depth, int active),
       begin(srcloc, active))
ANSWER(TracyCZoneCtx, emit_zone_begin_alloc, (uint64_t srcloc, int active),
       begin((const void *)(uintptr_t)srcloc, active))
ANSWER(TracyCZoneCtx, emit_zone_begin_alloc_callstack, (uint64_t srcloc, int depth, int active),
       begin((const void *)(uintptr_t)srcloc, active))
OF_ZONE(end, (TracyCZoneCtx ctx), ttp_zone_end())
OF_ZONE(text, (TracyCZoneCtx ctx, const char *txt, size_t size), ttp_zone_text(txt, size))
OF_ZONE(name, (TracyCZoneCtx ctx, const char *txt, size_t size), ttp_zone_name(txt, size))
OF_ZONE(color, (TracyCZoneCtx ctx, uint32_t color), ttp_zone_color(color))
OF_ZONE(value, (TracyCZoneCtx ctx, uint64_t value), ttp_zone_value(value))

CALL(emit_memory_alloc, (const void *ptr, size_t size, int secure),
     ttp_memory_alloc(ptr, size, NULL))
CALL(emit_memory_alloc_callstack, (const void *ptr, size_t size, int depth, int secure),
     ttp_memory_alloc(ptr, size, NULL))
CALL(emit_memory_alloc_named, (const void *ptr, size_t size, int secure, const char *name),
     ttp_memory_alloc(ptr, size, name))
CALL(emit_memory_alloc_callstack_named,
     (const void *ptr, size_t size, int depth, int secure, const char *name),
     ttp_memory_alloc(ptr, size, name))
CALL(emit_memory_free, (const void *ptr, int secure), ttp_memory_free(ptr, NULL))
CALL(emit_memory_free_callstack, (const void *ptr, int depth, int secure),
     ttp_memory_free(ptr, NULL))
CALL(emit_memory_free_named, (const void *ptr, int secure, const char *name),
     ttp_memory_free(ptr, name))
CALL(emit_memory_free_callstack_named, (const void *ptr, int depth, int secure, const char *name),
     ttp_memory_free(ptr, name))
CALL(emit_memory_discard, (const char *name, int secure), ttp_memory_discard(name))

CALL(emit_message, (const char *txt, size_t size, int callstack), ttp_message(txt, size))
CALL(emit_messageL, (const char *txt, int callstack), ttp_message_literal(txt))
CALL(emit_messageC, (const char *txt, size_t size, uint32_t color, int callstack),
     ttp_message_color(txt, size, color))
CALL(emit_messageLC, (const char *txt, uint32_t color, int callstack),
     ttp_message_literal_color(txt, color))
CALL(emit_message_appinfo, (const char *txt, size_t size), ttp_app_info(txt, size))
CALL(emit_logString, (int8_t severity, int32_t color, int32_t depth, size_t size, const char *txt),
     color ? ttp_message_color(txt, size, (uint32_t)color) : ttp_message(txt, size))
CALL(emit_logStringL, (int8_t severity, int32_t color, int32_t depth, const char *txt),
     color ? ttp_message_literal_color(txt, (uint32_t)color) : ttp_message_literal(txt))

CALL(fiber_enter, (const char *fiber), ttp_fiber_enter(fiber, 0))
CALL(fiber_leave, (void), ttp_fiber_leave())
CALL(emit_frame_mark, (const char *name), ttp_frame(name))
CALL(emit_frame_mark_start, (const char *name), ttp_frame_start(name))
CALL(emit_frame_mark_end, (const char *name), ttp_frame_end(name))
CALL(emit_plot, (const char *name, double val), ttp_plot(name, val))
CALL(emit_plot_float, (const char *name, float val), ttp_plot_float(name, val))
CALL(emit_plot_int, (const char *name, int64_t val), ttp_plot_int(name, val))
CALL(emit_plot_config, (const char *name, int type, int step, int fill, uint32_t color),
     ttp_plot_config(name, (enum ttp_plot_format)type, step, fill, color))

/* What is accepted and does nothing. */
CALL(emit_frame_image, (const void *image, uint16_t w, uint16_t h, uint8_t offset, int flip), )
ANSWER(int, begin_sampling_profiling, (void), 0)
CALL(end_sampling_profiling, (void), )

static size_t fit(int n, size_t room)
{
	return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

#define OF_ZONE_PRINTED(what)                                                            \
	void ___tracy_emit_zone_##what##_fmt(TracyCZoneCtx ctx, const char *format, ...) \
	{                                                                                \
		char text[1024];                                                         \
		va_list args;                                                            \
		int n;                                                                   \
                                                                                         \
		if (!ctx.active)                                                         \
			return;                                                          \
		va_start(args, format);                                                  \
		n = vsnprintf(text, sizeof(text), format, args);                         \
		va_end(args);                                                            \
		ttp_zone_##what(text, fit(n, sizeof(text)));                             \
	}
OF_ZONE_PRINTED(text)
OF_ZONE_PRINTED(name)

/* The pointer is the handle: nothing is allocated, and nothing is behind it. */
static ttp_lock handle_of(const void *lock)
{
	return (ttp_lock)(uintptr_t)lock;
}

#define LOCKS(ctx, kind, is_shared)                                                            \
	ctx ___tracy_announce_##kind##_ctx(const struct ___tracy_source_location_data *srcloc) \
	{                                                                                      \
		return (ctx)(uintptr_t)ttp_lock_new((const struct ttp_location *)srcloc,       \
						    is_shared);                                \
	}                                                                                      \
	void ___tracy_terminate_##kind##_ctx(ctx lock)                                         \
	{                                                                                      \
		ttp_lock_free(handle_of(lock));                                                \
	}                                                                                      \
	void ___tracy_mark_##kind##_ctx(ctx lock,                                              \
					const struct ___tracy_source_location_data *srcloc)    \
	{                                                                                      \
		ttp_lock_mark(handle_of(lock), (const struct ttp_location *)srcloc);           \
	}                                                                                      \
	void ___tracy_custom_name_##kind##_ctx(ctx lock, const char *name, size_t nameSz)      \
	{                                                                                      \
		ttp_lock_name(handle_of(lock), name, nameSz);                                  \
	}
#define LOCK_CALLS(ctx, call, kind, shared)                                       \
	int32_t ___tracy_before_##call##_##kind##_ctx(ctx lock)                   \
	{                                                                         \
		ttp_lock_wait(handle_of(lock), shared);                           \
		return 1;                                                         \
	}                                                                         \
	void ___tracy_after_##call##_##kind##_ctx(ctx lock)                       \
	{                                                                         \
		ttp_lock_obtain(handle_of(lock), shared);                         \
	}                                                                         \
	void ___tracy_after_un##call##_##kind##_ctx(ctx lock)                     \
	{                                                                         \
		ttp_lock_release(handle_of(lock), shared);                        \
	}                                                                         \
	void ___tracy_after_try_##call##_##kind##_ctx(ctx lock, int32_t acquired) \
	{                                                                         \
		if (acquired)                                                     \
			ttp_lock_obtain(handle_of(lock), shared);                 \
	}

LOCKS(TracyCLockCtx, lockable, false)
LOCKS(TracyCSharedLockCtx, shared_lockable, true)
LOCK_CALLS(TracyCLockCtx, lock, lockable, false)
LOCK_CALLS(TracyCSharedLockCtx, lock, shared_lockable, false)
LOCK_CALLS(TracyCSharedLockCtx, lock_shared, shared_lockable, true)
