// SPDX-License-Identifier: Apache-2.0
/* Where Tracy has tracy::GetProfiler; ours comes with the rest. */
#include "../Tracy.hpp"
