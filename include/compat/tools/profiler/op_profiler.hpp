// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../tt_metal/tools/profiler/op_profiler.hpp"
