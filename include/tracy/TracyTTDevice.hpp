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

#include <cstdint>
#include <cstdio>
#include <string>

#include "Tracy.hpp"

namespace tracy
{

enum class RiscType : uint16_t { BRISC, NCRISC, TRISC_0, TRISC_1, TRISC_2, ERISC, CORE_AGG };
enum class TTDeviceMarkerType : uint8_t { ZONE_START, ZONE_END, ZONE_TOTAL, TS_DATA, TS_EVENT };
enum TTDeviceEventPhase { begin, end, sum };

/* Lane of a RISC: 3 bits of it, 4 of each coordinate, 8 of the chip. */
inline uint32_t TTLane(uint64_t risc, uint64_t x, uint64_t y, uint64_t chip)
{
	return static_cast<uint32_t>((risc & 7) | (x & 15) << 3 | (y & 15) << 7 | (chip & 255) << 11);
}

struct TTDeviceMarker {
	uint64_t runtime_host_id = 0, trace_id = UINT64_MAX, trace_id_counter = UINT64_MAX;
	uint64_t chip_id = 0, core_x = 0, core_y = 0;
	RiscType risc = RiscType::BRISC;
	uint16_t marker_id = 0;
	uint64_t timestamp = 0, data = 0;
	std::string op_name;
	uint64_t line = 0;
	std::string file, marker_name;
	TTDeviceMarkerType marker_type = TTDeviceMarkerType::ZONE_START;

	uint32_t get_thread_id() const
	{
		return TTLane(static_cast<uint64_t>(risc), core_x, core_y, chip_id);
	}
};

struct TTDeviceEvent {
	uint64_t run_num = 0, chip_id = 0, core_x = 0, core_y = 0, risc = 0, marker = 0, timestamp = 0, line = 0;
	std::string file, zone_name;
	TTDeviceEventPhase zone_phase = begin;

	uint32_t get_thread_id() const
	{
		return TTLane(risc, core_x, core_y, chip_id);
	}
};

} // namespace tracy

#ifdef TRACY_ENABLE

namespace tracy
{

/* A device's core; about 64 bytes, and never given back: its zones may still be on their way. */
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
	return m.runtime_host_id;
}
inline uint64_t OpOf(const TTDeviceEvent &e)
{
	return e.run_num;
}

/* Colours by RISC, so that lanes can be told apart. */
inline uint32_t ColorOf(uint64_t risc)
{
	static const uint32_t colors[8] = { Color::Orange2,    Color::SeaGreen3, Color::SkyBlue3, Color::Turquoise2,
					    Color::CadetBlue1, Color::Yellow3,   Color::Gray60,   Color::Gray40 };

	return colors[risc & 7];
}

template <typename Event> inline void PushStart(TTCtx *ctx, const Event &e)
{
	char op[40];
	int n = OpOf(e) ? snprintf(op, sizeof(op), "OP ID:%llu", static_cast<unsigned long long>(OpOf(e))) : 0;
	const std::string &name = NameOf(e);
	const ttp_location *place =
		ttp_location_intern(name.data(), name.size(), op, static_cast<size_t>(n), e.file.data(), e.file.size(),
				    static_cast<uint32_t>(e.line), ColorOf(static_cast<uint64_t>(e.risc)));

	ttp_device_zone_begin(ctx->device, e.get_thread_id(), place, e.timestamp);
}

template <typename Event> inline void PushEnd(TTCtx *ctx, const Event &e)
{
	ttp_device_zone_end(ctx->device, e.get_thread_id(), e.timestamp);
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
#define TracyGetCpuTime()  0
#define TracyGetBaseTime() 0
#define TracyGetTimerMul() 1.0
#define TracySetCpuTime(...)

#endif /* TRACY_ENABLE */

#endif /* TTP_TRACY_TT_DEVICE_HPP */
