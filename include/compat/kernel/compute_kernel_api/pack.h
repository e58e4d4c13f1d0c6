// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compute_kernel_api.h"
