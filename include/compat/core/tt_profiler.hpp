// SPDX-License-Identifier: Apache-2.0
//
// tt-train's spelling of markers: ops that do nothing but stand in the report with an identifier.  Its notebooks look for
// ten in a row; "compilation_finished" and "iteration_7" are those that they count by.
#pragma once

#include <string>

#include <ttp/ops.h>

#include "tt_metal/tt_metal_profiler.hpp"

namespace ttml {
namespace core {

class TTProfiler {
	bool on_ = true;
	ttp_dev *dev_ = nullptr; // what follows belongs to
	ttp_program *noop_ = nullptr;
	ttp_tensor *in_ = nullptr, *out_ = nullptr;

	void prepare(ttp_dev *dev)
	{
		using tt::tt_metal::compat::check;
		const ttp_cores core = { 0, 0, 0, 0 };
		const uint32_t one[] = { 1, 1, 1, 1 };

		if (dev == dev_)
			return;
		forget();
		dev_ = dev;
		noop_ = check(ttp_program_new(dev));
		check(ttp_program_kernel_text(noop_, "profiler_noop.c",
					      "#include <ttp/kernel.h>\nvoid kernel_main(void) {}\n", TTP_BRISC, &core, 1));
		// a buffer goes with its device
		ttp_buffer *value = check(ttp_buffer_new(dev, TTP_DRAM, 2048, 2048));
		in_ = check(ttp_tensor_new(value, one, 4, TTP_ROW_MAJOR, TTP_BFLOAT16));
		out_ = check(ttp_tensor_new(value, one, 4, TTP_TILE, TTP_BFLOAT16));
	}

	void noops(const std::string &identifier, std::size_t n)
	{
		using tt::tt_metal::compat::check;

		for (; n; n--) {
			ttp_op *op = check(ttp_op_begin("ProfilerNoopOperation", TTP_OP_DEVICE, dev_));
			int failed = ttp_op_program(op, noop_) || ttp_op_attribute(op, "identifier", identifier.c_str()) ||
				     ttp_op_input(op, in_) || ttp_op_output(op, out_) || ttp_enqueue(noop_);

			failed = ttp_op_end(op) || failed;
			check(failed);
		}
	}

    public:
	TTProfiler() = default;
	TTProfiler(const TTProfiler &) = delete;
	TTProfiler &operator=(const TTProfiler &) = delete;
	~TTProfiler() { forget(); }

	// When the device is about to be closed.
	void forget()
	{
		// a device that is closed has taken its program along
		if (noop_ && tt::tt_metal::compat::open_devices().count(dev_))
			ttp_program_free(noop_);
		ttp_tensor_free(in_);
		ttp_tensor_free(out_);
		noop_ = nullptr;
		in_ = out_ = nullptr;
		dev_ = nullptr;
	}

	bool is_enabled() const { return on_; }
	void enable() { on_ = true; }
	void disable() { on_ = false; }

	// Markers before and behind a place, and, if dump_results, what the device recorded until there in the log.
	// Nothing happens unless TT_METAL_DEVICE_PROFILER=1.
	void read_results(tt::tt_metal::IDevice *device, const std::string &identifier = "noop_identifier",
			  bool dump_results = false, std::size_t number_of_noops = 5,
			  tt::tt_metal::ProfilerReadState state = tt::tt_metal::ProfilerReadState::NORMAL)
	{
		if (!on_ || !device->info().profiled)
			return;
		prepare(device->handle());
		noops(identifier, number_of_noops);
		if (dump_results)
			tt::tt_metal::ReadMeshDeviceProfilerResults(*device, state);
		noops(identifier, number_of_noops);
	}

	// Its older name.
	void dump_results(tt::tt_metal::IDevice *device, const std::string &identifier = "noop_identifier",
			  std::size_t number_of_noops = 5)
	{
		read_results(device, identifier, true, number_of_noops);
	}
	// The same of the context's device.
	inline void dump_results();
};

} // namespace core
} // namespace ttml

#include "autograd/auto_context.hpp"
