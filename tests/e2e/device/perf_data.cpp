// SPDX-License-Identifier: Apache-2.0
// perf_data KERNEL: what can be asked of programs that ran, after one read and the next (tt-metal's test of it).
#include <cstdio>

#include "tt_metal/host_api.hpp"
#include "tt_metal/tt_metal_profiler.hpp"

using namespace tt::tt_metal;
using namespace tt::tt_metal::experimental;

#define CHECK(what)                                                    \
	do {                                                           \
		if (!(what)) {                                         \
			std::printf("line %d: %s\n", __LINE__, #what); \
			return 1;                                      \
		}                                                      \
	} while (0)

static void run(IDevice *device, const std::string &kernel, uint32_t id)
{
	Program program = CreateProgram();

	CreateKernel(program, kernel, CoreRange({ 0, 0 }, { id % 4, 0 }), DataMovementConfig{});
	program.set_runtime_id(id);
	EnqueueProgram(device->command_queue(), program, false);
}

static std::string ids(const std::vector<ProgramAnalysisData> &programs)
{
	std::string all;

	for (auto &p : programs)
		all += std::to_string(p.program_execution_uid.runtime_id >> 10) + " ";
	return all;
}

int main(int argc, char **argv)
{
	std::string kernel = argc > 1 ? argv[1] : "";
	IDevice *device = CreateDevice(0);

	CHECK(GetLatestProgramsPerfData().size() == 1 && GetLatestProgramsPerfData()[0].empty());
	run(device, kernel, 1);
	run(device, kernel, 2);
	ReadMeshDeviceProfilerResults(*device, ProfilerReadState::NORMAL, ProfilerOptionalMetadata{ { { 0, 2 }, "Second" } });
	CHECK(ids(GetLatestProgramsPerfData()[0]) == "1 2 " && ids(GetAllProgramsPerfData()[0]) == "1 2 ");
	for (uint32_t id = 3; id <= 5; id++)
		run(device, kernel, id);
	detail::ReadDeviceProfiler(device);
	CHECK(ids(GetLatestProgramsPerfData()[0]) == "3 4 5 " && ids(GetAllProgramsPerfData()[0]) == "1 2 3 4 5 ");
	run(device, kernel, 6);
	ttnn::ReadDeviceProfiler(*device);
	detail::ReadDeviceProfilerResults(device);
	CHECK(GetLatestProgramsPerfData()[0].empty() && ids(GetAllProgramsPerfData()[0]) == "1 2 3 4 5 6 ");

	auto all = GetAllProgramsPerfData()[0];
	for (size_t i = 0; i < all.size(); i++) {
		uint32_t id = all[i].program_execution_uid.runtime_id >> 10;
		auto kernel_time = all[i].program_analyses_results["DEVICE KERNEL DURATION [ns]"];

		CHECK(!all[i].program_execution_uid.trace_id && all[i].core_count == id % 4 + 1 && all[i].num_available_cores == 64);
		CHECK(kernel_time.end_timestamp - kernel_time.start_timestamp == kernel_time.duration); // 1 GHz
		std::printf("%u %llu\n", all[i].program_execution_uid.runtime_id, static_cast<unsigned long long>(kernel_time.duration));
	}
	auto sum = GetAllKernelDurationSummary()[0];
	uint64_t counted = 0;

	CHECK(GetLatestKernelDurationSummary()[0].count == 0);
	CHECK(sum.count == 6 && sum.histogram.bucket_edges_ns.size() == 11 && sum.histogram.bucket_counts.size() == 10);
	for (uint64_t n : sum.histogram.bucket_counts)
		counted += n;
	CHECK(counted == 6 && sum.min_ns <= sum.avg_ns && sum.avg_ns <= static_cast<double>(sum.max_ns));
	CHECK(GetAllKernelDurationSummary(sum.max_ns + 1000)[0].histogram.underflow == 6);
	CHECK(CloseDevice(device));
	return 0;
}
