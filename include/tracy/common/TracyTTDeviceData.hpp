// SPDX-License-Identifier: Apache-2.0
/* What Tenstorrent's fork of Tracy knows of a device's marker, or event as it was called before. */
#ifndef TTP_TRACY_TT_DEVICE_DATA_HPP
#define TTP_TRACY_TT_DEVICE_DATA_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "../TracyColor.hpp"

namespace tracy
{

enum class RiscType : uint16_t { BRISC, NCRISC, TRISC_0, TRISC_1, TRISC_2, ERISC, CORE_AGG };
enum class TTDeviceMarkerType : uint8_t { ZONE_START, ZONE_END, ZONE_TOTAL, TS_DATA, TS_EVENT };
enum TTDeviceEventPhase { begin, end, sum };

/* Names in the order of RiscType. */
inline std::string riscName[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC", "CORE_AGG" };

/* Lane of a RISC: 3 bits of it, 4 of each coordinate, 8 of the chip. */
inline uint32_t TTLane(uint64_t risc, uint64_t x, uint64_t y, uint64_t chip)
{
	return static_cast<uint32_t>((risc & 7) | (x & 15) << 3 | (y & 15) << 7 | (chip & 255) << 11);
}

struct TTDeviceMarker {
	static constexpr uint64_t INVALID_NUM = UINT64_C(1) << 63;

	uint64_t runtime_host_id = 0, trace_id = UINT64_MAX, trace_id_counter = UINT64_MAX;
	uint64_t chip_id = 0, core_x = 0, core_y = 0;
	RiscType risc = RiscType::BRISC;
	uint16_t marker_id = 0;
	uint64_t timestamp = 0, data = 0;
	std::string op_name;
	uint64_t line = 0;
	std::string file, marker_name;
	TTDeviceMarkerType marker_type = TTDeviceMarkerType::ZONE_START;
	uint32_t color = 0; /* 0: one by RISC */

	uint32_t get_thread_id() const
	{
		return TTLane(static_cast<uint64_t>(risc), core_x, core_y, chip_id);
	}
};

struct TTDeviceEvent {
	static constexpr uint64_t INVALID_NUM = UINT64_C(1) << 63;

	uint64_t run_num = INVALID_NUM, chip_id = INVALID_NUM, core_x = INVALID_NUM, core_y = INVALID_NUM;
	uint64_t risc = INVALID_NUM, timer_id = INVALID_NUM, timestamp = INVALID_NUM, line = INVALID_NUM;
	std::string file, zone_name;
	TTDeviceEventPhase zone_phase = begin;
	Color::ColorType color = Color::Black; /* black: one by RISC */

	TTDeviceEvent() = default;
	TTDeviceEvent(uint64_t run, uint64_t chip, uint64_t x, uint64_t y, uint64_t core, uint64_t timer, uint64_t time,
		      uint64_t lineOf, std::string fileOf, std::string name, TTDeviceEventPhase phase, Color::ColorType colorOf)
		: run_num(run), chip_id(chip), core_x(x), core_y(y), risc(core), timer_id(timer), timestamp(time), line(lineOf),
		  file(std::move(fileOf)), zone_name(std::move(name)), zone_phase(phase), color(colorOf)
	{
	}
	/* Where it is, of a lane's number. */
	TTDeviceEvent(uint64_t lane)
		: run_num(UINT64_MAX), chip_id(lane >> 11 & 255), core_x(lane >> 3 & 15), core_y(lane >> 7 & 15),
		  risc(lane & 7), timer_id(UINT64_MAX)
	{
	}

	uint64_t get_thread_id() const
	{
		return TTLane(risc, core_x, core_y, chip_id);
	}

	/* Events are the same, and in order, by time, place and timer. */
	std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t> order() const
	{
		return { timestamp, chip_id, core_x, core_y, risc, timer_id };
	}
	friend bool operator<(const TTDeviceEvent &a, const TTDeviceEvent &b)
	{
		return a.order() < b.order();
	}
	friend bool operator==(const TTDeviceEvent &a, const TTDeviceEvent &b)
	{
		return a.order() == b.order();
	}
};

} // namespace tracy

template <> struct std::hash<tracy::TTDeviceEvent> {
	std::size_t operator()(const tracy::TTDeviceEvent &e) const
	{
		uint64_t h = e.timestamp;

		for (uint64_t part : { e.get_thread_id(), e.timer_id })
			h = (h ^ part) * UINT64_C(0x9E3779B97F4A7C15) ^ h >> 29;
		return static_cast<std::size_t>(h);
	}
};

#endif /* TTP_TRACY_TT_DEVICE_DATA_HPP */
