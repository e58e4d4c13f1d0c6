// SPDX-License-Identifier: Apache-2.0
/* What Tenstorrent's fork of Tracy knows of a device's marker, or event as it was called before. */
#ifndef TTP_TRACY_TT_DEVICE_DATA_HPP
#define TTP_TRACY_TT_DEVICE_DATA_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "../TracyColor.hpp"

/* The fork's later markers carry JSON, where the program has that. */
#if !defined(TRACY_TT_HAS_FULL_DEPS) && __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define TRACY_TT_HAS_FULL_DEPS
#endif

namespace tracy
{

/* Numbers up to 6 are those of the fork's 0.10.0, whose servers know no others. */
enum class RiscType : uint16_t {
	BRISC,
	NCRISC,
	TRISC_0,
	TRISC_1,
	TRISC_2,
	ERISC,
	CORE_AGG,
	TENSIX_RISC_AGG = CORE_AGG, /* of all of a core; later name */
	NONE,
	QUASAR_DM0,
	QUASAR_DM1,
	QUASAR_DM2,
	QUASAR_DM3,
	QUASAR_DM4,
	QUASAR_DM5,
	QUASAR_DM6,
	QUASAR_DM7,
	QUASAR_NEO0_TRISC0,
	QUASAR_NEO0_TRISC1,
	QUASAR_NEO0_TRISC2,
	QUASAR_NEO0_TRISC3,
	QUASAR_NEO1_TRISC0,
	QUASAR_NEO1_TRISC1,
	QUASAR_NEO1_TRISC2,
	QUASAR_NEO1_TRISC3,
	QUASAR_NEO2_TRISC0,
	QUASAR_NEO2_TRISC1,
	QUASAR_NEO2_TRISC2,
	QUASAR_NEO2_TRISC3,
	QUASAR_NEO3_TRISC0,
	QUASAR_NEO3_TRISC1,
	QUASAR_NEO3_TRISC2,
	QUASAR_NEO3_TRISC3
};
enum class TTDeviceMarkerType : uint8_t { ZONE_START, ZONE_END, ZONE_TOTAL, TS_DATA, TS_EVENT };
enum TTDeviceEventPhase { begin, end, sum };

/* Names in the order of RiscType, of those that 0.10.0 has. */
inline std::string riscName[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC", "CORE_AGG" };

/* Lane of a RISC: 3 bits of it, 4 of each coordinate, 8 of the chip; what does not fit there lies above. */
inline uint32_t TTLane(uint64_t risc, uint64_t x, uint64_t y, uint64_t chip)
{
	return static_cast<uint32_t>((risc & 7) | (x & 15) << 3 | (y & 15) << 7 | (chip & 255) << 11 | (risc >> 3 & 7) << 19 |
				     (x >> 4 & 15) << 22 | (y >> 4 & 15) << 26);
}

/* What is known of a marker by its number, and which words its name has. */
struct MarkerDetails {
	enum class MarkerNameKeyword : uint16_t {
		_FW,
		BRISC_FW,
		ERISC_FW,
		NCRISC_FW,
		TRISC_FW,
		_KERNEL,
		BRISC_KERNEL,
		ERISC_KERNEL,
		NCRISC_KERNEL,
		TRISC_KERNEL,
		SYNC_ZONE,
		PROFILER,
		DISPATCH,
		PROCESS_CMD,
		RUNTIME_HOST_ID_DISPATCH,
		PACKED_DATA_DISPATCH,
		PACKED_LARGE_DATA_DISPATCH,
		COUNT
	};
	using Flags = std::array<bool, static_cast<std::size_t>(MarkerNameKeyword::COUNT)>;

	static inline std::unordered_map<std::string, MarkerNameKeyword> marker_name_keywords_map = {
		{ "-FW", MarkerNameKeyword::_FW },
		{ "BRISC-FW", MarkerNameKeyword::BRISC_FW },
		{ "ERISC-FW", MarkerNameKeyword::ERISC_FW },
		{ "NCRISC-FW", MarkerNameKeyword::NCRISC_FW },
		{ "TRISC-FW", MarkerNameKeyword::TRISC_FW },
		{ "-KERNEL", MarkerNameKeyword::_KERNEL },
		{ "BRISC-KERNEL", MarkerNameKeyword::BRISC_KERNEL },
		{ "ERISC-KERNEL", MarkerNameKeyword::ERISC_KERNEL },
		{ "NCRISC-KERNEL", MarkerNameKeyword::NCRISC_KERNEL },
		{ "TRISC-KERNEL", MarkerNameKeyword::TRISC_KERNEL },
		{ "SYNC-ZONE", MarkerNameKeyword::SYNC_ZONE },
		{ "PROFILER", MarkerNameKeyword::PROFILER },
		{ "DISPATCH", MarkerNameKeyword::DISPATCH },
		{ "process_cmd", MarkerNameKeyword::PROCESS_CMD },
		{ "runtime_host_id_dispatch", MarkerNameKeyword::RUNTIME_HOST_ID_DISPATCH },
		{ "packed_data_dispatch", MarkerNameKeyword::PACKED_DATA_DISPATCH },
		{ "packed_large_data_dispatch", MarkerNameKeyword::PACKED_LARGE_DATA_DISPATCH },
	};

	std::string marker_name, source_file;
	uint64_t source_line_num = 0;
	Flags marker_name_keyword_flags{};

	MarkerDetails(const std::string &name, const std::string &file, uint64_t line)
		: marker_name(name), source_file(file), source_line_num(line)
	{
		for (const auto &word : marker_name_keywords_map)
			if (name.find(word.first) != std::string::npos)
				marker_name_keyword_flags[static_cast<std::size_t>(word.second)] = true;
	}
};

inline const MarkerDetails UnidentifiedMarkerDetails{ "", "", 0 };

struct TTDeviceMarker {
	static constexpr uint64_t INVALID_NUM = UINT64_C(1) << 63;

	uint64_t runtime_host_id = INVALID_NUM, trace_id = INVALID_NUM, trace_id_counter = INVALID_NUM;
	uint64_t chip_id = 0, core_x = 0, core_y = 0;
	RiscType risc = RiscType::BRISC;
	uint16_t marker_id = 0;
	uint64_t timestamp = 0, data = 0, data_high = 0;
	std::string op_name;
	uint64_t line = 0;
	std::string file, marker_name;
	TTDeviceMarkerType marker_type = TTDeviceMarkerType::ZONE_START;
	MarkerDetails::Flags marker_name_keyword_flags{};
	uint32_t color = 0; /* 0: one by RISC */
#ifdef TRACY_TT_HAS_FULL_DEPS
	nlohmann::json meta_data = nlohmann::json::object();
#endif

	TTDeviceMarker() = default;
	/* Where it is, of a lane's number. */
	TTDeviceMarker(uint32_t lane)
		: chip_id(lane >> 11 & 255), core_x((lane >> 3 & 15) | (lane >> 22 & 15) << 4),
		  core_y((lane >> 7 & 15) | (lane >> 26 & 15) << 4),
		  risc(static_cast<RiscType>((lane & 7) | (lane >> 19 & 7) << 3)), marker_id(UINT16_MAX)
	{
	}
	TTDeviceMarker(uint64_t hostId, uint64_t trace, uint64_t traceCounter, uint64_t chip, uint64_t x, uint64_t y, RiscType core,
		       uint16_t id, uint64_t time, uint64_t value, const std::string &op, uint64_t lineOf, const std::string &fileOf,
		       const std::string &name, TTDeviceMarkerType type, const MarkerDetails::Flags &flags)
		: runtime_host_id(hostId), trace_id(trace), trace_id_counter(traceCounter), chip_id(chip), core_x(x), core_y(y),
		  risc(core), marker_id(id), timestamp(time), data(value), op_name(op), line(lineOf), file(fileOf),
		  marker_name(name), marker_type(type), marker_name_keyword_flags(flags)
	{
	}
#ifdef TRACY_TT_HAS_FULL_DEPS
	TTDeviceMarker(uint64_t hostId, uint64_t trace, uint64_t traceCounter, uint64_t chip, uint64_t x, uint64_t y, RiscType core,
		       uint16_t id, uint64_t time, uint64_t value, const std::string &op, uint64_t lineOf, const std::string &fileOf,
		       const std::string &name, TTDeviceMarkerType type, const MarkerDetails::Flags &flags,
		       const nlohmann::json &meta)
		: TTDeviceMarker(hostId, trace, traceCounter, chip, x, y, core, id, time, value, op, lineOf, fileOf, name, type,
				 flags)
	{
		meta_data = meta;
	}
#endif

	uint32_t get_thread_id() const
	{
		return TTLane(static_cast<uint64_t>(risc), core_x, core_y, chip_id);
	}

	/* Markers are the same, and in order, by time, place and number. */
	std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, RiscType, uint16_t> order() const
	{
		return { timestamp, chip_id, core_x, core_y, risc, marker_id };
	}
	friend bool operator<(const TTDeviceMarker &a, const TTDeviceMarker &b)
	{
		return a.order() < b.order();
	}
	friend bool operator==(const TTDeviceMarker &a, const TTDeviceMarker &b)
	{
		return a.order() == b.order();
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

template <> struct std::hash<tracy::TTDeviceMarker> {
	std::size_t operator()(const tracy::TTDeviceMarker &m) const
	{
		uint64_t h = m.timestamp;

		for (uint64_t part : { static_cast<uint64_t>(m.get_thread_id()), static_cast<uint64_t>(m.marker_id) })
			h = (h ^ part) * UINT64_C(0x9E3779B97F4A7C15) ^ h >> 29;
		return static_cast<std::size_t>(h);
	}
};

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
