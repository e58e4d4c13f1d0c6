// SPDX-License-Identifier: Apache-2.0
// get_compile_time_arg_val(i): what the host gave when the kernel was compiled.
#pragma once

#include <stdint.h>

#ifdef KERNEL_COMPILE_TIME_ARGS
constexpr uint32_t ttp_compile_time_args[] = { KERNEL_COMPILE_TIME_ARGS };
#else
constexpr uint32_t ttp_compile_time_args[] = { 0 };
#endif

template <uint32_t i> constexpr uint32_t ttp_compile_time_arg()
{
	static_assert(i < sizeof(ttp_compile_time_args) / 4, "so many compile-time arguments were not given");
	return ttp_compile_time_args[i];
}

#define get_compile_time_arg_val(i) ttp_compile_time_arg<(i)>()
