// SPDX-License-Identifier: Apache-2.0
//
// tt-metal's spelling of <ttp/ops.h>, as host code of 2023 has it: text for the op that is running, and where logs of ops go.
#pragma once

#include <string>

#include <ttp/ops.h>

namespace tt::tt_metal::op_profiler {

enum class OpType { python_fallback, tt_dnn_cpu, tt_dnn_device, unknown };

// Of the innermost op of this thread; without one it goes nowhere, as there.
inline void append_meta_data(const std::string &text)
{
	if (ttp_op *op = ttp_op_current())
		(void)ttp_op_meta_data(op, text.c_str());
}

inline void set_profiler_location(const std::string &dir)
{
	(void)ttp_op_location(dir.c_str());
}

inline void set_parallelization_strategy(const std::string &strategy)
{
	if (ttp_op *op = ttp_op_current())
		(void)ttp_op_parallelization(op, strategy.c_str());
}

} // namespace tt::tt_metal::op_profiler

namespace op_profiler = tt::tt_metal::op_profiler;
