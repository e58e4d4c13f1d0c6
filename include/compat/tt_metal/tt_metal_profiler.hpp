// SPDX-License-Identifier: Apache-2.0
//
// tt-metal's spelling of the profiler's part of <ttp/device.h>.
#pragma once

#include "tt_metal/host_api.hpp"

namespace tt {
namespace tt_metal {

enum class ProfilerReadState { NORMAL, ONLY_DISPATCH_CORES, LAST_FD_READ };
enum class ProfilerSyncState { INIT, CLOSE_DEVICE };

// (chip, runtime id) -> name of the op; accepted, and not in the log, which has no place for it.
using ProfilerOptionalMetadata = std::map<std::pair<chip_id_t, uint32_t>, std::string>;

inline void ReadMeshDeviceProfilerResults(IDevice &mesh, ProfilerReadState = ProfilerReadState::NORMAL,
					  const std::optional<ProfilerOptionalMetadata> & = std::nullopt)
{
	compat::check(ttp_dev_read_profiler(mesh.handle()));
}

namespace detail {

inline void ReadDeviceProfilerResults(IDevice *device, ProfilerReadState = ProfilerReadState::NORMAL,
				      const std::optional<ProfilerOptionalMetadata> & = std::nullopt)
{
	compat::check(ttp_dev_read_profiler(compat::given(device)->handle()));
}

// Its older name.
inline void DumpDeviceProfileResults(IDevice *device)
{
	compat::check(ttp_dev_read_profiler(compat::given(device)->handle()));
}

// A device does these by itself, when it is opened and closed.
inline void InitDeviceProfiler(IDevice *) {}
inline void ProfilerSync(ProfilerSyncState) {}

inline uint32_t EncodePerDeviceProgramID(uint32_t id, uint32_t device, bool fallback = false)
{
	return ttp_encode_program_id(id, device, fallback);
}

struct DeviceProgramId {
	uint32_t base_program_id, device_id;
	bool is_host_fallback_op;
};

inline DeviceProgramId DecodePerDeviceProgramID(uint32_t id)
{
	return { id >> 10 & 0x1FFFFF, id & 1023, (id >> 31) != 0 };
}

} // namespace detail
} // namespace tt_metal
} // namespace tt
