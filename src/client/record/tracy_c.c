// SPDX-License-Identifier: Apache-2.0
/* Tracy's C functions over ours.  A zone that is not active stays so in all that follows. */
#include "tracy/TracyC.h"

#include <stdarg.h>
#include <stdio.h>

_Static_assert(sizeof(struct ___tracy_source_location_data) == sizeof(struct ttp_location) &&
		       offsetof(struct ___tracy_source_location_data, line) ==
			       offsetof(struct ttp_location, line),
	       "the two locations are the same");

void ___tracy_startup_profiler(void)
{
	ttp_start();
}

void ___tracy_shutdown_profiler(void)
{
	ttp_stop();
}

int ___tracy_profiler_started(void)
{
	return 1;
}

int ___tracy_connected(void)
{
	return ttp_connected();
}

void ___tracy_set_thread_name(const char *name)
{
	ttp_thread_name(name);
}

/* The functions themselves. */
#undef ___tracy_alloc_srcloc
#undef ___tracy_alloc_srcloc_name

uint64_t ___tracy_alloc_srcloc_name_color(uint32_t line, const char *source, size_t sourceSz,
					  const char *function, size_t functionSz, const char *name,
					  size_t nameSz, uint32_t color)
{
	return (uint64_t)(uintptr_t)ttp_location_intern(name, nameSz, function, functionSz, source,
							sourceSz, line, color);
}

uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char *source, size_t sourceSz,
				    const char *function, size_t functionSz, const char *name,
				    size_t nameSz)
{
	return ___tracy_alloc_srcloc_name_color(line, source, sourceSz, function, functionSz, name,
						nameSz, 0);
}

uint64_t ___tracy_alloc_srcloc_color(uint32_t line, const char *source, size_t sourceSz,
				     const char *function, size_t functionSz, uint32_t color)
{
	return ___tracy_alloc_srcloc_name_color(line, source, sourceSz, function, functionSz, NULL,
						0, color);
}

uint64_t ___tracy_alloc_srcloc(uint32_t line, const char *source, size_t sourceSz,
			       const char *function, size_t functionSz)
{
	return ___tracy_alloc_srcloc_color(line, source, sourceSz, function, functionSz, 0);
}

TracyCZoneCtx ___tracy_emit_zone_begin(const struct ___tracy_source_location_data *srcloc,
				       int active)
{
	if (active)
		ttp_zone_begin((const struct ttp_location *)srcloc);
	return (TracyCZoneCtx){ .id = 0, .active = active };
}

TracyCZoneCtx ___tracy_emit_zone_begin_callstack(const struct ___tracy_source_location_data *srcloc,
						 int depth, int active)
{
	(void)depth;
	return ___tracy_emit_zone_begin(srcloc, active);
}

TracyCZoneCtx ___tracy_emit_zone_begin_alloc(uint64_t srcloc, int active)
{
	return ___tracy_emit_zone_begin(
		(const struct ___tracy_source_location_data *)(uintptr_t)srcloc, active);
}

TracyCZoneCtx ___tracy_emit_zone_begin_alloc_callstack(uint64_t srcloc, int depth, int active)
{
	(void)depth;
	return ___tracy_emit_zone_begin_alloc(srcloc, active);
}

void ___tracy_emit_zone_end(TracyCZoneCtx ctx)
{
	if (ctx.active)
		ttp_zone_end();
}

void ___tracy_emit_zone_text(TracyCZoneCtx ctx, const char *txt, size_t size)
{
	if (ctx.active)
		ttp_zone_text(txt, size);
}

void ___tracy_emit_zone_name(TracyCZoneCtx ctx, const char *txt, size_t size)
{
	if (ctx.active)
		ttp_zone_name(txt, size);
}

void ___tracy_emit_zone_color(TracyCZoneCtx ctx, uint32_t color)
{
	if (ctx.active)
		ttp_zone_color(color);
}

void ___tracy_emit_zone_value(TracyCZoneCtx ctx, uint64_t value)
{
	if (ctx.active)
		ttp_zone_value(value);
}

/* "Secure" asks whether the profiler is there: ours always is. */
void ___tracy_emit_memory_alloc_named(const void *ptr, size_t size, int secure, const char *name)
{
	(void)secure;
	ttp_memory_alloc(ptr, size, name);
}

void ___tracy_emit_memory_free_named(const void *ptr, int secure, const char *name)
{
	(void)secure;
	ttp_memory_free(ptr, name);
}

void ___tracy_emit_memory_alloc(const void *ptr, size_t size, int secure)
{
	___tracy_emit_memory_alloc_named(ptr, size, secure, NULL);
}

void ___tracy_emit_memory_free(const void *ptr, int secure)
{
	___tracy_emit_memory_free_named(ptr, secure, NULL);
}

void ___tracy_emit_memory_alloc_callstack(const void *ptr, size_t size, int depth, int secure)
{
	(void)depth;
	___tracy_emit_memory_alloc(ptr, size, secure);
}

void ___tracy_emit_memory_free_callstack(const void *ptr, int depth, int secure)
{
	(void)depth;
	___tracy_emit_memory_free(ptr, secure);
}

void ___tracy_emit_memory_alloc_callstack_named(const void *ptr, size_t size, int depth, int secure,
						const char *name)
{
	(void)depth;
	___tracy_emit_memory_alloc_named(ptr, size, secure, name);
}

void ___tracy_emit_memory_free_callstack_named(const void *ptr, int depth, int secure,
					       const char *name)
{
	(void)depth;
	___tracy_emit_memory_free_named(ptr, secure, name);
}

void ___tracy_emit_memory_discard(const char *name, int secure)
{
	(void)secure;
	ttp_memory_discard(name);
}

void ___tracy_emit_message(const char *txt, size_t size, int callstack)
{
	(void)callstack;
	ttp_message(txt, size);
}

void ___tracy_emit_messageL(const char *txt, int callstack)
{
	(void)callstack;
	ttp_message_literal(txt);
}

void ___tracy_emit_messageC(const char *txt, size_t size, uint32_t color, int callstack)
{
	(void)callstack;
	ttp_message_color(txt, size, color);
}

void ___tracy_emit_messageLC(const char *txt, uint32_t color, int callstack)
{
	(void)callstack;
	ttp_message_literal_color(txt, color);
}

void ___tracy_emit_message_appinfo(const char *txt, size_t size)
{
	ttp_app_info(txt, size);
}

void ___tracy_emit_frame_mark(const char *name)
{
	ttp_frame(name);
}

void ___tracy_emit_frame_mark_start(const char *name)
{
	ttp_frame_start(name);
}

void ___tracy_emit_frame_mark_end(const char *name)
{
	ttp_frame_end(name);
}

void ___tracy_emit_plot(const char *name, double val)
{
	ttp_plot(name, val);
}

void ___tracy_emit_plot_float(const char *name, float val)
{
	ttp_plot_float(name, val);
}

void ___tracy_emit_plot_int(const char *name, int64_t val)
{
	ttp_plot_int(name, val);
}

void ___tracy_emit_plot_config(const char *name, int type, int step, int fill, uint32_t color)
{
	ttp_plot_config(name, (enum ttp_plot_format)type, step, fill, color);
}

int64_t ___tracy_get_time(void)
{
	return ttp_now();
}

static size_t fit(int n, size_t room)
{
	return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

void ___tracy_emit_zone_text_fmt(TracyCZoneCtx ctx, const char *format, ...)
{
	char text[1024];
	va_list args;
	int n;

	if (!ctx.active)
		return;
	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ttp_zone_text(text, fit(n, sizeof(text)));
}

void ___tracy_emit_zone_name_fmt(TracyCZoneCtx ctx, const char *format, ...)
{
	char text[1024];
	va_list args;
	int n;

	if (!ctx.active)
		return;
	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ttp_zone_name(text, fit(n, sizeof(text)));
}

void ___tracy_emit_frame_image(const void *image, uint16_t w, uint16_t h, uint8_t offset, int flip)
{
	(void)image, (void)w, (void)h, (void)offset, (void)flip;
}

void ___tracy_fiber_enter(const char *fiber)
{
	(void)fiber;
}

void ___tracy_fiber_leave(void)
{
}

int ___tracy_begin_sampling_profiling(void)
{
	return 0;
}

void ___tracy_end_sampling_profiling(void)
{
}

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

void ___tracy_emit_logString(int8_t severity, int32_t color, int32_t depth, size_t size,
			     const char *txt)
{
	(void)severity, (void)depth;
	if (color)
		ttp_message_color(txt, size, (uint32_t)color);
	else
		ttp_message(txt, size);
}

void ___tracy_emit_logStringL(int8_t severity, int32_t color, int32_t depth, const char *txt)
{
	(void)severity, (void)depth;
	if (color)
		ttp_message_literal_color(txt, (uint32_t)color);
	else
		ttp_message_literal(txt);
}
