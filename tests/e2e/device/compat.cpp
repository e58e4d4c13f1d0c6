// SPDX-License-Identifier: Apache-2.0
// compat FOLDER: tt-metal's host API over libttpdev; kernels are in FOLDER.
#include <cstdio>
#include <cstdlib>

#include "tt_metal/host_api.hpp"
#include "tt_metal/impl/profiler/tt_metal_profiler.hpp"

using namespace tt;
using namespace tt::tt_metal;

#define CHECK(what)                                               \
	do {                                                      \
		if (!(what)) {                                    \
			std::printf("line %d: %s\n", __LINE__, #what); \
			return 1;                                 \
		}                                                 \
	} while (0)

template <typename F> static std::string thrown(F f)
{
	try {
		f();
	} catch (const std::runtime_error &e) {
		return e.what();
	}
	return "";
}

static size_t log_bytes()
{
	const char *folder = std::getenv("TT_METAL_PROFILER_DIR");
	std::FILE *f = std::fopen((std::string(folder ? folder : "") + "/.logs/profile_log_device.csv").c_str(), "r");
	size_t bytes = 0;

	while (f && std::fgetc(f) != EOF)
		bytes++;
	if (f)
		std::fclose(f);
	return bytes;
}

int main(int argc, char **argv)
{
	std::string folder = argc > 1 ? argv[1] : ".";
	IDevice *device = CreateDevice(0);
	CommandQueue &cq = device->command_queue();

	CHECK(device->compute_with_storage_grid_size() == CoreCoord(8, 8));
	CHECK(device->worker_core_from_logical_core({ 0, 0 }) == CoreCoord(18, 18));
	{
		// each core adds its arguments and a compile-time argument, and leaves the sum in a DRAM page of its own
		constexpr uint32_t n = 6;
		CoreRange cores({ 0, 0 }, { 2, 1 });
		auto out = CreateBuffer(InterleavedBufferConfig{ device, n * 32, 32, BufferType::DRAM });
		Program program = CreateProgram();
		KernelHandle kernel = CreateKernel(program, folder + "/compat_sum.cpp", cores,
						   DataMovementConfig{ DataMovementProcessor::RISCV_1, NOC::RISCV_1_default, { 1000 }, { { "PLUS", "7" } } });
		uint32_t sem = CreateSemaphore(program, cores, 50);
		std::vector<uint32_t> got;

		CHECK(sem == 0 && CreateSemaphore(program, CoreCoord(0, 0), 1) == 1 && CreateSemaphore(program, CoreCoord(7, 7), 1) == 0);
		SetCommonRuntimeArgs(program, kernel, { out->address() });
		for (uint32_t i = 0; i < n; i++)
			SetRuntimeArgs(program, kernel, CoreCoord(i % 3, i / 3), { i, 10 * i, sem });
		program.set_runtime_id(77);
		EnqueueProgram(cq, program, false);
		EnqueueReadBuffer(cq, out, got, true);
		for (uint32_t i = 0; i < n; i++)
			CHECK(got[i * 8] == 11 * i + 1000 + 7 + 50);

		// again, with other arguments
		SetRuntimeArgs(program, kernel, CoreRangeSet(cores), { 5, 5, sem });
		for (uint32_t i = 0; i < n; i++)
			SetRuntimeArgs(program, kernel, CoreCoord(i % 3, i / 3), { i, 20 * i, sem });
		uint32_t trace = BeginTraceCapture(device, 0);
		EnqueueProgram(cq, program, false);
		EndTraceCapture(device, 0, trace);
		std::vector<uint32_t> zeros(n * 8, 0);
		EnqueueWriteBuffer(cq, *out, zeros, true);
		ReplayTrace(device, 0, trace, true);
		EnqueueReadBuffer(cq, *out, got, true);
		for (uint32_t i = 0; i < n; i++)
			CHECK(got[i * 8] == 21 * i + 1057);
		ReleaseTrace(device, trace);
		CHECK(thrown([&] { ReplayTrace(device, 0, trace, true); }).find("no trace") != std::string::npos);
		ReadMeshDeviceProfilerResults(*device);
	}
	// what fails, throws, and the device goes on
	Program bad = CreateProgram();
	CreateKernel(bad, folder + "/not_there.cpp", CoreCoord(0, 0), DataMovementConfig{});
	CHECK(thrown([&] { EnqueueProgram(cq, bad, false); }).find("not_there.cpp") != std::string::npos);
	CHECK(!thrown([&] { CreateBuffer(InterleavedBufferConfig{ device, 1ull << 50, 32 }); }).empty());
	CHECK(!thrown([&] { CoreRange({ 2, 2 }, { 1, 1 }); }).empty());

	auto small = CreateBuffer(InterleavedBufferConfig{ device, 64, 32 });
	std::vector<uint32_t> large(17, 1);
	CHECK(thrown([&] { EnqueueWriteBuffer(cq, small, large, true); }).find("68 bytes at 0 of a buffer of 64") != std::string::npos);
	CHECK(thrown([&] { EnqueueWriteBuffer(cq, small, std::vector<uint16_t>(32, 1), true); }).empty());
	CHECK(thrown([&] { CloseDevice(nullptr); }).find("no device") != std::string::npos);
	CHECK(thrown([&] { CreateBuffer(InterleavedBufferConfig{ nullptr, 64, 32 }); }).find("") == 0);
	Program pages = CreateProgram();
	CreateKernelFromString(pages, "void kernel_main() { }\n", CoreCoord(0, 0), DataMovementConfig{});
	CreateCircularBuffer(pages, CoreCoord(0, 0),
			     CircularBufferConfig(64, { { 0, DataFormat::UInt32 } }).set_page_size(0, 0));
	CHECK(thrown([&] { EnqueueProgram(cq, pages, true); }).find("pages of 0 bytes") != std::string::npos);
	// half made: the second kernel finds no room; the next try says the same
	Program twice = CreateProgram();
	CreateKernelFromString(twice, "void kernel_main() { }\n", CoreCoord(0, 0), DataMovementConfig{});
	CreateKernelFromString(twice, "void kernel_main() { }\n", CoreCoord(0, 0), DataMovementConfig{});
	for (int i = 0; i < 2; i++)
		CHECK(thrown([&] { EnqueueProgram(cq, twice, true); }).find("has a kernel already") != std::string::npos);

	Program text = CreateProgram();
	CreateKernelFromString(text, "#include \"compute_kernel_api.h\"\nnamespace NAMESPACE { void MAIN { } }\n", CoreCoord(0, 0),
			       ComputeConfig{ MathFidelity::HiFi2 });
	// its markers are in the log when it returns, if the device is profiled
	detail::ReadDeviceProfilerResults(device);
	size_t rows = log_bytes();
	detail::LaunchProgram(device, text, false);
	CHECK(log_bytes() == rows);
	detail::LaunchProgram(device, text);
	CHECK(!rows || log_bytes() > rows);

	CHECK(detail::EncodePerDeviceProgramID(5, 3) == (5u << 10 | 3));
	auto id = detail::DecodePerDeviceProgramID(5u << 10 | 3 | 1u << 31);
	CHECK(id.base_program_id == 5 && id.device_id == 3 && id.is_host_fallback_op);

	auto left = CreateBuffer(InterleavedBufferConfig{ device, 64, 32 }), old = left;
	uint32_t trace = BeginTraceCapture(device, 0);
	EndTraceCapture(device, 0, trace);
	CloseDevice(device);
	left.reset(); // it went with its device

	// The next device may lie where that one lay: a program is made anew, a buffer and a trace are of the old one.
	device = CreateDevice(0);
	detail::LaunchProgram(device, text);
	CHECK(thrown([&] { EnqueueReadBuffer(device->command_queue(), old, large, true); }).find("is closed") != std::string::npos);
	CHECK(thrown([&] { ReplayTrace(device, 0, trace, true); }).find("no trace") != std::string::npos);
	old.reset();
	CloseDevice(device);

	auto mesh = distributed::MeshDevice::create_unit_mesh(0);
	distributed::MeshWorkload workload;
	Program one = CreateProgram();
	CreateKernelFromString(one, "void kernel_main() { }\n", CoreCoord(0, 0), DataMovementConfig{});
	workload.add_program(std::move(one));
	distributed::EnqueueMeshWorkload(mesh->mesh_command_queue(), workload, false);
	distributed::Finish(mesh->mesh_command_queue());
	CHECK(mesh->close());
	std::puts("tt-metal's spelling is right");
	return 0;
}
