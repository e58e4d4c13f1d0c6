// SPDX-License-Identifier: Apache-2.0
//
// tt-metal's spelling of the profiler's part of <ttp/device.h>.
#pragma once

#include "tt_metal/host_api.hpp"

namespace tt {
namespace tt_metal {

enum class ProfilerReadState { NORMAL, ONLY_DISPATCH_CORES, LAST_FD_READ };
enum class ProfilerSyncState { INIT, CLOSE_DEVICE };

// (chip, runtime id) -> name of the op, for cpp_device_perf_report.csv and NoC traces; the log has no place for it.
using ProfilerOptionalMetadata = std::map<std::pair<chip_id_t, uint32_t>, std::string>;

namespace compat {

inline void read_profiler(ttp_dev *device, const std::optional<ProfilerOptionalMetadata> &names)
{
	if (names)
		for (auto &[key, name] : *names)
			if (ttp_dev *named = ttp_dev_find(static_cast<int>(key.first)))
				check(ttp_dev_name_program(named, key.second, name.c_str()));
	check(ttp_dev_read_profiler(device));
}

} // namespace compat

inline void ReadMeshDeviceProfilerResults(IDevice &mesh, ProfilerReadState = ProfilerReadState::NORMAL,
					  const std::optional<ProfilerOptionalMetadata> &names = std::nullopt)
{
	compat::read_profiler(mesh.handle(), names);
}

inline void ReadDeviceProfiler(IDevice *device)
{
	compat::read_profiler(device->handle(), std::nullopt);
}

namespace detail {

inline void ReadDeviceProfilerResults(IDevice *device, ProfilerReadState = ProfilerReadState::NORMAL,
				      const std::optional<ProfilerOptionalMetadata> &names = std::nullopt)
{
	compat::read_profiler(device->handle(), names);
}

inline void ReadDeviceProfiler(IDevice *device)
{
	compat::read_profiler(device->handle(), std::nullopt);
}

// Its older name.
inline void DumpDeviceProfileResults(IDevice *device)
{
	compat::check(ttp_dev_read_profiler(device->handle()));
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

// How long programs took; with TT_METAL_PROFILER_CPP_POST_PROCESS=1.
namespace experimental {

struct ProgramExecutionUID {
	uint32_t runtime_id;
	std::optional<uint32_t> trace_id, trace_id_counter;
};

struct ProgramSingleAnalysisResult {
	uint64_t start_timestamp, end_timestamp, duration; // cycles, cycles, ns
};

struct ProgramAnalysisData {
	ProgramExecutionUID program_execution_uid;
	std::map<std::string, ProgramSingleAnalysisResult> program_analyses_results;
	uint32_t core_count, num_available_cores;
};

struct DurationHistogram {
	std::vector<uint64_t> bucket_edges_ns; // one more than counts
	std::vector<uint64_t> bucket_counts;
	uint64_t underflow = 0, overflow = 0;
};

struct KernelDurationSummary {
	uint64_t count = 0, min_ns = 0, max_ns = 0;
	double avg_ns = 0;
	DurationHistogram histogram;
};

using ProgramsPerfData = std::map<chip_id_t, std::vector<ProgramAnalysisData>>; // by the time they began

inline std::vector<ProgramAnalysisData> programs_perf_data(ttp_dev *device, bool latest)
{
	static const char *const names[] = {
#define TTP_X(name, column, cycles) column,
		TTP_PERF_TIME_LIST(TTP_X)
#undef TTP_X
	};
	std::vector<ttp_program_perf> found(static_cast<size_t>(ttp_dev_perf_data(device, latest, nullptr, 0, 0)));
	std::vector<ProgramAnalysisData> all;

	ttp_dev_perf_data(device, latest, found.data(), found.size(), sizeof(ttp_program_perf));
	for (const ttp_program_perf &p : found) {
		ProgramAnalysisData data{};

		data.program_execution_uid.runtime_id = p.run_id;
		if (p.trace != UINT32_MAX) {
			data.program_execution_uid.trace_id = p.trace;
			data.program_execution_uid.trace_id_counter = p.replay;
		}
		for (size_t i = 0; i < TTP_PERF_TIMES; i++)
			if (p.times[i].there)
				data.program_analyses_results[names[i]] = { p.times[i].start_cycles, p.times[i].end_cycles,
									    p.times[i].ns };
		data.core_count = p.cores;
		data.num_available_cores = p.available_cores;
		all.push_back(data);
	}
	return all;
}

inline ProgramsPerfData every_device(bool latest)
{
	ProgramsPerfData all;

	for (int id = 0; id < 1024; id++)
		if (ttp_dev *device = ttp_dev_find(id))
			all[static_cast<chip_id_t>(id)] = programs_perf_data(device, latest);
	return all;
}

inline ProgramsPerfData GetLatestProgramsPerfData() { return every_device(true); }
inline ProgramsPerfData GetAllProgramsPerfData() { return every_device(false); }

inline KernelDurationSummary summarize(const std::vector<ProgramAnalysisData> &programs, std::optional<uint64_t> from,
				       std::optional<uint64_t> to, size_t buckets)
{
	std::vector<uint64_t> took;
	KernelDurationSummary s;
	constexpr uint64_t step = 100; // ns; edges are multiples of it
	uint64_t width, sum = 0;

	for (const ProgramAnalysisData &p : programs) {
		auto kernel = p.program_analyses_results.find("DEVICE KERNEL DURATION [ns]");

		if (kernel != p.program_analyses_results.end())
			took.push_back(kernel->second.duration);
	}
	if (took.empty() || !buckets)
		return s;
	s.count = took.size();
	s.min_ns = *std::min_element(took.begin(), took.end());
	s.max_ns = *std::max_element(took.begin(), took.end());
	for (uint64_t t : took)
		sum += t;
	s.avg_ns = static_cast<double>(sum) / static_cast<double>(s.count);
	uint64_t first = from.value_or(s.min_ns) / step * step, last = std::max(to.value_or(s.max_ns), first);

	width = (last - first) / buckets + 1;
	width = (width + step - 1) / step * step;
	for (size_t i = 0; i <= buckets; i++)
		s.histogram.bucket_edges_ns.push_back(first + i * width);
	s.histogram.bucket_counts.assign(buckets, 0);
	for (uint64_t t : took)
		if (t < first)
			s.histogram.underflow++;
		else if (t >= first + buckets * width)
			s.histogram.overflow++;
		else
			s.histogram.bucket_counts[(t - first) / width]++;
	return s;
}

inline std::map<chip_id_t, KernelDurationSummary> summarize_every(bool latest, std::optional<uint64_t> from,
								   std::optional<uint64_t> to, size_t buckets)
{
	std::map<chip_id_t, KernelDurationSummary> all;

	for (auto &[chip, programs] : every_device(latest))
		all[chip] = summarize(programs, from, to, buckets);
	return all;
}

inline std::map<chip_id_t, KernelDurationSummary> GetLatestKernelDurationSummary(std::optional<uint64_t> min_ns = std::nullopt,
										  std::optional<uint64_t> max_ns = std::nullopt,
										  size_t buckets = 10)
{
	return summarize_every(true, min_ns, max_ns, buckets);
}

inline std::map<chip_id_t, KernelDurationSummary> GetAllKernelDurationSummary(std::optional<uint64_t> min_ns = std::nullopt,
									       std::optional<uint64_t> max_ns = std::nullopt,
									       size_t buckets = 10)
{
	return summarize_every(false, min_ns, max_ns, buckets);
}

} // namespace experimental
} // namespace tt_metal
} // namespace tt

// ttnn's name of it.
namespace ttnn {
inline void ReadDeviceProfiler(tt::tt_metal::IDevice &device)
{
	tt::tt_metal::compat::read_profiler(device.handle(), std::nullopt);
}
} // namespace ttnn
