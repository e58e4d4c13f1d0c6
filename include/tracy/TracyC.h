// SPDX-License-Identifier: Apache-2.0
/*
 * Tracy's C names over libttp, so that instrumented code compiles unchanged: zones, messages, frames, plots,
 * memory, names.  As with Tracy, nothing is recorded unless TRACY_ENABLE is defined.
 *
 * Call stacks are not taken: their depth is ignored.  Frame images are accepted and not recorded.
 */
#ifndef TTP_TRACY_C_H
#define TTP_TRACY_C_H

#include <stddef.h>
#include <stdint.h>

#include "../ttp/client.h"

#ifdef __cplusplus
extern "C" {
#endif

enum TracyPlotFormatEnum {
	TracyPlotFormatNumber,
	TracyPlotFormatMemory,
	TracyPlotFormatPercentage,
	TracyPlotFormatWatt
};

struct ___tracy_source_location_data {
	const char *name;
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t color;
};

struct ___tracy_c_zone_context {
	uint32_t id;
	int active;
};
typedef struct ___tracy_c_zone_context TracyCZoneCtx;

TTP_API void ___tracy_startup_profiler(void);
TTP_API void ___tracy_shutdown_profiler(void);
TTP_API int ___tracy_profiler_started(void);
TTP_API int ___tracy_connected(void);
TTP_API void ___tracy_set_thread_name(const char *name);

/*
 * A location for ___tracy_emit_zone_begin_alloc; equal ones are the same, and live for ever.  Tenstorrent's fork has no colour
 * here and upstream has one at the end: both may be said.  The plain functions don't look at it, so callers that were compiled
 * with either header are safe.
 */
TTP_API uint64_t ___tracy_alloc_srcloc(uint32_t line, const char *source, size_t sourceSz, const char *function,
				       size_t functionSz);
TTP_API uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char *source, size_t sourceSz,
					    const char *function, size_t functionSz, const char *name,
					    size_t nameSz);
TTP_API uint64_t ___tracy_alloc_srcloc_color(uint32_t line, const char *source, size_t sourceSz, const char *function,
					     size_t functionSz, uint32_t color);
TTP_API uint64_t ___tracy_alloc_srcloc_name_color(uint32_t line, const char *source, size_t sourceSz,
						  const char *function, size_t functionSz, const char *name,
						  size_t nameSz, uint32_t color);
#define TTP_SEVENTH_(a, b, c, d, e, f, g, ...)       g
#define TTP_NINTH_(a, b, c, d, e, f, g, h, i, ...) i
#define ___tracy_alloc_srcloc(...) \
	TTP_SEVENTH_(__VA_ARGS__, ___tracy_alloc_srcloc_color, ___tracy_alloc_srcloc, 0)(__VA_ARGS__)
#define ___tracy_alloc_srcloc_name(...) \
	TTP_NINTH_(__VA_ARGS__, ___tracy_alloc_srcloc_name_color, ___tracy_alloc_srcloc_name, 0)(__VA_ARGS__)
TTP_API TracyCZoneCtx ___tracy_emit_zone_begin(const struct ___tracy_source_location_data *srcloc, int active);
TTP_API TracyCZoneCtx ___tracy_emit_zone_begin_callstack(const struct ___tracy_source_location_data *srcloc,
							 int depth, int active);
TTP_API TracyCZoneCtx ___tracy_emit_zone_begin_alloc(uint64_t srcloc, int active);
TTP_API TracyCZoneCtx ___tracy_emit_zone_begin_alloc_callstack(uint64_t srcloc, int depth, int active);
TTP_API void ___tracy_emit_zone_end(TracyCZoneCtx ctx);
TTP_API void ___tracy_emit_zone_text(TracyCZoneCtx ctx, const char *txt, size_t size);
TTP_API void ___tracy_emit_zone_name(TracyCZoneCtx ctx, const char *txt, size_t size);
TTP_API void ___tracy_emit_zone_color(TracyCZoneCtx ctx, uint32_t color);
TTP_API void ___tracy_emit_zone_value(TracyCZoneCtx ctx, uint64_t value);

TTP_API void ___tracy_emit_memory_alloc(const void *ptr, size_t size, int secure) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_alloc_callstack(const void *ptr, size_t size, int depth, int secure) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_free(const void *ptr, int secure) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_free_callstack(const void *ptr, int depth, int secure) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_alloc_named(const void *ptr, size_t size, int secure, const char *name) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_alloc_callstack_named(const void *ptr, size_t size, int depth, int secure,
							const char *name) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_free_named(const void *ptr, int secure, const char *name) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_free_callstack_named(const void *ptr, int depth, int secure,
						       const char *name) TTP_ADDRESS_(1);
TTP_API void ___tracy_emit_memory_discard(const char *name, int secure);

TTP_API void ___tracy_emit_message(const char *txt, size_t size, int callstack);
TTP_API void ___tracy_emit_messageL(const char *txt, int callstack);
TTP_API void ___tracy_emit_messageC(const char *txt, size_t size, uint32_t color, int callstack);
TTP_API void ___tracy_emit_messageLC(const char *txt, uint32_t color, int callstack);
TTP_API void ___tracy_emit_message_appinfo(const char *txt, size_t size);

TTP_API void ___tracy_emit_frame_mark(const char *name);
TTP_API void ___tracy_emit_frame_mark_start(const char *name);
TTP_API void ___tracy_emit_frame_mark_end(const char *name);

TTP_API void ___tracy_emit_plot(const char *name, double val);
TTP_API void ___tracy_emit_plot_float(const char *name, float val);
TTP_API void ___tracy_emit_plot_int(const char *name, int64_t val);
TTP_API void ___tracy_emit_plot_config(const char *name, int type, int step, int fill, uint32_t color);

/* Locks: what ttp_lock_new gave, as a pointer. */
typedef struct __tracy_lockable_context_data *TracyCLockCtx;
typedef struct __tracy_shared_lockable_context_data *TracyCSharedLockCtx;
TTP_API TracyCLockCtx ___tracy_announce_lockable_ctx(const struct ___tracy_source_location_data *srcloc);
TTP_API void ___tracy_terminate_lockable_ctx(TracyCLockCtx lock);
TTP_API int32_t ___tracy_before_lock_lockable_ctx(TracyCLockCtx lock);
TTP_API void ___tracy_after_lock_lockable_ctx(TracyCLockCtx lock);
TTP_API void ___tracy_after_unlock_lockable_ctx(TracyCLockCtx lock);
TTP_API void ___tracy_after_try_lock_lockable_ctx(TracyCLockCtx lock, int32_t acquired);
TTP_API void ___tracy_mark_lockable_ctx(TracyCLockCtx lock, const struct ___tracy_source_location_data *srcloc);
TTP_API void ___tracy_custom_name_lockable_ctx(TracyCLockCtx lock, const char *name, size_t nameSz);
TTP_API TracyCSharedLockCtx ___tracy_announce_shared_lockable_ctx(const struct ___tracy_source_location_data *srcloc);
TTP_API void ___tracy_terminate_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API int32_t ___tracy_before_lock_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API void ___tracy_after_lock_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API void ___tracy_after_unlock_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API void ___tracy_after_try_lock_shared_lockable_ctx(TracyCSharedLockCtx lock, int32_t acquired);
TTP_API int32_t ___tracy_before_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API void ___tracy_after_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API void ___tracy_after_unlock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock);
TTP_API void ___tracy_after_try_lock_shared_shared_lockable_ctx(TracyCSharedLockCtx lock, int32_t acquired);
TTP_API void ___tracy_mark_shared_lockable_ctx(TracyCSharedLockCtx lock,
					       const struct ___tracy_source_location_data *srcloc);
TTP_API void ___tracy_custom_name_shared_lockable_ctx(TracyCSharedLockCtx lock, const char *name, size_t nameSz);
TTP_API void ___tracy_emit_zone_text_fmt(TracyCZoneCtx ctx, const char *format, ...) TTP_FORMAT_(2, 3);
TTP_API void ___tracy_emit_zone_name_fmt(TracyCZoneCtx ctx, const char *format, ...) TTP_FORMAT_(2, 3);
TTP_API int64_t ___tracy_get_time(void);
/* Accepted and not recorded. */
TTP_API void ___tracy_emit_frame_image(const void *image, uint16_t w, uint16_t h, uint8_t offset, int flip);
TTP_API void ___tracy_fiber_enter(const char *fiber);
TTP_API void ___tracy_fiber_leave(void);
TTP_API int ___tracy_begin_sampling_profiling(void);
TTP_API void ___tracy_end_sampling_profiling(void);

/* Devices of graphics interfaces; a zone is recorded when the times of its begin and end have come.  Tenstorrent's are in
 * TracyTTDevice.hpp and ttp/client.h. */
struct ___tracy_gpu_time_data {
	int64_t gpuTime;
	uint16_t queryId;
	uint8_t context;
};
struct ___tracy_gpu_zone_begin_data {
	uint64_t srcloc;
	uint16_t queryId;
	uint8_t context;
};
struct ___tracy_gpu_zone_begin_callstack_data {
	uint64_t srcloc;
	int32_t depth;
	uint16_t queryId;
	uint8_t context;
};
struct ___tracy_gpu_zone_end_data {
	uint16_t queryId;
	uint8_t context;
};
struct ___tracy_gpu_new_context_data {
	int64_t gpuTime;
	float period;
	uint8_t context;
	uint8_t flags;
	uint8_t type;
};
struct ___tracy_gpu_context_name_data {
	uint8_t context;
	const char *name;
	uint16_t len;
};
struct ___tracy_gpu_calibration_data {
	int64_t gpuTime;
	int64_t cpuDelta;
	uint8_t context;
};
struct ___tracy_gpu_time_sync_data {
	int64_t gpuTime;
	uint8_t context;
};
TTP_API void ___tracy_emit_gpu_zone_begin(const struct ___tracy_gpu_zone_begin_data data);
TTP_API void ___tracy_emit_gpu_zone_begin_callstack(const struct ___tracy_gpu_zone_begin_callstack_data data);
TTP_API void ___tracy_emit_gpu_zone_begin_alloc(const struct ___tracy_gpu_zone_begin_data data);
TTP_API void ___tracy_emit_gpu_zone_begin_alloc_callstack(const struct ___tracy_gpu_zone_begin_callstack_data data);
TTP_API void ___tracy_emit_gpu_zone_end(const struct ___tracy_gpu_zone_end_data data);
TTP_API void ___tracy_emit_gpu_time(const struct ___tracy_gpu_time_data data);
TTP_API void ___tracy_emit_gpu_new_context(const struct ___tracy_gpu_new_context_data data);
TTP_API void ___tracy_emit_gpu_context_name(const struct ___tracy_gpu_context_name_data data);
TTP_API void ___tracy_emit_gpu_calibration(const struct ___tracy_gpu_calibration_data data);
TTP_API void ___tracy_emit_gpu_time_sync(const struct ___tracy_gpu_time_sync_data data);
TTP_API void ___tracy_emit_gpu_zone_begin_serial(const struct ___tracy_gpu_zone_begin_data data);
TTP_API void ___tracy_emit_gpu_zone_begin_callstack_serial(const struct ___tracy_gpu_zone_begin_callstack_data data);
TTP_API void ___tracy_emit_gpu_zone_begin_alloc_serial(const struct ___tracy_gpu_zone_begin_data data);
TTP_API void
___tracy_emit_gpu_zone_begin_alloc_callstack_serial(const struct ___tracy_gpu_zone_begin_callstack_data data);
TTP_API void ___tracy_emit_gpu_zone_end_serial(const struct ___tracy_gpu_zone_end_data data);
TTP_API void ___tracy_emit_gpu_time_serial(const struct ___tracy_gpu_time_data data);
TTP_API void ___tracy_emit_gpu_new_context_serial(const struct ___tracy_gpu_new_context_data data);
TTP_API void ___tracy_emit_gpu_context_name_serial(const struct ___tracy_gpu_context_name_data data);
TTP_API void ___tracy_emit_gpu_calibration_serial(const struct ___tracy_gpu_calibration_data data);
TTP_API void ___tracy_emit_gpu_time_sync_serial(const struct ___tracy_gpu_time_sync_data data);

/* Messages as upstream spells them since 0.14. */
TTP_API void ___tracy_emit_logString(int8_t severity, int32_t color, int32_t depth, size_t size, const char *txt);
TTP_API void ___tracy_emit_logStringL(int8_t severity, int32_t color, int32_t depth, const char *txt);

#ifndef TracyFunction
#define TracyFunction __func__
#endif
#ifndef TracyFile
#define TracyFile __FILE__
#endif
#ifndef TracyLine
#define TracyLine __LINE__
#endif

#ifdef TRACY_ENABLE

#define TracyTtpJoin2(a, b) a##b
#define TracyTtpJoin(a, b)  TracyTtpJoin2(a, b)
#define TracyTtpZone(ctx, name, color, active)                                                              \
	static const struct ___tracy_source_location_data TracyTtpJoin(__tracy_source_location, TracyLine) = { \
		name, TracyFunction, TracyFile, (uint32_t)TracyLine, color                                  \
	};                                                                                                  \
	TracyCZoneCtx ctx =                                                                                 \
		___tracy_emit_zone_begin(&TracyTtpJoin(__tracy_source_location, TracyLine), active)

#define TracyCZone(ctx, active)                           TracyTtpZone(ctx, NULL, 0, active);
#define TracyCZoneN(ctx, name, active)                    TracyTtpZone(ctx, name, 0, active);
#define TracyCZoneC(ctx, color, active)                   TracyTtpZone(ctx, NULL, color, active);
#define TracyCZoneNC(ctx, name, color, active)            TracyTtpZone(ctx, name, color, active);
#define TracyCZoneS(ctx, depth, active)                   TracyTtpZone(ctx, NULL, 0, active);
#define TracyCZoneNS(ctx, name, depth, active)            TracyTtpZone(ctx, name, 0, active);
#define TracyCZoneCS(ctx, color, depth, active)           TracyTtpZone(ctx, NULL, color, active);
#define TracyCZoneNCS(ctx, name, color, depth, active)    TracyTtpZone(ctx, name, color, active);
#define TracyCZoneEnd(ctx)                                ___tracy_emit_zone_end(ctx);
#define TracyCZoneText(ctx, txt, size)                    ___tracy_emit_zone_text(ctx, txt, size);
#define TracyCZoneName(ctx, txt, size)                    ___tracy_emit_zone_name(ctx, txt, size);
#define TracyCZoneColor(ctx, color)                       ___tracy_emit_zone_color(ctx, color);
#define TracyCZoneValue(ctx, value)                       ___tracy_emit_zone_value(ctx, value);
#define TracyCAlloc(ptr, size)                            ___tracy_emit_memory_alloc(ptr, size, 0);
#define TracyCFree(ptr)                                   ___tracy_emit_memory_free(ptr, 0);
#define TracyCMemoryDiscard(name)                         ___tracy_emit_memory_discard(name, 0);
#define TracyCSecureAlloc(ptr, size)                      ___tracy_emit_memory_alloc(ptr, size, 1);
#define TracyCSecureFree(ptr)                             ___tracy_emit_memory_free(ptr, 1);
#define TracyCAllocN(ptr, size, name)                     ___tracy_emit_memory_alloc_named(ptr, size, 0, name);
#define TracyCFreeN(ptr, name)                            ___tracy_emit_memory_free_named(ptr, 0, name);
#define TracyCSecureAllocN(ptr, size, name)               ___tracy_emit_memory_alloc_named(ptr, size, 1, name);
#define TracyCSecureFreeN(ptr, name)                      ___tracy_emit_memory_free_named(ptr, 1, name);
#define TracyCAllocS(ptr, size, depth)                    TracyCAlloc(ptr, size)
#define TracyCFreeS(ptr, depth)                           TracyCFree(ptr)
#define TracyCAllocNS(ptr, size, depth, name)             TracyCAllocN(ptr, size, name)
#define TracyCFreeNS(ptr, depth, name)                    TracyCFreeN(ptr, name)
#define TracyCMessage(txt, size)                          ___tracy_emit_message(txt, size, 0);
#define TracyCMessageL(txt)                               ___tracy_emit_messageL(txt, 0);
#define TracyCMessageC(txt, size, color)                  ___tracy_emit_messageC(txt, size, color, 0);
#define TracyCMessageLC(txt, color)                       ___tracy_emit_messageLC(txt, color, 0);
#define TracyCMessageS(txt, size, depth)                  ___tracy_emit_message(txt, size, depth);
#define TracyCMessageLS(txt, depth)                       ___tracy_emit_messageL(txt, depth);
#define TracyCMessageCS(txt, size, color, depth)          ___tracy_emit_messageC(txt, size, color, depth);
#define TracyCMessageLCS(txt, color, depth)               ___tracy_emit_messageLC(txt, color, depth);
#define TracyCAppInfo(txt, size)                          ___tracy_emit_message_appinfo(txt, size);
#define TracyCFrameMark                                   ___tracy_emit_frame_mark(0);
#define TracyCFrameMarkNamed(name)                        ___tracy_emit_frame_mark(name);
#define TracyCFrameMarkStart(name)                        ___tracy_emit_frame_mark_start(name);
#define TracyCFrameMarkEnd(name)                          ___tracy_emit_frame_mark_end(name);
#define TracyCFrameImage(image, width, height, off, flip) ___tracy_emit_frame_image(image, width, height, off, flip);
#define TracyCPlot(name, val)                             ___tracy_emit_plot(name, val);
#define TracyCPlotF(name, val)                            ___tracy_emit_plot_float(name, val);
#define TracyCPlotI(name, val)                            ___tracy_emit_plot_int(name, val);
#define TracyCPlotConfig(name, type, step, fill, color)   ___tracy_emit_plot_config(name, type, step, fill, color);
#define TracyCSetThreadName(name)                         ___tracy_set_thread_name(name);
#define TracyCIsConnected                                 ___tracy_connected()
#define TracyCIsStarted                                   ___tracy_profiler_started()
#define TracyCFiberEnter(fiber)                           ___tracy_fiber_enter(fiber);
#define TracyCFiberLeave                                  ___tracy_fiber_leave();

#define TracyCZoneTextF(ctx, ...)                         ___tracy_emit_zone_text_fmt(ctx, __VA_ARGS__);
#define TracyCZoneNameF(ctx, ...)                         ___tracy_emit_zone_name_fmt(ctx, __VA_ARGS__);
#define TracyCMemoryDiscardS(name, depth)                 ___tracy_emit_memory_discard(name, 0);
#define TracyCSecureAllocS(ptr, size, depth)              ___tracy_emit_memory_alloc(ptr, size, 1);
#define TracyCSecureFreeS(ptr, depth)                     ___tracy_emit_memory_free(ptr, 1);
#define TracyCSecureAllocNS(ptr, size, depth, name)       ___tracy_emit_memory_alloc_named(ptr, size, 1, name);
#define TracyCSecureFreeNS(ptr, depth, name)              ___tracy_emit_memory_free_named(ptr, 1, name);
#define TracyCBeginSamplingProfiling()                    ___tracy_begin_sampling_profiling()
#define TracyCEndSamplingProfiling()                      ___tracy_end_sampling_profiling()

#define TracyTtpHere(call)                                                                                    \
	static const struct ___tracy_source_location_data TracyTtpJoin(__tracy_source_location, TracyLine) = { \
		NULL, TracyFunction, TracyFile, (uint32_t)TracyLine, 0                                        \
	};                                                                                                    \
	call
#define TracyTtpPlaceHere                                 &TracyTtpJoin(__tracy_source_location, TracyLine)
#define TracyCLockAnnounce(lock)                          TracyTtpHere(lock = ___tracy_announce_lockable_ctx(TracyTtpPlaceHere);)
#define TracyCLockTerminate(lock)                         ___tracy_terminate_lockable_ctx(lock);
#define TracyCLockBeforeLock(lock)                        ___tracy_before_lock_lockable_ctx(lock);
#define TracyCLockAfterLock(lock)                         ___tracy_after_lock_lockable_ctx(lock);
#define TracyCLockAfterUnlock(lock)                       ___tracy_after_unlock_lockable_ctx(lock);
#define TracyCLockAfterTryLock(lock, acquired)            ___tracy_after_try_lock_lockable_ctx(lock, acquired);
#define TracyCLockMark(lock)                              TracyTtpHere(___tracy_mark_lockable_ctx(lock, TracyTtpPlaceHere);)
#define TracyCLockCustomName(lock, name, size)            ___tracy_custom_name_lockable_ctx(lock, name, size);
#define TracyCSharedLockAnnounce(lock)                    TracyTtpHere(lock = ___tracy_announce_shared_lockable_ctx(TracyTtpPlaceHere);)
#define TracyCSharedLockTerminate(lock)                   ___tracy_terminate_shared_lockable_ctx(lock);
#define TracyCSharedLockBeforeLock(lock)                  ___tracy_before_lock_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterLock(lock)                   ___tracy_after_lock_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterUnlock(lock)                 ___tracy_after_unlock_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterTryLock(lock, acquired)      ___tracy_after_try_lock_shared_lockable_ctx(lock, acquired);
#define TracyCSharedLockBeforeSharedLock(lock)            ___tracy_before_lock_shared_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterSharedLock(lock)             ___tracy_after_lock_shared_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterSharedUnlock(lock)           ___tracy_after_unlock_shared_shared_lockable_ctx(lock);
#define TracyCSharedLockAfterTrySharedLock(lock, acquired) ___tracy_after_try_lock_shared_shared_lockable_ctx(lock, acquired);
#define TracyCSharedLockMark(lock)                        TracyTtpHere(___tracy_mark_shared_lockable_ctx(lock, TracyTtpPlaceHere);)
#define TracyCSharedLockCustomName(lock, name, size)      ___tracy_custom_name_shared_lockable_ctx(lock, name, size);

#else /* TRACY_ENABLE */

#define TracyCZone(ctx, active)
#define TracyCZoneN(ctx, name, active)
#define TracyCZoneC(ctx, color, active)
#define TracyCZoneNC(ctx, name, color, active)
#define TracyCZoneS(ctx, depth, active)
#define TracyCZoneNS(ctx, name, depth, active)
#define TracyCZoneCS(ctx, color, depth, active)
#define TracyCZoneNCS(ctx, name, color, depth, active)
#define TracyCZoneEnd(ctx)
#define TracyCZoneText(ctx, txt, size)
#define TracyCZoneName(ctx, txt, size)
#define TracyCZoneColor(ctx, color)
#define TracyCZoneValue(ctx, value)
#define TracyCAlloc(ptr, size)
#define TracyCFree(ptr)
#define TracyCMemoryDiscard(name)
#define TracyCSecureAlloc(ptr, size)
#define TracyCSecureFree(ptr)
#define TracyCAllocN(ptr, size, name)
#define TracyCFreeN(ptr, name)
#define TracyCSecureAllocN(ptr, size, name)
#define TracyCSecureFreeN(ptr, name)
#define TracyCAllocS(ptr, size, depth)
#define TracyCFreeS(ptr, depth)
#define TracyCAllocNS(ptr, size, depth, name)
#define TracyCFreeNS(ptr, depth, name)
#define TracyCMessage(txt, size)
#define TracyCMessageL(txt)
#define TracyCMessageC(txt, size, color)
#define TracyCMessageLC(txt, color)
#define TracyCMessageS(txt, size, depth)
#define TracyCMessageLS(txt, depth)
#define TracyCMessageCS(txt, size, color, depth)
#define TracyCMessageLCS(txt, color, depth)
#define TracyCAppInfo(txt, size)
#define TracyCFrameMark
#define TracyCFrameMarkNamed(name)
#define TracyCFrameMarkStart(name)
#define TracyCFrameMarkEnd(name)
#define TracyCFrameImage(image, width, height, off, flip)
#define TracyCPlot(name, val)
#define TracyCPlotF(name, val)
#define TracyCPlotI(name, val)
#define TracyCPlotConfig(name, type, step, fill, color)
#define TracyCSetThreadName(name)
#define TracyCIsConnected 0
#define TracyCIsStarted   0
#define TracyCZoneTextF(ctx, ...)
#define TracyCZoneNameF(ctx, ...)
#define TracyCMemoryDiscardS(name, depth)
#define TracyCSecureAllocS(ptr, size, depth)
#define TracyCSecureFreeS(ptr, depth)
#define TracyCSecureAllocNS(ptr, size, depth, name)
#define TracyCSecureFreeNS(ptr, depth, name)
#define TracyCLockAnnounce(lock)
#define TracyCLockTerminate(lock)
#define TracyCLockBeforeLock(lock)
#define TracyCLockAfterLock(lock)
#define TracyCLockAfterUnlock(lock)
#define TracyCLockAfterTryLock(lock, acquired)
#define TracyCLockMark(lock)
#define TracyCLockCustomName(lock, name, size)
#define TracyCSharedLockAnnounce(lock)
#define TracyCSharedLockTerminate(lock)
#define TracyCSharedLockBeforeLock(lock)
#define TracyCSharedLockAfterLock(lock)
#define TracyCSharedLockAfterUnlock(lock)
#define TracyCSharedLockAfterTryLock(lock, acquired)
#define TracyCSharedLockBeforeSharedLock(lock)
#define TracyCSharedLockAfterSharedLock(lock)
#define TracyCSharedLockAfterSharedUnlock(lock)
#define TracyCSharedLockAfterTrySharedLock(lock, acquired)
#define TracyCSharedLockMark(lock)
#define TracyCSharedLockCustomName(lock, name, size)
#define TracyCBeginSamplingProfiling() 0
#define TracyCEndSamplingProfiling()
#define TracyCFiberEnter(fiber)
#define TracyCFiberLeave

#endif /* TRACY_ENABLE */

#ifdef __cplusplus
}
#endif

#endif /* TTP_TRACY_C_H */
