// SPDX-License-Identifier: Apache-2.0
//
// The end-to-end example of the profiler's documents: host zones around a program whose kernel records its own. What
// is between the lines is as it is there.
#include <cstdio>

// ----
#include <tracy/Tracy.hpp>
#include "tt_metal/host_api.hpp"

void run_inference(tt::tt_metal::IDevice* device, Program& program) {
    ZoneScopedN("RunInference");

    {
        ZoneScopedN("EnqueueProgram");
        EnqueueProgram(device->command_queue(), program, false);
    }

    {
        ZoneScopedN("WaitForCompletion");
        Finish(device->command_queue());
    }
}
// ----

#include "tt_metal/tt_metal_profiler.hpp"

using namespace tt::tt_metal;

int main()
{
	constexpr uint32_t tile_bytes = 2 * tt::constants::TILE_HW, tiles = 4;

	try {
		IDevice *device = CreateDevice(0);
		bool equal;
		{
			Program program = CreateProgram();
			CoreCoord core{ 0, 0 };
			InterleavedBufferConfig config{ device, tiles * tile_bytes, tile_bytes, BufferType::DRAM };
			auto from = CreateBuffer(config), to = CreateBuffer(config);
			std::vector<uint32_t> sent(tiles * tile_bytes / 4), got;

			for (std::size_t i = 0; i < sent.size(); i++)
				sent[i] = static_cast<uint32_t>(i / (tile_bytes / 4) + 1);
			CreateCircularBuffer(program, core,
					     CircularBufferConfig(tile_bytes, { { tt::c_0, tt::DataFormat::Float16_b } })
						     .set_page_size(tt::c_0, tile_bytes));
			KernelHandle kernel = CreateKernel(
				program, "examples/device/kernels/dataflow.cpp", core,
				DataMovementConfig{ DataMovementProcessor::RISCV_0, NOC::RISCV_0_default, {}, {} });
			SetRuntimeArgs(program, kernel, core, { from->address(), to->address(), tiles });
			EnqueueWriteBuffer(device->command_queue(), from, sent, true);
			run_inference(device, program);
			EnqueueReadBuffer(device->command_queue(), to, got, true);
			detail::ReadDeviceProfilerResults(device);
			// The kernel has one place for all tiles: the last one that was read is written each time.
			equal = std::equal(got.end() - tile_bytes / 4, got.end(), sent.end() - tile_bytes / 4);
		}
		CloseDevice(device);
		std::printf("%u tiles, the last one is %s\n", tiles, equal ? "equal" : "DIFFERENT");
		return equal ? 0 : 1;
	} catch (const std::exception &e) {
		std::fprintf(stderr, "error: %s\n", e.what());
		return 1;
	}
}
