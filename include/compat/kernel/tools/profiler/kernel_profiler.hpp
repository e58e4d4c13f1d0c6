// SPDX-License-Identifier: Apache-2.0
// tt-metal's name for the macros of <ttp/kernel/profiler.h>.
#pragma once

#include <cstdint>

#include "ttp/kernel.h"
