// SPDX-License-Identifier: Apache-2.0
/* Names that Tenstorrent's fork of Tracy has since 0.10.0, as its runtime uses them; compiled with -DTRACY_ENABLE. */
#include <set>
#include <string>
#include <tracy/TracyTTDevice.hpp>
#include <unordered_map>
#include <unordered_set>

using Keyword = tracy::MarkerDetails::MarkerNameKeyword;

static tracy::TTDeviceMarker marker_at(const tracy::MarkerDetails &details, tracy::RiscType risc, uint64_t cycles)
{
	return { 7,	 tracy::TTDeviceMarker::INVALID_NUM,
		 0,	 1,
		 100,	 100,
		 risc,	 12,
		 cycles, 0,
		 "op",	 details.source_line_num,
		 details.source_file, details.marker_name,
		 tracy::TTDeviceMarkerType::ZONE_START, details.marker_name_keyword_flags };
}

int main()
{
#ifdef TRACY_ENABLE
	static const tracy::SourceLocationData whole = { "whole", "f", "k.cpp", 3, 0 };
#endif
	const std::unordered_set<Keyword> wanted = { Keyword::_FW, Keyword::DISPATCH };
	std::unordered_map<uint16_t, tracy::MarkerDetails> by_number;
	std::set<tracy::TTDeviceMarker> sorted;
	std::unordered_set<tracy::TTDeviceMarker> once;
	TracyTTCtx ctx = TracyTTContext();

	by_number.emplace(12, tracy::MarkerDetails("NCRISC-KERNEL", "writer.cpp", 9));
	const tracy::MarkerDetails &details = by_number.at(12);
	if (!details.marker_name_keyword_flags[static_cast<size_t>(Keyword::NCRISC_KERNEL)] ||
	    details.marker_name_keyword_flags[static_cast<size_t>(Keyword::_FW)] || wanted.count(Keyword::_KERNEL) ||
	    !tracy::UnidentifiedMarkerDetails.marker_name.empty())
		return 1;

	TracyTTContextPopulateCalibrated(ctx, TracyGetCpuTime(), 0.0, 1.0);
	TracyTTContextNameLockfree(ctx, "Device 1:", 9);
	for (tracy::RiscType risc : { tracy::RiscType::NONE, tracy::RiscType::TENSIX_RISC_AGG, tracy::RiscType::QUASAR_DM0,
				      tracy::RiscType::QUASAR_NEO3_TRISC3 }) {
		tracy::TTDeviceMarker marker = marker_at(details, risc, 1000);
		tracy::TTDeviceMarker back(marker.get_thread_id());

		if (back.risc != risc || back.core_x != 100 || back.core_y != 100 || back.chip_id != 1)
			return 2;
		sorted.insert(marker);
		once.insert(marker);
		TracyTTPushStartMarker(ctx, marker);
		marker.timestamp = 1500;
		marker.marker_type = tracy::TTDeviceMarkerType::ZONE_END;
		TracyTTPushEndMarker(ctx, marker);
	}
	TracyTTPushZone(ctx, &whole, 5, 3000, 3400);
	TracyTTPushZoneSerial(ctx, &whole, 5, 3500, 3600);
	tracy::TTDeviceMarker moment = marker_at(details, tracy::RiscType::BRISC, 4000);
	moment.marker_type = tracy::TTDeviceMarkerType::TS_DATA;
	moment.data = 42;
	moment.data_high = 1;
	TracyTTPushMarker(ctx, moment);
	TracyTTDestroy(ctx);
	return sorted.size() == 4 && once.size() == 4 ? 0 : 3;
}
