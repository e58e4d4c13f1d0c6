// SPDX-License-Identifier: Apache-2.0
/*
 * Tracy's C++ names over libttp, so that instrumented code compiles unchanged.  As with Tracy, everything
 * compiles to nothing unless TRACY_ENABLE is defined.
 *
 * Call stacks are not taken: their depth (the S forms) is ignored.  Lockable types are followed as Tracy does it;
 * frame images and parameters do nothing.
 */
#ifndef TTP_TRACY_HPP
#define TTP_TRACY_HPP

#include "TracyColor.hpp"
#include "TracyC.h"

#ifndef TRACY_ENABLE

#define TracyNoop
#define ZoneNamed(x, y)
#define ZoneNamedN(x, y, z)
#define ZoneNamedC(x, y, z)
#define ZoneNamedNC(x, y, z, w)
#define ZoneNamedS(x, y, z)
#define ZoneNamedNS(x, y, z, w)
#define ZoneNamedCS(x, y, z, w)
#define ZoneNamedNCS(x, y, z, w, a)
#define ZoneTransient(x, y)
#define ZoneTransientN(x, y, z)
#define ZoneTransientS(x, y, z)
#define ZoneTransientNS(x, y, z, w)
#define ZoneScoped
#define ZoneScopedN(x)
#define ZoneScopedC(x)
#define ZoneScopedNC(x, y)
#define ZoneScopedS(x)
#define ZoneScopedNS(x, y)
#define ZoneScopedCS(x, y)
#define ZoneScopedNCS(x, y, z)
#define ZoneText(x, y)
#define ZoneTextV(x, y, z)
#define ZoneTextF(x, ...)
#define ZoneTextVF(x, y, ...)
#define ZoneName(x, y)
#define ZoneNameV(x, y, z)
#define ZoneNameF(x, ...)
#define ZoneNameVF(x, y, ...)
#define ZoneColor(x)
#define ZoneColorV(x, y)
#define ZoneValue(x)
#define ZoneValueV(x, y)
#define ZoneIsActive     false
#define ZoneIsActiveV(x) false
#define FrameMark
#define FrameMarkNamed(x)
#define FrameMarkStart(x)
#define FrameMarkEnd(x)
#define TracyPlot(x, y)
#define TracyPlotConfig(x, y, z, w, a)
#define TracyMessage(x, y)
#define TracyMessageL(x)
#define TracyMessageC(x, y, z)
#define TracyMessageLC(x, y)
#define TracyMessageS(x, y, z)
#define TracyMessageLS(x, y)
#define TracyMessageCS(x, y, z, w)
#define TracyMessageLCS(x, y, z)
#define TracyAppInfo(x, y)
#define TracyAlloc(x, y)
#define TracyFree(x)
#define TracyMemoryDiscard(x)
#define TracySecureAlloc(x, y)
#define TracySecureFree(x)
#define TracyAllocN(x, y, z)
#define TracyFreeN(x, y)
#define TracySecureAllocN(x, y, z)
#define TracySecureFreeN(x, y)
#define TracyAllocS(x, y, z)
#define TracyFreeS(x, y)
#define TracyAllocNS(x, y, z, w)
#define TracyFreeNS(x, y, z)
#define TracySetProgramName(x)
#define TracyIsConnected false
#define TracyIsStarted   false

namespace tracy
{
inline void SetThreadName(const char *)
{
}

inline void SetThreadNameWithHint(const char *, int32_t)
{
}
} // namespace tracy

#else /* TRACY_ENABLE */

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace tracy
{

enum class PlotFormatType : uint8_t { Number, Memory, Percentage, Watt };
enum class MessageSeverity : uint8_t { Trace, Debug, Info, Warning, Error, Fatal, COUNT };

struct SourceLocationData {
	const char *name;
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t color;
};

/* A zone for as long as the object lives, if `active`. */
class ScopedZone
{
public:
	explicit ScopedZone(const SourceLocationData *place, int depth = -1, bool active = true) : on(active)
	{
		(void)depth;
		if (on)
			ttp_zone_begin(reinterpret_cast<const ttp_location *>(place));
	}
	explicit ScopedZone(const SourceLocationData *place, bool active) : ScopedZone(place, -1, active)
	{
	}
	/* With text that is only known now. */
	ScopedZone(uint32_t line, const char *file, size_t fileLen, const char *function, size_t functionLen,
		   const char *name, size_t nameLen, uint32_t color = 0, int depth = -1, bool active = true)
		: on(active)
	{
		(void)depth;
		if (on)
			ttp_zone_begin_text(name, nameLen, function, functionLen, file, fileLen, line, color);
	}
	~ScopedZone()
	{
		if (on)
			ttp_zone_end();
	}
	ScopedZone(const ScopedZone &) = delete;
	ScopedZone &operator=(const ScopedZone &) = delete;

	void Text(const char *text, size_t len)
	{
		if (on)
			ttp_zone_text(text, len);
	}
	void Name(const char *text, size_t len)
	{
		if (on)
			ttp_zone_name(text, len);
	}
	void TextFmt(const char *format, ...) __attribute__((format(printf, 2, 3)))
	{
		char text[1024];
		va_list args;

		va_start(args, format);
		int n = vsnprintf(text, sizeof(text), format, args);
		va_end(args);
		Text(text, Fit(n, sizeof(text)));
	}
	void NameFmt(const char *format, ...) __attribute__((format(printf, 2, 3)))
	{
		char text[1024];
		va_list args;

		va_start(args, format);
		int n = vsnprintf(text, sizeof(text), format, args);
		va_end(args);
		Name(text, Fit(n, sizeof(text)));
	}
	void Color(uint32_t color)
	{
		if (on)
			ttp_zone_color(color);
	}
	void Value(uint64_t value)
	{
		if (on)
			ttp_zone_value(value);
	}
	bool IsActive() const
	{
		return on;
	}

private:
	static size_t Fit(int n, size_t room)
	{
		return n < 0 ? 0 : static_cast<size_t>(n) < room ? static_cast<size_t>(n) : room - 1;
	}
	const bool on;
};

class Profiler
{
public:
	static int64_t GetTime()
	{
		return ttp_now();
	}
	bool IsConnected() const
	{
		return ttp_connected();
	}
	static void PlotData(const char *name, int64_t value)
	{
		ttp_plot_int(name, value);
	}
	static void PlotData(const char *name, float value)
	{
		ttp_plot_float(name, value);
	}
	static void PlotData(const char *name, double value)
	{
		ttp_plot(name, value);
	}
};

inline Profiler &GetProfiler()
{
	static Profiler profiler;

	return profiler;
}

inline void SetThreadName(const char *name)
{
	ttp_thread_name(name);
}

/* Groups of threads are not recorded. */
inline void SetThreadNameWithHint(const char *name, int32_t)
{
	ttp_thread_name(name);
}

/* As std::lock_guard and std::unique_lock want a mutex. */
template <class T> class Lockable
{
public:
	explicit Lockable(const SourceLocationData *place, bool shared = false) : lock_(ttp_lock_new(reinterpret_cast<const ttp_location *>(place), shared))
	{
	}
	~Lockable()
	{
		ttp_lock_free(lock_);
	}
	Lockable(const Lockable &) = delete;
	Lockable &operator=(const Lockable &) = delete;

	void lock()
	{
		ttp_lock_wait(lock_, false);
		mutex_.lock();
		ttp_lock_obtain(lock_, false);
	}
	void unlock()
	{
		mutex_.unlock();
		ttp_lock_release(lock_, false);
	}
	bool try_lock()
	{
		const bool got = mutex_.try_lock();

		if (got)
			ttp_lock_obtain(lock_, false);
		return got;
	}
	void Mark(const SourceLocationData *place)
	{
		ttp_lock_mark(lock_, reinterpret_cast<const ttp_location *>(place));
	}
	void CustomName(const char *name, size_t size)
	{
		ttp_lock_name(lock_, name, size);
	}

protected:
	T mutex_;
	const ttp_lock lock_;
};

template <class T> class SharedLockable : public Lockable<T>
{
public:
	explicit SharedLockable(const SourceLocationData *place) : Lockable<T>(place, true)
	{
	}
	void lock_shared()
	{
		ttp_lock_wait(this->lock_, true);
		this->mutex_.lock_shared();
		ttp_lock_obtain(this->lock_, true);
	}
	void unlock_shared()
	{
		this->mutex_.unlock_shared();
		ttp_lock_release(this->lock_, true);
	}
	bool try_lock_shared()
	{
		const bool got = this->mutex_.try_lock_shared();

		if (got)
			ttp_lock_obtain(this->lock_, true);
		return got;
	}
};

namespace detail
{
inline void Log(uint32_t color, const char *text, size_t len)
{
	ttp_message_color(text, len, color);
}
inline void Log(uint32_t color, size_t len, const char *text)
{
	ttp_message_color(text, len, color);
}
inline void Log(uint32_t color, const char *text)
{
	ttp_message_literal_color(text, color);
}

/* The type of the plot follows the type of the value. */
inline void Plot(const char *name, float value)
{
	ttp_plot_float(name, value);
}
inline void Plot(const char *name, double value)
{
	ttp_plot(name, value);
}
template <typename T> inline void Plot(const char *name, T value)
{
	ttp_plot_int(name, static_cast<int64_t>(value));
}
} // namespace detail

} // namespace tracy

#define TracyConcatIndirect(x, y) x##y
#define TracyConcat(x, y)         TracyConcatIndirect(x, y)
#define TracyTtpPlace(name, color)                                                             \
	static const tracy::SourceLocationData TracyConcat(__tracy_source_location, TracyLine) \
	{                                                                                      \
		name, TracyFunction, TracyFile, static_cast<uint32_t>(TracyLine), color        \
	}
#define TracyTtpZonePlace(var, name, color, active)                                 \
	TracyTtpPlace(name, color);                                                 \
	tracy::ScopedZone var(&TracyConcat(__tracy_source_location, TracyLine), -1, active)

#define TracyNoop                                        ttp_start()
#define ZoneNamed(var, active)                           TracyTtpZonePlace(var, nullptr, 0, active)
#define ZoneNamedN(var, name, active)                    TracyTtpZonePlace(var, name, 0, active)
#define ZoneNamedC(var, color, active)                   TracyTtpZonePlace(var, nullptr, color, active)
#define ZoneNamedNC(var, name, color, active)            TracyTtpZonePlace(var, name, color, active)
#define ZoneNamedS(var, depth, active)                   ZoneNamed(var, active)
#define ZoneNamedNS(var, name, depth, active)            ZoneNamedN(var, name, active)
#define ZoneNamedCS(var, color, depth, active)           ZoneNamedC(var, color, active)
#define ZoneNamedNCS(var, name, color, depth, active)    ZoneNamedNC(var, name, color, active)
#define ZoneTransient(var, active)                                                                      \
	tracy::ScopedZone var(TracyLine, TracyFile, strlen(TracyFile), TracyFunction, strlen(TracyFunction), \
			      nullptr, 0, 0, -1, active)
#define ZoneTransientN(var, name, active)                                                               \
	tracy::ScopedZone var(TracyLine, TracyFile, strlen(TracyFile), TracyFunction, strlen(TracyFunction), \
			      name, strlen(name), 0, -1, active)
#define ZoneTransientS(var, depth, active)               ZoneTransient(var, active)
#define ZoneTransientNS(var, name, depth, active)        ZoneTransientN(var, name, active)
#define ZoneScoped                                       ZoneNamed(___tracy_scoped_zone, true)
#define ZoneScopedN(name)                                ZoneNamedN(___tracy_scoped_zone, name, true)
#define ZoneScopedC(color)                               ZoneNamedC(___tracy_scoped_zone, color, true)
#define ZoneScopedNC(name, color)                        ZoneNamedNC(___tracy_scoped_zone, name, color, true)
#define ZoneScopedS(depth)                               ZoneScoped
#define ZoneScopedNS(name, depth)                        ZoneScopedN(name)
#define ZoneScopedCS(color, depth)                       ZoneScopedC(color)
#define ZoneScopedNCS(name, color, depth)                ZoneScopedNC(name, color)
#define ZoneText(txt, size)                              ___tracy_scoped_zone.Text(txt, size)
#define ZoneTextV(var, txt, size)                        var.Text(txt, size)
#define ZoneTextF(fmt, ...)                              ___tracy_scoped_zone.TextFmt(fmt, ##__VA_ARGS__)
#define ZoneTextVF(var, fmt, ...)                        var.TextFmt(fmt, ##__VA_ARGS__)
#define ZoneName(txt, size)                              ___tracy_scoped_zone.Name(txt, size)
#define ZoneNameV(var, txt, size)                        var.Name(txt, size)
#define ZoneNameF(fmt, ...)                              ___tracy_scoped_zone.NameFmt(fmt, ##__VA_ARGS__)
#define ZoneNameVF(var, fmt, ...)                        var.NameFmt(fmt, ##__VA_ARGS__)
#define ZoneColor(color)                                 ___tracy_scoped_zone.Color(color)
#define ZoneColorV(var, color)                           var.Color(color)
#define ZoneValue(value)                                 ___tracy_scoped_zone.Value(value)
#define ZoneValueV(var, value)                           var.Value(value)
#define ZoneIsActive                                     ___tracy_scoped_zone.IsActive()
#define ZoneIsActiveV(var)                               var.IsActive()
#define FrameMark                                        ttp_frame(nullptr)
#define FrameMarkNamed(name)                             ttp_frame(name)
#define FrameMarkStart(name)                             ttp_frame_start(name)
#define FrameMarkEnd(name)                               ttp_frame_end(name)
#define TracyPlot(name, val)                             tracy::detail::Plot(name, val)
#define TracyPlotConfig(name, type, step, fill, color) \
	ttp_plot_config(name, static_cast<ttp_plot_format>(type), step, fill, color)
#define TracyMessage(txt, size)                          ttp_message(txt, size)
#define TracyMessageL(txt)                               ttp_message_literal(txt)
#define TracyMessageC(txt, size, color)                  ttp_message_color(txt, size, color)
#define TracyMessageLC(txt, color)                       ttp_message_literal_color(txt, color)
#define TracyMessageS(txt, size, depth)                  TracyMessage(txt, size)
#define TracyMessageLS(txt, depth)                       TracyMessageL(txt)
#define TracyMessageCS(txt, size, color, depth)          TracyMessageC(txt, size, color)
#define TracyMessageLCS(txt, color, depth)               TracyMessageLC(txt, color)
#define TracyAppInfo(txt, size)                          ttp_app_info(txt, size)
#define TracyAlloc(ptr, size)                            ttp_memory_alloc(ptr, size, nullptr)
#define TracyFree(ptr)                                   ttp_memory_free(ptr, nullptr)
#define TracyMemoryDiscard(name)                         ttp_memory_discard(name)
#define TracySecureAlloc(ptr, size)                      TracyAlloc(ptr, size)
#define TracySecureFree(ptr)                             TracyFree(ptr)
#define TracyAllocN(ptr, size, name)                     ttp_memory_alloc(ptr, size, name)
#define TracyFreeN(ptr, name)                            ttp_memory_free(ptr, name)
#define TracySecureAllocN(ptr, size, name)               TracyAllocN(ptr, size, name)
#define TracySecureFreeN(ptr, name)                      TracyFreeN(ptr, name)
#define TracyAllocS(ptr, size, depth)                    TracyAlloc(ptr, size)
#define TracyFreeS(ptr, depth)                           TracyFree(ptr)
#define TracyAllocNS(ptr, size, depth, name)             TracyAllocN(ptr, size, name)
#define TracyFreeNS(ptr, depth, name)                    TracyFreeN(ptr, name)
#define TracySetProgramName(name)                        ((void)(name))
#define TracyIsConnected                                 tracy::GetProfiler().IsConnected()
#define TracyIsStarted                                   true

/* A mutex of any type with its waits and holds recorded. */
#define TracyTtpLock(kind, type, varname, desc)                                                                  \
	tracy::kind<type> varname                                                                                \
	{                                                                                                        \
		[]() -> const tracy::SourceLocationData * {                                                      \
			static constexpr tracy::SourceLocationData srcloc{ nullptr, desc, TracyFile, TracyLine, 0 }; \
			return &srcloc;                                                                          \
		}()                                                                                              \
	}
#define TracyLockable(type, varname)              TracyTtpLock(Lockable, type, varname, #type " " #varname)
#define TracyLockableN(type, varname, desc)       TracyTtpLock(Lockable, type, varname, desc)
#define TracySharedLockable(type, varname)        TracyTtpLock(SharedLockable, type, varname, #type " " #varname)
#define TracySharedLockableN(type, varname, desc) TracyTtpLock(SharedLockable, type, varname, desc)
#define LockableBase(type)                        tracy::Lockable<type>
#define SharedLockableBase(type)                  tracy::SharedLockable<type>
#define LockMark(varname)                                                                            \
	static constexpr tracy::SourceLocationData TracyConcat(__tracy_lock_location_, TracyLine){   \
		nullptr, TracyFunction, TracyFile, static_cast<uint32_t>(TracyLine), 0               \
	};                                                                                           \
	varname.Mark(&TracyConcat(__tracy_lock_location_, TracyLine))
#define LockableName(varname, txt, size)          varname.CustomName(txt, size)
#define TracySecureAllocS(ptr, size, depth)        TracyAlloc(ptr, size)
#define TracySecureFreeS(ptr, depth)               TracyFree(ptr)
#define TracySecureAllocNS(ptr, size, depth, name) TracyAllocN(ptr, size, name)
#define TracySecureFreeNS(ptr, depth, name)        TracyFreeN(ptr, name)
#define TracyMemoryDiscardS(name, depth)           TracyMemoryDiscard(name)
#define ZoneTransientNC(var, name, color, active)                                                               \
	tracy::ScopedZone var(TracyLine, TracyFile, strlen(TracyFile), TracyFunction, strlen(TracyFunction), \
			      name, strlen(name), color, -1, active)
#define TracyLogString(severity, color, depth, ...) ((void)(severity), tracy::detail::Log(color, __VA_ARGS__))
#define TracyFiberEnter(fiber)                      ttp_fiber_enter(fiber, 0)
#define TracyFiberEnterHint(fiber, hint)            ttp_fiber_enter(fiber, hint)
#define TracyFiberLeave                             ttp_fiber_leave()

#endif /* TRACY_ENABLE */

#ifndef TRACY_ENABLE
#define TracyLockable(type, varname)             type varname
#define TracyLockableN(type, varname, desc)      type varname
#define TracySharedLockable(type, varname)       type varname
#define TracySharedLockableN(type, varname, desc) type varname
#define LockableBase(type)                       type
#define SharedLockableBase(type)                 type
#define LockMark(x)                              ((void)(x))
#define LockableName(x, y, z)
#define TracySecureAllocS(ptr, size, depth)
#define TracySecureFreeS(ptr, depth)
#define TracySecureAllocNS(ptr, size, depth, name)
#define TracySecureFreeNS(ptr, depth, name)
#define TracyMemoryDiscardS(name, depth)
#define ZoneTransientNC(var, name, color, active)
#define TracyLogString(severity, color, depth, ...)
#define TracyFiberEnter(fiber)
#define TracyFiberEnterHint(fiber, hint)
#define TracyFiberLeave
#endif

/* Accepted and not recorded. */
#define TracySectionEnter(name)
#define TracySectionEnterCategory(name, category)
#define TracySectionLeave
#define TracySectionSetup(category, name)
#define TracyParamTypeInt     0
#define TracyParamTypeBool    1
#define TracyParamTypeTrigger 2
#define FrameImage(image, width, height, offset, flip)
#define TracySourceCallbackRegister(x, y)
#define TracyParameterRegister(x, y)
#define TracyParameterSetup(x, y, z, w)

#endif /* TTP_TRACY_HPP */
