// SPDX-License-Identifier: Apache-2.0
//
// Where tt-metal's own sources have it.
#pragma once

#include "tt_metal/tt_metal_profiler.hpp"
