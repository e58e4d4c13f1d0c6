// SPDX-License-Identifier: Apache-2.0
/*
 * Tenstorrent's device zones as its fork of Tracy spells them, over libttp.
 *
 *	auto ctx = TracyTTContext();
 *	TracyTTContextPopulate(ctx, TracyGetCpuTime(), device_cycles, ghz);
 *	TracyTTContextName(ctx, name.c_str(), name.size());
 *	TracyTTPushStartMarker(ctx, marker);  TracyTTPushEndMarker(ctx, marker);
 *	TracyTTDestroy(ctx);
 *
 * A marker, or event, is any type with the fields of tracy::TTDeviceMarker or tracy::TTDeviceEvent below.
 */
#ifndef TTP_TRACY_TT_DEVICE_HPP
#define TTP_TRACY_TT_DEVICE_HPP

#include <cstdio>

#include "Tracy.hpp"
#include "common/TracyTTDeviceData.hpp"

#ifdef TRACY_ENABLE

namespace tracy
{

/* A device's core; about 150 bytes, and never given back: its zones may still be on their way. */
struct TTCtx {
	ttp_device device;
};

namespace detail
{
inline const std::string &NameOf(const TTDeviceMarker &m)
{
	return m.marker_name;
}
inline const std::string &NameOf(const TTDeviceEvent &e)
{
	return e.zone_name;
}
inline uint64_t OpOf(const TTDeviceMarker &m)
{
	return m.runtime_host_id == TTDeviceMarker::INVALID_NUM ? 0 : m.runtime_host_id;
}
inline uint64_t OpOf(const TTDeviceEvent &e)
{
	return e.run_num == TTDeviceEvent::INVALID_NUM ? 0 : e.run_num;
}

/* An event's own colour, else one by RISC, so that lanes can be told apart. */
inline uint32_t ColorOf(uint32_t own, uint64_t risc)
{
	static const uint32_t colors[8] = { Color::Orange2,    Color::SeaGreen3, Color::SkyBlue3, Color::Turquoise2,
					    Color::CadetBlue1, Color::Yellow3,   Color::Gray60,   Color::Gray40 };

	return own ? own : colors[risc & 7];
}

template <typename Event> inline const ttp_location *PlaceOf(const Event &e)
{
	char op[40];
	int n = OpOf(e) ? snprintf(op, sizeof(op), "OP ID:%llu", static_cast<unsigned long long>(OpOf(e))) : 0;
	const std::string &name = NameOf(e);

	return ttp_location_intern(name.data(), name.size(), op, static_cast<size_t>(n), e.file.data(), e.file.size(),
				   static_cast<uint32_t>(e.line),
				   ColorOf(static_cast<uint32_t>(e.color), static_cast<uint64_t>(e.risc)));
}

template <typename Event> inline void PushStart(TTCtx *ctx, const Event &e)
{
	ttp_device_zone_begin(ctx->device, static_cast<uint32_t>(e.get_thread_id()), PlaceOf(e), e.timestamp);
}

template <typename Event> inline void PushEnd(TTCtx *ctx, const Event &e)
{
	ttp_device_zone_end(ctx->device, static_cast<uint32_t>(e.get_thread_id()), e.timestamp);
}

/* A moment, with a number. */
inline void PushMarker(TTCtx *ctx, const TTDeviceMarker &m)
{
	ttp_device_marker(ctx->device, m.get_thread_id(), PlaceOf(m), m.timestamp, m.data);
}

/* Both ends at once; zones of a lane one after the other, or the outer one first. */
inline void PushZone(TTCtx *ctx, const void *place, uint32_t lane, uint64_t start, uint64_t end)
{
	ttp_device_zone(ctx->device, lane, static_cast<const ttp_location *>(place), start, end);
}
} // namespace detail

/* Kept for those who say it; each context has its own times. */
inline void SetCpuTime(int64_t = 0)
{
}

inline TTCtx *NewTTCtx()
{
	return new TTCtx{ ttp_device_new(0) };
}

} // namespace tracy

using TracyTTCtx = tracy::TTCtx *;
#define TracyTTContext()                 tracy::NewTTCtx()
#define TracyTTDestroy(ctx)              delete ctx
#define TracyTTContextName(ctx, name, size) ttp_device_name((ctx)->device, name, size)
#define TracyTTContextPopulate(ctx, cpuTime, deviceTime, ghz) \
	ttp_device_start((ctx)->device, cpuTime, static_cast<uint64_t>(deviceTime), ghz)
#define TracyTTContextCalibrate(ctx, cpuTime, deviceTime, ghz) \
	ttp_device_calibrate((ctx)->device, cpuTime, static_cast<uint64_t>(deviceTime), ghz)
#define TracyTTPushStartZone(ctx, event)    tracy::detail::PushStart(ctx, event)
#define TracyTTPushEndZone(ctx, event)      tracy::detail::PushEnd(ctx, event)
#define TracyTTPushStartMarker(ctx, marker) tracy::detail::PushStart(ctx, marker)
#define TracyTTPushEndMarker(ctx, marker)   tracy::detail::PushEnd(ctx, marker)
#define TracyTTPushMarker(ctx, marker)      tracy::detail::PushMarker(ctx, marker)
#define TracyTTPushZone(ctx, srcloc, thread, start, end)       tracy::detail::PushZone(ctx, srcloc, thread, start, end)
#define TracyTTPushZoneSerial(ctx, srcloc, thread, start, end) tracy::detail::PushZone(ctx, srcloc, thread, start, end)
#define TracyTTContextNameLockfree(ctx, name, size)            TracyTTContextName(ctx, name, size)
#define TracyTTContextPopulateCalibrated(ctx, cpuTime, deviceTime, ghz) \
	TracyTTContextPopulate(ctx, cpuTime, deviceTime, ghz)
#define TracyTTContextPopulateCalibratedLockfree(ctx, cpuTime, deviceTime, ghz) \
	TracyTTContextPopulate(ctx, cpuTime, deviceTime, ghz)
#define TracyGetCpuTime()                   ttp_now()
#define TracyGetBaseTime()                  ttp_base_ticks()
#define TracyGetTimerMul()                  ttp_ns_per_tick()
#define TracySetCpuTime(...)                tracy::SetCpuTime(__VA_ARGS__)

#else /* TRACY_ENABLE */

using TracyTTCtx = void *;
#define TracyTTContext()                    nullptr
#define TracyTTDestroy(ctx)                 ((void)(ctx))
#define TracyTTContextName(ctx, name, size)
#define TracyTTContextPopulate(ctx, cpuTime, deviceTime, ghz)
#define TracyTTContextCalibrate(ctx, cpuTime, deviceTime, ghz)
#define TracyTTPushStartZone(ctx, event)
#define TracyTTPushEndZone(ctx, event)
#define TracyTTPushStartMarker(ctx, marker)
#define TracyTTPushEndMarker(ctx, marker)
#define TracyTTPushMarker(ctx, marker)
#define TracyTTPushZone(ctx, srcloc, thread, start, end)
#define TracyTTPushZoneSerial(ctx, srcloc, thread, start, end)
#define TracyTTContextNameLockfree(ctx, name, size)
#define TracyTTContextPopulateCalibrated(ctx, cpuTime, deviceTime, ghz)
#define TracyTTContextPopulateCalibratedLockfree(ctx, cpuTime, deviceTime, ghz)
#define TracyGetCpuTime()  0
#define TracyGetBaseTime() 0
#define TracyGetTimerMul() 1.0
#define TracySetCpuTime(...)

#endif /* TRACY_ENABLE */

#endif /* TTP_TRACY_TT_DEVICE_HPP */
