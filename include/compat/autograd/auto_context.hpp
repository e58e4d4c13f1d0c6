// SPDX-License-Identifier: Apache-2.0
//
// tt-train's context, as far as its device and its profiler go:
//
//	ttml::autograd::ctx().open_device();
//	ttml::autograd::ctx().get_profiler().read_results(&ttml::autograd::ctx().get_device(), "forward_pass_done");
//	ttml::autograd::ctx().get_profiler().dump_results();
//	ttml::autograd::ctx().close_device();
#pragma once

#include "core/tt_profiler.hpp"

namespace ttml {
namespace autograd {

class AutoContext {
	tt::tt_metal::IDevice *device_ = nullptr;
	core::TTProfiler profiler_;

	AutoContext() = default;
	~AutoContext()
	{
		try {
			close_device();
		} catch (const std::runtime_error &) {
			// the process ends anyway
		}
	}

    public:
	AutoContext(const AutoContext &) = delete;
	AutoContext &operator=(const AutoContext &) = delete;

	static AutoContext &get_instance()
	{
		static AutoContext one;

		return one;
	}
	void open_device(int id = 0)
	{
		if (device_)
			tt::tt_metal::compat::fail("open_device was called after the device was opened");
		device_ = tt::tt_metal::CreateDevice(id);
	}
	tt::tt_metal::IDevice &get_device()
	{
		if (!device_)
			open_device();
		return *device_;
	}
	void close_device()
	{
		profiler_.forget();
		if (device_)
			tt::tt_metal::CloseDevice(device_);
		device_ = nullptr;
	}
	core::TTProfiler &get_profiler() { return profiler_; }
	void close_profiler() { profiler_.forget(); }
};

inline AutoContext &ctx()
{
	return AutoContext::get_instance();
}

} // namespace autograd

namespace core {

inline void TTProfiler::dump_results()
{
	dump_results(&autograd::ctx().get_device());
}

} // namespace core
} // namespace ttml
